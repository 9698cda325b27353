#!/usr/bin/env python3
"""Compiled functions beside JAX: first call (trace, compile and run), cached call, and memory, as ratios of Cotan to JAX.

    .venv/bin/python bench/compiled.py [--rounds N] [--threads N] [--only TEXT] [--cotan-only]

Every case runs in a process of its own, Cotan's and JAX's in turn; minima over the rounds are printed. The first call is timed
with everything imported and the operands made. Memory is what the program takes for results and temporaries (memory_analysis);
resident, what the process's peak grew by during the first call (VmHWM, reset before), with all that compiling and library calls take.
An asterisk marks a ratio above what is asked of the case (in brackets; of memory 1.05).
"""
import argparse
import json
import os
import subprocess
import sys

PRELUDE = """
import numpy as np
rng = np.random.default_rng(0)
def f32(*shape): return jnp.asarray(rng.standard_normal(shape).astype(np.float32))
def layers(*sizes): return [(f32(a, b) * 0.1, f32(b) * 0.1) for a, b in zip(sizes[:-1], sizes[1:])]
def mlp(ps, x):
    for w, b in ps[:-1]: x = jnp.tanh(x @ w + b)
    return x @ ps[-1][0] + ps[-1][1]
def unrolled(n):
    def f(x):
        for _ in range(n): x = jnp.sin(x) * 1.01
        return x
    return f
"""

TRANSFORMER = """
width, heads = 128, 4
def block():
    return dict(q=f32(width, width) * .1, k=f32(width, width) * .1, v=f32(width, width) * .1, o=f32(width, width) * .1,
                up=f32(width, 4 * width) * .1, down=f32(4 * width, width) * .1, g1=jnp.ones(width), g2=jnp.ones(width))
params = dict(embed=f32(256, width), blocks=[block() for _ in range(6)])
tokens = jnp.asarray(rng.integers(0, 256, (4, 128)), jnp.int32)
def norm(x, g):
    return (x - x.mean(-1, keepdims=True)) / jnp.sqrt(x.var(-1, keepdims=True) + 1e-5) * g
def attend(p, x):
    b, t, _ = x.shape
    q, k, v = [(x @ p[n]).reshape(b, t, heads, width // heads).transpose(0, 2, 1, 3) for n in 'qkv']
    s = jnp.einsum('bhid,bhjd->bhij', q, k) / np.sqrt(width // heads)
    s = jnp.where(jnp.tril(jnp.ones((t, t), bool)), s, -1e9)
    y = jnp.einsum('bhij,bhjd->bhid', jax.nn.softmax(s), v)
    return y.transpose(0, 2, 1, 3).reshape(b, t, width) @ p['o']
def loss(params, tokens):
    x = params['embed'][tokens]
    for p in params['blocks']:
        x = x + attend(p, norm(x, p['g1']))
        x = x + jax.nn.gelu(norm(x, p['g2']) @ p['up']) @ p['down']
    logits = x @ params['embed'].T
    logp = jax.nn.log_softmax(logits[:, :-1])
    return -jnp.take_along_axis(logp, tokens[:, 1:, None], -1).mean()
f = jax.value_and_grad(loss); args = (params, tokens)
"""

HEAVY = """
def f(x):
    for _ in range(20): x = jnp.sin(x) * jnp.cos(x) + jnp.tanh(x)
    return x
args = (f32(1_000_000),)
"""
MLP = """
ps = layers(784, 512, 512, 10); x = f32(128, 784); y = jax.nn.one_hot(jnp.arange(128) % 10, 10)
def loss(ps, x, y): return -(jax.nn.log_softmax(mlp(ps, x)) * y).sum(-1).mean()
def f(ps, x, y): return jax.tree.map(lambda p, g: p - 0.1 * g, ps, jax.grad(loss)(ps, x, y))
args = (ps, x, y)
"""
PER_EXAMPLE = """
ps = layers(64, 128, 128, 1)
def f(ps, x): return jax.vmap(jax.grad(lambda ps, x: mlp(ps, x)[0]), (None, 0))(ps, x)
args = (ps, f32(256, 64))
"""
ROSENBROCK = "f = jax.hessian(lambda x: (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()); args = (f32(200),)"
NORM = "f = lambda x: (x - x.mean(-1, keepdims=True)) / jnp.sqrt(x.var(-1, keepdims=True) + 1e-5); args = (f32(4096, 1024),)"
CHAIN = """
def f(x):
    for i in range(%d): x = x * 1.0001 + 0.5 if i %% 2 else x - 0.25
    return x
args = (f32(1000),)
"""

