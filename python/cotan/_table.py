"""The functions of the table in the namespaces of the package, and placeholders for what is not there yet."""
import builtins
import importlib
import types

from . import _cotan
from ._jaxprs import primitive_of as _primitive_of
from ._names import NAMES

_functions = _cotan.all_functions()
MODULES = frozenset(NAMES) | {name.rpartition(".")[0] for name in NAMES}  # of JAX


class Placeholder:
    """A name of the public API that is not there yet: raises NotImplementedError when it is used."""

    def __init__(self, name):
        self._name = name
        self.__name__ = self.__qualname__ = name.rpartition(".")[2]

    def _fail(self):
        raise NotImplementedError(f"cotan.{self._name} is not there yet")

    def __call__(self, *args, **kwargs):
        self._fail()

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        self._fail()

    def __getitem__(self, key):
        self._fail()

    def __or__(self, other):  # in annotations: Placeholder | None
        import typing
        return typing.Any

    __ror__ = __or__

    def __repr__(self):
        return f"<cotan.{self._name}: not there yet>"


def seal(namespace):
    """Makes the public functions of a module boundaries: tracebacks of errors that leave them are without this package's frames."""
    for name, value in list(namespace.items()):
        if isinstance(value, types.FunctionType) and value.__module__ == namespace["__name__"] and not name.startswith("_"):
            namespace[name] = _boundaries.setdefault(value, _cotan.boundary(value))


_boundaries = {}  # of functions that have two names


def fill(namespace, module):
    """Puts the table's functions of `module` into a namespace. Its submodules are imported on demand, and names of JAX's that it
    still lacks become placeholders."""
    for function in _functions.get(module, ()):
        namespace.setdefault(function.__name__, function)
    seal(namespace)
    listed = NAMES.get(module, ())
    full = namespace["__name__"]
    outer = namespace.get("__getattr__")

    def __getattr__(name):
        if outer is not None:
            try:
                return outer(name)
            except AttributeError:
                pass
        inner = f"{module}.{name}" if module else name
        if inner in MODULES:
            return importlib.import_module(f"{__package__}.{inner}")
        if name in listed:
            value = _primitive_of(name) if name.endswith("_p") else None
            value = Placeholder(inner) if value is None else value
            if not hasattr(builtins, name):  # the module may use it
                namespace[name] = value
            return value
        raise AttributeError(f"module {full!r} has no attribute {name!r}")

    namespace["__getattr__"] = __getattr__
    namespace.setdefault("__all__", sorted(n for n in set(listed) | set(namespace) if not n.startswith("_")))


def function(full_name):
    """A function of the table, such as "numpy.sum"."""
    return _cotan.function(full_name)
