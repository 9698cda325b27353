"""Writes random_bits.txt: what JAX 0.10.2 gives for keys, splits, folds and bits. Run with an interpreter that has jax."""
import itertools
import pathlib

import jax
import numpy as np

jax.config.update("jax_enable_x64", True)
KEYS = [(0, 0), (0, 42), (0xFFFFFFFF, 0xFFFFFFFF), (0x13198A2E, 0x03707344)]
SHAPES = [(), (1,), (2,), (3,), (4,), (5,), (7,), (8,), (9,), (16,), (33,), (3, 5), (2, 0, 3), (1000,), (100001,)]


def text(shape):
    return "x".join(map(str, shape)) or "-"


def digest(values):
    """The number of values, a sum that depends on their places, and the first four."""
    v = np.asarray(values).reshape(-1).astype(np.uint64)
    weights = np.arange(1, v.size + 1, dtype=np.uint64)
    return " ".join(map(str, [v.size, int((v * weights).sum(dtype=np.uint64)), *map(int, v[:4])]))


def lines():
    for partitionable in (1, 0):
        jax.config.update("jax_threefry_partitionable", bool(partitionable))
        for width, shape, k in itertools.product((8, 16, 32, 64), SHAPES, KEYS):
            key = jax.random.wrap_key_data(np.array(k, np.uint32))
            yield f"bits {partitionable} {width} {text(shape)} {k[0]} {k[1]} : {digest(jax.random.bits(key, shape, np.dtype(f'uint{width}')))}"
        for width, shape in itertools.product((8, 16, 32, 64), SHAPES[:12]):
            keys = jax.random.wrap_key_data(np.array(KEYS, np.uint32))
            bits = jax.vmap(lambda k: jax.random.bits(k, shape, np.dtype(f"uint{width}")))(keys)
            yield f"batch {partitionable} {width} {text(shape)} : {digest(bits)}"
        for shape, k in itertools.product([(), (1,), (2,), (3,), (2, 3), (5,), (0,), (1001,)], KEYS):
            key = jax.random.wrap_key_data(np.array(k, np.uint32))
            yield f"split {partitionable} {text(shape)} {k[0]} {k[1]} : {digest(jax.random.key_data(jax.random.split(key, shape)))}"
    for data, k in itertools.product([0, 1, 7, 1 << 31, 0xFFFFFFFF], KEYS):
        key = jax.random.wrap_key_data(np.array(k, np.uint32))
        yield f"fold {data} {k[0]} {k[1]} : {digest(jax.random.key_data(jax.random.fold_in(key, np.uint32(data))))}"
    seeds = [("int32", v) for v in (0, 1, -1, 2**31 - 1, -(2**31))] + [("int64", v) for v in (5, -1, 2**33 + 5, -(2**40))]
    seeds += [("uint32", 2**32 - 1), ("uint64", 2**64 - 2), ("int8", -3), ("uint8", 255), ("int16", -7), ("uint16", 65535)]
    for dtype, value in seeds:
        yield f"seed {dtype} {value} : {digest(jax.random.key_data(jax.random.key(np.array(value, dtype))))}"


if __name__ == "__main__":
    pathlib.Path(__file__).with_suffix(".txt").write_text("\n".join(lines()) + "\n")
