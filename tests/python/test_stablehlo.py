"""StableHLO text, run on XLA: every case of every primitive, programs, and the shapes of what Lowered gives."""
import collections
import os
import re
import subprocess
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
import xla
from test_control import SETUP, Nest

import cotan
import cotan.numpy as jnp
from both import run as evaluate

DTYPES = {"bool": np.bool_, "bf16": ml_dtypes.bfloat16, "f16": np.float16, "f32": np.float32, "f64": np.float64, "c64": np.complex64,
          "c128": np.complex128, "float0": np.bool_, **{f"{k}{n}": np.dtype(f"{k}{n // 8}") for k in "iu" for n in (8, 16, 32, 64)}}

# How far off values may be, in ulps: both sides round their own way. What is not here is exact.
ULPS = collections.defaultdict(int, {name: 4 for name in """
    abs acos acosh asin asinh atan atan2 atanh bessel_i0e bessel_i1e cbrt cos cosh cumlogsumexp cumprod cumsum digamma div dot_general erf erf_inv erfc
    exp exp2 expm1 gamma integer_pow lgamma log log1p logaddexp logistic logit mul polygamma pow reduce_prod reduce_sum rsqrt sign sin sinh sqrt square tan tanh
    xlog1py xlogy zeta""".split()})

# Functions that loop: those of the exponential of a large number lose an ulp for each unit of it; near a zero errors are absolute.
ULPS |= {name: 30 for name in """
    beta_density betaln complex_gamma cosine_integral dawsn erfcx expi expn fresnel_cosine fresnel_sine gamma_density hyp1f1 hyp1f1_grad
    hyp2f1 hyp2f1_grad igamma igamma_grad_a igammac log_beta_density log_gamma_density log_ndtr loggamma ndtri owens_t poch random_binomial random_gamma
    random_gamma_grad random_poisson regularized_incomplete_beta sine_integral spence sph_legendre wofz zeta_grad_x""".split()}
ULPS |= {"bessel_jn": 30, "complex_polygamma": 100}
# Where a series cancels so much that its value is that of its rounding errors.
UNSTABLE = {name: lambda a, b, x: np.abs(a) > 1000 for name in ("hyp1f1", "hyp1f1_grad")}

Case = collections.namedtuple("Case", "name text absent inputs outputs module")


def array(kind, digits):
    dtype, shape = re.fullmatch(r"([\w<>]+)\[([\d,]*)\]", kind).groups()
    shape = tuple(int(n) for n in shape.split(",") if n)
    if dtype.startswith("key"):
        dtype, shape = "u32", (*shape, 2 if "fry" in dtype else 4)
    return np.frombuffer(b"" if digits == "-" else bytes.fromhex(digits), DTYPES[dtype]).reshape(shape)


def cases():
    """What the program stablehlo_cases writes."""
    program = Path(os.environ.get("COTAN_STABLEHLO_CASES") or Path(cotan.__file__).parents[2] / "tests/stablehlo_cases")
    lines = iter(subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines())
    found = collections.defaultdict(list)
    for line in lines:
        kind, _, rest = line.partition(" ")
        if kind == "case":
            name, _, text = rest.partition(" ")
            found[name].append(Case(name, text, [], [], [], []))
            case = found[name][-1]
        elif kind == "absent":
            case.absent.append(rest)
        elif kind == "module":
            while (line := next(lines)) != "end":
                case.module.append(line)
        else:
            {"in": case.inputs, "out": case.outputs}[kind].append(array(*rest.split(" ")))
    return found


CASES = cases()


def plain(x):
    """The numbers in double precision, with denormals of the type as zeros."""
    tiny = float(ml_dtypes.finfo(x.real.dtype).tiny)
    flush = lambda part: np.where(np.abs(part) < tiny, 0, part)  # noqa: E731
    if np.iscomplexobj(x):
        z = np.empty(x.shape, np.complex128)
        z.real, z.imag = flush(x.real.astype(np.float64)), flush(x.imag.astype(np.float64))
        return z
    return flush(x.astype(np.float64))


def distance(got, want, inputs):
    """Differences in ulps of the value; of complex numbers away from zeros and infinities, where XLA has corners of its own."""
    eps = float(ml_dtypes.finfo(want.real.dtype).eps)
    g, w = plain(got), plain(want)
    with np.errstate(all="ignore"):
        far = np.where((g == w) | (np.isnan(g) & np.isnan(w)), 0, np.abs(g - w) / (eps * np.abs(w)))
        far = np.where(np.isnan(far), np.inf, far)
        if np.iscomplexobj(want):
            for x in inputs:
                if x.shape == w.shape and np.iscomplexobj(x):
                    far = np.where((np.abs(x.real * x.imag) > 0) & (np.abs(x) < 100), far, 0)
    return far


