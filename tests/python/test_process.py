"""What a process does to the module: signals, threads, forks, the end of the interpreter; and what errors show of it."""
import os
import signal
import subprocess
import sys
import threading
import time
import traceback

import pytest

import cotan
import cotan.numpy as jnp


def python(code, **options):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, **options)


def frames(error):
    return [f.name for f in traceback.extract_tb(error.__traceback__)]


def broken(x):
    return x + jnp.zeros(7)


CALLS = {
    "grad": lambda: cotan.grad(lambda x: broken(x).sum())(jnp.ones(3)), "jit": lambda: cotan.jit(broken)(jnp.ones(3)),
    "vmap": lambda: cotan.vmap(broken)(jnp.ones((2, 3))), "jvp": lambda: cotan.jvp(broken, (jnp.ones(3),), (jnp.ones(3),)),
    "vjp": lambda: cotan.vjp(broken, jnp.ones(3)), "jacfwd": lambda: cotan.jacfwd(broken)(jnp.ones(3)),
    "tree.map": lambda: cotan.tree.map(broken, [jnp.ones(3)]), "make_jaxpr": lambda: cotan.make_jaxpr(broken)(jnp.ones(3)),
    "nested": lambda: cotan.jit(cotan.vmap(cotan.grad(lambda x: broken(x).sum())))(jnp.ones((2, 3))),
    "method": lambda: jnp.ones(3).at[0].set(jnp.ones(7)), "lower": lambda: cotan.jit(broken).lower(jnp.ones(3)),
}


@pytest.mark.parametrize("name", CALLS)
def test_tracebacks_show_the_users_frames_only(name):
    with pytest.raises((TypeError, ValueError)) as info:
        CALLS[name]()
    files = {f.filename for f in traceback.extract_tb(info.value.__traceback__)}
    assert files == {__file__}, traceback.format_exception(info.value)
    assert name == "method" or frames(info.value)[-1] == "broken"


def test_internal_frames_can_be_shown():
    try:
        cotan.config.update("jax_traceback_filtering", "off")
        with pytest.raises(TypeError) as info:
            CALLS["grad"]()
        assert any("_api.py" in f.filename for f in traceback.extract_tb(info.value.__traceback__))
        with pytest.raises(ValueError, match="enum value"):
            cotan.config.update("jax_traceback_filtering", "sometimes")
    finally:
        cotan.config.update("jax_traceback_filtering", "auto")
    run = python("import cotan; cotan.grad(lambda x: x.nothing)(1.)", env={**os.environ, "JAX_TRACEBACK_FILTERING": "off"})
    assert "_api.py" in run.stderr


def test_a_program_that_fails_under_m_cotan(tmp_path):
    program = tmp_path / "program.py"
    program.write_text("import jax\n\ndef f(x):\n    return x.nothing\n\njax.grad(f)(1.0)\n")
    run = subprocess.run([sys.executable, "-m", "cotan", program], capture_output=True, text=True)
    assert run.returncode == 1 and run.stderr.count("File ") == 2 and "AttributeError" in run.stderr.splitlines()[-1], run.stderr


def test_boundaries_are_functions():
    import inspect
    import pickle
    assert cotan.grad.__name__ == "grad" and cotan.grad.__module__ == "cotan._api" and "gradient" in cotan.grad.__doc__
    assert pickle.loads(pickle.dumps(cotan.grad)) is cotan.grad and pickle.loads(pickle.dumps(cotan.tree.map)) is cotan.tree.map
    assert list(inspect.signature(cotan.vmap).parameters)[:2] == ["fun", "in_axes"] and "grad" in repr(cotan.grad)

    class Model:
        loss = cotan.grad(lambda self, x: x * x, argnums=1)

    assert Model().loss(3.0) == 6


@pytest.mark.parametrize("work", ["x @ x", "(x[:, None, :] * x[None, :, :]).sum(-1)", "cotan.jit(lambda x: jnp.sin(x @ x) @ x)(x)"])
def test_an_interrupt_while_running(work):
    """A KeyboardInterrupt arrives a tenth of a second after the signal, wherever the computation is."""
    code = f"""
import os, signal, threading, time, cotan, cotan.numpy as jnp
x = jnp.ones((500, 500)) if "None" in {work!r} else jnp.ones((6000, 6000))
sent = []
def interrupt():
    time.sleep(0.4)
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt).start()
try:
    for _ in range(100):
        {work}
except KeyboardInterrupt:
    print(time.monotonic() - sent[0])
print(float(jnp.sum(jnp.ones(3))))
"""
    run = python(code)
    late, after = map(float, run.stdout.split())
    assert late < (1.0 if os.environ.get("COTAN_BUSY") else 0.3) and after == 3, run.stderr


def test_an_interrupt_while_tracing():
    code = """
import os, signal, threading, cotan, cotan.numpy as jnp
threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
def f(x):
    while True:
        x = jnp.sin(x)
try:
    cotan.jit(f)(1.0)
except KeyboardInterrupt:
    print("interrupted", float(cotan.jit(lambda x: x + 1)(1.0)))
"""
    assert python(code).stdout.split() == ["interrupted", "2.0"]


