"""Written by tools/stubs.py."""
import enum as _enum
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar, overload
from ._cotan import Array as Array, ArrayLike as ArrayLike, DTypeLike as DTypeLike

_P = ParamSpec("_P")
_R = TypeVar("_R")

class custom_vmap:
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def __init__(self, fun: Callable[..., Any]) -> None: ...
    def def_vmap(self, vmap_rule: Any) -> Any: ...
def sequential_vmap(f: Callable[..., Any]) -> Any: ...
