"""Mistakes that mypy finds, each with a part of its message."""
import jax
import jax.numpy as jnp


@jax.jit
def f(x: jax.Array) -> jax.Array:
    return x


f("a")  # error: incompatible type "str"
jnp.sum(1, axes=3)  # error: Unexpected keyword argument "axes"
jnp.no_such_function  # error: no attribute "no_such_function"
y: int = jnp.sin(1.0)  # error: Incompatible types in assignment
