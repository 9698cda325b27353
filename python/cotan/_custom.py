"""custom_jvp, custom_vjp, custom_gradient, closure_convert: functions with derivative rules of the user's, over pytrees."""
import functools
import inspect

from . import _cotan
from ._api import _flat_result, _is_float0, _leaf_paths
from ._cotan import tree_flatten
from .tree_util import broadcast_prefix, keystr, register_pytree_node


class SymbolicZero:
    """A tangent or cotangent that is known to be zero, for rules that take such."""

    def __init__(self, aval):
        self.aval = aval

    shape = property(lambda self: self.aval.shape)
    dtype = property(lambda self: self.aval.dtype)

    def __repr__(self):
        return f"SymbolicZero({self.aval})"

    @staticmethod
    def from_primal_value(value):
        return zero_from_primal(value, symbolic_zeros=True)


class CustomVJPPrimal:
    """What a forward rule with symbolic zeros gets for a leaf: its value, and whether it is differentiated."""

    def __init__(self, value, perturbed):
        self.value, self.perturbed = value, perturbed


def custom_vjp_primal_tree_values(tree):
    """The values of a tree of CustomVJPPrimal."""
    leaves, treedef = tree_flatten(tree, lambda x: isinstance(x, CustomVJPPrimal))
    return treedef.unflatten([x.value for x in leaves])


def zero_from_primal(val, symbolic_zeros=False):
    """The zero of a value's tangents."""
    from . import numpy as jnp
    aval = _cotan.tangent_aval_of(val)
    return SymbolicZero(aval) if symbolic_zeros or aval.dtype.names else jnp.zeros(aval.shape, aval.dtype)


def _name(fun):
    return getattr(fun, "__name__", type(fun).__name__)


class _Custom:
    _held_by_programs = True  # that its rules are in: no table of these may live as long as it does

    def __init__(self, fun, nondiff_argnums=(), nondiff_argnames=()):
        functools.update_wrapper(self, fun)
        self.fun = fun
        try:
            self._signature = inspect.signature(fun)
        except (TypeError, ValueError):
            self._signature = None
        names = (nondiff_argnames,) if isinstance(nondiff_argnames, str) else tuple(nondiff_argnames)
        positions = [list(self._signature.parameters).index(n) for n in names] if names else []
        self.nondiff_argnums = tuple(sorted({*((nondiff_argnums,) if isinstance(nondiff_argnums, int) else nondiff_argnums), *positions}))

    def __get__(self, instance, owner=None):
        return self if instance is None else functools.partial(self, instance)

    def _arguments(self, args, kwargs):
        """All arguments by position, defaults included."""
        if self._signature is None:
            if kwargs:
                raise TypeError(f"{_name(self.fun)}: keyword arguments need a signature to be resolved by")
            return args
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        if bound.kwargs:
            raise TypeError("keyword arguments could not be resolved to positions")
        return bound.args

    def _split(self, args):
        n = len(args)
        fixed = sorted(i % n for i in self.nondiff_argnums if -n <= i < n) if n else []
        return fixed, [i for i in range(n) if i not in fixed]


class _Call:
    """One call: the function, and its rules, of the leaves of the arguments that have derivatives. It may outlive the call, in a program,
    and so keeps no values of these."""

    def __init__(self, custom, args):
        self.fixed, self.open = custom._split(args)
        self.args, self.fun, self.what = [None if i in self.open else x for i, x in enumerate(args)], custom.fun, _name(custom.fun)
        leaves, self.tree = tree_flatten([args[i] for i in self.open])
        for x in leaves:
            if not _cotan.is_valid(x):
                raise TypeError(f"{self.what}: got an argument of type {type(x)}, which is not a valid JAX type; "
                                "list its position in nondiff_argnums")
        self.out = None

    @staticmethod
    def of(custom, args):
        """(the call, the leaves)."""
        call = _Call(custom, args)
        return call, tree_flatten([args[i] for i in call.open])[0]

    def merged(self, values):
        args = self.args[:]
        for i, v in zip(self.open, values):
            args[i] = v
        return args

    def nondiff(self):
        return [self.args[i] for i in self.fixed]

    def __call__(self, leaves):
        results, self.out = _flat_result(self.fun(*self.merged(self.tree.unflatten(leaves))), f"{self.what} must return")
        return results


