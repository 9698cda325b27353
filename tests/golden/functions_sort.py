"""Calls of sorting, searching, cumulative functions and operations on bits: see functions.py."""
import jax
import jax.numpy as jnp
import numpy as np
from functions import corner, ramp, weak

NAN = float("nan")


def sorting(c):
    c.tolerance("numpy.sort numpy.argsort numpy.lexsort numpy.partition numpy.argpartition numpy.sort_complex lax.sort lax.sort_key_val "
                "lax.top_k lax.approx_max_k lax.approx_min_k lax.split lax.clz lax.population_count lax.nextafter lax.mulhi "
                "lax.reduce_precision lax.collapse lax.broadcast_to_rank numpy.bitwise_count numpy.nextafter numpy.spacing", 0)
    for d in c.dtypes:
        x = corner(d)
        for name in ("numpy.sort", "numpy.argsort"):
            for a in (x, x[::-1], ramp(d, (3, 4)), ramp(d, (70,))):
                c.call(name, a)
                c.call(name, a, descending=True)
            c.call(name, ramp(d, (3, 4)), 0)
            c.call(name, ramp(d, (3, 4)), None)
            c.call(name, ramp(d, (2, 3, 2)), 1)
        c.call("numpy.lexsort", (ramp(d, (6,)), ramp("int8" if not c.x64 else "int32", (6,), 2)))
        c.call("numpy.lexsort", ramp(d, (3, 4)))
        c.call("numpy.sort_complex", ramp(d, (3, 4)))
        c.call("lax.sort", x)
        c.call("lax.sort", (ramp(d, (7,)), ramp("float32", (7,), 2)), num_keys=2)
        c.call("lax.sort", (ramp(d, (2, 5)), jnp.arange(10).reshape(2, 5)), 0)
        c.call("lax.sort_key_val", ramp(d, (7,)), jnp.arange(7))
        if "complex" not in d:
            c.call("lax.top_k", x, 3)
            c.call("lax.top_k", ramp(d, (3, 4)), 2, axis=0)
            c.call("lax.top_k", ramp(d, (70,)), 5)
            c.call("lax.top_k", ramp(d, (70,)), 2)
        if "complex" not in d and d != "bool":
            for k in (0, 2, -1):
                c.call("numpy.partition", ramp(d, (3, 5)), k)
                c.call("numpy.argpartition", ramp(d, (3, 5)), k)
            c.call("numpy.partition", ramp(d, (3, 5)), 1, 0)
            c.call("numpy.argpartition", ramp(d, (3, 5)), 1, axis=0)
        if "float" in d:
            for name in ("lax.approx_max_k", "lax.approx_min_k"):
                c.call(name, ramp(d, (12,)), 3)
                c.call(name, ramp(d, (3, 4)), 2, reduction_dimension=0)
                c.vjp(name, c.draw(d, (6,)), 2)
        if d in c.inexact:
            for name in ("numpy.sort", "lax.sort", "numpy.sort_complex"):
                c.vjp(name, c.draw(d, (3, 4)))
            c.vjp("numpy.sort", c.draw(d, (3, 4)), 0, descending=True)
            if "complex" not in d:
                c.vjp("lax.top_k", c.draw(d, (3, 4)), 2)
                c.vjp("numpy.partition", c.draw(d, (3, 4)), 1)
    f = "float64" if c.x64 else "float32"
    x = ramp(f, (3, 4))
    for name in ("numpy.sort", "numpy.argsort"):
        for shape, axis in (((0,), -1), ((0, 3), 0), ((0, 3), 1), ((3, 0), 0), ((3, 4), 2), ((3, 4), -3), ((), -1), ((), None), ((1,), 0),
                            ((3, 4), 0.5)):
            c.call(name, ramp(f, shape), axis)
        c.call(name, x, stable=False)
        for v in (2, 2.5, None, [1.0, 2.0]):
            c.call(name, v)
    for t in ("int8", "float32"):
        c.call("numpy.argsort", x, dtype=t)
    for keys, kw in (((x, x), {"axis": 0}), ((), {}), ((x, x[0]), {}), ((1, 2), {}), ((x, x), {"axis": 4}), ((x[0],), {}),
                     ((ramp(f, (2, 0)),) * 2, {}), ((x[0], x[1], x[2]), {})):
        c.call("numpy.lexsort", keys, **kw)
    for args in ((x, 9), (x, -5), (x, 3), (x, 1, 5), (ramp(f, ()), 0), (ramp("bool", (3,)), 1), (ramp("complex64", (3,)), 1),
                 (ramp(f, (3, 0)), 0), (ramp(f, (1,)), 0)):
        c.call("numpy.partition", *args)
        c.call("numpy.argpartition", *args)
    # NaN is larger than all numbers; JAX takes what negation makes of it.
    nans = jnp.array([3, NAN, 1.0, NAN, np.inf], f)
    c.expect(jnp.array([1, 3, np.inf, NAN, NAN], f), "numpy.partition", nans, 2)
    c.expect(jnp.array([2, 0, 4, 1, 3], "int32"), "numpy.argpartition", nans, 2)
    for v in (3.0, ramp(f, (0,)), ramp(f, (2, 0)), True):
        c.call("numpy.sort_complex", v)
    for args, kw in (((x,), {"dimension": 2}), ((x,), {"dimension": -3}), ((x,), {"dimension": 0}), (((x, x[:2]),), {}),
                     (((x, x),), {"num_keys": 3}), (((x, x),), {"num_keys": 0}), (((),), {}), ((ramp(f, ()),), {}),
                     (((x, x),), {"is_stable": False}), ((ramp(f, (0, 3)),), {})):
        c.call("lax.sort", *args, **kw)
    for args in ((x, 5), (x, -1), (ramp(f, ()), 1), (x, 0), (x, 4), (ramp("complex64", (3,)), 1)):
        c.call("lax.top_k", *args)
        if args[1] > 0:
            c.call("lax.approx_max_k", *args)
    c.call("lax.top_k", x, 2, axis=3)
    c.call("lax.sort_key_val", x, x[:2])
    c.call("lax.sort_key_val", x, x, 0)
    c.call("lax.approx_max_k", jnp.arange(5), 2)


