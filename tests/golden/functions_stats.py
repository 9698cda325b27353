"""Calls of scipy.stats: see functions.py."""
import jax.numpy as jnp
import numpy as np

LOC_SCALE = ("norm", "cauchy", "expon", "gumbel_l", "gumbel_r", "laplace", "logistic", "uniform")
METHODS = {"norm": "pdf logpdf cdf logcdf sf logsf ppf isf", "cauchy": "pdf logpdf cdf logcdf sf logsf ppf isf",
           "expon": "pdf logpdf cdf logcdf sf logsf ppf", "gumbel_l": "pdf logpdf cdf logcdf sf logsf ppf",
           "gumbel_r": "pdf logpdf cdf logcdf sf logsf ppf", "laplace": "pdf logpdf cdf", "logistic": "pdf logpdf cdf sf ppf isf",
           "uniform": "pdf logpdf cdf ppf", "gamma": "pdf logpdf cdf logcdf sf logsf", "chi2": "pdf logpdf cdf logcdf sf logsf",
           "beta": "pdf logpdf cdf logcdf sf logsf", "pareto": "pdf logpdf cdf logcdf sf logsf ppf", "t": "pdf logpdf",
           "truncnorm": "pdf logpdf cdf logcdf sf logsf", "gennorm": "pdf logpdf cdf", "vonmises": "pdf logpdf",
           "wrapcauchy": "pdf logpdf", "bernoulli": "pmf logpmf cdf ppf", "binom": "pmf logpmf", "betabinom": "pmf logpmf",
           "nbinom": "pmf logpmf", "geom": "pmf logpmf", "poisson": "pmf logpmf cdf"}
# Shape parameters, and points inside and outside of the support.
SHAPES = {"gamma": [(2.5, 0.7, 6, 1)], "chi2": [(2.5, 1, 6, 4)], "beta": [(2.5, 0.7, 3, 1), (1.5, 2, 0.8, 4)], "pareto": [(2, 0.7, 3, 1)],
          "t": [(2.5, 1, 10, 4)], "truncnorm": [(-1, -2, 0.5, -3), (1, 2, 3, -1)], "gennorm": [(2, 1.5, 0.8, 3)],
          "vonmises": [(2, 0.5, 4, 1)], "wrapcauchy": [(0.2, 0.5, 0.8, 0.1)], "bernoulli": [(0.3, 0.5, 0.9, 0.2)],
          "binom": [(5, 3, 7, 4), (0.3, 0.5, 0.9, 0.2)], "betabinom": [(5, 3, 7, 4), (2.5, 0.7, 3, 1), (1.5, 2, 0.8, 4)],
          "nbinom": [(5, 3, 7, 4), (0.3, 0.5, 0.9, 0.2)], "geom": [(0.3, 0.5, 0.9, 0.2)], "poisson": [(0.3, 2.5, 6, 4)]}
POINTS = {"gamma": (0.5, 1.2, 4, 2), "chi2": (0.5, 1.2, 4, 2), "beta": (0.1, 0.5, 0.9, 0.3), "pareto": (1.5, 1.2, 4, 2),
          "truncnorm": (0.1, 0.5, 1.9, -2.5), "vonmises": (0.5, -1, 3, 0), "wrapcauchy": (0.5, 1, 3, 6)}


def cases(c):
    d = "float64" if c.x64 else "float32"
    f = lambda *v: jnp.array(v, d)
    for name, methods in METHODS.items():
        shapes = [f(*s) for s in SHAPES.get(name, [])]
        discrete = "pmf" in methods.split()
        scaled = name in LOC_SCALE or name in ("gamma", "chi2", "beta", "pareto", "t", "truncnorm")
        for m in methods.split():
            n = f"scipy.stats.{name}.{m}"
            c.tolerance(n, 2000 if c.x64 else 200, 50)  # JAX's own error where lgamma cancels; ours is less
            if m in ("ppf", "isf"):
                x, outside = f(0.1, 0.5, 0.9, 0.3), f(-0.1, 1.1, np.nan, 0.25)
            elif discrete:
                x, outside = f(1, 0, 2, 3) if name != "bernoulli" else f(1, 0, 0, 1), f(-1, 30, 2, 1)
            else:
                x, outside = f(*POINTS.get(name, (0.5, -1.2, 4, 0.25))), f(-50, 50, -0.25, 0.75)
            c.call(n, x, *shapes)
            c.call(n, outside, *shapes) if name != "cauchy" or m not in ("ppf", "isf") else None  # JAX takes what is no probability
            c.call(n, x[:, None], *[s[:2] for s in shapes])
            c.call(n, x[0], *[s[0] for s in shapes])
            c.call(n, f(), *[s[0] for s in shapes])
            if scaled:
                c.call(n, x, *shapes, 0.25, 2)
                c.call(n, x, *shapes, loc=f(0.5), scale=f(1, 2, 3, 0.5))
            elif discrete and m in ("pmf", "logpmf"):
                c.call(n, x, *shapes, 1)
            # At 1 the quantile is infinite; JAX refuses integers there, has a large number, or NaN.
            if name not in ("norm", "cauchy", "gumbel_l", "gumbel_r") or m not in ("ppf", "isf"):
                c.call(n, *([1] + [1] * len(shapes)) if name != "truncnorm" else (0.5, -1.0, 1.0))
            c.call(n, x, *shapes[:-1], "a")
            if not discrete and name != "beta" and not (name.startswith("gumbel") and m == "ppf"):
                c.vjp(n, x, *shapes)
            if name == "norm":
                c.call(n, jnp.array([1, 0], "bfloat16"))
    tails = f(-40, -20, -5, 5, 20, 40)
    for m in "logpdf logcdf logsf cdf sf".split():
        c.call("scipy.stats.norm." + m, tails)
        c.vjp("scipy.stats.norm." + m, tails) if m != "cdf" else None
    c.call("scipy.stats.norm.ppf", f(1e-6, 1e-3, 0.999))
    t = "scipy.stats.truncnorm."
    c.call(t + "logpdf", f(2, 50, 0), f(1, 40, 1), f(3, 60, -1))
    c.tolerance("scipy.stats.poisson.entropy", 2000, 50)
    c.call("scipy.stats.poisson.entropy", f(0, 0.5, 5, 50, 500, -1))
    for m in ("pmf", "logpmf"):
        n = "scipy.stats.multinomial." + m
        c.tolerance(n, 200, 50)
        c.call(n, jnp.array([1, 2, 0]), 3, f(0.2, 0.5, 0.3))
        c.call(n, jnp.array([1, 2, 0]), 4, f(0.2, 0.5, 0.3))
        c.call(n, f(1, 2, 0), 3, f(0.2, 0.5, 0.3))
    for m in ("pdf", "logpdf"):
        n = "scipy.stats.dirichlet." + m
        c.tolerance(n, 200, 50)
        c.call(n, f(0.2, 0.5, 0.3), f(1, 2, 3))
        c.call(n, f(0.2, 0.5), f(1, 2, 3))
        c.call(n, f(0.2, 0.5, 0.5), f(1, 2, 3))
        c.call(n, f(0.2), f(1, 2, 3))
        c.call(n, f(0.2), jnp.ones((2, 2), d))
        c.without("scipy.stats.multivariate_normal." + m, "it waits for linear algebra")
