#!/usr/bin/env python3
"""Evaluates jaxprs in the exact text form with NumPy (random bits with JAX) and writes the golden results.

    COTAN_GOLDEN=inputs.txt [COTAN_GOLDEN_ONLY=gather,scatter] build/dev/tests/ops --gtest_also_run_disabled_tests --gtest_filter='*WriteInputs'
    programs.py inputs.txt op_values.txt
    COTAN_GOLDEN=inputs.txt build/dev/tests/fuzz --gtest_also_run_disabled_tests --gtest_filter='*WriteInputs'
    programs.py inputs.txt fuzz_values.txt

It needs NumPy, ml_dtypes, mpmath and JAX 0.10.2, and x86-64 for its 80-bit floats.

The values of a family added later stand in op_values_FAMILY.txt, and its rules in programs_FAMILY.py, which is imported from
here and has a dict EQUATIONS: from the primitive's name to a function of (operands, params, out_dtypes), all as `equation`'s,
that returns a Value for each result.

Each equation is computed in a wider type and rounded once. After each result: the allowed error in units of the dtype's
epsilon, and the magnitude below which it is absolute. Inputs where no independent rule is known are left out.
"""
import importlib
import math
import os
import pathlib
import re
import sys

os.environ["JAX_ENABLE_X64"] = "1"
os.environ["JAX_PLATFORMS"] = "cpu"
import ml_dtypes
import mpmath
import numpy as np

LD, CLD = np.longdouble, np.clongdouble
DTYPES = {"bool": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "u8": np.uint8, "u16": np.uint16,
          "u32": np.uint32, "u64": np.uint64, "bf16": ml_dtypes.bfloat16, "f16": np.float16, "f32": np.float32, "f64": np.float64,
          "c64": np.complex64, "c128": np.complex128, "key<fry>": "key"}
NAMES = {"bool": "bool", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "u8", "uint16": "u16", "uint32": "u32",
         "uint64": "u64", "bfloat16": "bf16", "float16": "f16", "float32": "f32", "float64": "f64", "complex64": "c64",
         "complex128": "c128"}
REALS, COMPLEX = ("bf16", "f16", "f32", "f64"), ("c64", "c128")


class Skip(Exception):
    pass


class Value:
    """An array and its dtype's short name; keys are uint32[..., 2]. error: how far off, in the second number's units."""

    def __init__(self, array, dtype, ulps=0.0, scale=0.0):
        self.a, self.d, self.ulps, self.scale = array, dtype, ulps, scale


def narrow(x, d):
    """x, of a wider type, rounded to d."""
    x = np.asarray(x)
    if d == "bf16":
        return x.astype(np.float32).astype(ml_dtypes.bfloat16)
    return x.astype(DTYPES[d])


def wide(v):
    if v.d in COMPLEX:
        return v.a.astype(CLD)
    return v.a.astype(np.float64).astype(LD)


def tiny(d):
    return float(np.finfo({"c64": np.float32, "c128": np.float64}.get(d, DTYPES.get(d))).smallest_normal) if d not in ("bf16",) else 1.1754943508222875e-38


def integers(v):
    return [int(x) for x in v.a.reshape(-1)]


def wrapped(values, d, shape):
    bits = 8 * np.dtype(DTYPES[d]).itemsize
    out = []
    for x in values:
        x &= (1 << bits) - 1
        if d[0] == "i" and x >> (bits - 1):
            x -= 1 << bits
        out.append(x)
    return np.array(out, DTYPES[d]).reshape(shape)


def is_int(d):
    return d[0] in "iu"


def broadcast(vs):
    shape = np.broadcast_shapes(*[v.a.shape for v in vs])
    return [Value(np.broadcast_to(v.a, shape), v.d) for v in vs], shape


def finite(v):
    return bool(np.all(np.isfinite(wide(v)))) if v.d in REALS + COMPLEX else True