def cumulative(c):
    names = ("cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp")
    c.tolerance("numpy.cumsum numpy.cumprod numpy.nancumsum numpy.nancumprod numpy.cumulative_sum numpy.cumulative_prod lax.cumsum "
                "lax.cumprod", 12, 4)
    c.tolerance("lax.cumlogsumexp", 8, 4)
    for d in c.dtypes:
        for name in ("cumsum", "cumprod", "nancumsum", "nancumprod"):
            name = "numpy." + name
            for x in (ramp(d, (2, 3)), ramp(d, ()), ramp(d, (40,))):
                c.call(name, x)
            c.call(name, ramp(d, (2, 3)), 0)
            c.call(name, ramp(d, (2, 3)), -1)
            if d in c.inexact:
                c.vjp(name, c.draw(d, (2, 3)), 1)
                c.vjp(name, jnp.array([1, 0, 2, 0, 3], d))
            for t in ("float32", "int32", "bool", "complex64"):
                c.call(name, ramp(d, (4,)), dtype=t)
        for name in ("numpy.cumulative_sum", "numpy.cumulative_prod"):
            c.call(name, ramp(d, (5,)))
            c.call(name, ramp(d, (2, 3)), axis=1, include_initial=True)
            c.call(name, ramp(d, (2, 3)), axis=0)
            c.call(name, ramp(d, (4,)), dtype="float32", include_initial=True)
            if d in c.inexact:
                c.vjp(name, c.draw(d, (2, 3)), axis=-1, include_initial=True)
        for name in names:
            if name == "cumlogsumexp" and d not in c.inexact:
                continue
            name = "lax." + name
            c.call(name, ramp(d, (7,)))
            c.call(name, ramp(d, (2, 3)), axis=1, reverse=True)
            c.call(name, ramp(d, (3, 2)), 0)
            if "complex" not in d:
                c.call(name, corner(d)[:-1] if "prod" in name or "log" in name else corner(d))
            if d in c.inexact:
                c.vjp(name, c.draw(d, (5,)))
                c.vjp(name, c.draw(d, (2, 3)), axis=1, reverse=True)
                if "complex" not in d and "16" not in d:
                    c.vjp(name, c.draw(d, (4,)), order=2)
                    c.vjp(name, jnp.array([1, 1, 0, 2, 2, 2, -1, 0], d))
    f = "float64" if c.x64 else "float32"
    c.vjp("lax.cumlogsumexp", jnp.array([-np.inf, 2, 0, -np.inf], f))
    for name in names:
        for args, kw in (((ramp(f, (3,)), 1), {}), ((ramp(f, (3,)), -1), {}), ((ramp(f, ()),), {}), ((ramp(f, (0,)),), {}),
                         ((ramp(f, (0, 3)), 1), {}), ((ramp("bool", (3,)),), {}), ((ramp(f, (1,)),), {"reverse": True})):
            c.call("lax." + name, *args, **kw)
    for name in ("cumsum", "cumprod", "nancumsum", "nancumprod"):
        for args in ((ramp(f, (3,)), 1), (ramp(f, (3,)), -2), (ramp(f, (0,)),), (ramp(f, (0, 2)), 0), (1.5,), (2,),
                     (True,), ([1.0, 2.0],), (None,), (jnp.array([1, NAN, 2, np.inf, -np.inf, 1], f),)):
            c.call("numpy." + name, *args)
    for name in ("cumulative_sum", "cumulative_prod"):
        for x, kw in ((ramp(f, (2, 3)), {}), (ramp(f, ()), {}), (ramp(f, (0,)), {"include_initial": True}), (2, {}), ([1], {}),
                      (ramp(f, (3,)), {"axis": 1}), (ramp(f, (2, 3)), {"axis": -2, "include_initial": True})):
            c.call("numpy." + name, x, **kw)


