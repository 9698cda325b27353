"""Names of parts of a program, and evaluation while tracing."""
import contextlib
import functools

from . import _cotan


def named_scope(name):
    """A name for the operations inside `with`, or of a decorated function."""
    if not isinstance(name, str):
        raise TypeError(f"named_scope name argument must be a string, got {name!r}")
    return _NamedScope()


class _NamedScope(contextlib.ContextDecorator):
    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False


def named_call(fun, *, name=None):
    """fun under a name."""
    if not callable(fun):
        raise TypeError(f"named_call: a function is needed, got {fun!r}")

    @functools.wraps(fun)
    def named(*args, **kwargs):
        return fun(*args, **kwargs)
    if name is not None:
        named.__name__ = name
    return named


class ensure_compile_time_eval(contextlib.ContextDecorator):
    """Operations inside `with` are evaluated at once, also while a function is traced; traced operands remain traced."""

    def __enter__(self):
        self._held = _cotan.evaluation_scope()
        self._held.__enter__()

    def __exit__(self, *error):
        self._held.__exit__(*error)

