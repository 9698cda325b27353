from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike


class Line(NamedTuple):
    slope: ArrayLike
    offset: ArrayLike


def loss(line, x, y):
    return jnp.sum(jnp.square(line.slope * x + line.offset - y))


x = jnp.array([0.0, 1.0, 2.0, 3.0])
y = jnp.array([1.0, 3.0, 5.0, 7.0])
line = Line(0.0, 0.0)

step = jax.jit(jax.value_and_grad(loss))
for _ in range(200):
    value, gradient = step(line, x, y)
    line = jax.tree.map(lambda p, g: p - 0.02 * g, line, gradient)
print(line.slope, "x +", line.offset)

# One gradient for each point, and the program that computes it.
each = jax.vmap(jax.grad(loss), in_axes=(None, 0, 0))
print(each(line, x, y).slope)
print(jax.make_jaxpr(each)(line, x, y))
