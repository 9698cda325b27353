"""jax.test_util: derivatives checked against finite differences, along one random direction."""
import numpy as np

from . import _cotan
from ._api import jvp as _jvp, vjp as _vjp

_STEP = {"float16": 1e-1, "bfloat16": 1e-1, "float32": 1e-2, "float64": 1e-4, "complex64": 1e-2, "complex128": 1e-4}
_TOLERANCE = {"float16": 1e-1, "bfloat16": 1e-1, "float32": 2e-2, "float64": 1e-5, "complex64": 2e-2, "complex128": 1e-5}


def _like(random, x):
    """A random direction for x: float0 for integers."""
    x = np.asarray(x)
    if x.dtype.kind not in "fc" and x.dtype.name != "bfloat16":
        from .dtypes import float0
        return np.zeros(x.shape, float0)
    drawn = random.standard_normal(x.shape)
    return (drawn + 1j * random.standard_normal(x.shape) if x.dtype.kind == "c" else drawn).astype(x.dtype)


def _moved(tree, direction, step):
    def move(x, d):
        x = np.asarray(x)
        return x if d.dtype.names else (x + step * d).astype(x.dtype)
    return _cotan.tree_map(move, tree, direction)


def _differences(f, args, tangents, step):
    """The derivative of f along tangents, by central differences."""
    plus, minus = (f(*_moved(args, tangents, s)) for s in (step, -step))
    return _cotan.tree_map(lambda a, b: (np.asarray(a, np.result_type(np.asarray(a).dtype, np.float64)) - np.asarray(b)) / (2 * step), plus, minus)


def _dot(a, b):
    return sum(np.sum(np.asarray(x, np.result_type(np.asarray(x).dtype, np.float64)) * np.asarray(y))
               for x, y in zip(_cotan.tree_leaves(a), _cotan.tree_leaves(b)) if not getattr(np.asarray(x).dtype, "names", None))


def _bounds(leaves, atol, rtol):
    worst = max((_TOLERANCE.get(np.asarray(x).dtype.name, 0.0) for x in leaves), default=1e-5)
    return worst if atol is None else atol, worst if rtol is None else rtol


def _step(leaves, eps):
    return eps if eps is not None else max((_STEP.get(np.asarray(x).dtype.name, 0.0) for x in leaves), default=1e-4)


def check_jvp(f, f_jvp, args, atol=None, rtol=None, eps=1e-4, err_msg=""):
    """AssertionError unless f_jvp(args, tangents) is (f(*args), its derivative along tangents)."""
    random = np.random.default_rng(0)
    leaves = _cotan.tree_leaves(args)
    tangents = _cotan.tree_map(lambda x: _like(random, x), tuple(args))
    atol, rtol = _bounds(leaves, atol, rtol)
    value, derivative = f_jvp(args, tangents)
    want_value, want = f(*args), _differences(f, tuple(args), tangents, eps)
    for got, right in zip(_cotan.tree_leaves((value, derivative)), _cotan.tree_leaves((want_value, want))):
        if not getattr(np.asarray(got).dtype, "names", None):
            np.testing.assert_allclose(np.asarray(got), np.asarray(right), atol=atol, rtol=rtol, err_msg=f"JVP: {err_msg}")


def check_vjp(f, f_vjp, args, atol=None, rtol=None, eps=1e-4, err_msg=""):
    """AssertionError unless f_vjp(*args) is (f(*args), a function of a cotangent) that agrees with differences."""
    random = np.random.default_rng(0)
    leaves = _cotan.tree_leaves(args)
    atol, rtol = _bounds(leaves, atol, rtol)
    value, pull = f_vjp(*args)
    cotangent = _cotan.tree_map(lambda y: _like(random, y), value)
    tangents = _cotan.tree_map(lambda x: _like(random, x), tuple(args))
    want = _dot(_differences(f, tuple(args), tangents, eps), cotangent)
    got = _dot(pull(cotangent), tangents)
    np.testing.assert_allclose(np.real(got), np.real(want), atol=atol, rtol=rtol, err_msg=f"VJP: {err_msg}")


def check_grads(f, args, order, modes=("fwd", "rev"), atol=None, rtol=None, eps=None):
    """AssertionError unless the derivatives of f up to an order, in both modes, agree with differences."""
    args = tuple(args)
    step = _step(_cotan.tree_leaves(args), eps)
    if "fwd" in modes:
        check_jvp(f, lambda at, along: _jvp(f, tuple(at), tuple(along)), args, atol, rtol, step, "order 1")
        if order > 1:
            tangents = _cotan.tree_map(lambda x: _like(np.random.default_rng(1), x), args)
            check_grads(lambda *a: _jvp(f, a, tangents)[1], args, order - 1, modes, atol, rtol, eps)
    if "rev" in modes:
        check_vjp(f, lambda *a: _vjp(f, *a), args, atol, rtol, step, "order 1")
        if order > 1:
            cotangent = _cotan.tree_map(lambda y: _like(np.random.default_rng(2), y), f(*args))
            check_grads(lambda *a: _vjp(f, *a)[1](cotangent), args, order - 1, modes, atol, rtol, eps)


from ._table import fill as _fill  # noqa: E402

_fill(globals(), "test_util")
