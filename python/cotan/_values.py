"""What the extension module asks of Python: classes made on demand, and signatures."""
import collections
import enum
import inspect

from . import _cotan

_classes = {}


def named_tuple(names, items):
    """A named tuple with these fields; one class for each list of names."""
    made = _classes.get(names)
    if made is None:
        made = _classes[names] = collections.namedtuple("Result", names)
    return made._make(items)


def plain(x):
    """An object of one of Python's other classes as an int, str or tuple; itself where there is none."""
    if isinstance(x, enum.Enum):
        return getattr(x, "_cotan", x.name)
    if isinstance(x, memoryview):
        import numpy
        return numpy.asarray(x)
    if isinstance(x, (range, frozenset, collections.abc.ValuesView, collections.abc.KeysView, collections.abc.Iterator)):
        return tuple(x)
    if hasattr(x, "__array__"):
        import numpy
        return numpy.asarray(x)
    return x


_KINDS = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.VAR_POSITIONAL,
          inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD)


_ENUMS = {"rounding_method": "RoundingMethod", "algorithm": "RandomAlgorithm"}


def signature(function):
    parameters = []
    for name, kind, has_default, default in _cotan.parameters_of(function):
        if isinstance(default, str) and name in _ENUMS:
            from . import lax
            default = getattr(getattr(lax, _ENUMS[name]), default, default)
        parameters.append(inspect.Parameter(name, _KINDS[kind], default=default if has_default else inspect.Parameter.empty))
    return inspect.Signature(parameters)


def tree_of(tree):
    """The structure of a tree: what a pickled structure is made of."""
    return _cotan.tree_structure(tree)
