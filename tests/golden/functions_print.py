"""The text of arrays: see functions.py. JAX calls its own arrays ArrayImpl here; array_text.py has array_repr."""
import jax.numpy as jnp
from functions import corner, ramp


def cases(c):
    for d in c.dtypes:
        if d == "bfloat16":  # NumPy prints JAX's objects
            continue
        for options in ({}, {"precision": 2}, {"precision": 0}, {"max_line_width": 30}):
            c.call("numpy.array_str", corner(d), **options)
            c.call("numpy.array_str", ramp(d, (2, 3)), **options)
    for v in ([1e-8, 1.0], [1 / 3, 2e5], [1e10, 1.0], [0.1, 0.25, 1e-3], [1e-5, 2e-5]):
        for options in ({}, {"precision": 3}, {"precision": 1, "suppress_small": True}):
            c.call("numpy.array_str", jnp.array(v), **options)
    c.call("numpy.array_str", ramp("float32", (0, 3)))
    c.without("numpy.array_repr", "JAX writes ArrayImpl; array_text.py compares repr")
