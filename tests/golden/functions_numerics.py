"""Calls of numpy's differences, integrals, convolutions and polynomials: see functions.py."""
import jax.numpy as jnp
import numpy as np
from functions import corner, ramp, weak


def cases(c):
    c.tolerance("numpy.convolve numpy.correlate", 8, 32)
    c.tolerance("numpy.polymul numpy.poly", 8, 8)
    c.tolerance("numpy.polydiv numpy.gradient numpy.trapezoid numpy.polyval numpy.polyint", 8, 8)
    c.eager("numpy.polydiv", "its trimming depends on values; without it jit fuses nothing")
    d = "float64" if c.x64 else "float32"
    some = ["int64", "float64", "complex128"] if c.x64 else ["bool", "int8", "uint8", "bfloat16", "float16", "float32", "complex64"]
    c.without("numpy.polyfit numpy.roots", "they wait for linear algebra")
    differences(c, d, some)
    integrals(c, d, some)
    convolutions(c, d, some)
    polynomials(c, d, some)
    interpolations(c, d)


def differences(c, d, some):
    x = ramp(d, (2, 3))
    for t in some:
        c.call("numpy.diff", corner(t))
        c.call("numpy.diff", ramp(t, (2, 4)), 2, 0)
        c.call("numpy.diff", ramp(t, (2, 4)), 2)
        c.call("numpy.diff", ramp(t, (2, 4)), prepend=1, append=ramp(t, (2, 2)))
        c.call("numpy.ediff1d", corner(t))
        c.call("numpy.ediff1d", ramp(t, (2, 4)), ramp(t, (2,)), 2.5)
        c.call("numpy.gradient", ramp(t, (2, 4)))
        c.call("numpy.gradient", ramp(t, (5,)), 2)
    for args in ((0,), (1,), (3,), (7,), (-1,), (1, 0), (1, 2), (1, -2), (1, -3)):
        c.call("numpy.diff", x, *args)
    c.call("numpy.diff", 3.0)
    c.call("numpy.diff", ramp(d, (0,)))
    for kwargs in ({"prepend": 0.5}, {"append": 2}, {"prepend": x[:, :1], "append": x}, {"prepend": x.T}, {"prepend": x[0]}, {"append": weak(x)}):
        c.call("numpy.diff", x, **kwargs)
        c.call("numpy.diff", ramp("int32", (2, 3)), **kwargs)
    c.call("numpy.ediff1d", 1.0)
    c.call("numpy.ediff1d", ramp(d, (1,)))
    c.call("numpy.ediff1d", ramp(d, (0,)), to_begin=1)
    for kwargs in ({"to_end": 2}, {"to_begin": x}, {"to_end": x, "to_begin": x[0]}):
        c.call("numpy.ediff1d", ramp("int32", (3,)), **kwargs)
        c.call("numpy.ediff1d", x, **kwargs)
    u = jnp.array([0, 1, 3, 7], d)
    y = ramp(d, (4, 3))
    for args, kwargs in (((y,), {}), ((y, 2), {}), ((y, 2, 0.5), {}), ((y, u, 0.5), {}), ((y,), {"axis": 0}), ((y,), {"axis": -1}), ((y, u), {"axis": 0}), ((y,), {"axis": (0, 1)}),
                         ((y,), {"axis": (1, 0)}), ((y, u, u[:3]), {}), ((y, u[:3], u), {"axis": (1, 0)}), ((y, u), {}), ((y, 1, 2, 3), {}), ((y, y), {"axis": 0}), ((y,), {"axis": 2}), ((y,), {"edge_order": 2}),
                         ((y[:1],), {}), ((y[0, 0],), {}), ((y[:2, :2],), {}), ((u,), {}), ((u, u), {}), ((ramp("int8", (5,)),), {}), ((y, jnp.array(2)), {}), ((y,), {"axis": (0, 0)}), ((weak(u),), {})):
        c.call("numpy.gradient", *args, **kwargs)
    for order in (1, 2):
        c.vjp("numpy.diff", c.draw(d, (5,)), 2, order=order)
        c.vjp("numpy.gradient", c.draw(d, (4, 3)), order=order)
        c.vjp("numpy.gradient", c.draw(d, (4,)), u, argnums=(0, 1), order=order)
    c.vjp("numpy.ediff1d", c.draw(d, (4,)))


