"""jax.numpy."""
import math as _math

from .. import _cotan
from .._cotan import Array as ndarray
from .._table import fill as _fill
from ._scalar_types import (bfloat16, bool, bool_, cdouble, complex128, complex64, complex_, csingle, double, float16, float32, float64, float_,
                            int16, int32, int64, int8, int_, single, uint, uint16, uint32, uint64, uint8)
from ._ufunc import frompyfunc, ufunc, ufuncs as _ufuncs

e, pi, inf, nan, euler_gamma, newaxis = _math.e, _math.pi, _math.inf, _math.nan, 0.5772156649015329, None
_FROM_NUMPY = frozenset("character complexfloating dtype flexible floating generic inexact integer number object_ signedinteger "
                        "unsignedinteger index_exp s_".split())


def __getattr__(name):
    if name in _FROM_NUMPY:
        import numpy
        return getattr(numpy, name)
    raise AttributeError(name)


globals().update(_ufuncs())
from ._more import *  # noqa: E402,F403
_fill(globals(), "numpy")