def _zeros(symbolic, ts, primals):
    """Tangents as a rule takes them."""
    return [SymbolicZero(_cotan.tangent_aval_of(p)) if t is None and symbolic else t for t, p in zip(ts, primals)]


def _checked(what, leaf, primal, path):
    """A tangent that a rule returned, for the primal; None for a zero."""
    want = _cotan.tangent_aval_of(primal)
    if leaf is None or isinstance(leaf, SymbolicZero) or want.dtype.names:
        return None
    if _is_float0(leaf):
        got = ("float0", leaf.shape)
    else:
        leaf = leaf if isinstance(leaf, _cotan.Array) else _cotan.to_array(leaf, what)
        got = (leaf.dtype.name, leaf.shape)
    if got != (want.dtype.name, want.shape):
        at = f" at {keystr(path)}" if path else ""
        raise TypeError(f"{what}{at}: expected {want.dtype.name}{list(want.shape)} for the primal {_cotan.aval_of(primal)}, got {got[0]}{list(got[1])}")
    return leaf


def _is_zero(x):
    return x is None or isinstance(x, SymbolicZero)


class custom_jvp(_Custom):
    """A function with a derivative rule of its own, which defjvp or defjvps gives. The arguments at nondiff_argnums have no derivative; the
    rule gets them first."""

    jvp = None
    symbolic_zeros = False

    def defjvp(self, jvp, symbolic_zeros=False):
        """jvp(primals, tangents) returns (result, tangent of it), linear in the tangents. With symbolic_zeros, tangents that are zero come
        as SymbolicZero."""
        self.jvp, self.symbolic_zeros = jvp, symbolic_zeros
        return jvp

    def defjvps(self, *jvps):
        """jvps[i](tangent, result, *primals): the part of argument i; None: it has none."""
        if self.nondiff_argnums:
            raise TypeError("Can't use ``defjvps`` with ``nondiff_argnums``.")

        def jvp(primals, tangents):
            primal_out = self(*primals)
            parts = [f(t, primal_out, *primals) for f, t in zip(jvps, tangents) if f is not None]
            if not parts:
                return primal_out, _cotan.tree_map(zero_from_primal, primal_out)
            return primal_out, functools.reduce(lambda a, b: _cotan.tree_map(lambda x, y: x + y, a, b), parts)
        self.defjvp(jvp)

    def __call__(self, *args, **kwargs):
        if self.jvp is None:
            raise AttributeError(f"No JVP defined for custom_jvp function {_name(self.fun)} using defjvp.")
        call, leaves = _Call.of(self, self._arguments(args, kwargs))
        leaves = _cotan.custom_jvp(call.what, call, functools.partial(self._rule, call), leaves, self.symbolic_zeros, _name(self.jvp))
        return call.out.unflatten(leaves)

    def _rule(self, call, primals, tangents):
        ts = _zeros(self.symbolic_zeros, tangents, primals)
        pair = self.jvp(*call.nondiff(), tuple(call.tree.unflatten(primals)), tuple(call.tree.unflatten(ts)))
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise TypeError(f"Custom JVP rule {_name(self.jvp)} for function {call.what} must produce a pair (list or tuple of length two) "
                            f"representing primal and tangent outputs, but got {pair}.")
        results, tree = _flat_result(pair[0], "a custom JVP rule must return")
        out_tangents, tangent_tree = tree_flatten(pair[1], lambda x: isinstance(x, SymbolicZero))
        if tangent_tree != tree:
            raise TypeError(f"Custom JVP rule {_name(self.jvp)} for function {call.what} must produce primal and tangent outputs with equal "
                            f"container (pytree) structures, but got {tree} and {tangent_tree} respectively.")
        if call.out is not None and call.out != tree:
            raise TypeError(f"Custom JVP rule {_name(self.jvp)} for function {call.what} must produce a primal output with container (pytree) "
                            f"structure {call.out}, but got {tree}.")
        call.out = tree
        what = f"Custom JVP rule {_name(self.jvp)} for function {call.what} must produce tangents of the shapes and dtypes of its primal outputs"
        return results, [_checked(what, t, p, path) for t, p, path in zip(out_tangents, results, _leaf_paths(tree))]