# --- elementwise -----------------------------------------------------------------------------------------------------------
def erf_inv(x):
    def one(t):
        t = float(t)
        if math.isnan(t) or abs(t) > 1:
            return LD(np.nan)
        if abs(t) == 1:
            return LD(math.copysign(math.inf, t))
        if t == 0:
            return LD(t)
        with mpmath.workdps(40):
            y = mpmath.erfinv(mpmath.mpf(t))
            hi = float(y)
            return LD(hi) + LD(float(y - mpmath.mpf(hi)))
    return np.array([one(t) for t in x.reshape(-1)], LD).reshape(x.shape)


def logistic(x):
    return 1 / (1 + np.exp(-x))


UNARY = {"cbrt": np.cbrt, "exp": np.exp, "exp2": np.exp2, "expm1": np.expm1, "log": np.log, "log1p": np.log1p, "logistic": logistic,
         "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "sinh": np.sinh,
         "cosh": np.cosh, "tanh": np.tanh, "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh, "erf_inv": erf_inv,
         "rsqrt": lambda x: 1 / np.sqrt(x), "sqrt": np.sqrt}
# Large arguments: 80 bits hold too few digits of pi; mpmath does.
TRIG = {"sin": mpmath.sin, "cos": mpmath.cos, "tan": mpmath.tan}
EXACT = ("neg", "sign", "abs", "floor", "ceil", "round", "copy", "optimization_barrier", "stop_gradient", "square", "sqrt")


def trig(name, x):
    def one(t):
        if not np.isfinite(t):
            return LD(np.nan)
        if t == 0:
            return LD(t) if name != "cos" else LD(1)
        with mpmath.workdps(400):
            y = TRIG[name](mpmath.mpf(float(t)))
            hi = float(y)
            return LD(hi) + LD(float(y - mpmath.mpf(hi)))
    return np.array([one(t) for t in x.reshape(-1)], LD).reshape(x.shape)


def half_away(x):
    return np.copysign(np.floor(np.abs(x) + LD(0.5)), x)


def unary(name, v, params):
    x, d = v.a, v.d
    if name in ("copy", "optimization_barrier", "stop_gradient"):
        return Value(x, d)
    if is_int(d):
        f = {"neg": lambda t: -t, "sign": lambda t: (t > 0) - (t < 0), "abs": abs, "square": lambda t: t * t, "not": lambda t: ~t,
             "integer_pow": lambda t: t ** params.get("y", 0)}[name]
        return Value(wrapped([f(t) for t in integers(v)], d, x.shape), d)
    if d == "bool":
        return Value(~x, d)
    if name == "integer_pow":
        y = params["y"]
        if not finite(v):
            if d in COMPLEX:
                raise Skip
        r = wide(v) ** LD(y) if d in REALS else wide(v) ** y
        return Value(narrow(r, d), d, 0 if y in (0, 1) else 4 + 2 * abs(y) if d in COMPLEX else 1 + abs(y), tiny(d))
    if name == "neg":
        return Value(-x, d)
    if name in ("real", "imag"):
        real = "f32" if d == "c64" else "f64"
        return Value(np.array(getattr(x, name)), real)
    if name == "conj":
        out = {"f32": "c64", "f64": "c128"}.get(d, d)
        return Value(np.conj(x.astype(DTYPES[out])), out)
    w = wide(v)
    if d in COMPLEX:
        if not finite(v):
            raise Skip
        if name == "sign":
            return Value(narrow(np.where(w == 0, 0, w / np.where(w == 0, 1, np.abs(w))), d), d, 4, tiny(d))
        if name == "abs":
            out = "f32" if d == "c64" else "f64"
            return Value(narrow(np.abs(w), out), out, 2, tiny(d))
        if name in ("floor", "ceil", "round"):
            raise Skip
        if np.any(np.abs(w) > 1e3) or np.any(np.abs(w) < 1e-6):
            raise Skip
        f = {"square": lambda t: t * t, "cbrt": None}.get(name, UNARY.get(name))
        if f is None or name in ("cbrt", "erf_inv", "log1p", "expm1") and name not in UNARY:
            raise Skip
        if name in ("acosh", "acos", "asin", "atanh", "atan", "asinh") and np.any(w.imag == 0):
            raise Skip
        return Value(narrow(f(w), d), d, 16, 1)
    if name == "sign":
        r = np.where(np.isnan(w) | (w == 0), w, np.sign(w))
    elif name == "round":
        r = half_away(w) if params["rounding_method"] == "AWAY_FROM_ZERO" else np.rint(w)
        r = np.copysign(r, w)
    elif name in TRIG:
        r = trig(name, w)
    else:
        r = {"abs": np.abs, "floor": np.floor, "ceil": np.ceil, "square": lambda t: t * t}.get(name, UNARY.get(name))(w)
    if name == "logistic" and d == "f64":
        pass
    loose = name in ("expm1", "logistic", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "asin", "acos", "atan", "erf_inv", "cbrt", "rsqrt")
    return Value(narrow(r, d), d, 0 if name in EXACT else 4 if loose else 2.6, 0 if name in EXACT else tiny(d))


