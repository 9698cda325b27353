"""Calls of lax's special functions: see functions.py. Their accuracy is tested against mpmath elsewhere."""
import jax.numpy as jnp
import numpy as np

SPECIAL = [0.0, -0.0, 0.25, 1, 2.5, 7, 30.5, np.inf, np.nan]


def cases(c):
    one, two = "erf erfc lgamma digamma bessel_i0e bessel_i1e".split(), "igamma igammac igamma_grad_a".split()
    for name in one + two + ["polygamma", "zeta", "betainc"]:
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
        c.call("lax.polygamma", jnp.array([0, 1, 2, 3, 1, 2, 1], d), y)
        c.call("lax.zeta", y + 1, y)
        c.call("lax.betainc", y, y[::-1], y / 10)
    for name in one:
        c.call("lax." + name, 1.5), c.call("lax." + name, 1), c.call("lax." + name, jnp.ones(2, "int32")), c.call("lax." + name, 1j)
    for name in two:
        c.call("lax." + name, jnp.ones(2), jnp.ones(3)), c.call("lax." + name, 1, 2), c.call("lax." + name, jnp.ones(2), jnp.ones(2, "int32"))
