"""Calls of numpy's functions of the shape: see functions.py."""
import jax
import jax.numpy as jnp
import numpy as np
from functions import ramp, weak

UNARY = "ravel squeeze transpose flip atleast_1d atleast_2d atleast_3d ndim shape size"


def every(c, name, shape, *args, **kwargs):
    """Of every dtype, with the derivative of inexact ones."""
    for d in c.dtypes:
        c.call(name, ramp(d, shape), *args, **kwargs)
        if d in ("float32", "complex64", "float64"):
            c.vjp(name, ramp(d, shape), *args, **kwargs)


def one_operand(c):
    f = "float64" if c.x64 else "float32"
    for name in UNARY.split():
        for shape in ((), (3,), (2, 3), (1, 2, 1), (0, 2), (2, 1, 3, 1)):
            c.call("numpy." + name, ramp(f, shape))
        for d in c.dtypes:
            c.call("numpy." + name, ramp(d, (1, 3)))
        for x in (1, 2.5, True, weak(ramp(f, (2,)))):
            c.call("numpy." + name, x)
    for name in ("atleast_1d", "atleast_2d", "atleast_3d"):
        c.call("numpy." + name), c.call("numpy." + name, 1, ramp(f, (2, 3))), c.call("numpy." + name, ramp(f, (2,)), ramp(f, (3,)), 2)
        c.vjp("numpy." + name, ramp(f, (3,)))
    for axis in (0, 1, -1, (0, 1), (), 2, (0, 0)):
        c.call("numpy.size", ramp(f, (2, 3)), axis)
    for order in ("C", "F", "A", "K", "Q"):
        c.call("numpy.ravel", ramp(f, (2, 3)), order)
        c.call("numpy.ravel", ramp(f, (2, 3, 2)), order=order)
        for shape in ((3, 2), 6, (-1,), (2, -1, 1), (4, -1), (-1, -1), (5,), (2, 3, 1)):
            c.call("numpy.reshape", ramp(f, (2, 3)), shape, order)
        c.call("numpy.reshape", ramp(f, (4, 3, 2)), (3, 8), order=order, copy=True)
    every(c, "numpy.reshape", (2, 3), (3, 2), "F")
    every(c, "numpy.ravel", (2, 3), "F")
    for shape in ((), (0,), (3, -1, 0), (2, 3), 6):
        c.call("numpy.reshape", ramp(f, (0, 3)), shape) if shape != (3, -1, 0) else None
        c.call("numpy.reshape", 2.5, shape)
    for shape in ((2, 3), (3, 3), (0, 2), 7, (), (2, 2, 2), (2, -1)):
        every(c, "numpy.resize", (2, 3), shape) if shape == (3, 3) else c.call("numpy.resize", ramp(f, (2, 3)), shape)
        c.call("numpy.resize", ramp(f, (0,)), shape), c.call("numpy.resize", 2.5, shape)
    for args in (((2, 3),), ((4, 2, 3),), ((2, 2, 3),), ((3,),), ((2, 4),), ((0, 2, 3),)):
        c.call("numpy.broadcast_to", ramp(f, (2, 3)), *args), c.call("numpy.broadcast_to", ramp(f, (1, 3)), *args), c.call("numpy.broadcast_to", 1, *args)
    every(c, "numpy.broadcast_to", (2, 1), (2, 3))
    for args in ((ramp(f, (2, 3)), ramp(f, (3,)), 1), (), (1, 2.5), (ramp(f, (2,)), ramp(f, (3,))), (ramp(f, (2, 1)), ramp(f, (1, 3))), (ramp(f, (0, 1)), ramp(f, (3,))), (True,)):
        c.call("numpy.broadcast_arrays", *args)
    for d in c.dtypes:
        c.call("numpy.broadcast_arrays", ramp(d, (2, 1)), ramp("float32", (2,)))
    for args in (((2, 1), (3,)), (2, (3, 1)), ((2,), (3,)), (), ((-1,), (1,)), ((0, 1), (3,)), ((2, 3),), (4,), ((1,), (0,)), ((1, 1), (2, 1), (1, 4)), (5, 1, (2, 1)),
                 ((7, 1, 5), (6, 5)), ((2.5,),)):
        c.call("numpy.broadcast_shapes", *args)


