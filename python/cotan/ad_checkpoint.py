"""jax.ad_checkpoint."""
from ._checkpoint import checkpoint, checkpoint_name, checkpoint_policies, print_saved_residuals, remat, saved_residuals  # noqa: F401
from ._table import fill as _fill

_fill(globals(), "ad_checkpoint")
