"""jax.sharding: what describes where the elements of arrays are. One device, so far."""
from ._table import fill as _fill


class Sharding:
    """How an array is spread over devices."""


class SingleDeviceSharding(Sharding):
    """All elements on one device."""

    def __init__(self, device, *, memory_kind=None):
        self._device, self._memory_kind = device, memory_kind

    device_set = property(lambda self: {self._device})
    memory_kind = property(lambda self: self._memory_kind or "device")
    num_devices = 1
    is_fully_addressable = is_fully_replicated = True

    def __eq__(self, other):
        return type(other) is SingleDeviceSharding and self._device is other._device

    def __hash__(self):
        return hash(self._device)

    def __repr__(self):
        return f"SingleDeviceSharding(device={self._device!r}, memory_kind={self.memory_kind})"


_fill(globals(), "sharding")
