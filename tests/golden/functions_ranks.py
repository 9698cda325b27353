"""Calls of scipy.stats' ranks, modes and standard errors: see functions.py."""
import jax.numpy as jnp
from functions import ramp

NAN = float("nan")


def cases(c):
    c.tolerance("scipy.stats.rankdata scipy.stats.mode", 0)
    c.tolerance("scipy.stats.sem", 4, 2)
    f = "float64" if c.x64 else "float32"
    n = jnp.array([[3, 1, 2], [NAN, 5, 4]], f)
    for d in c.dtypes:
        x = ramp(d, (3, 5))
        if "complex" not in d:
            for method in ("average", "min", "max", "dense", "ordinal"):
                c.call("scipy.stats.rankdata", x, method)
                c.call("scipy.stats.rankdata", x, method, axis=1)
            for axis in (0, 1, None):
                c.call("scipy.stats.mode", x, axis)
                c.call("scipy.stats.mode", x, axis, keepdims=True)
            if d != "bool":
                for axis in (0, -1, None):
                    c.call("scipy.stats.sem", x, axis)
                    c.call("scipy.stats.sem", x, axis, ddof=0, keepdims=True)
    for args, kw in (((n,), {}), ((n,), {"axis": 1}), ((n,), {"nan_policy": "omit"}), ((n,), {"nan_policy": "foo"}), ((n, "x"), {}),
                     ((ramp(f, (0,)),), {}), ((5.0,), {}), ((n,), {"axis": 2}), (([1],), {})):
        c.call("scipy.stats.rankdata", *args, **kw)
    for args, kw in (((n,), {}), ((n, 1), {}), ((n, None), {}), ((ramp(f, (0,)),), {}), ((ramp(f, (2, 0)), 1), {}), ((5,), {}), ((n, 2), {}),
                     ((n,), {"nan_policy": "omit"}), ((n,), {"nan_policy": "raise"}), ((jnp.array([NAN, NAN, 1], f),), {}), (([1],), {})):
        c.call("scipy.stats.mode", *args, **kw)
    for args, kw in (((n,), {}), ((n, 1), {}), ((n, None), {}), ((n,), {"nan_policy": "omit"}), ((n, 1), {"nan_policy": "omit", "keepdims": True}),
                     ((n, None), {"nan_policy": "omit"}), ((ramp(f, (0,)),), {}), ((n, 2), {}), ((n[0],), {"ddof": 0}), (([1],), {})):
        c.call("scipy.stats.sem", *args, **kw)
    c.vjp("scipy.stats.sem", c.draw(f, (3, 4)))