def bits(c):
    ints = [d for d in c.dtypes if "int" in d]
    for d in ints:
        for name in ("lax.clz", "lax.population_count", "numpy.bitwise_count"):
            c.call(name, corner(d))
            c.call(name, ramp(d, (2, 3)))
        c.call("lax.mulhi", corner(d), corner(d)[::-1])
        c.call("lax.mulhi", corner(d), corner(d)[-1:])
    for name in ("lax.clz", "lax.population_count", "numpy.bitwise_count"):
        for v in (5, -5, True, 2.0, ramp("float32", (2,)), ramp("complex64", (2,)), ramp("bool", (3,)), ramp("int32", (0,)), [1]):
            c.call(name, v)
    for d in c.floats:
        x = corner(d)
        if True:
            c.call("lax.nextafter", x, x[::-1])
            c.call("lax.nextafter", x, jnp.zeros_like(x))
            c.call("numpy.nextafter", x, x[::-1])
            c.call("numpy.nextafter", x, 2)
            c.call("numpy.spacing", x)
        for e, m in ((5, 10), (8, 7), (4, 3), (8, 0), (3, 60), (40, 2), (1, 1)):
            c.call("lax.reduce_precision", x, e, m)
        c.vjp("lax.reduce_precision", c.draw(d, (4,)), 5, 6)
    f = "float64" if c.x64 else "float32"
    x = ramp(f, (2, 3, 4))
    for args in ((x, 0, 3), (x, 5, -1), (ramp("int32", (2,)), 5, 5), (2.5, 5, 5), (ramp("complex64", (2,)), 5, 5)):
        c.call("lax.reduce_precision", *args)
    for args in ((1, 2), (1.0, 2.0), (ramp(f, (3,)), 2.0), (ramp("int32", (3,)), ramp("int32", (3,))), (x, ramp(f, (4,)))):
        c.call("lax.nextafter", *args)
    for args in ((1, 2), (ramp("int32", (3,)), ramp(f, (3,))), (True, 1), (ramp("complex64", (2,)), 1), (x, ramp(f, (3,)))):
        c.call("numpy.nextafter", *args)
    for v in (1, 2.5, True, ramp("int32", (3,)), ramp("complex64", (2,)), ramp(f, (0,))):
        c.call("numpy.spacing", v)
    for args in ((x, (1, 2), 1), (x, (1, 1)), (x, [4, 0], -1), (x, (1, 2)), (x, (3, -1), 0), (x, (2,), 3), (ramp(f, ()), (1,)), (x, ())):
        c.call("lax.split", *args)
    for d in c.dtypes:
        c.call("lax.split", ramp(d, (4, 2)), (1, 3))
    c.vjp("lax.split", c.draw(f, (4, 2)), (1, 3))
    for args in ((x, 0), (x, 1), (x, 0, 2), (x, -2), (x, 1, 1), (x, 1, 0), (x, 0, 7), (x, 3), (ramp(f, ()), 0), (x, -3, -1)):
        c.call("lax.collapse", *args)
    for args in ((x, 5), (x, 3), (x, 1), (ramp(f, ()), 2), (x, 0)):
        c.call("lax.broadcast_to_rank", *args)


