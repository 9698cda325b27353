"""Writes nn_values.txt: values and gradients of jax.nn 0.10.2. A line is X64|KEY|INPUT|RESULT, as in typed_text.py; the keys
`grad NAME` are the gradient of the sum of the result, weighted by 1, 2, 3, ..."""
import pathlib
import warnings

import jax
import jax.numpy as jnp
import numpy as np
from typed_text import text_of

warnings.simplefilter("ignore")
nn = jax.nn
inf, nan = np.inf, np.nan
functions = {"relu": nn.relu, "sigmoid": nn.sigmoid, "softplus": nn.softplus, "silu": nn.silu, "logsumexp": lambda x: nn.logsumexp(x, axis=-1), "softmax": nn.softmax,
             "log_softmax": nn.log_softmax, "softmax 0": lambda x: nn.softmax(x, axis=0), "one_hot": lambda x: nn.one_hot(x, 4)}
inputs = [[-2.0, -0.5, -0.0, 0.0, 0.5, 3.0, 30.0, -30.0, 100.0, -100.0], [inf, 1.0], [-inf, 1.0], [-inf, -inf], [inf, -inf], [nan, 1.0], [0.0], [[1.0, 2.0, 3.0], [-1.0, 0.0, 1000.0]],
          [88.0, 89.0, 90.0], [-500.0, -500.5]]
lines = []


def record(x64, key, f, x):
    try:
        out = text_of(f(x))
    except Exception as e:  # noqa: BLE001
        out = "error " + type(e).__name__
    lines.append("|".join([str(int(x64)), key, text_of(x), out]))


for x64, dtypes in ((False, ["float32", "bfloat16", "float16", "int32"]), (True, ["float64"])):
    jax.config.update("jax_enable_x64", x64)
    for d in dtypes:
        for v in inputs if d != "int32" else [[0, 1, 3, -1, 4]]:
            x = jnp.array(v, d)
            for name, f in functions.items():
                if x64 and name == "one_hot":
                    continue
                record(x64, name, f, x)
                if d in ("float32", "float64") and name != "one_hot":
                    def weighted(x):
                        y = f(x).reshape(-1)
                        return jnp.sum(y * jnp.arange(1.0, y.size + 1, dtype=y.dtype))
                    record(x64, "grad " + name, jax.grad(weighted), x)
pathlib.Path(__file__).with_name("nn_values.txt").write_text("\n".join(lines) + "\n")
