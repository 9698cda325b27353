#!/usr/bin/env python3
"""Checks what a compiler does not: layers, include rules, file sizes, line lengths, white space, format.

    tools/lint.py [--no-format] [FILE...]     check (all files without FILE)
    tools/lint.py --format [FILE...]          rewrite with clang-format

The layers are read from cmake/CotanLibrary.cmake, the one place that says which folder may include which.
"""
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CODE = {".h", ".cc"}
TEXT = CODE | {".py", ".sh", ".cmake", ".txt", ".md", ".json"}
FOLDERS = ["include", "src", "python", "tests", "examples", "bench", "tools", "cmake", "docs"]
MAX_LINE, MAX_HEADER, LONG_SOURCE, MAX_SOURCE, LONG_FUNCTION = 140, 200, 400, 600, 60

# Headers that cost much to compile, and the only files that may see them.
HEAVY = [
    (re.compile(r"^hwy/"), re.compile(r"^(src|tests|bench)/.*(_tiles\.cc|_simd\.cc|-inl\.h|simd_targets\.h)$")),
    (re.compile(r"^(cblas|blis|lapacke?)\.h$"), re.compile(r"^(src|tests/unit)/runtime/")),
    (re.compile(r"^llvm"), re.compile(r"^(src|tests/unit)/compiler/")),
    (re.compile(r"^(nanobind/|Python\.h)"), re.compile(r"^python/")),
    (re.compile(r"^(mpfr|gmp)\.h$"), re.compile(r"^(tests|bench)/")),
]
# <iostream> has a static constructor in every file, <regex> takes seconds; public headers are included by everyone.
NOT_PUBLIC = {"iostream", "regex", "functional", "unordered_map", "map", "thread", "mutex", "sstream", "fstream"}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
# A definition that opens at the left margin: `type name(...) ... {`.
FUNCTION = re.compile(r"^[A-Za-z_~][^;=#]*\([^;]*\{\s*$")
NO_FUNCTION = re.compile(r"^(namespace|struct|class|enum|union|extern|template|#|TEST|static const|constexpr|const )")


class Report:
    def __init__(self):
        self.errors, self.warnings = [], []

    def error(self, path, line, text):
        self.errors.append(f"{path}:{line}: {text}")

    def warn(self, path, line, text):
        self.warnings.append(f"{path}:{line}: warning: {text}")


def read_layers():
    """For each folder of src/ the set of folders that it may include, itself too."""
    text = (ROOT / "cmake" / "CotanLibrary.cmake").read_text()
    folders = re.search(r"set\(COTAN_FOLDERS ([^)]*)\)", text)[1].split()
    uses = {name: set() for name in folders}
    for name, used in re.findall(r"set\(COTAN_USES_(\w+) ([^)]*)\)", text):
        uses[name] = set(used.split())
    closure = {}
    for name in folders:  # in order: what a folder uses stands before it
        closure[name] = {name}.union(*(closure[used] for used in uses[name]))
    return closure


def check_includes(path, lines, layers, report):
    relative = path.relative_to(ROOT).as_posix()
    top, folder = relative.split("/")[0], relative.split("/")[1]
    public = top == "include"
    if top == "src" and folder not in layers:
        report.error(relative, 1, f"src/{folder}/ is not a folder of cmake/CotanLibrary.cmake")
        return
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        quoted, name = match[1] == '"', match[2]
        heavy = [allowed for pattern, allowed in HEAVY if pattern.match(name)]
        if heavy:
            if not heavy[0].match(relative):
                report.error(relative, number, f"<{name}> is a heavy header: only {heavy[0].pattern} may include it")
            continue
        if public and name in NOT_PUBLIC:
            report.error(relative, number, f"<{name}> costs every user's file too much: keep it out of public headers")
        if name.startswith("cotan/"):
            if not (ROOT / "include" / name).exists():
                report.error(relative, number, f'include/{name} does not exist')
            continue
        if not quoted:
            continue
        if public:
            report.error(relative, number, f'"{name}": a public header includes public and standard headers only')
        elif top == "src":
            check_layer(relative, number, name, layers[folder], folder, report)
        elif top == "examples" and not (path.parent / name).exists():
            report.error(relative, number, f'"{name}": an example includes <cotan/...> and its own headers only')


