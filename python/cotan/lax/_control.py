"""cond, switch, while_loop, fori_loop, scan and map over pytrees. Tracing and running are the extension module's."""
import operator

from .. import _cotan
from .._api import _flat_result, _leaf_paths
from .._cotan import tree_flatten, tree_structure
from .._table import function as _function
from ..tree_util import keystr

_not_given = object()
_slice, _pad, _concatenate, _rev = (_function(f"lax.{name}") for name in ("slice_in_dim", "pad", "concatenate", "rev"))


def _check_callable(what, *functions):
    for f in functions:
        if not callable(f):
            raise TypeError(f"{what} arguments should be callable, got {f!r}")


class _Branch:
    """A function of operands as one of their leaves; keeps the structure of its result."""

    def __init__(self, fun, tree, what):
        self.fun, self.tree, self.what, self.out = fun, tree, what, None

    def __call__(self, leaves):
        results, self.out = _flat_result(self.fun(*self.tree.unflatten(leaves)), f"{self.what} must return")
        return results


def _same_structure(first, second, names):
    if first.out != second.out:
        raise TypeError("cond branch outputs must have the same pytree structure, but they differ:\n\n"
                        f"{names[0]} output is {first.out} but {names[1]} output is {second.out}.\n\n"
                        f"Revise {names[0]} and/or {names[1]} so that they have the same pytree structure.")


def _branched(branches, names, run):
    """What `run` gives for the branches, in the structure of their results."""

    def checks():
        for other, name in zip(branches[1:], names[1:]):
            _same_structure(branches[0], other, (names[0], name))

    def name(leaf):
        path = _leaf_paths(branches[0].out)[leaf]
        return f" at path {keystr(path)}" if path else ""

    leaves = run(name, checks)
    return next(b.out for b in branches if b.out is not None).unflatten(leaves)


def _operands(operands, operand):
    if operand is not _not_given:
        if operands:
            raise TypeError("if 'operand' keyword is passed then no positional operands can be passed, "
                            f"got operand={operand} and positional operands {operands}")
        return (operand,)
    return operands


def _scalar(what, x):
    if not _cotan.is_valid(x):
        raise TypeError(f"{what} must be a scalar, got {x} of type {type(x)}")
    return x


def cond(pred, true_fun, false_fun, *operands, operand=_not_given):
    """true_fun(*operands) where the scalar pred holds, else false_fun(*operands). Both are traced; their results have one structure,
    and equal shapes and dtypes: TypeError. Under vmap with a pred for each lane both run, and results are selected."""
    if not (callable(true_fun) and callable(false_fun)):
        raise TypeError("lax.cond: true_fun and false_fun arguments should be callable.")
    if pred is None:
        raise TypeError("cond predicate is None")
    leaves, tree = tree_flatten(_operands(operands, operand))
    branches = [_Branch(f, tree, "a branch of cond") for f in (true_fun, false_fun)]
    return _branched(branches, ("true_fun", "false_fun"),
                     lambda name, checks: _cotan.cond(_scalar("Pred", pred), *branches, leaves, name, checks))


def switch(index, branches, *operands, operand=_not_given):
    """branches[index](*operands), index an integer scalar that is clamped to 0 .. len(branches) - 1. ValueError for no branches."""
    if not all(callable(b) for b in branches):
        raise TypeError("lax.switch: branches argument should be a sequence of callables.")
    leaves, tree = tree_flatten(_operands(operands, operand))
    flat = [_Branch(f, tree, "a branch of switch") for f in branches]
    if not flat:
        raise ValueError("Empty branch sequence")
    return _branched(flat, [f"branch {i}" for i in range(len(flat))],
                     lambda name, checks: _cotan.switch(_scalar("Branch index", index), flat, leaves, name, checks))


