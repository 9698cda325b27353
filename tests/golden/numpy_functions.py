"""Writes numpy_functions.txt: what jax.numpy 0.10.2 gives for every function of include/cotan/numpy.h.

A line is X64|KEY|INPUT;INPUT...|RESULT. KEY names a function and its arguments; numpy_test.cc has the same table. An array is
DTYPE[*] SHAPE VALUE... (* : weakly typed, SHAPE as 2x3 or "-" for none), a result that is an error `error CLASS`.
"""
import os
import pathlib
import warnings

os.environ["XLA_FLAGS"] = "--xla_backend_optimization_level=0"  # thousands of tiny programs: compiling them is all the time
import jax
import jax.numpy as jnp
import numpy as np
from jax._src.lax import lax as lax_internal

from functions import corner, ramp

warnings.simplefilter("ignore")
bools = ["bool"]
ints = ["int8", "int16", "int32", "uint8", "uint16", "uint32"]
floats = ["bfloat16", "float16", "float32"]
complexes = ["complex64"]
narrow = bools + ints + floats + complexes
wide = ["int64", "uint64", "float64", "complex128"]
lines = []


def text_of(x):
    dtype = jnp.dtype(x.dtype)
    flat = np.asarray(x).reshape(-1)

    def real(v, kind):
        v = np.asarray(v, kind)
        if np.isnan(v):
            return "nan"
        return repr(float(v)) if kind == np.float64 else str(float(np.format_float_scientific(v, unique=True))) if np.isfinite(v) else str(v)

    def value(v):
        if dtype == bool:
            return str(bool(v))
        if dtype.kind in "iu":
            return str(int(v))
        if dtype.kind == "c":
            kind = np.float32 if dtype == np.complex64 else np.float64
            return real(v.real, kind) + "," + real(v.imag, kind)
        return real(v, np.float16 if dtype == np.float16 else np.float64 if dtype == np.float64 else np.float32)

    shape = "x".join(map(str, x.shape)) or "-"
    return " ".join([dtype.name + ("*" if x.weak_type else ""), shape, *map(value, flat)])


def record(key, function, *inputs):
    try:
        result = function(*inputs)
        out = text_of(jnp.asarray(result) if not isinstance(result, list) else jnp.concatenate([r.reshape(-1) for r in result]))
    except Exception as e:  # noqa: BLE001
        out = "error " + type(e).__name__
    lines.append("|".join([str(int(jax.config.jax_enable_x64)), key, ";".join(text_of(x) for x in inputs), out]))


def weak(v):
    return jnp.asarray(v)


unary = """exp exp2 expm1 log log2 log10 log1p sqrt cbrt sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh negative
positive abs absolute fabs sign square reciprocal floor ceil trunc rint deg2rad rad2deg isfinite isinf isnan signbit real imag conj
conjugate angle logical_not bitwise_not invert zeros_like ones_like ravel""".split()
binary = """arctan2 add subtract multiply divide true_divide floor_divide remainder mod fmod float_power maximum minimum fmax fmin hypot
copysign logaddexp logaddexp2 equal not_equal less less_equal greater greater_equal logical_and logical_or logical_xor bitwise_and bitwise_or
bitwise_xor left_shift right_shift isclose""".split()
pairs = [("int8", "uint8"), ("int32", "float32"), ("int32", "bfloat16"), ("bfloat16", "float16"), ("bool", "int32"), ("bool", "float32"),
         ("uint32", "int32"), ("float32", "complex64"), ("bool", "bool"), ("int8", "int32")]


