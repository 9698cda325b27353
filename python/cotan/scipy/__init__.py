"""jax.scipy: its submodules."""
from .._table import fill as _fill

_fill(globals(), "scipy")
