"""Written by tools/stubs.py."""
import enum as _enum
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar, overload
from ._cotan import Array as Array, ArrayLike as ArrayLike, DTypeLike as DTypeLike

_P = ParamSpec("_P")
_R = TypeVar("_R")

class Sharding: ...
class SingleDeviceSharding:
    def __init__(self, device: Any, *, memory_kind: Any = ...) -> None: ...
    device_set: Any
    is_fully_addressable: Any
    is_fully_replicated: Any
    memory_kind: Any
    num_devices: Any
