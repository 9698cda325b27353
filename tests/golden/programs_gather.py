"""NumPy's rules for gather and the scatters, window by window."""
import itertools

import numpy as np

from programs import DTYPES, Value


class Windows:
    """Where each window stands: (index of the batch, its first element or None)."""

    def __init__(self, p, names, operand, indices, sizes, clips):
        self.window, self.dropped, self.map, self.batching, self.ibatching = (p["dimension_numbers"][n] for n in names)
        self.sizes, self.shape = sizes, operand
        self.kept = [i for i in range(len(operand)) if i not in self.dropped and i not in self.batching]
        self.indices, self.clips = indices, clips

    def __iter__(self):
        for b in itertools.product(*map(range, self.indices.shape[:-1])):
            start, inside = [0] * len(self.shape), True
            for k, d in enumerate(self.map):
                i, most = int(self.indices[b + (k,)]), self.shape[d] - self.sizes[d]
                inside &= 0 <= i <= most
                start[d] = min(max(i, 0), most)
            for d, k in zip(self.batching, self.ibatching):
                start[d] = b[k]
            yield b, start if inside or self.clips else None

    def place(self, b, w):
        """The index in the windows array of element w of the window at batch index b."""
        out, bi, wi = [], iter(b), iter(w)
        for i in range(len(b) + len(w)):
            out.append(next(wi) if i in self.window else next(bi))
        return tuple(out)

    def elements(self, b, start):
        for w in itertools.product(*(range(self.sizes[i]) for i in self.kept)):
            at = list(start) if start is not None else None
            if at is not None:
                for i, j in zip(self.kept, w):
                    at[i] += j
            yield self.place(b, w), tuple(at) if at is not None else None


GATHER = ("offset_dims", "collapsed_slice_dims", "start_index_map", "operand_batching_dims", "start_indices_batching_dims")
SCATTER = ("update_window_dims", "inserted_window_dims", "scatter_dims_to_operand_dims", "operand_batching_dims",
           "scatter_indices_batching_dims")


def fill(dtype):
    t = np.dtype(DTYPES[dtype])
    if dtype == "bool":
        return True
    if t.kind in "iu":
        return np.iinfo(t).min if t.kind == "i" else np.iinfo(t).max
    return np.nan


def gather(vs, p, out_dtypes):
    x, i = vs[0].a, vs[1].a
    w = Windows(p, GATHER, x.shape, i, list(p["slice_sizes"]), "FILL" not in p["mode"])
    shape = [None] * (len(w.window) + i.ndim - 1)
    sizes, batch = iter(x_size(w)), iter(i.shape[:-1])
    for k in range(len(shape)):
        shape[k] = next(sizes) if k in w.window else next(batch)
    out = np.full(shape, fill(vs[0].d), DTYPES[vs[0].d])
    for b, start in w:
        for to, at in w.elements(b, start):
            if at is not None:
                out[to] = x[at]
    return [Value(out, vs[0].d)]


def x_size(w):
    return [w.sizes[i] for i in w.kept]


def scatter(how):
    def rule(vs, p, out_dtypes):
        x, i, u = vs[0].a.copy(), vs[1].a, vs[2].a
        w = Windows(p, SCATTER, x.shape, i, None, "CLIP" in p["mode"])
        w.sizes = [1] * x.ndim
        for d, k in zip(w.kept, w.window):
            w.sizes[d] = u.shape[k]
        with np.errstate(all="ignore"):
            for b, start in w:
                for to, at in w.elements(b, start):
                    if at is not None:
                        x[at] = how(x[at], u[to])
        return [Value(x, vs[0].d, 4.0 if how is multiply and vs[0].d[0] == "c" else 0.0, 1.0)]

    return rule


def multiply(a, b):
    return a * b


EQUATIONS = {"gather": gather, "scatter": scatter(lambda a, b: b), "scatter-add": scatter(lambda a, b: a + b),
             "scatter-sub": scatter(lambda a, b: a - b), "scatter-mul": scatter(multiply),
             "scatter-min": scatter(np.minimum), "scatter-max": scatter(np.maximum)}
