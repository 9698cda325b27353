"""Calls of scipy.stats.gaussian_kde and its methods, of points on a line: see functions.py."""
import jax
import jax.numpy as jnp
from functions import plain
from jax.scipy.stats import gaussian_kde

FIELDS = ("neff", "dataset", "weights", "covariance", "inv_cov")
M = "scipy.stats.gaussian_kde."


def fields(k):
    return tuple(getattr(k, name) for name in FIELDS)


def make(c, *args, **kwargs):
    c.record("scipy.stats.gaussian_kde", args, kwargs, lambda: fields(gaussian_kde(*plain(args), **plain(kwargs))))


def method(c, name, k, *args):
    c.record(M + name, [fields(k), *args], {}, lambda: getattr(k, name)(*plain(args)))


def cases(c):
    c.tolerance("scipy.stats.gaussian_kde", 32)
    c.tolerance(" ".join(M + n for n in "evaluate pdf logpdf integrate_gaussian integrate_box_1d integrate_kde resample".split()), 64, 16)
    d = "float64" if c.x64 else "float32"
    x = jnp.array([1, 2, 4, 7.5, -3], d)
    w = jnp.array([1, 2, 0.5, 3, 0], d)
    for method_ in (None, "scott", "silverman", 0.5, jnp.array(0.25, d), 2, True, -1.5, 0, "a", [0.1], x[:2]):
        make(c, x, method_)
    for weights in (w, w[None], w[:3], 2.0, w * 0, -w, jnp.arange(5), w.astype("float16"), None):
        make(c, x, None, weights)
    for data in (x[None], x[:2], jnp.array([3, 1, 4, 1, 5]), jnp.array([True, False, True]), x * 1e3, x[:1], x[:0], 2.0, x[None, None], "a", None):
        make(c, data)
    make(c, x.astype("complex64"))
    make(c, x, bw_method="silverman", weights=w)
    make(c)
    k, other = gaussian_kde(x), gaussian_kde(x[1:] * 2, 0.3, w[:4])
    points = (jnp.array([0, 0.5, -3, 100, 2.25], d), 0.5, 2, True, x[None, :3], x[:0], jnp.array([jnp.nan, jnp.inf, -jnp.inf, 1e30], d), jnp.array([1, 2]), x.astype("float16"),
              x.reshape(5, 1), x[None, None], x.astype("complex64"), None, jnp.arange(-4, 12, 0.5, dtype=d))
    for name in ("evaluate", "pdf", "logpdf"):
        for e in (k, other):
            for p in points if e is k else points[:6]:
                method(c, name, e, p)
    for mean in (0.0, 1, jnp.array([2], d), jnp.array([[1.5]], d), jnp.array(-4, d), x[:2], jnp.array([jnp.nan], d)):
        for cov in (1.0, jnp.array([[2.5]], d)):
            method(c, "integrate_gaussian", k, mean, cov)
    for cov in (0, -10.0, jnp.array([0.5], d), jnp.ones((2, 2), d), 1e6):
        method(c, "integrate_gaussian", other, 0.5, cov)
    for low, high in ((0, 3), (0.0, 3.5), (3, 0), (-jnp.inf, jnp.inf), (jnp.nan, 1.0), (x[0], x[1]), (x[:1], 2.0), (0.0, x[:2]), (-1e30, 1e30), (1.0, 1.0), (50.0, 60.0), (True, 4)):
        method(c, "integrate_box_1d", k, low, high)
        if low is not True:
            method(c, "integrate_box_1d", other, low, high)
    ks = (k, other, gaussian_kde(x * 10), gaussian_kde(x, 0.05), gaussian_kde(x + 30, "silverman", jnp.ones(5, d)))
    for a in ks:
        for b in ks:
            c.record(M + "integrate_kde", [fields(a), fields(b)], {}, lambda: a.integrate_kde(b))
    for seed in (0, 1, 5):
        for shape in ((), (1,), (4,), (30,), (0,)):
            for e in (k, other):
                method(c, "resample", e, jax.random.key(seed), shape)
    method(c, "resample", k, jax.random.PRNGKey(3), (3,))
    method(c, "resample", k, jax.random.key(0), (-1,))
    method(c, "resample", k, 0, (2,))
