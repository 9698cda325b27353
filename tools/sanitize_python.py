#!/usr/bin/env python3
"""Builds the Python module with the address and undefined-behaviour sanitizers and runs the Python tests with it, but for those that
measure time, or whose programs are started without the sanitizers' libraries.

    tools/sanitize_python.py [PYTEST ARGUMENTS]
"""
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHON = ROOT / ".venv" / "bin" / "python"
# JAX answers in one process with the module, so its own compiler runs under the sanitizers too: a few areas of parity are enough.
TESTS = ["test_arrays.py", "test_trees.py", "test_jit.py", "test_transforms.py", "test_jaxprs.py", "test_api.py", "test_process.py",
         "test_custom.py"]
NOT = "not interrupt and not threads and not coverage and not ends"


def library(name):
    return subprocess.run(["gcc", f"-print-file-name={name}"], check=True, capture_output=True, text=True).stdout.strip()


def main():
    subprocess.run([ROOT / "tools" / "python_env.sh"], check=True)
    subprocess.run(["cmake", "--preset", "asan", "-DCOTAN_PYTHON=ON", f"-DPython_EXECUTABLE={PYTHON}"], cwd=ROOT, check=True,
                   stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", "--preset", "asan", "--target", "_cotan"], cwd=ROOT, check=True)
    environment = {
        **os.environ, "LD_PRELOAD": f"{library('libasan.so')} {library('libubsan.so')} {library('libstdc++.so')}",
        "PYTHONPATH": str(ROOT / "build" / "asan" / "python"), "PYTHONMALLOC": "malloc", "JAX_PLATFORMS": "cpu", "COTAN_BUSY": "1",
        # Python and JAX keep what they have till the end: leaks are for the C++ tests to find.
        "ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=1", "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1"}
    tests = sys.argv[1:] or [*(str(ROOT / "tests" / "python" / t) for t in TESTS), "-k", NOT]
    return subprocess.call([PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-s", *tests], cwd=ROOT, env=environment)


if __name__ == "__main__":
    sys.exit(main())
