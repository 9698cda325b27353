"""checkify beside JAX: which check failed, with what message, and the results, through every transformation and control flow."""
import importlib

import numpy as np
import pytest

import both
import cotan
import cotan.numpy as jnp
from cotan.experimental import checkify

SETUP = """C = __import__('importlib').import_module(jax.__name__ + '.experimental.checkify');;
x = jnp.arange(6.).reshape(2, 3);; i32, f32 = jnp.int32, jnp.float32;; nan, inf = f32(jnp.nan), f32(jnp.inf);;
def got(f, *args, errors=C.all_checks, wrap=lambda f: f):
    err, out = wrap(C.checkify(f, errors=errors))(*args)
    return err.get(), out
def pos(x):
    C.check(x > 0, 'must be positive: {x}', x=x)
    return jnp.log(x)
def rows(xs):
    def body(c, r):
        C.check(r < 3, 'row {r}, c {c}', r=r, c=c)
        return c + r, c * r
    return lax.scan(body, f32(0), xs)
def loop(n):
    def cond(c):
        C.check(c[0] < 7, 'cond {c}', c=c[0])
        return c[0] < n
    def body(c):
        C.check(c[0] != 4, 'body {c}', c=c[0])
        return c[0] + 1, c[1] * 2
    return lax.while_loop(cond, body, (i32(0), f32(1)))
def branch(x):
    return lax.cond(x > 0, lambda x: jnp.log(x - 1), lambda x: (C.check(x > -3, 'neg {x}', x=x), x)[1], x)
@jax.custom_jvp
def cj(x):
    C.check(x > 0, 'cj')
    return jnp.log(x)
cj.defjvp(lambda p, t: (cj(*p), t[0] / p[0]))
@jax.custom_vjp
def cv(x):
    C.check(x > 0, 'cv')
    return jnp.log(x)
cv.defvjp(lambda x: (C.check(x > 0, 'cvfwd'), (jnp.log(x), x))[1], lambda x, g: (g / x,));; """