class custom_vjp(_Custom):
    """A function with reverse-mode rules of its own, which defvjp gives. The arguments at nondiff_argnums have no derivative; the backward
    rule gets them first."""

    fwd = bwd = None
    symbolic_zeros = False

    def defvjp(self, fwd, bwd, symbolic_zeros=False, optimize_remat=False):
        """fwd(*args) returns (result, residuals); bwd(residuals, cotangent) returns a tuple of cotangents, one for each argument that has a
        derivative; None stands for zeros. With symbolic_zeros, fwd gets CustomVJPPrimal leaves, and bwd SymbolicZero for zeros."""
        self.fwd, self.bwd, self.symbolic_zeros = fwd, bwd, symbolic_zeros

    def __call__(self, *args, **kwargs):
        if self.fwd is None:
            raise AttributeError(f"No VJP defined for custom_vjp function {_name(self.fun)} using defvjp.")
        call, leaves = _Call.of(self, self._arguments(args, kwargs))
        leaves = _cotan.custom_vjp(call.what, call, functools.partial(self._forward, call), functools.partial(self._backward, call), leaves,
                                    self.symbolic_zeros, _name(self.fwd), _name(self.bwd))
        return call.out.unflatten(leaves)

    def _forward(self, call, primals, perturbed):
        given = [CustomVJPPrimal(p, b) for p, b in zip(primals, perturbed)] if self.symbolic_zeros else primals
        pair = self.fwd(*call.merged(call.tree.unflatten(given)))
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise TypeError(f"Custom VJP fwd rule {_name(self.fwd)} for function {call.what} must produce a pair (list or tuple of length two) "
                            f"where the first element represents the primal output and the second element represents residuals, but got {pair}.")
        results, tree = _flat_result(pair[0], "a custom VJP fwd rule must return")
        if call.out is not None and call.out != tree:
            raise TypeError(f"Custom VJP fwd rule {_name(self.fwd)} for function {call.what} must produce a pair whose first element has the "
                            f"container (pytree) structure {call.out} of the function's result, but got {tree}.")
        call.out = tree
        residuals, residual_tree = _flat_result(pair[1], "residuals must be")
        avals = [_cotan.aval_of(p) for p in primals]
        return results, residuals, (residual_tree, avals, [_cotan.aval_of(r) for r in results])

    def _backward(self, call, made, residuals, cotangents):
        residual_tree, avals, result_avals = made
        cts = _zeros(self.symbolic_zeros, cotangents, result_avals)
        out = self.bwd(*call.nondiff(), residual_tree.unflatten(residuals), call.out.unflatten(cts))
        if isinstance(out, list):
            out = tuple(out)
        if not isinstance(out, tuple) or len(out) != len(call.open):
            raise TypeError(f"Custom VJP bwd rule {_name(self.bwd)} for function {call.what} must produce a tuple of the same length as the arguments "
                            f"that have derivatives, {len(call.open)}, but got {out!r}.")
        try:
            given = broadcast_prefix(list(out), call.tree.unflatten(avals), is_leaf=_is_zero)
        except ValueError as error:
            raise TypeError(f"Custom VJP bwd rule {_name(self.bwd)} for function {call.what} must produce cotangents with the container (pytree) "
                            f"structure of the arguments {call.tree}.\n{error}") from None
        what = f"Custom VJP bwd rule {_name(self.bwd)} for function {call.what} must produce cotangents of the shapes and dtypes of the arguments"
        try:
            checked = [_checked(what, t, a, path) for t, a, path in zip(given, avals, _leaf_paths(call.tree))]
        except TypeError as error:
            raise ValueError(str(error)) from None
        return [a if t is None else t for t, a in zip(checked, avals)]


