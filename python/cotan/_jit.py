"""jit: options and methods; the call itself is the extension module's."""
import functools
import inspect
import weakref

from . import _cotan
from ._api import _check_callable, _struct
from ._explain import CompiledMemoryStats, explain as _explain
from ._table import seal as _seal


class _NotGiven:
    def __repr__(self):
        return "<not-specified>"


class _Unspecified:
    def __repr__(self):
        return "UnspecifiedValue"


_not_given, _unspecified = _NotGiven(), _Unspecified()
_caches = weakref.WeakKeyDictionary()  # of each function, the tables by options


def _cache_of(fun, options):
    """Wrappers of one function with equal options share what was traced, as long as the function lives."""
    if inspect.ismethod(fun) or getattr(type(fun), "_held_by_programs", False):  # made anew by every access; never to be freed
        return _cotan.JitCache()
    try:
        tables = _caches.setdefault(fun, {})
    except TypeError:  # no weak reference, or no hash
        return _cotan.JitCache()
    if options not in tables:
        tables[options] = _cotan.JitCache()
    return tables[options]


def _integers(value, name):
    if value is None:
        return ()
    if isinstance(value, int):
        return (value,)
    value = tuple(value)
    if not all(isinstance(i, int) for i in value):
        raise TypeError(f"{name} must be an int or a collection of ints, got {value}")
    return value


def _strings(value, name):
    if value is None:
        return ()
    if isinstance(value, str):
        return (value,)
    value = tuple(value)
    if not all(isinstance(s, str) for s in value):
        raise TypeError(f"{name} must be a str or a collection of strs, got {value}")
    return value


