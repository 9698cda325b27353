"""Cotan beside JAX 0.10.2, one thread on one core: beside_jax.py [--rounds N] [--only TEXT] PROGRAM...

Runs the cases of bench/*.cc (the programs) and the same in JAX, round by round in turn, both pinned to core 0, and prints the
least CPU time of each, their ratio (Cotan / JAX: below 1 Cotan is faster) and the ratio that is asked for, where one is.
JAX (0.10.2) is that of this Python, or of the one that COTAN_JAX_PYTHON names; where there is none, it prints ours alone.
Not a test: timings on a shared machine are no ground to fail on.
"""
import argparse
import json
import os
import subprocess
import sys

JAX_CASES = r'''
import json, sys, time
import jax, jax.numpy as jnp
from jax import lax
only = sys.argv[1]
million, ten_million = 1 << 20, 10 << 20
def least(f, batches=5, seconds=0.03):
    jax.block_until_ready(f()); jax.block_until_ready(f())
    t = time.perf_counter(); jax.block_until_ready(f()); count = max(1, int(seconds / (time.perf_counter() - t)))
    best = 1e9
    for _ in range(batches):
        t = time.process_time()
        for _ in range(count): jax.block_until_ready(f())
        best = min(best, (time.process_time() - t) / count)
    return best * 1e9
def jitted(f, *a): g = jax.jit(f); return lambda: g(*a)
def ramp(n): return jnp.linspace(-3, 3, n)
def shuffled(n): return jnp.sin(ramp(n) * 1e5)
def positions(count, n): return jnp.arange(count) * 7919 % n
def numbers(n): return jnp.arange(n) * 7919 % 251 - 125
def square(x, n): return x.reshape(n, n)
big, small, x16, unordered = ramp(million), ramp(8), ramp(16), shuffled(million)
m16, m512, m1024 = square(ramp(256), 16), square(ramp(512 * 512), 512), square(big, 1024)
bf16, c64, i512 = big.astype("bfloat16"), big.astype("complex64"), square(numbers(512 * 512), 512)
f = lambda x: jnp.sum(jnp.square(jnp.tanh(x)))
eager_grad, jit_grad = jax.grad(f), jax.jit(jax.grad(f))
def mlp(layers, x):
    for w, b in layers: x = jnp.tanh(jnp.dot(x, w) + b)
    return jnp.sum(x)
layers = [(jnp.ones((8, 8)), jnp.zeros(8))] * 20
places, table, zeros = positions(million, 10000), ramp(640000).reshape(10000, 64), jnp.zeros(10000)
key = jax.random.key(0)
add_at = lambda x, i, v: x.at[i].add(v)
cases = {
    "add/8": lambda: jnp.add(small, small), "sin/8": lambda: jnp.sin(small), "sum/8": lambda: jnp.sum(small),
    "dot/16": jitted(jnp.dot, m16, m16), "dot/512": jitted(jnp.dot, m512, m512), "jit_x_plus_1": jitted(lambda x: x + 1.0, small),
    "jit_number_plus_1": jitted(lambda x: x + 1.0, jnp.float32(2)),
    "first_jit_number_plus_1": lambda: jax.jit(lambda x: x + 1.0)(jnp.float32(2)),
    "eager_grad": lambda: eager_grad(x16), "jit_grad": lambda: jit_grad(x16),
    "trace_grad_of_mlp_20": lambda: jax.make_jaxpr(jax.grad(mlp))(layers, jnp.ones((4, 8))) and None,
    "add": jitted(lax.add, big, big), "exp": jitted(jnp.exp, big), "sin": jitted(jnp.sin, big), "tanh": jitted(jnp.tanh, big),
    "pow": jitted(lax.pow, jnp.exp(big), big), "tanh_of_square_jit": jitted(lambda a: jnp.tanh(a * a + 1.0) * a, big),
    "sum": jitted(jnp.sum, big), "sum_bf16": jitted(jnp.sum, bf16), "sum_c64": jitted(jnp.sum, c64),
    "sum_rows_bf16": jitted(lambda x: jnp.sum(x, 1), square(bf16, 1024)),
    "sum_columns_bf16": jitted(lambda x: jnp.sum(x, 0), square(bf16, 1024)), "max_bf16": jitted(jnp.max, bf16),
    "cumsum": jitted(jnp.cumsum, big), "cummax": jitted(lax.cummax, unordered),
    "cumlogsumexp": jitted(lax.cumlogsumexp, unordered),
    "sort": jitted(jnp.sort, unordered), "argsort": jitted(jnp.argsort, unordered),
    "gather_rows_64": jitted(lambda x, i: jnp.take(x, i, 0), table, positions(million // 64, 10000)),
    "gather_elements": jitted(lambda x, i: x[i], ramp(10000), places),
    "gather_elements_jit": jitted(lambda x, i: x[i], ramp(10000), places),
    "scatter_add": jitted(add_at, zeros, places, big), "scatter_add_jit": jitted(add_at, zeros, places, big),
    "segment_sum": jitted(lambda v, i: jax.ops.segment_sum(v, i, 10000), big, places),
    "transpose_4096": jitted(jnp.transpose, square(ramp(4096 * 4096), 4096)), "matmul_1024": jitted(jnp.matmul, m1024, m1024),
    "matmul_512_int32": jitted(jnp.matmul, i512, i512),
    "matmul_512_int8": jitted(jnp.matmul, i512.astype("int8"), i512.astype("int8")),
    "bits_10m": jitted(lambda k: jax.random.bits(k, (ten_million,)), key),
    "normal_10m": jitted(lambda k: jax.random.normal(k, (ten_million,)), key),
}
print(json.dumps({k: least(v) for k, v in cases.items() if only in k}))
'''