def difference(name, got, want, inputs):
    ulps = ULPS[name]
    if got.dtype != want.dtype or got.shape != want.shape:
        return f"{got.dtype}{got.shape} for {want.dtype}{want.shape}"
    if got.dtype.kind in "biu":
        return "" if np.array_equal(got, want) else f"{got} for {want}"
    if ulps == 0:
        size = f"u{got.real.dtype.itemsize}"
        bits = lambda x: np.ascontiguousarray(np.where(np.isnan(x), np.nan, x)).astype(got.dtype).view(size)  # noqa: E731
        got, want = got.copy(), want.copy()
        return "" if np.array_equal(bits(plain(got)), bits(plain(want))) else f"{got} for {want}"
    far = distance(got, want, inputs)
    if name in UNSTABLE:
        far = np.where(UNSTABLE[name](*inputs), 0, far)
    return "" if (far <= ulps).all() else f"{got[far > ulps][:4]} for {want[far > ulps][:4]}, {far.max():.3g} ulp"


def together(modules):
    """One module whose @main calls that of each, with the arguments and the results of all: XLA's time is mostly per module."""
    functions, calls, arguments, results = [], [], [], []
    for k, text in enumerate(modules):
        body = re.sub(r"@(\w+)", rf"@case{k}_\1", text[text.index("\n") + 1:text.rindex("}")]).replace("func.func public", "func.func private")
        functions.append(body)
        taken, given = re.search(rf"@case{k}_main\((.*?)\) -> \((.*?)\) {{", body).groups()
        types = re.findall(r"%\d+: (tensor<.*?>)(?:, (?=%)|$)", taken)
        mine = [f"%a{len(arguments) + i}" for i in range(len(types))]
        made = re.findall(r"tensor<.*?>(?=, tensor|$)", given)
        calls.append(f'%r{k}:{len(made)} = "func.call"({", ".join(mine)}) {{callee = @case{k}_main}} : ({", ".join(types)}) -> ({given})')
        arguments += zip(mine, types)
        results += [(f"%r{k}#{i}", t) for i, t in enumerate(made)]
    signature = ", ".join(f"{n}: {t}" for n, t in arguments)
    types = ", ".join(t for _, t in results)
    returned = f'"func.return"({", ".join(n for n, _ in results)}) : ({types}) -> ()'
    main = [f"func.func public @main({signature}) -> ({types}) {{", *calls, returned, "}"]
    return "\n".join(["module {", *functions, *main, "}"])


@pytest.mark.parametrize("name", sorted(CASES))
def test_primitive(name):
    for c in CASES[name]:
        if c.absent:
            assert f"'{name}' is not implemented: " in c.absent[0]
    written = [c for c in CASES[name] if c.module]
    wrong = []
    for first in range(0, len(written), 25):
        some = written[first:first + 25]
        text = together(["\n".join(c.module) for c in some])
        xla.parse(text)
        got = iter(xla.run(text, [x for c in some for x in c.inputs]))
        wrong += [f"{c.text}\n{d}" for c in some for w in c.outputs if (d := difference(name, next(got), w, c.inputs))]
        assert next(got, None) is None
    assert not wrong, f"{len(wrong)} of {len(written)}\n" + "\n".join(wrong[:5])


