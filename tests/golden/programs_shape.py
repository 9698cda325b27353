"""Values of tile, unstack, gcd and sinc_at_zero, see programs.py."""
import math

import numpy as np

from programs import Value, wrapped


def tile(vs, p, _):
    return Value(np.tile(vs[0].a, p["reps"]), vs[0].d, vs[0].ulps, vs[0].scale)


def unstack(vs, p, _):
    v = vs[0]
    return [Value(np.take(v.a, i, p["axis"]), v.d, v.ulps, v.scale) for i in range(v.a.shape[p["axis"]])]


def gcd(vs, _, out_dtypes):
    a, b = np.broadcast_arrays(vs[0].a, vs[1].a)
    r = [math.gcd(int(x), int(y)) for x, y in zip(a.reshape(-1), b.reshape(-1))]
    return Value(wrapped(r, out_dtypes[0], a.shape), out_dtypes[0])


def sinc_at_zero(vs, _, out_dtypes):
    return Value(np.ones_like(vs[0].a), out_dtypes[0])


EQUATIONS = {"tile": tile, "unstack": unstack, "gcd": gcd, "sinc_at_zero": sinc_at_zero}
