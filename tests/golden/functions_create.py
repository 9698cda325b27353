"""Calls of numpy's functions that create arrays: see functions.py."""
import jax.numpy as jnp
import numpy as np
from functions import corner, ramp, weak


def arrays(c):
    f = "float64" if c.x64 else "float32"
    things = [1, 2.5, True, 1j, [1, 2], [1, 2.5], [[1, 2], [3, 4]], [], [[], []], [True, 2], [1, 2j], (1, 2), [[1, 2], [3]], None, ramp(f, (2, 3)), ramp("int32", (2,)), weak(ramp(f, (2,))), [ramp(f, (2,)), ramp(f, (2,))], [jnp.int8(1), 2], [1, jnp.float16(2)], "a"]
    for x in things:
        for name in ("numpy.array", "numpy.asarray"):
            c.call(name, x)
            for d in ("float32", "int8", "bool", "complex64") if not isinstance(x, str) else ():
                c.call(name, x, d) if not (isinstance(x, complex) and d != "complex64") and not (isinstance(x, list) and len(x) == 2 and isinstance(x[1], complex)) else None
        c.call("numpy.array", x, ndmin=3) if not isinstance(x, str) else None
        c.call("numpy.copy", x)
    for d in c.dtypes:
        for name in ("numpy.array", "numpy.asarray", "numpy.copy"):
            c.call(name, corner(d))
    for name in ("numpy.array", "numpy.asarray"):
        for v, d in ((300, "int8"), (-1, "uint8"), (3000000000, "uint32"), (3000000000, "int32"), ([300], "int8"), ([1.5, np.nan], "int8"), (np.inf, "int32"), (1e30, "float16"), (2.7, "int32")):
            c.call(name, v, dtype=d)
        for o in ("K", "C", "F", "Q"):
            c.call(name, ramp(f, (2,)), order=o) if o in "KF" else None
        c.call(name, 3000000000)
    c.call("numpy.array", ramp(f, (2,)), copy=False), c.call("numpy.asarray", ramp(f, (2,)), copy=True), c.call("numpy.copy", ramp(f, (2,)), order="F")
    c.vjp("numpy.array", ramp(f, (2, 3))), c.vjp("numpy.copy", ramp(f, (2, 3))), c.vjp("numpy.asarray", ramp(f, (2, 3)))
    for d in c.dtypes:
        for t in c.dtypes:
            c.call("numpy.astype", corner(d), t)
    c.call("numpy.astype", 1.5, int), c.call("numpy.astype", 1, None), c.call("numpy.astype", ramp(f, (2,)), f, copy=True), c.call("numpy.astype", weak(ramp(f, (2,))), f), c.call("numpy.astype", [1], f)
    c.vjp("numpy.astype", ramp(f, (3,)), "float16"), c.vjp("numpy.astype", ramp(f, (3,)), "int32"), c.vjp("numpy.astype", ramp(f, (3,)), "complex64")


def filled(c):
    f = "float64" if c.x64 else "float32"
    shapes = [(), 3, (2, 3), (0,), (2, 0, 3), -1, (2, -1), 2.5, (1, 1), [2, 2], None]
    for name in ("zeros", "ones", "empty"):
        for s in shapes:
            c.call("numpy." + name, s)
        for d in c.dtypes + [int, float, bool]:
            c.call("numpy." + name, (2, 3), d), c.call("numpy." + name, 2, dtype=d)
    for s in shapes:
        c.call("numpy.full", s, 1.5) if s is not None else None
    for d in c.dtypes:
        c.call("numpy.full", (2, 2), 1.5, d), c.call("numpy.full", 2, corner(d)[:2]), c.call("numpy.full", (2, 3), ramp(d, (3,)), f)
    c.call("numpy.full", (2,), True), c.call("numpy.full", (2,), 1j), c.call("numpy.full", (2,), ramp(f, (3,))), c.call("numpy.full", (2,), [1, 2]), c.call("numpy.full", (2,), None)
    for name in ("zeros_like", "ones_like", "empty_like"):
        for d in c.dtypes:
            c.call("numpy." + name, ramp(d, (2, 3))), c.call("numpy." + name, ramp(f, (2,)), d)
        for x in (1, 2.5, True, 1j, weak(ramp(f, (2,))), ramp(f, (0, 2)), None):
            c.call("numpy." + name, x), c.call("numpy." + name, x, float)
        for s in ((3,), 3, (), (0, 2), (2, -1)):
            c.call("numpy." + name, ramp(f, (2,)), shape=s)
    for d in c.dtypes:
        c.call("numpy.full_like", ramp(d, (2, 3)), 1.5), c.call("numpy.full_like", ramp(f, (2,)), 2.5, d), c.call("numpy.full_like", ramp(d, (2, 3)), ramp(d, (3,)))
    for x in (1, 2.5, True, weak(ramp(f, (2,)))):
        c.call("numpy.full_like", x, 2.5), c.call("numpy.full_like", x, 3, shape=(2,)), c.call("numpy.full_like", x, 1, int)
    c.call("numpy.full_like", ramp(f, (2, 2)), ramp(f, (3,))), c.vjp("numpy.full_like", ramp(f, (2, 3)), ramp(f, (3,)), argnums=1)


