"""Calls of scipy.signal, scipy.integrate, scipy.ndimage and scipy.cluster.vq: see functions.py."""
import jax.numpy as jnp
import numpy as np
from functions import ramp


def cases(c):
    c.tolerance("scipy.signal.convolve scipy.signal.correlate scipy.signal.convolve2d scipy.signal.correlate2d", 16, 16)
    c.tolerance("scipy.signal.detrend", 64, 2048)  # JAX solves by least squares
    c.tolerance("scipy.integrate.trapezoid scipy.cluster.vq.vq", 8, 8)
    c.without("scipy.signal.fftconvolve scipy.signal.stft scipy.signal.istft scipy.signal.csd scipy.signal.welch", "they wait for FFTs")
    d = "float64" if c.x64 else "float32"
    for name in ("scipy.signal.convolve", "scipy.signal.correlate"):
        for a, b in (((5,), (3,)), ((3,), (5,)), ((2, 3), (1, 2)), ((1, 2), (2, 3)), ((2, 3), (3, 2)), ((2, 3, 4), (2, 2, 1)), ((2, 3), (2,)), ((0,), (2,)), ((3, 3), (3, 3))):
            for mode in ("full", "same", "valid"):
                c.call(name, ramp(d, a), ramp(d, b, 2), mode)
        for t in ("int32", "bfloat16", "complex64", "bool"):
            c.call(name, ramp(t, (4,)), ramp(t, (3,), 2))
        x = ramp(d, (4,))
        for args in ((x, x, "foo"), (x, x, "full", "direct"), (x, x, "full", "foo")):
            c.call(name, *args)
        c.expect(NotImplementedError, name, x, x, "full", "fft")  # it waits for FFTs
        c.vjp(name, c.draw(d, (3, 4)), c.draw(d, (2, 2)), argnums=(0, 1))
        c.vjp(name, c.draw(d, (4,)), c.draw(d, (2,)), "same", argnums=(0, 1), order=2)
    for name in ("scipy.signal.convolve2d", "scipy.signal.correlate2d"):
        for a, b in (((4, 5), (3, 2)), ((2, 3), (1, 2)), ((1, 2), (2, 3)), ((2, 3), (3, 2)), ((3, 3), (3, 3)), ((3,), (3,)), ((0, 2), (1, 1))):
            for mode in ("full", "same", "valid"):
                c.call(name, ramp(d, a), ramp(d, b, 2), mode)
        for kwargs in ({"boundary": "wrap"}, {"fillvalue": 1}, {"mode": "foo"}):
            c.call(name, ramp(d, (3, 3)), ramp(d, (2, 2)), **kwargs)
        c.call(name, ramp("complex64", (3, 3)), ramp("complex64", (2, 2), 2))
        c.vjp(name, c.draw(d, (3, 4)), c.draw(d, (2, 2)), argnums=(0, 1))
    x = jnp.arange(24.0, dtype=d).reshape(2, 3, 4) ** 2 / 8 - 3
    for args, kwargs in (((x,), {}), ((x, 0), {}), ((x, 1), {}), ((x, -1, "constant"), {}), ((x, 1, "constant"), {}), ((x, 3), {}), ((x, -1, "foo"), {}), ((x,), {"bp": 2}), ((x,), {"bp": [1, 3]}), ((x,), {"bp": 5}),
                         ((x,), {"bp": -1}), ((x[0, 0],), {}), ((x[0, 0, :1],), {}), ((x[0, 0, 0],), {}), ((ramp("int32", (5,)),), {}), ((ramp("complex64", (5,)),), {}), ((ramp("int32", (5,)),), {"type": "constant"}),
                         ((x,), {"axis": 1, "bp": 1}), ((ramp("float16", (4,)),), {"type": "constant"}), ((x,), {"overwrite_data": True})):
        c.call("scipy.signal.detrend", *args, **kwargs)
    c.vjp("scipy.signal.detrend", c.draw(d, (5,)))
    y = ramp(d, (2, 4))
    for args, kwargs in (((y,), {}), ((y, y), {}), ((y, y[0]), {}), ((y,), {"dx": 2, "axis": 0}), ((y,), {"axis": 2}), ((y, y[:, :2]), {}), ((2.0,), {}), (("a",), {}), ((), {}), ((y[:0],), {}), ((y[:, :1],), {}),
                         ((ramp("int32", (4,)),), {}), ((ramp("bfloat16", (4,)),), {}), ((ramp("float16", (4,)),), {}), ((ramp("complex64", (4,)),), {}), ((y.at[0, 0].set(np.nan),), {}), ((y,), {"dx": y[0, :3]})):
        c.call("scipy.integrate.trapezoid", *args, **kwargs)
    z = ramp(d, (4, 2), 3)
    for args in ((z, z[:2] + 1), (z, z), (z[:, 0], z[:2, 0]), (z[None], z), (z, z[0]), (z.at[0, 0].set(np.nan), z), (ramp("int32", (3, 2)), ramp("int32", (2, 2), 2)), (2.0, 3.0),
                 (ramp("complex64", (3, 2)), z), (z, z[:0]), (z, jnp.ones((2, 3), d)), (z[:0], z)):
        c.call("scipy.cluster.vq.vq", *args)
    c.vjp("scipy.cluster.vq.vq", c.draw(d, (3, 2)), c.draw(d, (2, 2)), argnums=(0, 1))
    images(c, d)


def images(c, d):
    x = ramp(d, (3, 4), 2)
    at = [jnp.array([0, 0.5, 1, -0.4, 1.7, -3, 5, 2.5], d), jnp.array([0, 1.5, 2, 1, 0.2, -3, 7, -0.5], d)]
    name = "scipy.ndimage.map_coordinates"
    for mode in ("constant", "nearest", "wrap", "mirror", "reflect", "grid-wrap"):
        for order in (0, 1, 2):
            c.call(name, x, at, order, mode)
    for t in ("int32", "bfloat16", "complex64"):
        c.call(name, ramp(t, (3, 4), 2), at, 1)
        c.call(name, ramp(t, (3, 4), 2), at, 0, cval=2)
    for args in ((x, at[:1], 1), (x, [jnp.array([0, 2]), jnp.array([1, 3])], 1), (x, [at[0], at[1][:1]], 1), (x[0], at[:1], 1), (x[:1, :1], at, 1, "mirror"), (x[:1, :1], at, 1, "reflect"),
                 (x, [at[0].at[0].set(np.nan), at[1]], 1), (x, [jnp.array([0.5, 1.5, 2.5, -0.5], d), jnp.zeros(4, d)], 0), (ramp(d, (2, 2, 2)), [at[0], at[1], at[0]], 1)):
        c.call(name, *args)
    c.vjp(name, c.draw(d, (3, 4)), at, 1)
