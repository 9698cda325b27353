"""Written by tools/stubs.py."""
import enum as _enum
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar, overload
from .._cotan import Array as Array, ArrayLike as ArrayLike, DTypeLike as DTypeLike

_P = ParamSpec("_P")
_R = TypeVar("_R")

def odeint(func: Callable[..., Any], y0: Any, t: Any, *args: Any, rtol: Any = ..., atol: Any = ..., mxstep: Any = ..., hmax: Any = ...) -> Any: ...
