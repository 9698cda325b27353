"""jax.experimental.ode."""
from .. import _cotan
from .._table import fill as _fill


def odeint(func, y0, t, *args, rtol=1.4e-8, atol=1.4e-8, mxstep=float("inf"), hmax=float("inf")):
    """The solution of dy/dt = func(y, t, *args) with y(t[0]) = y0, at the increasing times t, stacked; y0 a pytree. Steps of order 5 are chosen
    so that the estimated error of each is within atol + rtol |y|; where mxstep of them do not reach a time, NaN. Reverse-mode derivatives
    in y0, t, args and what func captures by the adjoint equation, solved backwards with the same tolerances."""
    for x in _cotan.tree_leaves(args):
        if not _cotan.is_valid(x):
            raise TypeError(f"The contents of odeint *args must be arrays or scalars, but got {x!r}.")
    leaves, tree = _cotan.tree_flatten(y0)
    args = _cotan.tree_map(lambda x: _cotan.to_array(x, "odeint"), args)

    def slope(xs):
        out, got = _cotan.tree_flatten(func(tree.unflatten(xs[:-1]), xs[-1], *args))
        if got != tree:
            raise TypeError(f"odeint: func must return the structure of y0, {tree}, got {got}")
        return out
    return tree.unflatten(_cotan.odeint(slope, leaves, t, rtol, atol, mxstep, hmax))


_fill(globals(), "experimental.ode")