def elementwise(dtypes, pairs):
    for d in dtypes:
        for name in unary:
            record(name, getattr(jnp, name), corner(d))
    for a, b in [(d, d) for d in dtypes] + pairs:
        x, y = corner(a), corner(b)
        n = min(len(x), len(y))
        x, y = x[:n], y[:n][::-1]
        for name in binary:
            record(name, getattr(jnp, name), x, y)
    for d in dtypes:
        for name in ["add", "subtract", "multiply", "divide", "floor_divide", "remainder", "maximum", "equal", "less"]:
            for w in (weak(2), weak(2.5)):
                record(name, getattr(jnp, name), corner(d), w)
                record(name, getattr(jnp, name), w, corner(d))
        for k in (0, 1, 2, 3, -1):
            record(f"power {k}", lambda x, k=k: jnp.power(x, k), corner(d))
        if jnp.issubdtype(d, jnp.inexact):
            record("power", jnp.power, corner(d)[:6], corner(d)[:6])
            record("power", jnp.power, corner(d)[:6], weak(2.5))
            record("power", jnp.power, corner(d), ramp("int32", corner(d).shape))
        record("where", jnp.where, ramp("bool", (3,)), ramp(d, (3,)), ramp(d, (3,), 2))
        record("where", jnp.where, ramp("bool", (2, 1)), ramp(d, (3,)), weak(1))
        record("where", jnp.where, ramp("float32", (3,)), weak(0.5), ramp(d, (3,)))
        record("clip", jnp.clip, corner(d), weak(-1), weak(2))
        record("clip", jnp.clip, corner(d), weak(0.5), weak(1.5))
        record("allclose", jnp.allclose, ramp(d, (3,)), ramp(d, (3,)))
        record("array_equal", jnp.array_equal, ramp(d, (3,)), ramp(d, (3,)))
        record("array_equal", jnp.array_equal, ramp(d, (3,)), ramp(d, (3, 1)))
    record("add", jnp.add, ramp("float32", (2, 3)), ramp("float32", (3,)))
    record("add", jnp.add, ramp("float32", (2, 1)), ramp("float32", (1, 3)))
    record("add", jnp.add, ramp("float32", (0, 3)), ramp("float32", (1, 1)))
    record("add", jnp.add, ramp("float32", (2, 3)), ramp("float32", (2,)))


axes = {"": None, " 0": 0, " -1": -1, " 1": 1, " 0,1": (0, 1), " -1,0": (-1, 0), " 2": 2, " 0,0": (0, 0)}


def reductions(dtypes):
    for name in "sum prod mean var std max min all any".split():
        f = getattr(jnp, name)
        for d in dtypes:
            for x in [ramp(d, (2, 3)), corner(d), ramp(d, ()), ramp(d, (0, 3)), ramp(d, (3, 0))]:
                for a, axis in axes.items():
                    if x.ndim < 2 and a not in ("", " 0") or d not in ("float32", "int64") and a not in ("", " 1"):
                        continue
                    if 0 in x.shape and d not in ("float32", "int8"):
                        continue
                    record(name + a, lambda x, axis=axis: f(x, axis), x)
            record(name + " 0 keep", lambda x: f(x, 0, keepdims=True), ramp(d, (2, 3)))
            record(name + " keep", lambda x: f(x, keepdims=True), ramp(d, (2, 3)))
        for w in (weak(2), weak(2.5)):
            record(name, f, w)
        record(name + " empty", lambda x: f(x, ()), ramp("float32", (2, 3)))
    for name in ("argmax", "argmin"):
        f = getattr(jnp, name)
        for d in dtypes:
            if d.startswith("complex"):
                continue
            for x in [ramp(d, (2, 3)), corner(d), ramp(d, ()), ramp(d, (0, 3))]:
                for a in ("", " 0", " -1"):
                    if x.ndim or not a:
                        record(name + a, lambda x, a=a: f(x, int(a) if a else None), x)
            record(name + " 1 keep", lambda x: f(x, 1, keepdims=True), ramp(d, (2, 3)))
            record(name + " keep", lambda x: f(x, keepdims=True), ramp(d, (2, 3)))
    for d in dtypes:
        if d != "bool" and not d.startswith("u"):
            record("var ddof1", lambda x: jnp.var(x, 0, ddof=1), ramp(d, (2, 3)))
            record("std ddof1", lambda x: jnp.std(x, 1, ddof=1), ramp(d, (2, 3)))
            record("var ddof2", lambda x: jnp.var(x, 0, ddof=2), ramp(d, (2, 3)))
        for t in ("float32", "int32", "float16"):
            if not d.startswith("complex"):
                for name in ("sum", "mean", "prod"):
                    record(f"{name} {t}", lambda x, name=name, t=t: getattr(jnp, name)(x, 0, dtype=t), ramp(d, (2, 3)))