def integrals(c, d, some):
    for t in some:
        c.call("numpy.trapezoid", ramp(t, (2, 4)))
        c.call("numpy.trapezoid", ramp(t, (2, 4)), dx=2, axis=0)
        c.call("numpy.trapezoid", ramp(t, (2, 4)), ramp(t, (4,), 2))
    y = ramp(d, (2, 4))
    for args, kwargs in (((y, y), {}), ((y, y), {"axis": 0}), ((y, y[0]), {}), ((y, y[:, 0]), {"axis": 0}), ((y, y[0]), {"axis": 0}), ((y,), {"dx": 0.5}), ((y,), {"axis": 2}), ((y, y[0], 3), {}), ((y[0, 0],), {}),
                         ((y[:, :1],), {}), ((y[:, :0],), {}), ((y, y[:1]), {}), ((y[0],), {}), ((y[0], y[0]), {}), ((y,), {"dx": jnp.array([1.0, 2, 3])}), ((ramp("int8", (4,)), ramp(d, (4,))), {}), ((y[:0],), {}), ((y, y[0, :2]), {})):
        c.call("numpy.trapezoid", *args, **kwargs)
    for order in (1, 2):
        c.vjp("numpy.trapezoid", c.draw(d, (2, 4)), order=order)
        c.vjp("numpy.trapezoid", c.draw(d, (2, 4)), c.draw(d, (4,)), argnums=(0, 1), order=order)


def convolutions(c, d, some):
    for name in ("numpy.convolve", "numpy.correlate"):
        for t in some:
            for mode in ("full", "same", "valid"):
                c.call(name, ramp(t, (5,)), ramp(t, (3,), 2), mode)
                c.call(name, ramp(t, (2,)), ramp(t, (4,), 2), mode)
        for a, b in ((1, 1), (4, 4), (30, 12), (12, 30), (9, 9), (40, 1)):
            for mode in ("full", "same", "valid"):
                c.call(name, ramp(d, (a,)), ramp(d, (b,), 2), mode)
        x = ramp(d, (4,))
        for args in ((x, x, "foo"), (x[:0], x), (2.0, x), (x[None], x), (x, ramp("int32", (3,))), (x, ramp("complex64", (3,))), (weak(x), weak(x))):
            c.call(name, *args)
        for t, p in (("float16", d), ("int8", "int32"), (d, "float16"), (d, "complex64"), ("int32", d)):
            c.call(name, ramp(t, (5,)), ramp(t, (3,), 2), preferred_element_type=p)
        for mode in ("full", "same", "valid"):
            c.vjp(name, c.draw(d, (5,)), c.draw(d, (3,)), mode, argnums=(0, 1))
            c.vjp(name, c.draw(d, (14,)), c.draw(d, (12,)), mode, argnums=(0, 1))
        c.vjp(name, c.draw(d, (2,)), c.draw(d, (3,)), argnums=(0, 1), order=2)
        c.vjp(name, c.draw("complex64", (4,)), c.draw("complex64", (3,)), argnums=(0, 1))


