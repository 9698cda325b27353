#!/usr/bin/env python3
"""Builds the wheel, installs it into a fresh virtual environment, and runs programs there: the package must need nothing of this folder.

    tools/check_wheel.py [WHEEL]     with a wheel: tries that one
"""
import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MOST_BYTES = 60 * 2**20
PROGRAM = """
import jax, jax.numpy as jnp, jax.scipy.special
from jax import grad, jit, vmap
assert jax.__name__ == "cotan" and "site-packages" in jax.__file__, jax.__file__
f = jit(vmap(grad(lambda x: jnp.sum(jax.scipy.special.erf(x) @ jnp.ones(3)))))
print(f(jnp.zeros((2, 3))).shape, float(jax.random.normal(jax.random.key(0)).sum()), jnp.arange(3, dtype="bfloat16").sum())
"""


def run(*command, **options):
    return subprocess.run(command, check=True, **options)


def build(folder):
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder, ROOT)
    return next(Path(folder).glob("cotan-*.whl"))


def main():
    with tempfile.TemporaryDirectory() as folder:
        wheel = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else build(folder)
        size = wheel.stat().st_size
        assert size <= MOST_BYTES, f"the wheel has {size} bytes, at most {MOST_BYTES} are wanted"
        names = zipfile.ZipFile(wheel).namelist()
        for wanted in ("cotan/py.typed", "cotan/__main__.py", "cotan-stubs/numpy/__init__.pyi"):
            assert wanted in names, f"{wanted} is not in the wheel"
        venv.create(Path(folder) / "venv", with_pip=True)
        python = Path(folder) / "venv" / "bin" / "python"
        run(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", wheel)
        run(python, "-m", "cotan", "-c", PROGRAM, cwd=folder)
        run(python, "-m", "cotan", ROOT / "tests" / "acceptance" / "tour.py", cwd=folder)
    print(f"wheel: {len(names)} files, {size / 2**20:.1f} MiB")


if __name__ == "__main__":
    main()
