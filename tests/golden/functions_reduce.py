"""Calls of numpy's reductions: see functions.py."""
import jax.numpy as jnp
import numpy as np
from functions import corner, ramp


def cases(c):
    c.tolerance("numpy.sum numpy.mean numpy.prod", 4, 1)
    c.tolerance("numpy.var numpy.std numpy.nanvar numpy.nanstd numpy.nanmean numpy.nansum numpy.nanprod numpy.average", 6, 2)
    c.tolerance("numpy.cov numpy.corrcoef", 16, 8)
    c.reduction("numpy.sum numpy.prod")
    some = ["int64", "float64", "complex128"] if c.x64 else ["bool", "int8", "uint8", "bfloat16", "float16", "float32", "complex64"]
    for d in c.dtypes:
        for t in ("float32", "int32", "float16", "bool", "complex64"):
            for name in ("numpy.sum", "numpy.prod", "numpy.mean"):
                c.call(name, ramp(d, (2, 3)), 0, dtype=t)
    c.reduction("numpy.mean numpy.var numpy.std", corners=False, dtypes=some)
    c.reduction("numpy.max numpy.min numpy.ptp", dtypes=some)
    c.reduction("numpy.all numpy.any numpy.count_nonzero numpy.amax numpy.amin", dtypes=some[-3:], derivative=False)
    c.reduction("numpy.nansum numpy.nanprod numpy.nanmax numpy.nanmin", dtypes=some)
    c.reduction("numpy.nanmean numpy.nanvar numpy.nanstd", dtypes=some, corners=False)
    d = "float64" if c.x64 else "float32"
    x = ramp("complex128" if c.x64 else "complex64", (2, 3, 2))  # 0-2j is not 0: JAX looks at the real part alone
    c.expect(jnp.bool_(True), "numpy.all", x)
    masks(c, d, some)
    moments(c, d, some)
    positions(c, d, some)
    traces(c, d, some)
    covariances(c, d)


def masks(c, d, some):
    where = jnp.array([[True, False, True], [False, False, True]])
    bounded = "numpy.max numpy.min numpy.nanmax numpy.nanmin".split()
    names = "numpy.sum numpy.prod numpy.mean numpy.var numpy.std numpy.all numpy.any numpy.nansum numpy.nanprod numpy.nanmean numpy.nanvar numpy.nanstd"
    for name in names.split() + bounded:
        more = {"initial": 1} if name in bounded else {}
        for t in some:
            c.call(name, ramp(t, (2, 3)), 0, where=where, **more)
            c.call(name, ramp(t, (2, 3)), where=where[:, :1], keepdims=True, **more)
        x = ramp(d, (2, 3))
        c.call(name, x, 1, where=where, **more)
        c.call(name, x, where=True, **more)
        c.call(name, x, where=where[0], **more)
        c.call(name, x, where=jnp.zeros((2, 3), bool), **more)
        c.call(name, x, 0, where=jnp.ones((2, 3)), **more)
        c.call(name, x, 0, where=jnp.ones((2, 4), bool), **more)
        c.call(name, x, out=x)
        c.vjp(name, c.draw(d, (2, 3)), 0, where=where, **more) if name not in ("numpy.all", "numpy.any") else None
        nan = x.at[0, 1].set(np.nan).at[1, 1].set(np.nan)
        for axis in (None, 0, 1):
            c.call(name, nan, axis)
            c.call(name, nan, axis, keepdims=True)
            c.call(name, x.at[0, 0].set(np.inf).at[1, 0].set(-np.inf), axis)
    for name in bounded:
        c.call(name, ramp(d, (2, 3)), where=where)
        c.call(name, ramp(d, (0, 3)), 0, initial=2)
    for name in ["numpy.sum", "numpy.prod", "numpy.nansum", "numpy.nanprod"] + bounded:
        for t in some:
            for initial in (2, 2.5, True):
                c.call(name, ramp(t, (2, 3)), 1, initial=initial)
        c.call(name, ramp("int32", (2, 3)), 1, initial=1 + 2j)
        c.call(name, ramp("int8", (2, 3)), 1, initial=300)
        c.call(name, ramp(d, (2, 3)), 1, initial=ramp(d, (3,)))
        c.call(name, ramp(d, (2, 3)), 1, initial=ramp("int32", ()))
    for t in c.dtypes:
        for name in ("numpy.sum", "numpy.prod"):
            c.call(name, ramp(t, (2, 3)), 0, promote_integers=False)
            c.call(name, corner(t), promote_integers=False)
    for name in ("numpy.max", "numpy.min"):  # ties share the cotangent
        c.vjp(name, jnp.array([[1, 2, 2], [2, 0, 2.0]]).astype(d))
        c.vjp(name, jnp.array([[1, 2, 2], [2, 0, 2.0]]).astype(d), 1)
        c.vjp(name, jnp.array([1, np.nan, 2.0]).astype(d))
    for name in ("numpy.sum", "numpy.mean", "numpy.var", "numpy.std", "numpy.max", "numpy.prod", "numpy.nanvar", "numpy.nanmean"):
        for order in (1, 2):
            c.vjp(name, c.draw(d, (2, 3)), 1, order=order)
            c.vjp(name, jnp.zeros((2, 3), d), 1, order=order)


