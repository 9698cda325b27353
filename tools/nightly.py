#!/usr/bin/env python3
"""Sanitizers and exhaustive checks, one item after another; goes on where it was stopped.

    tools/nightly.py [--list] [ITEM...]

A finished item leaves build/nightly/ITEM.done with a hash of what it checks (the sources, or the program for an item of
tests/nightly/, where only what is linked counts), and is not run again until that changes.
A program of tests/nightly/ that answers `--list` with names is one item for each of them, run as `PROGRAM NAME`;
any other is one item.
"""
import hashlib
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STAMPS = ROOT / "build" / "nightly"
SOURCES = ["include", "src", "python", "pyproject.toml", "tests", "examples", "cmake", "CMakeLists.txt", "CMakePresets.json"]


def source_hash():
    digest = hashlib.sha256()
    for name in SOURCES:
        top = ROOT / name
        for path in sorted(top.rglob("*")) if top.is_dir() else [top]:
            if path.is_file() and path.suffix != ".pyc":
                digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def build(preset, target="all"):
    return [["cmake", "--preset", preset], ["cmake", "--build", "--preset", preset, "--target", target]]


def program_hash(program):
    return hashlib.sha256(Path(program).read_bytes()).hexdigest()


def items():
    """Triples of a name, the hash of what it checks, and the commands that make it up; the cheapest first."""
    sources = source_hash()
    test = [sys.executable, "tools/run_tests.py"]
    yield "release", sources, build("release") + [test + ["release"]]
    yield "aarch64", sources, build("aarch64") + [test + ["aarch64"]]
    yield "asan", sources, build("asan") + [test + ["asan"]]
    yield "asan-python", sources, [[sys.executable, "tools/sanitize_python.py"]]
    yield "tsan", sources, build("tsan") + [test + ["tsan"]]
    yield "wheel", sources, [[sys.executable, "tools/check_wheel.py"]]
    if not list((ROOT / "tests" / "nightly").glob("*.cc")):
        return
    for command in build("release", "nightly"):
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    for source in sorted((ROOT / "tests" / "nightly").glob("*.cc")):
        program = str(ROOT / "build" / "release" / "tests" / f"nightly_{source.stem}")
        listed = subprocess.run([program, "--list"], capture_output=True, text=True) if has_list(source) else None
        names = listed.stdout.split() if listed and listed.returncode == 0 else []
        for name in names:
            yield f"{source.stem}.{name}", program_hash(program), [[program, name]]
        if not names:
            yield source.stem, program_hash(program), [[program]]


def has_list(source):
    return '"--list"' in source.read_text()


def main():
    wanted = [argument for argument in sys.argv[1:] if argument != "--list"]
    STAMPS.mkdir(parents=True, exist_ok=True)
    failed, done = [], 0
    for name, now, commands in items():
        if wanted and name not in wanted and name.split(".")[0] not in wanted:
            continue
        stamp = STAMPS / f"{name}.done"
        if "--list" in sys.argv:
            print(name)
            continue
        if stamp.exists() and stamp.read_text() == now:
            print(f"nightly: {name}: done before", flush=True)
            done += 1
            continue
        print(f"nightly: {name}", flush=True)
        start = time.monotonic()
        good = all(subprocess.call(command, cwd=ROOT) == 0 for command in commands)
        print(f"nightly: {name}: {'passed' if good else 'FAILED'} in {time.monotonic() - start:.0f} s", flush=True)
        if good:
            stamp.write_text(now)
            done += 1
        else:
            failed.append(name)
    if "--list" not in sys.argv:
        if failed:
            print("nightly: failed: " + " ".join(failed))
        print(f"{done} passed, {len(failed)} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
