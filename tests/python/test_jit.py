"""jit of Python functions: when it traces, what it keeps, what it refuses."""
import functools
import gc
import threading
import weakref

import pytest

import cotan
import cotan.numpy as jnp


def counted(fun, **options):
    """fun under jit, and the list of its traces."""
    traces = []

    @functools.wraps(fun)
    def traced(*args, **kwargs):
        traces.append((args, kwargs))
        return fun(*args, **kwargs)

    return cotan.jit(traced, **options), traces


def test_one_trace_for_each_type():
    f, traces = counted(lambda x: x * 2)
    for x in (jnp.arange(3.0), jnp.arange(3.0) + 1, jnp.arange(4.0), jnp.arange(3), 1.0, 2.0, 1, True, jnp.float32(1)):
        f(x)
    assert len(traces) == 7 and f._cache_size() == 7  # f32[3] f32[4] i32[3] f32[]* i32[]* bool[] f32[]
    f.clear_cache()
    f(1.0)
    assert len(traces) == 8


def test_the_key_holds_the_structure():
    f, traces = counted(lambda t: cotan.tree.leaves(t))
    f({"a": 1.0, "b": 2.0}), f({"b": 1.0, "a": 2.0}), f([1.0, 2.0]), f((1.0, 2.0)), f([1.0, [2.0]]), f([1.0, None, 2.0])
    assert len(traces) == 5


def test_keywords_and_defaults():
    f, traces = counted(lambda x, y=2.0, *, k=1.0: x * y + k)
    assert f(1.0) == 3 and f(1.0, y=3.0) == 4 and f(1.0, k=5.0) == 7 and f(1.0, k=1.0, y=2.0) == 3 and f(1.0, y=2.0, k=1.0) == 3
    assert len(traces) == 4


def test_static_arguments():
    f, traces = counted(lambda x, n: x * n if isinstance(n, int) else x, static_argnums=1)
    assert f(2.0, 3) == 6 and f(2.0, 4) == 8 and f(3.0, 3) == 9 and len(traces) == 2
    g, traces = counted(lambda x, *, mode: x if mode == "a" else -x, static_argnames="mode")
    assert g(1.0, mode="a") == 1 and g(1.0, mode="b") == -1 and len(traces) == 2
    h = cotan.jit(lambda x, n: x * n, static_argnames=("n",))
    assert h(2.0, 3) == 6 and h(2.0, n=3) == 6
    assert cotan.jit(lambda x, y: x - y, static_argnums=(1, 0))(5, 3) == 2
    with pytest.raises(ValueError, match="hashable"):
        f(1.0, [1])
    with pytest.raises(ValueError, match="static_argnums"):
        cotan.jit(lambda x: x, static_argnums=3)
    with pytest.raises(ValueError, match="argnames"):
        cotan.jit(lambda x: x, static_argnames="y")


def test_as_a_decorator():
    @cotan.jit
    def f(x):
        "doc"
        return x + 1

    @functools.partial(cotan.jit, static_argnums=0)
    def g(n, x):
        return x * n

    @cotan.jit(static_argnames="n")
    def h(x, n):
        return x * n

    assert (f(1.0), g(2, 3.0), h(3.0, n=2)) == (2, 6, 6) and f.__name__ == "f" and f.__doc__ == "doc" and f.__wrapped__(1) == 2


def test_methods_and_callable_objects():
    class Model:
        def __init__(self, w):
            self.w = w

        def __call__(self, x):
            return x * self.w

        @functools.partial(cotan.jit, static_argnums=0)
        def scaled(self, x):
            return x * self.w

    a, b = Model(2.0), Model(3.0)
    assert a.scaled(1.0) == 2 and b.scaled(1.0) == 3 and cotan.jit(a)(1.0) == 2 and cotan.jit(b.__call__)(1.0) == 3


def test_wrappers_of_one_function_share_their_traces():
    traces = []

    def f(x):
        traces.append(x)
        return x + 1

    for _ in range(5):
        cotan.jit(f)(1.0)
    assert len(traces) == 1


