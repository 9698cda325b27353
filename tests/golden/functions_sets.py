"""Calls of set functions, order statistics and histograms: see functions.py."""
import jax.numpy as jnp
import numpy as np
from functions import corner, ramp

NAN = float("nan")
ALL = {"return_index": True, "return_inverse": True, "return_counts": True}


def sets(c):
    two = "numpy.union1d numpy.intersect1d numpy.setdiff1d numpy.setxor1d".split()
    for d in c.dtypes:
        x, y = ramp(d, (12,)), ramp(d, (7,), 3)
        c.call("numpy.unique", x, **ALL)
        c.call("numpy.unique", x, size=4, **ALL)
        c.call("numpy.unique", x, size=14, **ALL)
        c.call("numpy.unique", x, size=14, fill_value=1, **ALL)
        c.call("numpy.unique", ramp(d, (6, 2), 11)[:, :1] * jnp.array([1, 1], d), axis=0, **ALL)
        c.call("numpy.unique", ramp(d, (2, 6)), axis=1, **ALL)
        c.call("numpy.unique", ramp(d, (2, 6)), **ALL)
        if "complex" not in d:
            c.call("numpy.unique", jnp.concatenate([corner(d), corner(d)]), **ALL)
        for name in ("numpy.unique_all", "numpy.unique_counts", "numpy.unique_inverse", "numpy.unique_values"):
            c.call(name, ramp(d, (3, 4)))
            c.call(name, ramp(d, (12,)), size=15, fill_value=0)
        for name in two:
            c.call(name, x, y)
            c.call(name, x, y, size=9)
            c.call(name, x, y, size=2)
            c.call(name, x, y, size=9, fill_value=1)
        for kw in ({"size": 0}, {"size": 0, "fill_value": 1}, {"size": 9, "fill_value": NAN}):
            for name in two:
                if kw["size"] == 0 and (name == "numpy.setdiff1d" or name != "numpy.union1d" and len(kw) == 1):
                    c.expect(jnp.zeros(0, d), name, x, y, **kw)  # JAX takes the first of no elements
                else:
                    c.call(name, x, y, **kw)
            c.call("numpy.unique", x, **kw)
            c.call("numpy.unique_values", x, **kw)
        if d in c.inexact:
            nan = jnp.array([1, NAN, 2, NAN, 1], d)
            for name in two:
                if name == "numpy.setxor1d" and "complex" in d:  # filled with the least, NaN as for floats; JAX gives 0
                    c.expect(jnp.array([1, NAN, NAN, NAN, NAN, NAN], d), name, nan, jnp.array([NAN, 2], d), size=6)
                else:
                    c.call(name, nan, jnp.array([NAN, 2], d), size=6)
                c.call(name, nan, jnp.array([NAN, 2], d), size=6, fill_value=5)
                if name in ("numpy.intersect1d", "numpy.setxor1d"):
                    c.expect(jnp.zeros(0, d), name, x[:0], nan, size=0)
                else:
                    c.call(name, x[:0], nan, size=0)
            c.call("numpy.unique", nan, size=6, **ALL)
            c.call("numpy.unique", nan, size=0, **ALL)
        c.call("numpy.intersect1d", x, y, return_indices=True)
        c.call("numpy.intersect1d", x, y, return_indices=True, size=9)
        c.call("numpy.setdiff1d", x, y, assume_unique=True)
        c.call("numpy.isin", ramp(d, (3, 4)), y)
        c.call("numpy.isin", ramp(d, (3, 4)), y[:2], invert=True)
        for method in ("compare_all", "binary_search", "sort"):
            c.call("numpy.isin", x, corner(d), method=method)
    f = "float64" if c.x64 else "float32"
    n, z = jnp.array([NAN, 1, NAN, 1], f), ramp(f, (0,))
    c.call("numpy.unique", n, **ALL)
    c.call("numpy.unique", n, equal_nan=False, **ALL)
    for args, kw in (((z,), ALL), ((z,), {"size": 2}), ((z,), {"size": 2, "fill_value": 3}), ((ramp(f, (0, 2)),), {"axis": 0, **ALL}),
                     ((ramp(f, (2, 0)),), {"axis": 0, **ALL}), ((5,), ALL), ((n,), {"axis": 1}), 
                     ((n,), {"size": -1}), ((n,), {"size": 0}), ((n,), {"sorted": False}), ((n,), {"fill_value": 3}), ((n,), {"size": 2.0}),
                     ((jnp.array([0.0, -0.0, -0.0], f),), {"return_index": True}), (([1, 2],), {}), ((None,), {}),
                     ((ramp("int32", (4,)),), {"size": 6, "fill_value": 2.7}), ((ramp(f, (2, 3, 2)),), {"axis": 1, **ALL}),
                     ((ramp(f, ()),), {"axis": 0})):
        c.call("numpy.unique", *args, **kw)
    for name in ("numpy.unique_all", "numpy.unique_counts", "numpy.unique_inverse", "numpy.unique_values"):
        for v in (n, z, 3, True, [1]):
            c.call(name, v)
    for name in two:
        c.call(name, jnp.arange(3), jnp.arange(1, 5), size=6, fill_value=1.5)
        c.call(name, n, jnp.array([2, NAN], f), size=6)
        for args in ((n, n), (z, n), (n, z), (z, z), (n, 1), (1, 2), (ramp("int32", (4,)), ramp(f, (3,))), (ramp(f, (2, 2)), ramp("bool", (2, 1))),
                     ([1], n)):
            c.call(name, *args)
            if np.size(args[0]):
                c.call(name, *args, size=3)
    for args, kw in (((n, n), {}), ((n, z), {}), ((z, n), {}), ((5, n), {}), ((n, 1), {}), ((n, n), {"method": "no"}),
                     ((ramp("int32", (4,)), jnp.array([1.5, 3.0])), {}), ((n, n), {"assume_unique": True}), (([1], n), {})):
        c.call("numpy.isin", *args, **kw)


