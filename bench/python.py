#!/usr/bin/env python3
"""The Python module beside JAX: import, eager operations, cached jit calls, tracing. Rounds are interleaved, minima are printed.

    .venv/bin/python bench/python.py [ROUNDS]
"""
import json
import os
import subprocess
import sys

CASES = {  # name: (setup, expression, most microseconds)
    "jnp.add of 8 floats": ("", "jnp.add(x, y)", 1),
    "x + y": ("", "x + y", 1),
    "jnp.sin of 8 floats": ("", "jnp.sin(x)", 1),
    "cached jit(x + 1)": ("f = jax.jit(lambda x: x + 1)", "f(x)", 1),
    "jit of a dict of 100 arrays": ("f = jax.jit(lambda d: d); d = {f'k{i}': x for i in range(100)}", "f(d)", 15),
    "m[3, 2:5]": ("m = jnp.ones((10, 10))", "m[3, 2:5]", 3),
    "eager grad of sum(tanh(x)**2)": ("f = jax.grad(lambda x: jnp.sum(jnp.tanh(x) ** 2)); z = jnp.arange(16.)", "f(z)", 40),
    "make_jaxpr of the gradient of an MLP": (
        "ps = [(jnp.ones((8, 8)), jnp.ones(8)) for _ in range(20)]\n"
        "def loss(ps):\n    h = x\n    for w, b in ps: h = jnp.tanh(h @ w + b)\n    return h.sum()\n"
        "f = jax.make_jaxpr(jax.grad(loss))", "f(ps)", 1500),
}

CHILD = """
import importlib, json, sys, time, timeit
start = time.perf_counter()
jax = importlib.import_module(sys.argv[1]); jnp = importlib.import_module(sys.argv[1] + ".numpy")
out = {"import": (time.perf_counter() - start) * 1e6}
for name, (setup, code, _) in json.loads(sys.argv[2]).items():
    scope = {"jax": jax, "jnp": jnp, "x": jnp.arange(8.0), "y": jnp.arange(8.0) + 1}
    exec(setup, scope)
    run = eval("lambda: " + code, scope)
    run(); run()
    once = min(timeit.repeat(run, number=1, repeat=3))
    n = max(1, int(0.02 / once))
    out[name] = min(timeit.repeat(run, number=n, repeat=5)) / n * 1e6
print(json.dumps(out))
"""


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    best = {"cotan": {}, "jax": {}}
    for _ in range(rounds):
        for module, times in best.items():
            run = subprocess.run([sys.executable, "-c", CHILD, module, json.dumps(CASES)], capture_output=True, text=True, check=True,
                                 env={**os.environ, "JAX_PLATFORMS": "cpu"})
            for name, t in json.loads(run.stdout).items():
                times[name] = min(t, times.get(name, t))
    print(f"{'microseconds, minima':40} {'cotan':>10} {'jax':>10} {'ratio':>8} {'asked':>10}")
    for name, t in best["cotan"].items():
        other = best["jax"][name]
        asked = f"{CASES[name][2]} us" if name in CASES else "0.2x"
        print(f"{name:40} {t:10.2f} {other:10.2f} {t / other:8.3f} {asked:>10}")


if __name__ == "__main__":
    main()
