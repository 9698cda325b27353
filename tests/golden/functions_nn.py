"""Calls of jax.nn's functions: see functions.py."""
import jax.numpy as jnp
from functions import corner, ramp

UNARY = ("elu celu hard_sigmoid hard_silu hard_swish hard_tanh identity leaky_relu log1mexp log_sigmoid mish relu relu6 selu sigmoid silu "
         "soft_sign softplus sparse_plus sparse_sigmoid squareplus swish tanh").split()


def cases(c):
    inf, nan = jnp.inf, jnp.nan
    # Derivatives such as y (1 - y) are formed by JAX with cancellation.
    c.tolerance(" ".join("nn." + n for n in UNARY) + " nn.gelu nn.glu", 8, 32)
    c.tolerance("nn.softmax nn.log_softmax nn.logsumexp nn.logmeanexp", 8, 8)
    c.tolerance("nn.standardize nn.dot_product_attention", 64, 16)
    for name in UNARY:
        real = [d for d in c.dtypes if "complex" not in d]  # JAX takes log of -0 at 0
        c.unary("nn." + name, dtypes=real if name == "log1mexp" else None, derivative=name != "log1mexp")
        for d in c.floats if name != "log1mexp" else ():
            c.vjp("nn." + name, jnp.array([0.0, -0.0, 1.0, -1.0, 6.0, 3.0, -3.0, 20.0, -20.0, 500.0, -500.0], d))
    for d in c.floats:
        c.vjp("nn.log1mexp", jnp.array([0.25, 0.5, 1.0, 2.0, 20.0, 500.0, 1e-3], d))
        c.vjp("nn.relu", jnp.array([inf, -inf, nan], d))
        for name in ("relu", "elu", "silu", "softplus", "gelu", "mish", "log_sigmoid", "soft_sign"):
            c.vjp("nn." + name, jnp.array([0.5, -0.25, 2.0, -3.0], d), order=2)
    for d in c.dtypes:
        for name in ("elu", "celu", "leaky_relu", "squareplus"):
            for p in (0.25, 2, ramp("float32", (3,)), jnp.array(1.5, "float16"))[:2 if "16" in d else 4]:
                c.call("nn." + name, ramp(d, (2, 3)), p)
        for approximate in (True, False):
            c.call("nn.gelu", corner(d), approximate)
            c.call("nn.gelu", ramp(d, (2, 3)), approximate=approximate)
            if d in c.floats:
                c.vjp("nn.gelu", jnp.array([0.0, -0.0, 1.0, -1.0, 3.0, -3.0, 10.0, -10.0], d), approximate)
                c.vjp("nn.gelu", c.draw(d, (5,)), approximate, order=2)
        for axis in (0, 1, -1):
            c.call("nn.glu", ramp(d, (2, 4)), axis)
        c.call("nn.glu", ramp(d, (4, 2)), axis=-2)
    d = c.floats[-1]
    c.call("nn.glu", ramp(d, (2, 3)))
    c.call("nn.glu", ramp(d, (0,)))
    c.call("nn.glu", ramp(d, ()))
    c.vjp("nn.glu", c.draw(d, (2, 4)))
    c.vjp("nn.celu", c.draw(d, (4,)), c.draw(d, (4,)) ** 2 + 0.5, argnums=(0, 1))
    c.vjp("nn.elu", c.draw(d, (4,)), c.draw(d, (4,)), argnums=(0, 1))
    c.vjp("nn.squareplus", c.draw(d, (4,)), c.draw(d, (4,)) ** 2, argnums=(0, 1))
    softmaxes(c, d)
    sums(c, d)
    standardized(c, d)
    one_hot(c)
    if not c.x64:  # JAX takes the softmax of float64 in float32
        attention(c, d)


