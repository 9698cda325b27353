"""jax.lax."""
import enum as _enum
import math as _math
from typing import NamedTuple as _NamedTuple

from .. import _cotan
from .._table import fill as _fill, function as _function
from ._control import associative_scan, cond, fori_loop, map, platform_dependent, scan, switch, while_loop  # noqa: F401
from ._solve import custom_linear_solve, custom_root  # noqa: F401


class Precision(_enum.Enum):
    """How exact a product is to be: on CPU always full."""

    DEFAULT = 0
    HIGH = 1
    HIGHEST = 2

    _cotan = property(lambda self: self.name.lower())

    @classmethod
    def _missing_(cls, value):
        names = {"default": 0, "bfloat16": 0, "fastest": 0, "high": 1, "bfloat16_3x": 1, "tensorfloat32": 1, "highest": 2, "float32": 2}
        return cls(names[value]) if value in names else None


class RoundingMethod(_enum.IntEnum):
    """What round does with halves."""

    AWAY_FROM_ZERO = 0
    TO_NEAREST_EVEN = 1


class AccuracyMode(_enum.Enum):
    HIGHEST = 1
    DEFAULT = 2


class RandomAlgorithm(_enum.IntEnum):
    RNG_DEFAULT = 0
    RNG_THREE_FRY = 1
    RNG_PHILOX = 2


class GatherScatterMode(_enum.Enum):
    """What indices outside mean: clipped, filled or dropped, or promised not to be."""

    CLIP = 1
    FILL_OR_DROP = 2
    PROMISE_IN_BOUNDS = 3
    ONE_HOT = 4

    @staticmethod
    def from_any(s):
        if isinstance(s, GatherScatterMode):
            return s
        names = {"clip": "CLIP", None: "FILL_OR_DROP", "fill": "FILL_OR_DROP", "drop": "FILL_OR_DROP", "promise_in_bounds": "PROMISE_IN_BOUNDS"}
        if s not in names:
            raise ValueError(f"Unknown gather mode {s!r}")
        return GatherScatterMode[names[s]]


class GatherDimensionNumbers(_NamedTuple):
    """Which axes are which in gather."""

    offset_dims: tuple
    collapsed_slice_dims: tuple
    start_index_map: tuple
    operand_batching_dims: tuple = ()
    start_indices_batching_dims: tuple = ()


class ScatterDimensionNumbers(_NamedTuple):
    """Which axes are which in scatter."""

    update_window_dims: tuple
    inserted_window_dims: tuple
    scatter_dims_to_operand_dims: tuple
    operand_batching_dims: tuple = ()
    scatter_indices_batching_dims: tuple = ()


def dtype(x):
    """The dtype of an array, number or dtype, as it is without x64."""
    if x is None:
        raise ValueError("dtype: None has no dtype")
    return _cotan.aval_of(x).dtype if _cotan.is_valid(x) else _cotan.canonical_dtype(x)


_stop_gradient = _function("lax.stop_gradient")


def stop_gradient(x):
    """x as a constant to derivatives, leaf by leaf."""
    return _cotan.tree_map(_stop_gradient, x)


def axis_size(axis_name):
    """The size of a named axis, an int; of a tuple of them the product. NameError if there is no such axis."""
    if isinstance(axis_name, (tuple, list)):
        return _math.prod(map(axis_size, axis_name))
    return _cotan.axis_size(axis_name)


def _each_leaf(name):
    of_array = _function(f"lax.{name}")

    def of_leaf(leaf, axis_name):
        if name == "psum" and type(leaf) in (int, float, complex):  # remains a number, and known
            return leaf * axis_size(axis_name)
        return of_array(leaf, axis_name)

    def collective(x, axis_name, *, axis_index_groups=None):
        if axis_index_groups is not None:
            raise NotImplementedError(f"cotan.lax.{name}: axis_index_groups is not there yet")
        return _cotan.tree_map(lambda leaf: of_leaf(leaf, axis_name), x)
    collective.__name__ = collective.__qualname__ = name
    collective.__doc__ = of_array.__doc__
    return collective


psum, pmax, pmin = (_each_leaf(name) for name in ("psum", "pmax", "pmin"))


def pmean(x, axis_name, *, axis_index_groups=None):
    """The mean over a named axis, leaf by leaf."""
    total = psum(x, axis_name, axis_index_groups=axis_index_groups)
    n = psum(1, axis_name, axis_index_groups=axis_index_groups)
    return _cotan.tree_map(lambda v: v / n, total)


_fill(globals(), "lax")
