#!/usr/bin/env python3
"""Runs the tests of a preset with ctest and closes with one line: how many passed and how many failed.

    tools/run_tests.py PRESET [ctest arguments]

A gtest program and pytest count with each of their cases, any other test as one.
"""
import json
import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SANITIZER_OPTIONS = {
    "ASAN_OPTIONS": "detect_stack_use_after_return=1:strict_string_checks=1",
    "UBSAN_OPTIONS": "print_stacktrace=1",
    "TSAN_OPTIONS": "second_deadlock_stack=1",
}


def count(results, junit):
    passed = failed = skipped = 0
    gtest = {}
    for path in results.glob("*.json"):
        gtest[path.stem] = json.loads(path.read_text())
    for case in xml.etree.ElementTree.parse(junit).getroot().iter("testcase"):
        ok = case.get("status") == "run"
        if case.get("name") == "python" and (results / "python.xml").exists():
            suite = next(xml.etree.ElementTree.parse(results / "python.xml").getroot().iter("testsuite"))
            total, bad, out = (sum(int(suite.get(k)) for k in keys) for keys in (["tests"], ["failures", "errors"], ["skipped"]))
            passed, failed, skipped = passed + total - bad - out, failed + max(bad, 0 if ok else 1), skipped + out
            continue
        report = gtest.get(case.get("name"))
        if report is None:
            passed, failed = passed + ok, failed + (not ok)
            continue
        cases = [test for suite in report["testsuites"] for test in suite["testsuite"]]
        run = [test for test in cases if test["status"] == "RUN"]
        bad = sum(1 for test in run if test.get("failures"))
        out = sum(1 for test in run if test["result"] == "SKIPPED")
        passed += len(run) - bad - out
        failed += max(bad, 0 if ok else 1)
        skipped += out + len(cases) - len(run)
    return passed, failed, skipped


def main():
    preset, arguments = sys.argv[1], sys.argv[2:]
    results = ROOT / "build" / preset / "test-results"
    shutil.rmtree(results, ignore_errors=True)
    results.mkdir(parents=True)
    junit = results / "ctest.xml"
    environment = {**SANITIZER_OPTIONS, **os.environ, "GTEST_OUTPUT": f"json:{results}/", "COTAN_PYTEST_REPORT": f"{results}/python.xml"}
    code = subprocess.call(["ctest", "--preset", preset, "--output-junit", str(junit), *arguments], cwd=ROOT, env=environment)
    if not junit.exists():
        sys.exit(code or 1)
    passed, failed, skipped = count(results, junit)
    if code and not failed:
        failed = 1
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""), flush=True)
    sys.exit(code)


if __name__ == "__main__":
    main()
