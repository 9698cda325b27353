"""jax.config, and the context managers that set one of its values on this thread."""
import contextlib
import operator
import os

from . import _cotan

_FLAGS = frozenset(_cotan.config_names())
# Settings that are kept and returned: what they ask for is always so, or concerns parts that are not there yet.
_KEPT = {
    "jax_platforms": None, "jax_num_cpu_devices": -1, "jax_default_matmul_precision": None,
    "jax_log_compiles": False, "jax_default_prng_impl": "threefry2x32", "jax_numpy_rank_promotion": "allow",
    "jax_numpy_dtype_promotion": "standard", "jax_traceback_filtering": "auto", "jax_check_tracer_leaks": False,
    "jax_default_device": None, "jax_compilation_cache_dir": None, "jax_persistent_cache_min_compile_time_secs": 1.0,
    "jax_enable_custom_prng": False, "jax_debug_key_reuse": False, "jax_explain_cache_misses": False, "jax_transfer_guard": None,
    "jax_pprint_use_color": False, "jax_enable_checks": False, "jax_enable_compilation_cache": True,
}


# What "off" is not hides the package's frames; the ways to do so are one.
_FILTERING = ["auto", "off", "tracebackhide", "remove_frames", "quiet_remove_frames"]


def _parsed(text, default):
    if isinstance(default, bool):
        return text.strip().lower() in ("1", "true", "yes", "on", "y", "t")
    if isinstance(default, (int, float)):
        return type(default)(text)
    return text


class Config:
    """Settings by JAX's names: config.update("jax_enable_x64", True), config.jax_enable_x64."""

    def __init__(self):
        kept = self.__dict__["_kept"] = {name: _parsed(os.environ[name.upper()], default) if name.upper() in os.environ else default
                                  for name, default in _KEPT.items()}
        _cotan.set_traceback_filtering(kept["jax_traceback_filtering"] != "off")

    def update(self, name, value):
        flag = name.removeprefix("jax_")
        if flag in _FLAGS:
            if not isinstance(value, bool):
                raise ValueError(f"config.update: {name} is True or False, got {value!r}")
            _cotan.config_set(flag, value)
        elif name == "num_threads":
            set_num_threads(value)
        elif name in self._kept:
            if name == "jax_traceback_filtering":
                if value not in _FILTERING:
                    raise ValueError(f"new enum value must be in {_FILTERING}, got {value!r}")
                _cotan.set_traceback_filtering(value != "off")
            self._kept[name] = value
        else:
            from ._names import SETTINGS
            if name not in SETTINGS:
                raise AttributeError(f"Unrecognized config option: {name}")
            self._kept[name] = value

    def read(self, name):
        return getattr(self, name)

    def __getattr__(self, name):
        if name == "x64_enabled":
            return _cotan.config_get("enable_x64")
        if name == "num_threads":
            return _cotan.num_threads()
        flag = name.removeprefix("jax_")
        if name.startswith("jax_") and flag in _FLAGS:
            return _cotan.config_get(flag)
        if name in self._kept:
            return self._kept[name]
        from ._names import SETTINGS
        if name in SETTINGS:
            return None
        raise AttributeError(f"Unrecognized config option: {name}")

    def __setattr__(self, name, value):
        self.update(name, value)


config = Config()


class _NoDefault:
    """The value of a setting that was not given."""

    def __repr__(self):
        return "NoDefault"


_no_default = _NoDefault()


def _value(name, new_val, is_bool):
    if new_val is not _no_default:
        return new_val
    if not is_bool:
        raise TypeError(f"Context manager for {name} config option requires an argument representing the new value for the config option.")
    return True


class _Scope:
    """Sets a value on this thread inside `with`, or for the calls of a decorated function."""

    def __init__(self, push, *args):
        self._push, self._args, self._held = push, args, []

    def __enter__(self):
        self._held.append(self._push(*self._args))

    def __exit__(self, *_):
        self._held.pop()

    def __call__(self, fun):
        import functools

        @functools.wraps(fun)
        def inside(*args, **kwargs):
            with _Scope(self._push, *self._args):
                return fun(*args, **kwargs)
        return inside


def _flag_scope(flag, value):
    return _Scope(_cotan.config_push, flag, bool(value))


def set_num_threads(n):
    """How many threads a computation may use, the calling one included: from 1 to 1024; also COTAN_NUM_THREADS. At first as many as the process
    may run on. Results do not depend on it. `config.num_threads` is the number that holds."""
    _cotan.set_num_threads(operator.index(n))


def num_threads(n):
    """Computations of this thread use at most n threads inside `with num_threads(n):`, or in a function decorated so."""
    n = operator.index(n)
    if not 1 <= n <= 1024:
        raise ValueError(f"num_threads: the number of threads is from 1 to 1024, got {n}")
    return _Scope(_cotan.num_threads_push, n)


def enable_x64(new_val=_no_default):
    """64-bit types inside `with enable_x64(True):`."""
    return _flag_scope("enable_x64", _value("jax_enable_x64", new_val, True))


def debug_nans(new_val=_no_default):
    """Inside `with debug_nans(True):` an operation that makes a NaN raises FloatingPointError that names it."""
    return _flag_scope("debug_nans", _value("jax_debug_nans", new_val, True))


def debug_infs(new_val=_no_default):
    """Inside `with debug_infs(True):` an operation that makes an infinity raises FloatingPointError that names it."""
    return _flag_scope("debug_infs", _value("jax_debug_infs", new_val, True))


def disable_jit(disable=True):
    """Functions run operation by operation inside `with disable_jit():`."""
    return _flag_scope("disable_jit", disable)


def threefry_partitionable(new_val=_no_default):
    return _flag_scope("threefry_partitionable", _value("jax_threefry_partitionable", new_val, True))


@contextlib.contextmanager
def _kept_scope(name, value):
    before = config._kept[name]
    config._kept[name] = value
    try:
        yield
    finally:
        config._kept[name] = before


def _scope_of(name):
    """The context manager of a setting that is kept."""
    _KEPT.setdefault(name, False)
    config._kept.setdefault(name, _KEPT[name])
    is_bool = isinstance(_KEPT[name], bool)

    def scope(new_val=_no_default):
        return _kept_scope(name, _value(name, new_val, is_bool))
    scope.__name__ = scope.__qualname__ = name.removeprefix("jax_")
    scope.__doc__ = f"{name} inside `with`."
    return scope


log_compiles, explain_cache_misses, check_tracer_leaks = map(_scope_of, ("jax_log_compiles", "jax_explain_cache_misses", "jax_check_tracer_leaks"))
numpy_rank_promotion, numpy_dtype_promotion = map(_scope_of, ("jax_numpy_rank_promotion", "jax_numpy_dtype_promotion"))
default_device, default_matmul_precision = map(_scope_of, ("jax_default_device", "jax_default_matmul_precision"))
default_prng_impl, enable_checks = map(_scope_of, ("jax_default_prng_impl", "jax_enable_checks"))


def transfer_guard(new_val):
    """Accepted: there is one memory, and nothing is transferred."""
    return _kept_scope("jax_transfer_guard", new_val)


def checking_leaks():
    """Inside `with checking_leaks():` the setting is on; leaks are found when the tracer is used in any case."""
    return _kept_scope("jax_check_tracer_leaks", True)
