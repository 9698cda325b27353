"""Runs StableHLO text on XLA's CPU client, which jaxlib brings: an oracle that shares no code with Cotan. XLA takes denormals for zeros, and
its elementary functions are its own."""
import functools

import jax
import numpy as np
from jax._src.interpreters import mlir
from jax._src.lib import xla_client
from jaxlib import _jax
from jaxlib.mlir import ir


@functools.cache
def _options():
    options = xla_client.CompileOptions()
    debug = options.executable_build_options.debug_options
    debug.xla_backend_optimization_level = 1  # programs are small: most of the time is the compiler's
    debug.xla_llvm_disable_expensive_passes = True
    return options


def parse(text):
    """The module, which MLIR's verifier has seen."""
    context = mlir.make_ir_context()
    with context, ir.Location.unknown(context):
        module = ir.Module.parse(text)
        assert module.operation.verify()
        return module


def run(text, arguments):
    """The results of @main as NumPy arrays."""
    device = jax.devices("cpu")[0]
    executable = device.client.compile_and_load(text, _jax.DeviceList((device,)), _options())
    with jax.enable_x64(True):
        results = executable.execute([jax.device_put(a, device) for a in arguments])
        return [np.asarray(r) for r in results]
