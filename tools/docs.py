#!/usr/bin/env python3
"""Checks the documentation, then assembles it as build/docs/cotan.md, and the functions' reference as build/docs/functions.md.

Every relative link leads to a file (and to a heading, if it says so); the map names every folder of src/; a code block
after a line `<!-- PATH -->` is that file, word for word.
"""
import re
import sys
from pathlib import Path

from function_table import functions

ROOT = Path(__file__).resolve().parent.parent
ORDER = ["README.md", "docs/python.md", "docs/architecture.md", "docs/jaxpr.md", "docs/adding_a_primitive.md", "docs/differences.md",
         "docs/glossary.md", "CONTRIBUTING.md", "CHANGELOG.md"]


def anchors(text):
    """GitHub's names of the headings."""
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-")
            for title in re.findall(r"^#+ +(.*)$", text, flags=re.M)}


def check_links(path, text):
    prose = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", prose):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = (path.parent / name).resolve() if name else path
        if not file.exists():
            yield f"{target} does not exist"
        elif anchor and anchor not in anchors(file.read_text()):
            yield f"{target}: no such heading"


def check_quotes(text):
    for name, block in re.findall(r"^<!-- (\S+) -->\n```\w*\n(.*?)^```", text, flags=re.M | re.S):
        if not (ROOT / name).exists() or (ROOT / name).read_text() != block:
            yield f"the block is not {name}, word for word"


def check_map():
    folders = re.search(r"set\(COTAN_FOLDERS ([^)]*)\)", (ROOT / "cmake" / "CotanLibrary.cmake").read_text())[1].split()
    text = (ROOT / "docs" / "architecture.md").read_text()
    for folder in folders:
        if f"| `src/{folder}/` |" not in text:
            yield f"src/{folder}/ is not in the table"


def reference():
    """The public functions, from the lines of the table of functions."""
    lines, module = ["# Functions", ""], None
    seen = set()
    for where, signature, doc in functions():
        name = f"{where}.{signature.partition('(')[0]}"
        if name in seen:
            yield f"the table of functions has two lines for {name}"
        seen.add(name)
        if where != module:
            module = where
            lines += ["", f"## {module}", ""]
        lines.append(f"- `{signature}`: {doc}")
    (ROOT / "build" / "docs").mkdir(parents=True, exist_ok=True)
    (ROOT / "build" / "docs" / "functions.md").write_text("\n".join(lines) + "\n")


def main():
    pages = [ROOT / name for name in ORDER]
    rest = [path for path in sorted((ROOT / "docs").rglob("*.md")) if path not in pages]
    problems = []
    for path in pages + rest + [ROOT / "examples" / "data" / "README.md"]:
        if not path.exists():
            problems.append(f"{path.relative_to(ROOT)}: missing")
            continue
        text = path.read_text()
        problems += [f"{path.relative_to(ROOT)}: {what}" for what in [*check_links(path, text), *check_quotes(text)]]
    problems += [f"docs/architecture.md: {what}" for what in check_map()]
    problems += reference()
    if problems:
        sys.exit("\n".join(problems))
    whole = ROOT / "build" / "docs" / "cotan.md"
    whole.parent.mkdir(parents=True, exist_ok=True)
    whole.write_text("\n\n".join(path.read_text() for path in pages + rest))
    print(f"docs: {len(pages + rest)} pages in order, assembled as {whole.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