# --- programs -----------------------------------------------------------------------------------------------------------------------------
PROGRAMS = r"""
f = lambda w, x: jnp.tanh(x @ w[0]) @ w[1];; (grad(lambda w, x: ((f(w, x) - 1.) ** 2).mean()), ((jnp.sin(jnp.arange(12.)).reshape(3, 4), jnp.cos(jnp.arange(8.)).reshape(4, 2)), jnp.ones((5, 3)) * .3))
(hessian(lambda x: jnp.sum(100. * (x[1:] - x[:-1] ** 2) ** 2 + (1. - x[:-1]) ** 2)), (jnp.array([.5, -.3, 1.2, .1]),))
(vmap(grad(lambda w, x: nn.softmax(w @ x).max()), (None, 0)), (jnp.sin(jnp.arange(6.)).reshape(2, 3), xs))
(lambda x: nn.gelu(nn.standardize(x)) + nn.log_softmax(x), (xs,))
(lambda x, k: jnp.convolve(x, k, 'same'), (jnp.arange(7.), jnp.array([1., -2., .5])))
(grad(lambda x, k: (jnp.convolve(x, k) ** 2).sum()), (jnp.arange(7.), jnp.array([1., -2., .5])))
(lambda x: jnp.stack([x[i:i + 3].sum() for i in range(5)]), (jnp.arange(7.),))
(lambda x: (jnp.sort(x), jnp.argsort(-x), jnp.cumsum(x), jnp.argmax(x), jnp.median(x), lax.top_k(x, 3)), (jnp.sin(jnp.arange(9.) * 3),))
(lambda x, i: (x[i], x.at[i].add(1.), x.at[i, 0].set(-1.), x.at[i].mul(2., mode='clip')), (xs, jnp.array([3, 0, 3, -1, 7])))
(grad(lambda x, i: (x[i] ** 2).sum()), (xs, jnp.array([3, 0, 3, -1, 7])))
(lambda x: jnp.einsum('ij,kj->ik', x, x), (xs,))
(lambda x: jnp.pad(x, 1, mode='reflect'), (xs,))
(lambda x: jnp.where(x > 0, jnp.log(x), -jnp.inf), (xs,))
(lambda x: (x.astype(jnp.bfloat16) * 3).astype(jnp.int8), (xs,))
(lambda x: jnp.linspace(0., 1., 7) * x, (2.,))
(lambda n: (n // 3, n % 3, n >> 1, n ^ 5, lax.population_count(n), jnp.gcd(n, 12)), (jnp.arange(-6, 7),))
(lambda x: x * jnp.arange(200.).reshape(40, 5)[:4, :3] + jnp.array([True, False, True]), (xs,))
(root, (2.,))
(vmap(root), (x,))
(rnn, (w, xs))
(grad(lambda w: rnn(w, xs)[1].sum()), (w,))
(jit(vmap(lambda a: rnn(w, xs * a)[0])), (x,))
(lambda x: lax.scan(lambda c, r: (c + r, c * r), 0., x, reverse=True), (x,))
(lambda x: lax.scan(lambda c, _: (c * 2, c), x, None, length=5), (x,))
(lambda x: lax.scan(lambda c, _: (c * 2, c), x, None, length=0), (x,))
(power, (1.5,))
(grad(power), (1.5,))
(vmap(piece), (jnp.array([-2., 0., 3.]),))
(grad(piece), (4.,))
(three, (jnp.int32(1), x))
(lambda i: lax.switch(i, [lambda: 1, lambda: 2, lambda: 3]), (jnp.int32(-5),))
(lambda i: lax.switch(i, [lambda: 1, lambda: 2, lambda: 3]), (jnp.int32(9),))
(vmap(three, (0, None)), (jnp.array([0, 2, 1, 7]), x))
(jit(lambda x: lax.fori_loop(0, x, lambda i, c: c + i, 0)), (5,))
(lambda x: lax.associative_scan(jnp.maximum, x), (x,))
(lambda x: jax.checkpoint(lambda y: jnp.sin(jnp.sin(y)))(x), (x,))
(grad(lambda x: jax.checkpoint(lambda y: jnp.sin(jnp.sin(y)))(x).sum()), (x,))
(nn.relu, (xs,))
(grad(lambda x: nn.relu(x).sum()), (xs,))
(jax.value_and_grad(lambda x: nn.silu(x).sum()), (xs,))
(lambda x: (jit(jnp.sin)(x), jit(lambda y: jit(jnp.sin)(y) * 2)(x)), (x,))
(lambda x: lax.reduce(x, jnp.float32(0), lax.add, (0,)), (xs,))
(lambda k: (random.bits(k, (3,)), random.uniform(k, (2, 3)), random.normal(k, (4,)), random.randint(k, (5,), 0, 100)), (random.key(7),))
(lambda k: random.split(k, 3), (random.key(7),))
(lambda k: [random.key_data(random.fold_in(k, 3)), random.permutation(k, 7), random.categorical(k, jnp.zeros(5)), random.bernoulli(k, .3, (6,))], (random.key(3),))
(vmap(lambda k: random.normal(k)), (random.split(random.key(1), 4),))
(lambda k: random.key_data(random.split(k, 4)[jnp.array([2, 0])]), (random.key(1),))
(lambda k: lax.scan(lambda c, _: (random.split(c)[0], random.uniform(c)), k, None, length=3)[1], (random.key(1),))
(lambda k: random.bits(k, (5,)), (random.key(1, impl='rbg'),))
(lambda k: [random.key_data(s) for s in random.split(k)], (random.key(1, impl='unsafe_rbg'),))
(lambda k: random.key_data(random.fold_in(k, 5)), (random.key(1, impl='unsafe_rbg'),))
(lambda k: random.PRNGKey(k), (3,))
(vmap(lambda k, a: (random.gamma(k, a, (3,)), random.poisson(k, a, (3,)), random.beta(k, a, 2.))), (random.split(random.key(2), 3), jnp.array([.3, 2., 40.])))
(vmap(lambda k: random.binomial(k, 20., .3)), (random.split(random.key(5), 4),))
(lambda x: lax.optimization_barrier({'a': x, 'b': [jnp.sin(x)]}), (xs,))
(lambda x: (special.gammainc(2. + x, 3.), special.betainc(2. + x, 3., .25), special.expi(x), special.sici(x + 2.)), (x,))
(lambda x: (special.erf(x), special.gammaln(x + 3), special.digamma(x + 3), special.ndtr(x), special.i0e(x), special.logsumexp(x)), (xs,))
"""


