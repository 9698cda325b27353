"""Calls of numpy's functions on digits, angles, integers, and of comparisons: see functions.py."""
import jax.numpy as jnp
import numpy as np
from functions import corner, ramp, weak

SPECIAL = [0.0, -0.0, 1.5, -1.5, 2.5, -0.5, 0.05, 1234.5678, -77.125, np.inf, -np.inf, np.nan]


def digits(c):
    c.tolerance("numpy.sinc", 4, 2)
    c.tolerance("numpy.degrees numpy.radians numpy.angle", 2, 1)
    c.unary("numpy.round numpy.around numpy.modf numpy.frexp numpy.sinc numpy.nan_to_num numpy.degrees numpy.radians")
    c.unary("numpy.iscomplex numpy.isreal numpy.isposinf numpy.isneginf", derivative=False)
    c.unary("numpy.iscomplexobj numpy.isrealobj numpy.bitwise_invert", derivative=False)
    c.unary("numpy.acos numpy.acosh numpy.asin numpy.asinh numpy.atan numpy.atanh", derivative=False)
    for d in c.floats:
        x = jnp.array(SPECIAL, d)
        for n in (1, 2, 3, -1, -2, 5, 20):
            if (d, n) != ("bfloat16", 20):  # where JAX has no constant of that size
                c.call("numpy.round", x, n)
        c.call("numpy.around", x, decimals=1)
        c.call("numpy.nan_to_num", x, nan=1.5)
        c.call("numpy.nan_to_num", x, posinf=7, neginf=-7)
        c.call("numpy.nan_to_num", x, nan=jnp.asarray(2, d), neginf=0.0, copy=False)
        c.vjp("numpy.nan_to_num", x)
        c.vjp("numpy.modf", jnp.array([1.25, -2.5, 0.5], d))
        c.vjp("numpy.frexp", jnp.array([1.25, -2.5, 96.0, 0.1], d))
        c.vjp("numpy.round", jnp.array([1.25, -2.5], d), 1)
        c.vjp("numpy.sinc", jnp.array([0.0, 0.25, -1.5], d))
    for d in ("complex128",) if c.x64 else ("complex64",):
        z = jnp.array([1.25 + 2.125j, complex(np.nan, np.inf), -0.5j, complex(-np.inf, 3)], d)
        c.call("numpy.round", z, 1)
        c.call("numpy.nan_to_num", z, nan=3.0)
        c.call("numpy.angle", z, deg=True)
    for d in ("float64",) if c.x64 else ("float32",):
        c.vjp("numpy.sinc", jnp.array([0.0, 0.5], d), order=2)
    for x in (5, -3, True, jnp.int8(5), jnp.uint8(7)):
        c.call("numpy.round", x, 2)
        c.call("numpy.round", x, -1)
    c.call("numpy.round", 1.5, out=jnp.ones(1))
    for d in c.dtypes:
        c.call("numpy.heaviside", corner(d), jnp.asarray(1, d))
        c.call("numpy.heaviside", 0, jnp.asarray(1, d))
        c.call("numpy.divmod", corner(d), corner(d)[::-1])
        c.call("numpy.divmod", corner(d), 2)
        c.call("numpy.divmod", 7, ramp(d, (2, 3)))
        c.call("numpy.copysign", corner(d), corner(d)[::-1])
        for other in ("int8", "int32", "uint16") if not c.x64 else ("int64", "int32"):
            c.call("numpy.ldexp", ramp(d, (4,)), jnp.array([0, 3, 1, 2], other))
    for d in c.floats:
        top = {"float16": 15, "float32": 127, "bfloat16": 127, "float64": 1023}[d]
        for n in (top, -top + 3, 3, -5, 0, 5000):  # XLA flushes denormals
            c.call("numpy.ldexp", jnp.array([1, -1.5, 0, -0.0, np.inf, np.nan, 0.75], d), n)
        c.vjp("numpy.ldexp", jnp.array([1, -1.5, 3], d), jnp.array([2, -3, 0]))
        c.call("numpy.ldexp", jnp.ones(2, d), jnp.ones(2, d))
    c.binary("numpy.heaviside", derivative=False)
    c.binary("numpy.divmod", ["int8", "int32", "uint8", "float32", "bfloat16", "bool"] if not c.x64 else ["int64", "uint64", "float64"], derivative=False)
    c.call("numpy.ldexp", 2, 3), c.call("numpy.ldexp", 2.0, 3), c.call("numpy.ldexp", 1j, 3), c.call("numpy.ldexp", True, True)
    c.call("numpy.ldexp", ramp("float32", (2, 3)), jnp.array([1, 2, 3])), c.call("numpy.ldexp", ramp("float32", (2, 3)), jnp.array([1, 2]))


