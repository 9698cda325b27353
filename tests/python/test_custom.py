"""Custom derivative and batching rules, checkpoints, implicit solutions and callbacks beside JAX."""
import numpy as np
import pytest

import both
import cotan
import cotan.numpy as jnp

SETUP = """x = jnp.arange(1., 4.);; from functools import partial;; cd = __import__('importlib').import_module(jax.__name__ + '.custom_derivatives');;
cb = __import__('importlib').import_module(jax.__name__ + '.custom_batching');; ck = jax.checkpoint_policies;;
def named(v): return __import__('importlib').import_module(jax.__name__ + '.ad_checkpoint').checkpoint_name(v, 'a');;
f = jax.custom_jvp(lambda x, y: jnp.sin(x) * y);; f.defjvp(lambda p, t: (f(*p), 10. * jnp.cos(p[0]) * p[1] * t[0] + jnp.sin(p[0]) * t[1]));;
fs = jax.custom_jvp(lambda x, y: jnp.sin(x) * y);; fs.defjvps(lambda t, out, x, y: 3. * jnp.cos(x) * y * t, None);;
fn = jax.custom_jvp(lambda n, x: x ** n, nondiff_argnums=(0,));; fn.defjvp(lambda n, p, t: (p[0] ** n, 7. * t[0]));;
ft = jax.custom_jvp(lambda d: {'s': d['a'] * d['b'], 'n': d['n'] + 1});; ft.defjvp(lambda p, t: (ft(*p), {'s': t[0]['a'] * 5, 'n': np.zeros((), jax.dtypes.float0)}));;
g = jax.custom_vjp(lambda x, y: jnp.sin(x) * y);; g.defvjp(lambda x, y: (g(x, y), (x, y)), lambda r, c: (10. * c * jnp.cos(r[0]) * r[1], c * jnp.sin(r[0])));;
gi = jax.custom_vjp(lambda x, n: x * n);; gi.defvjp(lambda x, n: (x * n, n), lambda n, c: (c * n * 2, None));;
gn = jax.custom_vjp(lambda h, x: h(x), nondiff_argnums=(0,));; gn.defvjp(lambda h, x: (h(x), x), lambda h, x, c: (3. * c,));;
gt = jax.custom_vjp(lambda d: (d['a'] * 2, d['b']));; gt.defvjp(lambda d: (gt(d), None), lambda r, c: ({'a': c[0], 'b': None},));;
gk = jax.custom_vjp(lambda x, k: x * 2.);; gk.defvjp(lambda x, k: (x * 2., None), lambda r, c: (c * 2, None));;
cg = jax.custom_gradient(lambda x: (x ** 2, lambda c: c * x * 5.));;
def clip(x): return g(x, 2.) + f(x, 3.)
def rem(x): return jnp.sin(jnp.sin(named(jnp.sin(x)) @ jnp.diag(x))).sum()
def newton(a): return lax.custom_root(lambda x: x ** 2 - a, 1. + 0 * a, lambda h, x0: lax.while_loop(lambda x: abs(h(x)) > 1e-4, lambda x: x - h(x) / (2 * x), x0), lambda h, y: y / h(1.))
def lin(m, b): return lax.custom_linear_solve(partial(jnp.dot, m), b, lambda mv, b: jnp.linalg.inv(m) @ b if False else cram(m, b), lambda vm, b: cram(m.T, b))
def cram(m, b): return jnp.stack([m[1, 1] * b[0] - m[0, 1] * b[1], m[0, 0] * b[1] - m[1, 0] * b[0]]) / (m[0, 0] * m[1, 1] - m[0, 1] * m[1, 0])
def cj(f): g = jax.custom_jvp(f); g.defjvp(lambda p, t: jax.jvp(f, p, t)); return g
def cw(f): g = jax.custom_vjp(f); g.defvjp(lambda x: jax.vjp(f, x), lambda r, c: r(c)); return g
m = jnp.array([[2., 1.], [.5, 3.]]);; b = jnp.array([1., -2.]);; """