def axes(c):
    f = "float64" if c.x64 else "float32"
    x = ramp(f, (2, 3, 4))
    for a in (None, (2, 0, 1), (-1, 0, 1), (0, 1), (0, 0, 1), (0, 1, 3), ()):
        c.call("numpy.transpose", x, a)
        c.call("numpy.permute_dims", x, a) if a is not None else None
    every(c, "numpy.transpose", (2, 3, 4), (1, 2, 0)), every(c, "numpy.permute_dims", (2, 3, 4), (1, 2, 0))
    for shape in ((3,), (), (2, 3), (2, 3, 4), (0, 3), (1, 2, 3, 1)):
        c.call("numpy.matrix_transpose", ramp(f, shape))
    every(c, "numpy.matrix_transpose", (2, 2, 3))
    for a in ((0, 1), (-1, 0), (2, 2), (0, 3), (-4, 0)):
        c.call("numpy.swapaxes", x, *a)
    every(c, "numpy.swapaxes", (2, 3, 4), 0, 2)
    for a in ((0, 2), (-1, 0), ((0, 1), (-1, -2)), ((0, 1), (2, 0)), ((0, 1), (1,)), (5, 0), (0, 5), ((0, 2), (0, 1)), ((), ()), ((2, 0, 1), (0, 1, 2))):
        c.call("numpy.moveaxis", x, *a)
    every(c, "numpy.moveaxis", (2, 3, 4), (0, 1), (-1, 0))
    for a in ((2,), (0, 3), (1, -1), (1, 0), (2, 1), (0, 4), (3, 0), (1, -4), (-1, 0), (0, 0)):
        c.call("numpy.rollaxis", x, *a)
    every(c, "numpy.rollaxis", (2, 3, 4), 2)
    for a in (0, -1, (0, -1), (0, 0), 3, (), (1, 2)):
        c.call("numpy.expand_dims", ramp(f, (2,)), a)
    every(c, "numpy.expand_dims", (2, 3), (0, 2))
    for a in (None, 0, -1, (0, 2), (0, 0), 1, 3, ()):
        c.call("numpy.squeeze", ramp(f, (1, 2, 1)), a)
    every(c, "numpy.squeeze", (1, 2, 1), (0, 2))


def order(c):
    f = "float64" if c.x64 else "float32"
    for a in (None, 0, -1, (0, 1), 2, (), (1, 0)):
        c.call("numpy.flip", ramp(f, (2, 3)), a)
    every(c, "numpy.flip", (2, 3), 1)
    for name in ("numpy.fliplr", "numpy.flipud"):
        every(c, name, (2, 3))
        for shape in ((), (2,), (2, 3, 2), (0, 2)):
            c.call(name, ramp(f, shape))
    for k in (0, 1, 2, 3, 4, -1, 7):
        c.call("numpy.rot90", ramp(f, (2, 3)), k), c.call("numpy.rot90", ramp(f, (2, 3, 2)), k, (1, 2)), c.call("numpy.rot90", ramp(f, (2, 3, 2)), k, axes=(-1, 0))
    every(c, "numpy.rot90", (2, 3), 1)
    for args in ((ramp(f, (4,)),), (ramp(f, (2, 3)), 1, (0, 0)), (ramp(f, (2, 3)), 1, (0, 2)), (ramp(f, (2, 3)), 1, (0, 1, 2)), (1,)):
        c.call("numpy.rot90", *args)
    for args in ((1,), (-7,), (2, 0), (1, -1), (1, (0, 1)), ((1, 2), (0, 1)), ((1, 2), 1), ((1, 2),), (0,), (2.0,), ((1, 2, 3), (0, 1)), (1, 2), (10**12,), (1, (1, 1))):
        c.call("numpy.roll", ramp(f, (2, 3)), *args)
    every(c, "numpy.roll", (2, 3), 1, 1)
    for shift in (1.5, -0.9, np.nan, np.inf, 1e300, jnp.array(1.5), jnp.array([True]), jnp.array([2.5], "float16"), jnp.array(-1e30)):
        c.call("numpy.roll", ramp(f, (5,)), shift)
    c.call("numpy.roll", ramp(f, (0, 2)), 3), c.call("numpy.roll", ramp(f, (0, 2)), 3, 1), c.call("numpy.roll", 5, 3), c.call("numpy.roll", ramp(f, (4,)), jnp.array([[1, 2]]))
    for r in (2, (2, 1), (2, 1, 3), (), (1,), (0, 2), (2, 0)):
        c.call("numpy.tile", ramp(f, (2, 3)), r), c.call("numpy.tile", ramp(f, ()), r), c.call("numpy.tile", 3, r)
    every(c, "numpy.tile", (2, 3), (2, 1, 2))
    c.call("numpy.tile", ramp(f, (2,)), 2.5)
    for x in ([0, 0, 1, 0, 2, 0], [0, 0], [1, 2], [np.nan, 0], [], [0, 1]):
        for t in ("fb", "f", "b", "B", "x", "FB"):
            c.call("numpy.trim_zeros", jnp.array(x, f), t)
    for a in (None, 0, 1, (0, 1), 2):
        c.call("numpy.trim_zeros", jnp.array([[0, 0, 0], [0, 1, 0], [2, 0, 0]]), axis=a)
    for d in c.dtypes:
        c.call("numpy.trim_zeros", jnp.array([0, 1, 0, 1, 0], d))


