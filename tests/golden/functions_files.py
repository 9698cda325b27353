"""Calls of functions that read bytes and text, and of others that are small: see functions.py."""
import jax.numpy as jnp
from functions import Bytes, ramp


def text(c):
    f = "numpy.fromstring"
    for d in (float, int, "uint8", "int16", "float32", "complex64", "bool", "float16"):
        for s, sep in (("1 2 3", " "), ("1, 2,3", ","), (" 1 ", ","), ("", " "), ("1,,2", ","), ("1 x", " "), ("1 2 3", ","), ("1;2", ";"),
                       ("1 ; 2", " ;"), ("1ab2", "ab"), ("12", ""), ("1\n2  3", " ")):
            c.call(f, s, d, sep=sep)
    for s in ("1e3 nan inf -inf", "1.5 -2.5", "+1 -0", "1e400 1e-400", "0x10", "1e", ".5 5.", "infinity", "-", "1_0"):
        c.call(f, s, sep=" ")
    for count in (0, 1, 2, 3, -2):
        c.call(f, "1 2 3", int, count, sep=" ")
    c.expect(ValueError, f, "1 2 3", int, 5, sep=" ")  # JAX gives what happens to be in memory
    for s in (" ", "  \n"):
        c.expect(jnp.zeros(0), f, s, sep=" ")  # one number that nobody wrote
    for d, s in (("uint8", "300"), ("int8", "-129"), ("uint16", "-1")):  # JAX wraps
        c.expect(OverflowError, f, s, d, sep=" ")
    c.expect(jnp.array([1, 2.5], "bfloat16"), f, "1 2.5", "bfloat16", sep=" ")  # JAX: a type without text
    c.call(f, "1 2", int)
    c.call(f, "1 2", int, sep=None)
    c.call(f, 3, sep=" ")


def buffers(c):
    f, b = "numpy.frombuffer", Bytes("abcdefgh")
    for d in ("uint8", "int8", "uint16", "int16", "uint32", "int32", "float32", "bfloat16", "float16", "complex64", "bool", float, "float64"):
        c.call(f, b, d)
        c.call(f, b, d, 1)
        c.call(f, Bytes("abcdefg"), d)
    for args in ((2,), (0,), (9,), (-2,), (-1, 2), (-1, 3), (-1, 8), (-1, 9), (-1, -1), (2, 3), (1, 7), (3, 2), (4, 2)):
        c.call(f, b, "int16", *args)
    c.call(f, Bytes(""), "int16")
    c.call(f, Bytes("abcd"), "nothing")
    for v in (None, 3, [1, 2]):
        c.call(f, v, "int16")
    for d in ("int64", "uint64"):
        if c.x64:
            c.call(f, b, d)
        else:
            c.expect(OverflowError, f, b, d)  # JAX keeps the low half


def options(c):
    f = "numpy.set_printoptions"
    for kw in ({}, {"precision": 8}, {"threshold": 1000}, {"edgeitems": 3}, {"linewidth": 75}, {"suppress": False}, {"nanstr": "nan"},
               {"infstr": "inf"}, {"sign": "-"}, {"floatmode": "maxprec"}, {"formatter": None}, {"sign": "x"}, {"sign": "--"},
               {"floatmode": "none"}, {"threshold": "a"}, {"nothing": 1}, {"precision": 1.5}, {"precision": "a"}, {"legacy": False}):
        c.call(f, **kw)
    c.call(f, 8, 1000)
    c.call(f, 8, 1000, 3, 75, False, "nan", "inf", None, "-", "maxprec")
    for y in (1, 1.5, [1], (), "a", "", None, True, jnp.arange(3), jnp.array(1.0), ramp("float32", (2, 0)), {}, {"a": 1}, (1, 2), jnp.dtype("int8"),
              slice(1), 1j, [[]], ramp("bool", (1,)), ramp("int8", (1, 1, 1)), c.function("numpy.sin")):
        c.call("numpy.iterable", y)


