"""Calls of the functions that take, put, find and index: see functions.py."""
import jax.numpy as jnp
from functions import ramp

NARROW_INDEX = ("int8", "uint8", "int16", "uint32", "int32")


def ints(*v, d="int32"):
    return jnp.array(v, d)


def cases(c):
    take(c)
    put(c)
    choose(c)
    find(c)
    convert(c)
    edit(c)
    segments(c)
    slices(c)


def take(c):
    x = ramp("float32", (3, 4))
    for d in c.dtypes:
        a = ramp(d, (3, 4))
        for i in (ints(0, 5, -1, 99, -99), ints(0, 3, d="uint8"), ints([0, 1], [2, 11]), 2, ints(d="int32")):
            c.call("numpy.take", a, i)
        for axis in (0, 1, -1):
            c.call("numpy.take", a, ints(0, 2, -1, -5, 7), axis)
            c.call("numpy.take", a, ints(0, 2, -1, -5, 7), axis, mode="clip")
            c.call("numpy.take", a, ints(0, 2, -1, -5, 7), axis, mode="wrap")
        c.call("numpy.take_along_axis", a, ints([0], [9], [-1]), 1)
        c.call("numpy.take_along_axis", a, ints([0, 2, -1, 7]), 0)
        c.call("numpy.take_along_axis", a, ints(0, 13, -1), None)
        c.call("numpy.take_along_axis", a, ints([0], [9], [-1]), 1, mode="clip")
    for d in NARROW_INDEX:
        c.call("numpy.take", x, jnp.array([0, 3, 100], d), 1)
        c.call("numpy.take_along_axis", x, jnp.array([[0], [2], [1]], d), 1)
    big = jnp.arange(300.0)
    c.call("numpy.take", big, ints(0, 127, 3, d="int8"))
    c.call("numpy.take", x, ints(0, 9), 0, fill_value=7)
    c.call("numpy.take", x, ints(0, 9), 0, mode="fill", fill_value=-1.5)
    c.call("numpy.take", x, True)
    c.call("numpy.take", 5.0, 0)
    c.call("numpy.take", x, 1.5)
    c.call("numpy.take", x, ints(0), 5)
    c.call("numpy.take", x, ints(0), mode="raise")
    c.call("numpy.take", x, ints(0), mode="foo")
    c.call("numpy.take", jnp.zeros((0, 3)), ints(0), 0)
    c.call("numpy.take", jnp.zeros((0, 3)), ints(), 0)
    c.call("numpy.take_along_axis", x, ints([1, 0]), 1)
    c.call("numpy.take_along_axis", x[:1], jnp.zeros((3, 2), int), 1)
    c.call("numpy.take_along_axis", x, ints([0], [1]), 1)
    c.call("numpy.take_along_axis", x, ints(0), 1)
    c.call("numpy.take_along_axis", x, x[:, :1], 1)
    c.call("numpy.take_along_axis", x, ints([0]), None)
    c.call("numpy.take_along_axis", x, ints([0]), 3)
    c.call("numpy.take_along_axis", x, ints([0], [9], [-1]), 1, fill_value=2)
    c.call("numpy.take_along_axis", x, ints([0], [9], [-1]), 1, mode="wrap")
    c.call("numpy.take_along_axis", x, ints([0], [9], [-1]), 1, wrap_negative_indices=False)
    c.call("numpy.take_along_axis", jnp.zeros((3, 0)), ints([0], [0], [0]), 1)
    c.call("numpy.take_along_axis", x, jnp.zeros((3, 0), int), 1)
    c.vjp("numpy.take", x, ints(0, 5, 5, -1))
    c.vjp("numpy.take", x, ints(0, 2, 2, 9), 1)
    c.vjp("numpy.take_along_axis", x, ints([0], [2], [-1]), 1)


