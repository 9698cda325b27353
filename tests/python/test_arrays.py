"""Arrays as Python objects: what jax.Array does, expression by expression."""
import copy
import pickle
import weakref

import numpy as np
import pytest

import both
import cotan
import cotan.numpy as jnp

X = "x = jnp.arange(6.).reshape(2, 3);; i = jnp.arange(4);; b = jnp.array([True, False]);; "
EXPRESSIONS = """
x + 1
1 + x
x + 1.5
i + 1.5
2 - i
i / 2
2 // i
i // 2
i % 3
7 % i
divmod(i, 2)
divmod(7, i + 1)
x ** 2
2 ** i
i ** 2
jnp.array([200], 'uint8') ** jnp.arange(4).max()
jnp.array([2], 'int8') ** jnp.arange(4)[3]
jnp.array([2], 'int8') ** jnp.array(3, 'uint8')
jnp.array([2], 'int8') ** jnp.array([3])
jnp.power(2.5, jnp.arange(4)[3])
jnp.power(jnp.array([2], 'int8'), np.int32(3))
jit(lambda x: x ** jnp.arange(4)[3])(jnp.array([2], 'int8'))
jnp.array([2], 'int8') ** (-jnp.arange(4)[3])
pow(x, 2, 3)
x @ x.T
x @ x
np.ones((2, 2), 'float32') @ x
x * np.float64(2)
np.float64(2) * x
x * np.arange(3)
np.arange(3) * i[:3]
x < 3
3 < x
x == x
x != None
x == 'a'
x + 'a'
x + [1, 2, 3]
[1] + x
x + None
i & 3
i | 1
i ^ 5
~i
i << 2
1 << i
i >> 1
x & 1
-x
-b
+x
abs(x - 3)
~b
b & True
bool(x)
bool(jnp.array(0.))
bool(jnp.zeros(0))
int(jnp.array(3.7))
int(x)
float(jnp.array(2))
float(i)
complex(jnp.array(2.))
complex(x)
jnp.array(1j).__int__()
[1, 2, 3][jnp.array(1)]
[1, 2, 3][jnp.array(1.)]
[1, 2, 3][i]
len(x)
len(jnp.array(1.))
list(i)
list(jnp.array(1.))
tuple(x)
[v for v in reversed(i)]
2 in i
9 in i
hash(x)
x[0]
x[0, 1]
x[-1]
x[5]
x[0, 0, 0]
x[:, 1]
x[..., 0]
x[None].shape
x[1:, ::-1]
x[::2]
x[np.array([1, 0])]
x[jnp.array([1, 0]), 1]
x[[0, 1]]
x[(0, 1)]
x[np.int64(1)]
x[True]
x[b]
x[b, 1]
x[np.array([True, False])]
x[x > 2]
x[1.0]
x['a']
x[{}]
x[None, ..., None].shape
x[slice(None, None, 2)]
x['a':]
i[jnp.array(7)]
i[10 ** 30]
x.__setitem__(0, 1)
x.at[0].set(1)
x.at[0, 1].add(5)
x.at[:, 1].multiply(2)
x.at[0].mul(3)
x.at[1].divide(2)
x.at[0].power(2)
x.at[0].min(1)
x.at[0].max(1)
x.at[0].subtract(1)
x.at[0].apply(jnp.sin)
x.at[5].get(mode='fill')
x.at[5].get(mode='fill', fill_value=-1)
x.at[0].get()
x.at[0].set('a')
x.at[0].set(jnp.ones(7))
x.at[5, 0].set(1., mode='drop')
x.at[0].set(1, mode='nonsense')
i.at[0].set(2.5)
repr(x.at)
repr(x.at[0])
x.shape
x.ndim
x.size
x.dtype
x.T
x.mT
x.real
x.imag
x.nbytes
x.itemsize
x.weak_type
jnp.array(1.).weak_type
jnp.asarray(1.).weak_type
x.aval
str(x.aval)
repr(x)
str(x)
repr(i)
repr(jnp.float32(1.5))
f'{jnp.float32(1.5):.3f}'
f'{x}'
format(i[2], 'd')
f'{x:.2f}'
repr(jnp.zeros((0, 3)))
repr(jnp.array([1e10, 1e-10]))
repr(jnp.arange(2000))
repr(jnp.bfloat16(1.5))
repr(jnp.array([True]))
repr(jnp.array(1 + 2j))
x.sum()
x.sum(0)
x.sum(axis=1, keepdims=True)
x.mean(dtype='float16')
x.std(ddof=1)
x.var(0)
x.max(initial=10)
x.min(1)
x.prod()
x.argmax(1)
x.argmin()
b.any()
b.all()
x.cumsum(1)
x.cumprod(0)
x.ptp()
i.sort(descending=True)
i.argsort()
x.reshape(3, 2)
x.reshape((6,))
x.reshape(-1)
x.reshape(4)
x.reshape(3, 2, order='F')
x.transpose()
x.transpose(1, 0)
x.transpose((1, 0))
x.transpose(0)
x.swapaxes(0, 1)
x.squeeze()
x.ravel()
x.flatten('F')
x.astype(int)
x.astype('bfloat16')
x.astype(None)
x.astype(jnp.int8)
x.clip(1, 3)
x.clip(max=2)
x.round(1)
round(jnp.float32(2.567), 1)
x.dot(x.T)
x.trace()
x.diagonal()
x.repeat(2, axis=0)
x.take(jnp.array([0, 5]))
x.conj()
x.nonzero()
i.searchsorted(2)
i.view('uint32')
i.view('int8')
x.view(jnp.float16)
i.copy()
x.item()
x.item(3)
i[1].item()
x.tolist()
i[1].tolist()
i.tobytes()
x.block_until_ready()
x.choose([1, 2])
x.compress(b, axis=0)
isinstance(x, Array)
isinstance(1., Array)
isinstance(x, jax.core.Tracer)
np.asarray(x)
np.asarray(x, dtype='float64')
np.array(x, dtype=int)
np.asarray(jnp.bfloat16(1.5))
np.asarray(jnp.zeros(0, 'bfloat16'))
np.asarray(random.key(0))
np.asarray(x).flags.writeable
np.array(x).flags.writeable
np.sin(x)
np.add(x, x)
np.concatenate([x, x])
np.ones(3) + x
np.ones(3, 'float32') * i[:3]
bytes(memoryview(i))
x.__array_namespace__() is jnp
x.foo
x.shape.foo
setattr(x, 'shape', 3)
jnp.array([1, 2.5])
jnp.array([[1, 2], [3]])
jnp.array('a')
jnp.array(['a'])
jnp.array(None)
jnp.array([None])
jnp.array(object())
jnp.array({})
jnp.array({1, 2})
jnp.array([])
jnp.array([[], []])
jnp.array([x, x]).shape
jnp.array([i[0], 2])
jnp.array((1, 2), 'uint8')
jnp.array([300], 'uint8')
jnp.array([1.5], int)
jnp.array(2 ** 31)
jnp.array(2 ** 70)
jnp.array([2 ** 31 - 1])
jnp.array(np.int64(2 ** 40))
jnp.array(np.array([1, 2])[::-1])
jnp.array(np.arange(6).reshape(2, 3).T)
jnp.array(np.array([1, 2], dtype=object))
jnp.array(np.array(['a']))
jnp.array(np.datetime64('2020-01-01'))
jnp.array(np.zeros(2, [('a', int)]))
jnp.array(np.float32(1.5))
jnp.array(np.bool_(True))
jnp.array(range(3))
jnp.array(True)
jnp.array(1 + 2j)
jnp.array(b'ab')
jnp.asarray(memoryview(b'ab'))
jnp.asarray(np.ma.array([1, 2], mask=[0, 1]))
jnp.float32(3)
jnp.float32([1, 2])
jnp.int8(3.7)
jnp.bool_(2)
jnp.complex64(1)
jnp.dtype('float32')
jnp.float32.dtype
jnp.float32 == np.float32
jnp.dtype(jnp.bfloat16).name
x.dtype == jnp.float32
x.dtype == 'float32'
jnp.zeros(3, jnp.int8).dtype
jnp.zeros((2, 'a'))
jnp.zeros(-1)
jnp.zeros((2, 2.5))
jnp.zeros(jnp.array(3))
jnp.zeros(np.int64(3))
jnp.arange(5, dtype='int8')
jnp.arange(0, 1, 0.3)
jnp.arange(3).dtype
jnp.ones((2, 3), dtype='nonsense')
jnp.ones(2, dtype=object)
jnp.full((2,), 1.5, int)
jnp.zeros_like(x, dtype=int)
jnp.sum([1, 2])
jnp.sum(x, axis='a')
jnp.sum(x, nothing=1)
jnp.sum()
jnp.sum(x, 5)
jnp.sin('a')
jnp.sin(None)
jnp.add(x)
jnp.add(x, x, x)
jnp.stack([x, 1])
jnp.concatenate([x, x[0]])
jnp.concatenate([])
jnp.concatenate(x)
jnp.where(x > 2)
jnp.where(x > 2, x, 0)
jnp.split(i, 2)
jnp.array_split(i, 3)
jnp.meshgrid(i, i)
jnp.broadcast_arrays(i, 1)
jnp.unstack(x)
jnp.nonzero(i)
jnp.histogram(x)
jnp.unique(i, return_counts=True)
jnp.unravel_index(3, (2, 3))
jnp.divmod(5, 3)
jnp.modf(1.5)
jnp.frexp(8.)
jnp.promote_types('complex64', float)
jnp.result_type(1, x)
jnp.result_type(i, jnp.float16)
jnp.result_type(float)
jnp.issubdtype(x.dtype, jnp.floating)
jnp.issubdtype(jnp.bfloat16, np.floating)
jnp.isscalar(1.)
jnp.isscalar(x)
jnp.iscomplexobj(x)
jnp.shape(x)
jnp.ndim([1, 2])
jnp.size(x)
jnp.finfo('float32').eps
jnp.iinfo(jnp.int8).max
jnp.can_cast('int8', 'int16')
jnp.add.reduce(x)
jnp.add.accumulate(i)
jnp.add.outer(i, i)
jnp.add.at(i, jnp.array([0, 0]), 1, inplace=False)
jnp.add.nin
repr(jnp.add)
jnp.maximum.reduce(x, axis=1)
jnp.subtract.reduce(i)
jnp.vectorize(lambda a, b: a @ b, signature='(n),(n)->()')(x, x)
jnp.apply_along_axis(jnp.sum, 0, x)
jnp.piecewise(x, [x < 2, x >= 2], [lambda v: -v, 7.])
jnp.einsum('ij,kj->ik', x, x)
jnp.mgrid[0:2, 0:3]
jnp.r_[1, 2:4]
jnp.c_[i, i]
jnp.ix_(i, i)
jnp.index_exp[1:2, None]
jnp.s_[1:2]
jnp.pi
jnp.newaxis
jnp.linspace(0, 1, 5)
jnp.linspace(0, 1, 5, retstep=True)
jnp.pad(i, 2, mode=lambda v, p, a, k: v)
random.normal(random.key(0), (2,))
random.split(random.key(0))
random.split(random.key(0), 3)[1]
random.key(0)
random.PRNGKey(3)
random.key(0).dtype
random.key(0).shape
jnp.issubdtype(random.key(0).dtype, dtypes.prng_key)
random.key(0) + 1
random.key_data(random.key(5))
random.normal(jnp.zeros(3))
random.uniform(random.key(1), (2,), minval=1, maxval=3)
random.randint(random.key(1), (3,), 0, 10)
random.choice(random.key(1), 5, (2,), replace=False)
random.permutation(random.key(1), i)
nn.relu(x - 2)
nn.softmax(x)
nn.one_hot(i, 3)
nn.gelu(x)
nn.initializers.ones(random.key(0), (2,))
nn.initializers.he_normal()(random.key(0), (2, 3)).shape
special.logsumexp(x, return_sign=True)
special.erf(x)
stats.norm.logpdf(x)
stats.rankdata(i)
ops.segment_sum(x, jnp.array([0, 0]))
lax.add(1., 2.)
lax.add(x, i)
lax.dtype(1.5)
lax.select(b, i[:2], i[2:])
lax.broadcast_in_dim(i, (2, 4), (1,))
lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN)
lax.dot(x, x.T, precision=lax.Precision.HIGHEST)
lax.dot(x, x.T, precision='highest')
lax.expand_dims(i, [0])
lax.iota('int8', 3)
lax.top_k(x, 2)
lax.sort((i, -i), num_keys=1)
lax.reduce(i, 0, lax.add, (0,))
lax.stop_gradient({'a': x})
lax.optimization_barrier({'a': x, 'b': [i, 2., None]})
lax.optimization_barrier('a')
lax.gather(i, jnp.array([[1]]), lax.GatherDimensionNumbers((), (0,), (0,)), (1,))
lax.psum(1, 'i')
dtypes.canonicalize_dtype('float64')
dtypes.result_type(1, 2.)
jax.ShapeDtypeStruct((2,), 'float32')
jax.typeof(x)
jax.device_get({'a': x})
jax.device_put([1, 2.5])
jax.block_until_ready([x])
jax.default_backend()
jax.device_count()
x.device
x.devices()
x.sharding
x.is_fully_addressable
x.is_deleted()
x.committed
""".strip().split("\n")


