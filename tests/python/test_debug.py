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
