"""explain() of jitted functions, and what compiled programs cost."""
import dataclasses
import inspect

from . import _cotan
from .tree_util import keystr, tree_flatten_with_path


def _names(jitted, statics, positional):
    """What the dynamic positional arguments are called: as in the signature, where there is one."""
    try:
        parameters = [p.name for p in inspect.signature(jitted.__wrapped__).parameters.values()
                      if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    except (AttributeError, TypeError, ValueError):
        parameters = []
    fixed = {place for place, _ in statics if isinstance(place, int)}
    places = [i for i in range(positional + len(fixed)) if i not in fixed]
    return [parameters[i] if i < len(parameters) else f"argument {i}" for i in places]


def _facts(jitted, tree, types, statics):
    args = tree.children()
    names = _names(jitted, statics, len(args) - 1)
    facts = []
    for place, value in statics:
        facts.append((f"the static argument {place}", repr(value)))
    for name, arg in zip(names, args):
        if arg.num_nodes > 1:
            facts.append((f"the structure of {name}", str(arg).removeprefix("PyTreeDef(").removesuffix(")")))
    leaves, _ = tree_flatten_with_path(tree.unflatten(types))
    leaf_names = []
    for path, type_text in leaves:
        inside = path[1:] if path[0].idx < len(names) else path[2:]
        name = names[path[0].idx] if path[0].idx < len(names) else path[1].key
        leaf_names.append(name + keystr(inside))
        facts.append((leaf_names[-1], type_text))
    return facts, leaf_names


def explain(jitted):
    """Text: what was traced for a jitted function, as far as it is kept; from which line, why again (which argument differed, from what
    to what), what the program costs, its dearest equations first, and what became of donated arguments."""
    traces = []
    for line, tree, types, statics, context, jaxpr, donated in _cotan.jit_programs(jitted):
        facts, leaf_names = _facts(jitted, tree, types, statics)
        traces.append((line, facts + context, jaxpr, [(i, leaf_names[i]) for i in donated]))
    return _cotan.explain_traces(getattr(jitted, "__name__", "jit"), traces)


@dataclasses.dataclass(frozen=True)
class CompiledMemoryStats:
    """Bytes: of arguments and results, of what lives only while the program runs, and of results in the memory of donated arguments."""

    argument_size_in_bytes: int
    output_size_in_bytes: int
    temp_size_in_bytes: int
    alias_size_in_bytes: int = 0
    generated_code_size_in_bytes: int = 0
    host_generated_code_size_in_bytes: int = 0
    host_argument_size_in_bytes: int = 0
    host_output_size_in_bytes: int = 0
    host_alias_size_in_bytes: int = 0
    host_temp_size_in_bytes: int = 0

    @property
    def peak_memory_in_bytes(self):
        return self.argument_size_in_bytes + self.output_size_in_bytes + self.temp_size_in_bytes - self.alias_size_in_bytes