def products(dtypes):
    shapes = [((3,), (3,)), ((2, 3), (3,)), ((2, 3), (3, 2)), ((3,), (3, 2)), ((), (2, 3)), ((2, 3), ()), ((2, 2, 3), (3, 2)), ((2, 2, 3), (2, 3, 2)),
              ((1, 2, 3), (2, 3, 2)), ((2, 2, 3), (1, 3, 2)), ((2, 1, 2, 3), (2, 3, 2)), ((1, 2, 3), (1, 3, 2)), ((3,), (2, 3, 2)), ((2, 2, 3), (3,)),
              ((0, 3), (3, 2)), ((2, 0), (0, 3)), ((2, 3), (2, 3)), ((2, 2, 3), (3, 3, 2)), ((2, 3), (2, 2, 3))]
    for name in ("dot", "matmul", "vdot", "inner", "outer", "tensordot"):
        for d in dtypes:
            for a, b in shapes:
                if d == "float32" or len(a) + len(b) <= 4:
                    record(name, getattr(jnp, name), ramp(d, a), ramp(d, b, 2))
        record(name, getattr(jnp, name), ramp("int32", (2, 3)), ramp("float32", (3, 2)))
        record(name, getattr(jnp, name), ramp("bfloat16", (2, 3)), ramp("float32", (3, 2)))
    for k in (0, 1):
        record(f"tensordot {k}", lambda x, y, k=k: jnp.tensordot(x, y, k), ramp("float32", (2, 3)), ramp("float32", (3, 2)))
    record("tensordot 3", lambda x, y: jnp.tensordot(x, y, 3), ramp("float32", (2, 3)), ramp("float32", (3, 2)))


def shapes(dtypes):
    for d in dtypes:
        x = ramp(d, (2, 3))
        for key in ("3,2", "-1", "3,-1", "6", "4,-1", "4,2", "-1,-1", "1,2,3", "-2,3"):
            record("reshape " + key, lambda x, k=key: jnp.reshape(x, tuple(map(int, k.split(",")))), x)
        record("transpose", jnp.transpose, x)
        for key in ("1,0", "-1,0", "0,1", "0", "0,0", "2,0"):
            record("transpose " + key, lambda x, k=key: jnp.transpose(x, tuple(map(int, k.split(",")))), x)
        for key in ("2,3", "4,2,3", "3", "3,3", "0,2,3"):
            record("broadcast_to " + key, lambda x, k=key: jnp.broadcast_to(x, tuple(map(int, k.split(",")))), x)
        record("broadcast_to 2,3", lambda x: jnp.broadcast_to(x, (2, 3)), ramp(d, (2, 1)))
        for a, b in ((0, 1), (0, -1), (0, 2)):
            record(f"swapaxes {a},{b}", lambda x, a=a, b=b: jnp.swapaxes(x, a, b), x)
            record(f"moveaxis {a},{b}", lambda x, a=a, b=b: jnp.moveaxis(x, a, b), ramp(d, (2, 1, 3)))
        for key in ("0", "-1", "0,-1", "5", "0,0"):
            record("expand_dims " + key, lambda x, k=key: jnp.expand_dims(x, tuple(map(int, k.split(",")))), x)
        for key in ("", "0", "-1", "1", "0,2", "3"):
            record("squeeze " + key, lambda x, k=key: jnp.squeeze(x, tuple(map(int, k.split(","))) if k else None), ramp(d, (1, 3, 1)))
        for key in ("", "0", "-1", "0,1", "2"):
            record("flip " + key, lambda x, k=key: jnp.flip(x, tuple(map(int, k.split(","))) if k else None), x)
            for shift in (0, 1, -1, 7):
                record(f"roll {shift} {key}", lambda x, k=key, s=shift: jnp.roll(x, s, tuple(map(int, k.split(","))) if k else None), x)
        for key in ("2", "2,1", "2,1,3", "0"):
            record("tile " + key, lambda x, k=key: jnp.tile(x, tuple(map(int, k.split(",")))), x)
        for n in (0, 1, 2):
            for key in ("", "0", "-1"):
                record(f"repeat {n} {key}", lambda x, k=key, n=n: jnp.repeat(x, n, int(k) if k else None), x)
        for a in (0, 1, -1, 2):
            for other in (ramp(d, (2, 3), 2), ramp("int32", (2, 1)), ramp(d, (1, 3))):
                record(f"concatenate {a}", lambda x, y, a=a: jnp.concatenate([x, y], a), x, other)
                record(f"stack {a}", lambda x, y, a=a: jnp.stack([x, y], a), x, other)
        record("vstack", lambda x, y: jnp.vstack([x, y]), x, ramp(d, (3,)))
        record("vstack", lambda x, y: jnp.vstack([x, y]), ramp(d, ()), weak(1.5))
        record("hstack", lambda x, y: jnp.hstack([x, y]), ramp(d, (3,)), weak(1))
        record("hstack", lambda x, y: jnp.hstack([x, y]), x, x)
        for n, a in ((3, 1), (2, 0), (1, -1), (2, 1)):
            record(f"split {n},{a}", lambda x, n=n, a=a: jnp.split(x, n, a), x)
        record("pad 1", lambda x: jnp.pad(x, 1), x)
        record("pad 1,2,0,1 c", lambda x: jnp.pad(x, ((1, 2), (0, 1)), constant_values=2.5), x)
        record("tril 0", jnp.tril, x)
        record("triu 1", lambda x: jnp.triu(x, 1), x)
        record("tril -1", lambda x: jnp.tril(x, -1), ramp(d, (2, 3, 3)))
        record("full_like", lambda x: jnp.full_like(x, 2.5), x)
    record("tril 0", jnp.tril, ramp("float32", (3,)))
    for f in (jnp.flip, jnp.squeeze, jnp.transpose):
        record(f.__name__ + (" " if f is not jnp.transpose else ""), f, ramp("float32", ()))
    record("repeat 2 ", lambda x: jnp.repeat(x, 2), ramp("float32", ()))
    record("zeros_like", jnp.zeros_like, weak(1.5))
    record("full_like", lambda x: jnp.full_like(x, 2.5), weak(1))