CASES = """
got(lambda x: x + 1, f32(1))
got(jnp.sin, inf)
got(jnp.log, f32(-1))
got(jnp.log, jnp.bfloat16(-1))
got(lambda x: x * nan, f32(1), errors=C.nan_checks)
got(lambda x: jnp.sum(x), jnp.array([inf, -inf]))
got(lambda x: jnp.cumsum(x), jnp.array([inf, -inf]))
got(lambda x: x @ x, jnp.array([[inf, 1], [-inf, 1]]))
got(lambda x: jnp.where(x > 0, jnp.log(x), 0.), jnp.array([-1., 1.]))
got(lambda x: jnp.maximum(x, 0), nan)
got(lambda x: -abs(x), nan)
got(lambda x: jnp.sort(x), jnp.array([nan, 1.]))
got(lambda x: x[0], jnp.array([nan, 1.]))
got(lambda x: x * x, jnp.complex64(complex(inf, 0)), errors=C.nan_checks)
got(lambda x: lax.convert_element_type(x, jnp.bfloat16), nan)
got(lambda x, y: x / y, f32(1), f32(0))
got(lambda x, y: x / y, f32(0), f32(0))
got(lambda x, y: x / y, f32(0), f32(0), errors=C.nan_checks)
got(lambda x, y: x / y, jnp.ones(3), jnp.array([1., -0., 2]), errors=C.div_checks)
got(lambda x, y: x / y, jnp.ones(0), jnp.ones(0))
got(lambda x, y: lax.div(x, y), i32(1), i32(0))
got(lambda x, y: lax.div(x, y), jnp.uint8(1), jnp.uint8(0))
got(lambda x, y: lax.div(x, y), jnp.complex64(1), jnp.complex64(0), errors=C.div_checks)
got(lambda x, y: lax.rem(x, y), i32(1), i32(0))
got(lambda x, y: x // y, jnp.ones(3, int), jnp.array([1, 0, 2]))
got(lambda x, i: x[i], x, i32(5))
got(lambda x, i: x[i], x, i32(-5))
got(lambda x, i: x[0, i], x, jnp.array([0, 3, 7]))
got(lambda x, i, j: x[i, j], x, jnp.array([0, 1, 0]), jnp.array([7, 8, -9]))
got(lambda x, i, j: x[i, j], x, jnp.array([0, 5, 0]), jnp.array([0, 8, -9]))
got(lambda x, i: x[i], x, jnp.uint8(200))
got(lambda x, i: x[i], jnp.arange(3.), jnp.int8(-100))
got(lambda x, i: jnp.take(x, i, axis=1), x, jnp.array([0, 3]))
got(lambda x, i: jnp.take(x, i, axis=1, mode='clip'), x, jnp.array([0, 3]))
got(lambda x, i: x.at[i].get(mode='fill'), x, jnp.array([0, 3]))
got(lambda x, i: x.at[i].get(mode='fill'), x, jnp.array([0, 3]), errors=C.nan_checks)
got(lambda x, i: jnp.take_along_axis(x, i, axis=1), x, jnp.array([[0], [3]]))
got(lambda x, i: x.at[i].set(1.), x, jnp.array([0, 3]))
got(lambda x, i: x.at[i].add(1., mode='drop'), x, jnp.array([0, 3]))
got(lambda x, i: x.at[i].multiply(2.), x, jnp.array([0, 3]))
got(lambda x, i: x.at[i].min(1.), x, jnp.array([0, -3]))
got(lambda x, i: lax.dynamic_slice(x, (i, 0), (1, 2)), x, i32(5))
got(lambda x, i: lax.dynamic_slice(x, (0, i), (1, 2)), x, i32(2))
got(lambda x, i: lax.dynamic_slice(x, (0, i), (1, 2)), x, i32(1))
got(lambda x, i: lax.dynamic_slice(x, (i, 0), (1, 2)), x, i32(-5))
got(lambda x, i, j: lax.dynamic_slice(x, (i, j), (1, 2)), x, i32(1), i32(9))
got(lambda x, i: lax.dynamic_update_slice(x, jnp.ones((1, 2)), (i, 0)), x, i32(5))
got(lambda x, i: lax.dynamic_update_slice(x, jnp.ones((1, 2)), (1, i)), x, i32(2))
got(lambda x, i: x[i], x, jnp.zeros((0,), int))
got(lambda x: jnp.searchsorted(x, x), jnp.arange(4.))
got(lambda k: random.permutation(k, 5), random.key(0))
got(jax.grad(lambda x: x[jnp.array([0, 9])].sum()), jnp.zeros(3), errors=C.index_checks)
got(vmap(lambda x, i: x[i]), jnp.zeros((3, 3)), jnp.array([0, 9, 1]), errors=C.index_checks)
got(vmap(lambda x, i: lax.dynamic_slice(x, (i,), (2,)), (0, 0)), jnp.zeros((3, 4)), jnp.array([0, 3, 9]))
got(pos, f32(-1)), got(pos, f32(2)), got(pos, f32(-1), errors=C.nan_checks), got(pos, f32(-1), errors=C.index_checks), got(pos, f32(-1), errors=C.user_checks)
got(pos, f32(-1), wrap=jit), got(pos, jnp.array([1., -1., -2.]), wrap=vmap), got(pos, jnp.array([1., -1., -2.]), wrap=lambda f: jit(vmap(f)))
got(pos, jnp.array([[1., -1.], [-2., 3.]]), wrap=lambda f: vmap(vmap(f)))
got(pos, jnp.array([1., 2.]), wrap=vmap)
got(jit(pos), f32(-1)), got(jit(lambda x: jit(pos)(x) + pos(x - 1)), f32(.5))
got(lambda x: C.check(x[0] > 0, 'd {x} {x.shape}', x=x), jnp.array([-1., 2.]))
got(lambda x: C.check(x > 0, 'd {:.3f} {y[a]}', x, y={'a': x}), f32(-1))
got(lambda x: C.check(x > 0, 'd {}', np.ones(3)), f32(-1))
got(lambda k, x: C.check(x > 0, 'd'), random.key(1), f32(-1))
got(lambda x: [C.check(x > 0, 'one'), C.check(x > 1, 'two'), C.check(x > -5, 'three')], f32(-1))
got(lambda x: [C.check(x > -5, 'one {}', i32(1)), C.check(x > 1, 'two {}', jnp.ones(2)), C.check(x > 0, 'three')], f32(-1))
got(lambda x: C.debug_check(x > 0, 'd {}', x), f32(-1)), got(lambda x: C.check(x > 0, 'd {}', x, debug=True), f32(-1))
got(lambda x: C.debug_check(x > 0, 'd {}', x), f32(-1), errors=C.nan_checks)
jit(lambda x: (C.debug_check(x > 0, 'd {}', x), x)[1])(f32(-1))
C.debug_check(jnp.array(False), 'dbg')
got(rows, jnp.arange(6.)), got(rows, jnp.arange(3.)), got(jit(rows), jnp.arange(6.)), got(rows, jnp.arange(6.), wrap=jit)
got(rows, jnp.stack([jnp.arange(6.), 5 - jnp.arange(6.)]), wrap=vmap)
got(lambda xs: lax.scan(lambda c, x: (c + 1, C.check(x != 2, 'two')), 0, xs, reverse=True), jnp.arange(4))
got(lambda xs: lax.map(jnp.log, xs), jnp.array([1., -1.]))
got(loop, i32(2)), got(loop, i32(4)), got(loop, i32(5)), got(loop, i32(9)), got(jit(loop), i32(9)), got(loop, i32(9), wrap=jit)
got(lambda x: lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, jnp.log(c[1] - 1)), (0, x)), f32(1))
got(lambda n, x: lax.fori_loop(0, n, lambda i, c: c / (3 - i), x), i32(5), f32(1))
[got(branch, f32(v)) for v in (.5, 2., -1., -5.)], got(branch, f32(-5), wrap=jit)
got(branch, jnp.array([2., -5., .5]), wrap=vmap)
got(vmap(branch), jnp.array([2., -5., -1.]), errors=C.user_checks)
got(lambda i: lax.switch(i, [lambda: jnp.log(f32(-1)), lambda: f32(1), lambda: f32(0) / f32(0)]), i32(0))
got(lambda i: lax.switch(i, [lambda: jnp.log(f32(-1)), lambda: f32(1), lambda: f32(0) / f32(0)]), i32(2))
got(lambda p, xs: lax.cond(p, lambda xs: rows(xs)[0], lambda xs: lax.fori_loop(0, 3, lambda i, c: c + xs[i + 4], f32(0)), xs), False, jnp.arange(6.))
got(lambda p, xs: lax.cond(p, lambda xs: rows(xs)[0], lambda xs: lax.fori_loop(0, 3, lambda i, c: c + xs[i + 4], f32(0)), xs), True, jnp.arange(6.))
got(grad(lambda x: (C.check(x > 0, 'gpos'), jnp.sqrt(x))[1]), f32(-1)), got(grad(lambda x: (C.check(x >= 0, 'gpos'), jnp.sqrt(x))[1]), f32(0))
got(grad(lambda xs: rows(xs)[0]), jnp.arange(3.)), got(grad(lambda xs: rows(xs)[1].sum()), jnp.arange(3.))
got(vmap(grad(lambda x: branch(x))), jnp.array([2., -5.]), errors=C.user_checks)
grad(lambda x: C.checkify(lambda x: (C.check(x > 0, 'a'), jnp.sqrt(x))[1])(x)[1])(f32(4))
grad(lambda xs: C.checkify(rows)(xs)[1][1].sum())(jnp.arange(6.))
vmap(grad(lambda xs: C.checkify(rows, errors=C.all_checks)(xs)[1][1].sum()))(jnp.ones((2, 6)))
got(jax.checkpoint(pos), f32(-1)), got(grad(jax.checkpoint(pos)), f32(-1))
got(cj, f32(-1)), got(grad(cj), f32(-1)), got(grad(cj), f32(2)), got(cv, f32(-1)), got(grad(cv), f32(-1)), got(grad(cv), f32(2))
grad(lambda x: C.checkify(cj)(x)[1])(f32(2)), grad(lambda x: C.checkify(cv)(x)[1])(f32(2)), jit(grad(lambda x: C.checkify(jax.nn.relu, errors=C.all_checks)(x)[1]))(f32(2))
got(lambda e: C.check_error(e), C.checkify(pos)(f32(-1))[0]), got(lambda e: C.check_error(e), C.checkify(pos)(f32(1))[0])
got(lambda e: C.check_error(e), C.checkify(jnp.log, errors=C.nan_checks)(f32(-1))[0], errors=C.user_checks)
got(lambda e: C.check_error(e), C.checkify(jnp.log, errors=C.nan_checks)(f32(-1))[0], errors=C.nan_checks)
got(lambda x: C.checkify(pos)(x)[0], f32(-1))[0], got(lambda x: C.checkify(pos)(x)[0], f32(-1))[1].get()
jit(lambda xs: lax.scan(lambda c, x: (c, C.checkify(pos)(x)[0]), 0, xs)[1])(jnp.array([1., -1.])).get()
str(C.checkify(pos)(f32(-1))[0]), str(C.checkify(pos)(f32(1))[0]), str(C.init_error), tu.tree_leaves(C.init_error)
str(C.checkify(pos)(f32(-1))[0].get_exception()), type(C.checkify(pos, errors=C.nan_checks)(f32(-1))[0].get_exception()).__name__, C.init_error.get_exception()
C.checkify(pos)(f32(1))[0].throw(), C.check_error(C.init_error)
got(lambda x, y=f32(0): {'a': x / y}, f32(1))
got(lambda: None)
make_jaxpr(pos)(f32(1)).eqns[-2].primitive.name
jax.eval_shape(C.checkify(pos), f32(1))[1]
tu.tree_map(lambda v: v, C.checkify(pos)(f32(-1))[0]).get()
C.float_checks == C.nan_checks | C.div_checks, C.all_checks == C.automatic_checks | C.user_checks
""".strip().splitlines()

