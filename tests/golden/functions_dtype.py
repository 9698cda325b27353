"""Calls of numpy's functions of dtypes: see functions.py."""
import jax.numpy as jnp
from functions import NARROW, Kind, corner, ramp

ALL = NARROW + ["int64", "uint64", "float64", "complex128"]
KINDS = ["generic", "number", "integer", "signedinteger", "unsignedinteger", "inexact", "floating", "complexfloating"]


def cases(c):
    for d in ALL + [float, int, bool, complex, "flat32", None]:
        if d != "flat32":  # JAX raises ValueError, NumPy TypeError
            c.call("numpy.finfo", d)
            c.call("numpy.iinfo", d)
        c.call("numpy.dtype", d)
        c.call("numpy.result_type", d)
        c.call("numpy.result_type", d, 1)
        c.call("numpy.result_type", d, 2.5)
        if not isinstance(d, type):  # Python's types are weak in JAX alone
            c.call("numpy.result_type", ramp("int8", (2,)), d)
        for k in ("bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating", "numeric", "foo", "int8",
                  ("bool", "real floating"), (jnp.float32, "integral"), ()):
            if d is not None:
                c.call("numpy.isdtype", d, k)
        for k in KINDS:
            if d is not None:
                c.call("numpy.issubdtype", d, Kind(k))
        for other in ALL:
            if not isinstance(d, type) and d is not None:
                c.call("numpy.promote_types", d, other)
                c.call("numpy.issubdtype", d, other)
                for casting in ("safe", "same_kind"):
                    # JAX takes any name for a type; with bfloat16 its same_kind depends on how the type is made, not on kinds
                    if d != "flat32" and (casting == "safe" or "bfloat16" not in (d, other)):
                        c.call("numpy.can_cast", d, other, casting)
    for casting in ("no", "equiv", "unsafe", "foo"):
        c.call("numpy.can_cast", "float32", "float32", casting)
        c.call("numpy.can_cast", "float32", "int8", casting)
    c.call("numpy.can_cast", 1, "int8")
    c.call("numpy.can_cast", corner("int8"), "int16")
    c.call("numpy.result_type")
    c.call("numpy.result_type", [1, 2])
    c.call("numpy.result_type", 1, 2.0)
    c.call("numpy.result_type", corner("int8"), 1j, True)
    c.call("numpy.promote_types", 1, 2)
    c.call("numpy.finfo", jnp.ones(2))
    c.call("numpy.iinfo", jnp.ones(2, "int8"))
