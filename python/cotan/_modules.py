"""Modules of JAX's that hold nothing but functions of the table and placeholders: made when they are imported. And `jax` as a
name for all of the package."""
import importlib
import importlib.abc
import importlib.machinery
import sys

from ._table import MODULES, fill

_PACKAGE = __package__


class _TableModules(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Comes after Python's own finders: modules with a file are loaded from it."""

    def find_spec(self, fullname, path=None, target=None):
        name = fullname.removeprefix(_PACKAGE + ".")
        if name == fullname or name not in MODULES:
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        name = module.__name__.removeprefix(_PACKAGE + ".")
        module.__doc__ = f"jax.{name}: the functions of the table; other names are placeholders."
        fill(module.__dict__, name)


class _AsJax(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """`jax.X` is the module `cotan.X`."""

    def find_spec(self, fullname, path=None, target=None):
        if fullname != "jax" and not fullname.startswith("jax."):
            return None
        try:
            module = importlib.import_module(_PACKAGE + fullname[3:])
        except ModuleNotFoundError:
            return None
        spec = importlib.machinery.ModuleSpec(fullname, self, is_package=hasattr(module, "__path__"))
        spec.loader_state = (module, module.__spec__)
        return spec

    def create_module(self, spec):
        return spec.loader_state[0]

    def exec_module(self, module):
        state = module.__spec__.loader_state
        module.__spec__ = state[1]  # its own, which the import has just replaced


def install_as_jax():
    """From now on `import jax` in this process means this package. RuntimeError if the installed jax was imported already."""
    if any(isinstance(finder, _AsJax) for finder in sys.meta_path):
        return
    if "jax" in sys.modules:
        raise RuntimeError("install_as_jax(): jax is already imported in this process; call it before the first `import jax`")
    sys.meta_path.insert(0, _AsJax())


sys.meta_path.append(_TableModules())
