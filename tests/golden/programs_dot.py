"""Values of dot_general, see programs.py."""
import numpy as np

from programs import COMPLEX, REALS, Value, is_int, narrow, wrapped


def dot_general(vs, p, out_dtypes):
    a, b = vs
    d = out_dtypes[0]
    letters = iter("abcdefghijklmnopqrstuvwxyz")
    la, lb = [None] * a.a.ndim, [None] * b.a.ndim
    batch, free = [], []
    for i, j in zip(p["lhs_batch"], p["rhs_batch"]):
        la[i] = lb[j] = next(letters)
        batch.append(la[i])
    for i, j in zip(p["lhs_contract"], p["rhs_contract"]):
        la[i] = lb[j] = next(letters)
    for i in range(len(la)):
        if la[i] is None:
            la[i] = next(letters)
            free.append(la[i])
    for i in range(len(lb)):
        if lb[i] is None:
            lb[i] = next(letters)
            free.append(lb[i])
    eq = "".join(la) + "," + "".join(lb) + "->" + "".join(batch + free)
    if a.d == b.d == d == "bool":
        return Value(np.einsum(eq, a.a.astype(np.int64), b.a.astype(np.int64)) != 0, d)
    if is_int(d) and not {a.d, b.d} & set(REALS + COMPLEX):
        x, y = a.a.astype(np.int64).astype(object), b.a.astype(np.int64).astype(object)
        if a.d == "u64":
            x, y = a.a.astype(object), b.a.astype(object)
        r = np.einsum(eq, x, y) if a.a.size and b.a.size else np.einsum(eq, a.a.astype(np.int64), b.a.astype(np.int64))
        r = np.asarray(r)
        return Value(wrapped([int(t) for t in r.reshape(-1)], d, r.shape), d)
    wide_type = np.complex128 if {a.d, b.d, d} & set(COMPLEX) else np.float64
    x, y = a.a.astype(wide_type), b.a.astype(wide_type)
    r, scale = np.einsum(eq, x, y), np.einsum(eq, np.abs(x), np.abs(y))
    return Value(narrow(r if d in COMPLEX else r.real, d), d, 8, float(np.max(scale, initial=0)) + 1e-30)


EQUATIONS = {"dot_general": dot_general}
