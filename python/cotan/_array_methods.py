"""Methods of Arrays: the functions of numpy, and what Python's protocols ask for."""
from . import _cotan
from ._cotan import Array, ArrayImpl, Tracer
from ._table import function

_METHODS = """all any argmax argmin argpartition argsort choose conj conjugate cumprod cumsum diagonal dot max mean min nonzero prod
ptp ravel repeat round searchsorted sort squeeze std sum swapaxes take trace var""".split()
for _name in _METHODS:
    setattr(Array, _name, function(f"numpy.{_name}"))
Array.mT = property(function("numpy.matrix_transpose"))


def _method(f):
    setattr(Array, f.__name__, _cotan.boundary(f))
    return f


def _numbers(args):
    return args[0] if len(args) == 1 and isinstance(args[0], (tuple, list)) else args


_reshape, _transpose, _astype, _clip, _view = (function(f"numpy.{n}") for n in ("reshape", "transpose", "astype", "clip", "copy"))


@_method
def reshape(self, *args, order="C", copy=None, out_sharding=None):
    """The elements in another shape; one size may be -1."""
    return _reshape(self, _numbers(args) if len(args) != 1 else args[0], order=order)


@_method
def transpose(self, *args):
    """The axes in another order, by default reversed."""
    axes = _numbers(args)
    return _transpose(self, tuple(axes) if axes and axes[0] is not None else None)


@_method
def astype(self, dtype, copy=False, device=None):
    """The elements converted."""
    return _astype(self, dtype)


@_method
def flatten(self, order="C", *, out_sharding=None):
    return _reshape(self, -1, order=order)


@_method
def clip(self, min=None, max=None):
    return _clip(self, min, max)


@_method
def compress(self, condition, axis=None, *, out=None):
    """The elements along an axis where condition is true."""
    return function("numpy.compress")(condition, self, axis, out=out)


@_method
def copy(self):
    return _view(self)


