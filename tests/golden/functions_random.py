"""Calls of jax.random: see functions.py. Keys of rbg, whose batches are no loops, are in tests/unit/random/. What is drawn by rejection agrees in distribution only; its errors and corners are here, its
distribution in tests/unit/random/."""
import jax
import jax.numpy as jnp
import numpy as np
from functions import ramp

KEY = jax.random.key(7)
RAW = jax.random.PRNGKey(7)
SHAPES = ((), (3,), (2, 3), (0, 2), (5, 1, 2))
FORMULAS = "exponential laplace logistic cauchy gumbel maxwell".split()
REJECTION = "gamma loggamma beta dirichlet chisquare t f generalized_normal ball poisson binomial multinomial"


def keys(c):
    for seed in (0, 1, -1, 5, 2**31 - 1, -2**31, 2**31, 2**32 + 5, 2**40 + 7, -2**40, True, jnp.uint8(200), jnp.int8(-2), jnp.int32(3),
                 np.array(9, "int16"), jnp.uint32(2**32 - 1), 1.5, jnp.arange(2), jnp.float32(1)):
        c.call("random.key", seed)
        c.call("random.PRNGKey", seed)
    for impl in ("threefry2x32", "rbg", "unsafe_rbg", "nothing"):
        c.call("random.key", 3, impl=impl)
        c.call("random.key", -3, impl=impl)
        c.call("random.PRNGKey", 3, impl=impl)
        c.call("random.wrap_key_data", jnp.arange(8, dtype="uint32").reshape(2, 4), impl=impl)
        c.call("random.wrap_key_data", jnp.arange(4, dtype="uint32").reshape(2, 2), impl=impl)
    for x in (KEY, RAW, jax.random.split(KEY, 3), jax.random.split(RAW, 3), jnp.ones(2), jnp.uint32(1),
              jnp.ones(3, "uint32"), jnp.ones(2, "int32"), 3, None, "a"):
        c.call("random.key_data", x)
        c.call("random.clone", x)
        c.call("random.split", x)
        c.call("random.split", x, 3)
        c.call("random.split", x, (2, 2))
        c.call("random.split", x, (1,))
        c.call("random.fold_in", x, 5)
        c.call("random.wrap_key_data", x)
        for d in ("uint8", "uint16", "uint32", "uint64", "int32", "float32"):
            c.call("random.bits", x, (5,), d)
        c.call("random.bits", x)
        c.call("random.bits", x, (2, 3))
        c.call("random.bits", x, (0,))
    for data in (0, 1, jnp.int32(-3), jnp.uint8(7), True, 1.5, jnp.arange(3), jnp.float32(2.7)):
        c.call("random.fold_in", KEY, data)
        c.call("random.fold_in", RAW, data)
    c.without("random.key_impl", "its result is text")
    c.without("random.key_dtype", "its result is a dtype of keys")


