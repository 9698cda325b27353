"""Programs of users: the examples, and a library that was written for JAX, unchanged."""
import re
import subprocess
import sys
from pathlib import Path

import pytest

import cotan

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


def printed(name):
    run = subprocess.run([sys.executable, "-m", "cotan", EXAMPLES / f"{name}.py"], capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    return run.stdout


def check_twin(name, text):
    """The C++ example prints the same; skips where it is not built."""
    program = Path(cotan.__file__).resolve().parent.parent.parent / "build" / "dev" / "examples" / name
    if not program.exists():
        pytest.skip("the C++ example is not built")
    assert subprocess.run([program], capture_output=True, text=True, timeout=60).stdout == text


def test_quickstart_in_both_languages():
    """What the README shows."""
    text = printed("quickstart")
    lines = text.splitlines()
    assert lines[0] == "2.0000017 x + 0.9999969" and lines[-1] == "  in (o, m) }", text
    check_twin("quickstart", text)


@pytest.mark.parametrize("name", ["kalman", "lorenz", "mcmc", "newton", "rnn"])
def test_control_flow_in_both_languages(name):
    text = printed(name)
    assert text.endswith(f"\n{name} ok\n"), text
    check_twin(name, text)


def test_notebook():
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    book = nbformat.read(EXAMPLES / "first_steps.ipynb", 4)

    def shown():
        return [[o.get("text") or o["data"]["text/plain"] for o in cell.outputs] for cell in book.cells if cell.cell_type == "code"]

    want = shown()
    nbclient.NotebookClient(book, timeout=120, kernel_name="python3").execute()
    assert shown() == want and any(map(len, want))
