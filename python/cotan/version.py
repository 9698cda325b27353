"""jax.version: the version of this package."""
from ._version import __version__, __version_info__  # noqa: F401
from ._table import fill as _fill

_fill(globals(), "version")
