"""Functions of jax.numpy whose arguments or results are Python's own: predicates of types, grids written as indices, decorators."""
import functools

from .. import _cotan
from .._table import function

__all__ = ["c_", "finfo", "from_dlpack", "iinfo", "issubdtype", "mgrid", "ndim", "ogrid", "pad", "promote_types", "r_", "result_type", "shape", "size",
           "vectorize", "where"]

_vectorize = function("numpy.vectorize")


def vectorize(pyfunc, *, excluded=frozenset(), signature=None):
    """pyfunc of core dimensions, mapped over all others."""
    made = _vectorize(pyfunc, excluded=tuple(excluded), signature=signature)

    @functools.wraps(pyfunc)
    def vectorized(*args, **kwargs):
        return made(*args) if not kwargs else _vectorize(functools.partial(pyfunc, **kwargs), excluded=tuple(excluded), signature=signature)(*args)
    return vectorized




def from_dlpack(x, /, *, device=None, copy=None):
    """An Array of the elements of an object with __dlpack__, a copy."""
    from ..dlpack import from_dlpack as of_any
    return of_any(x, device, copy)


_result_type = function("numpy.result_type")
_WEAK = {int: 0, float: 0.0, complex: 0j}  # Python's number types are weak, as their numbers are


def result_type(*args):
    """The dtype of an operation between such arrays, numbers and dtypes."""
    return _result_type(*(_WEAK.get(a, a) if isinstance(a, type) else a for a in args))


def promote_types(a, b):
    """The dtype of an operation between arrays of two dtypes."""
    if any(isinstance(x, type) and x in _WEAK for x in (a, b)):
        return result_type(*(x if isinstance(x, type) and x in _WEAK else _cotan.dtype_from(x) for x in (a, b)))
    return function("numpy.promote_types")(a, b)


_ABSTRACT = frozenset("generic number integer signedinteger unsignedinteger inexact floating complexfloating flexible character".split())


def _class_of(x):
    """The class that stands for a dtype, or for a kind of dtypes."""
    from .. import dtypes
    if isinstance(x, type) and (issubclass(x, dtypes.extended) or x.__module__ == "numpy" and x.__name__ in _ABSTRACT):
        return x
    return _cotan.dtype_from(x).type


def issubdtype(arg1, arg2):
    """Whether a dtype is of a kind: numpy.floating, dtypes.prng_key, ..."""
    import numpy
    a, b = _class_of(arg1), _class_of(arg2)
    if a.__name__ == "bfloat16" and a is not b:  # NumPy does not know that it is floating
        a = numpy.floating
    return b is numpy.generic or issubclass(a, b)


def finfo(dtype):
    """The limits of a floating type."""
    import ml_dtypes
    return ml_dtypes.finfo(_cotan.dtype_from(dtype) if not hasattr(dtype, "dtype") else dtype.dtype)


def iinfo(int_type):
    """The limits of an integer type."""
    import ml_dtypes
    return ml_dtypes.iinfo(_cotan.dtype_from(int_type) if not hasattr(int_type, "dtype") else int_type.dtype)


def _of_any(name):
    """A function of the shape of an array or of nested lists."""
    def of_any(a, *args, **kwargs):
        if not isinstance(a, _cotan.Array) and isinstance(a, (list, tuple)):
            a = function("numpy.array")(a)
        return of_table(a, *args, **kwargs)
    of_table = function(f"numpy.{name}")
    of_any.__name__ = of_any.__qualname__ = name
    of_any.__doc__, of_any.__signature__ = of_table.__doc__, of_table.__signature__
    return of_any


ndim, shape, size = map(_of_any, ("ndim", "shape", "size"))
_where, _pad = function("numpy.where"), function("numpy.pad")


def where(condition, x=None, y=None, /, *, size=None, fill_value=None):
    """Elements of x where condition is true, else of y; with neither, the indices where condition is not 0."""
    if x is None and y is None:
        return function("numpy.nonzero")(condition, size=size, fill_value=fill_value)
    return _where(condition, x, y, size=size, fill_value=fill_value)


def pad(array, pad_width, mode="constant", **kwargs):
    """The array with more elements before and after along each axis; a callable mode gets each vector as in NumPy."""
    if not callable(mode):
        return _pad(array, pad_width, mode, **kwargs)
    from . import apply_along_axis
    import numpy
    widths = numpy.broadcast_to(numpy.asarray(pad_width), (array.ndim, 2)).tolist()
    padded = _pad(array, widths, "empty")
    for axis, width in enumerate(widths):
        padded = apply_along_axis(lambda vector, w=tuple(width), a=axis: mode(vector, w, a, kwargs), axis, padded)
    return padded


class _Grid:
    """numpy.mgrid and ogrid: coordinates written as slices."""

    def __init__(self, name, sparse):
        self._name, self._sparse = name, sparse

    def __getitem__(self, key):
        from . import meshgrid, stack
        if isinstance(key, slice):
            return _range(key)
        parts = meshgrid(*map(_range, key), indexing="ij", sparse=self._sparse)
        return list(parts) if self._sparse else stack(parts)

    def __repr__(self):
        return f"<jnp.{self._name}>"


def _range(s):
    """The numbers of a slice; an imaginary step is their count."""
    from . import arange, linspace
    start, stop, step = s.start or 0, s.stop, s.step
    if isinstance(step, complex):
        return linspace(start, stop, int(abs(step)))
    return arange(start, stop, 1 if step is None else step)


class _Join:
    """numpy.r_ and c_: arrays, numbers and slices joined along an axis."""

    def __init__(self, name, axis, ndim, trans1d):
        self._name, self._defaults = name, (axis, ndim, trans1d)

    def __getitem__(self, key):
        from . import array, concatenate
        axis, ndim, trans1d = self._defaults
        items = list(key) if isinstance(key, tuple) else [key]
        if isinstance(items[0], str):
            head = items.pop(0)
            if head in ("r", "c"):
                raise NotImplementedError(f"jnp.{self._name}: the directives r and c make matrices, which are not supported")
            numbers = [int(n) for n in head.split(",")]
            axis, ndim, trans1d = (numbers + [ndim, trans1d][len(numbers) - 1:])[:3]
        out = []
        for item in items:
            x = _range(item) if isinstance(item, slice) else array(item)
            if x.ndim < ndim:
                new = ndim - x.ndim
                order = list(range(ndim))
                if trans1d != -1 and x.ndim:
                    k = trans1d if trans1d >= 0 else trans1d + new + 1
                    own = list(range(new, ndim))
                    order = list(range(new))
                    order[k:k] = own
                x = x.reshape((1,) * new + x.shape).transpose(*order)
            out.append(x)
        return concatenate(out, axis=axis)

    def __repr__(self):
        return f"<jnp.{self._name}>"


mgrid, ogrid = _Grid("mgrid", False), _Grid("ogrid", True)
r_, c_ = _Join("r_", 0, 1, -1), _Join("c_", -1, 2, 0)