def interpolation(c):
    f = "numpy.interp"
    for d in [d for d in c.floats if d != "bfloat16"] + ["int32"]:  # JAX fails for bfloat16
        x, xp, fp = ramp(d, (7,)), jnp.array([0, 1, 4, 2], d), jnp.array([1, 2, 3, 0], d)
        for period in (3, 2.5, -3.0, 4, 0.5, 100.0):
            c.call(f, x, xp, fp, period=period)
    d = "float64" if c.x64 else "float32"
    x, xp, fp = ramp(d, (2, 3)), jnp.array([0, 1, 4, 2], d), jnp.array([1, 2, 3, 0], d)
    for args, kw in (((x, xp, fp), {"period": 0.0}), ((x, xp, fp), {"period": jnp.array([1.0])}), ((x, xp, fp), {"period": 3.0, "left": 9, "right": 8}),
                     ((2.5, xp, fp), {"period": 3}), ((x, xp[:1], fp[:1]), {"period": 3.0}), ((x, xp, fp * 1j), {"period": 3.0}),
                     ((x, xp, fp), {"period": jnp.array(3, "int32")}), ((x[:0], xp, fp), {"period": 3.0}), ((x, xp, fp), {"period": jnp.nan}),
                     ((jnp.array([jnp.nan, jnp.inf, -jnp.inf, -0.0], d), xp, fp), {"period": 3.0}), ((x, xp, fp), {"period": None})):
        c.call(f, *args, **kw)
    c.vjp(f, c.draw(d, (5,)), jnp.array([0, 1, 4, 2], d), c.draw(d, (4,)), argnums=(0, 1, 2), period=3.3)


def padding(c):
    f = "numpy.pad"
    c.tolerance(f, 4, 2)
    for d in c.dtypes:
        if "complex" in d:
            continue
        for x, w in ((ramp(d, (5,)), 2), (ramp(d, (2, 3)), ((1, 0), (0, 2))), (ramp(d, (4,)), (0, 3))):
            c.call(f, x, w, mode="median")
            c.call(f, x, w, mode="median", stat_length=2)
            c.call(f, x, w, mode="median", stat_length=(1, 3))
    d = "float64" if c.x64 else "float32"
    c.expect(ValueError, f, ramp(d, (0,)), 1, mode="median")  # as the other modes
    for x in (ramp(d, ()), jnp.array([1, jnp.nan, 2], d), ramp("complex64", (3,))):
        c.call(f, x, 1, mode="median")
    c.call(f, ramp(d, (3,)), 1, mode="median", stat_length=0)
    c.vjp(f, c.draw(d, (4,)), 2, mode="median")


def scaled(c):
    d = "float64" if c.x64 else "float32"
    a, b = ramp(d, (1, 3, 4)), ramp(d, (1, 2, 4))
    f = "nn.scaled_matmul"
    s, t = jnp.ones((1, 3, 2), d), jnp.ones((1, 2, 2), d)
    for args in ((a, b, s, t), (a.astype("bfloat16"), b, s, t), (a[0], b, s, t), (a, b, s[0], t), (a, b[:, :, :3], s, t), (a, b, s, t[:, :, :1]),
                 (a, b, s[:, :2], t), (a, b, s, t[:, :1]), (jnp.ones((2, 3, 4)), b, s, t), (a, b)):
        c.call(f, *args)
    f, dims = "nn.scaled_dot_general", (((2,), (2,)), ((0,), (0,)))
    c.tolerance(f, 4)
    for x in c.dtypes:
        c.call(f, ramp(x, (1, 3, 4)), ramp(x, (1, 2, 4)), dims)
    for p in ("bfloat16", "float16", "float32", "int32"):
        c.call(f, a, b, dims, p)
    c.call(f, a.astype("int32"), b.astype("int32"), dims, "int32")
    c.call(f, a, b.astype("bfloat16"), dims)
    c.call(f, a[0], b[0], (((1,), (1,)), ((), ())))
    c.call(f, a[0], b[0], (((1,), (0,)), ((), ())))
    c.call(f, a, b, dims, implementation="cudnn")
    c.vjp(f, a, b, dims, argnums=(0, 1))
    for mode in ("x", "", None, 3, "NVFP4", "mxfp4"):
        for scale in (None, 1.0, jnp.ones(1), 2):
            c.call("nn.get_scaled_dot_general_config", mode, scale)


def cases(c):
    c.without("numpy.load numpy.save numpy.savez", "they read and write files: see functions/files_test.cc")
    c.without("numpy.get_printoptions numpy.printoptions", "state of the process: see functions/files_test.cc")
    c.without("numpy.fromfile numpy.fromiter", "not there, in JAX as well")
    text(c)
    buffers(c)
    options(c)
    interpolation(c)
    padding(c)
    scaled(c)
