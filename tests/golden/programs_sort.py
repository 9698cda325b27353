"""NumPy's rules for sorting, cumulative operations, split and the operations on bits."""
import numpy as np

from programs import COMPLEX, DTYPES, REALS, Value, integers, narrow, wide, wrapped


def keyed(a, d):
    """Columns to compare by: real, then imaginary parts; NaN above all, -0 as 0."""
    if d in COMPLEX:
        parts = [a.real, a.imag]
    else:
        parts = [a]
    columns = []
    for p in parts:
        if d in REALS + COMPLEX:
            p = p.astype(np.float64)
            columns += [np.isnan(p), np.where(np.isnan(p), 0, p) + 0.0]
        else:
            columns.append(p)
    return columns


def sort(vs, p, out_dtypes):
    axis, n = p["dimension"], p["num_keys"]
    columns = [c for v in vs[:n] for c in keyed(v.a, v.d)]
    order = np.lexsort(columns[::-1], axis=axis) if vs[0].a.size else np.zeros(vs[0].a.shape, int)
    return [Value(np.take_along_axis(v.a, order, axis), v.d) for v in vs]


def largest(v, axis, k, sign):
    """Stable, in the total order of bits."""
    a = v.a
    if v.d in REALS:
        size = np.dtype(DTYPES[v.d]).itemsize
        b = a.view(f"i{size}").astype(np.int64)
        key = np.where(b < 0, np.int64(-1) << np.int64(8 * size - 1) ^ ~b if size < 8 else np.iinfo(np.int64).min ^ ~b, b)
        order = np.argsort(~key if sign > 0 else key, axis=axis, kind="stable")
    else:
        wider = a.astype(object)
        order = np.argsort(np.vectorize(lambda x: -int(x), otypes=[object])(wider) if a.size else wider, axis=axis, kind="stable")
    order = np.take(order, range(k), axis)
    return [Value(np.take_along_axis(a, order, axis), v.d), Value(order.astype(np.int32), "i32")]


def top_k(vs, p, out_dtypes):
    return largest(vs[0], p["axis"], p["k"], 1)


def approx_top_k(vs, p, out_dtypes):
    return largest(vs[0], p["reduction_dimension"] % vs[0].a.ndim, p["k"], 1 if p["is_max_k"] else -1)


def along(f):
    def rule(vs, p, out_dtypes):
        v, axis = vs[0], p["axis"]
        x = np.flip(v.a, axis) if p["reverse"] else v.a
        r = f(Value(x, v.d), axis)
        r.a = np.flip(r.a, axis) if p["reverse"] else r.a
        return [r]
    return rule


def accumulate(ufunc):
    def rule(v, axis):
        if v.d in REALS + COMPLEX:
            with np.errstate(all="ignore"):
                r = ufunc.accumulate(wide(v), axis)
            scale = float(np.max(np.abs(np.where(np.isfinite(r), r, 0)), initial=0))
            return Value(narrow(r, v.d), v.d, 2, scale)
        bits = np.array([int(x) for x in v.a.reshape(-1)], object).reshape(v.a.shape)
        r = ufunc.accumulate(bits, axis) if v.a.size else bits
        return Value(wrapped([int(x) for x in r.reshape(-1)], v.d, v.a.shape), v.d)
    return rule


def extremum(is_max):
    def rule(v, axis):
        x = np.moveaxis(v.a, axis, 0).copy()
        for i in range(1, x.shape[0]):
            for j in np.ndindex(x.shape[1:]):
                a, b = x[(i - 1,) + j], x[(i,) + j]
                if v.d in REALS + COMPLEX and (np.isnan(a) or np.isnan(b)):
                    x[(i,) + j] = a if np.isnan(a) else b
                    continue
                ka, kb = ((a.real, a.imag), (b.real, b.imag)) if v.d in COMPLEX else (a, b)
                if v.d in REALS and a == b == 0:
                    ka, kb = -1.0 * np.signbit(a), -1.0 * np.signbit(b)
                x[(i,) + j] = a if (ka > kb if is_max else ka < kb) else b
        return Value(np.moveaxis(x, 0, axis), v.d)
    return rule


def logsumexp(v, axis):
    x = wide(v)
    with np.errstate(all="ignore"):
        r = np.moveaxis(x, axis, 0).copy()
        y = np.moveaxis(x, axis, 0)
        for i in range(1, r.shape[0]):
            top = np.max(y[:i + 1].real, 0)
            top = np.where(np.isfinite(top), top, 0)
            r[i] = np.log(np.sum(np.exp(y[:i + 1] - top), 0)) + top
    return Value(narrow(np.moveaxis(r, 0, axis), v.d), v.d, 4, 1)


def split(vs, p, out_dtypes):
    cuts = np.cumsum(p["sizes"])[:-1] if len(p["sizes"]) > 1 else []
    return [Value(x, vs[0].d) for x in np.split(vs[0].a, cuts, p["axis"])]


def width(d):
    return 8 * np.dtype(DTYPES[d]).itemsize


def clz(vs, p, out_dtypes):
    v = vs[0]
    mask = (1 << width(v.d)) - 1
    return [Value(wrapped([width(v.d) - (x & mask).bit_length() for x in integers(v)], v.d, v.a.shape), v.d)]


def population_count(vs, p, out_dtypes):
    v = vs[0]
    mask = (1 << width(v.d)) - 1
    return [Value(wrapped([bin(x & mask).count("1") for x in integers(v)], v.d, v.a.shape), v.d)]


def mulhi(vs, p, out_dtypes):
    x, y = np.broadcast_arrays(vs[0].a, vs[1].a)
    d = vs[0].d
    r = [int(a) * int(b) >> width(d) for a, b in zip(x.reshape(-1), y.reshape(-1))]
    return [Value(wrapped(r, d, x.shape), d)]


def nextafter(vs, p, out_dtypes):
    x, y = np.broadcast_arrays(vs[0].a, vs[1].a)
    return [Value(np.where(x == y, y, np.nextafter(x, y)), vs[0].d)]


SIZES = {"bf16": (8, 7), "f16": (5, 10), "f32": (8, 23), "f64": (11, 52)}


def reduce_precision(vs, p, out_dtypes):
    v, e, m = vs[0], p["exponent_bits"], p["mantissa_bits"]
    own_e, own_m = SIZES[v.d]
    x = v.a.astype(np.float64)
    with np.errstate(all="ignore"):
        f, power = np.frexp(np.where(np.isfinite(x), x, 0))
        least = 2 - (1 << (own_e - 1)) + 1  # of denormal numbers all have the power of the smallest normal one
        power = np.maximum(power, least)
        r = x if m >= own_m else np.ldexp(np.rint(np.ldexp(x, m + 1 - power)), power - m - 1)
        if e < own_e:
            bias = (1 << (e - 1)) - 1
            top = np.frexp(r)[1] - 1
            r = np.where(r == 0, r, np.where(top > bias, np.copysign(np.inf, x), np.where(top <= -bias, np.copysign(0, x), r)))
        r = np.where(np.isfinite(x), r, x)
    return [Value(narrow(r, v.d), v.d)]


EQUATIONS = {"sort": sort, "top_k": top_k, "approx_top_k": approx_top_k, "cumsum": along(accumulate(np.add)),
             "cumprod": along(accumulate(np.multiply)), "cummax": along(extremum(True)), "cummin": along(extremum(False)),
             "cumlogsumexp": along(logsumexp), "split": split, "clz": clz, "population_count": population_count, "mulhi": mulhi,
             "nextafter": nextafter, "reduce_precision": reduce_precision}