def order_key(a, d):
    bits = 8 * a.dtype.itemsize
    out = []
    for b in a.reshape(-1).view({8: np.uint8, 16: np.uint16, 32: np.uint32, 64: np.uint64}[bits]):
        b = int(b)
        out.append((1 << bits) - 1 - b if b >> (bits - 1) else b | 1 << (bits - 1))
    return np.array(out, object).reshape(a.shape)


def shift(name, x, n, d):
    bits = 8 * np.dtype(DTYPES[d]).itemsize
    unsigned_x, amount = x & ((1 << bits) - 1), n & ((1 << bits) - 1)
    if name == "shift_left":
        return 0 if amount >= bits else unsigned_x << amount
    if name == "shift_right_logical":
        return 0 if amount >= bits else unsigned_x >> amount
    if unsigned_x >> (bits - 1):
        unsigned_x -= 1 << bits
    return unsigned_x >> min(amount, bits - 1)


def int_div(x, y):
    if y == 0:
        return -1
    q = abs(x) // abs(y)
    return q if (x < 0) == (y < 0) else -q


def int_rem(x, y):
    return x if y == 0 else x - y * int_div(x, y)


def int_pow(x, y):
    if y < 0:
        raise Skip
    return x ** y if y < 200 else pow(x, y, 1 << 64)


