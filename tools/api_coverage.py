#!/usr/bin/env python3
"""Compares the names of the Python module with those of an installed jax, module by module, and the signatures of what is there.
Run it with .venv/bin/python, which has both.

    tools/api_coverage.py                       writes docs/api_coverage.md
    tools/api_coverage.py MODULE...             prints what is missing and what differs, of some modules
    tools/api_coverage.py --signatures NAME...  JAX's signatures without annotations, as the table wants them; numpy.* for all
"""
import enum
import fnmatch
import importlib
import inspect
import os
import sys
import warnings
from pathlib import Path

os.environ.setdefault("JAX_PLATFORMS", "cpu")
ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "api_coverage.md"
# Signatures that differ by choice.
CHOSEN = {
    "core.ShapedArray": "shardings come with several devices",
    "core.Tracer": "not made by users",
    "experimental.checkify.Error": "made by checkify, not by users",
    "extend.core.ClosedJaxpr": "a class of C++; its parameters are JAX's",
    "extend.core.Effect": "a number",
    "lax.scan": "`checkpoint=`: beyond JAX",
    "lax.while_loop": "`max_steps=`, `checkpoint=`: beyond JAX",
    "numpy.printoptions": "NumPy's own parameters instead of *args",
    "numpy.set_printoptions": "NumPy's own parameters instead of *args",
    "stages.Compiled": "made by jit, not by users",
    "stages.Lowered": "made by jit, not by users",
    "stages.Traced": "made by jit, not by users",
}
HEAD = """# Coverage of JAX's API

Written by `tools/api_coverage.py`, which compares with an installed jax {version}; a test checks that it is current. Names are those
of `__all__`, or what a module defines. A name that is missing can be imported, and raises `NotImplementedError` when it is used.
Signatures (names, kinds and defaults of parameters) are compared for every function and class that is there.

"""


def plain_signature(f):
    s = inspect.signature(f)
    empty = inspect.Parameter.empty
    return str(s.replace(parameters=[p.replace(annotation=empty) for p in s.parameters.values()], return_annotation=empty))


def same_default(a, b):
    """Defaults mean the same: dtypes, enums and sets of classes by what they name, objects that only mark an absence by their kind."""
    if a is b or type(a) is type(b) and a == b or isinstance(b, (int, float)) and a == b:
        return True
    if isinstance(b, frozenset):
        return {x.__name__ for x in a} == {x.__name__ for x in b}
    if isinstance(b, enum.Enum):
        return getattr(a, "name", a) == b.name
    if hasattr(a, "itemsize"):
        import numpy
        return isinstance(b, type) and numpy.dtype(b) == a or hasattr(b, "dtype") and a == b
    if hasattr(b, "dtype"):
        return a == b
    marks = ("NoDefault", "Unspecified", "NotSpecified", "UnspecifiedValue", "_NotGiven", "DeprecatedArg", "function", "object")
    return type(b).__name__ in marks or repr(a) == repr(b)


def difference(f, g):
    """How the signature of f differs from that of g; empty: it does not."""
    try:
        want = inspect.signature(g)
    except (TypeError, ValueError):
        return ""
    try:
        have = inspect.signature(f)
    except (TypeError, ValueError):
        return f"none, JAX {plain_signature(g)}"
    pairs = list(zip(have.parameters.values(), want.parameters.values()))
    if len(have.parameters) == len(want.parameters) and all(
            (p.name, p.kind) == (q.name, q.kind) and (p.default is p.empty) == (q.default is q.empty) and same_default(p.default, q.default)
            for p, q in pairs):
        return ""
    return f"{plain_signature(f)}, JAX {plain_signature(g)}"


def compare(module):
    """(names, missing, {name: difference}) of a module of JAX's."""
    from cotan._names import NAMES
    from cotan._table import Placeholder
    ours = importlib.import_module(("cotan." + module).rstrip("."))
    theirs = importlib.import_module(("jax." + module).rstrip("."))
    missing, differ = [], {}
    for name in NAMES[module]:
        f, g = getattr(ours, name), getattr(theirs, name, None)
        if isinstance(f, Placeholder) or getattr(f, "_is_placeholder", False):
            missing.append(name)
        elif callable(g) and callable(f) and type(g).__module__ not in ("typing", "types"):
            if text := difference(f, g):
                differ[f"{module}.{name}".lstrip(".")] = text
    return NAMES[module], missing, differ


def page():
    """The text of the page, and the differences that are not chosen."""
    import jax
    from cotan._names import NAMES
    rows, lists, differ = [], [], {}
    total = there = 0
    for module in sorted(NAMES):
        names, missing, differs = compare(module)
        if not names:
            continue
        differ |= differs
        total, there = total + len(names), there + len(names) - len(missing)
        rows.append(f"| `{'jax.' * bool(module)}{module or 'jax'}` | {len(names)} | {len(names) - len(missing)} | {len(missing) or ''} |")
        if missing and not module.startswith(("experimental", "example_libraries", "interpreters", "extend")):
            lists.append(f"- `jax{'.' * bool(module)}{module}`: {', '.join(missing)}")
    lines = ["| module | names | there | missing |", "|---|---|---|---|", *rows, f"| all | {total} | {there} | {total - there} |", "",
             "## What is missing", "", "In `experimental`, `extend`, `interpreters` and `example_libraries`: see the numbers above.", "", *lists, "",
             "## Signatures that differ by choice", "", *(f"- `{name}`: {why}" for name, why in sorted(CHOSEN.items())), ""]
    text = HEAD.format(version=jax.__version__) + "\n".join(wrapped(lines))
    unwanted = {name: text for name, text in differ.items() if name not in CHOSEN} | {
        name: "is the same" for name in CHOSEN if name not in differ}
    return text, unwanted


def wrapped(lines):
    import textwrap
    for line in lines:
        yield from textwrap.wrap(line, 136, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False) if line.startswith("- ") else [line]


def print_signatures(patterns):
    for pattern in patterns:
        module, _, wanted = pattern.rpartition(".")
        m = importlib.import_module("jax." + module)
        for name in dir(m):
            value = getattr(m, name)
            if fnmatch.fnmatchcase(name, wanted) and not name.startswith("_") and callable(value) and not isinstance(value, type):
                try:
                    print(name + plain_signature(value))
                except (TypeError, ValueError):
                    print(name + "(?)")


def main():
    warnings.simplefilter("ignore")
    if sys.argv[1:2] == ["--signatures"]:
        return print_signatures(sys.argv[2:])
    for module in sys.argv[1:]:
        names, missing, differ = compare(module)
        print(f"{module}: {len(names) - len(missing)} of {len(names)}\n  missing: {' '.join(missing)}")
        for name, text in differ.items():
            print(f"  {name}: {text}")
    if not sys.argv[1:]:
        text, unwanted = page()
        PAGE.write_text(text)
        for name, what in unwanted.items():
            print(f"{name}: {what}")
        return 1 if unwanted else 0


if __name__ == "__main__":
    sys.exit(main())
