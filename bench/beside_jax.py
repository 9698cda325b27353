"""Cotan beside JAX 0.10.2 on one core: beside_jax.py BENCH_CORE [ROUNDS].

Runs the cases of bench/core.cc and the same in JAX, round by round in turn, both pinned to core 0, and prints the least time
of each and their ratio (JAX / Cotan: above 1 Cotan is faster). Needs a Python with jax==0.10.2: this one, or the one that
COTAN_JAX_PYTHON names. Not a test: timings on a shared machine are no ground to fail on.
"""
import json
import os
import subprocess
import sys

JAX_CASES = r'''
import json, sys, time
import jax, jax.numpy as jnp
from jax import lax
def ramp(n): return jnp.linspace(-3, 3, n)
def best(f, seconds=0.15):
    f(); f(); least = 1e9; end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        t = time.perf_counter(); r = f(); jax.block_until_ready(r); least = min(least, time.perf_counter() - t)
    return least * 1e9
shuffled = jnp.sin(ramp(1 << 20) * 1e5)
big, small, x16 = ramp(1 << 20), ramp(8), ramp(16)
def jitted(f, *a): g = jax.jit(f); return lambda: g(*a)
m16, m512 = ramp(256).reshape(16, 16), ramp(512 * 512).reshape(512, 512)
f = lambda x: jnp.sum(jnp.square(jnp.tanh(x)))
eager_grad, jit_grad = jax.grad(f), jax.jit(jax.grad(f))
def mlp(layers, x):
    for w, b in layers: x = jnp.tanh(jnp.dot(x, w) + b)
    return jnp.sum(x)
layers = [(jnp.ones((8, 8)), jnp.zeros(8))] * 20
def positions(count, n): return jnp.arange(count) * 7919 % n
rows, table, column = positions((1 << 20) // 64, 10000), ramp(640000).reshape(10000, 64), ramp(10000).reshape(10000, 1)
places = positions(1 << 20, 10000)
cases = {
    "add/8": lambda: jnp.add(small, small), "add/1048576": jitted(lax.add, big, big), "sin/8": lambda: jnp.sin(small),
    "sin/1048576": jitted(jnp.sin, big), "exp/1048576": jitted(jnp.exp, big), "tanh/1048576": jitted(jnp.tanh, big),
    "sort/1048576": jitted(jnp.sort, shuffled), "argsort/1048576": jitted(jnp.argsort, shuffled),
    "cumsum/1048576": jitted(jnp.cumsum, big),
    "sum/8": lambda: jnp.sum(small), "sum/1048576": jitted(jnp.sum, big), "dot/16": jitted(jnp.dot, m16, m16),
    "dot/512": jitted(jnp.dot, m512, m512), "jit_x_plus_1": jitted(lambda x: x + 1.0, small),
    "gather_rows/1": jitted(lambda x, i: jnp.take(x, i, 0), column, places),
    "gather_rows/64": jitted(lambda x, i: jnp.take(x, i, 0), table, rows),
    "scatter_add": jitted(lambda x, i, v: x.at[i].add(v), jnp.zeros(10000), places, big),
    "eager_grad": lambda: eager_grad(x16), "jit_grad": lambda: jit_grad(x16),
    "trace_grad_of_mlp_20": lambda: jax.make_jaxpr(jax.grad(mlp))(layers, jnp.ones((4, 8))) and None,
}
print(json.dumps({k: best(v) for k, v in cases.items()}))
'''


def pinned(command):
    env = dict(os.environ, JAX_PLATFORMS="cpu", XLA_FLAGS="--xla_cpu_multi_thread_eigen=false")
    return subprocess.run(["taskset", "-c", "0"] + command, check=True, capture_output=True, text=True, env=env).stdout


def ours(program):
    out = json.loads(pinned([program, "--benchmark_format=json", "--benchmark_min_time=0.1"]))
    scale = {"ns": 1, "us": 1e3, "ms": 1e6}
    return {b["name"]: b["real_time"] * scale[b["time_unit"]] for b in out["benchmarks"]}


def main(program, rounds=3):
    python = os.environ.get("COTAN_JAX_PYTHON", sys.executable)
    least = ({}, {})
    for _ in range(int(rounds)):
        for got, times in zip(least, (ours(program), json.loads(pinned([python, "-c", JAX_CASES])))):
            for name, t in times.items():
                got[name] = min(t, got.get(name, t))
    print(f"{'case':24}{'cotan us':>12}{'jax us':>12}{'jax/cotan':>11}")
    for name, t in least[0].items():
        print(f"{name:24}{t / 1e3:12.2f}{least[1][name] / 1e3:12.2f}{least[1][name] / t:11.2f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