def test_a_dropped_function_frees_its_caches():
    def make():
        big = jnp.zeros(1000)

        def f(x):
            return x + big
        return f

    f = make()
    alive = weakref.ref(f)
    assert cotan.jit(f)(1.0).shape == (1000,)
    del f
    gc.collect()
    assert alive() is None


def test_clear_caches():
    f, traces = counted(lambda x: x)
    f(1.0), cotan.clear_caches(), f(1.0)
    assert len(traces) == 2


def test_captured_values_are_constants():
    k = 2.0
    f = cotan.jit(lambda x: x * k)
    assert f(1.0) == 2
    k = 3.0
    assert f(1.0) == 2 and f(1) == 3


def test_captured_tracers_are_not_kept():
    def outer(x):
        inner = cotan.jit(lambda y: x * y)
        return inner(2.0) + inner(3.0)
    assert cotan.grad(outer)(1.0) == 5 and cotan.jit(outer)(2.0) == 10
    assert cotan.vmap(outer)(jnp.arange(3.0)).tolist() == [0, 5, 10]


def test_settings_are_part_of_the_key():
    f, traces = counted(lambda x: jnp.zeros(2) + x)
    f(1.0)
    with cotan.enable_x64(True):
        assert f(1.0).dtype == jnp.float64
    assert len(traces) == 2


def test_disable_jit():
    seen = []
    f = cotan.jit(lambda x: (seen.append(type(x).__name__), x)[1])
    with cotan.disable_jit():
        f(jnp.float32(1))
    assert seen == ["ArrayImpl"]


def test_lower_and_compile():
    f = cotan.jit(lambda x, n: {"a": x * n}, static_argnums=1)
    low = f.lower(jnp.ones(2), 3)
    assert low.out_info["a"].shape == (2,)
    compiled = low.compile()
    assert f.trace(jnp.ones(2), 3).jaxpr.out_avals[0].shape == (2,)
    assert f.eval_shape(jnp.ones(2), 3)["a"].dtype == jnp.float32
    assert "stablehlo.multiply" in low.as_text()
    g = cotan.jit(lambda x: x + 1).lower(jnp.ones(2)).compile()
    assert g(jnp.ones(2)).tolist() == [2, 2]
    with pytest.raises(TypeError, match="compiled for"):
        g(jnp.ones(3))
    del compiled


def test_bad_arguments_and_results():
    f = cotan.jit(lambda x: x)
    with pytest.raises(TypeError, match="str"):
        f("a")
    with pytest.raises(TypeError, match="object"):
        f(object())
    with pytest.raises(TypeError, match="str"):
        cotan.jit(lambda x: "a")(1.0)
    with pytest.raises(TypeError, match="callable"):
        cotan.jit(3)
    with pytest.raises(TypeError, match="argument"):
        f()
    loop = []
    loop.append(loop)
    with pytest.raises(RecursionError):
        f(loop)


def test_an_error_in_the_function_is_the_users():
    class Mine(Exception):
        pass

    def f(x):
        raise Mine("here")

    for transformed in (cotan.jit(f), cotan.grad(f), cotan.vmap(f, axis_size=2), cotan.make_jaxpr(f)):
        with pytest.raises(Mine, match="here"):
            transformed(jnp.ones(2))


def test_an_interrupt_while_tracing():
    def f(x):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cotan.jit(f)(1.0)
    assert cotan.jit(lambda x: x + 1)(1.0) == 2


def test_threads():
    """8 threads trace and run at once."""
    f = cotan.jit(lambda x: jnp.sin(x) @ jnp.cos(x).T)
    errors = []

    def work(n):
        try:
            for i in range(60):
                x = jnp.arange(float(n * (i % 5 + 2))).reshape(n, -1)
                assert f(x).shape == (n, n)
                assert cotan.grad(lambda y: jnp.sum(f(y)))(x).shape == x.shape
                assert cotan.jit(lambda y: cotan.vmap(jnp.sum)(y) * n)(x).shape == (n,)
        except Exception as error:  # noqa: BLE001
            errors.append(error)

    threads = [threading.Thread(target=work, args=(n + 1,)) for n in range(8)]
    [t.start() for t in threads], [t.join() for t in threads]
    assert not errors, errors


