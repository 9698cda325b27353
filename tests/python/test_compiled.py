"""What jit does to programs: fused kernels, rows in cache, carries written over. The values are JAX's, the bits those of the program as traced."""
import numpy as np
import pytest

import both
import cotan

SETUP = """x = jnp.sin(jnp.arange(12.));; m = jnp.cos(jnp.arange(24.)).reshape(4, 6);; big = jnp.sin(jnp.arange(300. * 1000)).reshape(300, 1000);;
i = jnp.array([3, 0, -1, 2, 3]);; """

PROGRAMS = """
lambda x: lax.fori_loop(0, 5, lambda i, x: x.at[i].set(x[i + 1] * 2), x)
lambda x: lax.fori_loop(0, 5, lambda i, c: (c[0].at[i].add(1.), c[0]), (x, x))
lambda x: lax.fori_loop(0, 5, lambda i, c: (c[1], c[0].at[i].add(1.)), (x, x))
lambda x: lax.fori_loop(0, 5, lambda i, c: (c[0].at[i].add(c[1][i]), c[1].at[i].add(c[0][i])), (x, 2 * x))
lambda x: lax.fori_loop(0, 5, lambda i, x: x.at[i].set(x.sum()) + x, x)
lambda x: lax.fori_loop(0, 5, lambda i, x: jnp.roll(x, 1).at[0].set(x[-1]), x)
lambda x: lax.fori_loop(0, 5, lambda i, x: x[::-1] + x, x)
lambda x: lax.fori_loop(0, 3, lambda i, x: lax.fori_loop(0, 3, lambda j, x: x.at[i + j].multiply(x[j]), x), x)
lambda x: lax.scan(lambda c, i: (c.at[i].set(-1.), c), x, jnp.arange(4))
lambda x: lax.scan(lambda c, i: (c.at[i].set(-1.), c.at[i].set(5.)), x, jnp.arange(4))
lambda x: lax.scan(lambda c, i: (c.at[i].set(-1.), c[i]), x, jnp.arange(4), reverse=True)
lambda x: lax.scan(lambda c, i: (c * 2, c + i), x, jnp.arange(0))
lambda x: lax.scan(lambda c, i: (c * 2, (c, c)), x, jnp.arange(3))
lambda x: lax.scan(lambda c, i: ((c[1], c[0] * 2), c[0]), (x, x + 1), jnp.arange(3))
lambda x: lax.while_loop(lambda c: c[0] < 4, lambda c: (c[0] + 1, c[1].at[c[0]].set(c[1][0] + 1)), (0, x))
lambda x: lax.while_loop(lambda x: x[0] < 4, lambda x: x.at[0].add(1.), x)
lambda x: lax.while_loop(lambda x: x[0] > 9, lambda x: x.at[0].add(1.), x)
lambda x: lax.cond(x[0] > 0, lambda x: x.at[1].set(3.), lambda x: x, x) + x
lambda x: (lambda y: (y, y.at[2].set(9.), y))(x * 2)
lambda x: (x.at[0].set(1.), x.at[1].set(2.), x)
lambda x: (x.at[:5].set(x[5:10]), x.at[2:7].add(x[:5]))
lambda x: (x, x.reshape(3, 4), x.reshape(3, 4).reshape(-1))
lambda x: (lambda y: (y, y.reshape(3, 4), y.reshape(3, 4).T))(x + 1)
lambda x: (x[1:] - x[:-1], x[::2] * x[1::2], x[::-1][3:] + x[:-3])
lambda x: jnp.concatenate([jnp.exp(x), x, x[:3] * 2]) + 1
lambda x: jnp.pad(jnp.exp(x), (2, 3), constant_values=7.) * 2
lambda x: jnp.pad(x.reshape(3, 4), ((1, 0), (0, 2)), constant_values=-1.).sum(0)
lambda x: jnp.stack([x, jnp.exp(x)], 1).reshape(-1)[::3]
lambda x: ((jnp.exp(x)[:, None] * x[None]).sum(0), (jnp.exp(x)[:, None] + x[None]).max(1))
lambda x: (x.reshape(3, 4).T.reshape(-1) + x, x.reshape(3, 4).T.reshape(2, 6) * 2)
lambda x: (x.reshape(2, 6).sum(1)[:, None] * x.reshape(2, 6)).T.sum(0)
lambda x: jnp.where(x > 0, x, 0).cumsum() * jnp.exp(x)
lambda m: ((m - m.mean(1, keepdims=True)) / m.std(1, keepdims=True), m.T)
lambda m: (jnp.exp(m) / jnp.exp(m).sum(0), jnp.argmax(m * 2, 1))
lambda m: m.T @ jnp.tanh(m) + (m.T @ m).T
lambda m: jnp.einsum('ij,kj->ki', m, m * 2).T
lambda m: m[jnp.array([1, -1])] * m[:, jnp.array([-2, 0])].T.sum()
lambda big: nn.softmax(big * 3)
lambda big: (nn.log_softmax(big), big.sum(1))
lambda big: ((big - big.mean(-1, keepdims=True)) / jnp.sqrt(big.var(-1, keepdims=True) + 1e-5)).astype(jnp.bfloat16)
lambda big: (nn.softmax(big.reshape(3, 100, 1000), 1).sum(2), big.max(0) - big.min(0))
lambda big: (big * 2).T.sum(1) + jnp.exp(big).T.max(1)
lambda big: jnp.sort(jnp.exp(big), 1)[:, ::-1] - big.mean(1, keepdims=True)
lambda i: jnp.zeros(5).at[i].add(jnp.exp(jnp.arange(5.)))[::-1] + jnp.arange(5.)[i]
""".strip().splitlines()