def matrices(c):
    f = "float64" if c.x64 else "float32"
    for args in ((3,), (2, 3), (3, 2), (0,), (0, 2), (2, 0), (-1,), (2, -1), (3, None, 1), (3, None, -1), (2, 3, 5), (2, 3, -5), (2, 2, 10**12), (2.5,)):
        c.call("numpy.eye", *args), c.call("numpy.tri", *args) if args[:1] != (2.5,) and 10**12 not in args else None
    for d in c.dtypes:
        c.call("numpy.eye", 2, dtype=d), c.call("numpy.tri", 2, dtype=d), c.call("numpy.identity", 2, d)
        for name in ("tril", "triu"):
            for k in (0, 1, -1):
                c.call("numpy." + name, ramp(d, (3, 4)), k)
        c.call("numpy.diag", ramp(d, (3,))), c.call("numpy.diag", ramp(d, (3, 4)), 1), c.call("numpy.diagflat", ramp(d, (2, 2)), -1), c.call("numpy.diagonal", ramp(d, (2, 3, 4)), -1, 2, 1)
        if d != "bfloat16" and d != "float16":
            c.call("numpy.vander", ramp(d, (3,)), 4), c.call("numpy.vander", ramp(d, (3,)), 3, increasing=True)
    for n in (0, 1, 3, -2):
        c.call("numpy.identity", n)
    for name in ("tril", "triu"):
        for shape in ((3,), (), (2, 3, 3), (0, 3), (3, 0)):
            c.call("numpy." + name, ramp(f, shape))
        for k in (5, -5, 10**6):
            c.call("numpy." + name, ramp(f, (3, 3)), k)
        c.vjp("numpy." + name, ramp(f, (3, 4)), 1)
    for k in (0, 1, -1, 3, -4, 5):
        c.call("numpy.diag", ramp(f, (3,)), k), c.call("numpy.diag", ramp(f, (3, 4)), k), c.call("numpy.diagflat", ramp(f, (3,)), k), c.call("numpy.diagflat", 3, k), c.call("numpy.diagonal", ramp(f, (3, 4)), k), c.call("numpy.diagonal", ramp(f, (2, 3, 4)), k, 0, 2)
    for x in (3, ramp(f, (2, 2, 2)), ramp(f, (0,)), ramp(f, (0, 2))):
        c.call("numpy.diag", x), c.call("numpy.diagonal", x)
    for args in ((0, 0, 0), (0, 0, 2), (0, -1, -2), (1, -1, 0)):
        c.call("numpy.diagonal", ramp(f, (2, 3)), *args)
    c.vjp("numpy.diag", ramp(f, (3,)), 1), c.vjp("numpy.diag", ramp(f, (3, 4)), -1), c.vjp("numpy.diagonal", ramp(f, (2, 3, 4)), 1, 0, 2), c.vjp("numpy.diagflat", ramp(f, (2, 2)))
    for args in ((ramp(f, (3,)),), (ramp(f, (3,)), 0), (ramp(f, (3,)), -1), (ramp(f, (2, 2)),), (ramp(f, (0,)),), (ramp(f, (2,)), 5), (3,), (ramp("bool", (2,)),), (ramp("int32", (3,)), 5)):
        c.call("numpy.vander", *args)
    c.vjp("numpy.vander", jnp.array([1.5, 2, -3], f), 4)


