"""Imports: every name of JAX's resolves, `jax` can mean the package, and nothing heavy is loaded too early."""
import importlib
import subprocess
import sys

import pytest

import cotan
from cotan._names import NAMES
from cotan._table import Placeholder


def python(*arguments, stdin=None):
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, timeout=120, input=stdin)


@pytest.mark.parametrize("module", sorted(NAMES))
def test_every_name_resolves(module):
    found = importlib.import_module("cotan." + module if module else "cotan")
    for name in NAMES[module]:
        assert getattr(found, name) is not None or name in ("newaxis",)


def test_a_placeholder_says_what_it_is():
    with pytest.raises(NotImplementedError, match="cotan.lax.conv_general_dilated is not there yet"):
        cotan.lax.conv_general_dilated(1, 2)
    with pytest.raises(NotImplementedError, match="cotan.shard_map"):
        cotan.shard_map(lambda x: x)
    assert isinstance(cotan.lax.conv_general_dilated, Placeholder)
    with pytest.raises(AttributeError):
        cotan.lax.no_such_name
    with pytest.raises(ImportError):
        importlib.import_module("cotan.no_such_module")


def test_import_loads_neither_numpy_nor_threads():
    run = python("-c", "import cotan, cotan.numpy, sys, threading; print('numpy' in sys.modules, 'jax' in sys.modules, threading.active_count())")
    assert run.stdout.split() == ["False", "False", "1"], run.stdout + run.stderr


PROGRAM = """
import jax, jax.numpy as jnp, sys
from jax import grad, lax, random
from jax.numpy import sin
import jax.scipy.special, jax.scipy.stats.norm
from jax.scipy.special import erf
from jax.tree_util import tree_map
from jax.experimental import enable_x64
import jax.experimental.sparse as sparse
from jax.nn.initializers import ones
from jax import custom_jvp, pmap, shard_map
print(jax is sys.modules['jax'], jax.numpy is sys.modules['jax.numpy'], float(grad(sin)(0.)), jax.__name__, sys.argv[1:])
"""


def test_forms_of_running_a_program(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    want = "True True 1.0 cotan ['a', 'b']"
    for arguments, stdin in (([str(path), "a", "b"], None), (["-c", PROGRAM, "a", "b"], None), (["-", "a", "b"], PROGRAM)):
        run = python("-m", "cotan", *arguments, stdin=stdin)
        assert run.stdout.strip() == want, run.stdout + run.stderr
    run = subprocess.run([sys.executable, "-m", "cotan", "-m", "program", "a", "b"], capture_output=True, text=True, cwd=tmp_path)
    assert run.stdout.strip() == want, run.stdout + run.stderr
    assert python("-m", "cotan").returncode == 2
    assert python("-m", "cotan", "-c", "raise SystemExit(5)").returncode == 5


def test_install_as_jax():
    run = python("-c", "import cotan; cotan.install_as_jax(); cotan.install_as_jax(); import jax, jax.numpy; print(jax is cotan)")
    assert run.stdout.strip() == "True", run.stderr
    run = python("-c", "import jax, cotan; cotan.install_as_jax()")
    assert "already imported" in run.stderr.splitlines()[-1]
    run = python("-c", "import jax, cotan, jax.numpy, cotan.numpy; print(jax is cotan, float(jax.numpy.sin(1.)) == float(cotan.numpy.sin(1.)))")
    assert run.stdout.strip() == "False True", run.stderr
