"""Calls of lax's elementwise and shape functions, slices, reductions, gather and scatter: see functions.py."""
import jax.numpy as jnp
import numpy as np
from functions import corner, ramp, weak
from jax import lax

UNARY = """neg sign abs floor ceil is_finite sqrt rsqrt cbrt square exp exp2 expm1 log log1p logistic sin cos tan asin acos atan sinh cosh
tanh asinh acosh atanh erf_inv real imag conj bitwise_not reciprocal stop_gradient round stage""".split()
BINARY = """add sub mul div rem max min pow atan2 complex eq ne lt le gt ge bitwise_and bitwise_or bitwise_xor shift_left
shift_right_logical shift_right_arithmetic""".split()
REDUCTIONS = "reduce_sum reduce_prod reduce_max reduce_min reduce_and reduce_or reduce_xor".split()
SCATTERS = "scatter scatter_add scatter_sub scatter_mul scatter_min scatter_max".split()
# Points inside of the domain of a derivative.
INSIDE = {"asin": 0.2, "acos": 0.2, "atanh": 0.2, "erf_inv": 0.2}
POSITIVE = ("sqrt", "rsqrt", "cbrt", "log", "log1p", "acosh")


def cases(c):
    elementwise(c)
    choices(c)
    conversions(c)
    creation(c)
    shapes(c)
    slices(c)
    reductions(c)
    gathers(c)
    scatters(c)
    collectives(c)
    others(c)
    if c.x64:
        barriers(c)


def barriers(c):
    f = "lax.optimization_barrier"
    for d in c.dtypes + ["bool", "int8", "bfloat16", "float16", "complex64"]:
        c.call(f, corner(d))
        c.call(f, ramp(d, (0, 2)))
        if d in c.inexact:
            c.vjp(f, c.draw(d, (3,)))
    for x in (2, 0.5, True, 0.25j, None, [1.0, {"a": corner("int32")}], (), "a"):
        c.call(f, x)


def floats_of(c):
    return "float64" if c.x64 else "float32"


def elementwise(c):
    for name in UNARY:
        c.tolerance("lax." + name, 32 if name in ("exp2", "expm1", "sinh", "cosh", "tan") else 4, 2)  # XLA's own errors
    for name in UNARY:
        f = "lax." + name
        for d in c.dtypes:
            c.call(f, corner(d))
            if d in c.inexact and name not in ("is_finite", "stage"):
                x = c.draw(d, (3,), INSIDE.get(name, 1))
                if name in POSITIVE:  # complex acosh with a real part below 0: docs/differences.md
                    x = abs(x).astype(d) + 1 if "complex" not in d or name == "acosh" else x
                c.vjp(f, x)
        numbers = (2, 0.5, True, 0.25j) if name != "stop_gradient" else ()
        for x in numbers + (weak(ramp(floats_of(c), (2,))), ramp(floats_of(c), (0, 2)), ramp(floats_of(c), (1, 2))):
            c.call(f, x)
        if not c.x64:
            for x in (None, [1.0], "a"):
                if name == "conj" and x is None:
                    c.expect(TypeError, f, x)  # JAX asks for its dtype first: ValueError
                elif name != "stop_gradient" or x is None:
                    c.call(f, x)
    for name in BINARY:
        c.tolerance("lax." + name, 2 if name != "pow" else 4, {"complex": 2, "atan2": 4}.get(name, 0))
        f = "lax." + name
        for d in c.dtypes:
            x = corner(d)[1:-1] if name == "pow" and "complex" in d else corner(d)  # complex 0 ** w: docs/differences.md
            c.call(f, x, x[::-1])
            c.call(f, x[:4], jnp.array([1, 2, 0, 3], d))
            if d in c.inexact and name in ("add", "sub", "mul", "div", "rem", "max", "min", "pow", "atan2", "complex"):
                x, y = c.draw(d, (3,)), c.draw(d, (3,), seed=1)
                c.vjp(f, x if name != "pow" or "complex" in d else abs(x) + 1, y, argnums=(0, 1))
        d = floats_of(c)
        i = ramp("int32", (3,))
        x = ramp(d, (3,))
        # Plain numbers take the other operand's dtype (docs/differences.md); JAX wants it to be theirs already.
        fits = name not in ("complex", "atan2") and not name.startswith("shift") and not name.startswith("bitwise")
        for a, b, typed in ((x, 2, (x, x.dtype.type(2))), (weak(x), 1, (weak(x), x.dtype.type(1)))):
            if name == "pow":
                c.call(f, a, b)
            elif fits or name in ("complex", "atan2"):
                c.expect(getattr(lax, name)(typed[0], jnp.asarray(typed[1])), f, a, b)
        for a, b in ((i, 2), (2, i)):
            if name in ("complex", "atan2", "pow"):
                c.call(f, a, b)
            else:
                c.expect(getattr(lax, name)(jnp.asarray(a, "int32"), jnp.asarray(b, "int32")), f, a, b)
        for args in ((2.5, x), (i, 2.5), (x, i), (1, 2), (1.5, 2), (x, x[:2]), (x, ramp(d, (1, 3))), (x, jnp.ones((), d)),
                     (jnp.ones((1,), d), x), (ramp(d, (2, 3)), ramp(d, (2, 1))), (ramp(d, (0, 3)), 2.0), (weak(x), x),
                     (True, ramp("bool", (3,)))):
            c.call(f, *args)
        if not c.x64:
            for args in ((x,), (None, x), ("a", x), ([1.0], x), (x, 1j)):
                c.call(f, *args)
    x = corner("float32")
    for y in (0, 1, 2, 3, 7, -1, -2, -5):
        for d in c.dtypes:
            if y in (2, 3, -2) or d in ("float32", "int32", "complex128"):
                c.call("lax.integer_pow", corner(d)[:6], y)
        c.vjp("lax.integer_pow", c.draw(floats_of(c), (3,)), y)
    c.tolerance("lax.integer_pow", 4, 2)
    for y in (1.5, None, x[2]):
        c.call("lax.integer_pow", x, y)
    for d in c.floats:
        ties = jnp.array([0.5, 1.5, 2.5, -0.5, -1.5, 0.49999997, 1e9], d)
        c.call("lax.round", ties, lax.RoundingMethod.TO_NEAREST_EVEN)
        c.call("lax.round", ties, lax.RoundingMethod.AWAY_FROM_ZERO)
    for m in (0, 1, 2, "up"):
        c.call("lax.round", x, m)


