"""jax.experimental."""
from .._config import enable_x64
from .._callbacks import io_callback  # noqa: F401
from .._table import fill as _fill


def disable_x64():
    """32-bit types inside `with disable_x64():`."""
    return enable_x64(False)


_fill(globals(), "experimental")
