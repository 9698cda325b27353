"""Calls of scipy.special: see functions.py."""
import jax
import jax.numpy as jnp
import mpmath
import numpy as np
import scipy.special


P = "scipy.special."
OTHERS = (np.nan, np.inf, -np.inf, 0, -0.0, -1.5, -2, 1)
# Where JAX has NaN, or loses one, and there is a value: scipy's.
VALUES = {"gammainc": [(0, np.inf), (0, 0), (0, -0.0)], "gammaincc": [(0, np.inf)], "poch": [(0, -2)],
          "expn": [(1, np.inf), (1, 0), (1, -0.0)], "zeta": [(0, np.inf), (1, np.inf), (1, -np.inf), (1, 0), (1, -0.0), (1, -2)]}


def value_of(short, args):
    x = [np.float64(v) for v in args]
    if short == "zeta" and np.isinf(x[0]).all():
        return np.where(x[1] > 1, 0, np.where(x[1] == 1, 1, np.inf))
    return getattr(scipy.special, short)(*x)


def several(c, name, *columns, skip=(), only=None):
    """Calls of a function of several numbers, given four good values of each: types, shapes, and numbers outside of the domain for one
    operand (`only`: these, as pairs of operand and number)."""
    d = "float64" if c.x64 else "float32"
    short = name.removeprefix("scipy.special.")
    v = [jnp.array(column, d) for column in columns]
    for t in ("bfloat16", "float16", d):
        c.call(name, *[x.astype(t) for x in v]) if t not in skip else None
    c.call(name, *[jnp.array([1, 2, 3], "int32") for _ in v]) if "int" not in skip else None
    c.call(name, *[x[0] for x in v])
    c.call(name, *[float(x[1]) for x in v])
    c.call(name, *[x.reshape([4 if i == j else 1 for j in range(len(v))]) for i, x in enumerate(v)])
    c.call(name, *[x[:0] for x in v])
    c.call(name, *[x if i else x[:3] for i, x in enumerate(v)])
    c.call(name, *v[:-1])
    c.call(name, *v[:-1], "a")
    c.call(name, *v[:-1], None)
    c.call(name, *v, 1)
    c.call(name, *[x.astype("complex64") for x in v]) if "complex" not in skip else None
    for i, other in only or [(i, other) for i in range(len(v)) for other in OTHERS]:
        args = [jnp.full(4, other, d) if i == j else x for j, x in enumerate(v)]
        same = [k for k in VALUES.get(short, []) if k[0] == i and k[1] == other and np.signbit(k[1]) == np.signbit(other)]
        if short.startswith("hyp") and other != other:
            c.expect(v[0] * np.nan, name, *args)  # JAX has 1
        elif same:
            c.expect(jnp.array(value_of(short, args), d), name, *args)
        elif (short, other) not in (("poch", np.inf), ("poch", -np.inf)):
            c.call(name, *args)


def narrow_owens_t(c):
    """With 64-bit types: JAX's results are float64, of narrow operands with the digits of float32."""
    for h, a in ((jnp.array([4, 3], "bfloat16"), jnp.array([1, 2], "bfloat16")), (jnp.array([4, 3], "float16"), 2), (jnp.array([1, 2, 3], "int32"), jnp.array([1, 2, 3], "int32"))):
        c.expect(jnp.array(scipy.special.owens_t(np.asarray(h, "float64"), np.asarray(a, "float64"))), P + "owens_t", h, a)
    a, b = jnp.array([0.5, 1.5, 3, 0.7]), jnp.array([0.3, 1, 2, 5])
    for args in ((a, b), (a[:, None], b[:2]), (a[0], b), (2.5, 1.5), (a, b[:3]), (a,), (-a, b), (a, -b), (a * 0, b), (a, b * 0), (a * jnp.nan, b), (a, b * jnp.inf)):
        c.call(P + "owens_t", *args)
    c.vjp(P + "owens_t", a, b)


