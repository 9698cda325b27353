"""jax.experimental.ode."""
from .. import _cotan
from .._custom import closure_convert, custom_vjp
from .._table import fill as _fill

# The method of Dormand and Prince, order 5 with an error estimate of order 4: J. Comp. Appl. Math. 6 (1980), 19-26. The value in the middle of
# a step, for interpolation: L. F. Shampine, Math. Comp. 46 (1986), 135-150.
_NODES = (1 / 5, 3 / 10, 4 / 5, 8 / 9, 1., 1.)
_STAGES = ((1 / 5,), (3 / 40, 9 / 40), (44 / 45, -56 / 15, 32 / 9), (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
           (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656), (35 / 384, 0., 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84))
_ERROR = (35 / 384 - 5179 / 57600, 0., 500 / 1113 - 7571 / 16695, 125 / 192 - 393 / 640, -2187 / 6784 + 92097 / 339200, 11 / 84 - 187 / 2100, -1 / 40)
_MIDDLE = (6025192743 / 30085553152 / 2, 0., 51252292925 / 65400821598 / 2, -2691868925 / 45128329728 / 2, 187940372067 / 1594534317056 / 2,
           -1776094331 / 19743644256 / 2, 11237099 / 235043384 / 2)


def _combine(weights, k):
    return sum(w * x for w, x in zip(weights, k) if w)


def _norm(x):
    from .. import numpy as jnp
    return jnp.sqrt(jnp.mean(jnp.abs(x) ** 2))


def _first_step(f, t, y, f0, rtol, atol):
    """E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I, section II.4."""
    from .. import numpy as jnp
    scale = atol + jnp.abs(y) * rtol
    d0, d1 = _norm(y / scale), _norm(f0 / scale)
    h0 = jnp.where((d0 < 1e-5) | (d1 < 1e-5), 1e-6, 0.01 * d0 / jnp.where(d1 == 0, 1., d1))
    d2 = _norm((f(y + h0 * f0, t + h0) - f0) / scale) / h0
    largest = jnp.maximum(d1, d2)
    h1 = jnp.where(largest <= 1e-15, jnp.maximum(1e-6, h0 * 1e-3), (0.01 / jnp.where(largest == 0, 1., largest)) ** 0.2)
    return jnp.minimum(100. * h0, h1)


def _step(f, t, y, f0, h):
    """(value after the step, derivative there, estimated error, value in the middle)."""
    k = [f0]
    for node, row in zip(_NODES, _STAGES):
        k.append(f(y + h * _combine(row, k), t + h * node))
    return y + h * _combine(_STAGES[-1], k[:-1]), k[-1], h * _combine(_ERROR, k), y + h * _combine(_MIDDLE, k)


def _interpolated(s, h, y0, y1, ymid, f0, f1):
    """The polynomial of degree 4 through values and derivatives at both ends and the value in the middle, at s in 0 .. 1."""
    a = 2 * h * (f1 - f0) - 8 * (y1 + y0) + 16 * ymid
    b = h * (5 * f0 - 3 * f1) + 18 * y0 + 14 * y1 - 32 * ymid
    c = h * (f1 - 4 * f0) - 11 * y0 - 5 * y1 + 16 * ymid
    return (((a * s + b) * s + c) * s + h * f0) * s + y0


def _integrate(f, y0, ts, rtol, atol, mxstep, hmax):
    """Values at all of ts, increasing, of a flat system."""
    from .. import numpy as jnp
    from ..lax import scan, while_loop
    f0 = f(y0, ts[0])
    h0 = jnp.clip(_first_step(f, ts[0], y0, f0, rtol, atol), 0., hmax)

    def advance(carry, target):
        def behind(state):
            n, (_, _, t, h, _, _, _) = state
            return (t < target) & (n < mxstep) & (h > 0)

        def attempt(state):
            n, (y, fy, t, h, last, y_last, parts) = state
            y1, f1, error, middle = _step(f, t, y, fy, h)
            ratio = _norm(error / (atol + rtol * jnp.maximum(jnp.abs(y), jnp.abs(y1))))
            factor = jnp.where(ratio == 0, 10., jnp.clip(0.9 * jnp.where(ratio == 0, 1., ratio) ** -0.2, 0.2, jnp.where(ratio < 1, 10., 1.)))
            factor = jnp.where(jnp.isfinite(ratio), factor, 0.1)
            new_h = jnp.clip(h * factor, 0., hmax)
            taken = (y1, f1, t + h, new_h, t, y, (h, middle, fy))
            kept = (y, fy, t, new_h, last, y_last, parts)
            return n + 1, _cotan.tree_map(lambda a, b: jnp.where(ratio <= 1, a, b), taken, kept)

        n, state = while_loop(behind, attempt, (0, carry))
        y, fy, t, h, last, y_last, (width, middle, f_last) = state
        s = (target - last) / jnp.where(width == 0, 1., width)
        here = _interpolated(s, width, y_last, y, middle, f_last, fy)
        return state, jnp.where(t >= target, jnp.where(width == 0, y, here), jnp.nan)

    start = (y0, f0, ts[0], h0, ts[0], y0, (jnp.zeros_like(h0), y0, f0))
    _, ys = scan(advance, start, ts[1:])
    return jnp.concatenate([y0[None], ys])


def odeint(func, y0, t, *args, rtol=1.4e-8, atol=1.4e-8, mxstep=float("inf"), hmax=float("inf")):
    """The solution of dy/dt = func(y, t, *args) with y(t[0]) = y0, at the increasing times t, stacked; y0 a pytree. Steps of order 5 are chosen
    so that the estimated error of each is within atol + rtol |y|; where mxstep of them do not reach a time, NaN. Reverse-mode derivatives
    in y0, t, args and what func captures by the adjoint equation, solved backwards with the same tolerances."""
    for x in _cotan.tree_leaves(args):
        if not _cotan.is_valid(x):
            raise TypeError(f"The contents of odeint *args must be arrays or scalars, but got {x!r}.")
    t = t if isinstance(t, _cotan.Array) else _cotan.to_array(t, "odeint")
    converted, consts = closure_convert(func, y0, t[0], *args)
    from ..flatten_util import ravel_pytree
    y0, unravel = ravel_pytree(y0)

    def flat(y, s, *rest):
        return ravel_pytree(converted(unravel(y), s, *rest))[0]
    from .. import vmap
    ys = _odeint(flat, (rtol, atol, mxstep, hmax), y0, t, *args, *consts)
    return vmap(unravel)(ys)


def _solve(flat, options, y0, ts, *args):
    return _integrate(lambda y, s: flat(y, s, *args), y0, ts, *options)


_odeint = custom_vjp(_solve, nondiff_argnums=(0, 1))


def _forward(flat, options, y0, ts, *args):
    ys = _odeint(flat, options, y0, ts, *args)
    return ys, (ys, ts, args)


def _backward(flat, options, residuals, g):
    """R. T. Q. Chen, Y. Rubanova, J. Bettencourt, D. Duvenaud, Neural Ordinary Differential Equations, 2018, appendix B."""
    from .. import numpy as jnp, vjp
    from ..flatten_util import ravel_pytree
    from ..lax import scan
    ys, ts, args = residuals
    leaves, tree = _cotan.tree_flatten(args)
    smooth = [i for i, x in enumerate(leaves) if x.dtype.name.startswith(("float", "bfloat", "complex"))]

    params = [leaves[i] for i in smooth]
    _, unravel = ravel_pytree((ys[-1], jnp.zeros_like(ys[-1]), jnp.zeros((), ts.dtype), [jnp.zeros_like(p) for p in params]))

    def backwards(state, s, *args):
        y, y_bar, _, _ = unravel(state)
        values = _cotan.tree_leaves(args)

        def slope(y, s, p):
            rest = list(values)
            for i, v in zip(smooth, p):
                rest[i] = v
            return flat(y, -s, *tree.unflatten(rest))
        dy, pullback = vjp(slope, y, s, [values[i] for i in smooth])
        dy_bar, ds_bar, dp_bar = pullback(y_bar)
        return ravel_pytree((-dy, dy_bar, -ds_bar, dp_bar))[0]

    # Each row: a time, the one before it, the value there and its cotangent, which joins when the time is reached.
    def segment(carry, row):
        y_bar, t0_bar, p_bar = carry
        y, t, t_before, ct = row
        dt_bar = jnp.dot(flat(y, t, *args), ct).astype(ts.dtype)
        state = ravel_pytree((y, y_bar + ct, t0_bar - dt_bar, p_bar))[0]
        _, end = _odeint(backwards, options, state, jnp.stack([-t, -t_before]), *args)
        _, y_bar, t0_bar, p_bar = unravel(end)
        return (y_bar, t0_bar, p_bar), dt_bar

    zero = (jnp.zeros_like(ys[-1]), jnp.zeros((), ts.dtype), [jnp.zeros_like(p) for p in params])
    (y_bar, t0_bar, p_bar), rest = scan(segment, zero, (ys[1:], ts[1:], ts[:-1], g[1:]), reverse=True)
    out = [None] * len(leaves)
    for i, v in zip(smooth, p_bar):
        out[i] = v
    return (y_bar + g[0], jnp.concatenate([t0_bar[None], rest]), *tree.unflatten([x if x is not None else jnp.zeros_like(leaves[i]) for i, x in enumerate(out)]))


_odeint.defvjp(_forward, _backward)
_fill(globals(), "experimental.ode")
