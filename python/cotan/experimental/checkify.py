"""jax.experimental.checkify: errors as values. A checked function also returns an Error, under jit, vmap and in loops too."""
from .. import _cotan
from .._api import _check_callable, _flat_result, _wraps
from .._cotan import tree_flatten
from .._table import fill as _fill
from ..tree_util import register_pytree_node


class JaxRuntimeError(ValueError):
    """A check failed."""


class JaxException(Exception):
    """What a failed check is as an exception."""


class FailedCheckError(JaxException):
    """Of check."""


class NaNError(JaxException):
    """An operation made a NaN."""


class OOBError(JaxException):
    """An index was out of bounds."""


class DivisionByZeroError(JaxException):
    """A divisor was zero."""


_KINDS = (FailedCheckError, NaNError, OOBError, DivisionByZeroError)  # in the order of CheckKind

ErrorCategory = type[JaxException]
user_checks = frozenset({FailedCheckError})
nan_checks = frozenset({NaNError})
index_checks = frozenset({OOBError})
div_checks = frozenset({DivisionByZeroError})
float_checks = nan_checks | div_checks
automatic_checks = float_checks | index_checks
all_checks = automatic_checks | user_checks


class Error:
    """Whether a check failed, and which one did first: a pytree. Batched by vmap, it has the error of each lane."""

    def __init__(self, _arrays=(), _sites=None):
        self._arrays, self._sites = _arrays, _sites

    def _first(self):
        return self._sites.first(list(self._arrays)) if self._arrays else None

    def get(self):
        """The message; None: no check failed. TracerBoolConversionError while it is traced."""
        found = self._first()
        return found and found[1]

    def get_exception(self):
        """The exception of the kind of check that failed, with the message; None: none did."""
        found = self._first()
        return found and _KINDS[found[0]](found[1])

    def throw(self):
        """As check_error."""
        check_error(self)

    def __str__(self):
        return f"Error({self.get()})"

    def __repr__(self):
        found = all(_cotan.is_concrete(x) for x in self._arrays)
        return str(self) if found else f"Error({', '.join(map(str, self._arrays))})"


register_pytree_node(Error, lambda e: (e._arrays, e._sites), lambda sites, arrays: Error(tuple(arrays), sites))
init_error = Error()


def checkify(f, errors=user_checks):
    """f, returning (Error, result): the first check of these kinds that fails. The Error also says so of checks in jit, cond, scan, while_loop,
    vmap and derivatives inside f."""
    _check_callable(f, "checkify")

    def checked_fun(*args, **kwargs):
        kinds = sum(1 << i for i, kind in enumerate(_KINDS) if kind in errors)
        store = []

        def flat(_):
            results, *store[:] = _flat_result(f(*args, **kwargs), "the function of checkify must return")
            return results
        results, arrays, sites = _cotan.checkify(flat, kinds)
        return Error(tuple(arrays), sites) if arrays else init_error, store[0].unflatten(results)
    return _wraps(f, checked_fun)


def check(pred, msg, *fmt_args, debug=False, **fmt_kwargs):
    """An error with the message msg.format(*fmt_args, **fmt_kwargs) unless pred, a boolean scalar, is true: raised at once (JaxRuntimeError) where
    its value is known; elsewhere the function must be checkified: ValueError when a program that has it is compiled. The arguments are pytrees
    of arrays. With debug it counts only under checkify. TypeError for another pred, or other arguments."""
    array = _cotan.to_array(pred, "check") if _cotan.is_valid(pred) else None
    if array is None or array.shape != () or array.dtype != bool:
        raise TypeError(f"check takes a scalar pred as argument, got {pred}")
    leaves, tree = tree_flatten((fmt_args, fmt_kwargs))
    for x in leaves:
        if not isinstance(x, _cotan.Array) and type(x).__name__ != "ndarray":
            raise TypeError(f"Formatting arguments to checkify.check need to be PyTrees of arrays, but got {x!r} of type {type(x)}.")

    def text(values):
        args, kwargs = tree.unflatten(values)
        return msg.format(*args, **kwargs) + " (`check` failed)"
    _cotan.check(~array, text, msg, bool(debug), leaves)


def debug_check(pred, msg, *fmt_args, **fmt_kwargs):
    """check with debug=True."""
    check(pred, msg, *fmt_args, debug=True, **fmt_kwargs)


def check_error(error):
    """Raises the error, if it is one (JaxRuntimeError); in a checkified function it becomes that function's error. TypeError for what is no Error."""
    if not isinstance(error, Error):
        raise TypeError(f"check_error takes an Error as argument, got type {type(error)} instead.")
    if error._arrays:
        error._sites.check(list(error._arrays))


_fill(globals(), "experimental.checkify")
