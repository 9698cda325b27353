"""jax.extend."""
from .._table import fill as _fill

_fill(globals(), "extend")