def integers(c):
    pairs = [(0, 0), (0, 5), (12, 18), (-12, 18), (-7, -21), (100, 75), (1, 1), (6, 0), (13, 5), (5, 13)]
    for d in [d for d in c.dtypes if "int" in d]:
        sign = -1 if d.startswith("i") else 1
        x, y = (jnp.array([abs(p[i]) * (sign if p[i] < 0 else 1) for p in pairs], d) for i in (0, 1))
        for name in ("numpy.gcd", "numpy.lcm"):
            c.call(name, x, y)
            c.call(name, x, 12)
            c.call(name, 18, y)
            c.call(name, x[:, None], y[:4])
            c.call(name, jnp.asarray(12, d), jnp.zeros((0,), d))
        c.call("numpy.bitwise_left_shift", x, y % 5)
        c.call("numpy.bitwise_right_shift", x, y % 5)
        c.call("numpy.bitwise_left_shift", x, 1)
        c.call("numpy.bitwise_right_shift", x, 70)
        c.call("numpy.pow", x, 3)
        c.call("numpy.pow", x, y % 7)
    for name in ("numpy.gcd", "numpy.lcm"):
        for args in ((1.0, 2), (True, 3), (True, True), (12, 18), (1j, 2), (jnp.int8(12), jnp.uint8(200)), (jnp.uint32(7), jnp.int32(-14)),
                     (None, 1), (jnp.arange(3), jnp.arange(2)), (jnp.arange(3), jnp.ones(3))):
            c.call(name, *args)
    if not c.x64:
        # JAX loops for ever on the smallest integer.
        low = jnp.int8(-128)
        c.expect(jnp.int8(-128), "numpy.gcd", low, low)
        c.expect(jnp.int8(-128), "numpy.gcd", low, jnp.int8(0))
        c.expect(jnp.int8(2), "numpy.gcd", low, jnp.int8(6))
    for args in ((1.5, 2), (jnp.ones(2), jnp.ones(2)), (jnp.arange(3), -1), (True, 1)):
        c.call("numpy.bitwise_left_shift", *args)
        c.call("numpy.bitwise_right_shift", *args)
    for args in ((2, -1), (2.0, -1), (jnp.int32(2), jnp.int32(-1)), (0, 0), (True, True), (2, 0.5), (-8.0, 1 / 3), (2, 1j), (jnp.int8(2), 2.0),
                 (jnp.float32(-2), jnp.int32(3)), (jnp.float16(3), 4), (jnp.bfloat16(2), jnp.int8(-2)), (jnp.ones(2), jnp.ones(3))):
        c.call("numpy.pow", *args)


def angles(c):
    for d in c.dtypes:
        c.call("numpy.angle", corner(d))
        c.call("numpy.angle", corner(d), deg=True)
        if "complex" not in d:  # JAX gives NaN
            c.call("numpy.atan2", corner(d), corner(d)[::-1])
            c.call("numpy.atan2", corner(d), 2)
    for d in c.inexact:
        c.vjp("numpy.angle", c.draw(d, (5,)), deg=True)
        if "complex" not in d:
            c.vjp("numpy.atan2", c.draw(d, (5,)), c.draw(d, (5,)), argnums=(0, 1))
    for x in (1, -1, 0.5, True, 1j, None, ramp("float32", (2, 3)), weak(ramp("float32", (3,)))):
        c.call("numpy.angle", x)
    for args in ((1, 2), (1.0, 2.0), (True, False), (ramp("float32", (2, 3)), ramp("float32", (3,))), (ramp("float32", (2,)), ramp("float32", (3,)))):
        c.call("numpy.atan2", *args)


