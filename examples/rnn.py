"""A recurrent network, a scan over the years, learns to predict next year's number of sunspots.

    python -m cotan examples/rnn.py
"""
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from jax import jit, lax, random, value_and_grad

HIDDEN, STEPS, TRAIN = 16, 600, 230  # years 1700 to 1929 to train on, 1930 to 2008 to test


def make_network(key):
    k1, k2, k3 = random.split(key, 3)
    return {"in": random.normal(k1, (HIDDEN,)), "state": random.normal(k2, (HIDDEN, HIDDEN)) / 4, "bias": jnp.zeros(HIDDEN),
            "out": random.normal(k3, (HIDDEN,)) / 10}


def predict(net, series):
    """For every year the next year's number."""
    def year(h, x):
        h = jnp.tanh(net["in"] * x + net["state"] @ h + net["bias"])
        return h, x + h @ net["out"]
    return lax.scan(year, jnp.zeros(HIDDEN), series)[1]


def loss(net, series):
    return jnp.mean((predict(net, series[:-1]) - series[1:]) ** 2)


@jit
def adam(net, gradient, mean, square, step):
    mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, mean, gradient)
    square = jax.tree.map(lambda s, g: 0.999 * s + 0.001 * g * g, square, gradient)
    c1, c2 = 1 - 0.9**step, 1 - 0.999**step
    move = lambda p, m, s: p - 0.001 * (m / c1) / (jnp.sqrt(s / c2) + 1e-8)
    return jax.tree.map(move, net, mean, square), mean, square


def rms_error(prediction, series):
    return 100 * jnp.sqrt(jnp.mean((prediction[TRAIN - 1:] - series[TRAIN:]) ** 2))


def main():
    data = np.loadtxt(Path(__file__).parent / "data" / "sunspots.txt")
    series = jnp.asarray(data[:, 1] / 100, jnp.float32)
    net = make_network(random.key(0))
    mean = square = jax.tree.map(jnp.zeros_like, net)
    slope = jit(value_and_grad(loss))
    values = []
    for step in range(1, STEPS + 1):
        value, gradient = slope(net, series[:TRAIN])
        net, mean, square = adam(net, gradient, mean, square, float(step))
        values.append(value)
        if step % 100 == 0 or step == 1:
            print(f"step {step:3d}  loss {value:.4f}")
    error = rms_error(jit(predict)(net, series[:-1]), series)
    baseline = rms_error(series[:-1], series)  # next year is as this year
    print(f"error from 1930 on {error:.1f} sunspots, of 'as this year' {baseline:.1f}")
    assert values[-1] < values[0] / 4 and error < 0.75 * baseline
    print("rnn ok")


if __name__ == "__main__":
    main()
