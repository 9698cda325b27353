"""The number of threads: how it is set, that it holds, and that results do not depend on it."""
import os
import signal
import subprocess
import sys

import numpy as np
import pytest

import cotan
import cotan.numpy as jnp


def python(code, env={}, **options):
    env = {**os.environ, "OPENBLAS_NUM_THREADS": "1", **env}  # NumPy's, which starts its own when it is imported
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, env=env, **options)


TASKS = "import os, cotan, cotan.numpy as jnp\ntasks = lambda: len(os.listdir('/proc/self/task'))\nbefore = tasks()\n"


def test_no_threads_at_import_nor_for_small_work():
    run = python(TASKS + """
cotan.set_num_threads(4)
f = cotan.jit(lambda x: jnp.sin(x) @ x)
for n in (3, 100):
    x = jnp.arange(float(n))
    (f(x), x + 1, jnp.sort(x), x.sum(), cotan.grad(f)(x))
print(before, tasks())
x = jnp.ones((1000, 1000))
(jnp.sin(x) @ x).block_until_ready()
print(tasks())
""")
    assert run.stdout.split() == ["1", "1", "4"], run.stderr


def test_one_thread_means_none_beside_it():
    work = "x = jnp.ones((1000, 1000)); y = cotan.jit(lambda x: jnp.sin(x) @ x)(x); jnp.sort(y); y.sum()\nprint(tasks(), cotan.config.num_threads)"
    for setting, options in (("cotan.set_num_threads(1)\n", {}), ("", {"env": {"COTAN_NUM_THREADS": "1"}}),
                             ("", {"preexec_fn": lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})})):
        run = python(TASKS + setting + work, **options)
        assert run.stdout.split() == ["1", "1"], run.stderr
    run = python(TASKS + "cotan.jit(lambda x: jnp.sin(x))(jnp.ones(1000000))", env={"COTAN_NUM_THREADS": "many"})
    assert "ValueError" in run.stderr and "COTAN_NUM_THREADS is 'many'" in run.stderr


def test_the_number_is_set_and_nests():
    before = cotan.config.num_threads
    try:
        cotan.set_num_threads(3)
        assert cotan.config.num_threads == 3
        with cotan.num_threads(2):
            assert cotan.config.num_threads == 2
            with cotan.num_threads(5):
                assert cotan.config.num_threads == 5
            cotan.config.update("num_threads", 4)
            assert cotan.config.num_threads == 2
        assert cotan.config.num_threads == 4

        @cotan.num_threads(1)
        def f():
            return cotan.config.num_threads
        assert f() == 1 and cotan.config.num_threads == 4
        for bad in (0, -1, 5000):
            with pytest.raises(ValueError, match="from 1 to 1024, got"):
                cotan.set_num_threads(bad)
            with pytest.raises(ValueError, match="from 1 to 1024, got"):
                cotan.num_threads(bad)
        for bad in (1.5, "2", None):
            with pytest.raises(TypeError):
                cotan.set_num_threads(bad)
    finally:
        cotan.set_num_threads(before)


def test_results_do_not_depend_on_it():
    def step(w, x):
        return jnp.sum(jnp.tanh(x @ w) ** 2) / len(x)
    x = jnp.asarray(np.random.default_rng(0).standard_normal((501, 211)), "float32")
    w = jnp.asarray(np.random.default_rng(1).standard_normal((211, 307)), "float32")
    key = cotan.random.key(0)

    def all_bits():
        values = [cotan.jit(cotan.value_and_grad(step))(w, x), jnp.sort(x, axis=0), jnp.cumsum(x, axis=1), x.sum(), x.sum(0), x.T + 1,
                  cotan.random.normal(key, (100_003,)), jnp.take(x, jnp.arange(1000) % 501, axis=0), jnp.argmax(x)]
        return [np.asarray(v).tobytes() for v in cotan.tree.leaves(values)]
    results = []
    for n in (1, 2, 7):
        with cotan.num_threads(n):
            results.append(all_bits())
    assert results[0] == results[1] == results[2]


def test_fork():
    x = jnp.asarray(np.random.default_rng(0).standard_normal((700, 700)), "float32")
    f = cotan.jit(lambda x: jnp.sin(x @ x).sum())
    with cotan.num_threads(3):
        want = float(f(x))
        child = os.fork()
        if child == 0:
            signal.alarm(60)
            os._exit(0 if float(f(x)) == want and float(f(x)) == want else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert float(f(x)) == want


@pytest.mark.parametrize("work", ["jnp.sort(x, axis=0)", "jnp.cumsum(x, axis=1)", "(i @ i)", "jnp.exp(x) + x", "x.T + 1", "jnp.argmax(x)"])
def test_an_interrupt_while_threads_work(work):
    code = f"""
import os, signal, threading, time, cotan, cotan.numpy as jnp
cotan.set_num_threads(2)
x = jnp.ones((4000, 4000))
i = jnp.ones((2000, 2000), int)
sent = []
def interrupt():
    time.sleep(0.3)
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt).start()
try:
    for _ in range(10000):
        {work}
except KeyboardInterrupt:
    print(time.monotonic() - sent[0])
print(float(jnp.sum(jnp.ones(1000000))))
"""
    run = python(code)
    late, after = map(float, run.stdout.split())
    assert late < (1.0 if os.environ.get("COTAN_BUSY") else 0.3) and after == 1000000, run.stderr