def moments(c, d, some):
    x = ramp(d, (2, 3))
    for name in ("numpy.var", "numpy.std", "numpy.nanvar", "numpy.nanstd"):
        for t in some:
            for ddof in (1, 2, 0.5):
                c.call(name, ramp(t, (2, 3)), 1, ddof=ddof)
            for t2 in ("float32", "int32", "float16", "complex64", "bool"):
                c.call(name, ramp(t, (2, 3)), 0, dtype=t2)
        c.call(name, x, 0, mean=x[:1])
        c.call(name, x, 0, mean=2.0)
        c.call(name, x, 0, mean=x[0])
        c.call(name, ramp("int32", (2, 3)), 0, mean=x[:1])
        c.call(name, x, 0, ddof=ramp("int32", ()))
    for name in ("numpy.var", "numpy.std"):
        c.call(name, x, 1, correction=1)
        c.call(name, x, 1, correction=1.5, keepdims=True)
        c.call(name, x, 1, correction=1, ddof=1)
        c.call(name, x, 1, correction=1, ddof=0)
    for t in some:
        y = ramp(t, (2, 3))
        c.call("numpy.average", y)
        c.call("numpy.average", y, 0)
        c.call("numpy.average", y, 1, jnp.array([1, 2, 3]))
        c.call("numpy.average", y, 1, ramp(t, (3,), 2), True)
        c.call("numpy.average", y, 1, y, keepdims=True)
    for kwargs in ({"returned": True}, {"axis": 0, "returned": True}, {"axis": 0, "returned": True, "keepdims": True},
                   {"weights": x}, {"weights": x[0]}, {"weights": x[0], "axis": 1, "keepdims": True}, {"weights": x[:, 0], "axis": 0},
                   {"weights": x[:, 0], "axis": 1}, {"weights": x.T, "axis": (1, 0)}, {"weights": x, "axis": (0, 1)}, {"weights": 2.0},
                   {"weights": x[0], "axis": (0, 1)}, {"weights": x[0] * 0, "axis": 1}, {"axis": 3}, {"axis": (0, -1), "returned": True}):
        c.call("numpy.average", x, **kwargs)
    c.vjp("numpy.average", c.draw(d, (2, 3)), 1, c.draw(d, (3,)), argnums=(0, 2))
    c.vjp("numpy.average", c.draw(d, (2, 3)), 1, c.draw(d, (3,)), argnums=(0, 2), order=2)


