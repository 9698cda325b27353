"""jax.custom_batching."""
import functools
import inspect

from . import _cotan
from ._api import ShapeDtypeStruct, _check_callable, _flat_result, eval_shape
from ._cotan import tree_flatten, tree_structure
from ._custom import _name
from ._table import fill as _fill


class custom_vmap:
    """A function with a batching rule of its own, which def_vmap gives."""

    _held_by_programs = True  # that its rule is in: see jit

    def __init__(self, fun):
        _check_callable(fun, "custom_vmap")
        functools.update_wrapper(self, fun)
        self.fun, self.vmap_rule = fun, None
        try:
            self._signature = inspect.signature(fun)
        except (TypeError, ValueError):
            self._signature = None

    def __get__(self, instance, owner=None):
        return self if instance is None else functools.partial(self, instance)

    def def_vmap(self, vmap_rule):
        """vmap_rule(axis_size, in_batched, *args) returns (results, out_batched): flags, in the structures of arguments and results, of what
        has the batch's axis, always the first."""
        self.vmap_rule = vmap_rule
        return vmap_rule

    def __call__(self, *args, **kwargs):
        if self.vmap_rule is None:
            raise AttributeError(f"No batching rule defined for custom_vmap function {_name(self.fun)} using def_vmap")
        if self._signature is not None:
            bound = self._signature.bind(*args, **kwargs)
            bound.apply_defaults()
            args, kwargs = bound.args, bound.kwargs
        if kwargs:
            raise TypeError(f"{_name(self.fun)}: keyword arguments could not be resolved to positions")
        leaves, tree = tree_flatten(args)
        for x in leaves:
            if not _cotan.is_valid(x):
                raise TypeError(f"{_name(self.fun)}: got an argument of type {type(x)}, which is not a valid JAX type")
        store = []

        def flat(inner):
            results, *store[:] = _flat_result(self.fun(*tree.unflatten(inner)), f"{_name(self.fun)} must return")
            return results

        def rule(size, batched, inner):
            out = self.vmap_rule(size, list(tree.unflatten(batched)), *tree.unflatten(inner))
            if not isinstance(out, tuple) or len(out) != 2:
                raise TypeError(f"the batching rule of {_name(self.fun)} must return a pair (results, out_batched), got {out!r}")
            results, got = _flat_result(out[0], "a batching rule must return")
            if not store:
                lanes = [ShapeDtypeStruct(x.shape[1:] if b else x.shape, x.dtype) for x, b in zip(inner, batched)]
                store[:] = [tree_structure(eval_shape(self.fun, *tree.unflatten(lanes)))]
            if got != store[0]:
                raise ValueError("structure of output returned by custom vmap rule does not match that of original custom-vmapped function.\n"
                                 f"Original output: {store[0]}\nRule output: {got}")
            flags, flag_tree = tree_flatten(out[1])
            if flag_tree != got:
                raise ValueError("structure of output value and output batching specification returned by custom vmap rule do not match.\n"
                                 f"Output values: {got}\nBatching spec: {flag_tree}")
            return results, [bool(b) for b in flags]

        return (lambda out: store[0].unflatten(out))(_cotan.custom_vmap(_name(self.fun), flat, rule, _name(self.vmap_rule), leaves))


def sequential_vmap(f):
    """f, which a batch calls for one lane after the other."""
    from .lax import map as _map
    made = custom_vmap(f)

    @made.def_vmap
    def rule(axis_size, in_batched, *args):
        from ._cotan import tree_map
        flags, tree = tree_flatten(in_batched)
        leaves = tree_flatten(args)[0]
        mapped = [x for x, b in zip(leaves, flags) if b]

        def lane(rows):
            rows = iter(rows)
            return f(*tree_flatten(args)[1].unflatten([next(rows) if b else x for x, b in zip(leaves, flags)]))
        out = _map(lane, mapped)
        return out, tree_map(lambda _: True, out)
    return made


_fill(globals(), "custom_batching")
