"""Calls of numpy's elementwise functions: see functions.py."""
from functions import corner, ramp


def cases(c):
    c.tolerance("numpy.expm1 numpy.tan", 32, 2)  # XLA's own errors
    c.tolerance("numpy.exp2 numpy.sinh numpy.cosh", 32)
    c.tolerance("numpy.exp numpy.cbrt", 4)
    c.tolerance("numpy.tanh", 4, 4)  # the derivative cancels
    c.tolerance("numpy.logaddexp numpy.logaddexp2", 8, 1)
    c.unary("numpy.exp numpy.exp2 numpy.expm1 numpy.log numpy.log1p numpy.sqrt numpy.cbrt numpy.sin numpy.cos numpy.tan numpy.arcsin "
            "numpy.arccos numpy.arctan numpy.sinh numpy.cosh numpy.tanh numpy.arcsinh numpy.arctanh numpy.negative numpy.positive "
            "numpy.abs numpy.absolute numpy.fabs numpy.sign numpy.square numpy.reciprocal numpy.floor numpy.ceil numpy.trunc "
            "numpy.isfinite numpy.isinf numpy.isnan numpy.real numpy.imag numpy.conj numpy.conjugate numpy.logical_not "
            "numpy.bitwise_not numpy.invert numpy.log2 numpy.log10 numpy.signbit numpy.deg2rad numpy.rad2deg numpy.rint")
    c.binary("numpy.add numpy.subtract numpy.multiply numpy.divide numpy.true_divide numpy.floor_divide numpy.remainder numpy.mod "
             "numpy.maximum numpy.minimum numpy.fmax numpy.fmin numpy.copysign "
             "numpy.logaddexp numpy.equal numpy.not_equal numpy.less numpy.less_equal numpy.greater "
             "numpy.greater_equal numpy.logical_and numpy.logical_or numpy.logical_xor numpy.bitwise_and numpy.bitwise_or "
             "numpy.bitwise_xor numpy.left_shift numpy.right_shift numpy.fmod numpy.hypot numpy.logaddexp2")
    c.tolerance("numpy.arctan2", 4, 4)
    # Left of 1 the derivative is NaN, and JAX's is not; complex 0 to a complex power is 0, and JAX's NaN (docs/differences.md).
    c.unary("numpy.arccosh", derivative=False)
    # Complex arctan2 has a cut, where JAX takes this side or that.
    c.binary("numpy.float_power numpy.arctan2", dtypes=[d for d in c.dtypes if "complex" not in d])
    for d in c.inexact:
        c.vjp("numpy.arccosh", abs(c.draw(d, (5,))).astype(d) + 1)
        for name in ("numpy.float_power", "numpy.arctan2"):
            c.call(name, corner(d)[2:6], corner(d)[2:6][::-1])
    for d in c.dtypes:
        for k in (0, 1, 3, -1):
            c.call("numpy.power", corner(d), k)
        c.call("numpy.where", ramp("bool", (3,)), ramp(d, (3,)), ramp(d, (3,), 2))
        c.call("numpy.where", ramp("bool", (2, 1)), ramp(d, (3,)), 1)
        c.call("numpy.where", ramp("float32", (3,)), 0.5, ramp(d, (3,)))
        c.call("numpy.clip", corner(d), -1, 2)
        c.call("numpy.clip", corner(d), 0.5, 1.5)
        c.call("numpy.clip", ramp(d, (2, 3)), ramp(d, (3,)), 3)
