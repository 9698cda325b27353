"""Writes npy_files.txt: files that NumPy writes, in hexadecimal, and the arrays in them. A line is NAME, BYTES, VALUE, apart by tabs.

VALUE is an array as src/api/table_value.h describes, a dict of such for a .npz file, or `!CLASS`. x64 is off.
"""
import io
import pathlib

import ml_dtypes
import numpy as np
from functions import text
import jax.numpy as jnp


def npy(a, **kw):
    f = io.BytesIO()
    np.save(f, a, **kw)
    return f.getvalue()


def npz(compressed=False, **kw):
    f = io.BytesIO()
    (np.savez_compressed if compressed else np.savez)(f, **kw)
    return f.getvalue()


def header(dictionary, data=b"", version=1):
    size = len(dictionary).to_bytes(2 if version == 1 else 4, "little")
    return b"\x93NUMPY" + bytes([version, 0]) + size + dictionary.encode() + data


lines = []


def record(name, data, value):
    lines.append("\t".join([name, data.hex(), value if isinstance(value, str) else text(value)]))


x = np.arange(6).reshape(2, 3)
for d in ("bool", "int8", "int16", "int32", "uint8", "uint16", "uint32", "float16", "float32", "complex64"):
    record(d, npy(x.astype(d)), jnp.array(x.astype(d)))
for d in ("int64", "uint64", "float64", "complex128"):
    record(d, npy(x.astype(d)), jnp.array(x.astype(d)))
record("bfloat16", npy(x.astype(ml_dtypes.bfloat16)), jnp.array(x, "bfloat16"))
for d in (">i2", ">f4", ">f8", ">c8", ">u4"):
    record("big-endian " + d, npy(x.astype(d)), jnp.array(x.astype(d[1:])))
record("fortran", npy(np.asfortranarray(x.astype("int32"))), jnp.array(x, "int32"))
record("fortran 3", npy(np.asfortranarray(np.arange(24, dtype="int16").reshape(2, 3, 4))), jnp.arange(24, dtype="int16").reshape(2, 3, 4))
record("0-d", npy(np.float32(2.5)), jnp.float32(2.5))
record("empty", npy(np.zeros((0, 3), "float32")), jnp.zeros((0, 3)))
record("vector", npy(np.float32([1, 2])), jnp.array([1.0, 2.0]))
for version in ((2, 0), (3, 0)):
    f = io.BytesIO()
    np.lib.format.write_array(f, np.int8([1, 2]), version=version)
    record(f"version {version[0]}", f.getvalue(), jnp.array([1, 2], "int8"))
record("npz", npz(a=np.float32([1, 2]), b=x.astype("int32")), {"a": jnp.array([1.0, 2.0]), "b": jnp.array(x, "int32")})
record("npz of none", npz(), "{}")

good = npy(x.astype("int32"))
record("no data", b"", "!ValueError")
record("other file", b"PNG and more", "!ValueError")
record("magic alone", good[:6], "!ValueError")
record("cut header", good[:20], "!ValueError")
record("cut elements", good[:-1], "!ValueError")
record("version 9", good[:6] + b"\x09" + good[7:], "!ValueError")
record("longer than its elements", good + b"more", jnp.array(x, "int32"))
record("objects", npy(np.array([None, 1], object)), "!ValueError")
record("strings", npy(np.array(["a"])), "!TypeError")
record("bytes", npy(np.array([b"a"])), "!TypeError")
record("structures", npy(np.zeros(2, [("a", "i4")])), "!TypeError")
record("dates", npy(np.zeros(2, "datetime64[s]")), "!TypeError")
record("long double", npy(np.zeros(2, np.longdouble)), "!TypeError")
for name, text_ in (("no dict", "[1]"), ("no shape", "{'descr': '<i4', 'fortran_order': False}"), ("garbage", "{'descr': "),
                    ("negative size", "{'descr': '<i4', 'fortran_order': False, 'shape': (-1,)}"),
                    ("sizes that overflow", "{'descr': '<i4', 'fortran_order': False, 'shape': (4294967296, 4294967296, 4294967296)}"),
                    ("more than there is", "{'descr': '<i4', 'fortran_order': False, 'shape': (1099511627776,)}"),
                    ("shape of floats", "{'descr': '<i4', 'fortran_order': False, 'shape': (1.5,)}"), ("deep", "(" * 5000),
                    ("shape alone", "{'descr': '<i4', 'fortran_order': False, 'shape': 3}")):
    record("header: " + name, header(text_), "!ValueError")
record("header too long", header("{'descr': '<i4', 'fortran_order': False, 'shape': (0,)}" + " " * 10001, version=2), "!ValueError")
zipped = npz(a=np.float32([1, 2]))
record("cut npz", zipped[:-30], "!ValueError")
record("damaged npz", zipped[:170] + b"\xff" + zipped[171:], "!ValueError")
record("compressed npz", npz(True, a=np.zeros(100)), "!NotImplementedError")
pathlib.Path(__file__).with_name("npy_files.txt").write_text("\n".join(lines) + "\n")
