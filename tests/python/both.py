"""Runs one expression with JAX and with Cotan in this process, and compares: values, dtypes, weak types, shapes, containers, classes of exceptions."""
import functools
import importlib
import math

import numpy as np


@functools.cache
def names(package):
    """What an expression may use, of one package."""
    top = importlib.import_module(package)
    found = {"jax": top, "np": np}
    for name, module in (("jnp", "numpy"), ("lax", "lax"), ("random", "random"), ("nn", "nn"), ("tu", "tree_util"), ("special", "scipy.special"),
                         ("stats", "scipy.stats"), ("flatten_util", "flatten_util"), ("dtypes", "dtypes"), ("ops", "ops")):
        found[name] = importlib.import_module(f"{package}.{module}")
    for name in ("grad", "jit", "vmap", "jvp", "vjp", "value_and_grad", "make_jaxpr", "hessian", "jacfwd", "jacrev", "linearize", "Array"):
        found[name] = getattr(top, name)
    return found


def run(package, code):
    """The value of the expression after the last `;`, or the exception."""
    scope = dict(names(package))
    *statements, last = code.split(";;")
    try:
        for s in statements:
            exec(s.strip(), scope)
        return eval(last.strip(), scope)
    except Exception as error:  # noqa: BLE001
        return error


def class_of(error):
    """The first class of the exception that Python or NumPy has, or JAX by that name."""
    for c in type(error).__mro__:
        if c.__module__ in ("builtins",) or "errors" in c.__module__:
            return c.__name__
    return ""


def is_array(x):
    return hasattr(x, "shape") and hasattr(x, "dtype") and not isinstance(x, type) and hasattr(x, "__array__")


def check(got, want, code, ulps=4, where="", absolute=0, weak=True):
    """ulps: of each number, and an eighth of it of the largest; absolute: ulps of 1 beside."""
    if isinstance(want, Exception) or isinstance(got, Exception):
        assert isinstance(got, Exception) and isinstance(want, Exception), f"{code}{where}: got {got!r}, JAX {want!r}"
        assert class_of(got) == class_of(want), f"{code}{where}: got {type(got)}: {got}\nJAX {type(want)}: {want}"
        return
    if is_array(want):
        assert is_array(got), f"{code}{where}: got {type(got)}: {got!r}, JAX {want!r}"
        check_array(got, want, code, ulps, where, absolute, weak)
        return
    if isinstance(want, (tuple, list)):
        kind = list if isinstance(want, list) else tuple
        assert isinstance(got, kind) and len(got) == len(want), f"{code}{where}: got {got!r}, JAX {want!r}"
        for i, (g, w) in enumerate(zip(got, want)):
            check(g, w, code, ulps, f"{where}[{i}]", absolute, weak)
        return
    if isinstance(want, dict):
        assert list(got) == list(want), f"{code}{where}: got {got!r}, JAX {want!r}"
        for k in want:
            check(got[k], want[k], code, ulps, f"{where}[{k!r}]", absolute, weak)
        return
    if isinstance(want, float):
        assert type(got) is float and (math.isclose(got, want, rel_tol=1e-6, abs_tol=1e-30) or got != got and want != want), f"{code}{where}: got {got!r}, JAX {want!r}"
        return
    assert repr(got).replace("cotan", "jax") == repr(want), f"{code}{where}: got {got!r}, JAX {want!r}"


def check_array(got, want, code, ulps, where, absolute, weak):
    head = f"{code}{where}: got {got!r}, JAX {want!r}"
    assert str(got.dtype) == str(want.dtype) and got.shape == want.shape, head
    assert isinstance(got, np.ndarray) == isinstance(want, np.ndarray), head
    assert not weak or str(want.dtype) == "bool" or getattr(got, "weak_type", False) == getattr(want, "weak_type", False), head + " (weak type)"
    if not isinstance(want.dtype, np.dtype):  # keys
        key_data = (names(p)["random"].key_data for p in ("cotan", "jax"))
        got, want = (f(x) for f, x in zip(key_data, (got, want)))
    elif want.dtype.names:  # float0
        return
    g, w = np.asarray(got), np.asarray(want)
    if g.dtype.name in ("bfloat16", "float16"):
        g, w, eps = g.astype(np.float32), w.astype(np.float32), {"bfloat16": 2.0 ** -7, "float16": 2.0 ** -10}[want.dtype.name]
    elif g.dtype.kind in "fc":
        eps = np.finfo(g.dtype).eps
    else:
        assert (g == w).all(), head
        return
    np.testing.assert_allclose(g, w, rtol=ulps * eps, atol=eps * (absolute + ulps * float(np.max(np.abs(np.where(np.isfinite(w), w, 0)), initial=0)) / 8), err_msg=head)


def expect(code, setup, known, ulps=4, weak=True):
    """Both packages on one expression. What is in `known` must differ: it is to be taken from the list when it no longer does."""
    import pytest
    got, want = (run(package, setup + code) for package in ("cotan", "jax"))
    if code not in known:
        return check(got, want, code, ulps, weak=weak)
    try:
        check(got, want, code, ulps, weak=weak)
    except AssertionError:
        pytest.xfail(known[code])
    pytest.fail(f"{code} agrees now: take it from the list")