def _resolve(fun, argnums, argnames, what):
    """Places and names say the same: each is completed from the signature, where there is one. `what`: "static" or "donate"."""
    if not argnums and not argnames:
        return (), ()
    try:
        parameters = list(inspect.signature(fun).parameters.values())
    except (TypeError, ValueError):
        return argnums, argnames
    positional = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    open_args = any(p.kind == p.VAR_POSITIONAL for p in parameters)
    open_names = any(p.kind == p.VAR_KEYWORD for p in parameters)
    named = [p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    for i in argnums:
        if not open_args and not -len(positional) <= i < len(positional):
            raise ValueError(f"jitted function has {what}_argnums={argnums} but only accepts {len(positional)} positional arguments.")
    for name in argnames:
        if not open_names and name not in named:
            raise ValueError(f"jitted function has invalid argnames {{{name!r}}} in {what}_argnames. Function does not take these args.")
    n = len(positional)
    from_numbers = [positional[i % n] for i in argnums if n and -n <= i < n and not (open_args and i < 0)]
    from_names = [positional.index(name) for name in argnames if name in positional]
    if not argnames:
        argnames = tuple(name for name in from_numbers if name in named)
    if not argnums:
        argnums = tuple(from_names)
    return argnums, argnames


def jit(fun=_not_given, /, *, in_shardings=_unspecified, out_shardings=_unspecified, static_argnums=None, static_argnames=None,
        donate_argnums=None, donate_argnames=None, keep_unused=False, device=None, backend=None, inline=False, compiler_options=None):
    """fun, traced once for each combination of structure, shapes, dtypes and static arguments, and run as one program.
    Static arguments (by place or name) are hashable and part of the key. Without fun, a decorator with these options."""
    options = dict(static_argnums=static_argnums, static_argnames=static_argnames, donate_argnums=donate_argnums,
                   donate_argnames=donate_argnames, keep_unused=keep_unused, device=device, backend=backend, inline=inline,
                   compiler_options=compiler_options, in_shardings=in_shardings, out_shardings=out_shardings)
    if fun is _not_given:
        return lambda f: jit(f, **options)
    _check_callable(fun, "jit")
    if inspect.isgeneratorfunction(fun) or inspect.iscoroutinefunction(fun):
        raise TypeError(f"jit does not support generator functions and coroutines: {fun}")
    numbers, names = _resolve(fun, _integers(static_argnums, "static_argnums"), _strings(static_argnames, "static_argnames"), "static")
    donated = _resolve(fun, _integers(donate_argnums, "donate_argnums"), _strings(donate_argnames, "donate_argnames"), "donate")
    if set(numbers) & set(donated[0]) or set(names) & set(donated[1]):
        raise ValueError(f"static and donated arguments cannot intersect: static_argnums={numbers}, static_argnames={names}, "
                         f"donate_argnums={donated[0]}, donate_argnames={donated[1]}")
    cache = _cache_of(fun, (numbers, names, *donated))
    made = _cotan.make_jit(fun, cache, numbers, names, *donated, _name_of(fun))
    try:
        functools.update_wrapper(made, fun)
    except (AttributeError, TypeError):
        pass
    return made


def _name_of(fun):
    while isinstance(fun, functools.partial):
        fun = fun.func
    return getattr(fun, "__name__", type(fun).__name__)


class Compiled:
    """A program for arguments of one type: lowered.compile()."""

    def __init__(self, lowered):
        self._lowered = lowered
        self.in_avals, self.in_tree, self.out_tree = lowered.in_avals, lowered.in_tree, lowered.out_tree

    def __call__(self, *args, **kwargs):
        low = self._lowered
        got, _, tree, _ = _cotan.jit_trace(low._jitted, args, kwargs)
        if tree != low.in_tree or got.in_avals != low.jaxpr.in_avals:
            raise TypeError(f"Argument types differ from the types for which this computation was compiled: compiled for {low.jaxpr.in_avals}, "
                            f"called with {got.in_avals}")
        return low._jitted(*args, **kwargs)

    def cost_analysis(self):
        """{"flops", "transcendentals", "bytes accessed", "bytes accessed0{}", ..., "bytes accessedout{}"}: operations, and bytes that equations
        read as their first, second, ... operands and write as results, each equation of the program by itself."""
        return _cotan.cost_analysis(self._lowered.jaxpr)

    def memory_analysis(self):
        """Bytes of arguments, results and temporaries, and of results in the memory of donated arguments."""
        return CompiledMemoryStats(*_cotan.memory_analysis(self._lowered.jaxpr, self._lowered.donate_argnums))


class Lowered:
    """A traced program, not yet compiled: jitted.lower(...)."""

    def __init__(self, traced):
        self._jitted, self.jaxpr, self._name = traced._jitted, traced.jaxpr, traced.fun_name
        self.in_tree, self.out_tree, self.in_avals = traced.in_tree, traced.out_tree, traced.jaxpr.in_avals
        self.donate_argnums = traced.donate_argnums  # of leaves

    @property
    def out_info(self):
        return self.out_tree.unflatten([_struct(a) for a in self.jaxpr.out_avals])

    def compile(self, compiler_options=None):
        return Compiled(self)

    def cost_analysis(self):
        """As of what compile() gives."""
        return _cotan.cost_analysis(self.jaxpr)

    def as_text(self, dialect=None, *, debug_info=False):
        """The program as StableHLO, in MLIR's generic form."""
        if dialect not in (None, "stablehlo"):
            raise NotImplementedError(f"Lowered.as_text: dialect {dialect!r} is not there, only 'stablehlo' is")
        return _cotan.stablehlo_text(self.jaxpr, self._name)


class Traced:
    """A function traced at some arguments: jitted.trace(...)."""

    def __init__(self, jitted, args, kwargs):
        self._jitted = jitted
        self.jaxpr, self.out_tree, self.in_tree, donated = _cotan.jit_trace(jitted, args, kwargs)
        self.donate_argnums = tuple(donated)  # of leaves
        self.fun_name = getattr(jitted, "__name__", "")

    @property
    def out_info(self):
        return self.out_tree.unflatten([_struct(a) for a in self.jaxpr.out_avals])

    def lower(self, **_):
        return Lowered(self)


def _method(f):
    setattr(_cotan.PjitFunction, f.__name__, _cotan.boundary(f))
    return f


@_method
def trace(self, *args, **kwargs):
    """The function traced at arguments of these types."""
    return Traced(self, args, kwargs)


@_method
def lower(self, *args, **kwargs):
    """The program for arguments of these types."""
    return Lowered(Traced(self, args, kwargs))


@_method
def eval_shape(self, *args, **kwargs):
    """Shapes and dtypes of the results. Nothing is computed."""
    return Traced(self, args, kwargs).out_info


@_method
def explain(self):
    """Text: what was traced, from which line, why again (which argument differed, from what to what), and what it costs."""
    return _explain(self)


@_method
def clear_cache(self):
    """Forgets what was traced."""
    _cotan.jit_clear_cache(self)


@_method
def _cache_size(self):
    return _cotan.jit_cache_size(self)


@_method
def __repr__(self):
    return f"<PjitFunction of {self.__wrapped__!r}>"


def clear_caches():
    """Forgets every traced program of this process."""
    _cotan.clear_caches()


_seal(globals())