def comparisons(c):
    f = "float64" if c.x64 else "float32"
    near = jnp.array([1, 1.00001, 1.1, np.nan, np.inf, -np.inf, 0, 1e-9], f)
    other = jnp.array([1.000001, 1, 1, np.nan, np.inf, np.inf, 1e-9, 0], f)
    for name in ("numpy.isclose", "numpy.allclose"):
        for d in c.dtypes:
            c.call(name, corner(d), corner(d))
            c.call(name, corner(d), corner(d)[::-1], equal_nan=True)
            c.call(name, ramp(d, (3,)), 1)
        for kw in ({}, {"equal_nan": True}, {"rtol": 0.2}, {"atol": 0.2}, {"rtol": 0.0, "atol": 0.0}, {"rtol": jnp.asarray(0.2, f)}, {"atol": jnp.full(8, 0.2, f)}):
            c.call(name, near, other, **kw)
        for args in ((1, 1.00001), (1, 1 + 1e-7), (np.nan, np.nan), (1j, 1), (True, 1), (ramp(f, (2, 3)), ramp(f, (3,))), (ramp(f, (2,)), ramp(f, (3,))), (jnp.zeros((0,)), 1.0), (None, 1)):
            c.call(name, *args)
        c.call(name, 1.0, 1.5, 1.0), c.call(name, 1.0, 1.5, 0.0, 1.0)
    for d in c.dtypes:
        for kw in ({}, {"equal_nan": True}):
            c.call("numpy.array_equal", corner(d), corner(d), **kw)
            c.call("numpy.array_equal", ramp(d, (2, 3)), ramp(d, (2, 3), 2), **kw)
        c.call("numpy.array_equiv", ramp(d, (2, 3)), ramp(d, (2, 3)))
        c.call("numpy.array_equiv", ramp(d, (3,)), ramp(d, (1,)))
    for args in ((1, 1), (1, 1.0), (1, jnp.ones(1)), (jnp.ones((2, 1)), jnp.ones(3)), (jnp.ones((0,)), jnp.ones((0,))), (True, 1), (1j, 1)):
        c.call("numpy.array_equal", *args)
        c.call("numpy.array_equiv", *args)
    c.expect(jnp.asarray(False), "numpy.array_equiv", jnp.ones(2), jnp.ones(3))  # JAX: TypeError, but False for other ranks
    for x in (1, 1.5, 1j, True, jnp.ones(()), jnp.ones(1), jnp.ones((2, 2)), jnp.int8(3), None, "a"):
        c.call("numpy.isscalar", x)
    for d in c.dtypes:
        c.call("numpy.isscalar", ramp(d, ()))
        c.call("numpy.isscalar", ramp(d, (1,)))


def choices(c):
    for d in c.dtypes:
        for args in ((), (0,), (None, 2), (0, 2), (1, 0), (0.5,), (jnp.asarray(1, d), jnp.asarray(2, d))):
            c.call("numpy.clip", corner(d), *args)
        if d in c.inexact and "complex" not in d:
            c.vjp("numpy.clip", jnp.array([-1, 0, 0.5, 1, 2], d), 0, 1)
            c.vjp("numpy.clip", jnp.array([-1, 0, 0.5, 1, 2], d), jnp.asarray(0, d), jnp.asarray(1, d), argnums=(0, 1, 2))
    for args in ((True, 0, 1), (5, 0, 1), (2.5, 3), (jnp.ones((2, 1)), jnp.array([0.0, 2.0, 3.0])), (jnp.ones(2), jnp.ones(3)), (1j, 0, 1), (1.0, 1j), (None, 1)):
        c.call("numpy.clip", *args)
    c.call("numpy.clip", jnp.arange(5), min=1), c.call("numpy.clip", jnp.arange(5), max=3), c.call("numpy.clip", jnp.int8(100), -1000, 1000)


def cases(c):
    digits(c), integers(c), angles(c), comparisons(c), choices(c)