def softmaxes(c, d):
    inf, nan = jnp.inf, jnp.nan
    rows = [[1.0, 2.0, 3.0], [-1.0, 0.0, 1000.0], [-inf, -inf, -inf], [inf, 0.0, -inf], [nan, 0.0, 1.0], [-1e30, -1e30, -inf]]
    masks = [[True, True, False], [False, False, False], [False, True, True]]
    for name in ("nn.softmax", "nn.log_softmax"):
        for t in c.dtypes if not c.x64 else c.inexact:  # -inf is no 64-bit integer: JAX takes another number for the largest
            for axis in (-1, 0, (0, 1), None, ()):
                c.call(name, ramp(t, (2, 3)), axis)
        for t in c.floats:
            for row in rows:
                x = jnp.array(row, t)
                c.call(name, x)
                c.vjp(name, x)
                for m in masks:
                    c.call(name, x, where=jnp.array(m))
            for m in masks:
                c.vjp(name, jnp.array([0.5, -1.0, 2.0], t), where=jnp.array(m))
            c.vjp(name, c.draw(t, (2, 3)), 0)
            c.vjp(name, c.draw(t, (2, 3)), order=2)
        c.call(name, ramp(d, (2, 3)), where=jnp.array([True, False, True]))
        c.call(name, ramp(d, (2, 3)), 0, where=jnp.array([[True], [False]]))
        for axis in (2, -3, (0, 0), 0.5):
            c.call(name, ramp(d, (2, 3)), axis)
        for shape in ((0,), (0, 3), (3, 0), ()):
            c.call(name, ramp(d, shape))
        c.call(name, 2.0, None)
        c.call(name, None)


def sums(c, d):
    inf, nan = jnp.inf, jnp.nan
    rows = [[1.0, 2.0, 3.0], [-1.0, 0.0, 1000.0], [-inf, -inf, -inf], [inf, 0.0, -inf], [nan, 0.0, 1.0], [inf, inf, 0.0], [-500.0, -500.0, -501.0]]
    weights = [[1.0, -2.0, 0.5], [0.0, 0.0, 0.0], [2.0, 0.0, -1.0], [-1.0, -1.0, -1.0]]
    for name in ("nn.logsumexp", "nn.logmeanexp"):
        for t in c.dtypes:
            for axis in (None, -1, 0, (0, 1), ()):
                c.call(name, ramp(t, (2, 3)), axis)
            c.call(name, ramp(t, (2, 3)), 1, keepdims=True)
        for t in c.floats:
            for row in rows:
                c.call(name, jnp.array(row, t))
                c.call(name, jnp.array(row, t), where=jnp.array([True, False, True]))
            for row in rows[:2]:
                c.vjp(name, jnp.array(row, t))
            c.vjp(name, c.draw(t, (2, 3)), 1, where=jnp.array([True, True, False]))
            c.vjp(name, c.draw(t, (2, 3)), -1, keepdims=True, order=2)
        for axis in (2, -3, (0, 0), 0.5):
            c.call(name, ramp(d, (2, 3)), axis)
        for shape in ((0,), (0, 3), (3, 0), ()):
            c.call(name, ramp(d, shape))
            c.call(name, ramp(d, shape), keepdims=True)
        c.call(name, None)
        c.call(name, [1.0, 2.0])
    for t in c.dtypes:
        for w in weights:
            for row in ([1.0, 2.0, 3.0], [-1.0, 0.0, 100.0]):
                b = jnp.array(w, d)
                c.call("nn.logsumexp", jnp.array(row).astype(t), b=b)
                c.call("nn.logsumexp", jnp.array(row).astype(t), b=b, return_sign=True)
    for w in weights[:1] + weights[2:3]:
        c.vjp("nn.logsumexp", jnp.array([1.0, 2.0, 3.0], d), None, jnp.array(w, d), argnums=(0, 2), return_sign=True)
    c.call("nn.logsumexp", ramp(d, (2, 3)), 1, b=2.0, where=jnp.array([True, False, True]), keepdims=True, return_sign=True)
    c.call("nn.logsumexp", ramp(d, (2, 3)), 0, b=jnp.ones((4, 1, 1), d))
    z = "complex128" if c.x64 else "complex64"
    c.call("nn.logsumexp", ramp(z, (2, 3)), 1)
    c.call("nn.logsumexp", ramp(z, (2, 3)), 1, return_sign=True)
    c.call("nn.logsumexp", ramp(d, (2, 3)), 1, b=ramp(z, (3,)))


