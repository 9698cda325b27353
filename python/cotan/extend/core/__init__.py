"""jax.extend.core: programs as objects."""
from ... import _cotan
from ..._cotan import ClosedJaxpr
from ..._jaxprs import DropVar, Jaxpr, JaxprEqn, Literal, Primitive, Var, jaxpr_as_fun, new_jaxpr_eqn  # noqa: F401
from ..._table import fill as _fill
from ...errors import InconclusiveDimensionOperation, JaxprTypeError  # noqa: F401


def jaxprs_in_params(params):
    """The programs among an equation's parameters."""
    for value in params.values():
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, ClosedJaxpr):
                yield item.jaxpr
            elif isinstance(item, Jaxpr):
                yield item


def subjaxprs(jaxpr):
    """The programs among the parameters of a program's equations."""
    for eqn in jaxpr.eqns:
        yield from jaxprs_in_params(eqn.params)


Effect, Effects, no_effects = int, frozenset, frozenset()


def valid_jaxtype(x):
    """Whether x is an array or a number."""
    return _cotan.is_valid(x)


def mapped_aval(size, axis, aval):
    """What is known of one element along an axis."""
    if axis is None:
        return aval
    if aval.shape[axis] != size:
        raise ValueError(f"mapped_aval: axis {axis} of {aval} has not the size {size}")
    return aval.update(shape=aval.shape[:axis] + aval.shape[axis + 1:])


def unmapped_aval(size, axis, aval, explicit_mesh_axis=None):
    """What is known of `size` such values, stacked along an axis."""
    return aval if axis is None else aval.update(shape=aval.shape[:axis] + (size,) + aval.shape[axis:])


def primal_dtype_to_tangent_dtype(primal_dtype):
    """The dtype of tangents: float0 of integers and bools."""
    from ... import dtypes
    return primal_dtype if primal_dtype.kind in "fc" or primal_dtype.name == "bfloat16" else dtypes.float0


_fill(globals(), "extend.core")
