"""The devices of this process: one CPU, or as many as jax_num_cpu_devices says."""
import functools

from ._config import config


class Device:
    """A device."""

    platform = device_kind = "cpu"
    process_index = host_id = 0
    default_memory_space = None

    def __init__(self, id):
        self.id = self.local_hardware_id = id

    def __repr__(self):
        return f"CpuDevice(id={self.id})"

    def __str__(self):
        return f"TFRT_CPU_{self.id}"

    def memory_stats(self):
        return None

    client = property(lambda self: _Client())


class _Client:
    platform = "cpu"
    platform_version = "cotan"

    def devices(self):
        return devices()


@functools.lru_cache(None)
def _all():
    return tuple(Device(i) for i in range(1))


def devices(backend=None):
    """The devices of a backend, by default the only one, "cpu"."""
    if backend not in (None, "cpu"):
        raise RuntimeError(f"Unknown backend {backend}: there is 'cpu'")
    return list(_all())


def local_devices(process_index=None, backend=None, host_id=None):
    return devices(backend)


def device_count(backend=None):
    return len(devices(backend))


def local_device_count(backend=None):
    return len(devices(backend))


def default_backend():
    return "cpu"


def process_index(backend=None):
    return 0


host_id = process_index


def process_count(backend=None):
    return 1


host_count = process_count


def process_indices(backend=None):
    return [0]


def device_put(x, device=None, *, src=None, donate=False, may_alias=None):
    """The leaves of x as arrays on a device."""
    from . import _cotan
    return _cotan.tree_map(lambda leaf: _cotan.to_array(leaf, "device_put"), x)


def device_get(x):
    """The leaves of x as NumPy arrays."""
    from . import _cotan
    import numpy
    return _cotan.tree_map(lambda leaf: numpy.asarray(leaf) if isinstance(leaf, _cotan.Array) else leaf, x)


host_ids = process_indices


def copy_to_host_async(x):
    """x: its elements are in the host's memory."""
    return x


def effects_barrier():
    """Nothing: what a call does has been done when it returns."""


def print_environment_info(return_string=False):
    """Versions and the machine, for reports of errors: printed, or returned."""
    import os
    import platform
    import sys
    from . import _version
    lines = [f"cotan: {_version.__version__}", f"python: {sys.version}", f"platform: {platform.platform()}", f"processors: {os.cpu_count()}",
             f"devices: {devices()}"]
    if return_string:
        return "\n".join(lines)
    print("\n".join(lines))


def block_until_ready(x):
    """x: what a call returns is computed."""
    return x
