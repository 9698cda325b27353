"""A typed program: mypy --strict finds nothing in it, and it runs."""
from collections.abc import Callable
from typing import NamedTuple
import jax
import jax.numpy as jnp
from jax import Array, lax, random
from jax.typing import ArrayLike
import jax.scipy.special as special

class Line(NamedTuple):
    slope: Array
    offset: Array

def loss(line: Line, x: Array, y: Array) -> Array:
    return jnp.sum(jnp.square(line.slope * x + line.offset - y))

@jax.jit
def step(line: Line, x: Array, y: Array) -> Line:
    gradient: Line = jax.grad(loss)(line, x, y)
    return Line(line.slope - 0.02 * gradient.slope, line.offset - 0.02 * gradient.offset)

@jax.jit(static_argnames="n")
def power(x: Array, n: int) -> Array:
    return x ** n

def each(f: Callable[[Array], Array], x: ArrayLike) -> Array:
    out: Array = jax.vmap(f)(x)
    return out

x = jnp.arange(4.0)
line = Line(jnp.zeros(()), jnp.zeros(()))
for _ in range(10):
    line = step(line, x, 2 * x + 1)
q, r = jnp.divmod(x, 2)
key = random.key(0)
a, b = random.split(key)
print(line.slope, power(x, 3).sum(axis=0), each(special.erf, x).shape[0], q @ r, float(lax.rsqrt(x)[1]), jnp.where(x > 1, x, 0.0).dtype)
print(random.normal(a, (3,)).at[0].set(1.0), jax.tree.map(lambda v: v + 1, line), step.lower(line, x, x).out_info)
