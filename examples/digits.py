"""A two-layer network trained on the 1,797 handwritten digits of scikit-learn: a JAX program.

    python -m cotan examples/digits.py
"""
import jax
import jax.numpy as jnp
from jax import grad, jit, random, value_and_grad, vmap
from sklearn.datasets import load_digits


def predict(params, image):
    hidden = jnp.tanh(image @ params["w1"] + params["b1"])
    return hidden @ params["w2"] + params["b2"]


def loss(params, images, labels):
    logits = jax.nn.log_softmax(predict(params, images))
    return -jnp.mean(jnp.sum(jax.nn.one_hot(labels, 10) * logits, axis=-1))


@jit
def step(params, images, labels, rate):
    value, gradient = value_and_grad(loss)(params, images, labels)
    return jax.tree.map(lambda p, g: p - rate * g, params, gradient), value


@jit
def accuracy(params, images, labels):
    return jnp.mean(jnp.argmax(predict(params, images), axis=-1) == labels)


def main():
    digits = load_digits()
    images, labels = jnp.asarray(digits.data / 16.0, jnp.float32), jnp.asarray(digits.target)
    order = random.permutation(random.key(0), len(images))
    images, labels = images[order], labels[order]
    train, test = slice(0, 1500), slice(1500, None)

    k1, k2, shuffles = random.split(random.key(1), 3)
    params = {"w1": random.normal(k1, (64, 64)) / 8, "b1": jnp.zeros(64), "w2": random.normal(k2, (64, 10)) / 8, "b2": jnp.zeros(10)}
    for epoch in range(20):
        order = random.permutation(random.fold_in(shuffles, epoch), 1500)
        for batch in order.reshape(-1, 50):
            params, value = step(params, images[batch], labels[batch], 0.5)
        if epoch % 5 == 4:
            print(f"epoch {epoch + 1}: loss {value:.4f}, test accuracy {accuracy(params, images[test], labels[test]):.3f}")

    # One gradient for each example: how much each would change the network.
    each = vmap(grad(loss), in_axes=(None, 0, 0))(params, images[train][:5], labels[train][:5])
    norms = sum(jnp.sum(g.reshape(5, -1) ** 2, axis=1) for g in jax.tree.leaves(each)) ** 0.5
    print("gradient norms of five examples:", [f"{n:.3f}" for n in norms])
    print(f"test accuracy {accuracy(params, images[test], labels[test]):.2f}")


if __name__ == "__main__":
    main()
