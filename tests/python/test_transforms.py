"""grad, vmap, jvp and their kin on Python functions, beside JAX."""
import pytest

import both
import cotan
import cotan.numpy as jnp

SETUP = """x = jnp.array([1., 2., 3.]);; m = jnp.arange(6.).reshape(2, 3);; z = jnp.array([1 + 2j, 3.]);; f = lambda x: jnp.sum(jnp.sin(x) * x);;
g = lambda x, y=2., *, k=1.: (x * y * k).sum();; h = lambda d: jnp.sum(d['w'] @ d['v']) + d['b'];;
tree = {'w': m, 'v': x, 'b': 1.};; """.replace("\n", "")
EXPRESSIONS = """
grad(f)(x)
grad(f)(2.)
grad(f)(2)
grad(f)(x > 1)
grad(lambda x: x)(x)
grad(lambda x: 's')(1.)
grad(lambda x: (x, x))(1.)
grad(lambda x: 1)(1.)
grad(lambda x: 1.)(1.)
grad(f, argnums=1)(x)
grad(g, argnums=(0, 1))(x, 3.)
grad(g, argnums=-1)(x, 3.)
grad(g, argnums=[0])(x, 3.)
grad(g)(x, k=2.)
grad(g)(x, y=3.)
grad(h)(tree)
value_and_grad(h)(tree)
grad(f, has_aux=True)(x)
grad(lambda x: (f(x), {'y': x * 2}), has_aux=True)(x)
value_and_grad(lambda x: (f(x), x.shape), has_aux=True)(x)
grad(lambda z: jnp.sum(z).real)(z)
grad(lambda z: jnp.sum(z))(z)
grad(lambda z: jnp.sum(z * z), holomorphic=True)(z)
grad(f, holomorphic=True)(x)
grad(lambda i: jnp.float32(i).sum(), allow_int=True)(jnp.arange(3))
grad(3)
grad(f)('a')
grad(f)(None)
grad(f)([1., 2.])
grad(lambda l: l[0] * l[1])([1., 2.])
grad(lambda t: t[0] * t[1][0])((1., (2., None)))
grad(grad(lambda x: x ** 3))(2.)
grad(lambda x: x if x > 0 else -x)(-1.)
grad(jit(f))(x)
grad(vmap(lambda x: x ** 2))(x)
hessian(f)(x)
hessian(g, argnums=(0, 1))(x, 2.)
hessian(g, argnums=(0, 1))(2., 3.)
jacrev(lambda x, y: (x * y, y), (0, 1))(x, 2.)
jacfwd(lambda x: (x * 2, 3., x.astype(int)))(2.)
jacrev(lambda x: (x * 2, 3.))(2.)
jacfwd(lambda y: y * jnp.ones(2))(2.)
jacrev(lambda i, x: i * x, (0, 1), allow_int=True)(jnp.arange(3), x)
jacfwd(jnp.sin)(x)
jacfwd(lambda x: {'a': x * 2, 'b': (x[0], m @ x)})(x)
jacfwd(g, argnums=(0, 1))(x, 2.)
jacfwd(lambda x: (x ** 2, x), has_aux=True)(x)
jacfwd(jnp.sin)(jnp.arange(3))
jacfwd(jnp.sin)(z)
jacfwd(lambda z: z * z, holomorphic=True)(z)
jacrev(jnp.sin)(x)
jacrev(lambda x: {'a': x * 2, 'b': (x[0], m @ x)})(x)
jacrev(lambda d: d['w'] @ d['v'])(tree)
jacrev(jnp.sin)(jnp.arange(3))
jacrev(lambda i: i * 1., allow_int=True)(jnp.arange(3))
jvp(jnp.sin, (x,), (x,))
jvp(f, (x,), (x,))
jvp(f, [x], [x])
jvp(f, x, x)
jvp(f, (x,), (m,))
jvp(f, (x,), (jnp.arange(3),))
jvp(f, (x,), (x, x))
jvp(lambda d: d['w'] * 2, (tree,), (tree,))
jvp(lambda x: (x, x * 2), (x,), (x,), has_aux=True)
jvp(lambda i: i * 2, (jnp.arange(2),), (np.zeros(2, dtypes.float0),))
jvp(lambda i: i * 2, (jnp.arange(2),), (jnp.arange(2),))
y, p = vjp(jnp.sin, x); p(x)
y, p = vjp(jnp.sin, x); p(m)
y, p = vjp(jnp.sin, x); p(jnp.arange(3))
y, p = vjp(lambda x: (x, {'a': x * 2}), x); p((x, {'a': x}))
y, p = vjp(lambda x: (x, {'a': x * 2}), x); p([x, {'a': x}])
y, p = vjp(lambda x: (x, {'a': x * 2}), x); p((x, {'b': x}))
y, p = vjp(h, tree); p(1.)
y, p, a = vjp(lambda x: (x * 2, x + 1), x, has_aux=True); (y, p(x), a)
y, p = vjp(lambda i: i * 2, jnp.arange(2)); p(np.zeros(2, dtypes.float0))
y, t = linearize(jnp.sin, x); (y, t(x))
y, t = linearize(f, x); t(m)
y, t = linearize(lambda a, b: a * b, x, x); t(x, x)
jax.linear_transpose(lambda x: m @ x, x)(jnp.ones(2))
jax.linear_transpose(lambda x: m @ x, jax.ShapeDtypeStruct((3,), 'float32'))(jnp.ones(2))
jax.linear_transpose(lambda x: m @ x, x)(x)
vmap(f)(m)
vmap(f, in_axes=1)(m)
vmap(f, in_axes=-1, out_axes=0)(m)
vmap(lambda a, b: a @ b, in_axes=(0, None))(m, x)
vmap(lambda a, b: a + b, in_axes=(None, None))(m, x)
vmap(lambda a, b: a @ b, in_axes=(0,))(m, x)
vmap(lambda a, b: a @ b, in_axes=[0, None])(m, x)
vmap(lambda a, b: a + b)(m, x)
vmap(lambda d: d['w'] * d['b'], in_axes=({'w': 0, 'v': None, 'b': None},))(tree)
vmap(lambda d: d['w'] * d['b'], in_axes=({'w': 0, 'v': None},))(tree)
vmap(lambda d, k=1.: d * k)(x, k=x)
vmap(lambda x: x, in_axes='a')(x)
vmap(lambda x: x, in_axes=3)(x)
vmap(lambda x: x)(1.)
vmap(lambda x: x)()
vmap(lambda: 1., axis_size=3)()
vmap(lambda x: x * 2, out_axes=1)(m)
vmap(lambda x: (x, x), out_axes=(0, 1))(m)
vmap(lambda x: (x, 1.), out_axes=(0, None))(m)
vmap(lambda x: (x, np.float32(1), np.ones(2), jnp.ones(2), True), out_axes=(0, None, None, None, None))(m)
vmap(lambda x: (x, 1.), out_axes=(0, 0))(m)
vmap(lambda x: lax.psum(1, 'i'), axis_name='i')(x)
vmap(lambda x: lax.psum(2.5, 'i'), axis_name='i', out_axes=None)(x)
vmap(lambda x: lax.psum(True, 'i'), axis_name='i')(x)
vmap(lambda x: jnp.zeros(lax.psum(1, 'i')), axis_name='i')(x)
vmap(lambda x: lax.axis_size('i'), axis_name='i')(x)
lax.axis_size('i')
vmap(lambda x: jnp.sum(x, axis='i'), axis_name='i')(x)
vmap(lambda x: jnp.sum(x, axis=('i', 0)), axis_name='i')(m)
vmap(lambda x: jnp.sum(x, 'i', keepdims=True), axis_name='i')(m)
vmap(lambda x: jnp.max(x, axis='i'), axis_name='i')(m)
vmap(lambda x: jnp.mean(x, axis='i'), axis_name='i')(m)
vmap(lambda x: x, out_axes=None)(m)
vmap(lambda x: x.sum(), out_axes=1)(m)
vmap(lambda x: x / lax.psum(x, 'i'), axis_name='i')(x)
vmap(lambda x: lax.psum({'a': x, 'b': 1}, 'i'), axis_name='i')(x)
vmap(lambda x: lax.pmean(x, 'i'), axis_name='i')(x)
vmap(lambda x: lax.axis_index('i'), axis_name='i')(x)
lax.psum(x, 'i')
vmap(vmap(lambda a, b: a * b, (0, None)), (None, 0))(x, x)
vmap(grad(f))(m)
vmap(3)
vmap(lambda x: 's')(x)
vmap(lambda x: x if x > 0 else -x)(x)
jax.eval_shape(h, tree)
jax.eval_shape(lambda x: {'a': x, 'b': 1}, x)
jax.eval_shape(lambda x: x @ x, jax.ShapeDtypeStruct((2, 2), 'int8'))
str(make_jaxpr(f)(x))
str(make_jaxpr(lambda d: d['w'] @ d['v'])(tree))
str(make_jaxpr(jit(lambda x: x + 1))(x))
str(make_jaxpr(lambda x, n: x * n, static_argnums=1)(x, 3))
make_jaxpr(lambda x: {'a': x}, return_shape=True)(x)[1]
str(make_jaxpr(lambda x: jnp.where(x > 0, x, 0.))(x))
str(make_jaxpr(lambda x: x[1:] + x[:-1])(x))
str(make_jaxpr(lambda x: jnp.concatenate([x, m[0]]))(x))
str(make_jaxpr(vmap(lambda x: x + 1))(x))
str(make_jaxpr(lambda x: x.astype(int).sum())(x))
str(make_jaxpr(lambda x: nn.softmax(x).mean())(x))
str(make_jaxpr(lambda k: random.split(k))(random.key(0)))
make_jaxpr(f)(x).in_avals
str(make_jaxpr(f)(x).out_avals)
jnp.sin(jvp)
flatten_util.ravel_pytree(tree)[0]
v, un = flatten_util.ravel_pytree(tree); un(v)
v, un = flatten_util.ravel_pytree({'i': jnp.arange(2), 'f': x}); un(v)
jax.named_call(f, name='g')(x)
jax.jit(f).__name__
grad(f).__name__
""".strip().split("\n")


KNOWN = {}


@pytest.mark.parametrize("code", EXPRESSIONS)
def test_expression(code):
    both.expect(code.replace("; ", ";; "), SETUP, KNOWN)


def test_a_tracer_that_escaped():
    kept = []
    cotan.grad(lambda x: (kept.append(x), x)[1])(1.0)
    with pytest.raises(cotan.errors.UnexpectedTracerError, match="test_transforms.py"):
        kept[0] + 1


def test_errors_say_where():
    def careless(x):
        return x if x > 0 else -x

    with pytest.raises(cotan.errors.TracerBoolConversionError) as info:
        cotan.jit(careless)(1.0)
    first, second, *rest = str(info.value).splitlines()
    assert "bool[]" in first and "test_transforms.py" in second and "careless" in "".join(rest)


def test_gradients_of_a_closure_over_a_tracer():
    assert cotan.grad(lambda x: cotan.grad(lambda y: x * y**2)(3.0))(2.0) == 6.0
    assert jnp.allclose(cotan.vmap(lambda x: cotan.grad(lambda y: x * y**2)(3.0))(jnp.arange(3.0)), jnp.arange(3.0) * 6)