def joins(c):
    f = "float64" if c.x64 else "float32"
    a, b, v = ramp(f, (2, 3)), ramp(f, (2, 3), 2), ramp(f, (3,))
    lists = [[a, b], [a], [v, v], [], [1, 2.5], [a, v], [a, ramp("int32", (2, 3))], [ramp("bool", (2, 3)), ramp("int32", (2, 3))], (a, b, a), [weak(v), ramp("int32", (3,))], [ramp(f, (0, 3)), a], [1, 2]]
    for name in ("concatenate", "concat", "stack", "vstack", "hstack", "dstack", "column_stack"):
        for xs in lists:
            if name == "hstack" and not xs:
                continue
            c.call("numpy." + name, xs)
        for d in c.dtypes:
            c.call("numpy." + name, [ramp(d, (2, 3)), ramp(d, (2, 3), 2)])
        c.call("numpy." + name, a)
        c.call("numpy." + name, [a, None])
    for axis in (0, 1, -1, None, 2, -3):
        c.call("numpy.concatenate", [a, b], axis), c.call("numpy.concat", [a, b], axis=axis), c.call("numpy.concatenate", [a, v], axis)
        c.call("numpy.stack", [a, b], axis) if axis is not None else None
    for d in c.dtypes:
        for name in ("concatenate", "stack", "vstack", "hstack", "dstack"):
            c.call("numpy." + name, [a, b], dtype=d)
    for args in ((a, b), (a, b, 0), (a, v), (a, v, 0), (1, 2), (v, 2.5), (a, b, 2), (a, ramp("int32", (2, 3)), 1), (True, 2), (ramp(f, (0,)), v)):
        c.call("numpy.append", *args)
    for d in c.dtypes:
        c.call("numpy.append", ramp(d, (2,)), ramp(d, (3,)))
    c.vjp("numpy.append", a, b, argnums=(0, 1))
    blocks = [[[a, b], [b, a]], [a, b], [], [[1, 2], [3]], [[1, 2], 3], [1, ramp(f, (2,))], [[ramp(f, (2, 2)), ramp(f, (2, 1))], [1, 2, 3]], [[[1]]], 1, a, [[a], [b]], [1, 2, 3], [[1.5, 2], [3, 4]], [True, 2], [[a, ramp("int32", (2, 1))]], [ramp(f, (2, 1, 2)), a[:, :2]]]
    for x in blocks:
        c.call("numpy.block", x)
    for d in c.dtypes:
        c.call("numpy.block", [[ramp(d, (2, 1)), ramp(d, (2, 2))]])