VALUES = """
vjp(cj(jit(jnp.sin)), .3)[0], jax.linearize(cj(jit(jnp.sin)), .3)[0], value_and_grad(cj(jit(jnp.sin)))(.3)
jit(value_and_grad(cj(jit(jnp.sin))))(.3), value_and_grad(jit(cj(jit(jnp.sin))))(.3), vmap(value_and_grad(cj(jit(jnp.sin))))(x)
grad(cj(lambda v: jit(lambda u: u * v)(2.) * v))(.3), grad(cj(lambda v: v * lax.cond(v > 0, lambda c: c * v, lambda c: c, 2.)))(.3)
jax.linearize(cj(lambda v: lax.while_loop(lambda c: c < 3, lambda c: c * v, v)), 1.3)[0]
value_and_grad(cj(lambda v: lax.scan(lambda c, _: (jit(jnp.sin)(c) * v, c), v, None, length=4)[1].sum()))(.3)
value_and_grad(cj(lambda v: lax.fori_loop(0, 3, lambda i, c: jnp.sin(c) * v, v)))(.3), value_and_grad(cj(jax.checkpoint(jnp.sin)))(.3)
value_and_grad(cj(lambda v: jit(lambda u: jit(jnp.sin)(u) * jnp.cos(u))(v) * v))(.3), hessian(cj(lambda v: jit(lambda u: jit(jnp.sin)(u) * u)(v) * v))(.3)
jit(hessian(jit(jnp.sin)))(.3), jit(lambda x: jvp(jit(jnp.sin), (x,), (jnp.float32(1),))[1])(.3), jit(jacfwd(jax.checkpoint(jnp.sin)))(.3)
grad(cw(jnp.cos))(.3), grad(jit(cw(jnp.cos)))(.3), grad(jax.checkpoint(cw(jnp.cos)))(.3), grad(lambda x: vmap(cw(jnp.cos))(x).sum())(x)
jit(lambda x: vjp(jnp.sin, x)[1])(.3)(1.), jit(lambda x: jax.linearize(jnp.sin, x)[1])(.3)(1.), vmap(lambda x, c: vjp(jnp.sin, x)[1](c))(x, x)
grad(lambda x: lax.scan(lambda c, _: (cw(jnp.cos)(c), None), x, None, length=3)[0])(.3), tu.tree_leaves(vjp(jnp.sin, .3)[1])
tu.tree_leaves(vmap(lambda x: vjp(jnp.sin, x)[1])(x)), tu.tree_map(lambda r: 2 * r, vjp(jnp.sin, .3)[1])(1.)
f(1., 2.), grad(f)(1., 2.), grad(f, 1)(1., 2.), jit(grad(f))(1., 2.), jvp(f, (1., 2.), (1., 0.))
vmap(f, (0, None))(x, 2.), vmap(grad(f), (0, None))(x, 2.), grad(lambda x: vmap(f, (0, None))(x, 2.).sum())(x), jit(vmap(grad(f), (0, None)))(x, 2.)
grad(grad(f))(1., 2.), jax.hessian(f)(1., 2.), jacfwd(f, (0, 1))(1., 2.)
f(1., y=2.), grad(lambda x: f(x, y=2.))(1.)
grad(fs, (0, 1))(1., 2.), jit(grad(fs))(1., 2.)
fn(3, jnp.float32(2)), grad(fn, 1)(3, 2.), jit(grad(fn, 1), static_argnums=0)(3, 2.)
grad(lambda a: ft({'a': a, 'b': 3., 'n': 2})['s'])(2.), vmap(lambda a: ft({'a': a, 'b': 3., 'n': 2})['s'])(x)
lax.scan(lambda c, t: (f(c, t), c), 1., x), grad(lambda a: lax.scan(lambda c, t: (f(c, t), c), a, x)[0])(1.)
grad(g)(1., 2.), grad(g, 1)(1., 2.), jit(grad(g, (0, 1)))(1., 2.), vmap(grad(g), (0, None))(x, 2.)
grad(lambda y: vmap(g, (0, None))(x, y).sum())(2.), jit(grad(lambda y: vmap(g, (0, None))(x, y).sum()))(2.)
jacrev(g, (0, 1))(1., 2.), jacfwd(grad(g))(1., 2.), vmap(vmap(grad(g), (0, None)), (None, 0))(x, x)
jax.vjp(g, 1., 2.)[1](1.), jax.linearize(f, 1., 2.)[1](1., 1.)
grad(lambda a: lax.scan(lambda c, t: (g(c, t), c), a, x)[0])(1.), jit(vmap(grad(lambda a: lax.scan(lambda c, t: (g(c, t), c), a, x)[0])))(x)
grad(gi)(3., 4), grad(lambda x: gi(x, jnp.int32(2)))(1.), grad(gn, 1)(jnp.sin, 2.), jit(lambda x: grad(gn, 1)(jnp.sin, x))(2.)
grad(lambda d: gt(d)[0] + gt(d)[1])({'a': 2., 'b': 3.}), grad(gk)(1., random.key(3))
grad(cg)(3.), vmap(grad(cg))(x), jit(grad(cg))(3.)
grad(lambda x: lax.cond(x > 0, clip, lambda x: x, x))(1.), vmap(grad(lambda x: lax.cond(x > 1.5, clip, lambda x: x, x)))(x)
grad(lambda a: cd.closure_convert(lambda x: x * a, 1.)[0](2., *cd.closure_convert(lambda x: x * a, 1.)[1]))(3.)
cd.linear_call(lambda r, x: x * r, lambda r, t: t * r * 10, 2., 3.), jax.linear_transpose(lambda x: cd.linear_call(lambda r, x: x * r, lambda r, t: t * r * 10, 2., x), 1.)(1.)
grad(lambda x: cd.linear_call(lambda r, x: x * r, lambda r, t: t * r * 10, 2., x))(1.)
grad(rem)(x), grad(jax.checkpoint(rem))(x), jit(grad(jax.checkpoint(rem)))(x), jax.hessian(jax.checkpoint(rem))(x)
grad(jax.checkpoint(rem, policy=ck.dots_saveable))(x), grad(jax.checkpoint(rem, policy=ck.save_only_these_names('a')))(x), grad(jax.checkpoint(rem, policy=ck.everything_saveable))(x)
vmap(grad(jax.checkpoint(jnp.sin)))(x), grad(lambda x: vmap(jax.checkpoint(jnp.sin))(x).sum())(x), jvp(jax.checkpoint(jnp.sin), (1.,), (1.,))
grad(lambda x: lax.scan(jax.checkpoint(lambda c, t: (jnp.sin(c * t), c)), x, jnp.arange(3.))[0])(1.), grad(jax.checkpoint(lambda x: lax.scan(lambda c, t: (jnp.sin(c * t), c), x, jnp.arange(3.))[0]))(1.)
jax.checkpoint(lambda n, x: x ** n, static_argnums=0)(3, 2.), grad(jax.checkpoint(lambda n, x: x ** n, static_argnums=0), 1)(3, 2.)
newton(2.), grad(newton)(2.), jit(grad(newton))(3.), grad(grad(newton))(2.), vmap(grad(newton))(x), jvp(newton, (2.,), (1.,))
lin(m, b), grad(lambda m, b: lin(m, b).sum(), (0, 1))(m, b), jacfwd(lin, 1)(m, b), jacrev(lin)(m, b), jit(jax.hessian(lambda m: lin(m, b).sum()))(m), vmap(lin, (None, 0))(m, jnp.stack([b, b + 1]))
grad(lambda x: (jax.debug.print('{}', x), x * x)[1])(3.), vmap(lambda x: (jax.debug.print('{}', x), x)[1])(x)
jax.pure_callback(lambda x: np.sin(np.asarray(x)), jax.ShapeDtypeStruct((3,), np.float32), x), jit(lambda x: jax.pure_callback(lambda x: np.sin(np.asarray(x)), x, x))(x)
vmap(lambda x: jax.pure_callback(lambda x: np.sin(np.asarray(x)), jax.ShapeDtypeStruct((), np.float32), x, vmap_method='sequential'))(x)
vmap(lambda x: jax.pure_callback(lambda x: np.sin(np.asarray(x)), jax.ShapeDtypeStruct((), np.float32), x, vmap_method='expand_dims'))(x)
vmap(lambda x: jax.pure_callback(lambda x, y: np.asarray(x) + np.asarray(y), jax.ShapeDtypeStruct((), np.float32), x, 2., vmap_method='broadcast_all'))(x)
jax.pure_callback(lambda x: {'a': x, 'b': (np.int32(1),)}, {'a': x, 'b': (jnp.int32(0),)}, x)
""".strip().splitlines()