def choices(c):
    for d in c.dtypes:
        x, y = ramp(d, (2, 3)), ramp(d, (2, 3), 2)
        p = x == y if d == "bool" else jnp.real(x) > 0
        if "complex" in d:  # compared by real part, then imaginary part, as in max and min; JAX forgets the imaginary part
            c.expect(jnp.array([1, 1, 1, 1 + 2j, 1, 3 - 0.25j], d), "lax.clamp", jnp.array(1, d), corner(d), jnp.array(3, d))
        else:
            c.call("lax.clamp", jnp.array(1, d), corner(d), jnp.array(3, d))
        c.call("lax.clamp", x, y, x)
        c.call("lax.select", p, x, y)
        c.call("lax.select", jnp.array(True), x, y)
        c.call("lax.select_n", p, x, y)
        c.call("lax.select_n", jnp.array([[0, 1, 2]] * 2, "int32"), x, y, x)
        if d in c.inexact:
            c.vjp("lax.select", p, c.draw(d, (2, 3)), y, argnums=(1, 2))
            c.vjp("lax.select_n", p, c.draw(d, (2, 3)), y, argnums=(1, 2))
            if "complex" not in d:  # the bounds have a shape: JAX cannot differentiate by scalar ones
                c.vjp("lax.clamp", jnp.full((4,), -1, d), c.draw(d, (4,)), jnp.full((4,), 1, d), argnums=(0, 1, 2))
    d = floats_of(c)
    x, p = ramp(d, (2, 3)), ramp("bool", (2, 3))
    c.expect(lax.clamp(0.0, x, 1.0), "lax.clamp", 0, x, 1)  # plain numbers, as above
    for args in ((0.0, x, 1.5), (x[0], x, x), (0, ramp("int32", (3,)), 1.5), (1.0, x, 0.0), (0, 5, 3), (jnp.nan, x, 1.0), (x, 1.0, x),
                 (0.0, x[:, :0], 1.0), (None, x, 1), (0.0, jnp.array([jnp.nan, 1.0], d), 0.5), (0.0, x, x[:1])):
        c.call("lax.clamp", *args)
    for args in ((p, x, 1.0), (p, 0, 1), (p, x, x[:1]), (p[0], x, x), (p[:, :1], x, x), (x, x, x), (1, x, x), (True, 1, 2), (True, 1, 2.0),
                 (p, x, ramp("int32", (2, 3))), (p[:0], x[:0], x[:0])):
        c.call("lax.select", *args)
        c.call("lax.select_n", *args)
    for args in ((p,), (p, x), (p, x, x, x), (jnp.array(5, "int32"), x, x), (jnp.array(-1, "int32"), x, x), (ramp("uint8", (2, 3)), x, x),
                 (jnp.array(1, "int32"), 1, 2, 3)):
        c.call("lax.select_n", *args)


def conversions(c):
    to = ("bool", "int8", "uint16", "float16", "float32", "complex64") if not c.x64 else ("int64", "uint32", "float64", "complex128")
    for d in c.dtypes:
        for t in to:
            x = corner(d)
            c.call("lax.convert_element_type", x[1:4] if "complex" in d else x, jnp.dtype(t))
    for x in (1, 2.5, True, 1j, weak(ramp("float32", (2,)))):
        for t in (jnp.dtype("float32"), jnp.dtype("int32"), float, int, bool, complex, None, "foo"):
            c.call("lax.convert_element_type", x, t)
    c.call("lax.convert_element_type", [1.0], jnp.dtype("int8"))
    for d in c.inexact:
        c.vjp("lax.convert_element_type", c.draw(d, (3,)), jnp.dtype("float32"))
    for d in c.dtypes:
        for t in to + (d,):
            for shape in ((1, 2), (2,), (1, 8)):
                c.call("lax.bitcast_convert_type", ramp(d, shape), jnp.dtype(t))
    for x in (1, 2.5, ramp("float32", ())):
        for t in ("int32", "int16", "int8", "float32"):
            c.call("lax.bitcast_convert_type", x, jnp.dtype(t))
    # Names and numbers instead of types.
    for t in ("int8", float, None):
        c.call("lax.bitcast_convert_type", ramp("float32", (2,)), t)