@_method
def view(self, dtype=None, type=None):
    """The elements' bits as another dtype."""
    if type is not None:
        raise NotImplementedError("`type` argument of array.view() is not supported.")
    from .lax import bitcast_convert_type
    from . import numpy as jnp
    if dtype is None:
        return self
    if jnp.iscomplexobj(self) or self.dtype == bool or jnp.dtype(dtype).kind == "c" or jnp.dtype(dtype) == bool:
        raise NotImplementedError("array.view() of complex numbers and bools")
    have, want = self.dtype.itemsize, jnp.dtype(dtype).itemsize
    if have == want:
        return bitcast_convert_type(self, dtype)
    if self.ndim == 0:
        raise ValueError("Changing the dtype of a 0d array is only supported if the itemsize is unchanged.")
    if have > want:
        return bitcast_convert_type(self, dtype).reshape(self.shape[:-1] + (self.shape[-1] * (have // want),))
    if self.shape[-1] * have % want:
        raise ValueError("When changing to a larger dtype, its size must be a divisor of the total size in bytes of the last axis of the array.")
    return bitcast_convert_type(self.reshape(self.shape[:-1] + (-1, want // have)), dtype)


@_method
def item(self, *args):
    """The one element, or the one at an index, as a number of Python's."""
    import numpy
    return numpy.asarray(self).item(*args)


@_method
def tolist(self):
    import numpy
    return numpy.asarray(self).tolist()


@_method
def tobytes(self, order="C"):
    import numpy
    return numpy.asarray(self).tobytes(order)


@_method
def block_until_ready(self):
    """The array itself: what a call returns is computed."""
    if _cotan.is_deleted(self):
        from .errors import JaxRuntimeError
        raise JaxRuntimeError("block_until_ready() called on a deleted or donated array")
    return self


@_method
def __array__(self, dtype=None, copy=None):
    import numpy
    if isinstance(self, Tracer):
        from .errors import TracerArrayConversionError
        raise TracerArrayConversionError(
            f"The numpy.ndarray conversion method __array__() was called on {self!r}\n  at {_cotan.user_line()}\n"
            "In a traced function use cotan.numpy instead of numpy, or make the value a static argument.")
    if not isinstance(self.dtype, numpy.dtype):
        raise TypeError("JAX array with PRNGKey dtype cannot be converted to a NumPy array. Use random.key_data(arr).")
    values = numpy.frombuffer(_cotan.to_bytes(self), dtype=self.dtype).reshape(self.shape) if self.size else numpy.zeros(self.shape, self.dtype)
    if dtype is not None and values.dtype != dtype:
        if copy is False:
            raise ValueError("a conversion without a copy is not possible")
        return values.astype(dtype)
    return values.copy() if copy else values


@_method
def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
    """The elements as a DLPack capsule, without a copy: they must not be changed."""
    if isinstance(self, Tracer):
        from .errors import ConcretizationTypeError
        raise ConcretizationTypeError(f"__dlpack__ needs elements, got {self!r}\n  at {_cotan.user_line()}")
    if dl_device not in (None, (1, 0)):
        raise BufferError(f"__dlpack__: the elements are on device (1, 0), not {dl_device}")
    return _cotan.to_dlpack(self)


@_method
def __dlpack_device__(self):
    return 1, 0


@_method
def __array_namespace__(self, *, api_version=None):
    if api_version not in (None, "2021.12", "2022.12", "2023.12", "2024.12"):
        raise ValueError(f"api_version={api_version!r} is not available; available versions are '2021.12' to '2024.12'")
    from . import numpy
    return numpy


@_method
def __complex__(self):
    if isinstance(self, Tracer):
        from .errors import ConcretizationTypeError
        raise ConcretizationTypeError(f"complex() needs a value that is known, got {self!r}\n  at {_cotan.user_line()}")
    if self.ndim:
        raise TypeError(f"Only scalar arrays can be converted to Python scalars; got arr.ndim={self.ndim}")
    return complex(self.item())


@_method
def __round__(self, ndigits=None):
    return self.round(0 if ndigits is None else ndigits)


@_method
def __reversed__(self):
    return iter(self[::-1])


@_method
def __contains__(self, x):
    return bool((self == x).any())


@_method
def __copy__(self):
    return self


@_method
def __deepcopy__(self, memo):
    return self


def _restored(dtype, shape, data, weak):
    return _cotan.from_bytes(dtype, shape, data, weak)


@_method
def __reduce__(self):
    if isinstance(self, Tracer):
        from .errors import ConcretizationTypeError
        raise ConcretizationTypeError(f"a traced value can't be pickled: {self!r}\n  at {_cotan.user_line()}")
    return _restored, (self.dtype, self.shape, _cotan.to_bytes(self), self.weak_type)


@_method
def __format__(self, spec):
    if not spec:
        return str(self)
    if isinstance(self, Tracer) or self.ndim:
        raise TypeError(f"unsupported format string passed to {type(self).__name__}.__format__")
    return format(self.item(), spec)


Array.__array_priority__ = 100
Array.nbytes = property(lambda self: self.size * self.dtype.itemsize)
Array.itemsize = property(lambda self: self.dtype.itemsize)
Array.aval = property(lambda self: _cotan.aval_of(self))


@_method
def on_device_size_in_bytes(self):
    return self.nbytes


@_method
def is_ready(self):
    return True


@_method
def is_deleted(self):
    """Whether the elements were given up: the array was donated to a jitted function, or deleted."""
    return _cotan.is_deleted(self)


@_method
def delete(self):
    """Gives up the elements: using them raises RuntimeError from then on."""
    _cotan.delete_array(self)


@_method
def devices(self):
    """The set of devices that hold elements."""
    from ._devices import devices as all_devices
    return {all_devices()[0]}


@_method
def to_device(self, device, *, stream=None):
    return self


@_method
def copy_to_host_async(self):
    """Nothing: the elements are in the host's memory."""


@_method
def addressable_data(self, index):
    if index:
        raise IndexError("there is one shard")
    return self


def _sharding(self):
    from ._devices import devices as all_devices
    from .sharding import SingleDeviceSharding
    return SingleDeviceSharding(all_devices()[0])


def _device(self):
    return next(iter(self.devices()))


ArrayImpl.sharding, ArrayImpl.device, ArrayImpl.platform = property(_sharding), property(_device), lambda self: "cpu"
ArrayImpl.is_fully_addressable = ArrayImpl.is_fully_replicated = property(lambda self: True)
ArrayImpl.committed = property(lambda self: False)


class _At:
    """x.at: a place in x is named by an index."""

    __slots__ = ("array",)

    def __init__(self, array):
        self.array = array

    def __getitem__(self, index):
        return _Place(self.array, index)

    def __repr__(self):
        return f"_IndexUpdateHelper({self.array!r})"


class _Place:
    """x.at[index]: methods return a new Array; x keeps its value."""

    __slots__ = ("array", "index")

    def __init__(self, array, index):
        self.array, self.index = array, index

    def __repr__(self):
        return f"_IndexUpdateRef({self.array!r}, {self.index!r})"

    def get(self, *, indices_are_sorted=False, unique_indices=False, mode=None, fill_value=None, out_sharding=None, wrap_negative_indices=True):
        """The elements there. mode: what reads outside give, "clip" (by default), "fill" with fill_value, "promise_in_bounds"."""
        return _cotan.get_at(self.array, self.index, indices_are_sorted, unique_indices, _mode(mode), fill_value, wrap_negative_indices)

    def apply(self, func, *, indices_are_sorted=False, unique_indices=False, mode=None, out_sharding=None, wrap_negative_indices=True):
        """func of the elements there."""
        return _cotan.apply_at(self.array, self.index, func, indices_are_sorted, unique_indices, _mode(mode), wrap_negative_indices)


def _mode(mode):
    return "" if mode is None else getattr(mode, "name", mode).lower()


def _update(name, doc):
    def method(self, values, *, indices_are_sorted=False, unique_indices=False, mode=None, out_sharding=None, wrap_negative_indices=True):
        return _cotan.update_at(name, self.array, self.index, values, indices_are_sorted, unique_indices, _mode(mode), wrap_negative_indices)
    method.__name__, method.__qualname__, method.__doc__ = name, f"at.{name}", doc
    return method


for _name, _doc in (("set", "values there"), ("add", "values added"), ("subtract", "values subtracted"), ("multiply", "multiplied by values"),
                    ("divide", "divided by values"), ("power", "raised to the power values"), ("min", "the smaller of both"),
                    ("max", "the larger of both")):
    setattr(_Place, _name, _cotan.boundary(_update(_name, f"x with {_doc}.")))
_Place.get, _Place.apply = _cotan.boundary(_Place.get), _cotan.boundary(_Place.apply)
_Place.mul = _Place.multiply
Array.at = property(_At)
