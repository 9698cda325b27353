#!/usr/bin/env python3
"""Writes python/cotan/_names.py: the public names of an installed jax, by module. What Cotan lacks of them is a placeholder.

    PYTHON_WITH_JAX tools/jax_names.py
"""
import importlib
import pkgutil
import sys
import types
import warnings
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SKIP = ("jax._src", "jax.tools", "jax.experimental.jax2tf", "jax.experimental.mosaic", "jax.experimental.pallas", "jax.collect_profile",
        "jax.jaxlib", "jax.lib", "jax.extend.mlir", "jax.experimental.colocated", "jax.experimental.roofline",
        "jax.experimental._private_mm", "jax.interpreters.mlir", "jax.interpreters.xla",
        "jax.experimental.source_mapper", "jax.experimental.sparse.test_util")


def is_api(module, name):
    """Not what a module without __all__ has imported for itself."""
    value = getattr(module, name, None)
    if isinstance(value, types.ModuleType):
        return value.__name__.startswith("jax") and (module.__name__ == "jax" or value.__name__.startswith(module.__name__ + "."))
    home = getattr(value, "__module__", None) or ""
    return not module.__name__.startswith(("jax.experimental.", "jax.example_libraries.")) or (
        home.startswith(("jax", "numpy.float", "ml_dtypes")) and not home.startswith("jax._src.util"))


def main():
    warnings.simplefilter("ignore")
    import jax
    found = {}
    names = ["jax"] + [m.name for m in pkgutil.walk_packages(jax.__path__, "jax.", onerror=lambda _: None)]
    for name in names:
        if name.startswith(SKIP) or any(part.startswith("_") for part in name.split(".")):
            continue
        try:
            module = importlib.import_module(name)
        except Exception:
            continue
        public = getattr(module, "__all__", None) or [n for n in dir(module) if not n.startswith("_")]
        public = [n for n in dict.fromkeys(public) if type(getattr(module, n, None)).__name__ != "_Feature" and n not in ("annotations", "TYPE_CHECKING")]
        found[name.removeprefix("jax").removeprefix(".")] = sorted(n for n in public if hasattr(module, "__all__") or is_api(module, n))
    settings = sorted(jax.config.values)
    out = ['"""The public names of JAX, by module, and of its settings: written by tools/jax_names.py."""', "NAMES = {"]
    for name in sorted(found):
        out.append(f'    "{name}": """')
        out += wrapped(found[name], 136)
        out.append('""".split(),')
    out += ["}", 'SETTINGS = frozenset("""'] + wrapped(settings, 136) + ['""".split())', ""]
    (ROOT / "python/cotan/_names.py").write_text("\n".join(out))


def wrapped(words, width):
    lines, line = [], ""
    for word in words:
        if len(line) + len(word) + 1 > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    return lines + [line]


if __name__ == "__main__":
    sys.exit(main())
