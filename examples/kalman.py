"""A Kalman filter as a scan; the gradient of its likelihood finds how noisy a sensor is.

    python -m cotan examples/kalman.py
"""
import jax.numpy as jnp
from jax import jit, lax, random, value_and_grad

STEPS, PUSH, TRUE_NOISE = 400, 0.1, 1.5
F = jnp.array([[1.0, 1.0], [0.0, 1.0]])           # position and velocity, a unit of time later
Q = PUSH**2 * jnp.array([[0.25, 0.5], [0.5, 1.0]])  # from random accelerations


def simulate(key):
    """Positions of a track, and what a noisy sensor sees of them."""
    def move(state, noise):
        state = F @ state + noise[0] * PUSH * jnp.array([0.5, 1.0])
        return state, (state[0], state[0] + noise[1] * TRUE_NOISE)
    return lax.scan(move, jnp.zeros(2), random.normal(key, (STEPS, 2)))[1]


def kalman(log_noise, seen):
    """The mean negative log-likelihood of what was seen, and the filtered positions."""
    r = jnp.exp(2 * log_noise)

    def update(state, y):
        mean, cov = F @ state[0], F @ state[1] @ F.T + Q
        error, variance = y - mean[0], cov[0, 0] + r
        gain = cov[:, 0] / variance
        mean, cov = mean + gain * error, cov - jnp.outer(gain, cov[0])
        return (mean, cov), (0.5 * (jnp.log(2 * jnp.pi * variance) + error**2 / variance), mean[0])
    start = jnp.zeros(2), 10.0 * jnp.eye(2)
    losses, positions = lax.scan(update, start, seen)[1]
    return jnp.mean(losses), positions


def rms(x):
    return jnp.sqrt(jnp.mean(x * x))


def main():
    track, seen = simulate(random.key(4))
    step = jit(value_and_grad(kalman, has_aux=True))
    log_noise = jnp.log(5.0)
    first = None
    for i in range(41):
        (loss, positions), slope = step(log_noise, seen)
        first = loss if first is None else first
        if i % 10 == 0:
            print(f"step {i:2d}  noise {jnp.exp(log_noise):.3f}  loss {loss:.4f}")
        log_noise = log_noise - 0.5 * slope
    print(f"error of the sensor {rms(seen - track):.3f}, of the filter {rms(positions - track):.3f}")
    assert loss < first and abs(slope) < 1e-3
    assert abs(jnp.exp(log_noise) - TRUE_NOISE) < 0.15
    assert rms(positions - track) < 0.7 * rms(seen - track)
    print("kalman ok")


if __name__ == "__main__":
    main()