def creation(c):
    x = ramp(floats_of(c), (2, 3))
    for d in c.dtypes:
        v = ramp(d, (4,))[1]
        c.call("lax.full", (2,), v)
        c.call("lax.full", (2, 1), 1, jnp.dtype(d))
        c.call("lax.full_like", ramp(d, (2, 2)), 1)
        c.call("lax.full_like", ramp(d, (2,)), 1.5)
        c.call("lax.full_like", x, v, jnp.dtype(d))
        c.call("lax.full_like", ramp(d, (2,)), 1, shape=(3, 1))
        c.call("lax.empty", (2, 2), jnp.dtype(d))
        c.call("lax.empty", (0,), jnp.dtype(d))
        c.call("lax.dtype", v)
        c.call("lax.dtype", jnp.dtype(d))
        c.call("lax.broadcast_like", ramp(d, (3,)), x)
        c.call("lax.broadcast_like", ramp(d, (2, 1)), x)
        c.call("lax.stack", [ramp(d, (2,)), ramp(d, (2,), 2)])
        c.call("lax.stack", (ramp(d, (2, 2)),) * 3, -1)
        c.call("lax.unstack", ramp(d, (2, 3)))
        c.call("lax.unstack", ramp(d, (2, 3)), 1)
        c.call("lax.tile", ramp(d, (2, 2)), (2, 1))
        c.call("lax.tile", ramp(d, (2,)), (3,))
        if d in c.inexact:
            c.vjp("lax.broadcast_like", ramp(d, (3,)), x)
            c.vjp("lax.stack", [ramp(d, (2,))] * 2) if False else None
            c.vjp("lax.unstack", ramp(d, (2, 2)))
            c.vjp("lax.tile", ramp(d, (2, 2)), (1, 3))
    for args in (((2,), 1), ((2,), 1.5), ((2,), True), ((2,), 1j), (2, 1), ((), 1), ((0, 2), 1.0), ((2,), jnp.ones(2)), ((2, -1), 1), ((2.5,), 1),
                 ((2,), [1.0]), ((2,), 1, "foo"), ((2,), 300, jnp.dtype("int8")), ((2,), 1.7, jnp.dtype("int32")),
                 ((2,), jnp.nan, jnp.dtype("int32")), ((2,), 1, float), ((2,), weak(jnp.float32(1)))):
        c.call("lax.full", *args)
    c.expect(TypeError, "lax.full", (2,), None)  # JAX asks for its dtype first: ValueError
    c.expect(TypeError, "lax.full_like", x, None)
    c.expect(TypeError, "lax.full_like", None, 1)
    c.expect(jnp.zeros(2), "lax.empty", (2,), float)  # JAX's is float64, 64-bit types off
    for args, kw in (((1, 2), {}), ((1, 2.5), {}), ((1.5, 2), {}), ((x, jnp.ones(3)), {}), (([1.0], 1), {}), ((weak(x), 1), {}),
                     ((x, 1, None, (2,)), {}), ((x, 1, jnp.dtype("int8"), ()), {}), ((x, 1), {"shape": (-1,)})):
        c.call("lax.full_like", *args, **kw)
    for args in ((3, jnp.dtype("int8")), ((2,),), ((-1,), jnp.dtype("int8")), ((2,), bool), ((2,), "foo"), ((), jnp.dtype("int8")),
                 ((2.5,), jnp.dtype("int8"))):
        c.call("lax.empty", *args)
    for v in (1, 2.5, True, 1j, "int8", "foo", None, [1.0], float, int, bool, complex):
        c.call("lax.dtype", v)
    for args in ((1, x), (2.5, x), (x, x[0]), (x[:, :2], x), (x, x), (1, 2), (x, 1), (x[:1], x), (x, [1.0]), (x[:, :0], x), (x, x[:, :0]),
                 (weak(x[0]), x)):
        c.call("lax.broadcast_like", *args)
    for args in (((2, 3), (3,)), ((2, 3), (2,)), ((2, 1), (1, 3), ()), ((0,), (1,)), ((0,), (2,)), ((2, -1), (3,)), ((2, -1),), ((2.5,),),
                 ((2, 3),), ((), ()), ((1,), (5,), (5,)), ((1, 1), (2, 1), (1, 4)), ((3,), (4,)), ((2, 3, 4), (3, 1)), ((2, 3, 4), (1, 4), (3, 4)),
                 ((1,), (0,), (1,)), ((7, 1, 5), (1, 6, 5)), ((7, 1, 5), (2, 6, 5)), (None, (2,)), ("a",), ((1,) * 6, (2,))):
        c.call("lax.broadcast_shapes", *args)
    for args in (([x, x], 2), ([x, x], 3), ([x, x], -3), ([x, x], -4), ([],), ([x, x[0]],), ([x, x[:1]],), ([x, ramp("int32", (2, 3))],), ([1, 2],),
                 ([x, 1.0],), (x,), ([1, 2.5],), ([x[:0]] * 2,), (1.0,), ([x, x], 0.5), ([weak(x), x],)):
        c.call("lax.stack", *args)
    c.expect(jnp.array([1.5, 2], "float32"), "lax.stack", [1.5, jnp.float32(2)])
    for args in ((x, -1), (x, 2), (x, -3), (1.0,), (x[:0],), (x[:0], 1), (x, 0.5), (None,), ([1.0, 2.0],), (weak(x),)):
        c.call("lax.unstack", *args)
    for args in ((x, (2,)), (x, (0, 1)), (x, (-1, 1)), (x, (1, 2, 1)), (1.5, ()), (x, (1.5, 1)), (x, (1, 1)), (x[:, :0], (2, 2)), (weak(x), (1, 2)),
                 (x, None)):
        c.call("lax.tile", *args)
    for s in ((2, 3), (), (0,), (1,), (4, 5, 6), (2.5,), None, [2, 3], (1, 0, 1), (7,) * 5, (100000,), ("a",), (True,)):
        c.call("lax.shape_as_value", s)
    c.call("lax.shape_as_value", 2)


