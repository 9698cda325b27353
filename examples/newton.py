"""Newton's method in a while_loop, differentiated through its solution instead of its steps.

    python -m cotan examples/newton.py
"""
import jax.numpy as jnp
from jax import grad, jit, lax, value_and_grad, vmap


def newton(f, guess):
    """A root of f near the guess; f takes and gives a number."""
    def unfinished(state):
        _, last_move, count = state
        return (jnp.abs(last_move) > 1e-6) & (count < 50)

    def improve(state):
        x, _, count = state
        value, slope = value_and_grad(f)(x)
        move = value / slope
        return x - move, move, count + 1
    return lax.while_loop(unfinished, improve, (guess, jnp.ones_like(guess), 0))[0]


def linear_solve(g, y):
    return y / g(jnp.ones_like(y))


def cube_root(a):
    return lax.custom_root(lambda x: x**3 - a, jnp.ones_like(a), newton, linear_solve)


def anomaly(e, m):
    """The eccentric anomaly E of Kepler's equation, E - e sin E = M."""
    return lax.custom_root(lambda x: x - e * jnp.sin(x) - m, m + e, newton, linear_solve)


def main():
    a = jnp.array([0.5, 1.0, 8.0, 27.0])
    roots, slopes = jit(vmap(cube_root))(a), jit(vmap(grad(cube_root)))(a)
    curvatures = jit(vmap(grad(grad(cube_root))))(a)
    for row in zip(a, roots, slopes, curvatures):
        print("a %6.3f  root %.4f  slope %.4f  second %8.4f" % tuple(row))
    assert jnp.allclose(roots, jnp.cbrt(a), rtol=1e-5)
    assert jnp.allclose(slopes, roots / (3 * a), rtol=1e-5)
    assert jnp.allclose(curvatures, -2 * roots / (9 * a**2), rtol=1e-5)

    e, m = jnp.array([0.1, 0.5, 0.9])[:, None], jnp.array([0.5, 1.5, 2.5, 3.0])
    over = lambda f: jit(vmap(vmap(f, (None, 0)), (0, None)))
    kepler = over(anomaly)(e[:, 0], m)
    by_e, by_m = over(grad(anomaly, (0, 1)))(e[:, 0], m)
    for row in kepler:
        print("E " + " ".join(f"{x:.4f}" for x in row))
    assert jnp.allclose(kepler - e * jnp.sin(kepler), m, rtol=1e-5)
    assert jnp.allclose(by_e, jnp.sin(kepler) / (1 - e * jnp.cos(kepler)), rtol=1e-5)
    assert jnp.allclose(by_m, 1 / (1 - e * jnp.cos(kepler)), rtol=1e-5)
    print("newton ok")


if __name__ == "__main__":
    main()
