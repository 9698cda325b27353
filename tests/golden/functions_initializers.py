"""Calls of nn.initializers: see functions.py."""
import jax
import jax.numpy as jnp

KEY = jax.random.key(3)
FANS = [mode + "_" + distribution for mode in ("glorot", "xavier", "lecun", "he", "kaiming") for distribution in ("uniform", "normal")]
SHAPES = ((2, 3), (2, 1, 3), (4,), (), (0, 3), (1, 1))


def name(f):
    return "nn.initializers." + f


def cases(c):
    c.tolerance(" ".join(map(name, ("normal uniform constant zeros ones").split())), 4)
    c.tolerance(" ".join(map(name, ["truncated_normal", "variance_scaling"] + FANS)), 16, 4)
    for f in ("zeros", "ones"):
        for d in c.dtypes:
            c.call(name(f), KEY, (2,), jnp.dtype(d))
        for args in ((KEY, (2, 1)), (KEY, ()), (KEY, (0, 2)), (None, (2,)), (KEY, 3), (KEY, (-1,)), (KEY, (2.5,)), (KEY,), (KEY, (2,), "foo"), (KEY, (2,), float)):
            c.call(name(f), *args)
    for f, arguments in (("constant", ((1,), (2.5,), (-1, jnp.dtype("int32")), (1j, jnp.dtype("complex64")), (True,), (jnp.arange(3.0),))),
                         ("uniform", ((), (2.0,), (0.5, jnp.dtype("float16")), (-1,))), ("normal", ((), (2.0,), (0.5, jnp.dtype("float16")), (0,))),
                         ("truncated_normal", ((), (2.0,), (0.5, jnp.dtype("float16")), (1, jnp.dtype("float32"), -1, 3)))):
        for args in arguments:
            c.call(name(f), *args, then=(KEY, (2, 3)))
            c.call(name(f), *args, then=(KEY, (4,), jnp.dtype("bfloat16")))
        for d in c.floats + ["complex64", "int32", "bool"]:
            c.call(name(f), *arguments[0], then=(KEY, (3,), jnp.dtype(d)))
        for shape in SHAPES + ((-1,), (2.5,), 3):
            c.call(name(f), *arguments[0], then=(KEY, shape))
        c.call(name(f), *arguments[0], then=(KEY,))
        c.call(name(f), *arguments[0], then=(jnp.ones(2), (3,)))
    for f in FANS:
        for d in c.floats + ["complex64"]:
            c.call(name(f), then=(KEY, (2, 3), jnp.dtype(d)))
        for shape in SHAPES:
            c.call(name(f), then=(KEY, shape))
        # JAX divides by 0 where there are no inputs.
        c.expect(jnp.zeros((0, 3), float), name(f), then=(KEY, (0, 3)))
        for args in ((0, 1), (-1, -2), ((0, 1), 2), (1, 1), (5, 0), (-2, -1, 0), (-2, -1, (), jnp.dtype("float16"))):
            c.call(name(f), *args, then=(KEY, (2, 3, 2)))
    f = name("variance_scaling")
    for mode in ("fan_in", "fan_out", "fan_avg", "fan_geo_avg", "fan"):
        for distribution in ("truncated_normal", "normal", "uniform", "gamma"):
            c.call(f, 2.0, mode, distribution, then=(KEY, (2, 3)))
            if mode == "fan_in":
                c.call(f, 0.5, mode, distribution, 0, 1, 2, jnp.dtype("complex64"), then=(KEY, (2, 3, 2)))
    for scale in (0, -1.0, 1e-30, float("nan")):
        c.call(f, scale, "fan_in", "normal", then=(KEY, (2, 3)))
