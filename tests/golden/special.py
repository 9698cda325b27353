#!/usr/bin/env python3
"""Writes special.txt: arguments drawn densely over the domains of the special functions, and the values by mpmath.

    special.py [NAME...]        only these functions anew

The file: `~ NAME PART BOUND64 BOUND32 FLOOR` begins a part of a function's domain, whose errors are below the bounds, in ulp of
float64 and float32; values below FLOOR count as FLOOR. Then, for each point, the arguments as hexadecimal floats and the value.
All arguments of every other point are float32 numbers, and serve both types. tests/unit/special/accuracy_test.cc reads it.
"""
import math
import pathlib
import random
import sys

import numpy as np
from mpmath import mp, mpf

from programs_special import FUNCTIONS

PATH = pathlib.Path(__file__).with_suffix(".txt")
POINTS = 80


def uniform(low, high):
    return lambda r: r.uniform(low, high)


def log_uniform(low, high, signs=(1,)):
    return lambda r: r.choice(signs) * math.exp(r.uniform(math.log(low), math.log(high)))


def whole(low, high):
    return lambda r: r.randint(low, high)


def mixed(*draws):
    return lambda r: r.choice(draws)(r)


def near(x, low=1e-8, high=0.1):
    step = log_uniform(low, high, (-1, 1))
    return lambda r: x + step(r)


def both(*draws):
    """Independent arguments."""
    return lambda r: [d(r) for d in draws]


def about(a, spread):
    """a, and a times what is spread about 1."""
    def draw(r):
        x = a(r)
        return [x, x * math.exp(r.gauss(0, spread) / math.sqrt(1 + x))]
    return draw


