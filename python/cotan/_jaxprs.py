"""Programs as objects: Jaxpr with its equations, variables and primitives, made from the core's program when they are asked for."""
import functools
import itertools

from . import _cotan
from ._cotan import ClosedJaxpr

_counter = itertools.count()


class Var:
    """A variable of a program; told from others by identity."""

    __slots__ = ("aval", "count")

    def __init__(self, aval, initial_qdd=None, final_qdd=None):
        self.aval, self.count = aval, next(_counter)

    def __repr__(self):
        return f"Var(id={id(self)}):{self.aval.str_short()}"


class DropVar(Var):
    """A result that nobody uses."""

    __slots__ = ()

    def __init__(self, aval):
        self.aval, self.count = aval, -1

    def __repr__(self):
        return "_"


class Literal:
    """A number in a program."""

    __slots__ = ("val", "aval")

    def __init__(self, val, aval):
        self.val, self.aval = val, aval

    @property
    def hash(self):
        return hash(self.val.item()) if hasattr(self.val, "item") else hash(self.val)

    def __repr__(self):
        return f"Literal({self.val})"


Atom = Var | Literal


class Primitive:
    """An operation: `bind` applies it to arrays, with its parameters by name. Equations and `lax.sin_p` share one object for each name."""

    call_primitive = map_primitive = False

    def __init__(self, name):
        if name not in _names():
            raise NotImplementedError(f"a primitive of one's own is not there yet: {name!r} is none of Cotan's")
        self.name = name
        self.multiple_results = _cotan.primitive_results(name) != 1

    def bind(self, *args, **params):
        """The result, or the list of results of a primitive with several. TypeError for parameters that it does not have, and for
        missing ones that it needs."""
        results = _cotan.bind(self.name, args, params)
        return results if self.multiple_results else results[0]

    def get_bind_params(self, params):
        """(functions, parameters) with which bind does what the equation says."""
        return [], dict(params)

    def __repr__(self):
        return self.name

    def __reduce__(self):
        return primitive, (self.name,)


_primitives = {}
_ALIASES = {"add_jaxvals": "add_any", "linear_solve": "custom_linear_solve", "remat": "remat2"}


def primitive(name):
    """The primitive of a name, such as "reduce_sum"."""
    if name not in _primitives:
        _primitives[name] = Primitive(name)
    return _primitives[name]


def primitive_of(attribute):
    """The primitive that JAX calls `attribute`, such as "scatter_add_p"; None where there is none."""
    name = _ALIASES.get(attribute[:-2], attribute[:-2])
    for spelled in (name, name.replace("_", "-")):
        if spelled in _names():
            return primitive(spelled)
    return None


def _names(found=[]):
    if not found:
        found[:] = _cotan.primitive_names()
    return found


class JaxprEqn:
    """One equation: outvars = primitive[params](*invars)."""

    __slots__ = ("invars", "outvars", "primitive", "params", "effects", "source_info", "ctx", "_place")

    def __init__(self, invars, outvars, primitive, params, effs, source_info, ctx):
        self.invars, self.outvars, self.primitive, self.params = list(invars), list(outvars), primitive, params
        self.effects, self.source_info, self.ctx = effs, source_info, ctx
        self._place = None  # the core's program and its number there, as long as it is that equation

    def replace(self, **changes):
        old = {n: getattr(self, n) for n in ("invars", "outvars", "primitive", "params", "source_info", "ctx")}
        return JaxprEqn(**({"effs": changes.pop("effects", self.effects)} | old | changes))

    def __repr__(self):
        if self._place is None:
            return str(Jaxpr((), self._free(), self.outvars, [self])._closed.jaxpr.eqns[0])
        return _cotan.equation_text(*self._place)

    def _free(self):
        return list(dict.fromkeys(v for v in self.invars if isinstance(v, Var)))


def new_jaxpr_eqn(invars, outvars, primitive, params, effects, source_info=None, ctx=None):
    """An equation."""
    return JaxprEqn(invars, outvars, primitive, params, effects, source_info, ctx)


