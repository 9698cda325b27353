"""Written by tools/stubs.py."""
import enum as _enum
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar, overload
from ._cotan import Array as Array, ArrayLike as ArrayLike, DTypeLike as DTypeLike

_P = ParamSpec("_P")
_R = TypeVar("_R")

def checkpoint_name(x: Any, name: str | None) -> Array: ...
checkpoint_policies: Any
def print_saved_residuals(f: Callable[..., Any], *args: Any, **kwargs: Any) -> Any: ...