either = (-1, 1)
positive = log_uniform(1e-3, 1e3)
shapes = log_uniform(0.05, 200)
unit = mixed(uniform(0, 1), log_uniform(1e-12, 0.5))
# NAME, PART, BOUND64, BOUND32, FLOOR, DRAW
PARTS = [
    ("erf", "all", 1, 1, 0, mixed(uniform(-6, 6), log_uniform(1e-30, 1, either))),
    ("erfc", "all", 2, 2, 0, mixed(uniform(-6, 9), log_uniform(1e-30, 1, either), uniform(9, 26))),
    ("lgamma", "positive", 3, 0.6, 0, mixed(log_uniform(1e-30, 1e10), uniform(0.5, 12), near(1), near(2))),
    ("lgamma", "negative", 3, 0.6, 1, uniform(-30, 0)),
    ("digamma", "positive", 3, 0.6, 0, mixed(log_uniform(1e-30, 1e10), uniform(0.5, 12), near(1.4616321449683623))),
    ("digamma", "negative", 5, 0.6, 1, uniform(-30, 0)),
    ("bessel_i0e", "all", 3, 3, 0, mixed(uniform(-20, 20), log_uniform(1e-10, 1e4, either))),
    ("bessel_i1e", "all", 3, 3, 0, mixed(uniform(-20, 20), log_uniform(1e-10, 1e4, either))),
    ("polygamma", "positive", 6, 0.6, 0, both(whole(1, 12), mixed(log_uniform(1e-2, 1e4), uniform(0.5, 12)))),
    ("zeta", "positive", 4, 0.6, 0, both(mixed(uniform(1.01, 20), near(1.1, 1e-8, 0.09)), mixed(log_uniform(1e-2, 1e4), uniform(0.5, 12)))),
    ("igamma", "middle", 20, 0.6, 0, about(log_uniform(0.05, 1e3), 1)),
    ("igammac", "middle", 20, 0.6, 0, about(log_uniform(0.05, 1e3), 1)),
    ("igamma", "tail", 90, 0.6, 0, about(log_uniform(0.5, 1e3), 3)),
    ("igammac", "tail", 90, 0.6, 0, about(log_uniform(0.5, 1e3), 3)),
    ("igamma_grad_a", "middle", 20, 0.6, 0, about(log_uniform(0.05, 1e2), 1)),
    ("random_gamma_grad", "middle", 30, 0.6, 0, about(log_uniform(0.05, 1e2), 1)),
    ("gamma_density", "middle", 20, 0.6, 0, about(log_uniform(0.05, 1e3), 1)),
    ("log_gamma_density", "all", 20, 0.6, 1, both(log_uniform(0.05, 1e3), log_uniform(0.05, 1e3))),
    ("regularized_incomplete_beta", "middle", 20, 0.6, 0, both(log_uniform(0.05, 50), log_uniform(0.05, 50), uniform(0.05, 0.95))),
    ("regularized_incomplete_beta", "tail", 100, 0.6, 0, both(log_uniform(0.05, 50), log_uniform(0.05, 50), uniform(0.05, 0.95))),
    ("beta_density", "all", 50, 0.6, 0, both(log_uniform(0.05, 50), log_uniform(0.05, 50), uniform(0.05, 0.95))),
    ("log_beta_density", "all", 20, 0.6, 1, both(shapes, shapes, uniform(0.01, 0.99))),
    ("gamma", "positive", 6, 0.6, 0, mixed(uniform(0, 34), uniform(34, 171), log_uniform(1e-30, 1))),
    ("gamma", "negative", 6, 0.6, 0, uniform(-30, 0)),
    ("betaln", "all", 10, 0.6, 1, both(positive, positive)),
    ("poch", "all", 20, 0.6, 0, both(uniform(0.1, 20), uniform(0.1, 20))),
    ("ndtri", "all", 6, 0.6, 0, mixed(uniform(0.001, 0.999), log_uniform(1e-30, 0.5))),
    ("log_ndtr", "all", 4, 0.6, 0, mixed(uniform(-8, 5), log_uniform(1e-5, 1e5, (-1,)))),
    ("erfcx", "all", 6, 0.6, 0, mixed(uniform(-5, 10), log_uniform(1e-10, 1e10))),
    ("dawsn", "all", 6, 0.6, 0, mixed(uniform(-10, 10), log_uniform(1e-10, 1e6, either))),
    ("expn", "all", 50, 0.6, 0, both(whole(0, 12), mixed(uniform(0.01, 10), log_uniform(1e-6, 80)))),
    ("expi", "all", 6, 0.6, 1, mixed(uniform(-10, 10), log_uniform(1e-10, 80, either), near(0.37250741078136663))),
    ("sine_integral", "all", 6, 0.6, 0, mixed(uniform(-20, 20), log_uniform(1e-10, 1e4, either))),
    ("cosine_integral", "all", 5, 0.6, 1, mixed(uniform(0.01, 20), log_uniform(1e-10, 1e4))),
    ("fresnel_sine", "all", 10, 0.6, 0, mixed(uniform(-6, 6), log_uniform(1e-10, 1e2, either))),
    ("fresnel_cosine", "all", 10, 0.6, 0, mixed(uniform(-6, 6), log_uniform(1e-10, 1e2, either))),
    ("spence", "all", 4, 0.6, 0, mixed(uniform(0, 5), log_uniform(1e-10, 1e6), near(1))),
    ("owens_t", "all", 20, 0.6, 0, both(uniform(-4, 4), uniform(-4, 4))),
    ("bessel_jn", "all", 4, 0.6, 1, both(whole(0, 12), uniform(0, 30))),
    ("sph_legendre", "all", 15, 0.6, 1, lambda r: (lambda n: [n, r.randint(0, n), r.uniform(0, 3)])(r.randint(0, 12))),
    ("hyp1f1", "positive", 50, 0.6, 0, both(uniform(0.1, 5), uniform(0.1, 5), uniform(0.1, 5))),
    ("hyp2f1", "positive", 50, 0.6, 0, both(uniform(0.1, 0.95), uniform(0.1, 0.95), uniform(0.1, 0.95), uniform(0.1, 0.95))),
]


def part_lines(name, part, bound64, bound32, floor, draw):
    f = FUNCTIONS[name][0]
    r = random.Random(name + part)
    lines = [f"~ {name} {part} {bound64:g} {bound32:g} {floor:g}"]
    while len(lines) <= POINTS:
        x = draw(r)
        x = [float(t) for t in (x if isinstance(x, list) else [x])]
        if len(lines) % 2:
            x = [float(np.float32(t)) for t in x]
        with mp.workdps(50):
            value = mpf(f(*[mpf(t) if t else t for t in x]))
        if not mp.isfinite(value) or part == "middle" and name in ("igamma", "igammac", "regularized_incomplete_beta") and value < 1e-3 or abs(value) < 1e-300:
            continue
        lines.append(" ".join([t.hex() for t in x] + [mp.nstr(value, 22)]))
    return lines


def main():
    only = set(sys.argv[1:])
    known = {}
    for line in PATH.read_text().splitlines() if PATH.exists() else []:
        if line.startswith("~"):
            key = tuple(line.split()[1:3])
            known[key] = []
        else:
            known[key].append(line)
    out = []
    for p in PARTS:
        keep = only and p[0] not in only and known.get(p[:2])
        lines = [f"~ {p[0]} {p[1]} {p[2]:g} {p[3]:g} {p[4]:g}"] + known[p[:2]] if keep else part_lines(*p)
        out += lines
        PATH.write_text("\n".join(out) + "\n")
    print(f"{PATH.name}: {len(out)} lines, {PATH.stat().st_size // 1024} KB")


if __name__ == "__main__":
    main()
