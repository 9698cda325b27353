"""Written by tools/stubs.py."""
import enum as _enum
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar, overload
from ._cotan import Array as Array, ArrayLike as ArrayLike, DTypeLike as DTypeLike

_P = ParamSpec("_P")
_R = TypeVar("_R")

def check_grads(f: Callable[..., Any], args: Any, order: Any, modes: Any = ..., atol: Any = ..., rtol: Any = ..., eps: Any = ...) -> Any: ...
def check_jvp(f: Callable[..., Any], f_jvp: Any, args: Any, atol: Any = ..., rtol: Any = ..., eps: Any = ..., err_msg: Any = ...) -> Any: ...
def check_vjp(f: Callable[..., Any], f_vjp: Any, args: Any, atol: Any = ..., rtol: Any = ..., eps: Any = ..., err_msg: Any = ...) -> Any: ...
