"""Calls of numpy's functions that take functions, and of ufuncs: see functions.py."""
import jax.numpy as jnp
import numpy as np
from functions import corner, ramp

INTEGERS = ["int8", "int32", "uint16"]


def callables(c):
    f = c.function
    sin, add, dot, total, outer = map(f, ["numpy.sin", "numpy.add", "numpy.dot", "numpy.sum", "numpy.outer"])
    for d in ("float32", "bfloat16", "int32") if not c.x64 else ("float64", "int64"):
        x, y = ramp(d, (2, 3)), ramp(d, (3,))
        for a, b in ((x, y), (x, 2.0), (x, ramp(d, (2, 2))), (ramp(d, (0, 3)), y), (ramp(d, (1, 3)), ramp(d, (2, 1))), (1, 2)):
            c.call("numpy.vectorize", add, then=(a, b))
            c.call("numpy.vectorize", dot, signature="(n),(n)->()", then=(a, b))
        c.call("numpy.vectorize", sin, then=(x,))
        c.call("numpy.vectorize", outer, signature="(n),(m)->(n,m)", then=(x, y))
        c.call("numpy.vectorize", outer, signature="(n),(n)->(n,n)", then=(x, y))
        c.call("numpy.vectorize", add, excluded=(1,), then=(x, 3))
        for signature in ("(n)->()", "(n),(n)->(n)", "(n,(n)->()", "n,n->", "(n),(n)->(),()"):
            c.call("numpy.vectorize", dot, signature=signature, then=(x, y))
        for axis in (0, 1, -1, 2):
            c.call("numpy.apply_along_axis", total, axis, x)
            c.call("numpy.apply_along_axis", sin, axis, x)
            c.call("numpy.apply_along_axis", f("numpy.flip"), axis, ramp(d, (2, 3, 2)))
            c.call("numpy.apply_along_axis", outer, axis, ramp(d, (2, 3, 2)), jnp.ones(2, d))
        for axes in ([0], [1], [0, 1], (0, -1), 0, [2], []):
            c.call("numpy.apply_over_axes", total, x, axes)
        c.call("numpy.apply_over_axes", f("numpy.flip"), x, [0])
        c.call("numpy.apply_over_axes", f("numpy.argmax"), x, [0, 1])
        for shape in ((2, 3), (2, 0), (1, 1), (2, 3, 4), 3):
            for t in (float, int, "int8", d):
                c.call("numpy.fromfunction", add if shape != 3 else sin, shape, dtype=t)
        c.call("numpy.fromfunction", add, (2, 2))
        for conditions, pieces in (([x < 1, x > 3], [1, sin, f("numpy.square")]), ([x < 1, x > 3], [1, 2]), ([x < 1, x > 3], [1]),
                                   ([x < 3, x > 1], [f("numpy.negative"), 2, 3]), ([y < 1], [1, 2.7]), ([x < 1], [sin]), (x < 1, [1, 2]),
                                   ([x], [5]), ([ramp("bool", (2, 1))], [f("numpy.square"), -1]), ([ramp("bool", (2, 2))], [1]),
                                   ([x < 1], [1, 2, 3])):
            c.call("numpy.piecewise", x, conditions, pieces)
        c.call("numpy.piecewise", 1.0, [True], [5])
        c.call("numpy.piecewise", ramp(d, (0,)), [ramp(d, (0,)) < 1], [5])
        for t in ((x, y), (x, 2), (x,), (x, ramp(d, (2, 2)))):
            c.call("numpy.frompyfunc", f("numpy.hypot"), 2, 1, then=t)
            c.call("numpy.frompyfunc", add, 2, 1, identity=0, then=t)
        for t in ((x,), (corner(d),), (1.5,), (x, y)):
            c.call("numpy.frompyfunc", sin, 1, 1, then=t)
    c.call("numpy.frompyfunc", 3, 1, 1)


UFUNCS = ("add multiply maximum minimum logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor logaddexp "
          "logaddexp2 subtract").split()