def flat(leaves):
    """What XLA takes: keys as words."""
    arrays = [jnp.asarray(x) for x in leaves]
    return [np.asarray(cotan.random.key_data(x) if jnp.issubdtype(x.dtype, cotan.dtypes.prng_key) else x) for x in arrays]


def check_program(f, args, code, ulps=16):
    lowered = cotan.jit(f).lower(*args)
    text = lowered.as_text()
    assert "chlo" not in text and "custom_call" not in text
    xla.parse(text)
    got = xla.run(text, flat(cotan.tree_util.tree_leaves(args)))
    for g, w in zip(got, flat(cotan.tree_util.tree_leaves(lowered.compile()(*args))), strict=True):
        assert (g.dtype, g.shape) == (w.dtype, w.shape), code
        if g.dtype.kind in "biu":
            np.testing.assert_array_equal(g, w, err_msg=code)
        elif w.size:
            tolerance = ulps * float(ml_dtypes.finfo(w.dtype).eps)
            scale = np.abs(w[np.isfinite(w)]).max(initial=0)
            np.testing.assert_allclose(g.astype(w.dtype), w, rtol=tolerance, atol=tolerance * scale, err_msg=code)


@pytest.mark.parametrize("code", PROGRAMS.strip().splitlines())
def test_program(code):
    f, args = evaluate("cotan", SETUP + code)
    check_program(f, args, code)


@pytest.mark.parametrize("seed", range(20261201, 20261207))
def test_nests(seed):
    nest = Nest(seed)
    body = nest.expression(["x"], 1 + seed % 3)
    for outer in ("f", "grad(f)", "vmap(grad(f))"):
        args = "jnp.array([.3, -.5, .9])" if "vmap" in outer else "jnp.float32(.3)"
        code = f"f = lambda x: 1. * ({body});; ({outer}, ({args},))"
        f, x = evaluate("cotan", code)
        check_program(f, x, code, ulps=1000)


def test_what_has_no_text():
    for f, args, reason in [(lambda x: cotan.debug.print("{}", x), (1.,), "debug_callback.*it calls a function of this process"),
                            (lambda x: cotan.lax.rng_uniform(0., x, (3,)), (1.,), "rng_uniform.*depend on the calls before")]:
        with pytest.raises(NotImplementedError, match=reason):
            cotan.jit(f).lower(*args).as_text()
    with pytest.raises(NotImplementedError, match="dialect 'hlo' is not there"):
        cotan.jit(jnp.sin).lower(1.).as_text("hlo")


def test_functions_are_written_once():
    inner = cotan.jit(jnp.sin)
    text = cotan.jit(lambda x: inner(x) + inner(2 * x) + lax_erf(x) * lax_erf(2 * x)).lower(1.).as_text()
    assert text.count("func.func private @sin(") == 1 and text.count("callee = @sin}") == 2
    assert text.count("func.func private @erf(") == 1 and text.count("callee = @erf}") == 2


def lax_erf(x):
    return cotan.lax.erf(x)


def test_the_cost_is_linear():
    def program(n):
        def f(x):
            for _ in range(n):
                x = x * 1.01 + 1
            return x
        return len(cotan.jit(f).lower(1.).as_text())

    assert program(2000) < 11 * program(200)