ASKED = {"first_jit_number_plus_1": 0.02, "sort": 0.2, "argsort": 0.2, "cumsum": 0.2, "bits_10m": 0.7, "normal_10m": 0.7, "gather_rows_64": 1, "gather_elements": 1,
         "gather_elements_jit": 1, "scatter_add": 1, "scatter_add_jit": 1, "transpose_4096": 0.8, "matmul_1024": 1.1, "pow": 0.6}


def pinned(command):
    flags = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    env = dict(os.environ, JAX_PLATFORMS="cpu", XLA_FLAGS=flags, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
    return subprocess.run(["taskset", "-c", "0"] + command, check=True, capture_output=True, text=True, env=env).stdout


def ours(program, only):
    options = ["--benchmark_format=json", "--benchmark_repetitions=5", "--benchmark_min_time=0.03", "--benchmark_filter=" + only]
    out, least = pinned([program] + options), {}
    scale = {"ns": 1, "us": 1e3, "ms": 1e6}
    for b in json.loads(out)["benchmarks"] if out else []:
        if b["run_type"] == "iteration":
            name = b["run_name"]
            least[name] = min(least.get(name, float("inf")), b["cpu_time"] * scale[b["time_unit"]])
    return least


def table(own, jax):
    print(f"{'case':24}{'cotan us':>12}{'jax us':>12}{'ratio':>8}{'asked':>8}")
    for name, t in own.items():
        line, asked = f"{name:24}{t / 1e3:12.2f}", ASKED.get(name)
        if name in jax:
            ratio = t / jax[name]
            line += f"{jax[name] / 1e3:12.2f}{ratio:8.2f}"
            line += "" if asked is None else f"{asked:8.2f}" + ("" if ratio <= asked else "  above")
        print(line)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="cases whose names contain this")
    parser.add_argument("programs", nargs="+")
    args = parser.parse_args()
    python = os.environ.get("COTAN_JAX_PYTHON", sys.executable)
    has_jax = subprocess.run([python, "-c", "import jax"], capture_output=True).returncode == 0
    if not has_jax:
        print("No JAX here: COTAN_JAX_PYTHON names a Python that has it.")
    own, jax = {}, {}
    for _ in range(args.rounds):
        runs = [(own, ours(p, args.only)) for p in args.programs]
        if has_jax:
            runs.append((jax, json.loads(pinned([python, "-c", JAX_CASES, args.only]))))
        for least, times in runs:
            for name, t in times.items():
                least[name] = min(t, least.get(name, t))
    table(own, jax)


if __name__ == "__main__":
    main()