ERRORS = """
C.check(jnp.array(False), 'eager {}', jnp.array(1))
C.check(False, 'py')
C.check(jnp.array([True, False]), 'arr')
C.check('a', 'x')
C.check(jnp.array(1), 'int')
C.check(True, 'x {}', 3.5)
C.check(True, 'x {}', 'a')
jit(pos)(f32(1))
lax.scan(lambda c, x: (c, pos(x)), 0, jnp.array([1., -1.]))
lax.cond(True, pos, pos, f32(1))
vmap(pos)(jnp.array([1., -1.]))
grad(pos)(f32(-1))
C.check_error(3)
C.checkify(pos)(f32(-1))[0].throw()
C.check_error(C.checkify(pos)(jnp.float32(-1))[0])
jit(C.check_error)(C.checkify(pos)(f32(-1))[0])
jit(lambda x: C.checkify(pos)(x)[0].get())(f32(1))
got(lambda x: 'a', f32(1))
got(lambda x: x if x > 0 else -x, f32(1))
C.checkify(lambda x: C.check(x > 0, '{} {}', x))(f32(-1))[0].get()
""".strip().splitlines()


@pytest.mark.parametrize("code", CASES + ERRORS)
def test_as_jax(code):
    both.expect(code, SETUP, {})


def test_the_first_error_is_that_of_the_first_step():
    """JAX says of a loop which check comes first in its body, whatever the step."""
    def body(c, x):
        checkify.check(x != 3, "three")
        checkify.check(x != 1, "one")
        return c, None
    err, _ = checkify.checkify(lambda xs: cotan.lax.scan(body, 0, xs))(jnp.arange(5))
    assert err.get() == "one (`check` failed)"


