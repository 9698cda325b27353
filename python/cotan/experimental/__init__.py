"""jax.experimental."""
from .._config import enable_x64
from .._table import fill as _fill


def disable_x64():
    """32-bit types inside `with disable_x64():`."""
    return enable_x64(False)


def __getattr__(name):
    import importlib
    try:
        return importlib.import_module(f"{__name__}.{name}")
    except ModuleNotFoundError:
        raise AttributeError(name) from None


_fill(globals(), "experimental")
