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


def gamma(x):
    if x == 0 and isinstance(x, float):
        return math.copysign(math.inf, x)
    if x < 0 and (x == mp.floor(x)):
        return math.nan
    return math.inf if x > 1e4 else mp.gamma(x) if x > -1e4 else 0


def betaln(a, b):
    if min(a, b) <= 0:
        raise Skip
    return mp.log(mp.beta(a, b)) if max(a, b) < 1e6 else mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b)


def log_ndtr(x):
    if x < -1e3:
        return -x * x / 2 - mp.log(-x) - mp.log(2 * mp.pi) / 2 + mp.log(1 - 1 / x**2 + 3 / x**4)
    return mp.log(mp.erfc(-x / mp.sqrt(2)) / 2) if x < 1e3 else -0.0


def ndtri(p):
    if not 0 <= p <= 1:
        return math.nan
    if p in (0, 1, 0.5):
        return {0: -math.inf, 1: math.inf, 0.5: 0}[float(p)]
    t = mp.sqrt(-2 * mp.log(min(p, 1 - p)))
    start = (t - mp.log(t + 1) / t) * (-1 if p < 0.5 else 1)
    return mp.findroot(lambda x: log_ndtr(x) - mp.log(p), start) if p < 0.5 else mp.findroot(lambda x: log_ndtr(-x) - mp.log(1 - p), start)


def erfcx(x):
    return 1 / (x * mp.sqrt(mp.pi)) if x > 1e20 else (1 - 1 / (2 * x**2) + 3 / (4 * x**4) - 15 / (8 * x**6)) / (x * mp.sqrt(mp.pi)) if x > 1e3 else mp.exp(x * x) * mp.erfc(x) if x > -30 else math.inf


def dawsn(x):
    if x == 0:
        return x
    return math.copysign(0.0, x) if abs(x) > 1e300 * 1e5 else 1 / (2 * x) if abs(x) > 1e10 else mp.sqrt(mp.pi) / 2 * mp.exp(-x * x) * mp.erfi(x)


def expn(n, x):
    if x < 0 or n != mp.floor(n) or abs(n) == math.inf:
        return math.nan
    if x == math.inf:
        return 0
    if x == 0:
        return mpf(1) / (n - 1) if n > 1 else math.inf
    if abs(n) > 1e3 or x > 1e3:
        raise Skip
    return mp.expint(n, x)


def expi(x):
    return -math.inf if x == 0 else x if x > 1e3 and x == math.inf else math.inf if x > 800 else -0.0 if x < -1e4 else mp.ei(x)


def si(x):
    return math.copysign(math.pi / 2, x) if abs(x) > 1e25 else x if x == 0 else mp.si(x)


def ci(x):
    if x == -math.inf:
        return math.nan
    return 0 if abs(x) > 1e50 else -math.inf if x == 0 else mp.ci(abs(x))


def fresnel(f):
    return lambda x: math.copysign(0.5, x) if abs(x) > 1e20 else x if x == 0 else f(x)


def spence(z):
    return math.nan if z < 0 else -math.inf if z == math.inf else mp.pi**2 / 6 if z == 0 else mp.polylog(2, 1 - z).real


def owens_t(h, a):
    if abs(h) > 40:
        return math.copysign(0.0, a)
    if abs(a) > 1e3:
        a = mp.sign(a) * 1000 if h else a
        if h == 0:
            return mp.atan(a) / (2 * mp.pi)
    return mp.quad(lambda x: mp.exp(-h * h * (1 + x * x) / 2) / (1 + x * x), mp.linspace(0, a, 8)) / (2 * mp.pi) if a else a


def poch(z, m):
    if m == 0:
        return 1
    if math.inf in (abs(z), abs(m)) or max(abs(z), abs(m)) > 50 or min(z, z + m) <= 0:
        raise Skip
    return mp.gamma(z + m) / mp.gamma(z)


def in_range(f, low, high):
    def g(*x):
        if not all(low <= t <= high for t in x):
            raise Skip
        return f(*x)
    return g


def product(f, low):
    def g(x, y):
        if x == 0 or y < low:
            return 0 if x == 0 else math.nan
        if not low < y < 1e200 or abs(x) > 1e200:
            raise Skip
        return x * f(y)
    return g


def logit(p):
    return math.nan if not 0 <= p <= 1 else -math.inf if p == 0 else math.inf if p == 1 else mp.log(p / (1 - p))


def sph(n, m, theta):
    if n != mp.floor(n) or abs(n) > 30 or abs(m) > n:
        raise Skip
    return mp.spherharm(int(n), int(m), theta, 0).real


