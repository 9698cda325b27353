"""Calls of numpy's reductions: see functions.py."""
from functions import ramp


def cases(c):
    c.tolerance("numpy.sum numpy.mean numpy.prod", 4, 1)
    c.reduction("numpy.sum numpy.prod")
    for d in c.dtypes:
        for t in ("float32", "int32", "float16", "bool", "complex64"):
            for name in ("numpy.sum", "numpy.prod", "numpy.mean"):
                c.call(name, ramp(d, (2, 3)), 0, dtype=t)
