"""jax.debug."""
from ._callbacks import callback, print_ as print  # noqa: F401
from ._table import fill as _fill

_fill(globals(), "debug")
