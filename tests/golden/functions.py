"""Lets the installed JAX answer calls of public functions: functions.py AREA... reads functions_AREA.py, writes functions_AREA.txt.

Calls that the file has already keep their answers; `--fresh` asks for all anew. An interrupted run keeps what it has.

functions_AREA.py has a function `cases(c)`, called twice, with 64-bit types off (c.x64 is False) and on:

    def cases(c):
        c.tolerance("numpy.exp numpy.log", 2)             # ulps; a second number: absolute, in ulps of 1. Without: 2
        for d in c.dtypes:                                # the types of this mode: narrow ones, or 64-bit ones
            c.call("numpy.sum", ramp(d, (2, 3)), 0, keepdims=True)
            c.vjp("numpy.exp", corner(d))                 # the cotangent is 0.25, 0.5, ... 1.75, 0.25, ...
        c.unary("numpy.exp")                              # usual argument sets: corners of every dtype, shapes, wrong arguments
        c.binary("numpy.add")
        c.reduction("numpy.sum", initial=2)               # corners=False: no extremes, which cancel
        c.without("numpy.save", "writes a file")          # why a function has no cases
        c.expect(TypeError, "numpy.f", 1)                 # what is right where JAX is wrong: say why in a comment
        c.eager("numpy.unique", "its shape depends on values")   # no jit and vmap of these; they are found by their errors
                                                          # too: this is for what gives another answer under jit
        c.call("numpy.vectorize", c.function("numpy.dot"), signature="(n),(n)->()", then=(x, y))   # what it gives is called
    Arguments: numbers, strings, None, lists, tuples, slices, dtypes, arrays, c.function("numpy.sin") for a callable.

tests/functions/golden_test.cc makes each call through the table of functions and compares value, dtype, weak type, shape or the
class of the exception; then again under jit (equal bits) and under vmap (equal to a loop).

The text: `$3 = VALUE` defines an argument; `x64` turns 64-bit types on; `~ NAME ULPS ABSOLUTE`, `eager NAME`, `without NAME WHY`;
else NAME, ARGUMENTS, KEYWORDS, perhaps THEN, RESULT, apart by tabs, as src/api/table_value.h describes values. `vjp 0,1 2 NAME`: with respect to
arguments 0 and 1, of order 2. A result `!TypeError` is an exception, `!` one of a class that C++ does not have.
"""
import collections
import importlib
import os
import pathlib
import re
import signal
import sys
import warnings

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("XLA_FLAGS", "--xla_backend_optimization_level=0")  # thousands of tiny programs: compiling is all the time
import jax
import jax.numpy as jnp
import numpy as np

warnings.simplefilter("ignore")
HERE = pathlib.Path(__file__).parent
NARROW = ["bool", "int8", "int16", "int32", "uint8", "uint16", "uint32", "bfloat16", "float16", "float32", "complex64"]
WIDE = ["int64", "uint64", "float64", "complex128", "int32", "float32"]
SHORT = {"bool": "bool", "bfloat16": "bf16"}
CLASSES = ["ConcretizationTypeError", "TracerArrayConversionError", "NonConcreteBooleanIndexError", "TypeError", "IndexError",
           "OverflowError", "NotImplementedError", "MemoryError", "FloatingPointError", "NameError", "ValueError"]


# --- arguments --------------------------------------------------------------------------------------------------------


def corner(dtype):
    """A vector with the extremes of the type; numbers that wrap, vanish and overflow."""
    dtype = jnp.dtype(dtype)
    if dtype == bool:
        return jnp.array([False, True, True])
    if dtype.kind in "iu":
        info = jnp.iinfo(dtype)
        return jnp.array([v for v in [0, 1, 2, 3, 7, -1, -5, 100, info.min, info.max] if info.min <= v <= info.max], dtype)
    if dtype.kind == "c":
        return jnp.array([0, 1, -1, 1 + 2j, -0.5 - 1j, 3 - 0.25j], dtype)
    return jnp.array([0.0, -0.0, 1, -1, 0.5, -0.75, 2.5, -3.5, 10, 0.001, 60, np.inf, -np.inf, np.nan], dtype)


