"""Structured control flow beside JAX: values, derivatives, batches, texts, errors, and nests drawn at random."""
import os
import random as python_random

import numpy as np
import pytest

import both
import cotan
import cotan.numpy as jnp
from cotan import lax

SETUP = """x = jnp.arange(1., 4.);; w = jnp.array([[.5, -.2, .1], [.3, .4, -.6], [.2, .7, .1]]);; xs = jnp.sin(jnp.arange(12.)).reshape(4, 3);;
def root(a): return lax.while_loop(lambda s: abs(s * s - a) > 1e-4, lambda s: .5 * (s + a / s), 1. + 0 * a)
def rnn(w, xs): return lax.scan(lambda h, x: (jnp.tanh(h @ w + x), h.sum()), jnp.zeros(3), xs)
def power(x): return lax.fori_loop(0, 4, lambda i, c: c * x + i, 1.)
def piece(x): return lax.cond(x > 0, lambda x: jnp.sqrt(x), lambda x: x * x, x)
def three(i, x): return lax.switch(i, [lambda x: x, lambda x: jnp.sin(x), lambda x: x @ w], x);; """

VALUES = """
lax.cond(True, lambda x: x + 1, lambda x: x - 1, x)
lax.cond(False, lambda x: x + 1, lambda x: x - 1, x)
lax.cond(0., lambda: 1, lambda: 2)
lax.cond(jnp.nan, lambda: 1, lambda: 2)
lax.cond(True, lambda x: x, lambda x: jnp.float32(x), 2.)
lax.cond(True, lambda: None, lambda: None)
lax.cond(True, lambda a: {'a': a, 'b': (a,)}, lambda a: {'b': (a + 1,), 'a': a}, x)
lax.cond(True, lambda x: x + 1, lambda x: x - 1, operand=x)
lax.switch(7, [lambda x: x, lambda x: 2 * x], x)
lax.switch(-3, [lambda x: x, lambda x: 2 * x], x)
lax.switch(jnp.uint8(255), [lambda x: x, lambda x: 2 * x], x)
lax.switch(1, [lambda x: 3 * x], x)
lax.while_loop(lambda c: c < 3, lambda c: c + 1.5, 0)
lax.while_loop(lambda c: c < 3, lambda c: c + jnp.int32(1), 0)
lax.while_loop(lambda c: c[0] < 5, lambda c: (c[1], c[0] + c[1]), (0, 1))
lax.while_loop(lambda c: False, lambda c: c + 1, 3)
lax.while_loop(lambda c: c['n'] < 3, lambda c: {'n': c['n'] + 1, 'x': c['x'] * 2}, {'n': 0, 'x': x})
lax.fori_loop(0, 5, lambda i, c: c * 2 + i, 1.)
lax.fori_loop(5, 0, lambda i, c: c * 2 + i, 1.)
lax.fori_loop(jnp.int8(0), 5, lambda i, c: c + i, jnp.int8(1))
jit(lambda n: lax.fori_loop(0, n, lambda i, c: c * 2 + i, 1.))(4)
lax.scan(lambda c, x: (c + x, c), 0., jnp.arange(4.))
lax.scan(lambda c, x: (c + x, c), 0., jnp.arange(4.), reverse=True)
lax.scan(lambda c, x: (c * 2, c), 1., None, length=5)
lax.scan(lambda c, x: (c, x * 2), (), xs)
lax.scan(lambda c, x: (c + 1.5, None), 0, jnp.arange(3))
lax.scan(lambda c, x: (c * 1, 2.0), 1.0, jnp.arange(3.))
lax.scan(lambda c, x: (c + x, x), jnp.zeros(0), jnp.zeros((0, 0)))
lax.scan(lambda c, x: (c * 1, x), 1., jnp.zeros((0, 3)))
lax.scan(lambda c, x: ((c[1], c[0] + x[0]), {'s': c[0] * x[1]}), (0., 1.), (jnp.arange(3.), jnp.ones(3)), unroll=2)
lax.scan(lambda k, _: (random.split(k)[0], random.uniform(k)), random.key(0), None, length=3)
lax.map(lambda x: x ** 2, jnp.arange(7.))
lax.map(lambda x: x ** 2, jnp.arange(7.), batch_size=3)
lax.map(lambda x: x ** 2, jnp.arange(6.), batch_size=3)
lax.map(lambda t: {'s': t[0] + t[1]}, (jnp.arange(3), jnp.arange(3)))
lax.map(lambda x: x ** 2, jnp.arange(2.), batch_size=5)
lax.associative_scan(jnp.add, jnp.arange(7.))
lax.associative_scan(lambda a, b: (a[0] * b[0], a[1] * b[0] + b[1]), (jnp.arange(1., 8), jnp.ones(7)))
lax.associative_scan(lambda a, b: {'s': a['s'] | b['s'], 'n': a['n'] + b['n']}, {'s': jnp.arange(6) > 2, 'n': jnp.arange(12).reshape(2, 6)[0]}, reverse=True)
lax.platform_dependent(x, cpu=jnp.sin, default=jnp.cos)
root(2.), vmap(root)(jnp.array([2., 9., 100.])), jit(vmap(root))(jnp.array([2., 9., 100.]))
vmap(lambda a, n: lax.fori_loop(0, n, lambda i, c: c * a, 1.))(x, jnp.array([1, 0, 4]))
vmap(lambda n: lax.while_loop(lambda c: c[0] < n, lambda c: (c[0] + 1, c[1] * 2), (0, 1)))(jnp.arange(4))
vmap(vmap(lambda a, b: lax.cond(a > b, lambda: a, lambda: b), (0, None)), (None, 0))(x, x)
jvp(root, (2.,), (1.,)), jit(lambda t: jvp(root, (2.,), (t,)))(1.)
vmap(lambda a: jvp(root, (a,), (1.,)))(x)
grad(power)(2.), grad(grad(power))(2.), jit(grad(grad(power)))(2.), vmap(grad(power))(x)
grad(piece)(4.), grad(piece)(-3.), vmap(grad(piece))(jnp.array([4., -3., 0.]))
grad(lambda x: vmap(piece)(x).sum())(jnp.array([4., -3., 0.]))
vmap(grad(grad(piece)))(jnp.array([4., -3.])), jit(vmap(hessian(piece)))(jnp.array([4., -3.]))
grad(lambda x, i: three(i, x).sum())(x, 1), grad(lambda x: vmap(three, (0, None))(jnp.arange(3), x).sum())(x)
jacfwd(lambda x: three(2, x))(x), jacrev(lambda x: three(2, x))(x)
grad(lambda w: rnn(w, xs)[0].sum())(w), jit(grad(lambda w, xs: rnn(w, xs)[1].sum(), (0, 1)))(w, xs)
jacrev(rnn)(w, xs), jacfwd(rnn)(w, xs)
hessian(lambda w: rnn(w, xs)[0].sum())(w)
jit(hessian(lambda w: rnn(w, xs)[1].sum()))(w)
vmap(rnn, (None, 0))(w, jnp.stack([xs, 2 * xs])), vmap(rnn, (0, None))(jnp.stack([w, 2 * w]), xs)
vmap(grad(lambda w, xs: rnn(w, xs)[0].sum()), (None, 0))(w, jnp.stack([xs, 2 * xs]))
grad(lambda w: vmap(rnn, (None, 0))(w, jnp.stack([xs, 2 * xs]))[0].sum())(w)
linearize(lambda w: rnn(w, xs), w)[1](w), vjp(lambda w: rnn(w, xs)[1], w)[1](jnp.ones(4))
grad(lambda x: lax.scan(lambda c, i: (c * x[i], None), 1., jnp.arange(3))[0])(x)
grad(lambda x: lax.scan(lambda c, t: ((c[0] * x[c[1]], c[1] + 1), None), (1., 0), None, length=3)[0][0])(x)
grad(lambda x: lax.map(jnp.sin, x, batch_size=2).sum())(x), grad(lambda x: lax.associative_scan(jnp.multiply, x).sum())(x)
jax.linear_transpose(lambda x: lax.scan(lambda c, y: ((c[0] + y * c[1], c[1] + 1), y * 2), (0., 1), x)[1], x)(jnp.ones(3))
jax.linear_transpose(lambda x: lax.scan(lambda c, y: ((c[0] + 2 * y, c[1] + 1), y), (0 * x[0], 1), x)[0][0], x)(1.)
jax.eval_shape(rnn, w, xs)
lax.cond(True, lambda: random.key(1), lambda: random.key(2))
vmap(lambda p: lax.cond(p, lambda: random.key(1), lambda: random.key(2)))(x > 1)
grad(lambda z: lax.cond(True, lambda z: z * z, lambda z: z, z).real)(1 + 2j)
""".strip().splitlines()