class Jaxpr:
    """A program: invars, equations, outvars, and constvars, for the values of which see ClosedJaxpr."""

    __slots__ = ("constvars", "invars", "outvars", "eqns", "effects", "debug_info", "_core", "__weakref__")

    def __init__(self, constvars, invars, outvars, eqns, effects=frozenset(), debug_info=None, is_high=False):
        self.constvars, self.invars, self.outvars, self.eqns = list(constvars), list(invars), list(outvars), list(eqns)
        self.effects = frozenset(effects).union(*(e.effects for e in self.eqns))
        self.debug_info = debug_info
        self._core = None

    @property
    def _closed(self):
        """The core's program, with its constants if it was made with them."""
        if self._core is None:
            self._core = _built(self)
        return self._core

    in_avals = property(lambda self: [v.aval for v in self.invars])
    out_avals = property(lambda self: [v.aval for v in self.outvars])
    is_high = False

    def replace(self, **changes):
        old = {n: getattr(self, n) for n in ("constvars", "invars", "outvars", "eqns", "debug_info")}
        return Jaxpr(**(old | changes))

    def pretty_print(self, **_):
        return str(self)

    def __repr__(self):
        return str(self._closed)


def _built(jaxpr):
    """The core's program of a Jaxpr; TypeError for a variable that is used before it is defined."""
    numbers, avals, literals = {}, [], []

    def define(v):
        numbers[v] = len(avals)
        avals.append(v.aval)
        return numbers[v]

    def number(atom):
        if isinstance(atom, Literal):
            literals.append(atom.val)
            return -len(literals)
        if atom not in numbers:
            raise TypeError(f"Jaxpr: {atom!r} is used before it is defined")
        return numbers[atom]

    consts, inputs = [define(v) for v in jaxpr.constvars], [define(v) for v in jaxpr.invars]
    eqns = [(e.primitive.name, e.params, [number(v) for v in e.invars], [define(v) for v in e.outvars], sum(e.effects)) for e in jaxpr.eqns]
    return _cotan.jaxpr_build(avals, literals, consts, inputs, [number(v) for v in jaxpr.outvars], eqns)


def _jaxpr_of(closed):
    """The Jaxpr of a ClosedJaxpr: always the same object."""
    if made := closed.__dict__.get("_jaxpr"):
        return made
    avals, literals, constvars, invars, outvars, eqns = _cotan.jaxpr_parts(closed)
    variables, constants = [Var(a) for a in avals], [Literal(*pair) for pair in literals]

    def atom(number):
        return variables[number] if number >= 0 else constants[-1 - number]

    made_eqns = []
    for i, (name, params, ins, outs, effects) in enumerate(eqns):
        bits = frozenset(1 << b for b in range(effects.bit_length()) if effects >> b & 1)
        eqn = JaxprEqn(map(atom, ins), map(atom, outs), primitive(name), params, bits, None, None)
        eqn._place = closed, i
        made_eqns.append(eqn)
    made = Jaxpr(map(atom, constvars), map(atom, invars), map(atom, outvars), made_eqns)
    made._core = closed
    closed.__dict__["_jaxpr"] = made
    return made


def eval_jaxpr(jaxpr, consts, *args, propagate_source_info=True):
    """The results of a jaxpr, a list. In a transformation they are part of what is transformed."""
    closed = jaxpr if isinstance(jaxpr, ClosedJaxpr) else ClosedJaxpr(jaxpr, consts)
    return _cotan.eval_jaxpr(closed, list(args))


def jaxpr_as_fun(closed_jaxpr, *args):
    """A closed jaxpr as a function of its inputs (after `args`), which returns the list of its results."""
    return functools.partial(eval_jaxpr, closed_jaxpr, closed_jaxpr.consts, *args)


def _replace(self, *, jaxpr=None, consts=None):
    return ClosedJaxpr(self.jaxpr if jaxpr is None else jaxpr, self.consts if consts is None else consts)


ClosedJaxpr.jaxpr = property(_jaxpr_of)
ClosedJaxpr.eqns = property(lambda self: self.jaxpr.eqns)
ClosedJaxpr.invars = property(lambda self: self.jaxpr.invars)
ClosedJaxpr.outvars = property(lambda self: self.jaxpr.outvars)
ClosedJaxpr.constvars = property(lambda self: self.jaxpr.constvars)
ClosedJaxpr.effects = property(lambda self: self.jaxpr.effects)
ClosedJaxpr.debug_info = property(lambda self: self.jaxpr.debug_info)
ClosedJaxpr.literals = ClosedJaxpr.consts
ClosedJaxpr.replace = _replace
ClosedJaxpr.map_jaxpr = lambda self, f: self.replace(jaxpr=f(self.jaxpr))
ClosedJaxpr.pretty_print = lambda self, **_: str(self)
