"""Writes array_text.txt: how NumPy and JAX 0.10.2 print arrays.

A line is X64|ARRAY|str|repr with newlines as \\n; ARRAY is as typed_text.py says, or `ramp DTYPE SHAPE` (element i is i).
"""
import pathlib
import random

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np

jax.config.update("jax_platforms", "cpu")
lines = []


def part(v, kind):
    v = kind(v)
    if not np.isfinite(v):
        return str(float(v))
    return repr(float(v)) if kind is np.float64 else np.format_float_scientific(v, unique=True)


def spelled(x, weak):
    kind = {"bfloat16": np.float32, "float16": np.float16, "float32": np.float32, "complex64": np.float32}.get(x.dtype.name, np.float64)
    flat = x.reshape(-1)
    if x.dtype.kind == "c":
        values = [part(v.real, kind) + "," + part(v.imag, kind) for v in flat]
    elif x.dtype.kind in "fV" or x.dtype.name == "bfloat16":
        values = [part(v, kind) for v in flat]
    else:
        values = [str(v) for v in flat.tolist()]
    return " ".join([x.dtype.name + ("*" if weak else ""), "x".join(map(str, x.shape)) or "-", *values])


def record(x, text=None, weak=False):
    x = np.asarray(x)
    a = jax.device_put(x)
    assert a.dtype == x.dtype
    r = repr(a).replace("\n", "\\n") if not weak else repr(jnp.asarray(x.item()))
    lines.append("|".join([str(int(jax.config.jax_enable_x64)), text or spelled(x, weak), str(x).replace("\n", "\\n"), r]))


bf16 = ml_dtypes.bfloat16
random.seed(1)
scalars = [0.0, -0.0, 1, -1, 0.1, 1 / 3, 1e-4, 9.9e-5, 1.5e-5, 100, 999, 1000, 12345, 99999, 999999, 1e6, 123456789, 1e8, 1e10, 1e15, 1e16, 1e17, 1e30, 3e-30,
           np.nan, np.inf, -np.inf, 2.5, 65504]
rows = [[0.0], [1.0, 2.0, 3.5], [0.1, 0.25, 1 / 3], [1e-5, 1.0], [1e-4, 0.05], [1000.0, 1.0], [1001.0, 1.0], [1e8, 1.0], [12345678.0, 1.0], [1e6, 2e6], [np.nan, 1.0], [np.inf, -np.inf],
        [np.nan], [np.nan, np.inf, 1e10], [-1.0, 2.0], [-0.0, 0.0], [123.456, -0.001], [1e-10, 1e10], [1e-300, 1.0], [0.30000000000000004], [1e100, 1.0], [1 / 3, 200 / 3],
        [99999.9, 0.5], [1.0, 10.0, 100.0], [0.5, np.nan, -np.inf], [16777216.0, 3.0], [0.123456789, 12.3456789], [2.0 ** -20, 1], [5e-324, 1e-323], [1e22, 1e23]]
for x64 in (False, True):
    jax.config.update("jax_enable_x64", x64)
    floats = [np.float64] if x64 else [np.float32, np.float16, bf16]
    for t in floats:
        with np.errstate(all="ignore"):
            for v in scalars:
                record(np.array(v, t))
            for v in rows:
                record(np.array(v, t))
            for scale in (1, 1e-3, 1e4, 1e7):
                for shape in ((3, 4), (2, 2, 2), (25,), (4, 1)):
                    record(np.array([random.gauss(0, 1) * scale for _ in range(int(np.prod(shape)))]).reshape(shape).astype(t))
    for t in [np.complex128] if x64 else [np.complex64]:
        for v in ([1 + 2j, -3.5j], [0.1 + 1e-5j, 1], [np.nan, np.inf + 1j, 1 - np.inf * 1j], [1e10 + 1j, 1], [0]):
            record(np.array(v, t))
            record(np.array(v[0], t))
        record(np.array(complex(-0.0, 1), t))
        record(np.array([complex(random.gauss(0, 1), random.gauss(0, 1)) for _ in range(9)], t).reshape(3, 3))
    for t in [np.int64, np.uint64] if x64 else [np.int8, np.int16, np.int32, np.uint8, np.uint16, np.uint32, bool]:
        for v in ([0], [1, 0, 1], [100, 1], [[1, 2], [3, 4]], [[[1], [2]], [[3], [4]]]):
            record(np.array(v, t))
        record(np.array(1, t))
        record(np.arange(60).astype(t).reshape(4, 15))
        record(np.arange(60).astype(t))
        if t is not bool:
            record(np.array([np.iinfo(t).min, np.iinfo(t).max], t))
    for shape in ((0,), (0, 3), (2, 0), (1, 1, 1), (1000,), (1001,), (1100, 2), (2, 600), (10, 11, 12), (101, 2, 7)):
        for t in [np.float64] if x64 else [np.float32, np.int32]:
            record(np.arange(np.prod(shape)).astype(t).reshape(shape), "ramp %s %s" % (np.dtype(t).name, "x".join(map(str, shape))))
for v in (1.5, 2, True):
    pass
record(np.array(1.5, np.float64), weak=True)
pathlib.Path(__file__).with_name("array_text.txt").write_text("\n".join(lines) + "\n")
