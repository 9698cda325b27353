"""numpy.float32 and its kin: objects that make scalar arrays and stand for their dtypes."""
from .. import _cotan
from .._table import function


class _ScalarMeta(type):
    @property
    def dtype(cls):
        return _cotan.dtype_from(cls._name)

    def __call__(cls, x):
        return function("numpy.array")(x, dtype=cls._name)

    def __hash__(cls):
        return hash(cls.dtype.type)

    def __eq__(cls, other):
        return cls is other or (other is not None and cls.dtype.type == other) or (isinstance(other, _ScalarMeta) and cls._name == other._name)

    def __ne__(cls, other):
        return not cls == other

    def __instancecheck__(cls, x):
        raise TypeError(f"isinstance(x, {cls.__name__}) is not defined: compare x.dtype")


def _make(name, dtype=None):
    return _ScalarMeta(name, (), {"_name": dtype or name, "__module__": "cotan.numpy"})


bool_ = _make("bool", "bool")
bool = bool_
uint8, uint16, uint32, uint64 = map(_make, ("uint8", "uint16", "uint32", "uint64"))
int8, int16, int32, int64 = map(_make, ("int8", "int16", "int32", "int64"))
bfloat16, float16, float32, float64 = map(_make, ("bfloat16", "float16", "float32", "float64"))
complex64, complex128 = map(_make, ("complex64", "complex128"))
single, double, csingle, cdouble = float32, float64, complex64, complex128
int_, uint, float_, complex_ = int64, uint64, float64, complex128