def put(c):
    for d in c.dtypes:
        a = ramp(d, (3, 4))
        c.call("numpy.put", a, ints(0, 5), ramp(d, (2,)), inplace=False)
        c.call("numpy.put", a, ints(0, 1, 1, -1, 99), ramp(d, (2,)), inplace=False)
        c.call("numpy.put", a, ints(0, 99, -99), ramp(d, (3,)), mode="clip", inplace=False)
        c.call("numpy.put", a, ints(0, 99, -99), ramp(d, (3,)), mode="wrap", inplace=False)
        c.call("numpy.put_along_axis", a, ints([0], [9], [-1]), ramp(d, (3, 1)), 1, inplace=False)
        c.call("numpy.put_along_axis", a, ints(0, 7), 1, None, inplace=False)
        c.call("numpy.place", a, a > 0, ramp(d, (3,)), inplace=False)
        c.call("numpy.fill_diagonal", a, 1, inplace=False)
    x = ramp("float32", (3, 4))
    c.call("numpy.put", x, ints(0, 5), 1.0)
    c.call("numpy.put", x, ints(0, 5), 1.0, mode="raise", inplace=False)
    c.call("numpy.put", x, ints(0, 5), 1.0, mode="drop", inplace=False)
    c.call("numpy.put", x, ints(), 1.0, inplace=False)
    c.call("numpy.put", x, ints(0), jnp.zeros(0), inplace=False)
    c.call("numpy.put", jnp.arange(3), 0, 1.7, inplace=False)
    c.call("numpy.put", x, ints([0, 1]), jnp.ones((1, 2)), inplace=False)
    c.call("numpy.put_along_axis", x, ints([0], [9], [-1]), 9.0, 1)
    c.call("numpy.put_along_axis", x, ints([0], [9], [-1]), 9.0, 1, inplace=False, mode="clip")
    c.call("numpy.put_along_axis", x, ints([0]), 9.0, 1, inplace=False)
    c.call("numpy.put_along_axis", x, ints(0), 9.0, 1, inplace=False)
    c.call("numpy.put_along_axis", jnp.arange(3), ints(0), 1.5, 0, inplace=False)
    for mask in (x > 1, x > -9, x > 50):
        for v in (jnp.array([1.0, 2.0, 3.0]), jnp.array([9.0]), jnp.zeros(0)):
            c.call("numpy.place", x, mask, v, inplace=False)
    c.call("numpy.place", x, x > 1, 9.0)
    c.call("numpy.place", x, jnp.array([True]), 9.0, inplace=False)
    c.call("numpy.place", jnp.arange(4), ints(1, 0, 0, 1), 1.5, inplace=False)
    for shape in ((3, 4), (4, 3), (7, 3), (2, 2, 2), (0, 0), (2, 3, 2), (3,)):
        c.call("numpy.fill_diagonal", jnp.zeros(shape), 1.5, inplace=False)
        c.call("numpy.fill_diagonal", jnp.zeros(shape, int), ints(1, 2), inplace=False)
    c.call("numpy.fill_diagonal", x, 1.0)
    c.call("numpy.fill_diagonal", x, 1.0, wrap=True, inplace=False)
    c.call("numpy.fill_diagonal", x, ints([1, 2], [3, 4]), inplace=False)
    c.vjp("numpy.fill_diagonal", x, jnp.float32(2), inplace=False)


def choose(c):
    for d in c.dtypes:
        a, b = ramp(d, (3,)), ramp(d, (3,), 2)
        c.call("numpy.choose", ints(0, 1, 0), [a, b])
        c.call("numpy.choose", ints(0, 2, -1), [a, b])
        c.call("numpy.choose", ints(0, 2, -1), [a, b], mode="clip")
        c.call("numpy.choose", ints(0, 2, -1), [a, b], mode="wrap")
        c.call("numpy.select", [a > b, a == b], [a, b])
        c.call("numpy.select", [a > b], [a], 7)
        c.call("numpy.select", [a > b, b > a], [a, jnp.float32(2.5)], default=b)
    a, b = jnp.array([1, 2, 3]), jnp.array([4, 5, 6])
    c.call("numpy.choose", ints([0], [1]), [a, b])
    c.call("numpy.choose", 1, [jnp.float32(1), jnp.int32(2)])
    c.call("numpy.choose", ints(0, 1, 0), [a, b], mode="foo")
    c.call("numpy.choose", jnp.array([0.0, 1.0]), [a, b])
    c.call("numpy.choose", True, [a, b])
    c.call("numpy.choose", ints(0, 1, 1), [])
    c.call("numpy.choose", ints(0, 1, 1, 0), [a, b], mode="clip")
    for d in NARROW_INDEX:
        c.call("numpy.choose", jnp.array([0, 1, 1], d), [a, b], mode="clip")
        c.call("numpy.choose", jnp.array([0, 1, 1], d), [a, b])
    c.call("numpy.select", [], [])
    c.call("numpy.select", [a > 1], [a, a])
    c.call("numpy.select", [a], [a])
    c.call("numpy.select", [jnp.array([True, False, True]), jnp.array([True, True, False])], [1, 2.5], 7)
    c.call("numpy.select", [True], [a])
    c.call("numpy.select", [jnp.array([[True], [False]])], [a], -1)
    c.call("numpy.select", [a > 1, jnp.array([True, False])], [a, a])