COMPARE = {"eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal}


def binary(name, x, y):
    (x, y), shape = broadcast([x, y])
    d = x.d
    if name == "complex":
        out = {"f32": "c64", "f64": "c128"}[d]
        r = np.empty(shape, DTYPES[out])
        r.real, r.imag = x.a, y.a
        return Value(r, out)
    if name.endswith("_to"):
        kx, ky = order_key(np.array(x.a), d), order_key(np.array(y.a), d)
        return Value(np.array(COMPARE[name[:2]](kx, ky), bool).reshape(shape), "bool")
    if name in COMPARE:
        return Value(np.array(COMPARE[name](x.a, y.a)), "bool")
    if d == "bool":
        f = {"and": np.logical_and, "or": np.logical_or, "xor": np.logical_xor, "max": np.logical_or, "min": np.logical_and}
        if name not in f:
            raise Skip
        return Value(f[name](x.a, y.a), d)
    if is_int(d):
        f = {"add": lambda a, b: a + b, "add_any": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "div": int_div,
             "rem": int_rem, "max": max, "min": min, "and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b,
             "pow": int_pow}
        if name.startswith("shift"):
            r = [shift(name, a, b, d) for a, b in zip(integers(x), integers(y))]
        else:
            if name == "pow" and is_int(y.d) is False:
                raise Skip
            r = [f[name](a, b) for a, b in zip(integers(x), integers(y))]
        return Value(wrapped(r, d, shape), d)
    wx, wy = wide(x), wide(y) if not is_int(y.d) else y.a.astype(LD)
    if name in ("max", "min"):
        if d in COMPLEX:
            if not (finite(x) and finite(y)):
                raise Skip
            first = (wx.real > wy.real) | ((wx.real == wy.real) & (wx.imag > wy.imag))
            return Value(np.where(first == (name == "max"), x.a, y.a), d)
        zeros = (wx == 0) & (wy == 0)
        neg = (np.signbit(wx) & np.signbit(wy)) if name == "max" else (np.signbit(wx) | np.signbit(wy))
        r = np.where(zeros, np.where(neg, LD(-0.0), LD(0.0)), {"max": np.maximum, "min": np.minimum}[name](wx, wy))
        return Value(narrow(r, d), d)
    if d in COMPLEX and not (finite(x) and finite(y)) and name not in ("add", "sub", "add_any"):
        raise Skip
    if d in COMPLEX and name in ("mul", "div", "pow") and (np.any(np.abs(wx) > 1e3) or np.any(np.abs(wy) > 1e3) or np.any(np.abs(wy) < 1e-3) or np.any(np.abs(wx) < 1e-3)):
        raise Skip
    exact_in = {"add": np.add, "add_any": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide}
    if name in exact_in:
        if d == "f64":
            return Value(exact_in[name](x.a, y.a), d)
        if d in REALS:  # one rounding from double, then one more: innocuous at these widths
            r = exact_in[name](x.a.astype(np.float64), y.a.astype(np.float64))
            return Value(narrow(r.astype(np.float32) if d in ("bf16", "f16") else r, d), d)
        return Value(narrow(exact_in[name](wx, wy), d), d, 6 if name in ("mul", "div") else 0, 1 if name in ("mul", "div") else 0)
    if name == "rem":
        return Value(narrow(np.fmod(wx, wy), d), d)
    if name == "pow":
        return Value(narrow(np.power(wx, wy), d), d, 16 if d in COMPLEX else 4, tiny(d))
    if name == "logaddexp":
        if d in COMPLEX:
            raise Skip
        return Value(narrow(np.logaddexp(wx, wy), d), d, 4, 1)
    if name == "atan2":
        return Value(narrow(np.arctan2(wx, wy), d), d, 4, tiny(d))
    raise Skip


def convert(v, d):
    if v.d == d:
        return Value(v.a, d)
    x = v.a
    if v.d in COMPLEX and d not in COMPLEX:
        x = x.real if d != "bool" else x.real
    if d == "bool":
        return Value(x != 0, d)
    if is_int(d):
        if v.d == "bool" or is_int(v.d):
            return Value(wrapped([int(t) for t in x.reshape(-1)], d, x.shape), d)
        bits = 8 * np.dtype(DTYPES[d]).itemsize
        low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if d[0] == "i" else (0, (1 << bits) - 1)

        def one(t):
            t = float(t)
            return 0 if math.isnan(t) else high if t == math.inf else low if t == -math.inf else max(low, min(high, int(t)))
        return Value(wrapped([one(t) for t in x.reshape(-1)], d, x.shape), d)
    if v.d == "f64" and d in ("bf16", "f16"):
        raise Skip
    if v.d in ("c128",) and d in ("bf16", "f16"):
        raise Skip
    if is_int(v.d) and d in ("bf16",) and np.any(np.abs(x.astype(np.float64)) > 1 << 24):
        raise Skip
    return Value(narrow(x.astype(np.float64) if d == "bf16" and v.d != "f32" else x, d), d)


# --- the rest ----------------------------------------------------------------------------------------------------------------
def reduce(name, v, axes):
    x, d = v.a, v.d
    shape = tuple(n for i, n in enumerate(x.shape) if i not in axes)
    if is_int(d) or d == "bool":
        f = {"sum": np.add, "prod": np.multiply, "max": np.maximum, "min": np.minimum, "and": np.bitwise_and, "or": np.bitwise_or,
             "xor": np.bitwise_xor}[name]
        if d == "bool":
            f = {"max": np.logical_or, "min": np.logical_and, "and": np.logical_and, "or": np.logical_or, "xor": np.logical_xor}[name]
            initial = name in ("min", "and")
        else:
            info = np.iinfo(DTYPES[d])
            initial = {"sum": 0, "prod": 1, "max": info.min, "min": info.max, "and": -1 if d[0] == "i" else info.max, "or": 0, "xor": 0}[name]
        with np.errstate(all="ignore"):
            return Value(f.reduce(x, axis=axes, initial=initial, dtype=DTYPES[d]).reshape(shape), d)
    w = wide(v)
    if name in ("max", "min"):
        if d in COMPLEX:
            raise Skip
        r = {"max": np.maximum, "min": np.minimum}[name].reduce(w, axis=axes, initial=LD(-np.inf if name == "max" else np.inf))
        return Value(narrow(r, d).reshape(shape), d)
    count = max(1, int(np.prod([x.shape[i] for i in axes])))
    if name == "sum":
        scale = float(np.max(np.abs(w).sum(axis=axes), initial=0)) + tiny(d)
        return Value(narrow(w.sum(axis=axes), d).reshape(shape), d, 2 + count / 4, scale)
    scale = float(np.max(np.abs(np.prod(w, axis=axes)), initial=0)) + tiny(d)
    return Value(narrow(np.prod(w, axis=axes), d).reshape(shape), d, 2 + 2 * count, scale)


def pad(x, value, config):
    shape, index = [], []
    for n, (low, high, interior) in zip(x.shape, config):
        full = low + high + n + max(0, n - 1) * interior
        shape.append(max(0, full))
        index.append([(low + i * (interior + 1), i) for i in range(n) if 0 <= low + i * (interior + 1) < full])
    out = np.full(shape, value, x.dtype)
    if not shape:
        return x.copy()
    src = np.ix_(*[[i for _, i in t] for t in index])
    dst = np.ix_(*[[o for o, _ in t] for t in index])
    out[dst] = x[src]
    return out


def clamped(starts, shape, sizes):
    return [min(max(int(s.a), 0), n - k) for s, n, k in zip(starts, shape, sizes)]


def random(name, vs, p):
    import jax
    import jax.numpy as jnp
    jax.config.update("jax_threefry_partitionable", p.get("partitionable", True))
    keys = lambda v: jax.random.wrap_key_data(jnp.array(v.a, jnp.uint32), impl="threefry2x32")
    data = lambda k: np.asarray(jax.random.key_data(k))
    over = lambda f, v: f(keys(v)) if v.a.ndim == 1 else np.stack([over(f, Value(e, v.d)) for e in v.a])
    if name == "random_wrap":
        return Value(vs[0].a, "key<fry>")
    if name == "random_unwrap":
        return Value(vs[0].a, "u32")
    if name == "random_clone":
        return vs[0]
    if name == "random_seed":
        f = lambda s: data(jax.random.key(int(s)))
        return Value(np.array([f(s) for s in vs[0].a.reshape(-1)], np.uint32).reshape(vs[0].a.shape + (2,)), "key<fry>")
    if name == "random_split":
        return Value(np.asarray(over(lambda k: data(jax.random.split(k, p["shape"])), vs[0])), "key<fry>")
    if name == "random_bits":
        u = {8: "u8", 16: "u16", 32: "u32", 64: "u64"}[p["bit_width"]]
        return Value(np.asarray(over(lambda k: np.asarray(jax.random.bits(k, p["shape"], DTYPES[u])), vs[0])), u)
    if name == "random_fold_in":
        k, n = vs
        shape = np.broadcast_shapes(k.a.shape[:-1], n.a.shape)
        kk, nn = np.broadcast_to(k.a, shape + (2,)).reshape(-1, 2), np.broadcast_to(n.a, shape).reshape(-1)
        r = [data(jax.random.fold_in(keys(Value(a, "")), int(b))) for a, b in zip(kk, nn)]
        return Value(np.array(r, np.uint32).reshape(shape + (2,)), "key<fry>")
    raise Skip


STRUCTURAL = ("broadcast_in_dim", "reshape", "transpose", "squeeze", "slice", "concatenate", "stack", "rev")


def structural(name, vs, p):
    x = vs[0].a
    if vs[0].d.startswith("key"):
        raise Skip
    if name == "broadcast_in_dim":
        to = p["broadcast_dimensions"]
        x = x.transpose(sorted(range(x.ndim), key=lambda i: to[i]))
        view = [1] * len(p["shape"])
        for n, at in zip(x.shape, sorted(to)):
            view[at] = n
        return np.broadcast_to(x.reshape(view), p["shape"])
    if name == "reshape":
        return (x if p["dimensions"] is None else x.transpose(p["dimensions"])).reshape(p["new_sizes"])
    if name == "transpose":
        return x.transpose(p["permutation"])
    if name == "squeeze":
        return x.reshape([n for i, n in enumerate(x.shape) if i not in p["dimensions"]])
    if name == "slice":
        steps = p["strides"] or (1,) * x.ndim
        return x[tuple(slice(a, b, s) for a, b, s in zip(p["start_indices"], p["limit_indices"], steps))]
    if name == "concatenate":
        return np.concatenate([v.a for v in vs], p["dimension"])
    if name == "stack":
        return np.stack([v.a for v in vs], p["axis"])
    return np.flip(x, p["dimensions"])


def equation(name, vs, p, out_dtypes):
    """The values of one equation; their error bounds in .ulps and .scale."""
    if name in FAMILIES:
        r = FAMILIES[name](vs, p, out_dtypes)
        return r if isinstance(r, (list, tuple)) else [r]
    return [equation_of_one(name, vs, p, out_dtypes[0])]


def equation_of_one(name, vs, p, out_dtype):
    if name in STRUCTURAL:
        return Value(np.array(structural(name, vs, p)), vs[0].d)
    if name.startswith("random_"):
        return random(name, vs, p)
    if name.startswith("reduce_"):
        return reduce(name[7:], vs[0], p["axes"])
    if name in ("argmax", "argmin"):
        if vs[0].d in COMPLEX:
            raise Skip
        x = wide(vs[0]) if vs[0].d in REALS else vs[0].a
        return Value(getattr(np, name)(x, axis=p["axes"][0]).astype(p["index_dtype"]), out_dtype)
    if name == "iota":
        at = [1] * len(p["shape"])
        at[p["dimension"]] = p["shape"][p["dimension"]]
        return Value(narrow(np.broadcast_to(np.arange(at[p["dimension"]]).reshape(at), p["shape"]), out_dtype), out_dtype)
    if name == "pad":
        return Value(pad(vs[0].a, vs[1].a, p["padding_config"]), vs[0].d)
    if name == "dynamic_slice":
        at = clamped(vs[1:], vs[0].a.shape, p["slice_sizes"])
        return Value(vs[0].a[tuple(slice(s, s + n) for s, n in zip(at, p["slice_sizes"]))], vs[0].d)
    if name == "dynamic_update_slice":
        u, x = vs[1].a, vs[0].a.copy()
        at = clamped(vs[2:], x.shape, u.shape)
        x[tuple(slice(s, s + n) for s, n in zip(at, u.shape))] = u
        return Value(x, vs[0].d)
    if name == "select_n":
        cases = [v.a for v in vs[1:]]
        which = np.broadcast_to(np.clip(vs[0].a.astype(np.int64), 0, len(cases) - 1), cases[0].shape)
        r = cases[0].copy()
        for k, c in enumerate(cases):
            r = np.where(which == k, c, r)
        return Value(r.astype(cases[0].dtype), vs[1].d)
    if name == "clamp":
        low, x, high = vs
        return binary("min", binary("max", x, low), high)
    if name == "convert_element_type":
        return convert(vs[0], NAMES[p["new_dtype"]])
    if name == "bitcast_convert_type":
        return Value(vs[0].a.view(DTYPES[out_dtype]), out_dtype)
    if name == "is_finite":
        return Value(np.isfinite(vs[0].a.astype(np.float64) if vs[0].d == "bf16" else vs[0].a), "bool")
    if len(vs) == 1:
        return unary(name, vs[0], p)
    if len(vs) == 2:
        return binary(name, vs[0], vs[1])
    raise Skip


# --- text ----------------------------------------------------------------------------------------------------------------------
AVAL = re.compile(r"%(\d+):([a-z0-9<>]+)\[([\d,]*)\]")
LITERAL = re.compile(r"^(.+):([a-z0-9]+)\[\]~?$")


class PadDim(dict):
    pass


class Words:
    """Whose members are their own names: an enumeration."""

    def __getattr__(self, name):
        return name


def params_of(text):
    if not text:
        return {}
    text = re.sub(r"\(low=(-?\d+), high=(-?\d+), interior=(-?\d+)\)", r"(\1, \2, \3)", text)
    names = {n: n for n in NAMES} | {"AWAY_FROM_ZERO": "AWAY_FROM_ZERO", "TO_NEAREST_EVEN": "TO_NEAREST_EVEN", "fry": "fry",
                                       "GatherDimensionNumbers": dict, "ScatterDimensionNumbers": dict, "GatherScatterMode": Words()}
    names |= {n: n for n in ("RNG_DEFAULT", "RNG_THREE_FRY", "RNG_PHILOX")}
    text = text.replace("key<fry>", "fry").replace("bool", "'bool'") if "=bool" in text or "key<" in text else text
    return eval("dict(" + text + ")", names)


def from_hex(h, d, shape):
    raw = b"" if h == "-" else bytes.fromhex(h)
    if d.startswith("key"):
        return np.frombuffer(raw, np.uint32).reshape(shape + (2,))
    return np.frombuffer(raw, DTYPES[d]).reshape(shape)


def operand(token, env):
    if token[0] == "%":
        return env[int(token[1:])]
    text, d = LITERAL.match(token).groups()
    value = {"True": 1, "False": 0}.get(text)
    a = np.array(eval(text, {"inf": math.inf, "nan": math.nan}) if value is None else value)
    return Value(a.astype(np.float64).astype(DTYPES[d]) if d in ("bf16", "f16") else a.astype(DTYPES[d]), d)


def split_params(text):
    """What stands in the brackets at the start, if there are any, and what follows them."""
    if not text.startswith("["):
        return "", text
    depth = 0
    for i, c in enumerate(text):
        depth += (c == "[") - (c == "]")
        if depth == 0:
            return text[1:i], text[i + 1:]
    raise ValueError(text)


def evaluate(program, inputs):
    head, rest = program[program.index(";") + 1:].split(" . let", 1)
    body, results = rest.rsplit("in (", 1)
    env = {}
    for (number, d, shape), h in zip(AVAL.findall(head), inputs):
        shape = tuple(int(n) for n in shape.split(",") if n)
        env[int(number)] = Value(from_hex(h, d, shape), d)
    for e in filter(None, (t.strip() for t in body.split(";"))):
        left, right = e.split(" = ", 1)
        outs = AVAL.findall(left)
        name = re.match(r"[\w-]+", right).group()
        params, operands = split_params(right[len(name):])
        vs = equation(name, [operand(t, env) for t in operands.split()], params_of(params), [d for _, d, _ in outs])
        for v, (number, d, _) in zip(vs, outs, strict=True):
            assert v.d == d, (e, v.d)
            env[int(number)] = v
    results = [operand(t.strip(), env) for t in results[:results.rindex(")")].split(",") if t.strip()]
    if body.count(" = ") > 1:  # errors of earlier equations go through later ones
        for v in results:
            v.ulps, v.scale = 1000, 1
    return results


def main(source, target):
    kept = skipped = 0
    with open(source) as f, open(target, "w") as out:
        blocks = f.read().split("program ")[1:]
        out.write("# Written by tests/golden/programs.py; the form is described in tests/derived/golden.h.\n")
        for block in blocks:
            lines = block.splitlines()
            program = re.sub(r"\s+", " ", lines[0])
            try:
                with np.errstate(all="ignore"):
                    results = evaluate(program, [l[3:] for l in lines[1:]])
            except Skip:
                skipped += 1
                continue
            except Exception:
                print("failed on", block, file=sys.stderr)
                raise
            kept += 1
            out.write("program " + program + "\n" + "".join(l + "\n" for l in lines[1:]))
            for r in results:
                out.write(f"out {np.array(r.a).tobytes().hex() or '-'} {r.ulps:g} {r.scale:.6g}\n")
    print(kept, "programs,", skipped, "left out")


FAMILIES = {}

if __name__ == "__main__":
    sys.modules["programs"] = sys.modules["__main__"]  # what a family's file imports
    for file in sorted(pathlib.Path(__file__).parent.glob("programs_*.py")):
        FAMILIES.update(importlib.import_module(file.stem).EQUATIONS)
    main(*sys.argv[1:])