def shapes(c):
    f = floats_of(c)
    x = ramp(f, (2, 3))
    for d in c.dtypes:
        y = ramp(d, (2, 3))
        c.call("lax.broadcast_in_dim", y, (2, 2, 3), (1, 2))
        c.call("lax.broadcast", y, (2,))
        c.call("lax.reshape", y, (3, 2))
        c.call("lax.reshape", y, (6,), (1, 0))
        c.call("lax.transpose", y, (1, 0))
        c.call("lax.squeeze", y[:1], (0,))
        c.call("lax.expand_dims", y[0], (0,))
        c.call("lax.concatenate", [y, y[:1]], 0)
        c.call("lax.pad", y, jnp.array(1, d), ((1, 0, 0), (0, 2, 1)))
        c.call("lax.pad", y, jnp.array(1, d), ((-1, 1, 0), (-1, -1, 2)))
        c.call("lax.rev", y, (0, 1))
        c.call("lax.iota", jnp.dtype(d), 5)
        c.call("lax.iota", jnp.dtype(d), 0)
        c.call("lax.broadcasted_iota", jnp.dtype(d), (2, 3), 1)
        c.call("lax.broadcasted_iota", jnp.dtype(d), (2, 3), 0)
        if d in c.inexact:
            c.vjp("lax.broadcast_in_dim", y, (3, 2, 3), (1, 2))
            c.vjp("lax.broadcast", y, (2,))
            c.vjp("lax.reshape", y, (3, 2))
            c.vjp("lax.reshape", y, (3, 2), (1, 0))
            c.vjp("lax.transpose", y, (1, 0))
            c.vjp("lax.squeeze", y[:1], (0,))
            c.vjp("lax.expand_dims", y, (1,))
            c.vjp("lax.rev", y, (1,))
            c.vjp("lax.pad", y, jnp.array(1, d), ((1, -1, 1), (0, 2, 1)), argnums=(0, 1))
    for args in ((x, (2, 3), (0, 1)), (x[0], (3, 2), (0,)), (x[:1], (4, 3), (0, 1)), (1.5, (2,), ()), (x, (2, 3), (0,)), (x, (3, 2), (0, 1)),
                 (x, (2, 3, 4), (0, 0)), (x, (2, 3, 4), (1, 0)), (x, (2, 3), (0, 2)), (x, (2, 3), (-1, 0)), (x, (2, -3), (0, 1)), (x[:0], (0, 3), (0, 1)),
                 (1, (2, 2), ()), (weak(x), (1, 2, 3), (1, 2)), (x, (3,), (0, 1)), (x, (2, 2.5), (0, 1)), (None, (2,), ())):
        c.call("lax.broadcast_in_dim", *args)
    for args in ((x, ()), (x, (0,)), (x, (2, 1)), (1.5, (2,)), (1, (3,)), (x, (-1,)), (x, (1.5,)), (None, (2,)), (weak(x), (2,)), ([1.0], (2,))):
        c.call("lax.broadcast", *args)
    c.call("lax.broadcast", x, 2)
    for args in ((x, (6,)), (x, (2, 3)), (x, (5,)), (x, (-1,)), (x, (3, -1)), (x, ()), (1.5, ()), (1, (1, 1)), (x[:0], (3, 0)), (x[:0], (5,)),
                 (x, (3, 2), (1, 0)), (x, (3, 2), (0, 1)), (x, (3, 2), (0,)), (x, (3, 2), (0, 0)), (x, (3, 2), (0, 2)), (x, (2, 3), (1, 0)),
                 (x, 6), (x, (1.5, 4)), (None, (1,)), (weak(x), (6,)), (x, (2**31, 2**32))):
        c.call("lax.reshape", *args)
    y = ramp(f, (2, 3, 1))
    for args in ((y, (2, 0, 1)), (y, (0, 1, 2)), (y, (1, 0)), (y, (0, 0, 1)), (y, (0, 1, 3)), (y, (-1, 0, 1)), (1.5, ()), (y, ()), (y[:0], (2, 1, 0)),
                 (y, (1.5, 0, 2)), (y, None), (weak(y), (2, 1, 0))):
        c.call("lax.transpose", *args)
    for args in ((y, (2,)), (y, (-1,)), (y, ()), (y, (0,)), (y, (2, 2)), (y, (2, -1)), (y, (3,)), (y[:1], (0, 2)), (y[:1], (2, 0)), (1.5, ()),
                 (y, None), (y, (0.5,)), (weak(y), (2,))):
        c.call("lax.squeeze", *args)
    c.call("lax.squeeze", y, 2)
    for args in ((y, (0,)), (y, (-1,)), (y, (0, 1)), (y, (0, 0)), (y, (0, -5)), (y, ()), (y, (4,)), (y, (-5,)), (1.5, (0,)), (1, (0, 1)), (y, (3,)),
                 (y, (0, 4)), (y, (1.5,)), (weak(y), (0,)), (y, (4, 0, 2))):
        c.call("lax.expand_dims", *args)
    c.call("lax.expand_dims", y, 0)
    for args in (([x, x], 1), ([x, x], 0), ([x], 0), ([], 0), ([x, x[0]], 0), ([x, x[:, :1]], 1), ([x, x[:, :1]], 0), ([x, x], 2), ([x, x], -1),
                 ([x, ramp("int32", (2, 3))], 0), ([x[:0], x], 0), ([1.0, 2.0], 0), (x, 0), ([weak(x), x], 0), ([weak(x), weak(x)], 0), ([x, None], 0),
                 ([x, x], 0.5), ((x, x, x), 1)):
        c.call("lax.concatenate", *args)
    for args in ((x, 0.0, ((1, 1, 0), (0, 0, 0))), (x, 2.5, ((-1, 0, 0), (0, -2, 0))), (x, 0.0, ((-2, 0, 0), (0, 0, 0))),
                 (x, 0.0, ((-3, 0, 0), (0, 0, 0))), (x, 0.0, ((-3, 1, 0), (0, 0, 0))), (x, 0.0, ((0, 0, -1), (0, 0, 0))), (x, 0.0, ((0, 0, 0),)),
                 (x, jnp.zeros(1, f), ((0, 0, 0), (0, 0, 0))), (x, jnp.int8(1), ((0, 0, 0), (0, 0, 0))), (x[:0], 1.0, ((1, 1, 3), (0, 0, 0))),
                 (1.5, 0.0, ()), (x, 0.0, ((0, 0), (0, 0))), (x, 0.0, ((-1, 1, 1), (1, -1, 1))), (ramp("int32", (2,)), 1.5, ((1, 0, 0),)),
                 (x, 0.0, ((2, -5, 3), (0, 0, 0))), (x, 0.0, None), (weak(x), 0.0, ((1, 0, 0), (0, 0, 0))), 
                 (x, 0.0, ((1.5, 0, 0), (0, 0, 0)))):
        c.call("lax.pad", *args)
    for v in (0, True):  # plain numbers take the operand's dtype
        c.expect(lax.pad(x, jnp.asarray(v, f), ((1, 0, 0), (0, 0, 0))), "lax.pad", x, v, ((1, 0, 0), (0, 0, 0)))
    for args in ((x, (0,)), (x, (1,)), (x, ()), (x, (0, 0)), (x, (2,)), (x, (-1,)), (1.5, ()), (x[:0], (0, 1)), (y, (0, 2)), (x, None), (x, (0.5,)),
                 (weak(x), (1,))):
        c.call("lax.rev", *args)
    c.call("lax.rev", x, 1)
    for args in ((jnp.dtype("float32"), -1), (float, 3), (int, 3), (bool, 2), (bool, 3), (jnp.dtype("int32"), 2.5), ("foo", 3), (None, 3), (jnp.dtype("int8"), 200),
                 (jnp.dtype("int32"), (3,)), (complex, 3)):
        c.call("lax.iota", *args)
    for args in ((int, (2, 3), 2), (int, (2, 3), -1), (int, (2, -3), 0), (float, (3,), 0), (int, (), 0), (int, (0, 2), 1), (None, (2,), 0),
                 (bool, (2, 2), 1), (complex, (2,), 0)):
        c.call("lax.broadcasted_iota", *args)
    c.expect(TypeError, "lax.broadcasted_iota", int, (2, 3), 0.5)


