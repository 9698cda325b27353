"""Writes jaxpr_text.txt: how JAX 0.10.2 prints the programs of functions that tests/ir/jaxpr_text_test.cc has too.

An entry is a line `## NAME` and the text. JAX_PLATFORMS=cpu python jaxpr_text.py
"""
import pathlib

import jax
import jax.numpy as jnp
from jax import lax

x, y = jnp.arange(4.0), jnp.arange(4.0) + 1
i = jnp.arange(4)
b = x > 1
m, n = jnp.ones((2, 3)), jnp.ones((3, 2))
z = x.astype(jnp.complex64)
k = jax.random.key(0)
c = jnp.array([1.0, 2.0, 3.0, 4.0])
s = jnp.sum(c)


@jax.jit
def two(x):
    return jnp.sin(x), jnp.cos(x)


@jax.jit
def layer(x):
    return jnp.tanh(x) * 2.0


@jax.jit
def many(x):
    for _ in range(12):
        x = jnp.sin(x)
    return x


def total(*xs):
    t = xs[0]
    for v in xs[1:]:
        t = t + v
    return t


cases = {
    "add_literal": (lambda x: x + 1.0, x),
    "add_integer_literal": (lambda x: x + 1, x),
    "integers": (lambda i: i * 2 + 1, i),
    "captured_scalar": (lambda x: x + s, x),
    "captured_array": (lambda x: x * c, x),
    "captured_twice": (lambda x: x * c + c, x),
    "elementwise": (lambda x: jnp.tanh(x) * jnp.sin(x) + jnp.log1p(x * x), x),
    "all_calculus": (lambda x: jnp.exp(x) + jnp.log(x) + jnp.sqrt(x) + jnp.cos(x) + jnp.tan(x) + jnp.expm1(x), x),
    "identity": (lambda x: x, x),
    "unused": (lambda x: (jnp.sin(x), x)[1], x),
    "two_outputs": (lambda x: (jnp.sin(x), x), x),
    "outer_sum": (lambda x: x + x[:, None], x),
    "ones": (lambda x: x + jnp.ones(4), x),
    "where": (lambda x: jnp.where(x > 0, x, 0.0), x),
    "where_arrays": (lambda b, x, y: jnp.where(b, x, y), b, x, y),
    "compare": (lambda x, y: (x < y) & (x != y), x, y),
    "maximum": (lambda x, y: jnp.maximum(x, y) - jnp.minimum(x, 0.0), x, y),
    "powers": (lambda x: jnp.power(jnp.square(x), 3) + jnp.power(x, 2) + x**0.5 + 2**x, x),
    "sum": (lambda m: jnp.sum(m), m),
    "sum_axis": (lambda m: jnp.sum(m, 0), m),
    "sum_keepdims": (lambda m: jnp.sum(m, 1, keepdims=True), m),
    "max_mean_argmax": (lambda x: (jnp.max(x), jnp.mean(x), jnp.argmax(x)), x),
    "prod_all_any": (lambda x, b: (jnp.prod(x), jnp.all(b), jnp.any(b)), x, b),
    "var": (lambda x: jnp.var(x), x),
    "std": (lambda x: jnp.std(x), x),
    "matmul": (lambda m, n: m @ n, m, n),
    "dot": (lambda x, y: jnp.dot(x, y), x, y),
    "transpose_matmul": (lambda x: x.reshape(2, 2).T @ x.reshape(2, 2), x),
    "slices": (lambda x: (x[0], x[1:], x[:-1], x[::2], x[::-1], x[None]), x),
    "concatenate": (lambda x: jnp.concatenate([x, x]), x),
    "concatenate_many": (lambda x: jnp.concatenate([x] * 30), x),
    "stack": (lambda x: jnp.stack([x, x]), x),
    "pad_lax": (lambda x: lax.pad(x, 0.0, ((1, 2, 0),)), x),
    "astype": (lambda x: x.astype(jnp.int32), x),
    "bool_sum": (lambda b: b.sum(), b),
    "promotion": (lambda i, x: i + x, i, x),
    "complex": (lambda z: z * z + jnp.conj(z), z),
    "real": (lambda z: jnp.real(z) + jnp.imag(z), z),
    "iota": (lambda x: jnp.arange(4) + x, x),
    "lax_select": (lambda b, x, y: lax.select(b, x, y), b, x, y),
    "lax_clamp": (lambda x: lax.clamp(0.0, x, 1.0), x),
    "clip": (lambda x: jnp.clip(x, 0.0, 1.0), x),
    "remainder": (lambda x: x % 2.0, x),
    "bits": (lambda i: (i << 2) ^ (i & 3), i),
    "split": (lambda k: jax.random.split(k), k),
    "fold_in": (lambda k: jax.random.fold_in(k, 3), k),
    "random_normal": (lambda k: jax.random.normal(k, (3,)), k),
    "random_uniform": (lambda k: jax.random.uniform(k, (3,)), k),
    "jit": (lambda x: layer(x), x),
    "jit_twice": (lambda x: layer(layer(x)), x),
    "jit_unused": (lambda x: two(x)[0], x),
    "jit_nested": (lambda x: jax.jit(lambda y: (two(y)[0], two(y + 1)[1]))(x), x),
    "jit_many": (lambda x: many(x), x),
    "many_inputs": (total, *[x] * 30),
    "mlp": (lambda x, w, v: jnp.tanh(x @ w) @ v, jnp.ones((4, 2)), m, n),
}

out = []
for name, (f, *args) in cases.items():
    out += [f"## {name}", str(jax.make_jaxpr(f)(*args))]
pathlib.Path(__file__).with_suffix(".txt").write_text("\n".join(out) + "\n")