ERRORS = """
lax.cond(True, lambda x: x, lambda x: (x, x), 2.)
lax.cond(True, lambda x: x, lambda x: jnp.ones(3), 2.)
lax.cond(True, lambda x: x, lambda x: 1, 2.)
lax.cond(jnp.ones(2), lambda x: x, lambda x: x, 2.)
lax.cond('a', lambda x: x, lambda x: x, 2.)
lax.cond(1j, lambda x: x, lambda x: x, 2.)
lax.cond(None, lambda x: x, lambda x: x, 2.)
lax.cond(True, 3, lambda x: x, 2.)
lax.cond(True, lambda: None, lambda: 1)
lax.switch(1.5, [lambda x: x, lambda x: x], 2.)
lax.switch(jnp.arange(2), [lambda x: x, lambda x: x], 2.)
lax.switch(0, [], 2.)
lax.while_loop(lambda c: c, lambda c: c + 1, 0)
lax.while_loop(lambda c: jnp.ones(2) > 0, lambda c: c + 1, 0)
lax.while_loop(lambda c: (c < 2, c < 1), lambda c: c + 1, 0)
lax.while_loop(lambda c: c < 2, lambda c: (c + 1,), 0)
lax.while_loop(lambda c: c < 2, lambda c: c + 1.5, jnp.int32(0))
lax.while_loop(lambda c: c.sum() < 2, lambda c: jnp.concatenate([c, c]), jnp.zeros(2))
lax.while_loop(3, lambda c: c, 0)
lax.fori_loop(0, 3.5, lambda i, c: c, 0)
lax.fori_loop(0, 3, lambda i, c: c + .5, jnp.int32(1))
lax.scan(lambda c, x: ((c[0], c[1] + 1.5), None), (1, jnp.int32(0)), jnp.arange(3))
lax.scan(lambda c, x: ([c[0], c[1]], None), (1, 0), jnp.arange(3))
lax.scan(lambda c, x: c, 0, jnp.arange(3))
lax.scan(lambda c, x: (c, x), 0, (jnp.arange(3), jnp.arange(4)))
lax.scan(lambda c, x: (c, x), 0, None)
lax.scan(lambda c, x: (c, x), 0, jnp.arange(3), length=4)
lax.scan(lambda c, x: (c, x), 0, jnp.arange(3), unroll=-1)
lax.scan(3, 0, jnp.arange(3))
lax.associative_scan(lambda a, b: a, (jnp.arange(3.), jnp.arange(4.)))
lax.scan(lambda c, x: (c, 'a'), 0, jnp.arange(3))
lax.scan(lambda c, x: (c, x), 'a', jnp.arange(3))
grad(lambda x: lax.while_loop(lambda c: c < 10, lambda c: c * 2, x))(1.)
grad(lambda x: jit(lambda n: lax.fori_loop(0, n, lambda i, c: c * 2, x))(3))(1.)
""".strip().splitlines()