def slices(c):
    f = floats_of(c)
    x, y = ramp(f, (4, 5)), ramp(f, (7,))
    i = jnp.int32
    for d in c.dtypes:
        z = ramp(d, (4, 5))
        c.call("lax.slice", z, (1, 0), (3, 5))
        c.call("lax.slice", z, (0, 1), (4, 5), (3, 2))
        c.call("lax.slice_in_dim", z, 1, 3)
        c.call("lax.dynamic_slice", z, (i(1), i(2)), (2, 2))
        c.call("lax.dynamic_slice", z, (i(9), i(-2)), (2, 2))
        c.call("lax.dynamic_update_slice", z, z[:2, :2], (i(1), i(2)))
        c.call("lax.dynamic_update_slice", z, z[:1, :2], (i(9), i(-2)))
        c.call("lax.index_take", z, [jnp.array([0, 3, -1]), jnp.array([1, 7, -9])], (0, 1))
        if d in c.inexact:
            c.vjp("lax.slice", z, (1, 1), (4, 4), (1, 2))
            c.vjp("lax.slice_in_dim", z, 0, 3, 2, 1)
            c.vjp("lax.dynamic_slice", z, (i(3), i(-2)), (2, 2))
            c.vjp("lax.dynamic_update_slice", z, z[:2, :2], (i(1), i(9)), argnums=(0, 1))
            c.vjp("lax.index_take", z, [jnp.array([0, 3, 0])], (1,))
    for args in ((y, (0,), (7,)), (y, (2,), (2,)), (y, (3,), (2,)), (y, (0,), (8,)), (y, (0,), (7,), (0,)), (y, (0,), (7,), (-1,)),
                 (y, (1,), (7,), (10,)), (y, (0, 0), (1, 1)), (y, (0,), (1, 1)), (y, (0,), (5,), (1, 1)), (1.5, (), ()), (y, [1], [3]), (y, (0.5,), (3,)),
                 (y, (0,), (5,), None), (y[:0], (0,), (0,)), (weak(y), (1,), (3,)), (x, (0, 0), (4, 5), (2, 3))):
        c.call("lax.slice", *args)
    c.call("lax.slice", y, 1, 3)
    c.expect(TypeError, "lax.slice", y, (-1,), (2,))  # JAX gives 3 elements
    for args, kw in (((x, 1, 3), {}), ((x, -2, 4), {}), ((x, 0, -1), {}), ((x, None, 3), {}), ((x, 1, None), {}), ((x, 0, 4, 2), {}), ((x, 0, 5, 2, 1), {}),
                     ((x, 0, 5), {"axis": -1}), ((x, 0, 9), {}), ((x, 3, 1), {}), 
                     ((x, 0, 3, 0), {}), ((x, 0, 3, -1), {}), ((x, -9, 3), {}), ((1.5, 0, 1), {}), ((x, 0.5, 1), {})):
        c.call("lax.slice_in_dim", *args, **kw)
    for axis in (2, -3):
        c.call("lax.slice_in_dim", x, 0, 3, axis=axis)
    for start in ((0,), (6,), (-1,), (-9,), (99,), (i(3),), (i(-3),), (jnp.uint8(250),), (jnp.int8(-2),), (jnp.int8(5),), (1.5,), (jnp.float32(1),), (True,)):
        c.call("lax.dynamic_slice", y, start, (3,))
        c.call("lax.dynamic_update_slice", y, y[:3] + 10, start)
    for d in ("int8", "uint8", "int16", "uint32"):
        big = jnp.arange(300, dtype=f)
        c.call("lax.dynamic_slice", big, (jnp.array(120, d),), (2,))
        if d == "int8":  # JAX adds 300 in 8 bits
            c.expect(big[294:296], "lax.dynamic_slice", big, (jnp.array(-6, d),), (2,))
        else:
            c.call("lax.dynamic_slice", big, (jnp.array(250, d),), (2,))
    for args, kw in (((y, (0,), (8,)), {}), ((y, (0,), (-1,)), {}), ((y, (0, 0), (3,)), {}), ((y, (0,), (3, 3)), {}), ((y, (), ()), {}),
                     ((y, jnp.array([2]), (3,)), {}), ((x, jnp.array([2, 9]), (2, 2)), {}), ((y, (jnp.array([2]),), (3,)), {}), ((y, (0,), (0,)), {}),
                     ((x, (i(1), jnp.int8(1)), (2, 2)), {}), ((y, 2, (3,)), {}), ((y, (-2,), (2,)), {"allow_negative_indices": False}),
                     ((y, (i(-2),), (2,)), {"allow_negative_indices": False}), ((x, (i(-1), i(-1)), (1, 2)), {"allow_negative_indices": (True, False)}),
                     ((y[:0], (0,), (0,)), {}), ((y, (0,), (2.5,)), {}), ((weak(y), (1,), (2,)), {})):
        c.call("lax.dynamic_slice", *args, **kw)
    c.expect(weak(jnp.asarray(1.5, f)), "lax.dynamic_slice", 1.5, (), ())  # JAX fails on arrays without axes
    c.expect(weak(jnp.asarray(2.5, f)), "lax.dynamic_update_slice", 1.5, 2.5, ())
    for args, kw in (((y, jnp.ones(8, f), (0,)), {}), ((y, 1.0, (0,)), {}), ((y, ramp("int32", (2,)), (0,)), {}), ((x, x[0], (0, 0)), {}), ((y, y[:2], (0, 0)), {}),
                     ((y, y[:2], jnp.array([3])), {}), ((y, y[:0], (3,)), {}), ((x, x[:2, :2], (i(1), jnp.uint8(1))), {}),
                     ((y, y[:2], (-2,)), {"allow_negative_indices": False}), ((y, y[:2], (i(-2),)), {"allow_negative_indices": False}), ((y, None, (0,)), {}),
                     ((y, y, (5,)), {}), ((weak(y), y[:2], (1,)), {})):
        c.call("lax.dynamic_update_slice", *args, **kw)
    # JAX wants index vectors and axes in order, and lets axes be too many.
    c.expect(x[jnp.array([[0, 1]])], "lax.index_take", x, [jnp.array([[0, 1]])], (0,))
    c.expect(x[jnp.array([0, 1]), jnp.array([0, 1])], "lax.index_take", x, [jnp.array([0, 1])] * 2, (1, 0))
    c.expect(ValueError, "lax.index_take", x, [jnp.array([0])], (0, 1))
    for args in ((x, [jnp.array([0, 1])], (0,)), (x, [jnp.array([0, 1])], (1,)),
                 (x, [jnp.array([0.5])], (0,)), (x, [jnp.array([0])], (2,)), (x, [], ()), (x, [jnp.array([0], "uint8")], (0,)),
                 (x, [jnp.array([0]), jnp.array([0, 1])], (0, 1)), (x, [jnp.zeros(0, "int32")], (0,))):
        c.call("lax.index_take", *args)


