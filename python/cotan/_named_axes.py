"""Reductions of numpy over named axes: jnp.sum(x, axis="i"), or over both kinds, axis=("i", 0)."""
from ._table import function

_COLLECTIVES = {"numpy.sum": "psum", "numpy.max": "pmax", "numpy.min": "pmin", "numpy.amax": "pmax", "numpy.amin": "pmin", "numpy.mean": "pmean"}


def reduce(full_name, args, kwargs):
    """The reduction over the axes with numbers, then the collective over those with names. NotImplemented: the function has none."""
    collective = _COLLECTIVES.get(full_name)
    if collective is None:
        return NotImplemented
    from . import lax
    kwargs = dict(kwargs)
    axis = kwargs.pop("axis") if "axis" in kwargs else args[1]
    axes = axis if isinstance(axis, tuple) else (axis,)
    names = tuple(a for a in axes if isinstance(a, str))
    rest = tuple(a for a in axes if not isinstance(a, str))
    inner = function(full_name)(args[0], rest, *args[2:], **kwargs)
    for name in names:
        inner = getattr(lax, collective)(inner, name)
    return inner