def formulas(c):
    c.tolerance("random.uniform random.triangular random.rayleigh", 2, 1)
    c.tolerance("random.normal random.exponential random.laplace random.logistic random.gumbel random.maxwell "
                "random.pareto random.weibull_min", 4, 2)
    c.tolerance("random.lognormal", 16, 4)
    c.tolerance("random.truncated_normal random.wald random.double_sided_maxwell", 16, 16)
    c.tolerance("random.cauchy", 40, 8)
    for name in FORMULAS + ["uniform", "normal", "rademacher"]:
        for d in c.inexact + ["int32", "bool", "uint8"]:
            c.call(f"random.{name}", KEY, (6,), d)
        for s in SHAPES:
            c.call(f"random.{name}", KEY, s)
        c.call(f"random.{name}", RAW, (3,))
        c.call(f"random.{name}", jax.random.split(KEY), (3,))
        c.call(f"random.{name}", 3, (3,))
    for d in c.floats:
        for mode in ("high", "low", None, "other"):
            c.call("random.gumbel", KEY, (6,), d, mode)
        for p in (0.0, 0.3, 1.0, float("nan"), 1e-8):
            for mode in ("high", "low", "other"):
                c.call("random.bernoulli", KEY, jnp.asarray(p, d), (9,), mode)
    f = "float64" if c.x64 else "float32"
    for low, high in ((0, 1), (-2.5, 3), (2, 1), (float("nan"), 1), (0, float("inf")), (ramp(f, (3,)), 10), (ramp(f, (2, 1)), ramp(f, (1, 3))),
                      (ramp(f, (4,)), 1), (jnp.float16(0.5), 2), (jnp.int32(1), 2), (-1e38, 1e38), (True, 2)):
        for d in c.floats:
            c.call("random.uniform", KEY, (2, 3), d, low, high)
        c.call("random.uniform", KEY, (2, 3), minval=low, maxval=high)
        c.call("random.truncated_normal", KEY, low, high)
        c.call("random.truncated_normal", KEY, low, high, (2, 3))
    for low, high in ((-1., 1.), (1., 1.), (-np.inf, np.inf), (0., np.inf)):
        for d in c.floats:
            c.call("random.truncated_normal", KEY, low, high, (5,), d)
    for p in (0.5, 0.0, 1.0, jnp.array([0.1, 0.9, 0.5], f), ramp(f, (2, 3)), 1, jnp.array([True]), 1j):
        c.call("random.bernoulli", KEY, p)
        for shape in ((), (3,), (2, 3), (2,)):
            c.call("random.bernoulli", KEY, p, shape)
    positive = (1., 2., 0.5, 2, True, jnp.array([0.5, 1, 3], f), jnp.float16(1.5), jnp.int32(2), jnp.array([0, -1, np.nan, np.inf, 1e-30, 1e30], f),
                jnp.ones((2, 1), f), jnp.zeros((0,), f))
    for name in "rayleigh pareto wald geometric lognormal".split():
        for v in positive + (1 + 1j,):
            c.call(f"random.{name}", KEY, v)
        for shape in ((), (3,), (2, 3), (2,), (-1,)):
            c.call(f"random.{name}", KEY, jnp.array([0.5, 1, 3], f), shape)
            c.call(f"random.{name}", KEY, 0.4, shape)
        for d in c.dtypes:
            c.call(f"random.{name}", KEY, 0.4, (4,), d)
    for a, b in ((1., 2.), (2, 3), (jnp.array([0.5, 1, 3], f), 2.), (0., 1.), (jnp.float16(1.5), 1), (1., jnp.ones((2, 1), f))):
        for shape in ((), (3,), (2, 3)):
            c.call("random.double_sided_maxwell", KEY, a, b, shape)
            c.call("random.weibull_min", KEY, a, b, shape)
            c.call("random.triangular", KEY, 0, a, b, shape)
        c.call("random.triangular", KEY, -1, a, b)
    for d in c.floats + ["int32"]:
        c.call("random.double_sided_maxwell", KEY, 1, 2, (3,), d)
        c.call("random.weibull_min", KEY, 1, 2, (3,), d)
        c.call("random.triangular", KEY, 0, 1, 2, (3,), d)


def integers(c):
    for d in [d for d in c.dtypes if "int" in d]:
        i = jnp.iinfo(d)
        for low, high in ((0, 10), (i.min, i.max), (3, 3), (5, 2), (0, 1), (0, i.max), (i.min, 0)):
            c.call("random.randint", KEY, (7,), low, high, d)
            c.call("random.randint", KEY, (7,), jnp.asarray(low, d), jnp.asarray(high, d), d)
    for d in ("int8", "uint8", "int16"):
        c.call("random.randint", KEY, (7,), -500, 500, d)
        c.call("random.randint", KEY, (7,), jnp.int32(-5), jnp.int32(300), d)
    for low, high in ((0.5, 5.7), (False, True), (jnp.zeros(3, "int32"), 5), (jnp.zeros((2, 1), "int32"), jnp.arange(1, 4)), (jnp.uint8(3), 300)):
        for shape in ((), (3,), (2, 3)):
            c.call("random.randint", KEY, shape, low, high)
    for d in ("float32", "bool", "complex64"):
        c.call("random.randint", KEY, (3,), 0, 5, d)