class _Loop:
    """The body of a loop as a function of leaves; its results begin with a carry of the structure it was given."""

    def __init__(self, what, init):
        self.what = what
        self.leaves, self.tree = tree_flatten(init)
        for x in self.leaves:
            if not _cotan.is_valid(x):
                raise TypeError(f"Argument {x!r} of type {type(x)} is not a valid JAX type")

    def carry(self, value):
        results, tree = _flat_result(value, f"{self.what} must return")
        if tree != self.tree:
            raise TypeError(f"{self.what} function carry input and carry output must have the same pytree structure, but they differ:\n\n"
                            f"The input carry c is {self.tree} but the carry output is {tree}.\n\n"
                            "Revise the function so that the carry output has the same pytree structure as the carry input.")
        return results

    def name(self, leaf):
        path = _leaf_paths(self.tree)[leaf]
        return f" component c{keystr(path)}" if path else " c"


def while_loop(cond_fun, body_fun, init_val, *, max_steps=None, checkpoint=False):
    """While cond_fun(carry) holds, the carry becomes body_fun(carry); it starts as init_val, and keeps its structure, shapes and dtypes:
    TypeError. With max_steps the loop ends after so many, and has reverse-mode derivatives (with checkpoint in memory for the square root of
    max_steps); without, forward mode only. Both are beyond JAX."""
    if not (callable(cond_fun) and callable(body_fun)):
        raise TypeError("lax.while_loop: body_fun and cond_fun arguments should be callable.")
    loop = _Loop("while_loop body", init_val)

    def condition(leaves):
        results, tree = _flat_result(cond_fun(loop.tree.unflatten(leaves)), "cond_fun must return")
        if tree.num_leaves != 1 or tree != tree_structure(0):
            raise TypeError(f"cond_fun must return a boolean scalar, but got pytree {tree}.")
        return results

    return loop.tree.unflatten(_cotan.while_loop(condition, lambda leaves: loop.carry(body_fun(loop.tree.unflatten(leaves))),
                                                 loop.leaves, loop.name, None if max_steps is None else operator.index(max_steps), bool(checkpoint)))


def fori_loop(lower, upper, body_fun, init_val, *, unroll=None):
    """body_fun(i, carry) for i from lower to upper - 1, integers of one type; gives the last carry. Where the bounds are known it is a scan,
    which has gradients."""
    if not callable(body_fun):
        raise TypeError("lax.fori_loop: body_fun argument should be callable.")
    loop = _Loop("fori_loop body", init_val)
    steps = 1 if unroll is None or unroll is False else max(int(unroll), 1)

    def body(leaves):
        return loop.carry(body_fun(leaves[0], loop.tree.unflatten(leaves[1:])))

    for bound in (lower, upper):
        _scalar("fori_loop: a bound", bound)
    return loop.tree.unflatten(_cotan.fori_loop(lower, upper, body, loop.leaves, steps, loop.name))


def scan(f, init, xs=None, length=None, reverse=False, unroll=1, _split_transpose=False, *, checkpoint=False):
    """f(carry, row) for each row of the leaves of xs along their first axes, the last one first with reverse; f returns (carry, row of
    results). Gives the last carry and the rows stacked. Without xs, length says how often. unroll is a hint. With checkpoint (beyond
    JAX) the derivative keeps about the square root of the number of carries and computes the rest again. ValueError where sizes
    disagree, TypeError where the carry changes its structure, shapes or dtypes."""
    if not callable(f):
        raise TypeError("lax.scan: f argument should be a callable.")
    loop = _Loop("scan body", init)
    rows, xs_tree = tree_flatten(xs)
    for x in rows:
        if not _cotan.is_valid(x):
            raise TypeError(f"Argument {x!r} of type {type(x)} is not a valid JAX type")
    if length is not None:
        try:
            length = operator.index(length)
        except TypeError:
            if int(length) != length:
                raise TypeError(f"scan: length must be an integer, got {length!r}") from None
            length = int(length)
    if not isinstance(unroll, (bool, int)) or unroll < 0:
        raise ValueError("`unroll` must be a `bool` or a non-negative `int`.")
    n, store = len(loop.leaves), []

    def body(leaves):
        out = f(loop.tree.unflatten(leaves[:n]), xs_tree.unflatten(leaves[n:]))
        if not isinstance(out, (tuple, list)) or len(out) != 2:
            raise TypeError(f"scan body output must be a pair, got {out}.")
        carry = loop.carry(out[0])
        results, store[:] = _pair(_flat_result(out[1], "the body of scan must return"))
        return carry + results

    leaves = _cotan.scan(body, loop.leaves, rows, length, bool(reverse), int(unroll), loop.name, bool(checkpoint))
    if not store:
        raise ValueError("zero-length scan is not supported in disable_jit() mode because the output type is unknown.")
    return loop.tree.unflatten(leaves[:n]), store[0].unflatten(leaves[n:])


