"""jax.dlpack."""
from . import _cotan


def from_dlpack(external_array, device=None, copy=None):
    """An Array of the elements of an object with __dlpack__, a copy."""
    if not hasattr(external_array, "__dlpack__"):
        raise TypeError(f"from_dlpack: an object with __dlpack__ is needed, got {type(external_array)}")
    if copy is False:
        raise ValueError("from_dlpack: copy=False is not possible: an Array never shares memory that others may change")
    return _cotan.from_dlpack(external_array.__dlpack__())


def is_supported_dtype(dtype):
    """Whether from_dlpack takes arrays of this dtype."""
    return getattr(_cotan.dtype_from(dtype), "kind", "V") in "biufc" or _cotan.dtype_from(dtype).name == "bfloat16"


from ._table import fill as _fill  # noqa: E402

_fill(globals(), "dlpack")