def sequences(c):
    f = "float64" if c.x64 else "float32"
    for args in ((5,), (0,), (-3,), (2, 5), (5, 2), (5, 0, -2), (0, 10, 3), (0, 5, 0), (2.5,), (0, 1, 0.1), (0.0, 0.3, 0.1), (1, 2.5), (0, -5, -1.5), (-3.5, 3), (0.0, float("nan")), (0.0, float("inf")), (True,), (jnp.int8(5),), (jnp.arange(3),), (1, None), (0, 10, None),
                 (3 + 1j,), (jnp.float32(2.5),), (jnp.asarray(1, f), 4), (0.5, 3, 0.25), (10, 0, -3), (1, 1), (0, 1, 1 / 3), (1e9, 1e9 + 4)):
        c.call("numpy.arange", *args)
    for d in c.dtypes:
        c.call("numpy.arange", 5, dtype=d) if d != "bool" else None
        c.call("numpy.arange", 1, 7, 2, d)
        c.call("numpy.arange", 0, 1, 0.25, dtype=d) if d != "bool" else None
    c.call("numpy.arange", 300, dtype="uint8") if not c.x64 else None
    bounds = [(0, 1), (0, 10), (1.5, -2), (5, 5), (-1, 1), (0, float("inf")), (float("nan"), 1), (1 + 1j, 2), (jnp.array([0, 1]), jnp.array([2, 5])), (jnp.array([0.0, 1.0], f), 5), (jnp.float16(0), jnp.float16(1)), (jnp.int8(0), jnp.int8(100)), (jnp.zeros(2), jnp.ones(3)), (True, 3)]
    for a, b in bounds:
        for n in (5, 1, 0, 2):
            c.call("numpy.linspace", a, b, n), c.call("numpy.linspace", a, b, n, endpoint=False)
        c.call("numpy.linspace", a, b, 4, retstep=True), c.call("numpy.linspace", a, b, 1, False, True)
        c.call("numpy.logspace", a, b, 3), c.call("numpy.logspace", a, b, 3, endpoint=False, base=2)
    c.call("numpy.linspace", 0, 1), c.call("numpy.linspace", 0, 1, -1), c.call("numpy.linspace", 0, 1, 3, axis=1), c.call("numpy.linspace", jnp.zeros(2), jnp.ones(2), 3, axis=1), c.call("numpy.linspace", jnp.zeros(2), jnp.ones(2), 3, axis=-1), c.call("numpy.linspace", 0, 1, 2.5), c.call("numpy.linspace", jnp.zeros((2, 1)), jnp.ones((1, 3)), 4, axis=1)
    for d in c.dtypes:
        if d != "bool":
            c.call("numpy.linspace", 0, 10, 5, dtype=d), c.call("numpy.linspace", jnp.asarray(1, d), jnp.asarray(2, d), 3), c.call("numpy.logspace", 0, 2, 3, dtype=d), c.call("numpy.geomspace", 1, 8, 4, dtype=d) if "int" not in d else None
    c.call("numpy.linspace", 5, 0, 4, dtype="int32"), c.call("numpy.linspace", -3, 3, 7, dtype="int8")
    for args in ((1, 1000, 4), (-1, -1000, 4), (1, 8, 1), (1, 8, 0), (0, 1000, 4), (1, -1000, 4), (jnp.array([1.0, 2.0], f), 16, 3), (1j, 8, 3), (1, 10, -2), (8, 1, 4), (2.5, 2.5, 3)):
        c.call("numpy.geomspace", *args), c.call("numpy.geomspace", *args, endpoint=False)
    c.call("numpy.geomspace", jnp.array([1.0, 2.0], f), 16, 3, axis=1), c.call("numpy.logspace", jnp.array([1.0, 2.0], f), 3, 3, axis=1), c.call("numpy.logspace", 0, 2, 3, base=jnp.array([2.0, 3.0])), c.call("numpy.logspace", 0, 1, -1)
    for name in ("linspace", "logspace", "geomspace"):
        c.vjp("numpy." + name, jnp.asarray(1.5, f), jnp.asarray(4.0, f), 5, argnums=(0, 1))
    vectors = [ramp(f, (2,)), ramp("int32", (3,)), ramp(f, (1,))]
    for n in (0, 1, 2, 3):
        for kw in ({}, {"indexing": "ij"}, {"sparse": True}, {"sparse": True, "indexing": "ij"}):
            c.call("numpy.meshgrid", *vectors[:n], **kw)
    c.call("numpy.meshgrid", ramp(f, (2, 2))), c.call("numpy.meshgrid", ramp(f, (2,)), 3), c.call("numpy.meshgrid", *vectors, indexing="zz"), c.call("numpy.meshgrid", *vectors, copy=False), c.call("numpy.meshgrid", ramp(f, (0,)), ramp(f, (2,)))
    for d in c.dtypes:
        c.call("numpy.meshgrid", ramp(d, (2,)), ramp(d, (3,)))


def windows(c):
    for name in ("bartlett", "blackman", "hamming", "hanning"):
        for m in list(range(-1, 18)) + [50]:
            c.call("numpy." + name, m)
    for d in c.dtypes:
        for axis in (None, 0, 1, -1):
            for order in ("big", "little"):
                c.call("numpy.packbits", ramp(d, (3, 9)), axis, order)
        c.call("numpy.unpackbits", ramp(d, (3,)))
    b = jnp.array([[1, 255, 18], [0, 128, 77]], "uint8")
    for axis in (None, 0, 1, -1, 2):
        for count in (None, 3, 12, 24, 60, -2, 0, -100):
            c.call("numpy.unpackbits", b, axis, count)
        c.call("numpy.unpackbits", b, axis=axis, bitorder="little")
    for args in ((True,), (3,), (jnp.ones((0,), int),), (jnp.ones((2, 0), int), 1), (jnp.arange(3), 2), (jnp.arange(3), None, "x")):
        c.call("numpy.packbits", *args)
    c.call("numpy.unpackbits", jnp.uint8(5)), c.call("numpy.unpackbits", b, bitorder="x"), c.call("numpy.unpackbits", jnp.zeros((0,), "uint8")), c.call("numpy.unpackbits", 3)


def cases(c):
    c.tolerance("numpy.linspace", 2, 2)
    c.tolerance("numpy.logspace numpy.geomspace", 16, 4)
    c.tolerance("numpy.bartlett numpy.blackman numpy.hamming numpy.hanning", 2, 2)
    arrays(c), filled(c), matrices(c), sequences(c), windows(c)