def test_a_derivative_keeps_the_checks_of_a_scan():
    """JAX forgets them."""
    def loss(xs):
        return cotan.lax.scan(lambda c, x: (checkify.check(x < 3, "row {}", x), (c + x, c))[1], 0., xs)[0]
    for f in (cotan.grad(loss), cotan.jit(cotan.grad(loss))):
        assert checkify.checkify(f)(jnp.arange(6.))[0].get() == "row 3.0 (`check` failed)"


def test_the_first_lane_that_fails_is_named():
    """JAX takes another one. Lanes that have left a loop, or do not take a branch, fail no more."""
    def pos(x):
        checkify.check(x > 0, "{x}", x=x)
        return x
    err, _ = checkify.checkify(cotan.vmap(pos))(jnp.array([1., -1., -2.]))
    assert err.get().startswith("-1.0")

    def loop(n):
        def body(c):
            checkify.check(c < n, "at {c} of {n}", c=c, n=n)
            return c + 1
        return cotan.lax.while_loop(lambda c: c < n, body, 0)
    err, out = checkify.checkify(cotan.vmap(loop))(jnp.array([2, 0, 5]))
    assert err.get() is None and list(out) == [2, 0, 5]

    def inner(n):
        def body(c):
            checkify.check(c != 3, "at {c} of {n}", c=c, n=n)
            return c + 1
        return cotan.lax.while_loop(lambda c: c < n, body, 0)
    for f in (checkify.checkify(cotan.vmap(inner)), cotan.jit(checkify.checkify(cotan.vmap(inner)))):
        assert f(jnp.array([2, 9, 5]))[0].get() == "at 3 of 9 (`check` failed)"
    err, _ = cotan.vmap(checkify.checkify(inner))(jnp.array([2, 9, 5]))
    assert err.get() == "at mapped index 1: at 3 of 9 (`check` failed)\nat mapped index 2: at 3 of 5 (`check` failed)"


