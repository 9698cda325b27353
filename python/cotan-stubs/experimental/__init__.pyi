"""Written by tools/stubs.py."""
import enum as _enum
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar, overload
from .._cotan import Array as Array, ArrayLike as ArrayLike, DTypeLike as DTypeLike

_P = ParamSpec("_P")
_R = TypeVar("_R")

def io_callback(callback: Any, result_shape_dtypes: Any, *args: Any, sharding: Any = ..., ordered: bool = ..., **kwargs: Any) -> Any: ...
