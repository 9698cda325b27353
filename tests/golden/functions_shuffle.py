"""Calls of jax.random's permutation, choice and categorical: see functions.py."""
import jax
import jax.numpy as jnp
import numpy as np
from functions import ramp

KEY = jax.random.key(7)
RAW = jax.random.PRNGKey(7)


def cases(c):
    f = "float64" if c.x64 else "float32"
    for d in c.dtypes:
        c.call("random.permutation", KEY, ramp(d, (7,)))
        c.call("random.permutation", KEY, ramp(d, (3, 4)), 1)
        c.call("random.choice", KEY, ramp(d, (7,)), (3,))
        c.call("random.choice", KEY, ramp(d, (3, 4)), (2,), axis=1)
    for x in (5, 0, -3, 1, 1700, 3.5, True, jnp.int32(4), jnp.int8(3), jnp.zeros(0, f), jnp.zeros((0, 3), f), ramp(f, (2, 3)), ramp(f, (1,))):
        for key in (KEY, RAW):
            c.call("random.permutation", key, x)
        c.call("random.permutation", KEY, x, -1)
        c.call("random.permutation", KEY, x, 1)
        c.call("random.permutation", KEY, x, 0, True)
        c.call("random.permutation", KEY, x, independent=True, axis=-1)
        for shape in ((), (3,), (2, 2), (0,), (-1,)):
            c.call("random.choice", KEY, x, shape)
            empty = 0 in getattr(x, "shape", ()) or getattr(x, "ndim", 0) == 0 and x < 1
            if shape == (-1,) and not empty:  # JAX takes -1 from the end of a permutation
                c.expect(TypeError, "random.choice", KEY, x, shape, False)
            else:
                c.call("random.choice", KEY, x, shape, False)
        c.call("random.choice", KEY, x, (2,), True, None, 1)
        c.call("random.choice", KEY, x, (2,), False, None, -1)
    c.call("random.permutation", jax.random.split(KEY), 3)
    c.call("random.choice", jax.random.split(KEY), 3)
    p = jnp.array([0.1, 0.2, 0.3, 0.0, 0.4], f)
    for q in (p, jnp.ones(5, f), jnp.ones(4, f), jnp.ones((5, 1), f), jnp.array([1, 0, 2, 0, 1]), p.astype("float16"), p.astype("bfloat16"), p * 10):
        for shape in ((), (3,), (2, 2), (40,)):
            for replace in (True, False):
                c.call("random.choice", KEY, 5, shape, replace, q)
        c.call("random.choice", KEY, ramp(f, (5, 2)), (3,), True, q)
        c.call("random.choice", KEY, ramp(f, (2, 5)), (3,), False, q, 1)
        for mode in ("high", "low", "other"):
            c.call("random.choice", KEY, 5, (3,), False, q, mode=mode)
    for d in c.dtypes:
        c.call("random.categorical", KEY, ramp(d, (5,)))
    for logits in (ramp(f, (5,)), ramp(f, (3, 4)), jnp.zeros((1, 4), f), jnp.zeros((2, 3, 4), f), jnp.float32(1), jnp.zeros((3, 0), f),
                   jnp.array([-np.inf, 0, -np.inf], f), jnp.array([np.nan, 0, 1], f), jnp.array([np.inf, 0, 1], f)):
        for axis in (-1, 0, 1, 5):
            c.call("random.categorical", KEY, logits, axis)
            for mode in ("high", "low", "other"):
                c.call("random.categorical", KEY, logits, axis, mode=mode)
        for shape in ((), (3,), (2, 3), (5, 2, 3), (2,)):
            c.call("random.categorical", KEY, logits, -1, shape)
            if logits.shape != (1, 4):  # there JAX fails by an assertion
                c.call("random.categorical", KEY, logits, -1, shape, False)
        c.call("random.categorical", RAW, logits, 0, replace=False)
