"""Element types: jax.dtypes. NumPy and ml_dtypes are imported when a dtype is first asked for."""
from . import _cotan


class extended:
    """The abstract dtype of dtypes that NumPy does not have."""


class prng_key(extended):
    """The abstract dtype of all PRNG keys: issubdtype(x.dtype, prng_key)."""


class KeyTy:
    """The dtype of PRNG keys of one implementation."""

    type = prng_key
    kind = "V"

    def __init__(self, name):
        self._cotan_dtype = name
        self.name = name
        self.itemsize = 8 if "fry" in name else 16

    def __eq__(self, other):
        return type(other) is KeyTy and self.name == other.name

    def __hash__(self):
        return hash(self.name)

    def __repr__(self):
        return self.name

    __str__ = __repr__

    def __reduce__(self):
        return _object_of, (self.name,)


_keys = {}


def _object_of(name):
    """The object that x.dtype is, of a dtype by its name."""
    if name.startswith("key<"):
        return _keys.setdefault(name, KeyTy(name))
    import numpy
    if name == "bfloat16":
        import ml_dtypes
        return numpy.dtype(ml_dtypes.bfloat16)
    if name == "float0":
        return _float0()
    return numpy.dtype(name)


def _float0():
    import numpy
    return numpy.dtype([("float0", numpy.void, 0)])


def _float0_zeros(shape):
    import numpy
    return numpy.zeros(shape, _float0())


def canonicalize_dtype(dtype, allow_extended_dtype=False):
    return _cotan.canonical_dtype(dtype)


def issubdtype(a, b):
    """Whether a dtype is of a kind: issubdtype(x.dtype, jnp.floating)."""
    from . import numpy
    return numpy.issubdtype(a, b)


class TypePromotionError(ValueError):
    """Two dtypes have no common one."""


def itemsize_bits(dtype):
    """Bits of an element."""
    return _cotan.dtype_from(dtype).itemsize * 8


def scalar_type_of(x):
    """bool, int, float or complex: the class of numbers of Python's that stands for x's elements."""
    dtype = _cotan.aval_of(x).dtype
    kinds = {"b": bool, "i": int, "u": int, "f": float, "c": complex}
    kind = "f" if dtype.name == "bfloat16" else dtype.kind
    if kind not in kinds:
        raise TypeError(f"scalar_type_of: {x!r} has no numbers")
    return kinds[kind]


def result_type(*args, return_weak_type_flag=False):
    from . import numpy
    return numpy.result_type(*args)


def __getattr__(name):
    if name == "bfloat16":
        import ml_dtypes
        return ml_dtypes.bfloat16
    if name == "float0":
        return _float0()
    if name in ("finfo", "iinfo"):
        from . import numpy
        return getattr(numpy, name)
    raise AttributeError(name)


from ._table import fill as _fill  # noqa: E402

_fill(globals(), "dtypes")