def creation():
    for d in ("", "int32", "bool", "bfloat16", "complex64"):
        dtype = d or None
        for s in ("2,3", "0", ""):
            shape = tuple(int(n) for n in s.split(",") if n)
            record(f"zeros {s} {d}", lambda: jnp.zeros(shape, dtype))
            record(f"ones {s} {d}", lambda: jnp.ones(shape, dtype))
            record(f"full {s} {d}", lambda: jnp.full(shape, 2.5, dtype))
        for n, m, k in ((3, 3, 0), (2, 4, 1), (3, 2, -1), (0, 3, 0)):
            record(f"eye {n} {m} {k} {d}", lambda: jnp.eye(n, m, k, dtype))
            record(f"tri {n} {m} {k} {d}", lambda: jnp.tri(n, m, k, dtype))
    for a in ((0, 5, 1), (1, 5, 1), (1, 10, 3), (5, 0, -2), (5, 0, 1), (-3, 3, 2)):
        record("arange %d %d %d" % a, lambda: jnp.arange(*a))
        record("arange_float %d %d %d" % a, lambda: jnp.arange(float(a[0]), a[1], a[2]))
    for a in ((0, 1, .1), (1, 2, .3), (0.5, -1, -.25), (0, 1e-3, 1e-4)):
        record("arange_float %r %r %r" % a, lambda: jnp.arange(*a))
    for a in ((0, 1, 5), (-1, 1, 4), (2, 2, 3), (0, 1, 1), (0, 1, 0), (1, 0, 7)):
        record("linspace %d %d %d" % a, lambda: jnp.linspace(*map(float, a[:2]), a[2]))


for x64 in (False, True):
    jax.config.update("jax_enable_x64", x64)
    dtypes = wide + ["int32", "float32"] if x64 else narrow
    elementwise(dtypes, [("int64", "float32"), ("uint64", "int64"), ("float64", "complex64"), ("int32", "uint32")] if x64 else pairs)
    reductions(dtypes)
    products(wide if x64 else narrow)
    shapes([] if x64 else ["float32", "int8", "bfloat16"])
    creation()
pathlib.Path(__file__).with_name("numpy_functions.txt").write_text("\n".join(lines) + "\n")
