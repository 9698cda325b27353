"""The acceptance programs, as they stand."""
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent.parent / "acceptance"
WAITS = {"parallel.py": "assert jax.device_count() == 8"}


@pytest.mark.parametrize("program", ["tour.py", "codelab.py", "parallel.py"])
def test_program(program):
    run = subprocess.run([sys.executable, "-m", "cotan", FOLDER / program], capture_output=True, text=True, timeout=300)
    if program in WAITS:  # fails here as soon as it passes, or fails for another reason
        assert run.returncode != 0 and WAITS[program] in run.stderr, run.stdout + run.stderr
        pytest.xfail(WAITS[program])
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.splitlines()[-1] == f"{program.removesuffix('.py')} ok"
