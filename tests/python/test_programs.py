"""Programs of users: the examples, and a library that was written for JAX, unchanged."""
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


def test_digits():
    pytest.importorskip("sklearn")
    run = subprocess.run([sys.executable, "-m", "cotan", EXAMPLES / "digits.py"], capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    assert float(re.search(r"test accuracy ([\d.]+)$", run.stdout.strip())[1]) >= 0.95, run.stdout


OPTAX = """
import jax, jax.numpy as jnp, optax
from sklearn.datasets import load_digits
digits = load_digits()
x, y = jnp.asarray(digits.data / 16.0, jnp.float32), jnp.asarray(digits.target)
params = {"w": jnp.zeros((64, 10)), "b": jnp.zeros(10)}
opt = optax.adam(1e-2)
state = opt.init(params)
def loss(p):
    return optax.softmax_cross_entropy_with_integer_labels(x @ p["w"] + p["b"], y).mean()
@jax.jit
def step(p, s):
    value, g = jax.value_and_grad(loss)(p)
    updates, s = opt.update(g, s, p)
    return optax.apply_updates(p, updates), s, value
for _ in range(200):
    params, state, value = step(params, state)
print(float((jnp.argmax(x @ params["w"] + params["b"], 1) == y).mean()))
"""


def test_optax():
    pytest.importorskip("optax")
    run = subprocess.run([sys.executable, "-m", "cotan", "-c", OPTAX], capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    assert float(run.stdout) > 0.95