def quantiles(c):
    names = ("quantile", "percentile", "nanquantile", "nanpercentile")
    c.tolerance(" ".join("numpy." + n for n in names + ("median", "nanmedian")), 4, 4)
    methods = ("linear", "lower", "higher", "midpoint", "nearest", "inverted_cdf")
    for d in c.dtypes:
        for name in names:
            unit = 100.0 if "percentile" in name else 1.0
            x = ramp(d, (3, 5))
            for method in methods:
                answer = getattr(jnp, name)(x, 0.3 * unit, 1).dtype if "complex" not in d else None
                if method == "inverted_cdf" and answer not in (None, jnp.float64 if c.x64 else jnp.float32):  # JAX multiplies q's dtype by a's
                    q = jnp.asarray(0.3 * unit, answer)
                    c.expect(getattr(jnp, name)(x, q, 1, method=method), "numpy." + name, x, 0.3 * unit, 1, method=method)
                else:
                    c.call("numpy." + name, x, 0.3 * unit, 1, method=method)
            c.call("numpy." + name, x, jnp.array([0.1, 0.5, 0.8]) * unit)
            c.call("numpy." + name, x, jnp.array([0.25, 0.8]) * unit, (0, 1), keepdims=True)
            c.call("numpy." + name, x, 0.75 * unit, 0, keepdims=True)
            if "float" in d:
                c.vjp("numpy." + name, c.draw(d, (3, 5)), 0.3 * unit, 1)
                c.call("numpy." + name, corner(d)[:-3], 0.4 * unit)
                c.call("numpy." + name, jnp.array([[1, NAN, 3, 2], [NAN] * 4, [4, 1, 2, 3]], d), jnp.array([0.3, 0.9]) * unit, 1)
        for name in ("numpy.median", "numpy.nanmedian"):
            for axis in (None, 0, (0, 1), -1):
                c.call(name, ramp(d, (3, 4)), axis)
            c.call(name, ramp(d, (3, 5)), 1, keepdims=True)
            c.call(name, ramp(d, ()))
            if "float" in d:
                c.call(name, jnp.array([[1, NAN, 3, 2], [NAN] * 4, [4, 1, 2, 3]], d), 1)
                c.vjp(name, c.draw(d, (3, 4)), 1)
    f = "float64" if c.x64 else "float32"
    x, w = ramp(f, (3, 5)), jnp.array([1, 2, 0.5, 0, 3], f)
    for name in names:
        unit = 100.0 if "percentile" in name else 1.0
        name = "numpy." + name
        for args, kw in (((x[0], 0.5 * unit), {"weights": w, "method": "inverted_cdf"}), ((x, 0.5 * unit), {"weights": w}),
                         ((x, 0.3 * unit, 1), {"weights": w, "method": "inverted_cdf"}),
                         ((x, jnp.array([0.1, 0.6]) * unit, 1), {"weights": w, "method": "inverted_cdf", "keepdims": True}),
                         ((x, 0.5 * unit), {"weights": w, "method": "inverted_cdf"}),
                         ((x, 0.5 * unit, 1), {"weights": w[:2], "method": "inverted_cdf"}),
                         ((x[0], 0.5 * unit), {"weights": -w, "method": "inverted_cdf"}),
                         ((x[0], 0.5 * unit), {"weights": 0 * w, "method": "inverted_cdf"}),
                         ((x, 0.5 * unit), {"method": "bogus"}), ((x, 0.5 * unit), {"overwrite_input": True}), ((x, 0.5 * unit, 2), {}),
                         ((x, 0.5 * unit, (0, 0)), {}), ((x, 0.5 * unit, ()), {}), ((x, 1.5 * unit), {}), ((x, -0.2 * unit), {}),
                         ((x, NAN), {}), ((x, jnp.zeros((2, 2))), {}), ((x, 0.5j), {}), ((ramp(f, (0,)), 0.5), {}),
                         ((ramp(f, (0, 3)), 0.5, 0), {}), ((3.0, 0.5 * unit), {}), ((ramp("complex64", (3,)), 0.5 * unit), {}),
                         (([1.0], 0.5), {}), ((jnp.array([np.inf, np.inf, 1], f), 0.75 * unit), {}), ((x[:, :0], jnp.zeros(0)), {}),
                         ((x, jnp.zeros((0,), f)), {}), ((jnp.array([np.inf, 2, 1], f), 0.5 * unit), {})):
            c.call(name, *args, **kw)
    c.call("numpy.quantile", x, 1)
    c.call("numpy.percentile", ramp("int32", (5,)), 30)
    c.call("numpy.percentile", x, jnp.array([30, 40]))
    for name in ("numpy.median", "numpy.nanmedian"):
        for args in ((ramp(f, (0,)),), (3.0,), (x, 2), (x, (0, 0)), ([1.0],), (True,), (jnp.array([np.inf, 1], f),)):
            c.call(name, *args)
        c.call(name, x, overwrite_input=True)