ERRORS = """
jvp(g, (1., 2.), (1., 0.))
jax.custom_jvp(lambda x: x)(1.)
jax.custom_vjp(lambda x: x)(1.)
(lambda h: (h.defjvp(lambda p, t: p[0]), grad(h)(1.)))(jax.custom_jvp(lambda x: x))
(lambda h: (h.defjvp(lambda p, t: (p[0], (t[0],))), grad(h)(1.)))(jax.custom_jvp(lambda x: x))
(lambda h: (h.defjvp(lambda p, t: (p[0], jnp.ones(3))), grad(h)(1.)))(jax.custom_jvp(lambda x: x))
(lambda h: (h.defvjp(lambda x: (x, x), lambda r, c: c), grad(h)(1.)))(jax.custom_vjp(lambda x: x))
(lambda h: (h.defvjp(lambda x: x, lambda r, c: (c,)), grad(h)(1.)))(jax.custom_vjp(lambda x: x))
(lambda h: (h.defvjp(lambda x: (x, x), lambda r, c: (c, c)), grad(h)(1.)))(jax.custom_vjp(lambda x: x))
(lambda h: (h.defvjp(lambda x: (x, x), lambda r, c: (jnp.ones(3),)), grad(h)(1.)))(jax.custom_vjp(lambda x: x))
vmap(lambda x: jax.pure_callback(lambda x: x, jax.ShapeDtypeStruct((), np.float32), x))(x)
vmap(lambda x: jax.pure_callback(lambda x: x, jax.ShapeDtypeStruct((), np.float32), x, vmap_method='bad'))(x)
grad(lambda x: jax.pure_callback(lambda x: x, jax.ShapeDtypeStruct((), np.float32), x))(1.)
jax.debug.print('x {}', 1, 2)
jax.debug.print('x {z}', 1)
""".strip().splitlines()