PROGRAMS = """
lambda x, p: lax.cond(p, lambda x: jnp.sin(x) * 3, lambda x: x + 1., x); 1., True
lambda x, i: lax.switch(i, [lambda x: x, lambda x: x * 2, lambda x: x @ w], x); x, 1
lambda x, p: lax.cond(p, lambda: x @ w, lambda: x + xs[0]); x, True
lambda x: lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1] * 2), (0, x)); 1.
lambda x: lax.while_loop(lambda c: (c @ w).sum() < 3, lambda c: c @ w * x, x); x
lambda x: lax.fori_loop(0, 5, lambda i, c: c * 2 + i, x); 1.
lambda x, n: lax.fori_loop(0, n, lambda i, c: c * 2 + i, x); 1., 3
lambda xs: lax.scan(lambda c, y: (jnp.tanh(c @ w + y), c.sum()), xs[0], xs); xs
lambda x: lax.scan(lambda c, y: (c * 2, None), x, None, length=3, unroll=3, reverse=True); x
lambda x: lax.map(lambda c: c * 2, x); x
lambda x: lax.map(lambda c: c * 2, x, batch_size=2); x
lambda x: lax.associative_scan(jnp.add, x); x
""".strip().splitlines()

KNOWN = {"grad(lambda z: lax.cond(True, lambda z: z * z, lambda z: z, z).real)(1 + 2j)": "weak type of a complex cotangent"}


@pytest.mark.parametrize("code", VALUES + ERRORS)
def test_as_jax(code):
    both.expect(code, SETUP, KNOWN, ulps=64)


