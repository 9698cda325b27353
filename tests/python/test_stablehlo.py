"""StableHLO text, run on XLA: every case of every primitive, programs, and the shapes of what Lowered gives."""
import collections
import os
import re
import subprocess
from pathlib import Path

import jax
import ml_dtypes
import numpy as np
import pytest
import xla
from both import run as evaluate

import cotan

DTYPES = {"bool": np.bool_, "bf16": ml_dtypes.bfloat16, "f16": np.float16, "f32": np.float32, "f64": np.float64, "c64": np.complex64,
          "c128": np.complex128, "float0": np.bool_, **{f"{k}{n}": np.dtype(f"{k}{n // 8}") for k in "iu" for n in (8, 16, 32, 64)}}

# How far off values may be, in ulps: both sides round their own way. What is not here is exact.
ULPS = collections.defaultdict(int, {name: 4 for name in """
    abs acos acosh asin asinh atan atan2 atanh bessel_i0e bessel_i1e cbrt cos cosh cumlogsumexp cumprod cumsum digamma div dot_general erf erf_inv erfc
    exp exp2 expm1 integer_pow lgamma log log1p logaddexp logistic logit mul pow reduce_prod reduce_sum rsqrt sign sin sinh sqrt square tan tanh
    xlog1py xlogy""".split()})

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
        return flush(x.real.astype(np.float64)) + 1j * flush(x.imag.astype(np.float64))
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


def difference(got, want, inputs, ulps):
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
        wrong += [f"{c.text}\n{d}" for c in some for w in c.outputs if (d := difference(next(got), w, c.inputs, ULPS[name]))]
        assert next(got, None) is None
    assert not wrong, f"{len(wrong)} of {len(written)}\n" + "\n".join(wrong[:5])
