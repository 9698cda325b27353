"""jax.custom_derivatives."""
from ._custom import (CustomVJPPrimal, SymbolicZero, closure_convert, custom_gradient, custom_jvp, custom_vjp, custom_vjp_primal_tree_values,  # noqa: F401
                      linear_call, zero_from_primal)
from ._table import fill as _fill

_fill(globals(), "custom_derivatives")