def find(c):
    for d in c.dtypes:
        a = ramp(d, (3, 4))
        for name in ("numpy.nonzero", "numpy.argwhere", "numpy.flatnonzero"):
            c.call(name, a)
            c.call(name, a, size=3)
            c.call(name, a, size=14)
            c.call(name, a, size=14, fill_value=-1)
        c.call("numpy.compress", jnp.array([True, False, True]), a, 0)
        c.call("numpy.compress", ints(0, 1, 1), a, axis=1)
        c.call("numpy.compress", jnp.array([True, False, True, True]), a)
        c.call("numpy.extract", a > 0, a)
        c.call("numpy.extract", a > 0, a, size=8, fill_value=1)
    x = ramp("float32", (3, 4))
    for name in ("numpy.nonzero", "numpy.argwhere", "numpy.flatnonzero"):
        for a in (jnp.zeros((0, 3)), jnp.zeros((2, 0)), jnp.zeros((3,)), jnp.float32(3), jnp.float32(0), ints(0, 3, 0, -2),
                  jnp.array([jnp.nan, -0.0, jnp.inf]), jnp.ones((2, 1, 2))):
            c.call(name, a)
            c.call(name, a, size=2)
            c.call(name, a, size=0)
    c.call("numpy.nonzero", x, size=3, fill_value=(7, 8))
    c.call("numpy.nonzero", x, size=13, fill_value=(7, 8))
    c.call("numpy.nonzero", x, size=13, fill_value=1.5)
    c.call("numpy.nonzero", x, size=-1)
    c.call("numpy.nonzero", x, size=2.5)
    for n in (0, 1, 3, 5):
        c.call("numpy.compress", jnp.arange(n) % 2 == 0, x, 0)
        c.call("numpy.compress", jnp.arange(n) > 3, x, 0)
        c.call("numpy.compress", jnp.arange(n) % 2 == 0, x)
    c.call("numpy.compress", jnp.array([[True]]), x, 0)
    c.call("numpy.compress", jnp.array([True, True, False]), x, 0, size=3, fill_value=-1)
    c.call("numpy.compress", jnp.array([True, False]), x, 0, size=1)
    c.call("numpy.extract", ints(0, 1, 1), x)
    c.call("numpy.extract", x > 50, x)
    c.call("numpy.extract", x > 0, x, size=2)


