"""Special functions, by mpmath; imported by programs.py. Corners as the primitives' docs have them."""
import math

import numpy as np
from mpmath import mp, mpf

from programs import LD, Skip, Value, broadcast, narrow, tiny, wide


def gamma_density(a, x):
    if a < 0 or x < 0:
        return math.nan
    if x == math.inf or a in (0, math.inf):
        return 0
    if x == 0:
        return math.inf if a < 1 else 1 if a == 1 else 0
    return mp.exp((a - 1) * mp.log(x) - x - (mp.loggamma(a) if a > 1e-20 else -mp.log(a)))


def igamma(a, x):
    if a < 0 or x < 0 or a == x == 0:
        return math.nan
    if x == 0:
        return 0
    if x == math.inf or a == 0:
        return 1
    if a == math.inf:
        return 0
    if max(a, x) > 1e4:
        if abs(a - x) < max(a, x) / 2:
            raise Skip
        return 0 if a > x else 1
    return mp.gammainc(a, 0, x, regularized=True)


def igammac(a, x):
    if 0 < a < 1e-20 and 0 < x < 1e4:
        return a * mp.e1(x)
    y = igamma(a, x)
    return 1 - y if y in (0, 1) and max(a, x) != 1 or y != y else mp.gammainc(a, x, mp.inf, regularized=True)


def igamma_grad_a(a, x):
    if a <= 0 or x < 0:
        return math.nan
    if x in (0, math.inf) or a == math.inf:
        return 0
    if max(a, x) > 1e4 and abs(a - x) > max(a, x) / 2:
        return -0.0
    if max(a, x) > 1e4:
        raise Skip
    if a < 1e-10:  # -E1(x)
        return -mp.e1(x)
    if x < 1e-20:
        return mp.exp(a * mp.log(x) - mp.loggamma(a + 1)) * (mp.log(x) - mp.psi(0, a + 1))
    h = mpf(10) ** -15
    if x > a:
        return -(mp.gammainc(a + h, x, mp.inf, regularized=True) - mp.gammainc(a - h, x, mp.inf, regularized=True)) / (2 * h)
    return (mp.gammainc(a + h, 0, x, regularized=True) - mp.gammainc(a - h, 0, x, regularized=True)) / (2 * h)


def random_gamma_grad(a, x):
    if a <= 0 or x < 0 or math.inf in (a, x):
        return math.nan
    if x > 1e4 * max(1, a) or a > 1e4:
        raise Skip
    if a < 1e-10:
        return mp.e1(x) / mp.exp(-x) * x / a
    return -igamma_grad_a(a, x) / gamma_density(a, x) if x > 0 else 0


def zeta(s, q):
    if s == 1:
        return math.inf
    if s < 1:
        return math.nan
    if q <= 0 and q == mp.floor(q):
        return math.inf
    if q < 0:
        if s != mp.floor(s):
            return math.nan
        raise Skip
    if s == math.inf:
        return 0 if q > 1 else 1 if q == 1 else math.inf
    if q == math.inf:
        return 0
    if q < 1e-20 or q < 1e-3 and s > 1e3:
        return mp.power(q, -s)
    if q > 1e15:
        return mp.power(q, 1 - s) / (s - 1) + mp.power(q, -s) / 2
    if s > 1e3:
        return mp.power(q, -s) + mp.power(q + 1, -s)
    with mp.workdps(200):
        return mp.zeta(s, q)


def polygamma(m, x):
    if m == 0:
        return digamma(x)
    if m < 0 or m == math.inf or m != mp.floor(m):
        return math.nan
    odd = int(m) % 2 == 1
    if x <= 0 and x == mp.floor(x):
        return math.inf if odd else math.nan
    if x == math.inf:
        return 0 if odd else -0.0
    sign = 1 if odd else -1
    if 0 < x < 1e-20:
        return sign * mp.exp(mp.loggamma(m + 1) - (m + 1) * mp.log(x))
    if x > 1e15:
        return sign * mp.exp(mp.loggamma(m) - m * mp.log(x)) * (1 + m / (2 * x))
    if m > 1e4 or x < -1e6:
        raise Skip
    if -1e-20 < x < 0:
        return mp.exp(mp.loggamma(m + 1) - (m + 1) * mp.log(-x))
    with mp.workdps(200):
        return mp.psi(int(m), x)


