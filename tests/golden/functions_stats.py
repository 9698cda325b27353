"""Calls of scipy.stats: see functions.py."""
import jax.numpy as jnp
import numpy as np
from mpmath import mp

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
            types(c, n, x, shapes)
    for m in "logpdf logcdf logsf cdf sf".split():
        tails = f(-5, 5) if m.startswith("log") and m != "logpdf" else f(-40, -20, -5, 5, 20, 40)
        c.call("scipy.stats.norm." + m, tails)
        c.vjp("scipy.stats.norm." + m, tails) if m != "cdf" else None
    far_tails(c, f)
    c.call("scipy.stats.norm.ppf", f(1e-6, 1e-3, 0.999))
    t = "scipy.stats.truncnorm."
    c.call(t + "logpdf", f(2, 50, 0), f(1, 40, 1), f(3, 60, -1))
    c.tolerance("scipy.stats.poisson.entropy", 2000, 50)
    entropies(c, f)
    for m in ("pmf", "logpmf"):
        n = "scipy.stats.multinomial." + m
        c.tolerance(n, 200, 50)
        p, k = f(0.2, 0.5, 0.3), jnp.array([1, 2, 0])
        for x, count in ((k, 3), (k, 4), (f(1, 2, 0), 3), (k, jnp.array([3, 4])), (k, 3.5), (k, "a"), (k[:2], 3), (jnp.array([-1, 4, 0]), 3), (jnp.array([], "int32"), 0)):
            c.call(n, x, count, p)
        several = f(0.15, 0.027) if m == "pmf" else f(float(mp.log(mp.mpf("0.15"))), float(mp.log(mp.mpf("0.027"))))
        c.expect(several, n, jnp.array([[1, 2, 0], [0, 0, 3]]), 3, p)  # JAX asks for the sum of all
        c.expect(ValueError, n, k[0], 3, p)  # there is nothing to sum
        for q in (f(1, 0, 0), f(np.nan, 0.5, 0.5), f(0.5, 0.5), p.astype("float16"), p.astype("bfloat16"), f(0.2, 0.5, 0.3).reshape(1, 3), jnp.array([1, 0, 0])):
            c.call(n, k, 3, q)
    for m in ("pdf", "logpdf"):
        n = "scipy.stats.dirichlet." + m
        c.tolerance(n, 200, 50)
        alpha = f(1, 2, 3)
        for x in (f(0.2, 0.5, 0.3), f(0.2, 0.5), f(0.2, 0.5, 0.5), f(0.2), f(1, 0, 0), f(-0.2, 0.9, 0.3), f(np.nan, 0.5, 0.5), f(0.2, 0.5, 0.3).astype("float16"), jnp.array([1, 0, 0]), "a", f(0.2)[0],
                  f(0.2, 0.1, 0.5, 0.8, 0.3, 0.1).reshape(3, 2)):
            c.call(n, x, alpha)
        for a in (jnp.ones((2, 2), d), f(1, -1, 2), f(1, np.nan, 2), jnp.array([1, 2, 3]), f(), f(2)[0]):
            c.call(n, f(0.2, 0.5, 0.3), a)
        c.vjp(n, f(0.2, 0.5, 0.3), alpha, argnums=(1,))
        c.without("scipy.stats.multivariate_normal." + m, "it waits for linear algebra")


def types(c, n, x, shapes):
    """Other types of the operands, NaN in each, parameters outside of their range."""
    for t in ("bfloat16", "float16"):
        c.call(n, x.astype(t), *[s.astype(t) for s in shapes])
    c.call(n, x.astype("complex64"), *shapes)
    c.call(n, x.reshape(2, 2), *[s[:2] for s in shapes])
    c.call(n, x, *[s[:3] for s in shapes]) if shapes else c.call(n, x, x[:3])
    c.call(n, x, *shapes[:-1]) if shapes else c.call(n)
    for i in range(len(shapes)):
        with_nan(c, n, i, x, *[s * np.nan if i == j else s for j, s in enumerate(shapes)])
        c.call(n, x, *[-s if i == j else s for j, s in enumerate(shapes)])
    with_nan(c, n, -1, x * np.nan, *shapes)


# Where JAX has a number for a NaN, which is -1 for the point, else the number of the parameter.
LOSES_NAN = {("gamma.pdf", -1), ("gamma.logpdf", -1), ("uniform.cdf", -1), ("binom.pmf", -1), ("binom.logpmf", -1), ("binom.pmf", 0), ("binom.logpmf", 0)}
LOSES_NAN |= {("truncnorm." + m, i) for m, i in (("cdf", -1), ("logcdf", -1), ("sf", -1), ("logsf", -1), ("cdf", 0), ("logcdf", 0), ("sf", 1), ("logsf", 1))}


def with_nan(c, n, which, x, *shapes):
    if (n.removeprefix("scipy.stats."), which) in LOSES_NAN:
        c.expect(x * np.nan, n, x, *shapes)
    else:
        c.call(n, x, *shapes)


def far_tails(c, f):
    """JAX's series of the normal distribution's logarithm has three terms, right to 11 digits at 20; here by mpmath."""
    mp.dps = 40
    log_cdf = lambda t: mp.log(mp.erfc(-mp.mpf(t) / mp.sqrt(2)) / 2)
    slope = lambda t: mp.exp(-mp.mpf(t) ** 2 / 2 - log_cdf(t)) / mp.sqrt(2 * mp.pi)
    tails = (-40, -20, 20, 40)
    for m, sign in (("logcdf", 1), ("logsf", -1)):
        c.expect(f(*[float(log_cdf(sign * t)) for t in tails]), "scipy.stats.norm." + m, f(*tails))
        c.expect([f(*[sign * 0.25 * (i + 1) * float(slope(sign * t)) for i, t in enumerate(tails)])], "vjp 0 1 scipy.stats.norm." + m, f(*tails))


def entropies(c, f):
    n = "scipy.stats.poisson.entropy"
    c.tolerance(n, 2000, 50)
    rates = (0.5, 5, 50, 500)  # JAX approximates: 8 digits at 5
    mp.dps = 40
    log_pmf = lambda mu, k: k * mp.log(mu) - mu - mp.loggamma(k + 1)
    c.expect(f(*[float(-mp.fsum(mp.exp(log_pmf(mu, k)) * log_pmf(mu, k) for k in range(int(3 * mu) + 60))) for mu in rates]), n, f(*rates))
    for mu in (f(0, 0.5, -1), f(np.nan), f(), f(0.5)[0], f(0.3, 0.7).reshape(2, 1), 2, 0.5, jnp.array([1, 2]), jnp.array([1, 2], "bfloat16"), jnp.array([1, 2], "float16"), "a", 1j, True, None):
        c.call(n, mu)
    c.call(n)
    c.call(n, f(0.5, 2), 1)
    c.call(n, f(0.5, 2), loc=f(1, 2, 3))
