#!/usr/bin/env python3
"""Compiles snippets with mistakes and checks that each gives one error, with the sentence it should have.

    run.py --compiler g++ --include DIR [--file cases.txt] [--show] [NAME...]
    run.py --compiler g++ --include DIR --headers       every public header compiles on its own

The file: what stands before the first `### name` is put before every snippet. A snippet's lines `//! text` each name
a text that the error must contain; the whole output has at most 20 lines. A snippet whose only such line is `//! ok`
must compile without a warning.
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
MAX_LINES = 20


def compile_text(options, text):
    # No colour and no path of this machine in the output; file and line of the snippet are the user's.
    command = [options.compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-fdiagnostics-color=never",
               "-I", options.include, "-x", "c++", "-"]
    environment = {**os.environ, "LC_ALL": "C"}
    done = subprocess.run(command, input=text, text=True, capture_output=True, env=environment)
    return done.returncode, done.stderr


def read_cases(path):
    prelude, *parts = re.split(r"^### *", path.read_text(), flags=re.M)
    cases, names = [], set()
    for part in parts:
        name, _, body = part.partition("\n")
        name = name.strip()
        if name in names:
            sys.exit(f"{path}: two snippets are named {name}")
        names.add(name)
        expected = [line[3:].strip() for line in body.splitlines() if line.startswith("//!")]
        if not expected:
            sys.exit(f"{path}: {name} has no line `//! expected text`")
        code = "\n".join(line for line in body.splitlines() if not line.startswith("//!"))
        cases.append((name, expected, f'{prelude}\n#line 1 "{name}.cc"\n{code}\n'))
    return cases


def judge(expected, code, output):
    """None, or what is wrong."""
    if expected == ["ok"]:
        return None if code == 0 and not output else "should compile without a word"
    errors = re.findall(r"error: (.*)", output)
    if code == 0 or not errors:
        return "should not compile"
    if len(errors) != 1:
        return f"{len(errors)} errors, one is wanted"
    for text in expected:
        if text not in errors[0]:
            return f"the error does not say: {text}"
    lines = len(output.splitlines())
    return f"{lines} lines, at most {MAX_LINES}" if lines > MAX_LINES else None


def check_case(options, case):
    name, expected, text = case
    code, output = compile_text(options, text)
    return name, judge(expected, code, output), output


def header_cases(include):
    for header in sorted((Path(include) / "cotan").rglob("*.h")):
        name = header.relative_to(include).as_posix()
        yield name, ["ok"], f"#include <{name}>\n#include <{name}>\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--include", default=str(HERE.parent.parent / "include"))
    parser.add_argument("--file", type=Path, default=HERE / "cases.txt")
    parser.add_argument("--headers", action="store_true")
    parser.add_argument("--show", action="store_true", help="print what the compiler says, for every snippet")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    cases = list(header_cases(options.include)) if options.headers else read_cases(options.file)
    cases = [case for case in cases if not options.names or case[0] in options.names]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, wrong, output in pool.map(lambda case: check_case(options, case), cases):
            if wrong:
                failed += 1
                print(f"FAILED {name}: {wrong}")
            if wrong or options.show:
                print(f"----- {name}\n{output}", end="")
    print(f"{len(cases) - failed} of {len(cases)} as expected")
    sys.exit(1 if failed or not cases else 0)


if __name__ == "__main__":
    main()