def histograms(c):
    names = "numpy.histogram numpy.histogram_bin_edges numpy.histogram2d numpy.histogramdd numpy.bincount"
    c.tolerance(names, 4, 2)
    for d in c.dtypes:
        x = ramp(d, (40,))
        if "16" not in d and "complex" not in d:  # coarse edges make what is a tie depend on how they are computed
            for kw in ({"range": (-4.35, 6.2)}, {"bins": 3}, {"bins": jnp.array([0.0, 1, 2.5])}, {"bins": 4, "range": (-1, 2)}, {"bins": 3, "density": True},
                       {"bins": 3, "weights": ramp(d, (40,), 2)}):
                c.call("numpy.histogram", x, **kw)
            c.call("numpy.histogram_bin_edges", x, 4)
            c.call("numpy.histogram_bin_edges", x, 4, (0, 2))
            c.call("numpy.histogram2d", x, ramp(d, (40,), 2), bins=3)
            c.call("numpy.histogramdd", ramp(d, (20, 3)), bins=(2, 3, 2))
        if "int" in d or d == "bool":
            c.call("numpy.bincount", jnp.abs(x) if d != "bool" else x)
            c.call("numpy.bincount", x, length=4)
            c.call("numpy.bincount", x, length=5, weights=ramp("float32", (40,)))
            c.call("numpy.bincount", x, minlength=9)
    f = "float64" if c.x64 else "float32"
    y, i = jnp.array([3, 1, 2, 1, 3], f), jnp.array([3, 1, 2, 1, 3])
    for args, kw in (((jnp.ones(3, f), 2), {}), ((ramp(f, (0,)), 2), {}), ((ramp(f, (2, 3)), 2), {}), ((y, 0), {}), ((y, -1), {}), ((y, 2.5), {}),
                     ((y,), {"weights": jnp.ones(3)}), ((5.0,), {}), ((y, jnp.ones((2, 2))), {}), ((i, 2), {"weights": i}),
                     ((jnp.array([1, NAN], f), 2), {}), ((y, 3, (2, 2)), {}), ((y, 3), {"density": False}), ((ramp(f, (0,)), 2, (0, 1)), {})):
        c.call("numpy.histogram", *args, **kw)
    for args in ((y, 3, (2, 2)), (y, jnp.array([1, 2])), (y, "auto"), (y, jnp.ones((2, 2))), (i, 3), (True,), (y, 1), (y, 7)):
        c.call("numpy.histogram_bin_edges", *args)
    e = jnp.array([0, 2, 4], f)
    for args, kw in (((y, i), {"bins": (2, 3)}), ((y, i), {"bins": [e, 2], "range": [(0, 4), (0, 4)]}), ((y, y), {"bins": e}),
                     ((y, y), {"bins": 2, "density": True, "weights": i}), ((y, y[:2]), {}), ((y, y), {"bins": [1, 2, 3]}), ((y, y), {})):
        c.call("numpy.histogram2d", *args, **kw)
    x = jnp.arange(8, dtype=f).reshape(4, 2)
    for args, kw in (((x,), {"bins": 2, "density": True}), ((x,), {"bins": (2, 3, 4)}), ((x,), {"bins": 2, "range": ((0, 1),)}), ((y,), {"bins": 2}),
                     ((x,), {"bins": 2, "range": ((0, 4), None)}), ((x,), {"bins": [e, 3], "weights": jnp.array([1.0, 2, 3, 4])})):
        c.call("numpy.histogramdd", *args, **kw)
    for args, kw in (((jnp.array([-1, 1, 7]),), {"length": 4}), ((y,), {}), ((jnp.zeros((2, 2), int),), {}), ((i,), {"length": 0}),
                     ((i, i), {}), ((i, jnp.ones(3)), {}), ((jnp.zeros(0, int),), {}), ((i,), {"minlength": -1}), ((jnp.array([-3, 1]),), {}), ((5,), {}),
                     ((i, y.astype(jnp.bfloat16)), {})):
        c.call("numpy.bincount", *args, **kw)


def cases(c):
    sets(c)
    quantiles(c)
    histograms(c)
