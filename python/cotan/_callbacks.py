"""Callbacks: Python functions on values, from programs that are traced. They run on the calling thread; what they raise comes out of the call."""
import string

from . import _cotan
from ._cotan import tree_flatten

_METHODS = ("sequential", "sequential_unrolled", "expand_dims", "broadcast_all", "legacy_vectorized", None)


def _name(f):
    return getattr(f, "__name__", type(f).__name__)


def _arguments(args, kwargs, what):
    leaves, tree = tree_flatten((args, kwargs))
    for x in leaves:
        if not _cotan.is_valid(x):
            raise TypeError(f"{what}: got an argument of type {type(x)}, which is not a valid JAX type")
    return leaves, tree


def _called(callback, tree, result_shape_dtypes, what):
    """(the callback of leaves, the results' types, their structure)."""
    wanted, result_tree = tree_flatten(result_shape_dtypes)

    def flat(leaves):
        args, kwargs = tree.unflatten(leaves)
        got, got_tree = tree_flatten(callback(*args, **kwargs))
        if got_tree != result_tree:
            raise RuntimeError(f"{what}: the callback returned a value of structure {got_tree}, expected {result_tree}")
        return [x if isinstance(x, _cotan.Array) else _cotan.to_array(x, what) for x in got]
    return flat, [_cotan.aval_of(x) for x in wanted], result_tree


def pure_callback(callback, result_shape_dtypes, *args, sharding=None, vmap_method=None, **kwargs):
    """callback(*args, **kwargs) on arrays, a function without effects that returns arrays of the shapes and dtypes of result_shape_dtypes:
    RuntimeError otherwise. It may be called more often or less than the program says. vmap_method: how a batch calls it. ValueError when
    it is differentiated."""
    if vmap_method not in _METHODS:
        raise ValueError(f"vmap_method must be on of the allowed methods {list(_METHODS)}, but got: {vmap_method}")
    leaves, tree = _arguments(args, kwargs, "pure_callback")
    flat, avals, result_tree = _called(callback, tree, result_shape_dtypes, "pure_callback")
    return result_tree.unflatten(_cotan.pure_callback(flat, avals, vmap_method or "", _name(callback), leaves))


def io_callback(callback, result_shape_dtypes, *args, sharding=None, ordered=False, **kwargs):
    """callback(*args, **kwargs) on arrays each time the program comes to it; in order with the other ordered ones. It returns arrays of the
    shapes and dtypes of result_shape_dtypes: RuntimeError otherwise. ValueError when it is differentiated, or vmapped and ordered."""
    leaves, tree = _arguments(args, kwargs, "io_callback")
    flat, avals, result_tree = _called(callback, tree, result_shape_dtypes, "io_callback")
    return result_tree.unflatten(_cotan.io_callback(flat, avals, bool(ordered), _name(callback), leaves))


def callback(callback=None, *args, ordered=False, partitioned=False, **kwargs):
    """callback(*args, **kwargs) when the values are there, under jit too. Derivatives go by it; a batch calls it for each lane. Arguments
    that are no arrays are passed as they are."""
    if callback is None:
        return lambda f, *a, **k: globals()["callback"](f, *a, ordered=ordered, partitioned=partitioned, **k)
    leaves, tree = tree_flatten((args, kwargs))
    arrays = [x for x in leaves if _cotan.is_valid(x)]
    kept = [None if _cotan.is_valid(x) else (x,) for x in leaves]

    def flat(values):
        given = iter(values)
        a, k = tree.unflatten([next(given) if x is None else x[0] for x in kept])
        callback(*a, **k)
    _cotan.debug_callback(flat, bool(ordered), _name(callback), arrays)


class _Formatter(string.Formatter):
    def check_unused_args(self, used, args, kwargs):
        unused = [arg for i, arg in enumerate(args) if i not in used]
        if unused:
            raise ValueError(f"Unused positional arguments to `jax.debug.print`: {unused}")
        unused = [k for k in kwargs if k not in used]
        if unused:
            raise ValueError(f"Unused keyword arguments to `jax.debug.print`: {unused}. You may be passing an f-string (i.e, "
                             '`f"{x}"`) to `jax.debug.print` and instead should pass in a regular string.')


class _Any:
    """Stands for a value where a format is only checked."""

    def __format__(self, spec):
        return ""

    __getattr__ = __getitem__ = lambda self, _: self


def print_(fmt=None, *args, ordered=False, partitioned=False, skip_format_check=False, _use_logging=False, **kwargs):
    """Prints fmt.format(*args, **kwargs) when the values are there, under jit too."""
    if not skip_format_check:
        _Formatter().vformat(fmt, [_Any()] * len(args), {k: _Any() for k in kwargs})
    callback(lambda *a, **k: print(fmt.format(*a, **k)), *args, ordered=ordered, partitioned=partitioned, **kwargs)


print_.__name__ = print_.__qualname__ = "print"


def effects_barrier():
    """Waits for the effects of what was started: they are over when a call returns."""
