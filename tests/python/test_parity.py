"""The calls of tests/golden/functions_*.py through Python: JAX's recorded answers are the right ones, in value, dtype, weak type, shape, container
and class of exception; derivatives too. A part of them by default, the same one unless COTAN_FUZZ_SEED draws
another; COTAN_PARITY=1 takes all."""
import importlib
import os
import random
import re
import sys
from pathlib import Path

import numpy as np
import pytest

GOLDEN = Path(__file__).parent.parent / "golden"
sys.path.insert(0, str(GOLDEN))
import functions  # noqa: E402  (it sets JAX's flags)
import jax  # noqa: E402

import cotan  # noqa: E402

AREAS = sorted(p.stem.removeprefix("functions_") for p in GOLDEN.glob("functions_*.py"))
SEED = int(os.environ.get("COTAN_FUZZ_SEED", 0))
PART = float(os.environ.get("COTAN_PARITY", "0.03"))
ARRAY = re.compile(r"([a-z0-9_]+(?:<\w+>)?)(\*?)\[([\d,]*)\]\{([^}]*)\}")
DTYPES = {"f": "float", "u": "uint", "i": "int", "c": "complex"}


class Expected:
    """An array as the golden files write it."""

    def __init__(self, dtype, weak, shape, words):
        self.dtype = dtype if dtype in ("bool", "float0") or "<" in dtype else "bfloat16" if dtype == "bf16" else DTYPES[dtype[0]] + dtype[1:]
        self.weak, self.shape, self.words = weak, shape, words

    def values(self):
        n = int(np.prod(self.shape))
        words = self.words * n if len(self.words) == 1 and n > 1 else self.words
        if self.dtype == "bool":
            return np.array([w == "True" for w in words], bool).reshape(self.shape)
        if self.dtype.startswith("complex"):
            return np.array([complex(w.replace("(", "").replace(")", "")) for w in words], "complex128").reshape(self.shape)
        if "int" in self.dtype:
            return np.array([int(w) for w in words], self.dtype).reshape(self.shape)
        return np.array([float(w) for w in words], "float64").reshape(self.shape)


