"""Values of rng_bit_generator, see programs.py. Samplers by rejection have no independent values: tests/unit/random has their distributions."""
import numpy as np

from programs import DTYPES, Skip, Value


def generator(vs, p, out_dtypes):
    import jax.numpy as jnp
    from jax import lax
    algorithm = getattr(lax.RandomAlgorithm, str(p["algorithm"]))
    state, bits = lax.rng_bit_generator(jnp.asarray(vs[0].a), p["shape"], DTYPES[out_dtypes[1]], algorithm)
    return [Value(np.asarray(state), out_dtypes[0]), Value(np.asarray(bits), out_dtypes[1])]


def none(vs, p, out_dtypes):
    raise Skip


EQUATIONS = {"rng_bit_generator": generator, "random_gamma": none, "random_poisson": none, "random_binomial": none}