def cuts(c):
    f = "float64" if c.x64 else "float32"
    x = ramp(f, (6, 4, 2))
    for s in (2, 3, 1, [1, 3], [], (2, 2), [0, 6], [1, 9], [4, 2], [-3], jnp.array([1, 2])):
        c.call("numpy.split", x, s), c.call("numpy.array_split", x, s), c.call("numpy.vsplit", x, s), c.call("numpy.split", x, s, -1), c.call("numpy.array_split", x, s, 1)
        c.call("numpy.hsplit", x, s), c.call("numpy.dsplit", x, s)
    c.call("numpy.array_split", x, 4), c.call("numpy.array_split", x, 7), c.call("numpy.split", x, 4), c.call("numpy.hsplit", ramp(f, (4,)), 2), c.call("numpy.vsplit", ramp(f, (4,)), 2)
    for d in c.dtypes:
        y = ramp(d, (2, 4, 2))
        for name in ("split", "array_split", "vsplit", "hsplit", "dsplit"):
            c.call("numpy." + name, y, 2)
            if d in ("float32", "float64"):
                c.vjp("numpy." + name, y, 2)
        c.call("numpy.unstack", y), c.call("numpy.unstack", y, axis=-1)
    for shape in ((), (3,), (0, 2), (2, 0), (2, 3)):
        for axis in (0, 1, -1):
            c.call("numpy.unstack", ramp(f, shape), axis=axis)
    c.vjp("numpy.unstack", ramp(f, (2, 3)), axis=1)


def pads(c):
    f = "float64" if c.x64 else "float32"
    x, v = ramp(f, (2, 3)), ramp(f, (4,))
    modes = ["constant", "edge", "linear_ramp", "maximum", "mean", "minimum", "reflect", "symmetric", "wrap", "empty"]
    for mode in modes:
        for w in (1, (1, 2), ((1, 2), (0, 3)), ((2,), (1,)), 0, ((0, 0), (2, 0)), [1, 2]):
            c.call("numpy.pad", x, w, mode)
        c.call("numpy.pad", v, 7, mode), c.call("numpy.pad", v, (0, 9), mode=mode), c.call("numpy.pad", v[:1], 3, mode)
        if mode not in ("linear_ramp", "maximum", "mean", "minimum"):  # of an empty axis: JAX fails in passing
            c.call("numpy.pad", v[:0], 0, mode), c.call("numpy.pad", v[:0], 2, mode), c.call("numpy.pad", ramp(f, (0, 2)), ((0, 0), (1, 1)), mode)
        c.call("numpy.pad", ramp(f, ()), 1, mode), c.call("numpy.pad", v, -1, mode)
        c.call("numpy.pad", x, (1, 2, 3), mode), c.call("numpy.pad", x, ((1, 2), (1, 2), (1, 2)), mode)
        for d in c.dtypes:
            if mode in ("maximum", "minimum") and "complex" in d:
                continue
            c.call("numpy.pad", ramp(d, (2, 3)), 2, mode)
        c.vjp("numpy.pad", x, ((1, 2), (0, 5)), mode)
    for cv in (1, 2.5, (1, 2), ((1, 2), (3, 4)), ((1,), (2,)), jnp.asarray(3, f), jnp.array([1, 2]), True):
        c.call("numpy.pad", x, 1, "constant", constant_values=cv), c.call("numpy.pad", ramp("int32", (2, 3)), 1, constant_values=cv)
        if isinstance(cv, jax.Array):  # JAX refuses to hash it
            c.expect(jnp.pad(x, 2, "linear_ramp", end_values=tuple(cv.tolist()) if cv.ndim else float(cv)), "numpy.pad", x, 2, "linear_ramp", end_values=cv)
        else:
            c.call("numpy.pad", x, 2, "linear_ramp", end_values=cv)
    c.vjp("numpy.pad", x, 1, constant_values=jnp.asarray(1, f))
    for mode in ("maximum", "mean", "minimum"):
        for n in (1, 2, (1, 2), ((1, 2), (2, 1)), 9, None, 0):
            c.call("numpy.pad", x, 2, mode, stat_length=n)
    for mode in ("reflect", "symmetric"):
        for w in (2, 7, (0, 3)):
            c.call("numpy.pad", x, w, mode, reflect_type="odd"), c.call("numpy.pad", x, w, mode, reflect_type="even"), c.call("numpy.pad", ramp("int32", (2, 3)), w, mode, reflect_type="odd")
    c.call("numpy.pad", x, 1, "nothing"), c.call("numpy.pad", x, 1, "edge", constant_values=1), c.call("numpy.pad", x, 1, "constant", bad=1), c.call("numpy.pad", x, 1.5), c.call("numpy.pad", 3, 1)


def cases(c):
    c.tolerance("numpy.pad", 2, 1)
    one_operand(c), axes(c), order(c), joins(c), cuts(c), pads(c)