def argument_of(program):
    return program.split(":")[0].split()[1]


@pytest.mark.parametrize("program", PROGRAMS)
def test_values(program):
    x = argument_of(program)
    other = f"jit({program})({x}[:7])" if x == "big" else f"jit(vmap({program}))(jnp.stack([{x}, {x} * 2]))"
    for code in (f"jit({program})({x})", other):
        both.check(both.run("cotan", SETUP + code), both.run("jax", SETUP + code), code, ulps=64, absolute=8)


@pytest.fixture
def as_traced():
    """Call it to have programs run as they were traced from then on."""
    yield lambda: cotan.config.update("jax_disable_most_optimizations", True)
    cotan.config.update("jax_disable_most_optimizations", False)


@pytest.mark.parametrize("program", PROGRAMS)
def test_bits(program, as_traced):
    def leaves():
        return cotan.tree.leaves(both.run("cotan", f"{SETUP}jit({program})({argument_of(program)})"))

    fast = leaves()
    as_traced()
    plain = leaves()
    assert len(fast) == len(plain)
    for a, b in zip(fast, plain):
        assert a.dtype == b.dtype and np.asarray(a).tobytes() == np.asarray(b).tobytes()


def test_arguments_stay():
    """A loop writes over its own carry, never over what the caller holds."""
    x = cotan.numpy.arange(5.0)
    f = cotan.jit(lambda x: cotan.lax.fori_loop(0, 5, lambda i, x: x.at[i].set(0.0), x))
    assert (f(x) == 0).all() and x.tolist() == [0, 1, 2, 3, 4] and (f(x) == 0).all()


@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16"])
def test_sine_and_cosine_together(dtype):
    """One tile function computes both: the bits of each alone, huge arguments and short arrays too."""
    jnp = cotan.numpy
    numbers = np.r_[np.linspace(-1e6, 1e6, 10007), np.nan, np.inf, -np.inf, -0.0, 0.0, 1e-40, 3e38, 2e5, -2.1e5]

    def f(x):
        return jnp.sin(x) * 2, jnp.cos(x) + 1, jnp.cos(x), jnp.sin(x) - jnp.cos(x)

    with cotan.enable_x64(dtype == "float64"):
        for n in (len(numbers), 17, 9, 8, 7, 3, 1):
            x = jnp.asarray(numbers[-n:], dtype)
            for a, b in zip(cotan.jit(f)(x), f(x)):
                assert a.dtype == b.dtype and np.asarray(a).tobytes() == np.asarray(b).tobytes()