def _pair(flat):
    return flat[0], [flat[1]]


def map(f, xs, *, batch_size=None):
    """f of each row of the leaves of xs, stacked: one after the other, or batch_size at once by vmap."""
    _check_callable("lax.map: f", f)
    rows, tree = tree_flatten(xs)
    if not rows:
        return scan(lambda _, x: ((), f(x)), (), xs)[1]
    branch = _Branch(lambda x: f(x), tree_structure((xs,)), "the function of map")
    leaves = _cotan.map(branch, rows, 0 if batch_size is None else operator.index(batch_size))
    return branch.out.unflatten(leaves)


_array_scan = _function("lax.associative_scan")


def associative_scan(fn, elems, reverse=False, axis=0):
    """All prefixes of elems, an array or a pytree of them, combined along an axis by fn(before, after), which must be associative and works on
    slices. In about 2 log2(n) steps. ValueError where the sizes along the axis differ."""
    if not callable(fn):
        raise TypeError("lax.associative_scan: fn argument should be callable.")
    leaves, tree = tree_flatten(elems)
    if tree == tree_structure(0):
        return _array_scan(fn, elems, reverse, axis)
    arrays = [x if isinstance(x, _cotan.Array) else _cotan.to_array(x, "associative_scan") for x in leaves]
    if not arrays:
        raise ValueError("associative_scan needs an array, got none")
    if not -arrays[0].ndim <= axis < arrays[0].ndim:
        raise ValueError(f"axis {axis} is out of bounds for array of dimension {arrays[0].ndim}")
    axis %= arrays[0].ndim
    sizes = [x.shape[axis] if axis < x.ndim else None for x in arrays]
    if any(n != sizes[0] for n in sizes):
        raise ValueError(f"Array inputs to associative_scan must have the same first dimension. (saw: {[x.shape for x in arrays]})")

    def combine(a, b):
        results, out = _flat_result(fn(tree.unflatten(a), tree.unflatten(b)), "the function of associative_scan must return")
        if out != tree:
            raise TypeError(f"associative_scan: the function must return a value of the structure of elems, {tree}, got {out}")
        return results

    def part(xs, start, stop, step):
        return [_slice(x, start, stop, step, axis) for x in xs]

    def interleaved(a, b):  # both spread out over zeros, and added
        same = a.shape[axis] == b.shape[axis]

        def spread(x, low, high):
            return _pad(x, _cotan.to_array(x.dtype.type(0), "pad"), [(low, high, 1) if i == axis else (0, 0, 0) for i in range(x.ndim)])
        x, y = spread(a, 0, int(same)), spread(b, 1, int(not same))
        return x | y if x.dtype.name == "bool" else x + y

    def prefixes(xs):
        n = xs[0].shape[axis]
        if n < 2:
            return xs
        odd = prefixes(combine(part(xs, 0, n - 1, 2), part(xs, 1, n, 2)))
        left = odd if n % 2 else part(odd, 0, odd[0].shape[axis] - 1, 1)
        even = [_concatenate([first, rest], axis) for first, rest in zip(part(xs, 0, 1, 1), combine(left, part(xs, 2, n, 2)))]
        return [interleaved(a, b) for a, b in zip(even, odd)]

    def turned(xs):
        return [_rev(x, (axis,)) for x in xs] if reverse else xs
    return tree.unflatten(turned(prefixes(turned(arrays))))


def platform_dependent(*args, default=None, **per_platform):
    """The function for the platform that runs it, of the arguments: per_platform["cpu"] where there is one, else default."""
    chosen = per_platform.get("cpu", default)
    if chosen is None:
        raise NotImplementedError(f"translation rule for platform_dependent not found for platform cpu: got {sorted(per_platform)} and no default")
    _check_callable("lax.platform_dependent: the", chosen)
    return chosen(*args)
