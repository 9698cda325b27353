"""Written by tools/stubs.py."""
import enum as _enum
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar, overload
from ._cotan import Array as Array, ArrayLike as ArrayLike, DTypeLike as DTypeLike, PjitFunction as PjitFunction

_P = ParamSpec("_P")
_R = TypeVar("_R")

class ArgInfo:
    def __init__(self, _aval: Any, donated: Any) -> None: ...
    dtype: Any
    shape: Any
class Compiled:
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def __init__(self, lowered: Any) -> None: ...
CompilerOptions: Any
class Lowered:
    def __init__(self, traced: Any) -> None: ...
    def as_text(self, dialect: Any = ..., *, debug_info: bool = ...) -> Any: ...
    def compile(self, compiler_options: Any = ...) -> Any: ...
    out_info: Any
class Traced:
    def __init__(self, jitted: Any, args: Any, kwargs: Any) -> None: ...
    def lower(self, **_: Any) -> Any: ...
    out_info: Any
Wrapped = PjitFunction
