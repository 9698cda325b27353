"""Elementwise functions as objects: numpy.add.reduce."""
from .._cotan import Function as _Function
from .._table import function

_BINARY = """add arctan2 atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor copysign divide equal float_power
floor_divide fmax fmin fmod gcd greater greater_equal heaviside hypot lcm ldexp left_shift less less_equal logaddexp logaddexp2 logical_and
logical_or logical_xor maximum minimum mod multiply nextafter not_equal pow power remainder right_shift subtract true_divide""".split()
_UNARY = """abs absolute acos acosh arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh bitwise_count bitwise_invert bitwise_not
cbrt ceil conj conjugate cos cosh deg2rad degrees exp exp2 expm1 fabs floor invert isfinite isinf isnan log log10 log1p log2 logical_not
negative positive rad2deg radians reciprocal rint sign signbit sin sinh spacing sqrt square tan tanh trunc""".split()


_IDENTITIES = {"add": 0, "multiply": 1, "logical_and": True, "logical_or": False, "logical_xor": False, "bitwise_and": -1, "bitwise_or": 0,
               "bitwise_xor": 0, "logaddexp": float("-inf"), "logaddexp2": float("-inf"), "hypot": 0, "gcd": 0}
_frompyfunc = function("numpy.frompyfunc")


def frompyfunc(func, /, nin, nout, *, identity=None):
    """A function of numbers as one of arrays, with a ufunc's methods."""
    return ufunc(func, nin, nout, identity=identity)


class ufunc:
    """A function of elements, with reduce, accumulate, at, outer and reduceat."""

    def __init__(self, func, /, nin, nout, *, name=None, nargs=None, identity=None, call=None, reduce=None, accumulate=None, at=None,
                 reduceat=None):
        if any(given is not None for given in (reduce, accumulate, at, reduceat)):
            raise NotImplementedError("ufunc: methods of one's own are not there yet")
        elementwise = func if isinstance(func, _Function) else _frompyfunc(func, nin, nout, identity=identity)
        self._function, self._call = func, call or elementwise
        self.nin, self.nout, self.nargs, self._identity = nin, nout, nargs or nin + nout, identity
        self.__name__ = self.__qualname__ = name or getattr(func, "__name__", "ufunc")
        self.__doc__ = func.__doc__
        self.__module__ = "cotan.numpy"
        self.__wrapped__ = func

    @property
    def identity(self):
        """What leaves every other operand as it is; None: there is no such number."""
        return _IDENTITIES.get(self.__name__) if isinstance(self._function, _Function) else self._identity

    def __call__(self, *args, **kwargs):
        return self._call(*args, **kwargs)

    def __get__(self, instance, owner=None):
        import types
        return self if instance is None else types.MethodType(self, instance)

    def reduce(self, a, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=None):
        if initial is None and not isinstance(self._function, _Function):
            initial = self._identity
        return function("numpy.ufunc.reduce")(self._function, a, axis, dtype, out, keepdims, initial, where)

    def accumulate(self, a, axis=0, dtype=None, out=None):
        return function("numpy.ufunc.accumulate")(self._function, a, axis, dtype, out)

    def reduceat(self, a, indices, axis=0, dtype=None, out=None):
        return function("numpy.ufunc.reduceat")(self._function, a, indices, axis, dtype, out)

    def outer(self, A, B, /):
        return function("numpy.ufunc.outer")(self._function, A, B)

    def at(self, a, indices, b=None, /, *, inplace=True):
        return function("numpy.ufunc.at")(self._function, a, indices, b, inplace=inplace)

    def __repr__(self):
        return f"<jnp.ufunc '{self.__name__}'>"

    def __reduce__(self):
        return _by_name, (self.__name__,)


def _by_name(name):
    from . import __dict__ as names
    return names[name]


def ufuncs():
    """All of them by name."""
    out = {}
    for nin, names in ((1, _UNARY), (2, _BINARY)):
        for name in names:
            out[name] = ufunc(function(f"numpy.{name}"), nin, 1)
    return out
