"""debug_nans and debug_infs: the operation that makes the value is named, with the user's line."""
import pytest

import cotan
import cotan.numpy as jnp
from cotan import lax

CASES = {
    "eager": (lambda: jnp.log(jnp.float32(-1)), "log"),
    "jit": (lambda: cotan.jit(lambda x: jnp.log(x) * 2)(-1.), "log"),
    "nested jit": (lambda: cotan.jit(lambda x: 1 + cotan.jit(lambda y: jnp.sqrt(y))(x))(-1.), "sqrt"),
    "gradient": (lambda: cotan.grad(lambda x: jnp.where(x > 0, jnp.sqrt(x), 0.))(0.), "mul"),
    "scan": (lambda: lax.scan(lambda c, x: (jnp.log(c), c), 1., None, length=4), "log"),
    "while": (lambda: lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, jnp.log(c[1])), (0, .5)), "log"),
    "cond": (lambda: lax.cond(True, lambda x: jnp.sqrt(x), lambda x: x, -1.), "sqrt"),
    "bfloat16": (lambda: jnp.sqrt(jnp.bfloat16(-1)), "sqrt"),
    "complex": (lambda: jnp.zeros(1, jnp.complex64) / 0, "div"),
}


@pytest.mark.parametrize("case", CASES)
def test_nans_are_named(case):
    f, name = CASES[case]
    f()
    with cotan.debug_nans(True), pytest.raises(FloatingPointError, match=rf"invalid value \(nan\) encountered in {name}") as error:
        f()
    assert "test_debug.py" in str(error.value).splitlines()[1]


def test_only_what_reaches_an_output_counts():
    with cotan.debug_nans(True):
        assert cotan.jit(lambda x: jnp.where(x > 0, jnp.log(x), 0.))(-1.) == 0


def test_infs_are_asked_for_on_their_own():
    with cotan.debug_nans(True):
        assert jnp.isinf(1 / jnp.float32(0))
    with cotan.debug_infs(True), pytest.raises(FloatingPointError, match=r"\(inf\) encountered in div"):
        1 / jnp.float32(0)


def test_the_setting():
    cotan.config.update("jax_debug_nans", True)
    try:
        assert cotan.config.jax_debug_nans
        with pytest.raises(FloatingPointError):
            jnp.log(jnp.float32(-1))
    finally:
        cotan.config.update("jax_debug_nans", False)
    assert jnp.isnan(jnp.log(jnp.float32(-1)))


def line_of(function, offset=1):
    return f"test_debug.py:{function.__code__.co_firstlineno + offset}"


def message(call):
    with cotan.debug_nans(True), pytest.raises(FloatingPointError) as error:
        call()
    return str(error.value).splitlines()


def test_the_line_is_that_of_the_operation():
    def f(x):
        return jnp.log(x)

    def g(x):
        return f(x) * 2
    for call in (lambda: g(jnp.float32(-1)), lambda: cotan.jit(g)(-1.), lambda: cotan.jit(cotan.jit(g))(-1.),
                 lambda: cotan.jit(cotan.vmap(g))(-jnp.ones(2)), lambda: lax.scan(lambda c, x: (g(x) + c, c), 0., -jnp.ones(3)),
                 lambda: cotan.jit(lambda x: lax.cond(x < 0, g, lambda x: x, x))(-1.),
                 lambda: lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, g(c[1] - 1)), (0, 1.)),
                 lambda: cotan.jit(cotan.checkpoint(g))(-1.)):
        got = message(call)
        assert got[0] == "invalid value (nan) encountered in log" and got[1].endswith(line_of(f)), got


def test_a_gradient_has_the_forward_line():
    def f(x):
        return jnp.where(x > 0, root(x), 0.)

    def root(x):
        return jnp.sqrt(x)
    for call in (lambda: cotan.grad(f)(0.), lambda: cotan.jit(cotan.grad(f))(0.), lambda: cotan.grad(cotan.jit(f))(0.),
                 lambda: cotan.vmap(cotan.grad(f))(jnp.zeros(2)), lambda: cotan.grad(lambda x: lax.scan(lambda c, _: (f(c), None), x, None, length=2)[0])(0.)):
        got = message(call)
        assert got[0] == "invalid value (nan) encountered in mul" and got[1].endswith(line_of(root)), got


def test_of_several_nans_the_one_that_reaches_a_result_is_named():
    def f(x):
        hidden = jnp.where(x > 0, jnp.log(x), 0.)
        return hidden, jnp.sqrt(x)
    assert message(lambda: cotan.jit(f)(-1.))[0] == "invalid value (nan) encountered in sqrt"
    with cotan.debug_nans(True), cotan.disable_jit(), pytest.raises(FloatingPointError, match="in log"):  # asked otherwise
        cotan.jit(f)(-1.)


def test_a_nan_that_came_in():
    assert message(lambda: cotan.jit(lambda x: jnp.sin(x) + 1)(jnp.nan))[0] == "invalid value (nan) encountered in sin"


def test_errors_of_traced_programs_have_the_line_that_was_traced():
    def f(x):
        return lax.while_loop(lambda c: c < 3, lambda c: c * 2, x)
    with pytest.raises(ValueError, match="Reverse-mode") as error:
        cotan.grad(lambda x: f(x) * 1.)(1.)
    assert str(error.value).splitlines()[1].endswith(line_of(f))