KNOWN = {}


@pytest.mark.parametrize("code", EXPRESSIONS)
def test_expression(code):
    both.expect(code.replace("; ", ";; "), X, KNOWN)


def test_an_array_is_a_value():
    source = np.arange(3.0, dtype=np.float32)
    x = jnp.asarray(source)
    source[0] = 7
    assert x.tolist() == [0, 1, 2]
    view = np.asarray(x)
    with pytest.raises(ValueError):
        view[0] = 1
    with pytest.raises(TypeError, match=r"\.at\["):
        x[0] = 1


def test_byte_swapped_arrays():  # which JAX refuses
    assert jnp.array(np.array([1, 2], ">i4")).tolist() == [1, 2] and jnp.array(np.array([1.5], ">f8")).tolist() == [1.5]


def test_copies_and_pickles():
    for x in (jnp.arange(3.0), jnp.bfloat16(2.5), jnp.zeros((0, 2), "int8"), jnp.float32(1), jnp.asarray(1.0)):
        for y in (pickle.loads(pickle.dumps(x)), copy.copy(x), copy.deepcopy(x)):
            assert y.dtype == x.dtype and y.shape == x.shape and y.weak_type == x.weak_type and np.array_equal(np.asarray(x), np.asarray(y))
    assert pickle.loads(pickle.dumps(jnp.sum)) is not None
    assert pickle.loads(pickle.dumps(jnp.add)) is jnp.add


