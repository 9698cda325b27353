"""Writes random_values.txt: numbers of jax.random 0.10.2. A line is X64|KEY|RESULT, as in typed_text.py."""
import pathlib
import warnings

import jax
import jax.numpy as jnp
import numpy as np
from typed_text import text_of

warnings.simplefilter("ignore")
lines = []


def record(key, f):
    try:
        out = text_of(f())
    except Exception as e:  # noqa: BLE001
        out = "error " + type(e).__name__
    lines.append("|".join([str(int(jax.config.jax_enable_x64)), key, out]))


seeds = [0, 1, 42, -7, 2**31 - 1, -(2**31), 123456789]
shapes = {"-": (), "3": (3,), "2x5": (2, 5), "0": (0,), "33": (33,), "1x1": (1, 1)}
for x64 in (False, True):
    jax.config.update("jax_enable_x64", x64)
    for seed in seeds + ([2**40 + 7, -(2**40)] if x64 else []):
        k = jax.random.key(seed)
        record(f"key {seed}", lambda: jax.random.key_data(k))
        record(f"split {seed} 2", lambda: jax.random.key_data(jax.random.split(k)))
        record(f"split {seed} 2x3", lambda: jax.random.key_data(jax.random.split(k, (2, 3))))
        for n in (0, 1, 77, 2**31 - 1):
            record(f"fold_in {seed} {n}", lambda: jax.random.key_data(jax.random.fold_in(k, n)))
        for name, shape in shapes.items():
            if seed not in (0, 42) and name != "3":
                continue
            for d in ("uint8", "uint16", "uint32") + (("uint64",) if x64 else ()):
                record(f"bits {seed} {name} {d}", lambda: jax.random.bits(k, shape, d))
            for d in ("float32", "bfloat16", "float16") + (("float64",) if x64 else ()):
                record(f"uniform {seed} {name} {d}", lambda: jax.random.uniform(k, shape, d))
                record(f"uniform_range {seed} {name} {d}", lambda: jax.random.uniform(k, shape, d, minval=-2, maxval=3.5))
                record(f"normal {seed} {name} {d}", lambda: jax.random.normal(k, shape, d))
            record(f"normal {seed} {name} complex64", lambda: jax.random.normal(k, shape, jnp.complex64))
            record(f"bernoulli {seed} {name} 0.5", lambda: jax.random.bernoulli(k, 0.5, shape))
            record(f"bernoulli {seed} {name} 0.1", lambda: jax.random.bernoulli(k, 0.1, shape))
            for d in ("int8", "int16", "int32", "uint8", "uint16", "uint32") + (("int64", "uint64") if x64 else ()):
                for low, high in ((0, 10), (-5, 6), (3, 3), (7, 2), (0, 256), (-(2**31), 2**31 - 1), (0, 65536)):
                    if name in ("3", "-"):
                        record(f"randint {seed} {name} {d} {low} {high}", lambda: jax.random.randint(k, shape, low, high, d))
pathlib.Path(__file__).with_name("random_values.txt").write_text("\n".join(lines) + "\n")