@pytest.mark.parametrize("program", PROGRAMS)
def test_text(program):
    function, args = program.split("; ")
    code = f"str(make_jaxpr({function})({args}))"
    got, want = (both.run(package, SETUP + code) for package in ("cotan", "jax"))
    assert got == want


def test_a_scan_traces_its_body_once():
    def f(n):
        return str(cotan.make_jaxpr(lambda x: lax.scan(lambda c, _: (jnp.sin(c), None), x, None, length=n)[0])(1.))
    assert f(2).replace("length=2", "") == f(2000).replace("length=2000", "")
    calls = []
    lax.scan(lambda c, x: (calls.append(1), (c + x, c))[1], 0., jnp.arange(100.))
    assert len(calls) == 1


def test_beyond_jax():
    def newton(a, **options):
        return lax.while_loop(lambda s: abs(s * s - a) > 1e-4, lambda s: .5 * (s + a / s), 1. + 0 * a, **options)
    for options in ({"max_steps": 20}, {"max_steps": 20, "checkpoint": True}):
        assert float(newton(2., **options)) == float(newton(2.))
        assert float(cotan.grad(lambda a: newton(a, **options))(2.)) == pytest.approx(.5 / 2 ** .5, rel=1e-3)
        np.testing.assert_allclose(cotan.vmap(cotan.grad(lambda a: newton(a, **options)))(jnp.array([2., 9.])), [.5 / 2 ** .5, 1 / 6], rtol=1e-3)
    assert float(newton(100., max_steps=1)) == 50.5
    assert lax.while_loop(lambda c: c < 3, lambda c: c + 1.5, 0, max_steps=5) == 3
    with pytest.raises(ValueError, match="max_steps"):
        newton(2., max_steps=-1)
    xs = jnp.sin(jnp.arange(30.)).reshape(10, 3)
    for length in (1, 4, 9, 10):
        for reverse in (False, True):
            def loss(w, x, **options):
                last, rows = lax.scan(lambda c, r: (jnp.tanh(c * w + r), c), x[0], x[:length], reverse=reverse, **options)
                return last.sum() + (rows * rows).sum()
            w = jnp.array([.5, -.3, 1.1])
            for f in (lambda **o: loss(w, xs, **o), lambda **o: cotan.grad(loss, (0, 1))(w, xs, **o),
                      lambda **o: cotan.jit(cotan.hessian(lambda w: loss(w, xs, **o)))(w)):
                for a, b in zip(cotan.tree_util.tree_leaves(f()), cotan.tree_util.tree_leaves(f(checkpoint=True)), strict=True):
                    np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


def test_a_checkpointed_scan_keeps_the_square_root_of_its_carries():
    from cotan.ad_checkpoint import saved_residuals

    def kept(**options):
        scan = lambda x: lax.scan(lambda c, _: (jnp.sin(jnp.sin(c)), None), x, None, length=400, **options)[0]  # noqa: E731
        return sum(aval.size for aval, _ in saved_residuals(scan, 1.))
    assert kept() >= 800 and kept(checkpoint=True) <= 40


MISUSE = r"""
import random, sys, numpy as np, cotan as jax, cotan.numpy as jnp
from cotan import lax
bad = [None, 1, 1.5, "s", [1, 2], (1,), {}, object(), jnp.ones(3), jnp.zeros((0, 2)), lambda x: x, lambda *a: a, lambda: 1, np.ones(3), -1, 10**30, 1j,
       jax.random.key(0)]
def custom(make, define):
    made = make
    define(made)
    return made
calls = [lambda a, b, c, d: lax.cond(a, b, c, d), lambda a, b, c, d: lax.switch(a, b, c), lambda a, b, c, d: lax.switch(a, [b, c], d),
         lambda a, b, c, d: lax.while_loop(a, b, c), lambda a, b, c, d: lax.fori_loop(a, b, c, d), lambda a, b, c, d: lax.scan(a, b, c),
         lambda a, b, c, d: lax.scan(a, b, c, length=d), lambda a, b, c, d: lax.map(a, b, batch_size=c), lambda a, b, c, d: jax.checkpoint(a, policy=b)(c),
         lambda a, b, c, d: jax.grad(jax.checkpoint(a, policy=b))(c), lambda a, b, c, d: jax.pure_callback(a, b, c), lambda a, b, c, d: jax.debug.print(a, b),
         lambda a, b, c, d: jax.grad(custom(jax.custom_jvp(a), lambda h: h.defjvp(b)))(c),
         lambda a, b, c, d: jax.grad(custom(jax.custom_vjp(a), lambda h: h.defvjp(b, c)))(d), lambda a, b, c, d: jax.custom_gradient(a)(b),
         lambda a, b, c, d: lax.custom_root(a, b, c, d), lambda a, b, c, d: lax.custom_linear_solve(a, b, c, d), lambda a, b, c, d: jax.closure_convert(a, b),
         lambda a, b, c, d: jax.vmap(lambda x: lax.cond(x, a, b, c))(d), lambda a, b, c, d: jax.vmap(lambda x: lax.scan(a, x, b))(d)]
draw, failed = random.Random(int(sys.argv[1])), 0
for _ in range(1500):
    try:
        draw.choice(calls)(*[draw.choice(bad) for _ in range(4)])
    except Exception:
        failed += 1
assert failed > 1000
print("survived")
"""