def reductions(c):
    for name in REDUCTIONS:
        c.tolerance("lax." + name, 8 if name in ("reduce_sum", "reduce_prod") else 0, 4)
    for name in REDUCTIONS:
        f = "lax." + name
        for d in c.dtypes:
            c.call(f, ramp(d, (2, 3)), (0,))
            c.call(f, ramp(d, (2, 3)), (0, 1))
            if d in c.inexact and name not in ("reduce_and", "reduce_or", "reduce_xor"):
                c.vjp(f, c.draw(d, (2, 3)), (1,))
        d = floats_of(c) if name in ("reduce_sum", "reduce_prod", "reduce_max", "reduce_min") else "int32"
        x = ramp(d, (2, 3))
        for axes in ((), (1,), (-1,), (2,), (-3,), (0, 0), (1, -1), [0], None, (0.5,)):
            if d == "int32" and axes == (0.5,):  # JAX's is IndexError
                c.expect(TypeError, f, x, axes)
            else:
                c.call(f, x, axes)
        c.call(f, x, 1)
        for y, axes in ((x[:0], (0,)), (x[:0], (1,)), (x[:, :0], (1,)), (ramp(d, ()), ()), (2, ()), (True, ()), (weak(x), (0,)), (None, (0,)), ([1, 2], (0,))):
            c.call(f, y, axes)
        for y in (corner("float32"), corner("int8"), corner("uint32"), jnp.zeros(0, "bool"), jnp.ones((2, 2), "bool")):
            c.call(f, y, (0,))
    for name in ("argmax", "argmin"):
        f = "lax." + name
        for d in c.dtypes:
            c.call(f, ramp(d, (3, 4)), 0, jnp.dtype("int32"))
            c.call(f, ramp(d, (3, 4)), 1, jnp.dtype("uint8"))
            c.call(f, corner(d), 0, jnp.dtype("int64"))
        x = ramp(floats_of(c), (3, 4))
        for args in ((x, 2, jnp.dtype("int32")), (x, -1, jnp.dtype("int32")), (x, 0, jnp.dtype("float32")), (x, 0, jnp.dtype("bool")), (x[:0], 0, jnp.dtype("int32")),
                     (x[:0], 1, jnp.dtype("int32")), (1.5, 0, jnp.dtype("int32")), (x, None, jnp.dtype("int32")), (x, 0, int), (x, 0), (x, 0.5, jnp.dtype("int32")),
                     (jnp.array([-0.0, 0.0]), 0, jnp.dtype("int32")), (jnp.array([1, jnp.nan, 3, jnp.nan]), 0, jnp.dtype("int32")), (weak(x), 0, jnp.dtype("int8")),
                     (jnp.array([jnp.inf, -jnp.inf, jnp.inf]), 0, jnp.dtype("int32")), (x, 0, None)):
            c.call(f, *args)


