#!/usr/bin/env python3
"""Writes python/cotan-stubs/, the types of the Python module for mypy and editors: from the table of functions, and from what inspect
tells of the rest. Run it with .venv/bin/python. What is not there yet has no stub.

    tools/stubs.py [FOLDER]
"""
import enum
import importlib
import inspect
import re
import shutil
import sys
import types
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STUBS = ROOT / "python" / "cotan-stubs"

TYPES = {  # by the name of a parameter
    "axis": "int | Sequence[int] | None", "axes": "Any", "dtype": "DTypeLike", "keepdims": "bool", "where": "ArrayLike | None",
    "key": "ArrayLike", "out": "None", "name": "str | None", "axis_name": "Any", "is_leaf": "Callable[..., bool] | None",
}
ARRAYS = set("a b x y x1 x2 m v arr array condition operand lhs rhs indices logits labels loc scale data segment_ids tau q k".split())
RESULTS = {"Array": "Array", "bool": "bool", "int": "int", "std::int64_t": "int", "DType": "Any", "Arrays": "list[Array]",
           "std::vector<Array>": "list[Array]", "std::pair<Array, Array>": "tuple[Array, Array]",
           "std::tuple<Array, Array, Array>": "tuple[Array, Array, Array]", "Shape": "tuple[int, ...]", "std::string": "str"}
PROPERTIES = {"shape": "tuple[int, ...]", "dtype": "Any", "ndim": "int", "size": "int", "weak_type": "bool", "T": "Array", "mT": "Array",
              "real": "Array", "imag": "Array", "nbytes": "int", "itemsize": "int", "at": "Any", "aval": "Any", "sharding": "Any", "device": "Any"}
METHODS = {"item": "Any", "tolist": "Any", "tobytes": "bytes", "devices": "set[Any]", "is_ready": "bool", "is_deleted": "bool",
           "copy_to_host_async": "None", "on_device_size_in_bytes": "int", "platform": "str", "nonzero": "tuple[Array, ...]", "delete": "None"}
OURS = {"install_as_jax": "None", "num_threads": "Any", "set_num_threads": "None"}  # names of cotan that JAX does not have
COMPARED, FROM_BOTH = "eq ne lt le gt ge", "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift"
HEAD = '"""Written by tools/stubs.py."""\n'

CORE = '''from collections.abc import Callable, Iterator, Sequence
from typing import Any, Generic, ParamSpec, TypeAlias, TypeVar, Union
import numpy as _np

_P = ParamSpec("_P")
_R = TypeVar("_R", covariant=True)
ArrayLike: TypeAlias = Union["Array", _np.ndarray, _np.bool_, _np.number, bool, int, float, complex]
DTypeLike: TypeAlias = Any

class PjitFunction(Generic[_P, _R]):
    __name__: str
    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R: ...
    def __get__(self, instance: Any, owner: Any = ...) -> Callable[..., _R]: ...
    def lower(self, *args: _P.args, **kwargs: _P.kwargs) -> Any: ...
    def trace(self, *args: _P.args, **kwargs: _P.kwargs) -> Any: ...
    def eval_shape(self, *args: _P.args, **kwargs: _P.kwargs) -> Any: ...
    def clear_cache(self) -> None: ...

class PyTreeDef:
    num_leaves: int
    num_nodes: int
    def unflatten(self, leaves: Any) -> Any: ...
    def flatten_up_to(self, tree: Any) -> list[Any]: ...
    def children(self) -> list[PyTreeDef]: ...
    def compose(self, inner: PyTreeDef) -> PyTreeDef: ...
    def node_data(self) -> Any: ...

class ClosedJaxpr:
    jaxpr: Any
    consts: list[Any]
    literals: list[Any]
    eqns: list[Any]
    in_avals: list[Any]
    out_avals: list[Any]
    effects: Any
    def __init__(self, jaxpr: Any, consts: Sequence[Any]) -> None: ...
    def replace(self, *, jaxpr: Any = ..., consts: Any = ...) -> ClosedJaxpr: ...
    def to_text(self) -> str: ...

'''
# Functions of functions: their types are worth writing by hand. `F`: the signature as inspect tells it, for the rest.
SPECIAL = {
    "jit": '''@overload
def jit(fun: Callable[_P, _R], /, **options: Any) -> PjitFunction[_P, _R]: ...
@overload
def jit(**options: Any) -> Callable[[Callable[_P, _R]], PjitFunction[_P, _R]]: ...
''',
    "grad": "def grad({0}) -> Callable[..., Any]: ...\n", "value_and_grad": "def value_and_grad({0}) -> Callable[..., tuple[Any, Any]]: ...\n",
    "jacfwd": "def jacfwd({0}) -> Callable[..., Any]: ...\n", "jacrev": "def jacrev({0}) -> Callable[..., Any]: ...\n",
    "jacobian": "def jacobian({0}) -> Callable[..., Any]: ...\n", "hessian": "def hessian({0}) -> Callable[..., Any]: ...\n",
    "vmap": "def vmap({0}) -> Callable[..., Any]: ...\n", "make_jaxpr": "def make_jaxpr({0}) -> Callable[..., Any]: ...\n",
    "named_call": "def named_call({0}) -> Callable[..., Any]: ...\n",
}
ALIASES = {"Array": "Array", "ndarray": "Array", "ArrayLike": "ArrayLike", "DTypeLike": "DTypeLike", "PyTreeDef": "PyTreeDef",
           "ClosedJaxpr": "ClosedJaxpr", "Wrapped": "PjitFunction", "Value": "Array"}