def test_misuse_never_crashes():
    import subprocess
    import sys
    run = subprocess.run([sys.executable, "-X", "faulthandler", "-c", MISUSE, str(SEED)], capture_output=True, text=True, timeout=300)
    assert run.returncode == 0 and run.stdout.endswith("survived\n"), run.stderr[-2000:]


def test_without_jit():
    with cotan.disable_jit():
        seen = []
        out = lax.fori_loop(0, 3, lambda i, c: (seen.append(int(i)), c + i)[1], 0)
        assert seen == [0, 1, 2] and int(out) == 3
        assert float(lax.while_loop(lambda c: float(c) < 5, lambda c: c * 2, 1.)) == 8
        assert float(lax.cond(True, lambda x: float(x), lambda x: 1 / 0, 2.)) == 2


def test_a_carry_is_named():
    with pytest.raises(TypeError, match=r"component c\['n'\]\[1\] has type int32.*float32"):
        lax.scan(lambda c, x: ({"n": (c["n"][0], c["n"][1] + 1.5)}, None), {"n": (1, jnp.int32(0))}, jnp.arange(3))


# --- nests drawn at random: the same source text is run by both -------------------------------------------------------------------------
class Nest:
    """Expressions of x (a float scalar) and what loops bind around them, bounded and smooth but for predicates."""

    def __init__(self, seed, forward=False):
        """forward: also loops whose length depends on values, which have no reverse mode."""
        self.r, self.names = python_random.Random(seed), 0
        self.kinds = ["cond", "switch", "scan", "fori", "while", "map", "plain"] + (["until"] * 3 if forward else [])

    def fresh(self):
        self.names += 1
        return f"v{self.names}"

    def leaf(self, scope):
        return self.r.choice(scope) if self.r.random() < .8 else self.r.choice([".5", "-.3", "1.2"])

    def expression(self, scope, depth):
        r = self.r
        if depth == 0 or r.random() < .15:
            a, b = self.leaf(scope), self.leaf(scope)
            return r.choice([f"jnp.sin({a} + {b})", f"({a} * {b} * .5)", f"jnp.tanh({a}) + {b} * .25", f"jnp.cos({a}) * {b}", f"({a} - .3 * {b})"])
        kind = r.choice(self.kinds)
        one = lambda names: self.expression(scope + names, depth - 1)  # noqa: E731
        a = self.expression(scope, depth - 1)
        v, c = self.fresh(), self.fresh()
        if kind == "cond":
            return f"lax.cond({self.leaf(scope)} > {self.leaf(scope)}, lambda {v}: 1. * ({one([v])}), lambda {v}: 1. * ({one([v])}), {a})"
        if kind == "switch":
            return (f"lax.switch(({self.leaf(scope)} > .1).astype(int) + ({self.leaf(scope)} > .4).astype(int) if True else 0, "
                    f"[lambda {v}: 1. * ({one([v])}), lambda {v}: 1. * ({one([v])}), lambda {v}: 1. * {v}], {a})").replace("(.5 >", "(jnp.float32(.5) >").replace(
                        "(-.3 >", "(jnp.float32(-.3) >").replace("(1.2 >", "(jnp.float32(1.2) >")
        if kind == "scan":
            reverse = r.choice(["", ", reverse=True"])
            return (f"(lambda t: t[0] + t[1].sum() * .1)(lax.scan(lambda {c}, {v}: (jnp.tanh({one([c, v])}), {self.leaf(scope + [c, v])} * {c}), "
                    f"jnp.tanh({a}), jnp.array([.1, -.4, .7]) * {self.leaf(scope)}{reverse}))")
        if kind == "fori":
            return f"lax.fori_loop(0, 3, lambda i, {v}: jnp.tanh({one([v])}) + .1 * i, jnp.tanh({a}))"
        if kind == "while":
            return (f"lax.stop_gradient(lax.while_loop(lambda s: s[0] < 3, lambda s: (s[0] + 1, (lambda {v}: jnp.tanh(1. * {one([v])} + .1))(s[1])), "
                    f"(0, jnp.tanh({a})))[1]) * ({one([])})")
        if kind == "until":
            return (f"lax.while_loop(lambda s: (s[0] < 5) & (s[1] < 1.1 + {self.leaf(scope)}), "
                    f"lambda s: (s[0] + 1, (lambda {v}: {v} + .3 + .1 * jnp.sin({one([v])}))(s[1])), (0, jnp.tanh({a})))[1]")
        if kind == "map":
            return f"lax.map(lambda {v}: {one([v])}, jnp.array([.2, -.6]) + {a}).sum()"
        return f"jnp.tanh({a}) * ({one([])})"