def log_of(f):
    def g(*x):
        if min(x) <= 0 or max(x) > 1e4 or len(x) == 3 and x[2] >= 1:
            raise Skip
        return mp.log(f(*x))
    return g


# The function, the allowed error in units of epsilon, and whether that is absolute (below 1).
FUNCTIONS = {"erf": (odd_erf, 3, False), "erfc": (erfc, 3, False), "lgamma": (lgamma, 6, True), "digamma": (digamma, 6, True),
             "bessel_i0e": (bessel(0), 4, False), "bessel_i1e": (bessel(1), 4, False), "polygamma": (polygamma, 8, True),
             "zeta": (zeta, 6, False), "igamma": (igamma, 40, False), "igammac": (igammac, 40, False),
             "igamma_grad_a": (igamma_grad_a, 60, False), "random_gamma_grad": (random_gamma_grad, 20, False),
             "gamma_density": (gamma_density, 60, False), "regularized_incomplete_beta": (betainc, 60, False),
             "beta_density": (beta_density, 300, False), "gamma": (gamma, 12, False), "betaln": (betaln, 12, True),
             "log_ndtr": (log_ndtr, 8, False), "ndtri": (ndtri, 16, False), "erfcx": (erfcx, 12, False), "dawsn": (dawsn, 10, False),
             "expn": (expn, 100, False), "expi": (expi, 12, True), "sine_integral": (si, 8, False), "cosine_integral": (ci, 8, True),
             "fresnel_sine": (fresnel(mp.fresnels), 20, False), "fresnel_cosine": (fresnel(mp.fresnelc), 20, False),
             "spence": (spence, 8, False), "owens_t": (in_range(owens_t, -10, 10), 60, False), "poch": (poch, 30, False),
             "bessel_jn": (in_range(mp.besselj, 0, 30), 8, True), "sph_legendre": (in_range(sph, 0, 30), 12, True),
             "xlogy": (product(mp.log, 0), 4, False), "xlog1py": (product(mp.log1p, -1), 4, False), "logit": (logit, 6, True),
             "log_gamma_density": (log_of(gamma_density), 40, True), "log_beta_density": (log_of(beta_density), 40, True)}
for _name, _f, _n in (("hyp1f1", mp.hyp1f1, 3), ("hyp2f1", mp.hyp2f1, 4)):
    FUNCTIONS[_name] = (in_range(_f, 0.1, 0.95 if _n == 4 else 5), 100, True)


def long_double(y):
    if isinstance(y, float) or not mp.isfinite(y) or y == 0:
        return LD(float(y))
    hi = float(y)
    return LD(hi) if math.isinf(hi) else LD(hi) + LD(float(mpf(y) - mpf(hi)))


def gradient(name, params):
    """Derivatives by operands: zeta's by the first, of an order; hypergeometric functions' by first and second."""
    if name == "zeta_grad_x":
        return in_range(lambda s, q: mp.diff(lambda t: mp.zeta(t, q), s, int(params["order"])), 1.2, 5), 40, False
    first, second = int(params["first"]), int(params["second"])
    f, n = (mp.hyp1f1, 3) if name == "hyp1f1_grad" else (mp.hyp2f1, 4)
    orders = tuple((i == first) + (i == second) for i in range(n))
    return in_range(lambda *x: mp.diff(f, x, orders), 0.1, 0.95 if n == 4 else 5), 1000, True


def rule(name):
    def of(operands, params, out_dtypes):
        f, ulps, absolute = FUNCTIONS[name] if name in FUNCTIONS else gradient(name, params)
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


def complex_rule(f, limit):
    def of(operands, params, out_dtypes):
        z = operands[0]
        if not np.all(np.abs(z.a) < limit):
            raise Skip
        with mp.workdps(60):
            out = [complex(f(mp.mpc(complex(t)), params)) for t in z.a.reshape(-1)]
        return [Value(np.array(out).reshape(z.a.shape).astype(z.a.dtype), z.d, 100, 1)]
    return of


EQUATIONS = {name: rule(name) for name in [*FUNCTIONS, "zeta_grad_x", "hyp1f1_grad", "hyp2f1_grad"]} | {
    "wofz": complex_rule(lambda w, _: mp.exp(-w * w) * mp.erfc(-1j * w), 20),
    "loggamma": complex_rule(lambda w, _: mp.loggamma(w), 100),
    "complex_gamma": complex_rule(lambda w, _: mp.gamma(w), 20),
    "complex_polygamma": complex_rule(lambda w, params: mp.psi(int(params["order"]), w), 100)}