def convert(c):
    for d in NARROW_INDEX:
        c.call("numpy.ix_", jnp.array([0, 1], d), jnp.array([2, 3, 4], d))
        c.call("numpy.unravel_index", jnp.array([0, 5, 11], d), (3, 4))
        c.call("numpy.ravel_multi_index", (jnp.array([0, 2], d), jnp.array([1, 3], d)), (3, 4))
        c.call("numpy.ravel_multi_index", (jnp.array([0, 5], d), jnp.array([1, 9], d)), (3, 4), mode="clip")
        c.call("numpy.ravel_multi_index", (jnp.array([0, 5], d), jnp.array([1, 9], d)), (3, 4), mode="wrap")
    c.call("numpy.ix_")
    c.call("numpy.ix_", ints(0, 1))
    c.call("numpy.ix_", ints([0, 1]))
    c.call("numpy.ix_", jnp.array([True, False]))
    c.call("numpy.ix_", jnp.array([1.5]), ints(1), ints(0, 2))
    c.call("numpy.ix_", jnp.zeros(0), ints(1))
    for shape in ((2, 3), (), (4,), (2, 0), (1, 2, 3), (2, -1)):
        c.call("numpy.indices", shape)
        c.call("numpy.indices", shape, sparse=True)
        c.call("numpy.indices", shape, dtype="float32")
        c.call("numpy.indices", shape, "int8")
    every = ints(0, 5, 11, 12, -1, -12, -13, 100)
    for shape in ((3, 4), (12,), (2, 3, 2), (1, 12), (5, 5)):
        c.call("numpy.unravel_index", every, shape)
        c.call("numpy.unravel_index", 5, shape)
    c.call("numpy.unravel_index", ints(0, 5), 6)
    c.call("numpy.unravel_index", ints([0, 5]), (3, 4))
    at = (ints(0, 5, 2), ints(1, -1, 3))
    for mode in ("raise", "wrap", "clip", "ignore", "foo"):
        for order in ("C", "F", "Z"):
            c.call("numpy.ravel_multi_index", at, (3, 4), mode, order)
    c.call("numpy.ravel_multi_index", at[:1], (3,), mode="clip")
    c.call("numpy.ravel_multi_index", (1, 2), (3, 4))
    c.call("numpy.ravel_multi_index", (ints(0, 2), ints([1], [3])), (3, 4))
    c.call("numpy.ravel_multi_index", (jnp.array([0.0]), ints(1)), (3, 4))
    c.call("numpy.ravel_multi_index", (ints(0), ints(0)), (2**20, 2**20))
    c.call("numpy.ravel_multi_index", (ints(0, 2, d="int8"), ints(1, 3, d="uint8")), (3, 4))
    c.call("numpy.ravel_multi_index", at, (3, 4), mode="clip", dtype="int8")
    for name in ("numpy.tril_indices", "numpy.triu_indices"):
        for args in ((0,), (1,), (3,), (3, 1), (3, -1), (3, 1, 2), (2, -1, 4), (3, -5), (3, 9), (2, 0, 0), (-1,), (2.5,)):
            c.call(name, *args)
    for name in ("numpy.tril_indices_from", "numpy.triu_indices_from", "numpy.diag_indices_from"):
        for shape in ((3, 3), (3, 4), (2, 1), (0, 0), (3,), (2, 2, 2), (), (1, 1), (4, 4, 4), (2, 2, 3)):
            c.call(name, jnp.zeros(shape))
        if name != "numpy.diag_indices_from":
            for k in (-2, -1, 1, 2):
                c.call(name, jnp.zeros((3, 4)), k)
                c.call(name, jnp.zeros((4, 3)), k=k)
    for args in ((3,), (0,), (2, 3), (1, 1), (2, 0), (-1,), (2, -1), (2.5,), (4, 4), (2, 2.5), (None,), (0, 1)):
        c.call("numpy.diag_indices", *args)
    for f in ("numpy.triu", "numpy.tril"):
        for n in (0, 1, 3, 4):
            for k in (0, 1, -1):
                c.call("numpy.mask_indices", n, c.function(f), k)
        c.call("numpy.mask_indices", 3, c.function(f), size=8)


def edit(c):
    for d in c.dtypes:
        a = ramp(d, (3, 4))
        c.call("numpy.delete", a, 1, 0)
        c.call("numpy.delete", a, ints(0, -1, 0), 1)
        c.call("numpy.insert", a, 1, ramp(d, (4,)), 0)
        c.call("numpy.insert", a, ints(0, 2), ramp(d, (3, 2)), 1)
    x = ramp("float32", (3, 4))
    for r in (2, 0, ints(2), ints(1, 0, 2), ints(0, 0, 0), jnp.array([1, 0, 2], "uint8"), 1.5, ints(1, 2), True):
        for total in (None, 0, 2, 5):
            c.call("numpy.repeat", x, r, 0, total_repeat_length=total)
        c.call("numpy.repeat", x, r, -1)
        c.call("numpy.repeat", jnp.arange(3), r)
    c.call("numpy.repeat", 5, 3)
    c.call("numpy.repeat", 5, 3, 0)
    c.call("numpy.repeat", x, -1)
    c.call("numpy.repeat", jnp.zeros((0, 3)), 2, 0)
    c.call("numpy.repeat", jnp.arange(2), ints([1, 2]))
    c.vjp("numpy.repeat", x, ints(1, 0, 2), 0, total_repeat_length=5)
    for axis in (None, 0, 1, -1, 3):
        for obj in (1, -1, 9, ints(0, 2), ints(), slice(None, None, 2), slice(3, 0, -2), jnp.array([True, False, False]), 1.5):
            c.call("numpy.delete", x, obj, axis)
        for obj in (1, -1, 9, ints(0, 2), ints(2, 2), slice(0, 2), 1.5):
            c.call("numpy.insert", x, obj, 9.0, axis)
    c.call("numpy.delete", x, ints(0, 9), 1)
    c.call("numpy.delete", x, ints(0, 2), 1, assume_unique_indices=True)
    c.call("numpy.insert", x, 1, jnp.arange(3.0), 1)
    c.call("numpy.insert", x, ints(1), jnp.array([[7.0], [8.0], [9.0]]), 1)
    c.call("numpy.insert", x, 1, jnp.arange(8.0).reshape(2, 4), 0)
    c.call("numpy.insert", jnp.arange(3), 1, 1.5)
    c.call("numpy.insert", jnp.arange(5), ints(3, 1), ints(10, 20))
    c.call("numpy.insert", x, ints(), jnp.zeros(0))
    c.call("numpy.insert", x, jnp.array([True, False]), 9.0, 1)
    c.call("numpy.insert", x, ints(0, 1), jnp.arange(5.0), 1)
    c.vjp("numpy.delete", x, 1, 0)
    c.vjp("numpy.insert", x, ints(0, 2), jnp.ones((3, 2)), 1)