def test_recursion_is_an_error_and_no_crash():
    def f(x):
        return cotan.jit(f)(x)

    with pytest.raises(RuntimeError):  # of which RecursionError is one
        cotan.jit(f)(1.0)


def test_donated_arrays_are_deleted():
    f = cotan.jit(lambda x, d: (x + 1, d["a"] * 2), donate_argnums=(0, 1))
    x, d = jnp.arange(3.0), {"a": jnp.ones((2, 2)), "b": 1.0}
    y, z = f(x, d)
    assert y.tolist() == [1, 2, 3] and z.shape == (2, 2) and x.is_deleted() and d["a"].is_deleted() and not y.is_deleted()
    assert x.shape == (3,) and x.dtype == jnp.float32 and x.size == 3 and len(x) == 3 and str(x.aval) == "float32[3]"
    for use in (lambda: x + 1, lambda: jnp.sin(x), lambda: repr(x), lambda: x[0], lambda: f(x, d), lambda: x.tolist(), lambda: list(x),
                lambda: memoryview(x), lambda: cotan.jit(lambda v: v)(x), lambda: cotan.grad(lambda v: (v * x).sum())(1.0)):
        with pytest.raises(RuntimeError, match=r"Array has been deleted with shape=float32\[3\]"):
            use()
    g = cotan.jit(lambda x, y: x + y, donate_argnames="y")
    x, y = jnp.ones(2), jnp.ones(2)
    g(x, y)
    assert not x.is_deleted() and y.is_deleted()
    y = jnp.ones(2)
    g(x, y=y)
    assert y.is_deleted()


def test_what_can_not_be_donated():
    f = cotan.jit(lambda x: x.sum(), donate_argnums=0)
    x = jnp.arange(3.0)
    with pytest.warns(UserWarning, match=r"not usable: float32\[3\]"):
        f(x)
    assert not x.is_deleted() and f(x) == 3
    with pytest.raises(ValueError, match="donate a buffer which is also used"):
        cotan.jit(lambda x, y: x + y, donate_argnums=0)(x, x)
    with pytest.raises(ValueError, match="intersect"):
        cotan.jit(lambda x, n: x, static_argnums=1, donate_argnums=1)
    with pytest.raises(ValueError, match="donate_argnums"):
        cotan.jit(lambda x: x, donate_argnums=3)
    with pytest.raises(TypeError, match="concrete"):
        cotan.jit(lambda x: x.delete())(1.0)


def test_a_view_outlives_a_deleted_array():
    x = jnp.arange(1000.0)
    view = memoryview(x)
    x.delete(), x.delete()
    assert x.is_deleted() and [jnp.zeros(1000) for _ in range(10)] and view[999] == 999.0
    with pytest.raises(cotan.errors.JaxRuntimeError):
        x.block_until_ready()


def test_dicts_of_one_shape_share_their_traces():
    f, traces = counted(lambda d: d["b"] - d["a"])
    for keys in (("a", "b"), ("b", "a"), ("a", "b")):
        assert f({k: jnp.float32(ord(k)) for k in keys}) == 1
    assert len(traces) == 1
    names = ["".join(("x", str(i))) for i in range(3)]  # equal keys that are other objects
    for _ in range(2):
        assert cotan.tree.leaves({"".join(n): i for i, n in enumerate(names)}) == [0, 1, 2]
    assert cotan.tree.structure({"a": 1, "b": 2}) == cotan.tree.structure({"b": 1, "a": 2})
    data = cotan.tree.structure({"a": 1, "b": 2}).node_data()[1]
    data.append("c")
    assert cotan.tree.structure({"a": 1, "b": 2}).node_data()[1] == ["a", "b"]
    with pytest.raises(ValueError, match="comparable"):
        cotan.tree.leaves({"a": 1, 2: 3})