def ramp(dtype, shape, step=1):
    """Small mixed numbers, with ties: -4 to 6 in another order, half of it for floats."""
    n = int(np.prod(shape))
    dtype = jnp.dtype(dtype)
    v = (np.arange(n) * step * 5 + 3) % 11 - 4
    if dtype == bool:
        return jnp.array((v % 3 == 0).reshape(shape))
    if dtype.kind == "u":
        v = np.abs(v)
    if dtype.kind in "fV":
        v = v * 0.5
    if dtype.kind == "c":
        v = v + 1j * ((v * 3) % 5 - 2)
    return jnp.array(v.reshape(shape), dtype)


def weak(array):
    """The same array with a weak type."""
    return jax.lax.convert_element_type_p.bind(array, new_dtype=array.dtype, weak_type=True, sharding=None)


class Named:
    """A function of the table as an argument."""

    def __init__(self, name):
        self.name = name


class Kind(str):
    """An abstract type, such as Kind("integer"): its name here, a class to JAX."""


class Bytes(str):
    """The bytes of a text, which is what stands here: bytes to JAX."""


def plain(v):
    """What JAX is given for an argument."""
    if isinstance(v, Named):
        return find(v.name)
    if isinstance(v, Kind):
        return getattr(jnp, v)
    if isinstance(v, Bytes):
        return v.encode()
    if hasattr(v, "_fields"):
        return v
    if isinstance(v, (list, tuple)):
        return type(v)(map(plain, v))
    if isinstance(v, dict):
        return {k: plain(i) for k, i in v.items()}
    return v


def find(name):
    module, _, rest = name.partition(".")
    f = importlib.import_module("jax." + module)
    if module == "scipy":
        sub, _, rest = rest.partition(".")
        f = importlib.import_module("jax.scipy." + sub)
    for part in rest.split("."):
        f = getattr(f, part)
    return f


# --- text -------------------------------------------------------------------------------------------------------------


def number_text(v, dtype):
    if dtype == bool:
        return str(bool(v))
    if dtype.kind in "iu":
        return str(int(v))
    if dtype.kind == "c":
        real = np.dtype("float32" if dtype == np.complex64 else "float64")
        imag = number_text(v.imag, real)
        return f"({number_text(v.real, real)}{'' if imag[0] == '-' else '+'}{imag}j)"
    if np.isnan(v):
        return "nan"
    if np.isinf(v):
        return "-inf" if v < 0 else "inf"
    v = v if dtype in (np.float16, np.float64) else np.float32(v)
    return str(v).removesuffix(".0")


def array_text(x):
    shape = ",".join(map(str, x.shape))
    if jnp.issubdtype(x.dtype, jax.dtypes.prng_key):
        words = np.asarray(jax.random.key_data(x)).reshape(int(np.prod(x.shape)), -1)
        return f"{x.dtype}[{shape}]{{{' '.join('0x' + ''.join(f'{w:08x}' for w in key) for key in words)}}}"
    dtype = jnp.dtype(x.dtype)
    name = SHORT.get(dtype.name) or dtype.name.replace("uint", "u").replace("int", "i").replace("float", "f").replace("complex", "c")
    if dtype.name == "float0":
        name = "float0"
        values = []
    else:
        values = [number_text(v, dtype) for v in np.asarray(x).reshape(-1)]
    if len(values) > 1 and len(set(values)) == 1:
        values = values[:1]
    return f"{name}{'*' if getattr(x, 'weak_type', False) else ''}[{shape}]{{{' '.join(values)}}}"


INFO = {"iinfo": ["bits", "dtype", "max", "min"],
        "finfo": ["bits", "dtype", "eps", "epsneg", "iexp", "machep", "max", "maxexp", "min", "minexp", "negep", "nexp", "nmant",
                  "precision", "resolution", "smallest_normal", "smallest_subnormal", "tiny"]}