def gathers(c):
    f = floats_of(c)
    G = lax.GatherDimensionNumbers
    x = ramp(f, (3, 4))
    rows = G((1,), (0,), (0,))
    i = jnp.array([[0], [2], [-1], [5]])
    M = lax.GatherScatterMode
    for d in c.dtypes:
        c.call("lax.gather", ramp(d, (3, 4)), i, rows, (1, 4))
        c.call("lax.gather", ramp(d, (3, 4)), i, rows, (1, 2), mode="clip")
        if d in c.inexact:
            # No index outside: JAX drops the cotangents of what it clipped.
            c.vjp("lax.gather", ramp(d, (3, 4)), jnp.array([[0], [2], [0]]), rows, (1, 4))
    for d in ("int8", "uint8", "uint32", "float32", "bool"):
        c.call("lax.gather", x, jnp.array([[1], [2]], d), rows, (1, 4))
    for mode in ("fill", "drop", "clip", "promise_in_bounds", "wrap", "CLIPS", None, M.CLIP, M.FILL_OR_DROP, M.PROMISE_IN_BOUNDS):
        c.call("lax.gather", x, i[:2], rows, (1, 4), mode=mode)
        c.call("lax.gather", x, i[:2] + 1 if "promise" not in str(mode).lower() else i[:2], rows, (1, 4), mode=mode)
    c.expect(TypeError, "lax.gather", x, i[:2], rows, (1, 4), mode=1.5)  # JAX's is ValueError
    for fill in (7, -1.5, None, jnp.nan, jnp.ones(2), jnp.int8(3)):
        c.call("lax.gather", x, i, rows, (1, 4), mode="fill", fill_value=fill)
    c.call("lax.gather", ramp("int32", (3, 4)), i, rows, (1, 4), fill_value=-5)
    c.call("lax.gather", x, i[:2], rows, (1, 4), indices_are_sorted=True, unique_indices=True)
    pairs = jnp.array([[0, 1], [2, 3], [-1, 0], [2, 9]])
    y = ramp(f, (2, 3, 4))
    for args in ((x, pairs, G((), (0, 1), (0, 1)), (1, 1)), (x, pairs, G((1, 2), (), (0, 1)), (2, 2)), (x, pairs, G((1, 2), (), (1, 0)), (2, 2)),
                 (x, i, G((0,), (1,), (0,)), (1, 4)), (x, i, G((0,), (0,), (0,)), (1, 4)), (x, i, G((1,), (0,), (1,)), (1, 4)),
                 (y, jnp.array([[0], [1]]), G((1,), (1,), (1,), (0,), (0,)), (1, 1, 4)), (y, jnp.array([[0], [1], [2]]), G((1,), (1,), (1,), (0,), (0,)), (1, 1, 4)),
                 (x, i, rows, (1, 5)), (x, i, rows, (2, 4)), (x, i, rows, (1,)), (x, i, rows, (1, -1)), (x, i, G((2,), (0,), (0,)), (1, 4)), (x, i, G((1,), (0,), (2,)), (1, 4)),
                 (x, i, G((1,), (0, 0), (0,)), (1, 4)), (x, i, G((1, 1), (), (0,)), (1, 4)), (x, i, G((1,), (3,), (0,)), (1, 4)), (x, i, G((1,), (0,), (0, 1)), (1, 4)),
                 (x, i[:0], rows, (1, 4)), (x, i, rows, (1, 0)), (x[:0], i, rows, (1, 4)), (x, i[0], G((0,), (0,), (0,)), (1, 4)), (x, 1, rows, (1, 4)),
                 (x, i, None, (1, 4)), (None, i, rows, (1, 4)), (x, i, G((1,), (), (0,)), (1, 4)), (weak(x), i, rows, (1, 4))):
        c.call("lax.gather", *args)


