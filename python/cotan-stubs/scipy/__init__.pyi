"""Written by tools/stubs.py."""
import enum as _enum
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar, overload
from .._cotan import Array as Array, ArrayLike as ArrayLike, DTypeLike as DTypeLike

_P = ParamSpec("_P")
_R = TypeVar("_R")

from . import cluster as cluster
from . import integrate as integrate
from . import ndimage as ndimage
from . import signal as signal
from . import special as special
from . import stats as stats
