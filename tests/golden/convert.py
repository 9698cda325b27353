#!/usr/bin/env python3
"""Writes convert.txt: what JAX 0.10.2 gives for lax.convert_element_type between every two of the 15 number types.

A line is `from to: input=output ...`, elements as hexadecimal bit patterns, bool as 0 or 1, complex as `re,im`. Where JAX
rounds twice (float64 and wide integers to 16-bit floats), or flushes a denormal, the output is ml_dtypes' or NumPy's, which
rounds once; a complex number is true where either part is not 0. Those are the differences that docs/differences.md names.
"""
import pathlib
import warnings

import jax
import ml_dtypes
import numpy as np

warnings.simplefilter("ignore")
jax.config.update("jax_enable_x64", True)
NAMES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "bfloat16", "float16", "float32", "float64",
         "complex64", "complex128"]
REALS = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 126.9, 127.0, 128.0, -128.9, -129.0, 255.9, 256.0, 257.0, 32767.5, 65504.0, 65519.9,
         65520.0, 2.0**31 - 1, 2.0**31, -2.0**31, 2.0**32, 2.0**53 + 2, 2.0**63, -2.0**63, 2.0**64, 1e30, -1e30, 1e39, 1e300, 3e-8, 1 + 2.0**-8,
         1 + 2.0**-8 + 2.0**-40, 1 + 2.0**-11 + 2.0**-40, 1 + 2.0**-24 + 2.0**-50, 2.0**-25 * (1 + 2.0**-30), np.inf, -np.inf, np.nan]


def values(name):
    if name == "bool":
        return np.array([False, True])
    dtype = np.dtype(name)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        wanted = [0, 1, 2, 3, 100, 127, 128, 255, 256, 257, 259, 32767, 65535, 65536, 16777217, 16777219, 2**24 + 2**16 + 1, 2**31 - 1, 2**31,
                  2**32 - 1, 2**53 + 1, 2**53 + 2**45 + 1, 2**62 + 2**54 + 1, 2**63 - 1, 2**63 + 1025, 2**64 - 1]
        wanted += [-v for v in wanted]
        return np.array(sorted({v for v in wanted + [info.min, info.max] if info.min <= v <= info.max}), dtype)
    reals = np.array(REALS, np.float64)
    if dtype.kind == "c":
        return (reals + 1j * np.roll(np.where(np.isfinite(reals), reals, 1), 3)).astype(dtype)
    return reals.astype(dtype)


def text(a):
    if a.dtype == bool:
        return [str(int(v)) for v in a]
    if a.dtype.kind == "c":
        part = {8: np.float32, 16: np.float64}[a.dtype.itemsize]
        return [",".join(p) for p in zip(text(a.real.astype(part)), text(a.imag.astype(part)))]
    return [format(int(v), "x") for v in np.ascontiguousarray(a).view(f"uint{8 * a.dtype.itemsize}")]


def expected(x, to):
    frm = x.dtype
    if frm.kind == "c" and to == "bool":
        return x.astype(bool)
    if frm == bool or frm.kind in "iu" or to == bool or np.dtype(to).kind in "iu":
        y = np.asarray(jax.lax.convert_element_type(jax.numpy.asarray(x), to))
    else:
        y = None
    narrow = np.dtype(to) in (np.dtype(ml_dtypes.bfloat16), np.dtype(np.float16))
    if y is None or narrow:
        source = x.real if frm.kind == "c" and np.dtype(to).kind != "c" else x
        if narrow and (source.dtype.itemsize == 8 or source.dtype.kind in "iu"):
            return once(source, np.dtype(to))
        y = source.astype(to)
    return y


def once(x, to):
    """x to a 16-bit float in one rounding to even: exact fractions against the neighbours."""
    from fractions import Fraction
    out = x.astype(np.float64).astype(np.float32).astype(to)
    for i, v in enumerate(x):
        if x.dtype.kind == "f" and not np.isfinite(v):
            continue
        exact = Fraction(int(v)) if x.dtype.kind in "iu" else Fraction(float(v))
        bits = int(out[i : i + 1].view(np.uint16)[0])
        best = None
        for candidate in (bits - 1, bits, bits + 1):
            if candidate < 0 or candidate > 0xFFFF or (candidate ^ bits) & 0x8000:
                continue
            c = np.array([candidate], np.uint16).view(to)[0]
            f = float(c)
            if np.isnan(f):
                continue
            if np.isinf(f):  # where the next value after the largest would be
                below = float(np.array([candidate - 1], np.uint16).view(to)[0])
                before = float(np.array([candidate - 2], np.uint16).view(to)[0])
                f = 2 * Fraction(below) - Fraction(before)
            key = (abs(Fraction(f) - exact), candidate & 1)
            if best is None or key < best[0]:
                best = (key, candidate)
        out[i : i + 1] = np.array([best[1]], np.uint16).view(to)
    return out


def main():
    lines = []
    for frm in NAMES:
        x = values(frm)
        for to in NAMES:
            y = expected(x, to)
            lines.append(f"{frm} {to}: " + " ".join(f"{a}={b}" for a, b in zip(text(x), text(y))))
    pathlib.Path(__file__).with_suffix(".txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
