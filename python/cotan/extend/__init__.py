"""jax.extend."""
from .._table import fill as _fill


def __getattr__(name):
    import importlib
    try:
        return importlib.import_module(f"{__name__}.{name}")
    except ModuleNotFoundError:
        raise AttributeError(name) from None


_fill(globals(), "extend")