TRANSFORMATIONS = ["f(.3)", "jit(f)(.3)", "grad(f)(.3)", "jit(grad(f))(.3)", "hessian(f)(.3)", "jvp(lambda x: vjp(f, x)[1](1.)[0], (.3,), (1.,))",
                   "vmap(f)(xs)", "vmap(grad(f))(xs)", "grad(lambda xs: vmap(f)(xs).sum())(xs)", "jit(vmap(hessian(f)))(xs)"]
SEED = int(os.environ.get("COTAN_FUZZ_SEED", "20261130"))
NESTS = int(os.environ.get("COTAN_FUZZ", "12"))


def check_nest(nest, depth, transformations):
    body = nest.expression(["x"], depth)
    setup = f"xs = jnp.array([.3, -.5, .9]);; f = lambda x: 1. * ({body});; "
    for code in nest.r.sample(transformations, 4):
        got, want = (both.run(package, setup + code) for package in ("cotan", "jax"))
        if isinstance(want, Exception):
            both.check(got, want, setup + code)
            continue
        import jax
        g, w = cotan.tree_util.tree_leaves(got), jax.tree_util.tree_leaves(want)
        assert not isinstance(got, Exception), f"{setup}{code}: {got!r}"
        for a, b in zip(g, w, strict=True):
            np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=2e-4, atol=2e-5, err_msg=setup + code)


@pytest.mark.parametrize("seed", range(SEED, SEED + NESTS))
def test_nests(seed):
    check_nest(Nest(seed), 1 + seed % 4, TRANSFORMATIONS)


FORWARD = ["f(.3)", "jit(f)(.3)", "vmap(f)(xs)", "jit(vmap(f))(xs)", "jvp(f, (.3,), (1.,))", "vmap(lambda x: jvp(f, (x,), (1.,)))(xs)",
           "jvp(vmap(f), (xs,), (xs,))", "vmap(vmap(f))(jnp.stack([xs, 2 * xs]))", "jit(jacfwd(vmap(f)))(xs)", "vmap(jacfwd(jacfwd(f)))(xs)"]


@pytest.mark.parametrize("seed", range(SEED, SEED + NESTS))
def test_nests_with_loops_of_unknown_length(seed):
    check_nest(Nest(seed, forward=True), 1 + seed % 3, FORWARD)


@pytest.mark.parametrize("code", [
    "grad(f)(.3)", "jit(grad(f))(.3)", "jvp(lambda x: vjp(f, x)[1](1.)[0], (.3,), (1.,))", "hessian(f)(.3)", "vmap(grad(f))(xs)", "jit(vmap(hessian(f)))(xs)"])
def test_a_branch_in_a_loop_in_a_scan(code):
    setup = """xs = jnp.array([.3, -.5, .9]);;
def step(c, x):
    def inner(i, v):
        return lax.cond(v > .2 * i, lambda v: jnp.sin(v) * c, lambda v: v * v + x, v)
    n = lax.while_loop(lambda s: (s[0] < 4) & (s[1] < .9), lambda s: (s[0] + 1, lax.cond(s[1] > 0, lambda v: v + .2, lambda v: v + .5, s[1])),
                       (0, lax.stop_gradient(x)))[1]
    return lax.fori_loop(0, 3, inner, c + n * x), c * x
def f(x):
    c, rows = lax.scan(step, x, jnp.array([.1, -.4, .7]) * x)
    return c + rows.sum();; """
    both.check(*(both.run(package, setup + code) for package in ("cotan", "jax")), code, ulps=64, absolute=16, weak=False)
