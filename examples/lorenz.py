"""The Lorenz system by the method of Runge and Kutta: sensitivities to the start and the largest Lyapunov exponent.

    python -m cotan examples/lorenz.py
"""
import jax.numpy as jnp
from jax import jacfwd, jacrev, jit, jvp, lax

SIGMA, RHO, BETA, DT = 10.0, 28.0, 8.0 / 3.0, 0.01


def velocity(u):
    x, y, z = u
    return jnp.stack([SIGMA * (y - x), x * (RHO - z) - y, x * y - BETA * z])


def step(u):
    k1 = velocity(u)
    k2 = velocity(u + DT / 2 * k1)
    k3 = velocity(u + DT / 2 * k2)
    k4 = velocity(u + DT * k3)
    return u + DT / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


@jit
def advance(u, steps):  # a loop whose length is an argument
    return lax.fori_loop(0, steps, lambda i, v: step(v), u)


def after_one(u):  # the state one unit of time later, by a loop of known length
    return lax.fori_loop(0, 100, lambda i, v: step(v), u)


@jit
def lyapunov(u):
    """The mean growth of a small difference per unit of time: its length is made 1 again after each step (Benettin, 1980)."""
    def grow(state, _):
        v, w = jvp(step, (state[0],), (state[1],))
        norm = jnp.sqrt(jnp.dot(w, w))
        return (v, w / norm), jnp.log(norm)
    growth = lax.scan(grow, (u, jnp.array([1.0, 0.0, 0.0])), None, length=60000)[1]
    return jnp.mean(growth) / DT


def main():
    start = advance(jnp.array([1.0, 1.0, 1.0]), 500)  # on the attractor
    end = jit(after_one)(start)
    print("from " + " ".join(f"{v:.3f}" for v in start) + " to " + " ".join(f"{v:.3f}" for v in end))

    forward, reverse = jit(jacfwd(after_one))(start), jit(jacrev(after_one))(start)
    difference = jnp.max(jnp.abs(forward - reverse)) / jnp.max(jnp.abs(forward))
    print(f"d end / d start: largest {jnp.max(jnp.abs(forward)):.3f}")
    exponent = lyapunov(start)
    print(f"largest Lyapunov exponent {exponent:.1f}")
    assert difference < 1e-5 and abs(exponent - 0.906) < 0.03
    print("lorenz ok")


if __name__ == "__main__":
    main()