def positions(c, d, some):
    for name in ("numpy.argmax", "numpy.argmin", "numpy.nanargmax", "numpy.nanargmin"):
        for t in some:
            for axis in (None, 0, -1):
                c.call(name, ramp(t, (2, 3)), axis)
            c.call(name, ramp(t, (2, 3)), 1, keepdims=True)
            c.call(name, corner(t))
        x = ramp(d, (2, 3)).at[0, 1].set(np.nan).at[1, 1].set(np.nan)
        for axis in (None, 0, 1, 2, (0, 1)):
            c.call(name, x, axis)
        c.call(name, x, keepdims=True)
        c.call(name, x, out=x)
        c.call(name, ramp(d, (0, 3)), 0)
        c.call(name, ramp(d, (0, 3)), 1)
        c.call(name, ramp(d, ()))
        c.call(name, ramp(d, ()), 0)
        c.call(name, jnp.zeros(4, d))


def traces(c, d, some):
    for t in some:
        c.call("numpy.trace", ramp(t, (2, 3)))
        c.call("numpy.trace", ramp(t, (3, 2, 4)), 1, 1, 0)
        c.call("numpy.trace", ramp(t, (2, 3)), dtype="int16")
    x = ramp(d, (2, 3))
    for args in ((0, 0, 2), (0, 0, 0), (1,), (-1,), (5,), (-5,), (1.5,), (True,), (ramp("int32", ()),), (ramp("int32", (1,)),), (0, 1, 0), (0, -1, -2)):
        c.call("numpy.trace", x, *args)
    c.call("numpy.trace", ramp(d, (3,)))
    c.call("numpy.trace", ramp(d, (0, 3)))
    c.vjp("numpy.trace", c.draw(d, (2, 3, 3)), 1, 1, 2)


def covariances(c, d):
    x = ramp(d, (2, 5))
    y = ramp(d, (3, 5), 2)
    f = jnp.array([1, 2, 0, 1, 3])
    a = jnp.array([1, 0.5, 2, 1, 3], d)
    for args, kwargs in (
        ((x,), {}), ((x, y), {}), ((x[0],), {}), ((x[0], y[0]), {}), ((x.T,), {"rowvar": False}), ((x.T, y.T), {"rowvar": False}),
        ((x,), {"bias": True}), ((x,), {"ddof": 2}), ((x,), {"ddof": 0}), ((x,), {"fweights": f}), ((x,), {"aweights": a}),
        ((x,), {"fweights": f, "aweights": a}), ((x,), {"fweights": f, "aweights": a, "ddof": 0}), ((x, y), {"fweights": f, "aweights": a, "bias": True}),
        ((x,), {"fweights": a}), ((x,), {"fweights": f[:3]}), ((x,), {"aweights": a[:3]}), ((x,), {"fweights": f[None]}), ((x,), {"aweights": a[None]}),
        ((x,), {"fweights": -f}), ((x,), {"dtype": "float16"}), ((ramp("int32", (2, 5)),), {}), ((ramp("complex64", (2, 5)),), {}),
        ((ramp("bool", (2, 5)),), {}), ((ramp("bfloat16", (2, 5)),), {}), ((x, ramp("complex64", (2, 5))), {}), ((x[0],), {"rowvar": False}), ((x[:, :1],), {}),
        ((x[:0],), {}), ((x[None],), {}), ((x, y[None]), {}), ((x[0, 0],), {}), ((x, y[:, :2]), {}), ((x[:1],), {"rowvar": False}), ((x[:1], y[:1]), {"rowvar": False}),
    ):
        c.call("numpy.cov", *args, **kwargs)
        if not {"bias", "ddof", "fweights", "aweights"} & kwargs.keys():
            c.call("numpy.corrcoef", *args, **kwargs)
    c.vjp("numpy.cov", c.draw(d, (2, 5)), c.draw(d, (1, 5)), argnums=(0, 1))
    c.vjp("numpy.corrcoef", c.draw(d, (2, 5)))
    c.call("numpy.corrcoef", x * 0)
