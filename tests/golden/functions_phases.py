"""Calls of numpy.unwrap, i0 and kaiser: see functions.py."""
import jax.numpy as jnp
import numpy as np
from functions import ramp


def cases(c):
    c.tolerance("numpy.i0 numpy.kaiser", 8, 2)
    c.tolerance("numpy.unwrap", 8, 16)
    for d in c.floats:
        x = jnp.array([0, 3, -3, 6, 1, np.pi, -np.pi, 12.5, -7], d)
        c.call("numpy.unwrap", x)
        c.call("numpy.unwrap", x, period=4)
        c.call("numpy.unwrap", x, discont=5.0)
        c.call("numpy.unwrap", ramp(d, (3, 4)), axis=0, period=2.5)
        c.call("numpy.unwrap", jnp.zeros((2, 0), d))
        c.vjp("numpy.unwrap", jnp.array([0.5, 3, -3, 6], d))
        c.call("numpy.i0", jnp.array([0.0, -0.0, 0.5, -3, 20, -50, np.inf, -np.inf, np.nan], d))
        c.vjp("numpy.i0", jnp.array([0.5, -3, 2], d))
    for d in ("int64", "int32") if c.x64 else ("int32", "int8"):
        c.call("numpy.unwrap", jnp.array([0, 3, -3, 6, 1], d), period=4)
        # JAX takes the other end of the interval also where the period is odd, and the ends are no multiple apart; NumPy's values.
        c.expect(jnp.array([0, -2, -3, -4, -4], d), "numpy.unwrap", jnp.array([0, 3, -3, 6, 1], d), period=5)
        c.call("numpy.unwrap", jnp.array([0, 3, -3, 6, 1], d))
        c.call("numpy.i0", jnp.array([0, 1, 3], d))
    c.call("numpy.unwrap", 1.5), c.call("numpy.unwrap", jnp.ones(3), axis=1), c.call("numpy.unwrap", jnp.ones(3, "complex64"))
    c.call("numpy.i0", 3), c.call("numpy.i0", 2.5), c.call("numpy.i0", 1j), c.call("numpy.i0", True)
    for n in (-1, 0, 1, 2, 5, 12):
        for beta in (0, 2.0, 14, -3.5):
            c.call("numpy.kaiser", n, beta)