def test_an_error_knows_its_line():
    def pos(x):
        checkify.check(x > 0, "positive")  # the line
        return x
    line = pos.__code__.co_firstlineno + 1
    for f in (checkify.checkify(pos), cotan.jit(checkify.checkify(pos)), checkify.checkify(cotan.jit(pos)),
              checkify.checkify(lambda x: cotan.lax.scan(lambda c, y: (c, pos(y)), 0, x[None])), checkify.checkify(cotan.grad(pos))):
        with pytest.raises(checkify.JaxRuntimeError, match="positive") as error:
            f(jnp.float32(-1))[0].throw()
        assert str(error.value).splitlines()[1].endswith(f"test_checkify.py:{line}")

    def nan(x):
        return jnp.log(x)  # the line
    with pytest.raises(checkify.JaxRuntimeError, match="nan generated by primitive: log") as error:
        checkify.checkify(lambda x: nan(x) * 2, errors=checkify.nan_checks)(jnp.float32(-1))[0].throw()
    assert str(error.value).splitlines()[1].endswith(f"test_checkify.py:{nan.__code__.co_firstlineno + 1}")


def test_rules_may_check():
    """Checks in the rules of a custom derivative count where the derivative is inside the checked function; outside it they are left out."""
    @cotan.custom_vjp
    def f(x):
        return jnp.log(x)

    def bwd(x, g):
        checkify.check(x != 0, "bwd")
        return (g / x,)
    f.defvjp(lambda x: (jnp.log(x), x), bwd)
    assert checkify.checkify(cotan.grad(f))(jnp.float32(0))[0].get() == "bwd (`check` failed)"
    err, _ = checkify.checkify(lambda x: cotan.lax.custom_root(lambda r: r * r - x, x, lambda h, r: cotan.lax.while_loop(
        lambda r: abs(h(r)) > 1e-4, lambda r: r - h(r) / (2 * r), r), lambda g, y: y / g(1.)), errors=checkify.all_checks)(jnp.float32(2))
    assert err.get() is None


def test_the_cost_is_linear():
    def many(n):
        def f(x):
            for _ in range(n):
                x = jnp.sin(x)
            return x
        return len(cotan.make_jaxpr(lambda x: checkify.checkify(f, errors=checkify.all_checks)(x)[1])(1.).eqns)
    assert many(40) - many(20) == many(60) - many(40)
    xs = [len(cotan.make_jaxpr(lambda x: checkify.checkify(lambda x: cotan.lax.scan(lambda c, r: (c / r, c), 1., x),  # noqa: B023
                                                           errors=checkify.all_checks)(x)[1])(jnp.ones(n)).eqns) for n in (2, 2000)]
    assert xs[0] == xs[1]


def test_names():
    jax_module = importlib.import_module("jax.experimental.checkify")
    assert not [n for n in dir(jax_module) if not n.startswith("_") and not hasattr(checkify, n)]
    assert checkify.checkify.__doc__ and np.asarray(checkify.checkify(lambda: 1)()[1]) == 1