ARRAY = re.compile(r"\w+(?:<\w+>)?\*?\[[\d,]*\]\{[^}]*\}")


def text(v):
    if v is None or isinstance(v, (bool, int)):
        return str(v)
    if isinstance(v, Named):
        return "@" + v.name
    if isinstance(v, np.dtype):
        return v.name
    if isinstance(v, type):  # Python's float stays so: JAX takes it for the default type
        return v.__name__ if v in (bool, int, float, complex) else jnp.dtype(v).name
    if isinstance(v, (jax.Array, np.ndarray, np.generic)):
        return array_text(v)
    if isinstance(v, float):
        return repr(v)
    if isinstance(v, complex):
        return number_text(np.complex128(v), np.dtype("complex128"))
    if isinstance(v, str):
        assert "'" not in v and "\t" not in v, v
        return "'" + v.replace("\n", "\\n") + "'"
    if v is Ellipsis:
        return "..."
    if isinstance(v, slice):
        return f"slice({v.start}, {v.stop}, {v.step})"
    if isinstance(v, list):
        return "[" + ", ".join(map(text, v)) + "]"
    if isinstance(v, tuple):
        return "(" + ", ".join(map(text, v)) + (",)" if len(v) == 1 else ")")
    if isinstance(v, dict):
        return "{" + ", ".join(f"'{k}': {text(i)}" for k, i in v.items()) + "}"
    if type(v).__name__ in ("finfo", "iinfo"):
        return text(tuple(getattr(v, k) if k == "dtype" else int(getattr(v, k)) if isinstance(getattr(v, k), int) else
                          float(getattr(v, k)) for k in INFO[type(v).__name__]))
    if isinstance(v, (set, frozenset)):
        return text(tuple(v))
    if hasattr(v, "name") and hasattr(v, "value"):  # an enum
        return f"'{v.name}'"
    raise TypeError(f"no text for {v!r}")


def class_name(e):
    names = [c.__name__ for c in type(e).__mro__]
    return next((n for n in names if n in CLASSES), "")


# --- cases ------------------------------------------------------------------------------------------------------------


def weights(x):
    w = (np.arange(int(np.prod(x.shape))) % 7 + 1) * 0.25
    return jnp.asarray(w.reshape(x.shape), x.dtype)


def inexact_leaves(tree):
    return [leaf for leaf in jax.tree.leaves(tree) if hasattr(leaf, "dtype") and jnp.issubdtype(leaf.dtype, jnp.inexact)]


