"""Abstract values and tracers: the public part of jax.core."""
from . import _cotan
from ._cotan import Tracer
from ._jaxprs import Atom, eval_jaxpr


ParamDict = dict


class AbstractValue:
    """What is known of a value before it is computed."""


class ShapedArray(AbstractValue):
    """Shape and dtype of an array."""

    __slots__ = ("shape", "dtype", "weak_type")

    def __init__(self, shape, dtype, weak_type=False):
        self.shape = tuple(shape)
        self.dtype = _cotan.dtype_from(dtype)
        self.weak_type = weak_type

    ndim = property(lambda self: len(self.shape))

    @property
    def size(self):
        n = 1
        for d in self.shape:
            n *= d
        return n

    def str_short(self, short_dtypes=False):
        from ._text import short_name
        dtype = short_name(self.dtype) if short_dtypes else self.dtype.name
        return f"{dtype}[{','.join(map(str, self.shape))}]"

    def update(self, **changes):
        return ShapedArray(**({"shape": self.shape, "dtype": self.dtype, "weak_type": self.weak_type} | changes))

    def strip_weak_type(self):
        return self.update(weak_type=False)

    def __eq__(self, other):
        return (type(other) is ShapedArray and self.shape == other.shape and self.dtype == other.dtype
                and self.weak_type == other.weak_type)

    def __hash__(self):
        return hash((self.shape, self.dtype, self.weak_type))

    def __repr__(self):
        return f"ShapedArray({self.str_short()}{', weak_type=True' if self.weak_type else ''})"

    def __str__(self):
        return self.str_short()


def get_aval(x):
    """The abstract value of an array or number."""
    return _cotan.aval_of(x)


typeof = get_aval


def __getattr__(name):
    if name == "ensure_compile_time_eval":
        from ._scopes import ensure_compile_time_eval
        return ensure_compile_time_eval
    raise AttributeError(name)


def max_dim(d1, d2):
    """The larger of two sizes."""
    return max(d1, d2)


def min_dim(d1, d2):
    """The smaller of two sizes."""
    return min(d1, d2)


Value = _cotan.Array


from ._table import fill as _fill  # noqa: E402

_fill(globals(), "core")
