"""jax.typing: names for annotations."""
from typing import Any, Union

import numpy as _np

from ._cotan import Array as _Array

ArrayLike = Union[_Array, _np.ndarray, _np.bool_, _np.number, bool, int, float, complex]
DTypeLike = Any

from ._table import fill as _fill  # noqa: E402

_fill(globals(), "typing")