def ufuncs(c):
    for name in UFUNCS:
        u = c.function("numpy." + name)
        for d in (["int64"] if c.x64 else ["int32"]) if name.startswith("bit") else c.inexact[:4] + ["bool", "int8", "uint32"]:
            if name.startswith("logadd") and ("complex" in d or (name == "logaddexp2" and "float" not in d)):
                continue
            x = ramp(d, (2, 3))
            small = ramp(d, (3,))
            c.call("numpy.ufunc.reduce", u, x)
            c.call("numpy.ufunc.reduce", u, x, 1, keepdims=True)
            c.call("numpy.ufunc.reduce", u, x, None)
            c.call("numpy.ufunc.accumulate", u, x)
            c.call("numpy.ufunc.accumulate", u, x, -1)
            c.call("numpy.ufunc.outer", u, x, small)
            if not name.startswith("logical") and not (name.startswith("logadd") and "float" not in d):  # JAX gives floats, or fails
                c.call("numpy.ufunc.reduceat", u, x, jnp.array([0, 2, 1]), 1)
                c.call("numpy.ufunc.reduceat", u, small, jnp.array([0, 0, 2]))
        x = ramp("int32" if name.startswith("bit") else "float32", (2, 3))
        if not name.startswith("logadd"):  # JAX fails
            c.call("numpy.ufunc.reduce", u, x, initial=1)
            c.call("numpy.ufunc.reduce", u, x, where=jnp.array([True, False, True]), initial=0)
        c.call("numpy.ufunc.reduce", u, x, where=jnp.array([True, False, True]))
        c.call("numpy.ufunc.reduce", u, x[:0])
        for axis in (2, (0, 1), (0, 0)):
            c.call("numpy.ufunc.reduce", u, x, axis)
        c.call("numpy.ufunc.reduce", u, 1)
        c.call("numpy.ufunc.reduce", u, [1, 2])
        if name in ("add", "multiply", "subtract"):
            c.call("numpy.ufunc.reduce", u, x, dtype="int16")
            c.call("numpy.ufunc.accumulate", u, x[0], dtype="int16")
        c.call("numpy.ufunc.accumulate", u, x, None)
        c.call("numpy.ufunc.accumulate", u, x, 3)
        if name != "logaddexp2":
            c.call("numpy.ufunc.outer", u, 1, 2)
        c.call("numpy.ufunc.outer", u, x[0], x.astype("int8"))
        if not name.startswith("logical"):
            c.call("numpy.ufunc.reduceat", u, x, jnp.array([0.0]))
            c.call("numpy.ufunc.reduceat", u, x, jnp.array(1))
            c.call("numpy.ufunc.reduceat", u, x, jnp.array([0, 1]), 2)
    for name in ("add", "subtract", "multiply", "maximum", "minimum", "logaddexp", "bitwise_xor"):
        u = c.function("numpy." + name)
        d = "int32" if name == "bitwise_xor" else "float64" if c.x64 else "float32"
        x, y = ramp(d, (2, 3)), ramp(d, (4,))
        for a, i, b in ((y, 1, 2), (y, -1, y[0]), (y, jnp.array([0, 0, 2]), 3), (y, jnp.array([1, -1]), y[:2]), (x, jnp.array([1, 0, 1]), x[0]),
                        (x, slice(0, 1), 2), (y, jnp.array([[0, 1], [1, 1]]), 2), (y, jnp.zeros(0, "int32"), 1)):
            own = name in ("add", "subtract", "multiply")
            if isinstance(i, slice) or not own and (a.ndim > 1 or i is not None and np.size(i) == 0):
                # JAX refuses slices and no indices at all, and broadcasts b against the indices
                v = np.array(a)
                getattr(np, name).at(v, i if isinstance(i, slice) else np.array(i), np.asarray(b, v.dtype))
                c.expect(jnp.array(v), "numpy.ufunc.at", u, a, i, b, inplace=False)
            else:
                c.call("numpy.ufunc.at", u, a, i, b, inplace=False)
        c.call("numpy.ufunc.at", u, y, 1, 2)
        c.call("numpy.ufunc.at", u, y, 1, inplace=False)
    negative = c.function("numpy.negative")
    c.call("numpy.ufunc.at", negative, ramp("float32", (4,)), jnp.array([0, 2]), inplace=False)
    c.call("numpy.ufunc.reduce", negative, 1.0)
    c.call("numpy.ufunc.accumulate", negative, 1.0)
    c.call("numpy.ufunc.outer", negative, 1.0, 2.0)


def cases(c):
    c.tolerance("numpy.ufunc.at numpy.ufunc.reduce numpy.ufunc.accumulate numpy.ufunc.outer numpy.ufunc.reduceat", 8, 1)
    callables(c)
    ufuncs(c)
