"""Metropolis' algorithm: 1,000 chains under one vmap find the mean and variance of a distribution known up to a factor.

    python -m cotan examples/mcmc.py
"""
import jax.numpy as jnp
from jax import jit, lax, random, vmap

CHAINS, WARM_UP, STEPS = 1000, 200, 2000


def log_density(x):
    """Gumbel's distribution, without its factor: mean 0.5772 (Euler's constant), variance pi^2 / 6."""
    return -x - jnp.exp(-x)


def metropolis(key, x, steps):
    """The state after some steps, and the sums of x and x^2 over them."""
    def step(i, state):
        x, total, squares, accepted = state
        move, chance = random.split(random.fold_in(key, i))
        proposal = x + 2.5 * random.normal(move)
        accept = jnp.log(random.uniform(chance)) < log_density(proposal) - log_density(x)
        x = jnp.where(accept, proposal, x)
        return x, total + x, squares + x * x, accepted + accept
    return lax.fori_loop(0, steps, step, (x, 0.0, 0.0, 0))


def chain(key):
    warm, main, start = random.split(key, 3)
    x = metropolis(warm, random.normal(start), WARM_UP)[0]
    _, total, squares, accepted = metropolis(main, x, STEPS)
    return total / STEPS, squares / STEPS, accepted / STEPS


def main():
    means, squares, accepted = jit(vmap(chain))(random.split(random.key(0), CHAINS))
    mean = jnp.mean(means)
    variance = jnp.mean(squares) - mean**2
    error = jnp.std(means) / CHAINS**0.5
    print(f"{CHAINS} chains of {STEPS} steps, {jnp.mean(accepted):.2f} of the moves accepted")
    print(f"mean {mean:.3f} +- {error:.3f}, variance {variance:.2f}")
    assert abs(mean - jnp.euler_gamma) < 4 * error and error < 0.01
    assert abs(variance - jnp.pi**2 / 6) < 0.05

    print("mcmc ok")


if __name__ == "__main__":
    main()