def test_weak_references_die_with_the_array():
    x = jnp.arange(3.0) + 1
    r = weakref.ref(x)
    assert r() is x
    del x
    assert r() is None


def test_a_view_outlives_the_array():
    view = np.asarray(jnp.arange(100_000.0) + 1)
    for _ in range(10):
        jnp.zeros(100_000)
    assert view[5] == 6


def test_integers_beyond_int32():
    a = jnp.zeros(1, jnp.uint32)
    assert a.at[0].set(2**32 - 1).tolist() == [2**32 - 1]
    with cotan.enable_x64(True):
        assert (jnp.arange(2) + 2**40).tolist() == [2**40, 2**40 + 1]


def test_dlpack():
    x = jnp.arange(6.0).reshape(2, 3)
    assert np.from_dlpack(x).tolist() == x.tolist()
    source = np.arange(6, dtype=np.int32).reshape(2, 3)
    y = jnp.from_dlpack(source.T)
    source[0] = 9
    assert y.tolist() == [[0, 3], [1, 4], [2, 5]] and y.dtype == jnp.int32
    assert jnp.from_dlpack(np.zeros((0, 2))).shape == (0, 2) and jnp.from_dlpack(x).tolist() == x.tolist()
    capsule = x.__dlpack__()
    del capsule
    with pytest.raises(TypeError):
        jnp.from_dlpack([1])