def declared_results():
    """The C++ types of results, by name of the function, where all declarations agree."""
    found = {}
    for path in sorted((ROOT / "include" / "cotan").glob("*.h")):
        for result, name in re.findall(r"^(?:inline )?([\w:<>, ]+?) (\w+)\(", path.read_text(), flags=re.M):
            found.setdefault(name, set()).add(result.strip())
    return {name: RESULTS.get(next(iter(r)), "Any") for name, r in found.items() if len(r) == 1}


def annotation(p, is_first, of_arrays):
    if p.name in TYPES:
        return TYPES[p.name]
    if isinstance(p.default, bool):
        return "bool"
    if of_arrays and p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) and p.name in ARRAYS:
        return "ArrayLike"
    if is_first and p.name in ("fun", "f", "func"):
        return "Callable[..., Any]"
    return "Any"


def parameters(f, skip=0):
    """The parameters of a function as a stub spells them."""
    out, marks = [], {"/": False, "*": False}
    of_arrays = type(f).__name__ in ("Function", "ufunc")
    given = list(inspect.signature(f).parameters.values())[skip:]
    for i, p in enumerate(given):
        if not marks["/"] and i and given[i - 1].kind == p.POSITIONAL_ONLY != p.kind:
            out.append("/")
        if p.kind == p.KEYWORD_ONLY and not marks["*"]:
            marks["*"] = True
            out.append("*")
        marks["*"] |= p.kind == p.VAR_POSITIONAL
        star = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
        out.append(f"{star}{p.name}: {annotation(p, i == 0, of_arrays)}" + ("" if p.default is p.empty else " = ..."))
    if given and given[-1].kind == inspect.Parameter.POSITIONAL_ONLY:
        out.append("/")
    return ", ".join(out)


def function_stub(name, f, results, indent="", skip=0, result=None):
    if indent == "" and name in SPECIAL:
        return SPECIAL[name].format(parameters(f))
    first = ["self"] * skip
    try:
        listed = ", ".join(first + [parameters(f, skip)]).rstrip(", ")
    except (TypeError, ValueError):
        listed = ", ".join([*first, "*args: Any", "**kwargs: Any"])
    return f"{indent}def {name}({listed}) -> {result or results.get(name, 'Any')}: ...\n"


def class_stub(name, cls):
    if issubclass(cls, enum.Enum):
        lines = [f"class {name}(_enum.{'IntEnum' if issubclass(cls, enum.IntEnum) else 'Enum'}):"]
        return "\n".join(lines + [f"    {member.name} = ..." for member in cls] + [""])
    base = next((b.__name__ for b in cls.__mro__[1:] if b.__module__ == "builtins" and b is not object), "")
    base = "" if base == "tuple" else base
    out = [f"class {name}{f'({base})' if base else ''}:\n"]
    members = {k: v for b in reversed(cls.__mro__) if b.__module__.startswith("cotan") for k, v in vars(b).items()}
    for member, value in sorted(members.items()):
        if member.startswith("_") and member not in ("__init__", "__call__", "__enter__", "__exit__", "__getitem__", "__len__", "__new__"):
            continue
        if isinstance(value, (staticmethod, classmethod)):
            continue
        if isinstance(value, types.FunctionType):
            if member != "__new__":
                out.append(function_stub(member, value, {}, "    ", 1, "None" if member == "__init__" else "Any"))
        elif not isinstance(value, type):
            out.append(f"    {member}: Any\n")
    for field in getattr(cls, "_fields", ()):
        if f"    {field}: Any\n" not in out:
            out.append(f"    {field}: Any\n")
    if hasattr(cls, "_fields"):
        out.append("    def __init__(self, " + ", ".join(
            f"{f}: Any{' = ...' if f in cls._field_defaults else ''}" for f in cls._fields) + ") -> None: ...\n")
    return "".join(out) if len(out) > 1 else out[0].rstrip() + " ...\n"