def searching(c):
    for d in c.dtypes:
        x = jnp.sort(ramp(d, (9,)))
        for side in ("left", "right"):
            for method in ("scan", "scan_unrolled", "sort", "compare_all"):
                c.call("numpy.searchsorted", x, ramp(d, (2, 5), 2), side, method=method)
            if "complex" not in d:
                c.call("numpy.searchsorted", jnp.sort(corner(d)), corner(d), side)
        if "complex" not in d and d != "bool":
            for right in (False, True):
                c.call("numpy.digitize", ramp(d, (12,)), x[::2], right)
                c.call("numpy.digitize", ramp(d, (12,)), x[::-1], right)
    f = "float64" if c.x64 else "float32"
    a = jnp.array([1, 2, 2, 3], f)
    for args, kw in (((a, 2.0), {}), ((a, ramp(f, (2, 0))), {}), ((ramp(f, (0,)), a), {}), ((ramp(f, (2, 2)), 1), {}), ((a, 1, "up"), {}),
                     ((a, 1), {"method": "up"}), ((jnp.array([3, 1, 2]), 2), {"sorter": jnp.array([1, 2, 0])}), ((3, 3), {}),
                     ((jnp.arange(4), 1.5), {}), ((ramp("int8", (1,)), jnp.int32(300)), {}), ((a, NAN), {}), (([1.0], 1), {}),
                     ((jnp.array([1, NAN, NAN], f), NAN), {"side": "right"}), ((jnp.array([-0.0, 0.0], f), 0.0), {}),
                     ((jnp.arange(100), ramp("int32", (7,), 9)), {})):
        c.call("numpy.searchsorted", *args, **kw)
    for args, kw in (((a, a), {}), ((2, a), {}), ((a, 3), {}), ((a, ramp(f, (2, 2))), {}), ((a, ramp(f, (0,))), {}),
                     ((a, a), {"method": "sort"}), ((a, a), {"method": "no"}), ((jnp.array([NAN, 1], f), a), {})):
        c.call("numpy.digitize", *args, **kw)


def scans(c):
    c.tolerance("lax.reduce lax.associative_scan", 8, 4)
    f = "float64" if c.x64 else "float32"
    x = ramp(f, (3, 5))
    for d in c.dtypes:
        for name in ("add", "mul", "max"):
            if d == "bool" and name != "max":
                continue
            one, combine = jnp.ones((), d), c.function("lax." + name)
            if name == "mul" or d == ("int64" if c.x64 else "int32"):
                c.call("lax.reduce", ramp(d, (4, 3)), 1, combine, (0,))
            else:  # JAX refuses a plain number of another type, unless it is what changes nothing
                c.expect(jax.lax.reduce(ramp(d, (4, 3)), one, getattr(jax.lax, name), (0,)), "lax.reduce", ramp(d, (4, 3)), 1, combine, (0,))
            c.call("lax.reduce", ramp(d, (4, 3)), jnp.zeros((), d), c.function("lax." + name), (0, 1))
            c.call("lax.associative_scan", c.function("lax." + name), ramp(d, (7,)))
        c.call("lax.associative_scan", c.function("lax.add"), ramp(d, (3, 4)), reverse=True, axis=1) if d != "bool" else None
    for args in ((x, 0.0, c.function("lax.add"), (1,)), (x, 0.0, c.function("lax.add"), (2,)),
                 (x, 0.0, c.function("lax.add"), (-1,)), (x, 0.0, c.function("lax.add"), (0, 0)),
                 (x, jnp.zeros(2, f), c.function("lax.add"), (0,)), (ramp(f, (0, 3)), 2.0, c.function("numpy.logaddexp"), (0,)),
                 (x, -jnp.inf, c.function("numpy.logaddexp"), (0,)), (ramp(f, ()), 0.0, c.function("lax.add"), (0,))):
        c.call("lax.reduce", *args)
    c.expect(jnp.maximum(x, 2), "lax.reduce", x, 2.0, c.function("lax.max"), ())  # JAX forgets the start
    c.vjp("lax.reduce", c.draw(f, (3, 5)), -jnp.inf, c.function("numpy.logaddexp"), (1,))
    c.vjp("lax.associative_scan", c.function("lax.mul"), c.draw(f, (6,)), argnums=1)
    for args in ((x,), (ramp(f, (0,)),), (ramp(f, (1,)),), (ramp(f, ()),)):
        c.call("lax.associative_scan", c.function("lax.add"), *args)
    c.call("lax.associative_scan", c.function("lax.add"), x, axis=2)
    c.call("lax.associative_scan", c.function("lax.add"), x, axis=-1)


def cases(c):
    scans(c)
    sorting(c)
    cumulative(c)
    bits(c)
    searching(c)