KNOWN = {}


@pytest.mark.parametrize("code", VALUES + ERRORS)
def test_as_jax(code):
    both.expect(code, SETUP, KNOWN, ulps=64, weak=False)


def test_effects_keep_their_order(capsys):
    @cotan.jit
    def f(x):
        def body(i, c):
            cotan.debug.print("i {} c {:.1f}", i, c)
            return cotan.lax.cond(i == 1, lambda c: (cotan.debug.print("one"), c * 2)[1], lambda c: c + 1, c)
        return cotan.lax.fori_loop(0, 3, body, x)
    f(1.)
    assert capsys.readouterr().out == "i 0 c 1.0\ni 1 c 2.0\none\ni 2 c 4.0\n"


def test_an_exception_of_a_callback_is_the_users():
    calls = []

    def look(x):
        calls.append(x)
        if len(calls) == 3:
            raise KeyError("enough")
    with pytest.raises(KeyError, match="enough"):
        cotan.jit(lambda x: cotan.lax.fori_loop(0, 100, lambda i, c: (cotan.debug.callback(look, c), c + 1)[1], x))(0)
    assert len(calls) == 3


def test_io_callbacks_are_called_each_time():
    from cotan.experimental import io_callback
    seen = []

    def record(x):
        seen.append(int(x))
        return np.int32(x + 1)
    out = cotan.jit(lambda x: cotan.lax.fori_loop(0, 4, lambda i, c: io_callback(record, cotan.ShapeDtypeStruct((), np.int32), c, ordered=True), x))(jnp.int32(5))
    assert seen == [5, 6, 7, 8] and int(out) == 9
    with pytest.raises(ValueError):
        cotan.vmap(lambda x: io_callback(record, cotan.ShapeDtypeStruct((), np.int32), x, ordered=True))(jnp.arange(3))


def test_a_checkpoint_keeps_what_its_policy_says():
    from cotan.ad_checkpoint import checkpoint_name, saved_residuals

    def f(x):
        return jnp.sin(checkpoint_name(jnp.sin(jnp.sin(x)), "a"))
    kinds = lambda g: sorted(where.partition(" from /")[0] for _, where in saved_residuals(g, 1.))  # noqa: E731
    assert kinds(cotan.checkpoint(f)) == ["from the argument x"]
    assert kinds(cotan.checkpoint(f, policy=cotan.checkpoint_policies.save_only_these_names("a"))) == ["from the argument x", "output of remat2"]
    assert len(kinds(f)) == 3