def rejection(c):
    f = "float64" if c.x64 else "float32"
    names = REJECTION.split()
    c.tolerance(" ".join("random." + n for n in names), 4)
    edges = {"gamma": [0., -1., np.nan, np.inf], "loggamma": [0., -1., np.nan], "poisson": [0., -1., np.nan], "chisquare": [0., np.nan]}
    for name, values in edges.items():
        for v in values:
            c.call(f"random.{name}", KEY, v, (3,))
            c.call(f"random.{name}", KEY, jnp.full((2,), v, f))
    for n, p in ((0., 0.5), (-1., 0.5), (np.nan, 0.5), (10., 0.), (10., 1.), (10., 1.5), (10., -0.5), (10., np.nan)):
        c.call("random.binomial", KEY, n, p, (3,))
        c.call("random.binomial", KEY, jnp.full((2,), n, f), jnp.full((2,), p, f))
    for d in c.floats:
        c.call("random.gamma", KEY, 0, (2,), d)
        c.call("random.binomial", KEY, 7, 1, (2,), d)
        c.call("random.multinomial", KEY, 7, jnp.array([0., 1., 0.], f), dtype=d)
    for d in [d for d in c.dtypes if "int" in d]:
        c.call("random.poisson", KEY, 0, (2,), d)
    for p in (jnp.array([0., 1., 0.], f), jnp.array([[1., 0.], [0., 1.]], f), jnp.zeros(3, f)):
        for n in (5, 0, 7.):
            c.call("random.multinomial", KEY, n, p)
    c.call("random.multinomial", KEY, 5, 1.)
    c.call("random.multinomial", KEY, 5, jnp.ones(0, f))
    three = jnp.ones(3, f)
    for name in names:
        two = name in ("beta", "f", "binomial")
        args = (three, three) if two else (three,)
        if name == "ball":
            for a in ((0,), (-1,), (2, 2, (-3,)), (2, 2, (), "int32"), (0, 2, (3,))):
                c.call("random.ball", KEY, *a)
            continue
        for bad in ((2,), (), (-1,), (2, 2)):
            if name == "multinomial":
                c.call("random.multinomial", KEY, 5, three, shape=bad)
            elif name != "dirichlet" and (name != "poisson" or bad != (-1,)) or name == "dirichlet" and bad == (-1,):
                c.call(f"random.{name}", KEY, *args, bad)
        if name == "multinomial":
            continue
        c.call(f"random.{name}", jax.random.split(KEY), *args)
        c.call(f"random.{name}", 3, *args)
        for d in ("int32", "bool", "complex64", "float32"):
            if (name == "poisson") == (d == "float32"):
                c.call(f"random.{name}", KEY, *args, (0, 3), d)
        c.expect(TypeError, f"random.{name}", KEY, None, *args[1:])  # ValueError where JAX makes a NaN of None
        for a in ("a", jnp.ones(0, f)) + (() if name in ("poisson", "binomial") else (jnp.full(3, np.nan, f),)):  # of those, JAX has numbers
            c.call(f"random.{name}", KEY, a, *args[1:])
        c.call(f"random.{name}", KEY)
    for a in ((2.5,), ("a",), (None,), (2, "a"), (2, 2, (-1,)), (2, 2, (0,)), (0, 1, (2, 0)), (2, 0.5, (0,)), (jnp.int32(2), 2, (0,)), (True, 2, (0,)), (2, 2, (0,), "complex64")):
        c.call("random.ball", KEY, *a)
    c.call("random.ball", jax.random.split(KEY), 2)
    c.call("random.dirichlet", KEY, 1.)
    c.call("random.dirichlet", KEY, jnp.array([0., 0., 1.], f))
    c.call("random.dirichlet", KEY, jnp.ones((3, 4), f), (2,))
    c.without("random.orthogonal random.multivariate_normal", "not there yet")


def cases(c):
    keys(c)
    formulas(c)
    integers(c)
    rejection(c)
