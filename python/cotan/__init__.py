"""Composable function transformations over arrays, by the names of JAX: grad, jit, vmap, and arrays in cotan.numpy."""
from . import _cotan
from . import _array_methods, _modules  # noqa: F401  (methods of Array; modules made from the table)
from . import core, dtypes, errors, tree, tree_util  # noqa: F401
from ._api import (ShapeDtypeStruct, eval_shape, grad, hessian, jacfwd, jacobian, jacrev, jvp, linear_transpose, linearize, make_jaxpr,
                   value_and_grad, vjp, vmap)
from ._callbacks import effects_barrier, pure_callback
from ._checkpoint import checkpoint, checkpoint_policies, remat
from ._config import (check_tracer_leaks, checking_leaks, config, debug_infs, debug_nans, default_device, default_matmul_precision, default_prng_impl, disable_jit,
                      enable_checks, enable_x64, explain_cache_misses, log_compiles, num_threads, numpy_dtype_promotion, numpy_rank_promotion,
                      set_num_threads, threefry_partitionable, transfer_guard)
from ._cotan import Array
from ._custom import closure_convert, custom_gradient, custom_jvp, custom_vjp
from ._devices import (Device, block_until_ready, copy_to_host_async, default_backend, device_count, device_get, device_put, devices,
                       effects_barrier, host_count, host_id, host_ids, local_device_count, local_devices, print_environment_info, process_count,
                       process_index, process_indices)
from ._jit import clear_caches, jit
from ._modules import install_as_jax
from ._scopes import ensure_compile_time_eval, named_call, named_scope
from ._version import __version__, __version_info__
from .core import typeof

def __getattr__(name):
    if name == "float0":
        return dtypes.float0
    raise AttributeError(name)


from ._table import fill as _fill  # noqa: E402

_fill(globals(), "")
