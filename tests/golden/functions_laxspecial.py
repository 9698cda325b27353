"""Calls of lax's special functions: see functions.py. Their accuracy is tested against mpmath elsewhere."""
import jax.numpy as jnp
import numpy as np
import scipy.special

SPECIAL = [0.0, -0.0, 0.25, 1, 2.5, 7, 30.5, np.inf, np.nan]
CORNERS = {"zeros": [0, -0.0, 1, 2], "nan": [np.nan] * 4, "inf": [np.inf] * 4, "negative": [-1, -1.5, -2, 3]}
# Where JAX has NaN and there is a limit: in which operand.
LIMITS = {"lax.igamma": {"zeros": [0], "inf": [0]}, "lax.igammac": {"inf": [0]}, "lax.igamma_grad_a": {"inf": [0, 1]},
          "lax.zeta": {"zeros": [1], "inf": [0, 1], "negative": [1]}, "lax.polygamma": {"inf": [1]}}


def zeta(x, q):
    return np.where(np.isinf(x), np.where(q > 1, 0, np.where(q == 1, 1, np.inf)), scipy.special.zeta(x, q))


def corner(c, kind, name, x, y, operand):
    if operand not in LIMITS.get(name, {}).get(kind, []):
        c.call(name, x, y)
    elif name in ("lax.igamma_grad_a", "lax.polygamma"):
        c.expect(jnp.array([np.nan, -0.0, np.nan, 0] if name == "lax.polygamma" else [0, 0, 0, 0], x.dtype), name, x, y)
    else:
        f = {"lax.igamma": scipy.special.gammainc, "lax.igammac": scipy.special.gammaincc, "lax.zeta": zeta}[name]
        c.expect(jnp.array(f(np.float64(x), np.float64(y))).astype(x.dtype), name, x, y)


def cases(c):
    one, two = "erf erfc lgamma digamma bessel_i0e bessel_i1e".split(), "igamma igammac igamma_grad_a".split()
    for name in one + two + ["polygamma", "zeta", "betainc", "random_gamma_grad"]:
        c.tolerance("lax." + name, 500, 500)
    for d in c.floats:
        x, y = jnp.array(SPECIAL, d), jnp.array([0.5, 1, 1.5, 2, 3, 5, 8], d)
        for name in one:
            c.call("lax." + name, x)
            c.call("lax." + name, -y)
            c.vjp("lax." + name, y)
        for name in two:
            c.call("lax." + name, y, y[::-1])
            c.call("lax." + name, jnp.asarray(2.5, d), y)
        for name in two + ["zeta", "polygamma", "random_gamma_grad"]:
            for kind, v in CORNERS.items():
                corner(c, kind, "lax." + name, jnp.array(v, d), y[:4], 0)
                corner(c, kind, "lax." + name, y[:4] + 1, jnp.array(v, d), 1)
        c.call("lax.random_gamma_grad", y, y[::-1])
        c.call("lax.polygamma", jnp.array([0, 1, 2, 3, 1, 2, 1], d), y)
        c.call("lax.zeta", y + 1, y)
        c.call("lax.betainc", y, y[::-1], y / 10)
        for v in ([0, -0.0, 1, 2], [np.nan] * 4, [-1, -1.5, -2, 3]):
            c.call("lax.betainc", jnp.array(v, d), y[:4], y[:4] / 10)
            c.call("lax.betainc", y[:4], jnp.array(v, d), y[:4] / 10)
            c.call("lax.betainc", y[:4], y[1:5], jnp.array(v, d))
        for name in two[:2] + ["polygamma"]:
            c.vjp("lax." + name, jnp.array([2, 3, 1], d), jnp.array([0.7, 2, 4], d), argnums=1)
        c.vjp("lax.betainc", y[:3], y[1:4], y[:3] / 4, argnums=2)
    for name in one:
        c.call("lax." + name, 1.5), c.call("lax." + name, 1), c.call("lax." + name, jnp.ones(2, "int32")), c.call("lax." + name, 1j)
    for name in two:
        c.call("lax." + name, jnp.ones(2), jnp.ones(3)), c.call("lax." + name, 1, 2), c.call("lax." + name, jnp.ones(2), jnp.ones(2, "int32"))
    x = jnp.ones(2)
    for name in ("zeta", "polygamma", "random_gamma_grad"):
        if name == "random_gamma_grad":
            c.expect(TypeError, "lax." + name, x, jnp.ones(3))  # as of the other functions: JAX has ValueError
        else:
            c.call("lax." + name, x, jnp.ones(3))
        for args in ((x, jnp.ones(2, "int32")), (jnp.ones(2, "int32"),) * 2, (x, "a"), (x,), (x, x, x), (jnp.ones(2, "complex64"),) * 2, (jnp.ones((2, 1)), jnp.ones((1, 2))), (x, jnp.ones(2, "float16"))):
            c.call("lax." + name, *args)
    for args in ((x, x), (x, x, "a"), (x, x, jnp.ones(3)), (jnp.ones(2, "int32"),) * 3, (x, x, jnp.ones(2, "float16")), (jnp.ones(2, "complex64"),) * 3, (x, x, x, x)):
        c.call("lax.betainc", *args)
    for argnum in (0, 1):
        c.vjp("lax.betainc", x, x + 1, x / 4, argnums=argnum)
    for name in ("igamma", "igammac", "igamma_grad_a", "polygamma"):
        c.vjp("lax." + name, x, x + 1)
        c.vjp("lax." + name, x, x + 1, order=2)