def standardized(c, d):
    for t in c.dtypes:
        for axis in (-1, 0, (0, 1), None):
            c.call("nn.standardize", ramp(t, (2, 3)), axis)
        c.call("nn.standardize", ramp(t, (2, 3)), algorithm="stable")
    for kwargs in ({"mean": 0.0}, {"variance": 2.0}, {"mean": 0.5, "variance": 1.0}, {"epsilon": 1}, {"epsilon": 0.0},
                   {"mean": ramp(d, (2, 1))}, {"variance": jnp.ones((3,), d)}, {"where": jnp.array([True, False, True])},
                   {"where": jnp.array([[True], [False]]), "axis": 0}, {"algorithm": "stable", "where": jnp.array([True, True, False])},
                   {"algorithm": "slow"}, {"axis": 2}, {"mean": 1}, {"mean": 0.5, "algorithm": "stable"}):
        c.call("nn.standardize", ramp(d, (2, 3)), **kwargs)
    c.call("nn.standardize", jnp.full((3,), 1.5, d))
    c.call("nn.standardize", jnp.zeros((2, 0), d))
    c.vjp("nn.standardize", c.draw(d, (2, 3)))
    c.vjp("nn.standardize", jnp.full((3,), 1.5, d))
    c.vjp("nn.standardize", c.draw(d, (2, 3)), 0, algorithm="stable")


def one_hot(c):
    for t in c.dtypes:
        c.call("nn.one_hot", ramp(t, (2, 3)), 4)
        c.call("nn.one_hot", corner(t), 3)
    for dtype in ("int8", "bool", "float16", "float64", "complex64"):
        c.call("nn.one_hot", jnp.array([0, 2, 5, -1]), 3, dtype=dtype)
    for axis in (0, 1, 2, -1, -2, -3, 3, -4):
        c.call("nn.one_hot", jnp.array([[0, 2, 1]]), 3, axis=axis)
    for n in (0, 1, -1, 300):
        c.call("nn.one_hot", jnp.array([0, 2, 5], "int8"), n)
    for x in (2, True, 1.0):
        c.call("nn.one_hot", x, 3)
    c.vjp("nn.one_hot", jnp.array([0.0, 1.0]), 2)


def attention(c, d):
    name = "nn.dot_product_attention"
    for t in c.floats:
        q, k, v = c.draw(t, (2, 3, 4, 5), 1), c.draw(t, (2, 6, 2, 5), 1), c.draw(t, (2, 6, 2, 5), 1)
        c.call(name, q, k, v)
        c.call(name, q[0], k[0], v[0])
        c.call(name, q, k[:, :, :1], v[:, :, :1], is_causal=True)
        c.call(name, q[:, :, :2], k, v, scale=2.0, return_residual=True)
    q, k, v = c.draw(d, (2, 3, 4, 5), 1), c.draw(d, (2, 6, 2, 5), 1), c.draw(d, (2, 6, 2, 5), 1)
    lengths = jnp.array([1, 3], "int32")
    for kwargs in ({"query_seq_lengths": lengths}, {"key_value_seq_lengths": lengths}, {"local_window_size": 1},
                   {"local_window_size": (1, 2)}, {"local_window_size": (0, 1), "is_causal": True}, {"implementation": "xla"},
                   {"implementation": "abc"}, {"query_seq_lengths": lengths, "key_value_seq_lengths": lengths, "return_residual": True},
                   {"query_seq_lengths": lengths[:1]}, {"query_seq_lengths": lengths.astype("float32")}, {"key_value_seq_lengths": lengths[0]},
                   {"is_causal": True, "scale": 0.0}):
        c.call(name, q, k, v, **kwargs)
    for shape in ((2, 4, 3, 6), (1, 4, 3, 6), (2, 1, 3, 6), (1, 1, 3, 6), (4, 3, 6), (3, 6), (2, 4, 1, 6), (2, 4, 3, 1)):
        c.call(name, q, k, v, ramp(d, shape))
        c.call(name, q, k, v, mask=ramp("bool", shape))
    c.call(name, q, k, v, ramp("bfloat16", (2, 4, 3, 6)), ramp("bool", (3, 6)), is_causal=True)
    c.call(name, q, k, v, mask=jnp.zeros((1, 1, 3, 6), bool), return_residual=True)
    c.call(name, q, k, v, mask=ramp(d, (2, 4, 3, 6)))
    c.call(name, q, k[..., :4], v[..., :4])
    c.call(name, q, k, v[:, :4])
    c.call(name, q[:1], k, v)
    c.call(name, q[:, :, :3], k, v)
    c.call(name, q, k.astype("float16"), v)
    c.vjp(name, q, k, v, argnums=(0, 1, 2))
    c.vjp(name, q, k, v, ramp(d, (4, 3, 6)), argnums=(0, 1, 2, 3), is_causal=True)
