"""Written by tools/stubs.py."""
import enum as _enum
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar, overload
from ._cotan import Array as Array, ArrayLike as ArrayLike, DTypeLike as DTypeLike

_P = ParamSpec("_P")
_R = TypeVar("_R")

def callback(callback: Any = ..., *args: Any, ordered: bool = ..., partitioned: bool = ..., **kwargs: Any) -> Any: ...
def print(fmt: Any = ..., *args: Any, ordered: bool = ..., partitioned: bool = ..., skip_format_check: bool = ..., _use_logging: bool = ..., **kwargs: Any) -> Any: ...