def segments(c):
    c.tolerance("ops.segment_sum ops.segment_prod", 2, 1)
    ids = ints(0, 2, 2, 5)
    for name in ("ops.segment_sum", "ops.segment_prod", "ops.segment_max", "ops.segment_min"):
        for d in c.dtypes:
            data = ramp(d, (4,))
            c.call(name, data, ids)
            c.call(name, data, ids, 3)
            c.call(name, data, ids, 7)
            c.call(name, data, ids, 3, mode="clip")
        x = ramp("float32", (4, 2))
        c.call(name, x, ids, 3)
        c.call(name, x[:, 0], ints(-1, 0, -5, 9), 3)
        c.call(name, x[:, 0], ids, 7, bucket_size=2)
        c.call(name, x[:, 0], ids, 7, indices_are_sorted=True)
        c.call(name, x[:, 0], ids, 0)
        c.call(name, x[:, 0], ids, -1)
        c.call(name, x[:, 0], ids[:3], 3)
        c.call(name, x[:, 0], ids * 1.0, 3)
        c.call(name, x[:0, 0], ids[:0])
        c.call(name, x[:0, 0], ids[:0], 2)
        c.call(name, x[:2], ints([0, 1], [1, 1]), 2)
        c.call(name, jnp.array([jnp.nan, 1.0, jnp.inf, -0.0]), ints(0, 0, 1, 1), 3)
        for d in NARROW_INDEX:
            c.call(name, x, jnp.array([0, 1, 1, 3], d), 4)
    c.vjp("ops.segment_sum", x, ids, 6)
    c.vjp("ops.segment_max", x, ids, 6)


def slices(c):
    x = ramp("float32", (3, 4))
    for i in (0, 1, -1, -2, 5, -9, jnp.int8(-1), jnp.uint8(200)):
        for axis in (0, 1, -1):
            c.call("lax.dynamic_index_in_dim", x, i, axis)
            c.call("lax.dynamic_index_in_dim", x, i, axis, keepdims=False)
            c.call("lax.dynamic_slice_in_dim", x, i, 2, axis)
            c.call("lax.dynamic_update_slice_in_dim", x, x[:2, :2] * 2, i, axis)
        c.call("lax.dynamic_update_index_in_dim", x, x[0], i, 0)
        c.call("lax.dynamic_update_index_in_dim", x, x[:1], i, 0)
        c.call("lax.dynamic_update_index_in_dim", x, x[:, 0], i, 1)
    for i in (0, 2, -1, 3, -4):
        for keepdims in (True, False):
            c.call("lax.index_in_dim", x, i, keepdims=keepdims)
            c.call("lax.index_in_dim", x, i, 1, keepdims)
    c.call("lax.dynamic_slice_in_dim", x, 1, 5)
    c.call("lax.dynamic_slice_in_dim", x, 1.5, 1)
    c.call("lax.dynamic_update_slice_in_dim", x, 1.0, 0, 0)
    for i in (ints(0, -1), ints(0, -4, 7), ints(0, 2, d="uint8")):
        c.call("lax.index_take", x, (i,), (0,))
        c.call("lax.index_take", x, (i, i), (0, 1))
