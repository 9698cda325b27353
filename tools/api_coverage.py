#!/usr/bin/env python3
"""Counts the table of public functions against the names of the installed JAX. Run it with a Python that has JAX 0.10.2.

    tools/api_coverage.py [MODULE...]           per module: how many names there are, what is missing, signatures that differ
    tools/api_coverage.py --signatures NAME...  JAX's signatures without annotations, as the table wants them; numpy.* for all
"""
import fnmatch
import importlib
import inspect
import os
import sys
import types
import warnings

os.environ.setdefault("JAX_PLATFORMS", "cpu")
from function_table import functions

MODULES = ["numpy", "lax", "random", "nn", "nn.initializers", "ops", "scipy.special", "scipy.signal", "scipy.ndimage", "scipy.integrate",
           "scipy.cluster.vq", "scipy.stats"]
# What other parts of the project bring, by pattern.
ELSEWHERE = {
    "numpy": ["*dlpack", "polyfit", "roots", "einsum_path", "linalg", "fft"],
    "lax": ["all_gather*", "all_to_all", "approx_*", "associative_scan", "axis_size", "cond", "conv*", "custom_*", "fft*", "fori_loop",
            "linalg*", "map", "optimization_barrier", "pbroadcast", "pcast", "ppermute", "pshuffle", "psum_scatter", "pswapaxes", "pvary",
            "ragged_*", "reduce_window*", "scan", "switch", "while_loop", "with_sharding_constraint", "infeed", "outfeed", "tridiagonal*",
            "select_and_*", "platform_dependent", "composite", "xeinsum", "psend*", "precv*", "create_token", "after_all",
            "unreduced*", "reduced*", "pmean", "preduced*", "dce_sink", "padtype_to_pads", "scaled_dot"],
    "nn.initializers": ["*orthogonal"],
}


def plain_signature(f):
    s = inspect.signature(f)
    empty = inspect.Parameter.empty
    return str(s.replace(parameters=[p.replace(annotation=empty) for p in s.parameters.values()], return_annotation=inspect.Signature.empty))


def names_of(module):
    """Public callables that are no types, by name; those of scipy.stats with the distribution before them."""
    m = importlib.import_module("jax." + module)
    found = {}
    for name in dir(m):
        value = getattr(m, name)
        if name.startswith("_") or isinstance(value, type) or type(value).__module__ in ("typing", "types"):
            continue
        if isinstance(value, types.ModuleType):
            if module == "scipy.stats" and value.__name__.startswith("jax.scipy.stats"):
                found.update({f"{name}.{k}": v for k, v in names_of(f"{module}.{name}").items()})
        elif callable(value):
            found[name] = value
    return found


def signature_text(name, value):
    try:
        return name.rpartition(".")[2] + plain_signature(value)
    except (TypeError, ValueError):
        return name + "(?)"


def report(module, table):
    known = names_of(module)
    ours = {name: signature for (where, name), signature in table.items() if where == module}
    ours |= {f"{where.removeprefix(module + '.')}.{name}": s for (where, name), s in table.items() if where.startswith(module + ".")
             and module == "scipy.stats"}
    waiting = {n for n in known for pattern in ELSEWHERE.get(module, []) if fnmatch.fnmatchcase(n, pattern)}
    missing = sorted(set(known) - set(ours) - waiting)
    print(f"{module}: {len(set(known) & set(ours))} of {len(known)} names, {len(waiting - set(ours))} elsewhere, {len(missing)} missing")
    if missing:
        print("  missing: " + " ".join(missing))
    if extra := sorted(set(ours) - set(known)):
        print("  not JAX's: " + " ".join(extra))
    for name in sorted(set(known) & set(ours)):
        if (want := signature_text(name, known[name])) != ours[name] and " at 0x" not in want:
            print(f"  {ours[name]}\n    JAX: {want}")
    return len(set(known) & set(ours)), len(known)


def main():
    warnings.simplefilter("ignore")
    if sys.argv[1:2] == ["--signatures"]:
        for pattern in sys.argv[2:]:
            module, _, wanted = pattern.rpartition(".")
            for name, value in names_of(module).items():
                if fnmatch.fnmatchcase(name, wanted):
                    print(signature_text(name, value))
        return
    table = {(module, signature.partition("(")[0]): signature for module, signature, _ in functions()}
    totals = [report(module, table) for module in sys.argv[1:] or MODULES]
    print(f"all: {sum(n for n, _ in totals)} of {sum(n for _, n in totals)} names")


if __name__ == "__main__":
    main()
