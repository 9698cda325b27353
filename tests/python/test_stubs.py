"""The types of the module: current, and what mypy makes of programs with them."""
import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import stubs  # noqa: E402


def test_current():
    """Adding a function changes the stubs: `make api`."""
    have = {str(p.relative_to(stubs.STUBS)): p.read_text() for p in stubs.STUBS.rglob("*.pyi")}
    want = stubs.stubs()
    assert set(have) == set(want)
    assert not [path for path in want if want[path] != have[path]]


@pytest.fixture(scope="module")
def mypy(tmp_path_factory):
    pytest.importorskip("mypy")
    folder = tmp_path_factory.mktemp("mypy")
    for name in ("jax", "cotan"):
        (folder / name).symlink_to(stubs.STUBS)

    def check(*arguments):
        return subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", folder / "cache", *arguments], capture_output=True, text=True,
                              env={"MYPYPATH": str(folder), "PATH": ""}, cwd=folder)
    return check


def test_the_stubs_themselves(mypy):
    run = mypy("-p", "cotan")
    assert run.returncode == 0, run.stdout


def test_a_typed_program(mypy):
    run = mypy("--strict", HERE / "typed" / "good.py")
    assert run.returncode == 0, run.stdout
    run = subprocess.run([sys.executable, "-m", "cotan", HERE / "typed" / "good.py"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


def test_examples(mypy):
    run = mypy("--ignore-missing-imports", *(ROOT / "examples").glob("*.py"))
    assert run.returncode == 0, run.stdout


def test_mistakes_are_found(mypy):
    program = HERE / "typed" / "bad.py"
    run = mypy("--strict", program)
    found = dict(re.findall(r"bad\.py:(\d+): error: (.*)", run.stdout))
    for number, line in enumerate(program.read_text().splitlines(), 1):
        _, mark, message = line.partition("# error: ")
        assert message in found.pop(str(number), "") if mark else str(number) not in found, run.stdout
    assert not found