CASES = [  # name, setup, most first-call ratio, most cached ratio
    ("20 x (sin cos + tanh), 1M", HEAVY, .15, .2),
    ("x*x + 2x, 5000^2", "f = lambda x: x * x + 2 * x; args = (f32(5000, 5000),)", .3, .5),
    ("200 x sin(x)*1.01, 1000", "f = unrolled(200); args = (f32(1000),)", .05, .4),
    ("2000 x sin(x)*1.01, 1000", "f = unrolled(2000); args = (f32(1000),)", .05, .4),
    ("MLP step 784-512-512-10, 128", MLP, .1, .95),
    ("per-example gradients, 256", PER_EXAMPLE, .1, .7),
    ("6-layer transformer, value and grad", TRANSFORMER, .1, .6),
    ("pairwise distances 512x512x64", "f = lambda a, b: jnp.sqrt(((a[:, None] - b[None]) ** 2).sum(-1)); args = (f32(512, 64), f32(512, 64))", .2, .5),
    ("sort 1M", "f = jnp.sort; args = (f32(1_000_000),)", .15, .12),
    ("argsort 1M", "f = jnp.argsort; args = (f32(1_000_000),)", .15, .2),
    ("cumsum 1M", "f = jnp.cumsum; args = (f32(1_000_000),)", .3, .15),
    ("transpose 4096^2", "f = lambda x: x.T + 0; args = (f32(4096, 4096),)", .3, .6),
    ("pow 1M", "f = lambda x, y: jnp.power(x, y); args = (jnp.abs(f32(1_000_000)), f32(1_000_000))", .3, .4),
    ("random.normal 10M", "f = lambda k: jax.random.normal(k, (10_000_000,)); args = (jax.random.key(0),)", .5, .4),
    ("random.bits 10M", "f = lambda k: jax.random.bits(k, (10_000_000,)); args = (jax.random.key(0),)", .5, .4),
    ("categorical 4096x1000", "f = jax.random.categorical; args = (jax.random.key(0), f32(4096, 1000))", .5, .4),
    ("softmax 4096x1024", "f = jax.nn.softmax; args = (f32(4096, 1024),)", .4, 1),
    ("layernorm 4096x1024", NORM, .4, 1),
    ("sum 4096^2, axis 0", "f = lambda x: x.sum(0); args = (f32(4096, 4096),)", .4, .6),
    ("sum 4096^2, all", "f = jnp.sum; args = (f32(4096, 4096),)", .4, 1),
    ("gather rows", "f = lambda x, i: x[i]; args = (f32(100_000, 64), jnp.asarray(rng.integers(0, 100_000, 100_000), jnp.int32))", .3, .5),
    ("scatter-add 1M into 10k", "f = lambda i, x: jnp.zeros(10_000).at[i].add(x); args = (jnp.asarray(rng.integers(0, 10_000, 1_000_000), jnp.int32), f32(1_000_000))", .3, .9),
    ("Hessian of Rosenbrock, 200", ROSENBROCK, .1, .9),
    ("matmul 1024^2", "f = jnp.matmul; args = (f32(1024, 1024), f32(1024, 1024))", .4, 1.05),
    ("matmul 64^2", "f = jnp.matmul; args = (f32(64, 64), f32(64, 64))", .4, 1.05),
    ("matmul 256 x 32^2", "f = jnp.matmul; args = (f32(256, 32, 32), f32(256, 32, 32))", .4, 1.05),
    ("matvec 4096^2", "f = jnp.matmul; args = (f32(4096, 4096), f32(4096))", .4, 1.05),
    ("500 chained operations", CHAIN % 500, .02, .8),
    ("5000 chained operations", CHAIN % 5000, .02, .8),
]

CHILD = """
import importlib, json, sys, time, timeit
module, setup, threads = sys.argv[1], sys.argv[2], int(sys.argv[3])
jax = importlib.import_module(module); jnp = importlib.import_module(module + ".numpy")
if module == "cotan" and hasattr(jax, "set_num_threads"): jax.set_num_threads(threads)
exec(sys.argv[4]); exec(setup)
jax.block_until_ready(args)
time.sleep(0.3)  # threads that NumPy's BLAS has begun when it was imported wait busily for a while: they would share the processors
def peak(): return int(next(l for l in open("/proc/self/status") if l.startswith("VmHWM")).split()[1])
open("/proc/self/clear_refs", "w").write("5")
before, start = peak(), time.perf_counter()
g = jax.jit(f)
out = jax.block_until_ready(g(*args))
first = time.perf_counter() - start
grown = peak() - before
del out
run = lambda: jax.block_until_ready(g(*args))
once = min(timeit.repeat(run, number=1, repeat=3))
n = max(1, min(2000, int(0.05 / once)))
cached = min(timeit.repeat(run, number=n, repeat=7)) / n
m = g.lower(*args).compile().memory_analysis()
print(json.dumps([first * 1e3, cached * 1e3, (m.temp_size_in_bytes + m.output_size_in_bytes) / 2**20, grown / 1024]))
"""


def measure(module, setup, threads):
    r = subprocess.run([sys.executable, "-c", CHILD, module, setup, str(threads), PRELUDE], capture_output=True, text=True,
                       env={**os.environ, "JAX_PLATFORMS": "cpu"})
    if r.returncode:
        sys.exit(f"{module}: {setup}\n{r.stderr}")
    return json.loads(r.stdout.splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", default="")
    parser.add_argument("--cotan-only", action="store_true")
    options = parser.parse_args()
    modules = ["cotan"] if options.cotan_only else ["cotan", "jax"]
    print(f"{'ms: cotan / jax = ratio [asked]':38} {'first call':>34} {'cached call':>36} {'memory, MiB':>27} {'resident, MiB':>19}", flush=True)
    for name, setup, most_first, most_cached in CASES:
        if options.only not in name:
            continue
        best = {}
        for _ in range(options.rounds):
            for m in modules:
                r = measure(m, setup, options.threads)
                best[m] = [min(a, b) for a, b in zip(best.get(m, r), r)]
        c, j = best["cotan"], best.get("jax", [float("nan")] * 4)

        def ratio(i, most, digits=3):
            x = c[i] / j[i]
            return f"{c[i]:9.{digits}f} / {j[i]:8.{digits}f} = {x:6.3f}{'*' if x > most else ' '}"
        print(f"{name:38} {ratio(0, most_first)}[{most_first:g}]".ljust(76) + f"{ratio(1, most_cached)}[{most_cached:g}]".ljust(38)
              + f"{ratio(2, 1.05, 2)} {c[3]:9.0f} / {j[3]:7.0f}", flush=True)


if __name__ == "__main__":
    main()
