"""jax.extend.core."""
from ... import _cotan
from ..._cotan import ClosedJaxpr
from ..._table import fill as _fill


def jaxpr_as_fun(closed_jaxpr):
    """A closed jaxpr as a function of its inputs, which returns the list of its results."""
    return lambda *args: _cotan.eval_jaxpr(closed_jaxpr, args)


_fill(globals(), "extend.core")
