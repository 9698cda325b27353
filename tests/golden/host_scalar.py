"""Writes host_scalar.txt: conversions of single values by JAX 0.10.2, and their texts by Python and NumPy.

`convert FROM BITS TO BITS` and `text TYPE BITS STR ITEM_STR`; BITS is the value's bytes in hexadecimal, the highest first (a complex
value's are its parts'); STR is the shortest decimal for the type, ITEM_STR Python's repr of the value as a Python number. Conversions
to 16-bit types are rounded once, from the exact value (JAX on CPU rounds to float32 first), and denormals are kept. A complex
number is true where either part is not 0 (NumPy). Conversions that give NaN are not listed.
"""
import math
import pathlib

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)
rng = np.random.default_rng(7)
integers = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
floats = ["bfloat16", "float16", "float32", "float64"]
complexes = ["complex64", "complex128"]
small = {"bfloat16", "float16"}


def bits(v):
    parts = [v.real, v.imag] if v.dtype.kind == "c" else [v]
    return ",".join(np.asarray(p).tobytes()[::-1].hex() for p in parts)


def values(name):
    dtype = np.dtype(jnp.dtype(name))
    if name == "bool":
        return [np.array(x) for x in (False, True)]
    if name in integers:
        info = np.iinfo(dtype)
        numbers = {info.min, info.max, info.max - 1, 0, 1, info.min // 2}
        numbers |= {s * (2**k + d) for k in (8, 11, 16, 24, 32, 53, 62) for d in (-1, 0, 1) for s in (1, -1)}
        # What a first rounding to float32, or to float64, would turn into a tie.
        numbers |= {2**24 + 2**16 + 1, 2**25 + 2**14 + 1, 2**62 + 2**54 + 1, 2**62 + 2**54 - 1, -(2**62) - 2**54 - 1, 2**11 + 1}
        return [np.array(n, dtype) for n in sorted(numbers) if info.min <= n <= info.max]
    if name in floats:
        numbers = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 0.99, 1.5, 2.5, -2.5, math.inf, -math.inf, math.nan, 1e30, -1e30, 1e-40, 65504.0,
                   65519.99, 65520.0, 5e-8, 123456789.0, 1e16, 9999999999999998.0, 1e15, 1e-4, 1e-5, 0.1, 0.3, 3.14159265358979, 5e-324,
                   2049 + 2**-30, 2.0**-44, 1.7976931348623157e308, 3.4028234663852886e38]
        numbers += [s * (2.0**k + d) for k in (7, 8, 15, 16, 31, 32, 63, 64) for d in (-0.5, 0) for s in (1, -1)]
        numbers += list(rng.standard_normal(8)) + list(np.exp(rng.uniform(-80, 80, 12)))
        with np.errstate(all="ignore"):
            return [np.array(n).astype(dtype) for n in numbers]
    parts = [0.0, -0.0, -2.5, math.inf, 1e-5, 1e16]
    return [np.array(complex(r, i), dtype) for r in parts for i in parts]


def exact_small(v, name):
    """v rounded once to a 16-bit type: from its value as a rational number."""
    from fractions import Fraction

    x = v.item()
    if isinstance(x, complex):
        x = x.real
    if isinstance(x, float) and not math.isfinite(x) or x == 0:
        return np.array(x).astype(jnp.dtype(name))
    man, low, high = (7, -133, 128) if name == "bfloat16" else (10, -24, 16)
    q = abs(Fraction(x))
    exponent = math.floor(math.log2(q)) if q < 2**1000 else 1000
    exponent += (2 ** Fraction(exponent + 1) <= q) - (2 ** Fraction(exponent) > q)
    unit = Fraction(2) ** max(exponent - man, low)
    rounded = round(q / unit) * unit                     # Python rounds a half to even
    value = math.inf if rounded >= 2**high else float(rounded)
    return np.array(math.copysign(value, x)).astype(jnp.dtype(name))


def converted(v, target):
    """By JAX; by NumPy where XLA's CPU code would flush a denormal to zero, and from complex to bool."""
    if target == "bool" and v.dtype.kind == "c":
        return v.astype(bool)
    if target in small:
        return exact_small(v, target)
    if v.dtype.kind not in "biu" and 0 < abs(v.real.item()) < 2.0**-126:
        return v.real.astype(jnp.dtype(target))
    return np.asarray(jax.lax.convert_element_type(v, jnp.dtype(target)))


def shortest(x, name):
    if not math.isfinite(x) or x == 0 or name == "float64":
        return repr(x)
    dtype = jnp.dtype(name)
    for p in range(20):
        text = f"{x:.{p}e}"
        if float(np.float64(text).astype(dtype)) == x:
            return repr(float(text))


def complex_text(z, name):
    strip = lambda s: s[:-2] if s.endswith(".0") else s
    part = "float32" if name == "complex64" else "float64"
    re, im = (strip(shortest(float(x), part)) for x in (z.real, z.imag))
    if re == "0":
        return im + "j"
    return f"({re}{'' if im.startswith('-') else '+'}{im}j)"


lines = []
types = ["bool"] + integers + floats + complexes
for source in types:
    for v in values(source):
        for target in types:
            out = converted(v, target)
            if target == source or not np.any(np.isnan(out)):
                lines.append(f"convert {source} {bits(v)} {target} {bits(out)}")
        item = v.item()
        text = complex_text(v, source) if source in complexes else shortest(item, source) if source in floats else str(item)
        lines.append(f"text {source} {bits(v)} {text} {item!r}")
pathlib.Path(__file__).with_name("host_scalar.txt").write_text("\n".join(lines) + "\n")