def array_stub(results):
    from cotan._cotan import Array, ArrayImpl
    out = ["class Array:\n"] + [f"    {n}: {t}\n" for n, t in PROPERTIES.items()]
    known = {n: getattr(c, n) for c in (ArrayImpl, Array) for n in dir(c) if not n.startswith("_") and n not in PROPERTIES}
    for name, value in sorted(known.items()):
        if callable(value):
            out.append(function_stub(name, value, results, "    ", 1, METHODS.get(name, results.get(name, "Array"))))
        elif isinstance(value, property):
            out.append(f"    {name}: Any\n")
    operators = [f"    def __{n}__(self, other: Any) -> Array: ...{'  # type: ignore[override]' if n in ('eq', 'ne') else ''}\n"
                 for n in COMPARED.split()]
    operators += [f"    def __{r}{n}__(self, other: Any) -> Array: ...\n" for n in FROM_BOTH.split() for r in ("", "r")]
    operators += [f"    def __{n}__(self) -> {t}: ...\n" for n, t in (
        ("neg", "Array"), ("pos", "Array"), ("abs", "Array"), ("invert", "Array"), ("bool", "bool"), ("int", "int"), ("float", "float"),
        ("complex", "complex"), ("index", "int"), ("len", "int"), ("iter", "Iterator[Array]"))]
    operators += ["    def __divmod__(self, other: Any) -> tuple[Array, Array]: ...\n", "    def __getitem__(self, index: Any) -> Array: ...\n",
                  "    def __array__(self, dtype: Any = ..., copy: bool | None = ...) -> _np.ndarray: ...\n"]
    return "".join(out + operators) + "\nclass ArrayImpl(Array): ...\nclass Tracer(Array): ...\n"


def module_stub(module, names, depth, results, filled):
    """The stub of one module; None where it has nothing. `filled`: the modules that have stubs."""
    from cotan._table import Placeholder
    m = importlib.import_module(("cotan." + module).rstrip("."))
    up = "." * depth
    body, imports = [], {"Array", "ArrayLike", "DTypeLike"}
    for name in sorted(set(names)):
        value = getattr(m, name)
        inner = f"{module}.{name}".lstrip(".")
        if isinstance(value, Placeholder) or getattr(value, "_is_placeholder", False):
            continue
        if isinstance(value, types.ModuleType):
            if inner in filled:
                body.append(f"from . import {name} as {name}\n")
        elif name in ALIASES:
            imports.add(ALIASES[name])
            body.append(f"{name} = {ALIASES[name]}\n" if name != ALIASES[name] else "\n")
        elif name == "Tracer":
            imports.add("Tracer")
        elif isinstance(value, type) and value.__module__.startswith("cotan"):
            body.append(class_stub(name, value))
        elif callable(value) and not isinstance(value, type) and not type(value).__name__ == "_ScalarMeta" and hasattr(value, "__name__"):
            imports |= {"PjitFunction"} if name == "jit" else set()
            body.append(function_stub(name, value, results))
        else:
            body.append(f"{name}: {type(value).__name__ if isinstance(value, (float, int)) else 'Any'}\n")
    if not module:
        body.append("__version__: str\n")
        body += [function_stub(name, getattr(m, name), results, result=result) for name, result in OURS.items()]
    if not any(body):
        return None
    exported = ", ".join(f"{n} as {n}" for n in sorted(imports))
    return (HEAD + "import enum as _enum\nfrom collections.abc import Callable, Sequence\nfrom typing import Any, ParamSpec, TypeVar, overload\n"
            f"from {up}_cotan import {exported}\n\n_P = ParamSpec(\"_P\")\n_R = TypeVar(\"_R\")\n\n" + "".join(body))


def stubs():
    """{path: text} of all stubs."""
    from cotan._names import NAMES
    results = declared_results()
    out = {"_cotan.pyi": HEAD + CORE + array_stub(results)}
    filled = {""}
    for module, names in sorted(NAMES.items(), reverse=True):  # those inside first
        is_package = not module or any(other.startswith(module + ".") for other in NAMES)
        depth = len(module.split(".")) + is_package if module else 1
        text = module_stub(module, names, depth, results, filled)
        if text:
            filled |= {".".join(module.split(".")[:n + 1]) for n in range(module.count(".") + 1)}
            out[module.replace(".", "/") + ("/__init__.pyi" if is_package else ".pyi") if module else "__init__.pyi"] = text
    for path in list(out):  # packages between
        for parent in Path(path).parents:
            out.setdefault(str(parent / "__init__.pyi"), HEAD)
    return out


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else STUBS
    shutil.rmtree(folder, ignore_errors=True)
    for path, text in stubs().items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


if __name__ == "__main__":
    main()
