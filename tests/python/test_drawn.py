"""Functions of the table beside JAX in one process, on drawn values: plainly, under vmap and its derivative. What the arguments are is taken
from the golden calls (tests/golden/functions_*.py), whose arrays are drawn anew between their smallest and their largest element.
One example for every third function, by COTAN_FUZZ_SEED; COTAN_FUZZ=N: N examples for each."""
import importlib
import os
import zlib

import jax
import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

import both
import cotan
import test_parity
from test_parity import AREAS, SEED, functions

EXAMPLES = int(os.environ.get("COTAN_FUZZ", 1))
LEFT_OUT = {
    "lax.shape_as_value": "JAX returns an array of NumPy's",
    "scipy.special.expi": "JAX gives NaN at 0",
    "scipy.special.owens_t": "JAX's has three digits for narrow numbers",
    "scipy.stats.nbinom.logpmf": "outside of its parameters JAX's formula gives any number",
}
# Samplers by rejection agree in distribution: their types are compared.
SAMPLERS = {f"random.{n}" for n in "beta binomial chisquare dirichlet f gamma loggamma multinomial poisson t".split()}


class Calls(functions.Cases):
    """The golden calls that have a value, by function."""

    def __init__(self, area):
        super().__init__(area, False)
        self.found, self.wrong = {}, set()
        importlib.import_module(f"functions_{area}").cases(self)

    def expect(self, result, name, *args, **kwargs):
        self.wrong.add(name)

    def record(self, head, args, kwargs, answer, then=None):
        call = "\t".join([head, functions.text(list(args)), functions.text(kwargs) if kwargs else ""])
        name = head.split()[-1]
        if then is None and not self.known.get((False, call), "!").startswith("!") and f"without {name}" not in self.heads:
            self.found.setdefault(name, []).append((head, args, kwargs))


def collect():
    found = {}
    for area in AREAS:
        if area == "kde":  # methods, of estimates whose arrays belong together
            continue
        calls = Calls(area)
        for name, templates in calls.found.items():
            ulps, absolute = map(float, calls.heads.get("~ " + name, "2 0").split())
            found[name] = templates, 4 * ulps + 16, 4 * absolute + 4, f"eager {name}" not in calls.heads
    return found


FUNCTIONS = collect()


def drawn(random, v):
    """An argument with other elements: between its smallest and largest finite ones, sorted if they are."""
    if isinstance(v, (list, tuple)) and not hasattr(v, "_fields"):
        return type(v)(drawn(random, i) for i in v)
    if not isinstance(v, jax.Array) or not v.size or v.ndim == 0 and getattr(v, "weak_type", False) or jax.dtypes.issubdtype(v.dtype, jax.dtypes.prng_key):
        return v
    x = np.asarray(v)
    if x.dtype == bool:
        made = random.random(x.shape) < 0.5
    elif x.dtype.kind in "iu":
        made = random.integers(x.min(), x.max(), x.shape, endpoint=True, dtype=x.dtype)
    else:
        parts = [p.astype(np.float64) for p in ((x.real, x.imag) if x.dtype.kind == "c" else (x,))]
        parts = [random.uniform(*(lambda f: (f.min(), f.max()) if f.size else (0, 1))(p[np.isfinite(p)]), x.shape) for p in parts]
        made = (parts[0] + 1j * parts[1] if len(parts) == 2 else parts[0]).astype(x.dtype)
    if x.ndim == 1 and x.size > 2 and x.dtype.kind != "c" and (np.diff(x.astype(np.float64)) >= 0).all():
        made.sort()
    return jax.numpy.asarray(made)


def first_array(args):
    return next((i for i, a in enumerate(args) if isinstance(a, jax.Array) and a.ndim and a.size and not getattr(a, "weak_type", False)), None)


def attempt(f, *args, **kwargs):
    try:
        return f(*args, **kwargs)
    except Exception as error:  # noqa: BLE001
        return error