def cases(c):
    d = "float64" if c.x64 else "float32"
    ints = "int64" if c.x64 else "int32"
    f = lambda *v: jnp.array(v, d)
    inf, nan = np.inf, np.nan
    # JAX's own error in float32 is often hundreds of ulps; our values are checked against mpmath in op_values_special.txt.
    for n in ("gamma gammaln loggamma digamma erf erfc erfinv expit i0 i0e i1 i1e logit entr factorial ndtr ndtri log_ndtr dawsn erfcx exp1 "
              "expi spence gammasgn").split():
        c.tolerance(P + n, 500, 500)
        c.call(P + n, f(0.1, 0.5, 0.9, 0.25, 0.75))
        if n not in ("logit", "erfinv", "ndtri"):
            c.call(P + n, f(1, 2, 3.5, 0.3, 7, 4.5))
            c.call(P + n, f(1.5, 2.5).reshape(2, 1))
        c.call(P + n, f())
        c.call(P + n, f(0.4)[0])
        c.call(P + n, 0.5)
        c.call(P + n, f(nan))
        if n not in ("gammasgn",):
            c.vjp(P + n, f(0.3, 0.6, 0.8))
        for t in ("bfloat16", "float16", ints, "complex64"):
            if (n, t) == ("expi", "float16"):  # JAX has NaN for 1
                continue
            if t != "complex64" or n not in ("gamma", "loggamma", "expit", "logit", "erfcx"):
                c.call(P + n, jnp.array([1, 0], t)) if t != ints and n != "expi" else c.call(P + n, jnp.array([1, 2], t))
        c.call(P + n, jnp.array([True]))
        c.call(P + n, "a")
    for n in "erf erfc ndtr log_ndtr expit".split():
        c.call(P + n, f(-inf, inf, -40, -10, -5, -1, 0, 0.5, 5))
    c.call(P + "gamma", f(-0.5, -1.5, -2.5, 20, 30, inf, 0))
    c.call(P + "gammaln", f(-0.5, -1.5, 100, 1e5, inf, 0, -1))
    c.call(P + "digamma", f(-0.5, -1.25, 100, 1e5, inf))
    c.call(P + "gammasgn", f(-0.5, -1.5, -1, -2, 0, -0.0, 3, inf))
    c.call(P + "entr", f(-1, 0, -0.0, inf, 0.5))
    c.call(P + "logit", f(0, 1, 0.5))
    c.call(P + "ndtri", f(0, 1, 1e-6, 0.999, -1, 2))
    z = jnp.array([0.5 + 1j, -1.2 + 0.3j, 2, 3.5 - 4j, -2.5 + 1e-3j, 0.1j, -7.3 - 9j, 12 + 5j, 1, -0.5], "complex128" if c.x64 else "complex64")
    for n in ("gamma", "loggamma"):
        for v in (z, z[0], z[:0], z[:4].reshape(2, 2), 1 + 2j, jnp.array([0, -1, -2 - 0j], z.dtype), jnp.array([nan, nan * 1j, inf], z.dtype), jnp.conj(z[:9])):
            c.call(P + n, v)
        if n == "gamma":  # JAX has none of loggamma
            c.vjp(P + n, z)
            c.vjp(P + n, z[:4], order=2)
    two = {"beta": 0, "betaln": 0, "gammainc": 0, "gammaincc": 0, "xlogy": 0, "xlog1py": 0, "rel_entr": 0, "kl_div": 0, "boxcox": 0,
           "boxcox1p": 0, "poch": 0, "owens_t": 0, "zeta": 1.5, "comb": 0}
    for n, low in two.items():
        c.tolerance(P + n, 500, 200)
        if n == "owens_t" and c.x64:
            narrow_owens_t(c)
            continue
        a, b = f(0.5, 1.5, 3, 0.7) + low, f(0.3, 1, 2, 5)
        if n == "comb":
            a = a + 5
        c.call(P + n, a, b)
        c.call(P + n, a[:, None], b[:2])
        c.call(P + n, a[0], b)
        c.call(P + n, 2.5 if n != "comb" else 5, 1.5)
        c.call(P + n, jnp.array([4, 3], ints), jnp.array([1, 2], ints))
        c.call(P + n, jnp.array([4, 3], "bfloat16"), jnp.array([1, 2], "bfloat16"))
        c.call(P + n, jnp.array([4, 3], "float16"), 2)
        c.call(P + n, jnp.array([4, 3], ints), f(1, 2))
        c.call(P + n, f(), f())
        c.call(P + n, a, f(1, 2, 3))
        c.call(P + n, a)
        c.call(P + n, f(nan, 1, nan), f(1, nan, nan)) if n not in ("comb", "zeta") else None
        if n not in ("comb",):
            c.vjp(P + n, a, b)
        if n in ("gammainc", "gammaincc", "betaln"):
            c.call(P + n, jnp.array([1], "complex64"), jnp.array([1], "complex64"))
        several(c, P + n, *({"comb": ((5, 6, 7, 8), (1, 2, 3, 0)), "zeta": ((1.5, 2, 3, 4.5), (0.5, 1, 2, 7))}.get(n) or ((0.5, 1.5, 3, 0.7), (0.3, 1, 2, 5))),
                skip=("bfloat16", "complex") if n == "owens_t" else ())
    poles = np.array([-2, -2, -2, -3, 0, -1]), np.array([-1, -3, 70, 0.5, -2, 1.5])  # JAX has NaN
    c.expect(jnp.array(scipy.special.poch(*poles), d), P + "poch", jnp.array(poles[0], d), jnp.array(poles[1], d))
    corners = f(0, 0.5, 1, 2)
    for n in ("xlogy", "xlog1py", "rel_entr", "kl_div"):
        c.call(P + n, corners[:, None], corners)
        c.call(P + n, -corners[:, None], corners)
    c.call(P + "gammainc", f(0, 0, 1, 1, -1, 5), f(0, 1, 0, inf, 1, 200))
    c.call(P + "gammaincc", f(0, 0, 1, 1, -1, 5), f(0, 1, 0, inf, 1, 200))
    c.call(P + "boxcox", f(0, 0.5, 1, 2)[:, None], f(0, -1, 1, 2))
    c.call(P + "comb", f(5, 5, 5, -1), f(-1, 6, 5, 0))
    c.tolerance(P + "betainc", 500, 200)
    c.call(P + "betainc", f(0.5, 2, 5), f(1, 2, 0.5), f(0.1, 0.5, 0.9))
    c.call(P + "betainc", 1.5, 2.5, f(0, 1, 0.25, -0.5, 1.5, nan))
    c.call(P + "betainc", f(0, 0.5, -1, 2), f(2, 0, 1, -1), 0.5)
    c.call(P + "betainc", f(1, 2)[:, None], f(1, 2, 3), 0.4)
    c.call(P + "betainc", jnp.array([1], "complex64"), 1, 0.5)
    c.call(P + "betainc", f(1), f(2))
    several(c, P + "betainc", (0.5, 1.5, 3, 0.7), (0.3, 1, 2, 5), (0.1, 0.5, 0.9, 0.3))
    c.tolerance(P + "hyp1f1", 2000, 100)
    c.tolerance(P + "hyp2f1", 2000, 100)
    c.call(P + "hyp1f1", f(0.5, 1, 2), f(1.5, 2, 0.7), f(0.3, -2, 5))
    c.vjp(P + "hyp1f1", f(0.5, 1.1), f(1.5, 2), f(0.3, 0.7))
    c.call(P + "hyp2f1", f(0.5, 1, 2), f(1.5, 2, 0.7), f(2.2, 3.1, 1.3), f(0.3, -0.5, 0.6))
    c.vjp(P + "hyp2f1", f(0.5, 1.1), f(1.5, 0.7), f(2.2, 3.1), f(0.3, 0.4))
    c.expect(ValueError, P + "owens_t", jnp.array([1], "complex64"), 1.0)  # JAX has the value of no formula
    few = [(0, nan), (1, nan), (0, -2), (0, 0), (1, 1)]
    if not c.x64:  # JAX takes seconds to compile each
        several(c, P + "hyp1f1", (0.5, 1.5, 3, 0.7), (0.3, 1, 2, 5), (0.1, 0.5, 0.9, 0.3), only=few + [(2, 0), (2, -1.5), (2, nan)])
        several(c, P + "hyp2f1", (0.5, 1.5, 3, 0.7), (0.3, 1, 2, 5), (1.2, 2, 0.7, 4), (0.1, 0.5, 0.7, 0.3), skip=("int",), only=few + [(2, nan), (3, nan), (3, 0)])
    c.tolerance(P + "expn", 500, 100)
    several(c, P + "expn", (1, 2, 3, 5), (0.3, 1, 2, 5), only=[(0, 0), (0, 1)] + [(1, x) for x in OTHERS])  # JAX does not end for others
    c.call(P + "expn", jnp.array([1, 2, 3], ints), f(0.5, 2, 4))
    c.call(P + "expn", 2, f(0.1, 1.5, -1, nan))  # E_2(0) is 1: JAX has 1/2
    c.vjp(P + "expn", f(2, 3), f(0.5, 2))
    for n in ("sici", "fresnel"):
        c.tolerance(P + n, 500, 100)
        for x in (f(0.5, 1, 2, 5, -1), f(0, -0.0, inf, -inf, nan), f(3, 7, 15, 40, -2.5, -30), 2, True, 0.5, "a", None, f(), f(0.5)[0], f(0.5, 2).reshape(2, 1), jnp.array([1], "complex64"),
                  jnp.array([1, 2], ints), jnp.array([0.5, 2], "bfloat16"), jnp.array([0.5, 2], "float16")):
            c.call(P + n, x)
        c.call(P + n)
        c.vjp(P + n, f(0.5, 2, 4))
        c.vjp(P + n, f(0.5, 2, 4), order=2)
    c.tolerance(P + "polygamma", 500, 100)
    for n in range(4):
        c.call(P + "polygamma", n, f(0.5, 1, 2.5, 10))
        c.call(P + "polygamma", n, f(nan, 0, 1e3))
        c.call(P + "polygamma", n, jnp.array([1, 2], ints))
        c.vjp(P + "polygamma", n, f(0.5, 2), argnums=1)
    c.call(P + "polygamma", jnp.array([1, 2], ints), f(0.5, 3))
    for n, x in ((1.5, f(0.5)), (1, "a"), (1, 1j), (-1, f(0.5)), (1, jnp.array([0.5, 2], "bfloat16")), (1, jnp.array([0.5, 2], "float16")), (jnp.array([[1], [2]], ints), f(0.5, 3)), (jnp.array([1, 2], ints), f(1, 2, 3)), (True, f(0.5)), (1, f())):
        c.call(P + "polygamma", n, x)
    c.tolerance(P + "multigammaln", 200, 100)
    for n in (1, 2, 3, 0, 5, 1.5, jnp.array([1, 2], ints), jnp.array(2, ints), True, None):
        c.call(P + "multigammaln", f(2.5, 4), n)
    for x in (f(nan, inf), f(0.5, 0, -1), jnp.array([3, 4], ints), jnp.array([3, 4], "bfloat16"), jnp.array([3, 4], "float16"), 3, 2.5, "a", 1j, f(), f(2.5, 4).reshape(2, 1)):
        c.call(P + "multigammaln", x, 2)
    c.vjp(P + "multigammaln", f(2.5, 4), 2)
    c.tolerance(P + "logsumexp " + P + "softmax " + P + "log_softmax", 16, 8)
    x = f(1, 2, -3, 0.5, 0, 4).reshape(2, 3)
    for axis in (None, 0, 1, -1, (0, 1)):
        for k in (False, True):
            c.call(P + "logsumexp", x, axis, keepdims=k)
        c.call(P + "logsumexp", x, axis, b=f(1, 2, 0))
        c.call(P + "logsumexp", x, axis, b=f(1, -2, 0), return_sign=True)
        c.call(P + "logsumexp", x, axis, where=jnp.array([True, False, True]))
        c.call(P + "softmax", x, axis=axis)
        c.call(P + "log_softmax", x, axis=axis)
    c.call(P + "logsumexp", f(-inf, -inf))
    c.call(P + "logsumexp", f(inf, 1))
    c.call(P + "logsumexp", f(1000, 1000))
    c.call(P + "logsumexp", f())
    c.call(P + "logsumexp", jnp.array([1, 2], ints))
    c.call(P + "logsumexp", x, 2)
    c.vjp(P + "logsumexp", x, 0)
    c.vjp(P + "softmax", x)
    c.vjp(P + "log_softmax", x)
    c.call(P + "factorial", 3, exact=True)
    for n in ("softmax", "log_softmax"):
        for v in (f(-inf, -inf), f(inf, 1), f(nan, 1), f(1000, 1000), f(), f(3)[0], jnp.array([1, 2], ints), jnp.array([1, 2], "bfloat16"), jnp.array([1, 2], "float16"), jnp.array([1 + 1j, 2]), 2.0, "a",
                  jnp.array([True, False]), [1.0, 2.0]):
            c.call(P + n, v)
        for axis in (2, -3, (0, 0), ()):
            c.call(P + n, x, axis=axis)
        c.call(P + n, x, 0)
        c.vjp(P + n, x, axis=0, order=2)
    c.tolerance(P + "wofz", 500, 100)
    z = jnp.array([1 + 1j, 0.5, 2 - 0.1j, -1 + 3j], "complex128" if c.x64 else "complex64")
    for v in (z, z[0], z.reshape(2, 2), z[:0], f(0.5, -1, 2), 0.5, 2, True, 1 + 1j, "a", None, jnp.array([1, 2], ints), jnp.array([1, 2], "bfloat16"), jnp.array([1, 2], "float16"), z * 4, z * 0, -z):
        c.call(P + "wofz", v)
    c.call(P + "wofz")
    c.vjp(P + "wofz", z)
    c.vjp(P + "wofz", z, order=2) if not c.x64 else None  # two digits more than JAX's
    c.tolerance(P + "bernoulli", 400)
    for n in (0, 1, 2, 3, 5, 10, 11, 12, 20, 33, -1, 1.5, 2.0, True, None, "a", jnp.array(4, ints), jnp.array([1, 2], ints)):
        if c.x64 and isinstance(n, (int, jax.Array)) and jnp.ndim(n) == 0 and n > 2:  # the digits of JAX's and SciPy's are fewer
            c.expect(jnp.array([float(mpmath.bernoulli(k)) for k in range(int(n) + 1)]), P + "bernoulli", n)
        else:
            c.call(P + "bernoulli", n)
    c.call(P + "bernoulli")
    c.without(P + "bessel_jn", "JAX's values are NaN for small arguments; tests of the primitive have it")
    c.without(P + "sph_harm_y", "JAX's values for orders above the degree are wrong; tests of the primitive have it")