def polynomials(c, d, some):
    for t in some:
        p, q = ramp(t, (4,)), ramp(t, (2,), 2)
        for name in ("numpy.polyadd", "numpy.polysub", "numpy.polymul"):
            c.call(name, p, q)
            c.call(name, q, p)
        c.call("numpy.polydiv", p, ramp(t, (2,), 7))
        c.call("numpy.polyval", p, q)
        c.call("numpy.polyval", p, 2)
        c.call("numpy.polyder", p)
        c.call("numpy.polyint", p)
        c.call("numpy.polyint", p, 2, k=q)
        c.call("numpy.poly", p)
    x = ramp(d, (2, 3))
    p = jnp.array([2, -1, 3, 0.5], d)
    for args in ((p, x), (p[:0], x), (p[0], x), (x, p[:3]), (x, x), (p, np.inf), (p, np.nan), (p[:1], np.inf), (ramp("int32", (3,)), ramp("int32", (2,))), (p, 1 + 2j), (x, p[:2]), (p, jnp.array(2))):
        c.call("numpy.polyval", *args)
    c.call("numpy.polyval", p, x, unroll=2)
    for name in ("numpy.polyadd", "numpy.polysub"):
        for args in ((p, 2.0), (2, p), (x, x), (p, p), (p, ramp("int32", (2,))), (p, ramp("bool", (2,))), (weak(p), 0 * p[:1]), (x, x[:1])):
            c.call(name, *args)
        c.vjp(name, c.draw(d, (4,)), c.draw(d, (2,)), argnums=(0, 1))
    c.expect(p, "numpy.polyadd", p, p[:0])  # JAX cannot add nothing
    z = jnp.array([0, 0, 2, 3], d)
    for args in ((p, 2.0), (p, p[:0]), (p[:0], p[:0]), (x, x), (p, z), (z, z)):
        c.call("numpy.polymul", *args)
    c.call("numpy.polymul", z, z, trim_leading_zeros=True)
    for u, v in ((p, p), (p, p[:1]), (p[:2], p), (p, p[:0]), (p, z[2:]), (p, z[:1]), (x, x), (z, p[:2])):
        c.call("numpy.polydiv", u, v)
    for u, v in ((jnp.array([1, 3, 2], d), jnp.array([1, 1], d)), (jnp.array([2, 4, 7], d), jnp.array([2, 2], d))):
        c.call("numpy.polydiv", u, v, trim_leading_zeros=True)
    for m in (0, 1, 2, 3, 4, 6, -1):
        c.call("numpy.polyder", p, m)
        c.call("numpy.polyint", p, m)
    for name in ("numpy.polyder", "numpy.polyint"):
        for a in (2.0, p[:0], p[:1], weak(p)):
            c.call(name, a)
    for m, k in ((2, 3), (2, p[:1]), (2, p[:2]), (2, p[:3]), (1, 2), (1, p[:1]), (0, 1), (3, ramp("int32", (3,)))):
        c.call("numpy.polyint", p, m, k)
    for a in (2.0, p[:0], p[:1], p, x, jnp.ones((2, 2, 2)), weak(p), jnp.zeros((0, 0))):
        c.call("numpy.poly", a)
    c.expect(NotImplementedError, "numpy.poly", jnp.eye(2, dtype=d))  # needs linear algebra
    for order in (1, 2):
        c.vjp("numpy.polyval", c.draw(d, (4,)), c.draw(d, (2,)), argnums=(0, 1), order=order)
        c.vjp("numpy.polymul", c.draw(d, (3,)), c.draw(d, (2,)), argnums=(0, 1), order=order)
    c.vjp("numpy.polydiv", c.draw(d, (4,)), c.draw(d, (2,)), argnums=(0, 1))
    c.vjp("numpy.poly", c.draw(d, (3,)))
    c.vjp("numpy.polyder", c.draw(d, (4,)))
    c.vjp("numpy.polyint", c.draw(d, (4,)))


def interpolations(c, d):
    c.tolerance("numpy.interp", 8, 8)
    x = jnp.array([0, 1, 1.5, 3, 4, 5, np.nan, np.inf, -np.inf], d)
    xp, fp = jnp.array([1, 2, 4], d), jnp.array([10, 20, 40], d)
    for kwargs in ({}, {"left": -1}, {"right": 2.5}, {"left": -1, "right": -2}, {"left": "extrapolate"}, {"right": "extrapolate"}, {"left": "extrapolate", "right": "extrapolate"}, {"left": "foo"},
                   {"left": jnp.array(7)}):
        c.call("numpy.interp", x, xp, fp, **kwargs)
    r = jnp.array([0, 1, 3])
    for args in ((r, jnp.array([0, 2, 4]), jnp.array([1, 5, 8])), (r, xp, fp), (x, xp, fp * 1j), (x, jnp.array([0, 2, 2, 4], d), jnp.array([1, 5, 7, 8], d)), (x, xp, fp[:2]), (x, fp[None], fp[None]),
                 (1.5, xp, fp), (1.5, xp[:0], fp[:0]), (x, xp[:1], fp[:1]), (x[:6].reshape(2, 3), xp, fp), (x * 1j, xp, fp), (x.astype("float16"), xp.astype("float16"), fp.astype("float16")), (2, 3, 4)):
        c.call("numpy.interp", *args)
    for order in (1, 2):
        c.vjp("numpy.interp", jnp.array([0.2, 1.3, 2.7, 3.1, 6], d), xp, fp, argnums=(0, 1, 2), order=order)
    c.call("numpy.interp", x, xp, fp, period=3)