def digamma(x):
    return math.nan if x <= 0 and x == mp.floor(x) else x if x == math.inf else mp.psi(0, x)


def lgamma(x):
    return math.inf if abs(x) == math.inf or x <= 0 and x == mp.floor(x) else mp.log(abs(mp.gamma(x))) if x < 1e5 else mp.loggamma(x)


def betainc(a, b, x):
    if a < 0 or b < 0 or not 0 <= x <= 1 or a == b and a in (0, math.inf):
        return math.nan
    if x in (0, 1):
        return x
    if a == 0 or b == math.inf:
        return 1
    if b == 0 or a == math.inf:
        return 0
    if max(a, b) > 1e4:
        raise Skip
    if a < 1e-20:
        return 1
    if b < 1e-20:
        return 0
    return mp.betainc(a, b, 0, x, regularized=True)


def beta_density(a, b, x):
    if a < 0 or b < 0 or not 0 <= x <= 1:
        return math.nan
    if 0 in (a, b) or math.inf in (a, b) or max(a, b) > 1e100 and 0 < x < 1:
        return 0
    if x == 0:
        return math.inf if a < 1 else b if a == 1 else 0
    if x == 1:
        return math.inf if b < 1 else a if b == 1 else 0
    return mp.exp((a - 1) * mp.log(x) + (b - 1) * mp.log(1 - x) + mp.loggamma(a + b) - mp.loggamma(a) - mp.loggamma(b))


def bessel(order):
    def f(x):
        if abs(x) == math.inf:
            return 0 if order == 0 or x > 0 else -0.0
        if abs(x) > 1e4:
            s = 1 / (8 * abs(x))
            m = 4 * order * order
            y = (1 - (m - 1) * s + (m - 1) * (m - 9) * s * s / 2 - (m - 1) * (m - 9) * (m - 25) * s**3 / 6) / mp.sqrt(2 * mp.pi * abs(x))
            return y if x > 0 or not order else -y
        return mp.exp(-abs(x)) * mp.besseli(order, x) if x or not order else x
    return f


def odd_erf(x):
    return x if x == 0 else mp.erf(x)


def erfc(x):
    return mpf(0) if x > 1e4 else mpf(2) if x < -1e4 else mp.erfc(x)


# The function, the allowed error in units of epsilon, and whether that is absolute (below 1).
FUNCTIONS = {"erf": (odd_erf, 3, False), "erfc": (erfc, 3, False), "lgamma": (lgamma, 6, True), "digamma": (digamma, 6, True),
             "bessel_i0e": (bessel(0), 4, False), "bessel_i1e": (bessel(1), 4, False), "polygamma": (polygamma, 8, True),
             "zeta": (zeta, 6, False), "igamma": (igamma, 40, False), "igammac": (igammac, 40, False),
             "igamma_grad_a": (igamma_grad_a, 60, False), "random_gamma_grad": (random_gamma_grad, 20, False),
             "gamma_density": (gamma_density, 60, False), "regularized_incomplete_beta": (betainc, 60, False),
             "beta_density": (beta_density, 300, False)}


def long_double(y):
    if isinstance(y, float) or not mp.isfinite(y) or y == 0:
        return LD(float(y))
    hi = float(y)
    return LD(hi) if math.isinf(hi) else LD(hi) + LD(float(mpf(y) - mpf(hi)))


def rule(name):
    f, ulps, absolute = FUNCTIONS[name]

    def of(operands, params, out_dtypes):
        vs, shape = broadcast(operands)
        d = vs[0].d
        columns = [wide(v).reshape(-1) for v in vs]
        out = []
        with mp.workdps(60):
            for row in zip(*columns):
                x = [float(t) for t in row]
                out.append(LD(np.nan) if any(math.isnan(t) for t in x) else long_double(f(*[t if math.isinf(t) or t == 0 else mpf(t) for t in x])))
        r = np.array(out, LD).reshape(shape)
        return [Value(narrow(r, d), d, ulps, 1 if absolute else tiny(d))]
    return of


EQUATIONS = {name: rule(name) for name in FUNCTIONS}