def scatters(c):
    f = floats_of(c)
    S = lax.ScatterDimensionNumbers
    x = ramp(f, (3, 4))
    rows = S((1,), (0,), (0,))
    i = jnp.array([[0], [2], [0], [5], [-1]])
    M = lax.GatherScatterMode
    for name in SCATTERS:
        g = "lax." + name
        c.tolerance(g, 4, 0)
        for d in c.dtypes:
            u = ramp(d, (5, 4), 3)
            c.call(g, ramp(d, (3, 4)), i[1:4], u[:3], rows)
            c.call(g, ramp(d, (3, 4)), i[1:], u[:4, :2], rows, mode="clip") if "complex" not in d or name not in ("scatter_min", "scatter_max") else None
            if d in c.inexact and "complex" not in d:
                c.vjp(g, c.draw(d, (3, 4)), i[1:4], c.draw(d, (3, 4), seed=2), rows, argnums=(0, 2), unique_indices=True)
        u = ramp(f, (5, 4), 3)
        for mode in ("fill", "drop", "clip", "promise_in_bounds", "wrap", None, M.CLIP, M.FILL_OR_DROP):
            c.call(g, x, i[:2], u[:2], rows, mode=mode)
        for args in ((x, i, u, rows), (x, i, u[:4], rows), (x, i, u[:, :2], rows), (x, i, jnp.ones((5, 5), f), rows), (x, i, u.astype("float16"), rows), (x, i, 1.0, rows),
                     (x, i.astype("float32"), u, rows), (x, i[:0], u[:0], rows), (x[:0], i, u, rows), (x, i, u, S((1,), (0,), (2,))), (x, i, u, S((2,), (0,), (0,))),
                     (x, i, u, S((1,), (0, 0), (0,))), (x, i, u, S((1,), (), (0,))), (x, i, u[:, 0], S((), (0, 1), (0,))), (x, i, u, None), (x, i[0], u[0], S((0,), (0,), (0,))),
                     (x, jnp.array([[0, 1], [2, 3]]), jnp.ones(2, f), S((), (0, 1), (0, 1))), (x, jnp.array([[0, 1], [2, 3]]), jnp.ones((2, 2, 2), f), S((1, 2), (), (0, 1))),
                     (ramp(f, (2, 3, 2)), jnp.array([[0], [2]]), jnp.ones((2, 2), f), S((1,), (1,), (1,), (0,), (0,))), (weak(x), i, u, rows), (2.5, i, u, rows)):
            c.call(g, *args)
    one = jnp.array([[0], [2], [5]])
    for fn in ("sin", "neg", "exp"):
        for d in c.floats:
            c.call("lax.scatter_apply", ramp(d, (3, 4)), one, c.function("lax." + fn), rows, update_shape=(3, 4))
            c.call("lax.scatter_apply", ramp(d, (3, 4)), one[:2], c.function("lax." + fn), rows, update_shape=(2, 2), unique_indices=True)
    for args, kw in (((x, one, c.function("lax.sin"), rows), {}), ((x, i, c.function("lax.sin"), rows), {"update_shape": (5, 4)}),
                     ((x, one, c.function("lax.sin"), rows), {"update_shape": (3, 4), "mode": "clip"}), ((x, one, None, rows), {"update_shape": (3, 4)}),
                     ((x, one, c.function("lax.sin"), rows), {"update_shape": (3, 5)}),
                     ((x, one[:0], c.function("lax.sin"), rows), {"update_shape": (0, 4)}), ((ramp("int32", (3, 4)), one, c.function("lax.neg"), rows), {"update_shape": (3, 4)})):
        c.call("lax.scatter_apply", *args, **kw)
    c.expect(TypeError, "lax.scatter_apply", x, one, c.function("lax.is_finite"), rows, update_shape=(3, 4))  # JAX's is ValueError


def collectives(c):
    """Outside of vmap there is no named axis; inside it they are tested elsewhere."""
    for name in ("psum", "pmax", "pmin"):
        for d in c.dtypes:
            c.call("lax." + name, ramp(d, (2,)), "i")
        for x in (1, 2.5, True, None):
            c.call("lax." + name, x, "i")
        c.call("lax." + name, 1.0)
    for name in "abcdefghijklmnopqrst":
        c.call("lax.axis_index", name) if not c.x64 else None
    c.call("lax.axis_index")


def others(c):
    """What functions_sort.py has few cases of, and bits."""
    f = floats_of(c)
    for d in c.dtypes:
        for shape, rank in (((2,), 3), ((2, 1), 2), ((0,), 2), ((), 1)):
            c.call("lax.broadcast_to_rank", ramp(d, shape), rank)
    for d in c.floats:
        c.vjp("lax.broadcast_to_rank", ramp(d, (3,)), 2)
        for k in (1, 4):
            c.call("lax.approx_min_k", ramp(d, (9,), 2), k)
        c.call("numpy.spacing", ramp(d, (2, 3)))
    for args in ((ramp("int32", (5,)), 2), (ramp(f, (4,)), 5), (ramp(f, ()), 1), (ramp(f, (2, 3)), 1, 2), (ramp(f, (3,)), -1)):
        c.call("lax.approx_min_k", *args)
    for args in ((ramp("int32", (3,)), ramp("int32", (2,))), (ramp(f, (3,)), ramp(f, (3,))), (3, 4), (ramp("int32", (3,)), 2**30), (ramp("int8", (3,)), ramp("int16", (3,)))):
        c.call("lax.mulhi", *args)
    if c.x64:  # a plain number takes the other operand's type
        c.expect(jnp.array([-1, 1, -1], "int32"), "lax.mulhi", ramp("int32", (3,)), 2**30)
    c.eager("lax.rng_bit_generator", "mapped over keys it makes all bits of the first one, as JAX's")
    for v in (None, [1.0], "a"):
        c.call("numpy.spacing", v)
    key = jnp.array([1, 2, 3, 4], "uint32")
    for d in ("uint8", "uint16", "uint32", "uint64", "int32", "float32", "bool"):
        for shape in ((5,), (2, 3), (), (0,)):
            c.call("lax.rng_bit_generator", key, shape, jnp.dtype(d))
    for k in (key[:2], key[:3], key.astype("int32"), key[None], jnp.array([1, 2], "uint64" if c.x64 else "uint32")):
        c.call("lax.rng_bit_generator", k, (3,))
    c.without("lax.rng_uniform", "its numbers come from a state of the process")