class Cases:
    def __init__(self, area, fresh):
        self.path, self.heads, self.x64 = HERE / f"functions_{area}.txt", {}, False
        self.lines = {False: {}, True: {}}  # for each mode: the call's text, and the answer's
        self.known = {} if fresh else self.read()
        self.asked = 0

    def read(self):
        known, names, x64 = {}, {}, False
        for line in self.path.read_text().split("\n") if self.path.exists() else []:
            if line == "x64":
                x64 = True
            elif line.startswith("$"):
                name, _, value = line.partition(" = ")
                names[name] = value
            elif line.count("\t") >= 3:
                call, _, answer = re.sub(r"\$\d+", lambda m: names[m[0]], line).rpartition("\t")
                known[x64, call] = answer
        return known

    @property
    def dtypes(self):
        return WIDE if self.x64 else NARROW

    @property
    def floats(self):
        return [d for d in self.dtypes if "float" in d]

    @property
    def inexact(self):
        return [d for d in self.dtypes if "float" in d or "complex" in d]

    def tolerance(self, names, ulps, absolute=0):
        for name in names.split():
            self.heads["~ " + name] = f"{ulps} {absolute}"

    def eager(self, names, why):
        for name in names.split():
            self.heads["eager " + name] = ""

    def without(self, names, why):
        for name in names.split():
            self.heads["without " + name] = why

    def function(self, name):
        return Named(name)

    def draw(self, dtype, shape, scale=3, seed=0):
        """Normal numbers times scale; the same arguments give the same numbers."""
        random = np.random.default_rng(seed)
        v = random.normal(size=shape) * scale
        dtype = jnp.dtype(dtype)
        if dtype == bool:
            return jnp.array(v > 0)
        if dtype.kind == "u":
            v = np.abs(v)
        if dtype.kind == "c":
            v = v + 1j * random.normal(size=shape) * scale
        return jnp.array(v).astype(dtype)

    def record(self, head, args, kwargs, answer, then=None):
        call = "\t".join([head, text(list(args)), text(kwargs) if kwargs else ""] + ([text(list(then))] if then is not None else []))
        result = self.known.get((self.x64, call))
        if result is None:
            try:
                value = answer()
                jax.block_until_ready(value)
            except Exception as e:  # noqa: BLE001
                value = e
            result = "!" + class_name(value) if isinstance(value, Exception) else text(value)
            self.asked += 1
            if self.asked % 400 == 0:  # compiled programs take megabytes each
                jax.clear_caches()
        self.lines[self.x64][call] = result

    def call(self, name, *args, then=None, **kwargs):
        def answer():
            result = find(name)(*plain(args), **plain(kwargs))
            return result if then is None else result(*plain(then))

        self.record(name, args, kwargs, answer, then)

    def expect(self, result, name, *args, then=None, **kwargs):
        call = "\t".join([name, text(list(args)), text(kwargs) if kwargs else ""] + ([text(list(then))] if then is not None else []))
        self.lines[self.x64][call] = "!" + result.__name__ if isinstance(result, type) else text(result)

    def vjp(self, name, *args, argnums=0, order=1, **kwargs):
        """The cotangents of the arguments; order 2: of this function again."""
        argnums = (argnums,) if isinstance(argnums, int) else argnums

        def derivative(f):
            def g(*x):
                out, pullback = jax.vjp(f, *x)
                return list(pullback([weights(leaf) for leaf in out]))
            return g

        def answer():
            def f(*x):
                a = list(args)
                for n, v in zip(argnums, x):
                    a[n] = v
                return inexact_leaves(find(name)(*plain(a), **plain(kwargs)))
            for _ in range(order):
                f = derivative(f)
            return f(*(jnp.asarray(args[n]) for n in argnums))

        self.record(f"vjp {','.join(map(str, argnums))} {order} {name}", args, kwargs, answer)

    # Usual argument sets.

    def unary(self, names, dtypes=None, shapes=True, derivative=True):
        for name in names.split():
            for d in dtypes or self.dtypes:
                self.call(name, corner(d))
                if derivative and d in self.inexact:
                    self.vjp(name, self.draw(d, (5,)))
            if shapes:
                d = "float64" if self.x64 else "float32"
                for x in (ramp(d, ()), ramp(d, (2, 3)), ramp(d, (0, 3)), ramp(d, (2, 1, 2)), 2, 0.5, True, weak(ramp(d, (3,)))):
                    self.call(name, x)
                if not self.x64:
                    for x in (None, [1.0, 2.0], "a", 1 + 2j):
                        self.call(name, x)
                    self.call(name)
                    self.call(name, 1.0, nothing=2)

    def binary(self, names, dtypes=None, derivative=True):
        pairs = [("int64", "float32"), ("uint64", "int64"), ("float64", "complex64"), ("int32", "uint32")]
        if not self.x64:
            pairs = [("int8", "uint8"), ("int32", "float32"), ("int32", "bfloat16"), ("bfloat16", "float16"), ("bool", "int32"),
                     ("bool", "float32"), ("uint32", "int32"), ("float32", "complex64"), ("int8", "int32")]
        allowed = dtypes or self.dtypes
        for name in names.split():
            for a, b in [(d, d) for d in allowed] + [p for p in pairs if not dtypes or set(p) <= set(allowed)]:
                x, y = corner(a), corner(b)
                n = min(len(x), len(y))
                self.call(name, x[:n], y[:n][::-1])
                if derivative and a in self.inexact and b in self.inexact:
                    self.vjp(name, self.draw(a, (4,)), self.draw(b, (4,), seed=1), argnums=(0, 1))
            for d in allowed:
                self.call(name, corner(d), 2)
                self.call(name, 2.5, corner(d))
            d = allowed[-1] if dtypes else "float64" if self.x64 else "float32"
            for a, b in (((2, 3), (3,)), ((2, 1), (1, 3)), ((0, 3), (1, 1)), ((), (2,)), ((2, 3), (2,))):
                self.call(name, ramp(d, a), ramp(d, b, 2))
            if not self.x64:
                for args in ((1.0,), (1.0, 2.0, 3.0), (None, 1.0), ([1.0], ramp(d, (1,))), ("a", 1), (1, 2), (True, 2.5)):
                    self.call(name, *args)

    def reduction(self, names, dtypes=None, derivative=True, corners=True, **kwargs):
        for name in names.split():
            for d in dtypes or self.dtypes:
                for x in (ramp(d, (2, 3)), ramp(d, ()), ramp(d, (2, 3, 2))) + ((corner(d),) if corners else ()):
                    self.call(name, x, **kwargs)
                self.call(name, ramp(d, (2, 3)), 0, keepdims=True, **kwargs)
                self.call(name, ramp(d, (2, 3)), -1, **kwargs)
                if derivative and d in self.inexact:
                    self.vjp(name, self.draw(d, (2, 3)), 1, **kwargs)
            d = "float64" if self.x64 else "float32"
            for axis in (1, (0, 1), (-1, 0), (), 2, -3, (0, 0), 0.5, None):
                self.call(name, ramp(d, (2, 3)), axis, **kwargs)
            for shape in ((0,), (0, 3), (3, 0)):
                for axis in (None, 0, -1):
                    self.call(name, ramp(d, shape), axis, **kwargs)
            if not self.x64:
                self.call(name, None, **kwargs)
                self.call(name, [1.0, 2.0], **kwargs)
                for v in (2, 2.5, True):
                    self.call(name, v, **kwargs)

    # The file.

    def write(self):
        lines = {x64: [f"{call}\t{answer}" for call, answer in calls.items()] for x64, calls in self.lines.items()}
        count = collections.Counter(a for mode in lines.values() for line in mode for a in ARRAY.findall(line))
        shared = [a for a, n in count.most_common() if n > 1 and len(a) > 10]
        ids = {a: f"${i}" for i, a in enumerate(shared)}
        out = [f"{head} {rest}".rstrip() for head, rest in self.heads.items()] + [f"{i} = {a}" for a, i in ids.items()]
        for x64, mode in lines.items():
            out += ["x64"] if x64 else []
            out += [ARRAY.sub(lambda m: ids.get(m[0], m[0]), line) for line in mode]
        self.path.write_text("\n".join(out) + "\n")
        print(f"{self.path.name}: {len(out)} lines, {self.path.stat().st_size // 1024} KB")


def main():
    sys.modules["functions"] = sys.modules["__main__"]
    sys.path.insert(0, str(HERE))
    areas = [a for a in sys.argv[1:] if a != "--fresh"]
    for area in areas or [p.stem.removeprefix("functions_") for p in sorted(HERE.glob("functions_*.py"))]:
        c = Cases(area, "--fresh" in sys.argv)
        module = importlib.import_module("functions_" + area)
        try:
            for c.x64 in (False, True):
                jax.config.update("jax_enable_x64", c.x64)
                module.cases(c)
        except BaseException:
            print("interrupted: run it again for the rest")
            for (x64, call), answer in c.known.items():
                c.lines[x64].setdefault(call, answer)
            c.write()
            raise
        c.write()


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    main()