def compare(name, head, args, kwargs, mode, ulps, absolute):
    code = f"{mode} {head} {functions.text(list(args))} {functions.text(kwargs)}"
    given, named = [test_parity.ours(a) for a in args], {k: test_parity.ours(v) for k, v in kwargs.items()}
    theirs, ours = functions.find(name), test_parity.find(name)
    plain, plain_named = functions.plain(list(args)), functions.plain(kwargs)
    if mode == "vjp":
        _, numbers, order, _ = head.split(" ")
        numbers = [int(n) for n in numbers.split(",")]
        got = attempt(derivative, cotan, ours, given, named, numbers)
        want = attempt(derivative, jax, theirs, plain, plain_named, numbers)
    elif mode == "vmap":
        i = first_array(args)
        got = attempt(mapped, cotan, ours, given, named, i)
        want = attempt(mapped, jax, theirs, plain, plain_named, i)
        if isinstance(got, Exception) and isinstance(want, Exception):
            return  # of functions whose results depend on values; plain calls compare the classes
    else:
        got, want = attempt(ours, *given, **named), attempt(theirs, *plain, **plain_named)
    if name in SAMPLERS:
        got, want = ([(v.shape, str(v.dtype)) for v in jax.tree.leaves(x) if hasattr(v, "dtype")] if not isinstance(x, Exception) else x
                     for x in (package.tree.leaves(x) if not isinstance(x, Exception) else x for package, x in ((cotan, got), (jax, want))))
    both.check(got, want, code, ulps, absolute=absolute)


def mapped(package, f, args, kwargs, i):
    """f mapped over the i-th argument and its reverse, or twice it where it is sorted."""
    def g(x):
        return f(*args[:i], x, *args[i + 1:], **kwargs)
    x = args[i]
    is_sorted = x.ndim == 1 and not np.iscomplexobj(x) and (np.sort(np.asarray(x)) == np.asarray(x)).all()
    return package.vmap(g)(package.numpy.stack([x, x if is_sorted else x[::-1]]))


def derivative(package, f, args, kwargs, numbers):
    """The cotangents of arguments, those of the results being 0.25, 0.5, ... 1.75, 0.25, ..."""
    def of(*x):
        a = list(args)
        for n, v in zip(numbers, x):
            a[n] = v
        return [v for v in package.tree.leaves(f(*a, **kwargs)) if hasattr(v, "dtype") and package.numpy.issubdtype(v.dtype, package.numpy.inexact)]
    out, pull = package.vjp(of, *(package.numpy.asarray(args[n]) for n in numbers))
    return list(pull([package.numpy.asarray(((np.arange(v.size) % 7 + 1) * 0.25).reshape(v.shape)).astype(v.dtype) for v in out]))


def chosen():
    """All functions if many examples are wanted, else every third."""
    names = sorted(FUNCTIONS)
    return names if "COTAN_FUZZ" in os.environ else [n for n in names if zlib.crc32(f"{n} {SEED}".encode()) % 3 == 0]


@pytest.mark.parametrize("name", chosen())
def test_function(name):
    if name in LEFT_OUT:
        pytest.skip(LEFT_OUT[name])
    templates, ulps, absolute, traceable = FUNCTIONS[name]

    @seed(SEED)
    @settings(max_examples=EXAMPLES, deadline=None, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @given(st.data())
    def run(data):
        random = np.random.default_rng([zlib.crc32(f"{name} {SEED}".encode()), data.draw(st.integers(0, 2 ** 32 - 1), label="seed")])
        head, args, kwargs = templates[random.integers(len(templates))]
        mapped = random.random() < 0.5 and traceable and first_array(args) is not None
        mode = "vjp" if head.startswith("vjp") else "vmap" if mapped else "call"
        compare(name, head, [drawn(random, a) for a in args], kwargs, mode, ulps, absolute)

    with jax.enable_x64(False):
        run()
