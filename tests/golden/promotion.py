"""Writes promotion.txt: the result of promoting every pair of types, and triples of representative ones, by JAX 0.10.2.

A line is X64 TYPE... RESULT, where a type is NAME or NAME* (weak); X64 is 1 with 64-bit types enabled, else 0.
Lines that begin with `inexact` give the inexact type that numpy functions compute in.
"""
import itertools
import pathlib

import jax
import jax.numpy as jnp
import numpy as np
from jax._src import dtypes
from jax._src.lax import lax as lax_internal

names = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
         "bfloat16", "float16", "float32", "float64", "complex64", "complex128"]
wide = {"int64", "uint64", "float64", "complex128"}
representatives = ["bool", "int32", "int32*", "int64", "uint8", "uint64", "float32*", "bfloat16", "float16", "float64",
                   "complex64", "complex64*"]


def value(spelled):
    dtype = np.dtype(jnp.dtype(spelled.rstrip("*")))
    return lax_internal._convert_element_type(np.zeros((), dtype), dtype, weak_type=spelled.endswith("*"))


def result(types):
    dtype, weak = dtypes.lattice_result_type(*[value(t) for t in types])
    return jnp.dtype(dtype).name + ("*" if weak else "")


lines = []
for x64 in (0, 1):
    jax.config.update("jax_enable_x64", bool(x64))
    ok = lambda t: x64 or t.rstrip("*") not in wide
    types = [t for n in names for t in (n, n + "*") if ok(t)]
    for pair in itertools.product(types, repeat=2):
        lines.append(" ".join([str(x64), *pair, result(pair)]))
    for triple in itertools.combinations(filter(ok, representatives), 3):
        lines.append(" ".join([str(x64), *triple, result(triple)]))
for n in names:
    lines.append(f"inexact {n} {jnp.dtype(dtypes.to_inexact_dtype(np.dtype(jnp.dtype(n)))).name}")
pathlib.Path(__file__).with_name("promotion.txt").write_text("\n".join(lines) + "\n")