def test_handlers_of_other_signals_run_too():
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        pytest.skip("needs timers on the main thread")
    seen = []
    before = signal.signal(signal.SIGALRM, lambda *_: seen.append(1))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        x = jnp.ones((1200, 1200))
        for _ in range(40):
            cotan.jit(lambda x: x @ x)(x)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert seen == [1]


def test_fork():
    f = cotan.jit(lambda x: jnp.sin(x @ x).sum())
    x = jnp.ones((200, 200))
    want = float(f(x))
    child = os.fork()
    if child == 0:
        good = float(f(x)) == want and float(cotan.grad(lambda v: f(v))(x)[0, 0]) == float(cotan.grad(f)(x)[0, 0])
        os._exit(0 if good else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


EXITS = {
    "arrays and functions in modules": "import cotan, cotan.numpy as jnp; x = jnp.ones(3); f = cotan.jit(lambda v: v + x); y = f(x); import builtins; builtins.kept = (x, f, y)",
    "cycles": "import cotan, cotan.numpy as jnp\nclass A: pass\na = A(); a.a = a; a.f = cotan.jit(lambda v: (v, a)[0]); a.f(1.); a.x = jnp.ones(3); a.g = cotan.grad(lambda v: v * a.x[0])",
    "a thread that computes": "import cotan, cotan.numpy as jnp, threading, time\nx = jnp.ones((700, 700))\nf = cotan.jit(lambda v: v @ v)\n"
                              "threading.Thread(target=lambda: [f(x) for _ in range(10000)], daemon=True).start(); time.sleep(0.2)",
    "eight threads that trace": "import cotan, cotan.numpy as jnp, threading, time\ndef work():\n    while True: cotan.jit(lambda v: jnp.sin(v) @ v)(jnp.ones((300, 300)))\n"
                                "[threading.Thread(target=work, daemon=True).start() for _ in range(8)]; time.sleep(0.3)",
    "atexit": "import atexit, cotan, cotan.numpy as jnp; atexit.register(lambda: print(cotan.jit(lambda v: v + 1)(jnp.ones(2))))",
    "a destructor": "import cotan, cotan.numpy as jnp\nclass A:\n    def __init__(self): self.x = jnp.ones(3)\n    def __del__(self): self.x.sum()\na = A()",
    "weak references": "import cotan, cotan.numpy as jnp, weakref; x = jnp.ones(3); f = cotan.jit(abs); w = [weakref.ref(x), weakref.ref(f), weakref.finalize(x, print, 'gone')]",
}


@pytest.mark.parametrize("what", EXITS)
def test_the_interpreter_ends(what):
    run = python(EXITS[what])
    assert run.returncode == 0 and "Fatal" not in run.stderr and "Error" not in run.stderr, run.stderr


def test_a_destructor_without_the_gil():
    """Whoever has taken an array over by DLPack may give it back from any thread."""
    import ctypes
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    rename = ctypes.pythonapi.PyCapsule_SetName
    rename.argtypes = [ctypes.py_object, ctypes.c_char_p]
    used = b"used_dltensor"
    for _ in range(50):
        capsule = jnp.arange(1000.0).__dlpack__()
        managed = get(capsule, b"dltensor")
        rename(capsule, used)
        deleter = ctypes.c_void_p.from_address(managed + 56).value  # behind the tensor and the context
        thread = threading.Thread(target=ctypes.CFUNCTYPE(None, ctypes.c_void_p)(deleter), args=(managed,))  # ctypes gives the GIL up
        thread.start(), thread.join()


def test_eight_threads_trace_and_run_at_once():
    shared = cotan.jit(lambda x, k: jnp.sum(jnp.sin(x) * k), static_argnums=1)
    errors, start = [], threading.Barrier(8)

    def work(n):
        try:
            start.wait()
            end = time.monotonic() + 1.0
            i = 0
            while time.monotonic() < end:
                x = jnp.arange(float(n % 4 + 1 + i % 3))
                assert abs(float(shared(x, i % 5)) - float(jnp.sum(jnp.sin(x) * (i % 5)))) < 1e-4
                own = cotan.jit(cotan.vmap(cotan.grad(lambda v: v * v * n)))
                assert own(x).tolist() == [2.0 * n * v for v in range(len(x))]
                with cotan.enable_x64(n % 2 == 0):
                    assert jnp.zeros(1).dtype == ("float64" if n % 2 == 0 else "float32")
                if i % 20 == 0 and n == 0:
                    cotan.clear_caches()
                i += 1
        except BaseException as error:  # noqa: BLE001
            errors.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    [t.start() for t in threads], [t.join() for t in threads]
    assert not errors, errors


def test_the_number_of_devices_is_accepted():
    run = python("import cotan; cotan.config.update('jax_num_cpu_devices', 8); print(cotan.config.jax_num_cpu_devices, float(cotan.numpy.ones(2).sum()))")
    assert run.stdout.split() == ["8", "2.0"], run.stderr