def custom_gradient(fun):
    """fun returns (result, f), f of a cotangent of the result giving the cotangents of the arguments: a function that returns the result alone,
    with that derivative."""

    def parts(args):
        pair = fun(*args)
        if not isinstance(pair, (tuple, list)) or len(pair) != 2 or not callable(pair[1]):
            raise TypeError(f"the function {_name(fun)} given to custom_gradient must return a pair (result, rule), got {pair!r}")
        return pair

    @custom_vjp
    def wrapped(*args):
        return parts(args)[0]

    def fwd(*args):
        result, rule = parts(args)
        return result, closure_convert(rule, _cotan.tree_map(zero_from_primal, result))

    def bwd(residuals, ct):
        rule, consts = residuals
        out = rule(ct, *consts)
        return out if isinstance(out, tuple) else (out,)

    wrapped.defvjp(fwd, bwd)
    functools.update_wrapper(wrapped, fun)
    return wrapped


class _Converted:
    """A program as a function of arguments and then of its constants. Static where it stands in a pytree."""

    def __init__(self, jaxpr, in_tree, out_tree, count):
        self.jaxpr, self.in_tree, self.out_tree, self.count = jaxpr, in_tree, out_tree, count

    def __call__(self, *args):
        n = len(args) - self.count
        leaves, tree = tree_flatten(args[:n])
        if tree != self.in_tree:
            raise TypeError(f"the converted function was made for arguments of structure {self.in_tree}, got {tree}")
        return self.out_tree.unflatten(_cotan.eval_with_consts(self.jaxpr, list(args[n:]), leaves))


register_pytree_node(_Converted, lambda c: ((), c), lambda c, _: c)


def closure_convert(fun, *example_args):
    """(f, consts) such that f(*args, *consts) is fun(*args): what fun captures becomes arguments. fun is traced at the example's types."""
    leaves, in_tree = tree_flatten(example_args)
    store = []

    def flat(inner):
        results, tree = _flat_result(fun(*in_tree.unflatten(inner)), "the function must return")
        store[:] = [tree]
        return results

    jaxpr = _cotan.make_jaxpr(flat, [_cotan.aval_of(x) for x in leaves], fun)
    consts = list(jaxpr.consts)
    return _Converted(jaxpr, in_tree, store[0], len(consts)), consts



def linear_call(fun, fun_transpose, residual_args, linear_args):
    """fun(residual_args, linear_args), linear in linear_args, whose transpose is fun_transpose(residual_args, cotangent of the result)."""
    residuals, residual_tree = tree_flatten(residual_args)
    operands, operand_tree = tree_flatten(linear_args)
    n, store = len(residuals), []

    def flat(leaves):
        out = fun(residual_tree.unflatten(leaves[:n]), operand_tree.unflatten(leaves[n:]))
        results, tree = _flat_result(out, "the function of linear_call must return")
        store[:] = [tree]
        return results

    def flat_transpose(leaves):
        out = fun_transpose(residual_tree.unflatten(leaves[:n]), store[0].unflatten(leaves[n:]))
        results, tree = _flat_result(out, "the transpose of linear_call must return")
        if tree != operand_tree:
            raise TypeError(f"linear_call: the transpose must return a value of the structure of linear_args, {operand_tree}, got {tree}")
        return results

    leaves = _cotan.linear_call(flat, flat_transpose, residuals, operands)
    return store[0].unflatten(leaves)
