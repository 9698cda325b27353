"""The names and signatures of the module are JAX's, and the page that says so is current."""
import sys
import warnings
from pathlib import Path

import pytest

import cotan

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "tools"))
import api_coverage  # noqa: E402


def test_coverage():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        text, differ = api_coverage.page()
    assert not differ, differ
    assert api_coverage.PAGE.read_text() == text, "make api"


def test_signatures_are_told():
    import inspect
    assert inspect.signature(cotan.lax.round).parameters["rounding_method"].default is cotan.lax.RoundingMethod.AWAY_FROM_ZERO


def test_a_users_ufunc():
    jnp = cotan.numpy
    plus = jnp.frompyfunc(lambda x, y: x + y, nin=2, nout=1, identity=0)
    assert isinstance(plus, jnp.ufunc) and plus.identity == 0 and jnp.multiply.identity == 1 and jnp.maximum.identity is None
    assert plus(1.0, 2.0) == 3 and plus.reduce(jnp.arange(4)) == 6 and plus.accumulate(jnp.arange(4)).tolist() == [0, 1, 3, 6]
    assert plus.outer(jnp.arange(2), jnp.arange(3)).tolist() == [[0, 1, 2], [1, 2, 3]] and plus.reduce(jnp.zeros(0)) == 0
    assert cotan.jit(plus.reduce)(jnp.arange(4)) == 6 and cotan.grad(lambda x: plus.reduce(x * x))(jnp.arange(3.0)).tolist() == [0, 2, 4]
    with pytest.raises(NotImplementedError, match="nout=2"):
        jnp.frompyfunc(lambda x: (x, x), 1, 2)


def test_check_grads():
    from cotan.test_util import check_grads
    jnp = cotan.numpy
    check_grads(lambda x, y: jnp.sin(x) @ y, (jnp.arange(3.0), jnp.ones(3)), order=2)
    check_grads(lambda d, i: d["a"] * jnp.exp(d["b"]) * i, ({"a": 2.0, "b": jnp.float32(0.5)}, 3), order=1)
    with cotan.enable_x64():
        check_grads(lambda z: (z * z).real, (jnp.array([1 + 2j, 0.5]),), order=1)

    def wrong(x):
        return cotan.lax.stop_gradient(x) * x

    with pytest.raises(AssertionError):
        check_grads(wrong, (2.0,), order=1)


def test_small_modules():
    import numpy as np
    from cotan import dlpack, dtypes, stages, tree, typing, version
    assert dtypes.itemsize_bits("bfloat16") == 16 and dtypes.scalar_type_of(1.0) is float and dtypes.scalar_type_of(np.int8(1)) is int
    assert dlpack.is_supported_dtype("float32") and not dlpack.is_supported_dtype(cotan.random.key(0).dtype)
    assert isinstance(cotan.jit(lambda x: x).lower(1.0), stages.Lowered) and isinstance(cotan.jit(abs), stages.Wrapped)
    assert version.__version__ == cotan.__version__ and typing.ArrayLike and tree.static is not None
    assert cotan.copy_to_host_async([1]) == [1] and cotan.effects_barrier() is None and "cotan" in cotan.print_environment_info(return_string=True)
    with pytest.raises(TypeError, match="requires an argument"):
        cotan.default_device()
    with pytest.raises(TypeError):
        dtypes.scalar_type_of(cotan.random.key(0))