def check_layer(relative, number, name, allowed, folder, report):
    owner = name.split("/")[0]
    if "/" not in name or not (ROOT / "src" / owner).is_dir():
        report.error(relative, number, f'"{name}": includes are written from src/ ("folder/file.h")')
    elif owner not in allowed:
        report.error(relative, number, f'"{name}": {folder}/ may not include {owner}/ (layers: cmake/CotanLibrary.cmake)')
    elif not (ROOT / "src" / name).exists():
        report.error(relative, number, f"src/{name} does not exist")


def check_text(path, lines, report):
    relative = path.relative_to(ROOT).as_posix()
    for number, line in enumerate(lines, 1):
        if path.suffix in CODE and len(line) > MAX_LINE:
            report.error(relative, number, f"{len(line)} columns, at most {MAX_LINE}")
        if "\t" in line:
            report.error(relative, number, "a tab")
        if line != line.rstrip():
            report.error(relative, number, "white space at the end of the line")
        if path.suffix in CODE and re.search(r"\b(TODO|FIXME|XXX)\b(?!: \S+ \S+)", line):
            report.error(relative, number, "a TODO says what is to be done: `TODO: words`")


def check_size(path, lines, report):
    relative, count = path.relative_to(ROOT).as_posix(), len(lines)
    # Rules and -inl.h are sources that are included once for each instruction set, hence without a guard.
    header = path.suffix == ".h" and not path.stem.endswith(("-inl", "_rules", "_structs", "_list"))
    if header and count > MAX_HEADER:
        report.error(relative, 1, f"{count} lines, a header has at most {MAX_HEADER}")
    if header and "#pragma once" not in lines:
        report.error(relative, 1, "#pragma once is missing")
    if not header and path.suffix in CODE and count > LONG_SOURCE:
        say = report.error if count > MAX_SOURCE else report.warn
        say(relative, 1, f"{count} lines, a source has mostly at most {LONG_SOURCE}, and never above {MAX_SOURCE}")
    start = None
    for number, line in enumerate(lines, 1):
        if FUNCTION.match(line) and not NO_FUNCTION.match(line):
            start = number
        elif line.startswith("}") and start:
            if number - start + 1 > LONG_FUNCTION:
                report.warn(relative, start, f"a function of {number - start + 1} lines, at most {LONG_FUNCTION} are wanted")
            start = None


def clang_format(files, *arguments):
    return subprocess.run(["clang-format", "--style=file", *arguments, *map(str, files)], cwd=ROOT, text=True,
                          capture_output=True)


def check_format(files, report):
    """One line for each file, the first place that differs: `make format` repairs all."""
    seen = set()
    for line in clang_format(files, "--dry-run", "-Werror").stderr.splitlines():
        match = re.match(r"(.*?):(\d+):\d+: error: ", line)
        if match and match[1] not in seen:
            seen.add(match[1])
            report.error(Path(match[1]).resolve().relative_to(ROOT), match[2], "not as clang-format writes it: make format")


def find_files(names):
    if names:
        return [Path(name).resolve() for name in names]
    found = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*")) if path.suffix in TEXT]
    return [path for path in found if path.is_file() and "data" not in path.relative_to(ROOT).parts
            and "golden" not in path.relative_to(ROOT).parts]


def main():
    options = [argument for argument in sys.argv[1:] if argument.startswith("--")]
    # The acceptance programs, the cases and the snippets with mistakes stand as they were given.
    given = ("tests/acceptance/", "tests/cases/", "tests/compile_fail/")
    files = [path for path in find_files([argument for argument in sys.argv[1:] if not argument.startswith("--")])
             if not path.relative_to(ROOT).as_posix().startswith(given)]
    own = [path for path in files if path.suffix in CODE]
    if "--format" in options:
        sys.exit(clang_format(own, "-i").returncode if own else 0)
    report, layers = Report(), read_layers()
    for path in files:
        lines = path.read_text().split("\n")
        if lines and not lines[-1]:
            lines.pop()
        else:
            report.error(path.relative_to(ROOT), len(lines), "no newline at the end of the file")
        check_text(path, lines, report)
        if path in own:
            check_includes(path, lines, layers, report)
            check_size(path, lines, report)
    if own and "--no-format" not in options:
        check_format(own, report)
    for line in report.warnings + report.errors:
        print(line)
    print(f"lint: {len(files)} files, {len(report.errors)} errors, {len(report.warnings)} warnings")
    sys.exit(1 if report.errors else 0)


if __name__ == "__main__":
    main()
