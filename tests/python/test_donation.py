"""jit with donated arguments: what is written over, what is deleted, what others keep, what is said of it."""
import warnings

import numpy as np
import pytest

import cotan
import cotan.numpy as jnp
from cotan import lax


def address(x):
    return np.asarray(x).__array_interface__["data"][0]


def test_results_take_the_memory_of_arguments():
    f = cotan.jit(lambda x, y: (x + y, {"a": y * 2}), donate_argnums=(0, 1))
    for n in (3, 1000, 100_000):
        x, y = jnp.ones(n), jnp.full(n, 2.0)
        at = address(x), address(y)
        s, d = f(x, y)
        assert (address(s), address(d["a"])) == at and x.is_deleted() and y.is_deleted()
        assert (s == 3).all() and (d["a"] == 4).all()


def test_a_training_step_allocates_nothing():
    rng = np.random.default_rng(0)
    params = [{"w": jnp.asarray(rng.standard_normal(s), jnp.float32), "b": jnp.zeros(s[1])} for s in ((784, 512), (512, 512), (512, 10))]
    x, y = jnp.asarray(rng.standard_normal((128, 784)), jnp.float32), jnp.arange(128) % 10

    def loss(params, x, y):
        for p in params[:-1]:
            x = jnp.tanh(x @ p["w"] + p["b"])
        return -jnp.take_along_axis(cotan.nn.log_softmax(x @ params[-1]["w"] + params[-1]["b"]), y[:, None], 1).mean()

    def step(params, x, y):
        return cotan.tree.map(lambda p, g: p - 0.1 * g, params, cotan.grad(loss)(params, x, y))
    want = cotan.jit(step)(params, x, y)
    update = cotan.jit(step, donate_argnums=0)
    memory = update.lower(params, x, y).compile().memory_analysis()
    assert memory.alias_size_in_bytes == memory.output_size_in_bytes == 4 * sum(p.size for p in cotan.tree.leaves(params))
    at = [address(p) for p in cotan.tree.leaves(params)]
    params = update(params, x, y)
    assert [address(p) for p in cotan.tree.leaves(params)] == at
    for got, expected in zip(cotan.tree.leaves(params), cotan.tree.leaves(want)):
        np.testing.assert_array_equal(got, expected)
    assert "donated: 6 of 6 become results\n" in update.explain()


def test_what_others_hold_is_copied():
    f = cotan.jit(lambda x: x + 1, donate_argnums=0)
    x = jnp.zeros((4, 1000))
    views = np.asarray(x), memoryview(x), np.from_dlpack(x), x.reshape(-1), x.ravel()[:]
    captured = cotan.jit(lambda v: v + x)
    captured(jnp.zeros((4, 1000)))
    shared = jnp.zeros((4, 1000)) + 0
    alias = np.asarray(shared)
    assert (f(shared) == 1).all() and (alias == 0).all() and shared.is_deleted()
    assert (f(x) == 1).all() and x.is_deleted()
    assert views[0][3, 999] == 0 and views[1][3, 999] == 0 and views[2][3, 999] == 0 and (views[3] == 0).all() and (views[4] == 0).all()
    assert "x: was copied before 2 calls, since others held its elements" in f.explain()