def parse(text):
    """The value that a golden file's answer stands for."""
    arrays = []

    def replace(match):
        shape = tuple(int(n) for n in match[3].split(",") if n)
        arrays.append(Expected(match[1], match[2] == "*", shape, match[4].split()))
        return f"A({len(arrays) - 1})"

    text = ARRAY.sub(replace, text)
    text = re.sub(r"@[\w.]+", lambda m: repr(m[0]), text)
    names = {"A": arrays.__getitem__, "nan": float("nan"), "inf": float("inf"), "nanj": complex(0, float("nan")), "infj": complex(0, float("inf"))}
    names |= {n: np.dtype(n) for n in "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split()}
    names |= {"bfloat16": "bfloat16", "float0": "float0"}
    return eval(text, names)


def ours(v):
    """An argument for Cotan, of one for JAX."""
    if isinstance(v, functions.Named):
        return find(v.name)
    if isinstance(v, functions.Kind):
        return getattr(cotan.numpy, v)
    if isinstance(v, (list, tuple)) and not hasattr(v, "_fields"):
        return type(v)(map(ours, v))
    if hasattr(v, "_fields"):
        return getattr(cotan.lax, type(v).__name__)(*map(ours, v))
    if isinstance(v, dict):
        return {k: ours(i) for k, i in v.items()}
    if isinstance(v, jax.Array):
        if getattr(v, "weak_type", False):
            return cotan._cotan.convert(cotan.numpy.asarray(np.asarray(v)), v.dtype, True)
        if jax.dtypes.issubdtype(v.dtype, jax.dtypes.prng_key):
            return cotan.random.wrap_key_data(np.asarray(jax.random.key_data(v)), impl=str(jax.random.key_impl(v)))
        return cotan.numpy.asarray(np.asarray(v))
    if type(v).__module__.startswith("jax") and hasattr(v, "name"):  # enums
        return getattr(getattr(cotan.lax, type(v).__name__), v.name)
    if isinstance(v, type) and type(v).__name__ == "_ScalarMeta":
        return getattr(cotan.numpy, v.__name__)
    return v


def of_kde(method):
    """gaussian_kde and its methods, with the estimate as the tuple of its fields."""
    kde = cotan.scipy.stats.gaussian_kde
    if method == "gaussian_kde":
        return lambda *args, **kwargs: kde(*args, **kwargs).tree_flatten()[0]
    whole = lambda v: kde.tree_unflatten(None, v) if isinstance(v, tuple) and len(v) == 5 else v
    return lambda *args: getattr(kde, method)(*map(whole, args))


def find(name):
    if name.startswith("scipy.stats.gaussian_kde"):
        return of_kde(name.rpartition(".")[2])
    parts = name.split(".")
    for cut in range(len(parts) - 1, 0, -1):
        try:
            f = importlib.import_module("cotan." + ".".join(parts[:cut]))
            break
        except ImportError:
            pass
    for part in parts[cut:]:
        f = getattr(f, part)
    return f


def check(got, want, ulps, absolute, where):
    if isinstance(want, Expected):
        assert hasattr(got, "dtype") and hasattr(got, "shape"), f"{where}: got {got!r}, JAX {want.dtype}{want.shape}"
        name = "float0" if getattr(got.dtype, "names", None) else str(got.dtype)
        assert (name, got.shape) == (want.dtype, want.shape), f"{where}: got {name}{got.shape}, JAX {want.dtype}{want.shape}"
        assert name == "bool" or bool(getattr(got, "weak_type", False)) == want.weak, f"{where}: weak type {not want.weak}"
        if name == "float0" or "<" in name:
            return
        g, w = np.asarray(got), want.values()
        if "int" in name or name == "bool":
            assert (g == w).all(), f"{where}: got {g}, JAX {w}"
            return
        eps = {"bfloat16": 2.0**-7, "float16": 2.0**-10, "float32": 2.0**-23, "complex64": 2.0**-23}.get(name, 2.0**-52)
        w = w.astype(g.dtype).astype(w.dtype)  # the files round
        g = g.astype("complex128" if "complex" in name else "float64")
        size = np.abs(np.where(np.isfinite(w), w, 0))
        if np.iscomplexobj(w):
            size = np.full(w.shape, size.max(initial=0))
        same = (g == w) | (np.isnan(g) & np.isnan(w)) | (np.abs(g - w) <= (ulps * size + absolute + 1e-30) * eps * 1.01)
        same |= (size < 1e-37) & (np.abs(g) < 1.2e-38)  # denormals, which JAX flushes
        assert same.all(), f"{where}: got {g}, JAX {w}"
    elif isinstance(want, (list, tuple)):
        assert isinstance(got, type(want)) and len(got) == len(want), f"{where}: got {got!r}, JAX a {type(want).__name__} of {len(want)}"
        for i, (g, w) in enumerate(zip(got, want)):
            check(g, w, ulps, absolute, f"{where}[{i}]")
    elif isinstance(want, float) and isinstance(got, float):
        assert got == want or got != got and want != want or abs(got - want) <= 1e-6 * abs(want), f"{where}: got {got!r}, JAX {want!r}"
    else:
        assert functions.text(got) == functions.text(want) or str(got) == str(want), f"{where}: got {got!r}, JAX {want!r}"


class Parity(functions.Cases):
    """The calls of an area, of which some are made."""

    def __init__(self, area):
        super().__init__(area, False)
        self.draw_part, self.failed, self.made = random.Random(f"{SEED} {area}"), [], 0

    def expect(self, result, name, *args, **kwargs):
        self.record(name, args, kwargs, None)  # the file holds what is right instead

    def record(self, head, args, kwargs, answer, then=None):
        if self.draw_part.random() >= PART:
            return
        call = "\t".join([head, functions.text(list(args)), functions.text(kwargs) if kwargs else ""] + ([functions.text(list(then))] if then is not None else []))
        want = self.known.get((self.x64, call))
        name = head.split()[-1]
        if want is None or name.endswith(("finfo", "iinfo")) or f"without {name}" in self.heads:
            return
        ulps, absolute = map(float, self.heads.get("~ " + name, "2 0").split())
        try:
            self.make(head, args, kwargs, then, want, ulps, absolute)
            self.made += 1
        except AssertionError as error:
            self.failed.append(f"{call}: {error}")

    def make(self, head, args, kwargs, then, want, ulps, absolute):
        with cotan.enable_x64(self.x64):
            given, named = [ours(a) for a in args], {k: ours(v) for k, v in kwargs.items()}
            try:
                if head.startswith("vjp "):
                    _, numbers, order, name = head.split(" ")
                    got = self.derivative(find(name), given, named, [int(n) for n in numbers.split(",")], int(order))
                else:
                    got = find(head)(*given, **named)
                    got = got if then is None else got(*map(ours, then))
            except Exception as error:  # noqa: BLE001
                got = error
            if want.startswith("!") or isinstance(got, Exception):
                have = "!" + functions.class_name(got) if isinstance(got, Exception) else repr(got)
                assert have == want or want == "!" and have.startswith("!"), f"got {have} {got}, JAX {want}"
            else:
                check(got, parse(want), ulps, absolute, "result")

    def derivative(self, f, args, kwargs, argnums, order):
        def of(*x):
            a = list(args)
            for n, v in zip(argnums, x):
                a[n] = v
            leaves = cotan.tree.leaves(f(*a, **kwargs))
            return [v for v in leaves if hasattr(v, "dtype") and v.dtype.name.lstrip("b").startswith(("float", "complex"))]

        def pulled(g):
            def h(*x):
                out, pullback = cotan.vjp(g, *x)
                return list(pullback([cotan.numpy.asarray(((np.arange(v.size) % 7 + 1) * 0.25).reshape(v.shape)).astype(v.dtype) for v in out]))
            return h

        for _ in range(order):
            of = pulled(of)
        return of(*(cotan.numpy.asarray(args[n]) for n in argnums))


@pytest.mark.parametrize("area", AREAS)
def test_area(area):
    parity = Parity(area)
    for x64 in (False, True):
        parity.x64 = x64
        with jax.enable_x64(x64):
            importlib.import_module(f"functions_{area}").cases(parity)
    assert parity.made or PART < 1
    shown = "\n".join(parity.failed[:20])
    assert not parity.failed, f"{len(parity.failed)} of {parity.made + len(parity.failed)} calls (COTAN_FUZZ_SEED={SEED}):\n{shown}"