def test_functions_with_rules_are_freed():
    import gc
    import weakref

    class Marker:
        pass

    def alive_after(use, custom):
        marker = Marker()
        ref = weakref.ref(marker)
        if custom == "vjp":
            f = cotan.custom_vjp(lambda x: (marker, x * 2)[1])
            f.defvjp(lambda x: (x * 2, (marker, x)[1]), lambda r, c: (c,))
        else:
            f = cotan.custom_jvp(lambda x: (marker, x * 2)[1])
            f.defjvp(lambda p, t: (p[0] * 2, (marker, t[0])[1]))
        use(f)
        del f, marker
        cotan.clear_caches()
        gc.collect()
        return ref() is not None
    uses = (lambda f: cotan.grad(f)(1.), lambda f: cotan.jit(f)(1.), lambda f: cotan.jit(cotan.grad(f))(1.), lambda f: cotan.make_jaxpr(f)(1.),
            lambda f: cotan.vmap(cotan.grad(f))(jnp.arange(3.)), lambda f: cotan.lax.scan(lambda c, _: (f(c), None), 1., None, length=2),
            lambda f: cotan.jit(cotan.vmap(lambda c: capturing(f, c)(2.)))(jnp.arange(3.)), lambda f: cotan.jit(f).lower(1.))

    def capturing(f, c):
        g = cotan.custom_jvp(lambda x: f(x) * c)
        g.defjvp(lambda p, t: (g(p[0]), f(t[0]) * c))
        return g
    assert not [(custom, i) for custom in ("jvp", "vjp") for i, use in enumerate(uses) if alive_after(use, custom)]


def test_the_dtype_of_a_callbacks_result_is_checked():
    for got, want in ((np.float32(2.7), np.int32), (np.complex64(1j), np.float32), (np.int16(1), np.float32)):
        for call in (lambda f: f(1.), lambda f: cotan.jit(f)(1.)):
            with pytest.raises(RuntimeError, match="dtype"):
                call(lambda x: cotan.pure_callback(lambda x: got, cotan.ShapeDtypeStruct((), want), x))


def test_custom_vmap():
    from cotan.custom_batching import custom_vmap, sequential_vmap

    @custom_vmap
    def f(x, y):
        return jnp.sin(x) * y

    @f.def_vmap
    def rule(size, in_batched, x, y):
        assert size == 3 and in_batched == [True, False] and x.shape == (3,)
        return x * y * 100, True
    assert float(f(1., 2.)) == pytest.approx(float(jnp.sin(1.) * 2))
    np.testing.assert_allclose(cotan.vmap(f, (0, None))(jnp.arange(3.), 2.), [0, 200, 400])
    np.testing.assert_allclose(cotan.jit(cotan.vmap(f, (0, None)))(jnp.arange(3.), 2.), [0, 200, 400])
    np.testing.assert_allclose(cotan.grad(lambda x: cotan.vmap(f, (0, None))(x, 2.).sum())(jnp.arange(3.)), [200, 200, 200])
    assert float(f(1., y=2.)) == float(f(1., 2.))
    with pytest.raises(ValueError, match="custom_vmap"):
        cotan.grad(f)(1., 2.)
    for rule in (lambda n, b, a: (a * 3, True), lambda n, b, a: ((a * 3, a), True)):
        pair = custom_vmap(lambda a: (a * 2, a))
        pair.def_vmap(rule)
        with pytest.raises(ValueError, match="structure"):
            cotan.vmap(pair)(jnp.arange(3.))
    np.testing.assert_allclose(cotan.vmap(lambda x: cotan.jvp(lambda x: f(x, 2.), (x,), (1.,))[1])(jnp.arange(3.)), [200, 200, 200])
    np.testing.assert_allclose(cotan.vmap(sequential_vmap(lambda x, y: x * y), (0, None))(jnp.arange(3.), 2.), [0, 2, 4])


@pytest.mark.parametrize("code", [
    "odeint(lambda y, t: -y, 1., jnp.linspace(0., 2., 5), rtol=1e-5, atol=1e-6)",
    "odeint(lambda y, t, a: {'p': y['q'] * a, 'q': -y['p'] - .1 * t}, {'p': 1., 'q': 0.}, jnp.array([0., .5, 2.]), 2., rtol=1e-5, atol=1e-6)",
    "grad(lambda y0, a: odeint(lambda y, t, a: -a * y * t, y0, jnp.array([0., .5, 1.5]), a, rtol=1e-5, atol=1e-6).sum(), (0, 1))(1., 2.)",
    "grad(lambda ts: odeint(lambda y, t: jnp.cos(t) - y, 1., ts, rtol=1e-5, atol=1e-6).sum())(jnp.array([0., .5, 1.5]))",
    "jit(grad(lambda a: odeint(lambda y, t: -a * y, 1., jnp.array([0., 1.]), rtol=1e-5, atol=1e-6)[-1]))(2.)",
    "grad(grad(lambda a: odeint(lambda y, t, a: -a * y, 1., jnp.array([0., 1.]), a, rtol=1e-5, atol=1e-5)[-1]))(2.)",
    "vmap(lambda y0: odeint(lambda y, t: -y, y0, jnp.array([0., 1.]), rtol=1e-5, atol=1e-6)[-1])(jnp.arange(1., 4.))"])