def test_elements_that_were_numpy_s_stay_numpy_s():
    f = cotan.jit(lambda x: x + 1, donate_argnums=0)
    a = np.zeros(1000, np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert (f(a) == 1).all() and (a == 0).all()
        assert (f(jnp.asarray(a)) == 1).all() and (a == 0).all()
        assert f(2.0) == 3 and f(2.0) == 3


def test_literals_and_cached_numbers_are_not_written_over():
    f = cotan.jit(lambda x: x + 1, donate_argnums=0)
    for make in (lambda: jnp.float32(1), lambda: jnp.array(1.0), lambda: jnp.ones(()), lambda: jnp.asarray(1.0)):
        x = make()
        assert f(x) == 2 and x.is_deleted() and make() == 1


def test_what_is_in_the_way():
    f = cotan.jit(lambda x, y, z: (jnp.sort(x), y.sum(), x * 0 + z), donate_argnums=(0, 1, 2))
    args = jnp.arange(1000.0)[::-1], jnp.ones(7), jnp.ones(1000)
    with pytest.warns(UserWarning, match=r"Some donated buffers were not usable: float32\[7\]"):
        r = f(*args)
    assert (r[0] == jnp.arange(1000.0)).all() and r[1] == 7 and (r[2] == 1).all()
    assert args[0].is_deleted() and not args[1].is_deleted() and args[2].is_deleted()
    text = f.explain()
    assert "y: is kept: no result left has its shape and dtype" in text
    assert "donated: 1 of 3 become results\n" in text or "donated: 2 of 3 become results\n" in text


def test_why_a_result_takes_other_memory():
    f = cotan.jit(jnp.sort, donate_argnums=0)
    f(jnp.ones(1000))
    assert "is freed after the call: result 0 is written (by sort) while it is read" in f.explain()
    assert f.lower(jnp.ones(1000)).compile().memory_analysis().alias_size_in_bytes == 0


def test_arguments_that_are_results():
    f = cotan.jit(lambda x, y: (y, x, x + y, y.reshape(10, 100)), donate_argnums=(0, 1))
    x, y = jnp.zeros(1000), jnp.ones(1000)
    a, b, c, d = f(x, y)
    assert (a == 1).all() and (b == 0).all() and (c == 1).all() and d.shape == (10, 100) and (d == 1).all()
    g = cotan.jit(lambda x: x, donate_argnums=0)
    x = jnp.ones(1000)
    at = address(x)
    y = g(x)
    assert address(y) == at and x.is_deleted() and (y == 1).all()
    assert g.lower(y).compile().memory_analysis().alias_size_in_bytes == 4000


def test_other_shapes_and_dtypes_of_the_same_size():
    f = cotan.jit(lambda x: (lax.bitcast_convert_type(x, jnp.int32) + 1, x.T * 2), donate_argnums=0)
    x = jnp.arange(10_000.0).reshape(100, 100)
    want = np.asarray(x).copy()
    a, b = f(x)
    np.testing.assert_array_equal(a, want.view(np.int32) + 1)
    np.testing.assert_array_equal(b, want.T * 2)
    assert x.is_deleted() and a.dtype == jnp.int32


@pytest.mark.parametrize("n", [0, 1, 2, 5])
def test_loops(n):
    def swap(i, c):
        x, y, z = c
        return y, x + 1, z.at[i].add(x.sum())
    f = cotan.jit(lambda c: lax.fori_loop(0, n, swap, c), donate_argnums=0)
    w = cotan.jit(lambda c, m: lax.fori_loop(0, m, swap, c), donate_argnums=0)

    def carry():
        return jnp.arange(300.0), jnp.ones(300), jnp.zeros(300)
    want = carry()
    for i in range(n):
        want = swap(i, want)
    for got in (f(carry()), w(carry(), n)):
        for a, b in zip(got, want):
            np.testing.assert_array_equal(a, b)


def test_branches_update_in_place():
    @lambda f: cotan.jit(f, donate_argnums=0)
    def f(x, i):
        def body(k, x):
            return lax.cond(k % 2 == 0, lambda x: x.at[k].set(1), lambda x: x, x)
        return lax.fori_loop(0, i, body, x)
    x = jnp.zeros(100_000)
    at = address(x)
    y = f(x, 10)
    assert address(y) == at and y.sum() == 5 and y[8] == 1 and y[9] == 0


def test_nothing_is_donated_inside_of_other_transformations():
    f = cotan.jit(lambda x: x * x, donate_argnums=0)
    x = jnp.ones(3)
    assert cotan.grad(lambda v: f(v).sum())(x)[0] == 2 and cotan.vmap(f)(x)[0] == 1 and cotan.jit(lambda v: f(v) + v)(x)[0] == 2
    assert not x.is_deleted()
    with cotan.disable_jit():
        assert f(x)[0] == 1 and not x.is_deleted()


def test_with_debug_nans():
    f = cotan.jit(lambda x: jnp.log(x), donate_argnums=0)
    with cotan.debug_nans(True):
        assert f(jnp.ones(1000))[0] == 0
        with pytest.raises(FloatingPointError):
            f(-jnp.ones(1000))


def test_threads_see_a_deleted_array():
    f = cotan.jit(lambda x: lax.fori_loop(0, 2000, lambda i, x: x + 1, x), donate_argnums=0)
    x = jnp.zeros(1000)
    y = f(x)
    assert y[0] == 2000
    with pytest.raises(RuntimeError, match="Array has been deleted"):
        x + 1


def test_lowered_says_which_leaves_are_donated():
    lowered = cotan.jit(lambda a, b: a["x"] + b, donate_argnums=0).lower({"x": 1.0, "y": 2.0}, 3.0)
    assert lowered.donate_argnums == (0, 1)


def test_what_no_result_depends_on_is_kept():
    f = cotan.jit(lambda x, y: y + 1, donate_argnums=(0, 1))
    x, y = jnp.ones(3), jnp.ones(3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        f(x, y)
    assert not x.is_deleted() and y.is_deleted()
    assert "donated: 1 of 2 become results\n    x: is kept: no result depends on it" in f.explain()
