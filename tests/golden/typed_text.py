"""Arrays as text in golden files of values: DTYPE[*] SHAPE VALUE... (* : weakly typed, SHAPE as 2x3 or "-" for none), where a complex
value is REAL,IMAGINARY. A line is X64|KEY|INPUT;INPUT...|RESULT, where KEY names a function, and a result that is an error is `error CLASS`.
"""
import jax.numpy as jnp
import numpy as np


def text_of(x):
    dtype = jnp.dtype(x.dtype)
    flat = np.asarray(x).reshape(-1)

    def real(v, kind):
        v = np.asarray(v, kind)
        if np.isnan(v):
            return "nan"
        return repr(float(v)) if kind == np.float64 else str(float(np.format_float_scientific(v, unique=True))) if np.isfinite(v) else str(v)

    def value(v):
        if dtype == bool:
            return str(bool(v))
        if dtype.kind in "iu":
            return str(int(v))
        if dtype.kind == "c":
            kind = np.float32 if dtype == np.complex64 else np.float64
            return real(v.real, kind) + "," + real(v.imag, kind)
        return real(v, np.float16 if dtype == np.float16 else np.float64 if dtype == np.float64 else np.float32)

    shape = "x".join(map(str, x.shape)) or "-"
    return " ".join([dtype.name + ("*" if x.weak_type else ""), shape, *map(value, flat)])