def test_odeint(code):
    import jax
    setup = "odeint = __import__('importlib').import_module(jax.__name__ + '.experimental.ode').odeint;; "
    got, want = (both.run(package, setup + code) for package in ("cotan", "jax"))
    assert not isinstance(want, Exception), want
    assert not isinstance(got, Exception), got
    for a, b in zip(cotan.tree_util.tree_leaves(got), jax.tree_util.tree_leaves(want), strict=True):
        np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=2e-4, atol=2e-5)


def test_residuals_may_have_another_structure_in_each_derivative():
    @cotan.custom_vjp
    def f(x, y):
        return x * y

    def fwd(x, y):
        kept = {n: v.value for n, v, other in (("x", x, y), ("y", y, x)) if other.perturbed}
        return x.value * y.value, kept

    def bwd(kept, g):
        return g * kept.get("y", 0.), g * kept.get("x", 0.)
    f.defvjp(fwd, bwd, symbolic_zeros=True)
    g = cotan.jit(f)
    backs = [cotan.vjp(lambda x: g(x, 3.), 2.)[1], cotan.vjp(lambda y: g(2., y), 3.)[1], cotan.vjp(g, 2., 3.)[1]]
    assert [tuple(map(float, back(1.))) for back in backs] == [(3.,), (2.,), (3., 2.)]
    both_at_once = cotan.jit(lambda x, y: (cotan.grad(g)(x, y), cotan.grad(g, 1)(x, y), cotan.grad(g, (0, 1))(x, y)))(2., 3.)
    assert [float(v) for v in cotan.tree_util.tree_leaves(both_at_once)] == [3., 2., 3., 2.]


def test_saved_residuals_have_names_and_lines(capsys):
    def f(x, y):
        return jnp.sin(x) * y["a"][0]
    cotan.ad_checkpoint.print_saved_residuals(f, 1., {"a": (2.,)})
    lines = capsys.readouterr().out.splitlines()
    assert "f32[] from the argument y['a'][0]" in lines
    assert f"f32[] output of sin from {__file__}:{f.__code__.co_firstlineno + 1}" in lines


