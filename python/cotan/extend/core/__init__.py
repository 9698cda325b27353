"""jax.extend.core: programs as objects."""
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


_fill(globals(), "extend.core")
