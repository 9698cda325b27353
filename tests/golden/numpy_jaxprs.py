"""Writes numpy_jaxprs.txt: the jaxprs that JAX 0.10.2 stages for numpy, indexing, random and nn. A record is `# NAME`, then the text."""
import pathlib

import jax
import jax.numpy as jnp
import numpy as np

np.set_printoptions(legacy="1.25")  # without np.int64(1), an accident: see docs/differences.md
f32 = jnp.float32
x = jnp.ones(4)
X = jnp.ones((2, 3))
T = jnp.ones((2, 3, 3))
B = X.astype(jnp.bfloat16)
I = X.astype(jnp.int8)
C = X.astype(jnp.complex64)
k = jax.random.key(0)
i = jnp.int32(1)
W = X > 0
r = jax.random
nn = jax.nn
cases = {
    "sum": (lambda x: jnp.sum(x), X), "sum -1 keep": (lambda x: jnp.sum(x, -1, keepdims=True), X), "sum empty": (lambda x: jnp.sum(x, ()), X),
    "sum bf16": (jnp.sum, B), "sum bf16 0 keep": (lambda x: jnp.sum(x, 0, keepdims=True), B), "sum f16": (lambda x: jnp.sum(x, dtype=jnp.float16), X), "sum i8": (jnp.sum, I), "sum bool": (jnp.sum, X > 0),
    "prod bf16": (jnp.prod, B), "mean bf16": (lambda x: jnp.mean(x, 0), B), "mean i8": (lambda x: jnp.mean(x, 0), I), "mean keep": (lambda x: jnp.mean(x, 0, keepdims=True), X),
    "mean i32": (lambda x: jnp.mean(x, 0, dtype=jnp.int32), X), "var": (lambda x: jnp.var(x, 0), X), "var bf16 keep": (lambda x: jnp.var(x, 0, keepdims=True), B),
    "var i8": (lambda x: jnp.var(x, 0, ddof=1), I), "var c64": (lambda x: jnp.var(x, 0, ddof=1), C), "std c64": (lambda x: jnp.std(x, 0, ddof=1), C), "std": (jnp.std, X),
    "max keep": (lambda x: jnp.max(x, 0, keepdims=True), X), "max bool": (jnp.max, X > 0), "all": (jnp.all, X), "any i8": (lambda x: jnp.any(x, 1), I),
    "argmax": (jnp.argmax, X), "argmax 1 keep": (lambda x: jnp.argmax(x, 1, keepdims=True), X), "argmin keep": (lambda x: jnp.argmin(x, keepdims=True), X),
    "array_equal": (lambda x: jnp.array_equal(x, x), X), "array_equal shape": (lambda x: jnp.array_equal(x, x[0]), X),
    "array_equal int": (lambda x: jnp.array_equal(x, x.astype(int)), X), "sum weak": (jnp.sum, 2.0), "mean weak": (jnp.mean, 2), "var weak": (jnp.var, 2.0), "max weak": (jnp.max, 2.0),
    "argmax scalar": (jnp.argmax, f32(3)),
    "dot": (lambda x: jnp.dot(x, x.T), X), "dot scalar": (lambda x: jnp.dot(x, 2), X), "dot vector": (lambda x: jnp.dot(x, x[0]), X), "dot int": (lambda x: jnp.dot(x, x.astype(int).T), X), "dot 3d": (lambda x: jnp.dot(x, x), T),
    "matmul": (lambda x: x @ x, T), "matmul vector": (lambda x: x[0, 0] @ x, T), "matmul 2d": (lambda x: x[0] @ x, T), "matmul right vector": (lambda x: x @ x[0, 0], T), "matmul one": (lambda x: x @ x[:1], T),
    "matmul new": (lambda x: x @ x[:, None], T), "matmul ones": (lambda x: x[:1] @ x[:1], T), "matmul one left": (lambda x: x[:1] @ x, T), "matmul ones 4d": (lambda x: x[:1, None] @ x[None], T), "matmul bool": (lambda x: x @ x.T, X > 0), "vdot": (lambda x: jnp.vdot(x, x), C), "inner": (lambda x: jnp.inner(x, x), X),
    "inner scalar": (lambda x: jnp.inner(x, 2), X), "outer": (lambda x: jnp.outer(x, x), X), "tensordot": (lambda x: jnp.tensordot(x, x, 2), X), "tensordot 0": (lambda x: jnp.tensordot(x, x, 0), X),
    "reshape": (lambda x: x.reshape(3, -1), X), "ravel": (jnp.ravel, X), "broadcast_to": (lambda x: jnp.broadcast_to(x[:1], (4, 2, 3)), X), "transpose": (jnp.transpose, X),
    "transpose same": (lambda x: jnp.transpose(x, (0, -1)), X), "T 1d": (lambda x: x.T, x), "swapaxes": (lambda x: jnp.swapaxes(x, 0, -1), X), "moveaxis": (lambda x: jnp.moveaxis(x, 0, -1), T), "expand_dims": (lambda x: jnp.expand_dims(x, (0, -1)), X),
    "squeeze": (lambda x: jnp.squeeze(x, -2), X[:1]), "flip": (jnp.flip, X), "flip -1": (lambda x: jnp.flip(x, -1), X), "roll": (lambda x: jnp.roll(x, 1), X), "roll -1 0": (lambda x: jnp.roll(x, -1, 0), X), "roll 2 01": (lambda x: jnp.roll(x, 2, (0, 1)), X),
    "repeat": (lambda x: jnp.repeat(x, 2), X), "repeat 0": (lambda x: jnp.repeat(x, 2, 0), X), "repeat scalar": (lambda x: jnp.repeat(x, 2, 0), f32(1)), "concatenate": (lambda x: jnp.concatenate([x, x.astype(int)], -1), X), "concatenate one": (lambda x: jnp.concatenate([x]), X),
    "stack": (lambda x: jnp.stack([x, 2 * x.astype(int)], 1), X), "vstack": (lambda x: jnp.vstack([x, x[0]]), X), "hstack": (lambda x: jnp.hstack([x, x]), X), "hstack 0d": (lambda x: jnp.hstack([x[0, 0], x[0, 0]]), X),
    "zeros": (lambda: jnp.zeros((2, 3)),), "ones i32": (lambda: jnp.ones((2, 3), jnp.int32),), "full": (lambda: jnp.full((2, 3), 1),), "full i32": (lambda: jnp.full((2, 3), 1.5, jnp.int32),), "full 0d": (lambda: jnp.full((), 1.5),),
    "full traced": (lambda x: jnp.full((2, 4), x), x), "zeros_like": (jnp.zeros_like, X), "zeros_like weak": (jnp.zeros_like, 2.0), "full_like": (lambda x: jnp.full_like(x, 3), X), "full_like traced": (lambda x: jnp.full_like(x, x[0]), X), "eye": (lambda: jnp.eye(3, 4, 1),),
    "tri": (lambda: jnp.tri(3),), "tril": (jnp.tril, X), "triu": (lambda x: jnp.triu(x, 1), X), "tril 3d": (jnp.tril, T), "arange 5": (lambda: jnp.arange(5),), "arange 1 5": (lambda: jnp.arange(1, 5),), "arange 1 5 2": (lambda: jnp.arange(1, 5, 2),), "arange 0 5 2": (lambda: jnp.arange(0, 5, 2),), "arange f": (lambda: jnp.arange(1, 5, 0.5),),
    "arange 0 f": (lambda: jnp.arange(0, 5, 0.5),), "astype": (lambda x: x.astype(bool), X), "array list": (lambda x: jnp.array([x, 1.0, 2]), 2.0), "array arrays": (lambda x: jnp.array([x, x]), X),
    "x[1]": (lambda x: x[1], X), "x[-1]": (lambda x: x[-1], X), "x[5]": (lambda x: x[5], X), "x[-5]": (lambda x: x[-5], X), "x[1,2]": (lambda x: x[1, 2], X), "x[:,2]": (lambda x: x[:, 2], X), "x[:,None,2]": (lambda x: x[:, None, 2], X), "x[...,None]": (lambda x: x[..., None], X), "x[:]": (lambda x: x[:], X),
    "x[1,...,1:2]": (lambda x: x[1, ..., 1:2], X), "x[::-1,::2]": (lambda x: x[::-1, ::2], X), "x[::-2]": (lambda x: x[::-2], x), "x[3:0:-2]": (lambda x: x[3:0:-2], x), "x[3:1]": (lambda x: x[3:1], x), "x[1:3:-1]": (lambda x: x[1:3:-1], x), "x[1:30]": (lambda x: x[1:30], x), "x[None,1,None,::-1]": (lambda x: x[None, 1, None, ::-1], X),
    "x[i]": (lambda x, i: x[i], X, i), "x[i,1]": (lambda x, i: x[i, 1], X, i), "x[i,1:]": (lambda x, i: x[i, 1:], X, i), "x[:,i]": (lambda x, i: x[:, i], X, i), "x[i,::-1]": (lambda x, i: x[i, ::-1], X, i), "x[i,i]": (lambda x, i: x[i, i], X, i), "x[u8]": (lambda x, i: x[i], X, jnp.uint8(1)), "x[weak]": (lambda x, i: x[i], X, 1), "x[2:3,i]": (lambda x, i: x[2:3, i], X, i),
    "at get": (lambda x: x.at[1].get(), X),
    "uniform": (lambda k: r.uniform(k, (3,)), k), "uniform bf16": (lambda k: r.uniform(k, (3,), jnp.bfloat16), k), "uniform ints": (lambda k: r.uniform(k, (3,), minval=1, maxval=2), k), "normal": (lambda k: r.normal(k, (3,)), k), "normal f16": (lambda k: r.normal(k, (3,), jnp.float16), k), "normal c64": (lambda k: r.normal(k, (3,), jnp.complex64), k),
    "bernoulli": (lambda k: r.bernoulli(k, 0.5, (3,)), k), "bernoulli p": (lambda k, p: r.bernoulli(k, p, (2, 3)), k, jnp.ones(3)), "randint": (lambda k: r.randint(k, (3,), 0, 10), k), "randint u32": (lambda k: r.randint(k, (3,), 0, 10, jnp.uint32), k), "randint a": (lambda k: r.randint(k, (3,), jnp.arange(3), 10), k),
    "bits": (lambda k: r.bits(k, (3,)), k), "split": (lambda k: r.split(k, (2, 3)), k), "key_data": (r.key_data, k), "fold_in": (lambda k, i: r.fold_in(k, i), k, i), "key": (lambda: r.key(3),),
    "sum where": (lambda x, w: jnp.sum(x, 0, where=w, initial=2), X, W), "sum where keep": (lambda x, w: jnp.sum(x, 0, where=w, keepdims=True), X, W), "max where": (lambda x, w: jnp.max(x, 0, where=w, initial=2), X, W),
    "sum initial": (lambda x: jnp.sum(x, 0, initial=2.5), I), "sum narrow": (lambda x: jnp.sum(x, promote_integers=False), I), "mean where": (lambda x, w: jnp.mean(x, 0, where=w), X, W), "var where": (lambda x, w: jnp.var(x, 0, where=w, ddof=1), X, W),
    "std where keep": (lambda x, w: jnp.std(x, 0, where=w, keepdims=True), X, W), "var correction": (lambda x: jnp.var(x, 0, mean=x[:1], correction=0.5), X), "var f16": (lambda x: jnp.var(x, 0, dtype=jnp.float16), X), "all where": (lambda x, w: jnp.all(x, 0, where=w), X, W),
    "ptp": (lambda x: jnp.ptp(x, 0), X), "average": (lambda x: jnp.average(x, 0), X), "average weights": (lambda x: jnp.average(x, 0, weights=x), X), "count_nonzero": (lambda x: jnp.count_nonzero(x, 0, keepdims=True), X), "trace": (lambda x: jnp.trace(x), X),
    "cov": (jnp.cov, X), "cov c64": (jnp.cov, C), "nansum": (lambda x: jnp.nansum(x, 0), X), "nanmax": (lambda x: jnp.nanmax(x, 0), X), "nanmean": (lambda x, w: jnp.nanmean(x, 0, where=w), X, W), "nanvar": (lambda x: jnp.nanvar(x, 0, ddof=1), X),
    "nanstd keep": (lambda x: jnp.nanstd(x, 0, ddof=1, keepdims=True), X), "nanargmax": (lambda x: jnp.nanargmax(x, 0, keepdims=True), X), "nanargmin all": (jnp.nanargmin, X), "tensordot lists": (lambda x: jnp.tensordot(x, x, ([2, 0], [1, 0])), T),
    "vecdot": (lambda x: jnp.vecdot(x, x), T), "vecdot c64": (lambda x: jnp.vecdot(x, x, axis=0), C), "matvec": (lambda x: jnp.matvec(x, x[0, 0]), T), "kron": (lambda x: jnp.kron(x, x), X), "cross": (lambda x: jnp.cross(x, x), X),
    "einsum product": (lambda x: jnp.einsum("ij,kj->ki", x, x), X), "einsum chain": (lambda x: jnp.einsum("bij,bjk,kl->bil", x, x, x[0]), T), "einsum trace": (lambda x: jnp.einsum("bii->b", x), T), "einsum diagonal": (lambda x: jnp.einsum("bii->bi", x), T),
    "einsum sums": (lambda x: jnp.einsum("ij,k->j", x, x[0]), X), "einsum ellipsis": (lambda x: jnp.einsum("...ij,...jk->...ik", x, x[0]), T), "einsum outer": (lambda x: jnp.einsum("i,j,k->ijk", x, x, x), x), "einsum ones": (lambda x: jnp.einsum("ij,ij->ij", x, x[:1]), X),
    "diff": (lambda x: jnp.diff(x, 2, 0, prepend=1.0), T), "ediff1d": (lambda x: jnp.ediff1d(x, to_end=2), X), "trapezoid": (jnp.trapezoid, X), "trapezoid x": (lambda x: jnp.trapezoid(x, x), X), "polyder": (lambda x: jnp.polyder(x, 2), x),
    "split 3": (lambda x: jnp.split(x, 3, 1), X), "split places": (lambda x: jnp.split(x, [1, 3]), x), "array_split": (lambda x: jnp.array_split(x, 2, 1), X), "glu": (lambda x: nn.glu(x), T[:, :, :2]),
    "nonzero": (lambda x: jnp.nonzero(x, size=2), X), "nonzero vector": (lambda x: jnp.nonzero(x, size=2), x), "nonzero mask": (lambda x: jnp.nonzero(x, size=2), W), "flatnonzero": (lambda x: jnp.flatnonzero(x, size=2), x),
    "argwhere": (lambda x: jnp.argwhere(x, size=2), X), "bincount": (lambda x: jnp.bincount(x, length=4), jnp.arange(3)), "bincount weights": (lambda x: jnp.bincount(x, x.astype(f32), length=4), jnp.arange(3)),
    "sigmoid": (nn.sigmoid, x), "silu": (nn.silu, x), "softmax": (nn.softmax, X), "log_softmax": (nn.log_softmax, X), "one_hot": (lambda x: nn.one_hot(x, 4), jnp.arange(3)),
}
text = "".join(f"# {name}\n{jax.make_jaxpr(c[0])(*c[1:])}\n" for name, c in cases.items())
pathlib.Path(__file__).with_name("numpy_jaxprs.txt").write_text("\n".join(line.rstrip() for line in text.split("\n")))