def test_a_key_is_printed_under_jit_as_elsewhere(capsys):
    key = cotan.random.key(1)
    cotan.debug.print("{}", key)
    cotan.jit(lambda k: cotan.debug.print("{k}", k=k))(key)
    out = capsys.readouterr().out
    assert out[:len(out) // 2] == out[len(out) // 2:] and "key<fry>" in out


# A function, its rule, and what they capture: `make(c)` is the function that captures c. The same with c as an argument that has no
# derivative is what it must give.
CAPTURING = {
    "custom_jvp": ("""
def make(c):
    f = jax.custom_jvp(lambda y: jnp.sin(y) * c)
    f.defjvp(lambda p, t: (f(p[0]), 10. * t[0] * c))
    return f""", """
F = jax.custom_jvp(lambda c, y: jnp.sin(y) * c)
F.defjvp(lambda p, t: (F(*p), 10. * t[1] * p[0]))"""),
    "custom_vjp": ("""
def make(c):
    f = jax.custom_vjp(lambda y: jnp.sin(y) * c)
    f.defvjp(lambda y: (f(y), y), lambda r, g: (g * 10. * c,))
    return f""", """
F = jax.custom_vjp(lambda c, y: jnp.sin(y) * c)
F.defvjp(lambda c, y: (F(c, y), c), lambda c, g: (0 * c, g * 10. * c))"""),
    "the rule alone": ("""
def make(c):
    f = jax.custom_jvp(lambda y: jnp.sin(y))
    f.defjvp(lambda p, t: (f(p[0]), 10. * t[0] * c))
    return f""", """
F = jax.custom_jvp(lambda c, y: jnp.sin(y))
F.defjvp(lambda p, t: (F(*p), 10. * t[1] * p[0]))"""),
    "the function alone": ("""
def make(c):
    f = jax.custom_vjp(lambda y: jnp.sin(y) * c)
    f.defvjp(lambda y: (jnp.sin(y) * 2, y), lambda r, g: (g * 10.,))
    return f""", """
F = jax.custom_vjp(lambda c, y: jnp.sin(y) * c)
F.defvjp(lambda c, y: (jnp.sin(y) * 2, c), lambda c, g: (0 * c, g * 10.))"""),
}
CAPTURES = """vmap(lambda c: make(c)(2.))(x)
vmap(lambda c: make(c)(c))(x)
vmap(lambda c: make(c)(jnp.stack([c, 1.])))(x)
jit(vmap(lambda c: make(c)(2.)))(x)
vmap(lambda c: jit(lambda c: make(c)(2.))(c))(x)
vmap(lambda c: grad(make(c))(2.))(x)
vmap(lambda c: grad(make(jax.lax.stop_gradient(c)))(c))(x)
jit(vmap(lambda c: grad(make(c))(2.)))(x)
jit(lambda y: vmap(lambda c: grad(make(c))(y))(x))(2.)
grad(lambda y: vmap(lambda c: make(c)(y))(x).sum())(2.)
jit(grad(lambda y: vmap(lambda c: make(c)(y))(x).sum()))(2.)
grad(lambda y: vmap(lambda c, y: make(c)(y))(x, y * jnp.ones(3)).sum())(2.)
vmap(lambda c: vmap(lambda d: make(c)(d))(x))(x)
vmap(lambda d: vmap(lambda c: make(c)(d))(x))(x)
vmap(lambda c: grad(grad(make(c)))(2.))(x)
vmap(lambda c: vmap(lambda d: grad(make(c))(d))(x))(x)
vmap(lambda d: grad(lambda d: vmap(lambda c: make(c)(d))(x).sum())(d))(x)
vmap(lambda c: lax.scan(lambda k, _: (make(c)(k), None), 1., None, length=2)[0])(x)
vmap(lambda c: lax.cond(c > 1.5, lambda: make(c)(2.), lambda: 0.))(x)""".split("\n")


@pytest.mark.parametrize("kind", CAPTURING)
@pytest.mark.parametrize("code", CAPTURES)
def test_what_rules_capture_may_be_batched(kind, code):
    capturing, explicit = CAPTURING[kind]
    got = both.run("cotan", f"x = jnp.arange(1., 4.);; {capturing};; {code}")
    want = both.run("jax", f"x = jnp.arange(1., 4.);; {explicit};; make = lambda c: lambda y: F(c, y);; {code}")
    if kind == "custom_vjp" and "grad(lambda" in code:  # the backward rule runs when the vmap has ended
        assert isinstance(got, cotan.errors.UnexpectedTracerError)
        return
    np.testing.assert_allclose(got, want, rtol=1e-6)


def test_a_rule_inside_with_a_constant_of_its_own():
    """Both jvp and batching rules put captured values before the operands."""
    two = jnp.float32(2)
    double = cotan.custom_batching.custom_vmap(lambda y: y * two)
    double.def_vmap(lambda n, batched, y: (y * two, True))

    def inner(b):
        f = cotan.custom_jvp(lambda d: double(b) * d)
        f.defjvp(lambda p, t: (f(*p), t[0] * double(b)))
        return f
    got = cotan.vmap(lambda b: cotan.jvp(cotan.jit(inner(b)), (.3,), (1.,)))(jnp.arange(3.))
    np.testing.assert_allclose(got, [[0, .6, 1.2], [0, 2, 4]], rtol=1e-6)
    with pytest.raises(cotan.errors.UnexpectedTracerError):  # what the vmap of a jit inside captures is gone
        cotan.grad(lambda a: cotan.vmap(lambda b: cotan.jit(inner(b))(a))(jnp.arange(3.)).sum())(.3)


@pytest.mark.parametrize("result", [1.0, None, (1.0,), (1.0, 3)])
def test_custom_gradient_takes_pairs(result):
    with pytest.raises(TypeError, match="must return a pair"):
        cotan.custom_gradient(lambda x: result)(1.0)
