"""The transformations on Python functions. What happens to arrays is the extension module's; here are pytrees and arguments."""
import functools
import operator

from . import _cotan
from ._cotan import tree_flatten, tree_leaves, tree_map, tree_structure
from ._table import seal as _seal
from .tree_util import broadcast_prefix, keystr, tree_flatten_with_path


def _check_callable(fun, what):
    if not callable(fun):
        raise TypeError(f"Expected a callable value, got {fun!r}: {what} transforms a function")


def _array(x, what):
    return x if isinstance(x, _cotan.Array) else _cotan.to_array(x, what)


def _wraps(fun, made):
    """What users get for fun: under its name, and without this package's frames in tracebacks."""
    try:
        functools.update_wrapper(made, fun)
    except (AttributeError, TypeError):
        pass
    return _cotan.boundary(made)


def _positions(argnums, n, what):
    """argnums counted from the front."""
    many = not isinstance(argnums, int)
    given = tuple(argnums) if many else (argnums,)
    out = []
    for i in given:
        i = operator.index(i)
        if not -n <= i < n:
            raise TypeError(f"{what} with respect to argnums={argnums} requires at least {i + 1 if i >= 0 else -i} positional arguments "
                             f"to be passed by the caller, but got only {n} positional arguments.")
        out.append(i % n)
    return out, many


def _flat_result(out, what):
    """(leaves, structure) of what a function returned. TypeError for leaves that are no arrays or numbers."""
    results, tree = tree_flatten(out)
    for r in results:
        if not _cotan.is_valid(r):
            raise TypeError(f"{what} arrays, numbers and pytrees of them, got a value of type {type(r)}")
    return results, tree


class _Flat:
    """fun of some leaves of its arguments, as the flat transformations take it; keeps the structure of what it returned. Leaves of
    auxiliary results that are no arrays are kept as they are."""

    def __init__(self, fun, args, kwargs, positions, has_aux):
        self.fun, self.kwargs, self.has_aux = fun, kwargs, has_aux
        self.args, self.positions = list(args), positions
        self.leaves, self.tree = tree_flatten([args[i] for i in positions])

    def __call__(self, leaves):
        args = self.args[:]
        for i, value in zip(self.positions, self.tree.unflatten(leaves)):
            args[i] = value
        out = self.fun(*args, **self.kwargs)
        aux_leaves = ()
        if self.has_aux:
            if not (isinstance(out, (tuple, list)) and len(out) == 2):
                raise TypeError(f"expected function with aux output to return a two-element tuple, but got type {type(out)} with value {out!r}")
            out, aux = out
            aux_leaves, self.aux_tree = tree_flatten(aux)
            self.aux_kept = [None if isinstance(x, _cotan.Array) else (x,) for x in aux_leaves]
            aux_leaves = [x for x, kept in zip(aux_leaves, self.aux_kept) if kept is None]
        results, self.out_tree = _flat_result(out, "the function must return")
        self.out_count = len(results)
        return results + list(aux_leaves)

    def result(self, leaves):
        return self.out_tree.unflatten(leaves[:self.out_count])

    def aux(self, leaves):
        arrays = iter(leaves[self.out_count:])
        return self.aux_tree.unflatten([next(arrays) if kept is None else kept[0] for kept in self.aux_kept])

    def jacobian(self, parts, leaves, many):
        """The Jacobian of its parts: of each result, those for the leaves of the arguments."""
        trees = [self.tree.unflatten(p) for p in parts]
        jacobian = self.out_tree.unflatten([tuple(t) if many else t[0] for t in trees])
        return (jacobian, self.aux(leaves)) if self.has_aux else jacobian


def _is_float0(x):
    return getattr(x, "dtype", None) is not None and not isinstance(x, _cotan.Array) and x.dtype.names == ("float0",)


def _kind(dtype):
    """'f', 'c', 'i', 'b' or 'V' (keys, float0)."""
    name = dtype.name
    if name.startswith(("float", "bfloat")) and dtype.kind != "V" or name == "bfloat16":
        return "f"
    return {"c": "c", "i": "i", "u": "i", "b": "b"}.get(dtype.kind, "V")


def _check_input_reverse(name, x, holomorphic, allow_int):
    kind = _kind(x.dtype)
    if holomorphic:
        if kind != "c":
            raise TypeError(f"{name} with holomorphic=True requires inputs with complex dtype, but got {x.dtype.name}.")
    elif kind == "V":
        raise TypeError(f"{name} requires real- or complex-valued inputs (input dtype that is a sub-dtype of np.inexact), but got {x.dtype.name}.")
    elif kind in "ib" and not allow_int:
        raise TypeError(f"{name} requires real- or complex-valued inputs (input dtype that is a sub-dtype of np.inexact), but got {x.dtype.name}. "
                        "If you want to use Boolean- or integer-valued inputs, use vjp or set allow_int to True.")


def _check_output_reverse(name, x, holomorphic):
    kind = _kind(x.dtype)
    if holomorphic:
        if kind != "c":
            raise TypeError(f"{name} with holomorphic=True requires outputs with complex dtype, but got {x.dtype.name}.")
    elif kind == "V":
        raise TypeError(f"{name} requires real- or complex-valued outputs (output dtype that is a sub-dtype of np.inexact), but got {x.dtype.name}.")
    elif kind == "c":
        raise TypeError(f"{name} requires real-valued outputs (output dtype that is a sub-dtype of np.floating), but got {x.dtype.name}. "
                        "For holomorphic differentiation, pass holomorphic=True. For differentiation of non-holomorphic functions "
                        "involving complex outputs, use vjp directly.")
    elif kind != "f":
        raise TypeError(f"{name} requires real-valued outputs (output dtype that is a sub-dtype of np.floating), but got {x.dtype.name}. "
                        "For differentiation of functions with integer outputs, use vjp directly.")


def value_and_grad(fun, argnums=0, has_aux=False, holomorphic=False, allow_int=False, reduce_axes=()):
    """A function that returns (fun(...), gradient of it with respect to the arguments argnums). fun returns a scalar of shape ();
    with has_aux a pair (scalar, anything), and then the value is that pair. TypeError for other shapes and for integers."""
    _check_callable(fun, "value_and_grad")

    def value_and_grad_f(*args, **kwargs):
        positions, many = _positions(argnums, len(args), "differentiating")
        flat = _Flat(fun, args, kwargs, positions, has_aux)
        for x in flat.leaves:
            _check_input_reverse("grad", _array(x, "grad"), holomorphic, allow_int)
        leaves, linear = _cotan.linearize(flat, flat.leaves)
        value = flat.result(leaves)
        if not isinstance(value, _cotan.Array):
            raise TypeError(f"Gradient only defined for scalar-output functions. Output was: {value}.")
        if value.shape != ():
            raise TypeError(f"Gradient only defined for scalar-output functions. Output had shape: {value.shape}.")
        _check_output_reverse("grad", value, holomorphic)
        gradients = flat.tree.unflatten(linear.transpose([_cotan.one_like(value)] + [None] * (len(leaves) - 1)))
        gradient = tuple(gradients) if many else gradients[0]
        return ((value, flat.aux(leaves)) if has_aux else value), gradient

    return _wraps(fun, value_and_grad_f)


def grad(fun, argnums=0, has_aux=False, holomorphic=False, allow_int=False, reduce_axes=()):
    """The gradient of fun with respect to the arguments argnums; with has_aux (gradient, aux). See value_and_grad."""
    both = value_and_grad(fun, argnums, has_aux, holomorphic, allow_int, reduce_axes)

    def grad_f(*args, **kwargs):
        value, gradient = both(*args, **kwargs)
        return (gradient, value[1]) if has_aux else gradient

    return _wraps(fun, grad_f)


def _check_tree(what, want, got_tree, got):
    if got_tree != want:
        raise ValueError(f"{what}: expected the tree structure {want}, got {got_tree}")


def vjp(fun, *primals, has_aux=False, reduce_axes=()):
    """(fun(*primals), f): f maps a cotangent of the result to the tuple of cotangents of the primals. With has_aux also aux."""
    _check_callable(fun, "vjp")
    flat = _Flat(fun, primals, {}, range(len(primals)), has_aux)
    leaves, linear = _cotan.linearize(flat, flat.leaves)
    avals = linear.out_avals
    out_tree, count, in_tree, total = flat.out_tree, flat.out_count, flat.tree, len(leaves)
    function, residuals = _apart(linear)

    def vjp_fun(residuals, *cotangents):
        if len(cotangents) != 1:
            raise TypeError(f"The function returned by `jax.vjp` applied to a function takes one argument, the cotangent of its result; got {len(cotangents)}")
        cts, tree = tree_flatten(cotangents[0])
        _check_tree("Tree structure of cotangent input does not match the structure of the output of the function", out_tree, tree, cts)
        for ct, aval, path in zip(cts, avals, _leaf_paths(out_tree)):
            _check_cotangent(ct, aval, path)
        return tuple(in_tree.unflatten(function.with_residuals(residuals).transpose(cts + [None] * (total - count))))

    out, pullback = flat.result(leaves), Partial(vjp_fun, residuals)
    return (out, pullback, flat.aux(leaves)) if has_aux else (out, pullback)


def _apart(linear):
    """A linear function and its residuals, which become leaves: what returns it may be traced, and it may be a residual itself."""
    return linear.without_residuals(), linear.residuals


def _leaf_paths(tree):
    return [path for path, _ in tree_flatten_with_path(tree.unflatten([0] * tree.num_leaves))[0]]


def _check_cotangent(ct, aval, path):
    if _is_float0(ct):
        got = (ct.shape, "float0")
    else:
        a = _array(ct, "vjp")
        got = (a.shape, a.dtype.name)
    want = (aval.shape, "float0" if aval.dtype.names else aval.dtype.name)
    if got != want:
        at = f" at {keystr(path)}" if path else ""
        raise ValueError(f"unexpected JAX type (e.g. shape/dtype) for argument to vjp function: got {got[1]}[{','.join(map(str, got[0]))}], "
                         f"but expected {want[1]}[{','.join(map(str, want[0]))}]{at}")


def jvp(fun, primals, tangents, has_aux=False):
    """(fun(*primals), its derivative along tangents); with has_aux also aux."""
    _check_callable(fun, "jvp")
    if not isinstance(primals, (tuple, list)) or not isinstance(tangents, (tuple, list)):
        raise TypeError(f"primal and tangent arguments to jax.jvp must be tuples or lists; found {type(primals).__name__} and {type(tangents).__name__}.")
    flat = _Flat(fun, primals, {}, range(len(primals)), has_aux)
    ts, tree = tree_flatten(list(tangents))
    if tree != flat.tree:
        raise TypeError("primal and tangent arguments to jax.jvp must have the same tree structure; primals have tree structure "
                        f"{flat.tree} whereas tangents have tree structure {tree}.")
    for p, t in zip(flat.leaves, ts):
        _check_tangent(_array(p, "jvp"), t)
    leaves, out_tangents = _cotan.jvp(flat, flat.leaves, ts)
    out, dout = flat.result(leaves), flat.result(out_tangents)
    return (out, dout, flat.aux(leaves)) if has_aux else (out, dout)


def _check_tangent(p, t):
    got = ("float0", t.shape) if _is_float0(t) else (lambda a: (a.dtype.name, a.shape))(_array(t, "jvp"))
    want = p.dtype.name if _kind(p.dtype) in "fc" else "float0"
    if got[0] != want:
        raise TypeError("primal and tangent arguments to jax.jvp do not match; dtypes must be equal, or in case of int/bool primal dtype the tangent "
                        f"dtype must be float0. Got primal dtype {p.dtype.name} and so expected tangent dtype {want}, but got tangent dtype {got[0]} instead.")
    if tuple(got[1]) != p.shape:
        raise ValueError("jvp called with different primal and tangent shapes; "
                         f"Got primal shape {p.shape} and tangent shape as {tuple(got[1])}")


def linearize(fun, *primals, has_aux=False):
    """(fun(*primals), f): f maps tangents of the primals to the tangent of the result, without running fun again."""
    _check_callable(fun, "linearize")
    flat = _Flat(fun, primals, {}, range(len(primals)), has_aux)
    leaves, linear = _cotan.linearize(flat, flat.leaves)
    in_tree, out_tree, count, avals = flat.tree, flat.out_tree, flat.out_count, linear.in_avals
    function, residuals = _apart(linear)

    def lifted_jvp(residuals, *tangents):
        ts, tree = tree_flatten(list(tangents))
        _check_tree("linearized function called on tangent values", in_tree, tree, ts)
        for t, aval in zip(ts, avals):
            got = t.dtype.names == ("float0",) if _is_float0(t) else _array(t, "linearize")
            if got is not True and (got.shape != aval.shape or got.dtype != aval.dtype):
                raise ValueError("linearized function called on tangent values inconsistent with the original primal values: "
                                 f"got tangent {got.dtype.name}{list(got.shape)} for {aval}")
        return out_tree.unflatten(function.with_residuals(residuals).apply(ts)[:count])

    out, pushforward = flat.result(leaves), Partial(lifted_jvp, residuals)
    return (out, pushforward, flat.aux(leaves)) if has_aux else (out, pushforward)


def linear_transpose(fun, *primals, reduce_axes=()):
    """The transpose of a function that is linear in its arguments, of which only shapes and dtypes are used."""
    _check_callable(fun, "linear_transpose")
    flat = _Flat(fun, primals, {}, range(len(primals)), False)
    linear = _cotan.linear_jaxpr(flat, [_cotan.aval_of(x) for x in flat.leaves])
    in_tree, out_tree, avals = flat.tree, flat.out_tree, linear.out_avals

    def transposed_fun(out_cotangent):
        cts, tree = tree_flatten(out_cotangent)
        if tree != out_tree:
            raise TypeError(f"cotangent tree does not match function output, expected {out_tree} but got {tree}")
        for ct, aval in zip(cts, avals):
            a = _array(ct, "linear_transpose")
            if a.shape != aval.shape or a.dtype != aval.dtype:
                raise TypeError(f"cotangent type does not match function output, expected {aval} but got {a.dtype.name}{list(a.shape)}")
        return tuple(in_tree.unflatten(linear.transpose(cts)))

    return transposed_fun


def _axes_of(name, tree, axes):
    """One axis (or None) for each leaf of a tree."""
    try:
        return broadcast_prefix(axes, tree, is_leaf=lambda x: x is None)
    except ValueError as error:
        raise ValueError(f"{name} specification must be a tree prefix of the corresponding value, got specification {axes} "
                         f"for value tree {tree_structure(tree)}.\n{error}") from None


def vmap(fun, in_axes=0, out_axes=0, axis_name=None, axis_size=None, spmd_axis_name=None, sum_match=False):
    """fun mapped over axes of its arguments. in_axes: an axis, None (shared) or a tree prefix of the arguments of them."""
    _check_callable(fun, "vmap")
    if isinstance(in_axes, list):
        in_axes = tuple(in_axes)
    if not (in_axes is None or isinstance(in_axes, (int, tuple, dict))):
        raise TypeError("vmap in_axes must be an int, None, or a tuple of entries corresponding to the positional arguments passed to the function, "
                        f"but got {in_axes}.")
    for axis in tree_leaves(in_axes):
        if not isinstance(axis, int):
            raise TypeError(f"vmap in_axes must be an int, None, or (nested) container with those types as leaves, but got {in_axes}.")
    for axis in tree_leaves(out_axes):
        if not isinstance(axis, int):
            raise TypeError(f"vmap out_axes must be an int, None, or (nested) container with those types as leaves, but got {out_axes}.")

    def vmap_f(*args, **kwargs):
        if isinstance(in_axes, tuple) and len(in_axes) != len(args):
            raise ValueError("vmap in_axes must be an int, None, or a tuple of entries corresponding to the positional arguments passed to the function, "
                             f"but got len(in_axes)={len(in_axes)}, len(args)={len(args)}")
        leaves, tree = tree_flatten((args, kwargs))
        axes = _axes_of("vmap in_axes", args, in_axes)
        axes += [0] * (len(leaves) - len(axes))
        arrays = [_array(x, "vmap") for x in leaves]
        axes, size = _mapped(arrays, axes, axis_size, args, kwargs)
        store = []

        def flat(inner):
            inner_args, inner_kwargs = tree.unflatten(inner)
            results, _ = store[:] = _flat_result(fun(*inner_args, **inner_kwargs), "the function mapped by vmap must return")
            return results

        got = _cotan.vmap(flat, arrays, axes, size, axis_name or "")
        returned, out_tree = store
        out = _axes_of("vmap out_axes", out_tree.unflatten([0] * len(got)), out_axes)
        return out_tree.unflatten([given if to is None and not isinstance(given, _cotan.Array) else _placed(value, axis, to, size)
                                   for given, (value, axis), to in zip(returned, got, out)])

    return _wraps(fun, vmap_f)


def _placed(value, axis, to, size):
    if to is None:
        if axis is None:
            return value
        raise ValueError(f"vmap has mapped output but out_axes is None: output of shape {value.shape} is batched on axis {axis}")
    rank = value.ndim + (axis is None)
    if not -rank <= to < rank:
        raise ValueError(f"axis {to} is out of bounds for array of dimension {rank}")
    return _cotan.with_batch_axis(value, axis, to % rank, size)


def _mapped(arrays, axes, axis_size, args, kwargs):
    """Axes from the front, and the common size."""
    out, size, same = [], axis_size, True
    for x, axis in zip(arrays, axes):
        if axis is None:
            out.append(None)
            continue
        if not -x.ndim <= axis < x.ndim:
            raise ValueError(f"vmap was requested to map its argument along axis {axis}, which implies that its rank should be at least "
                             f"{axis + 1 if axis >= 0 else -axis}, but is only {x.ndim} (its shape is {x.shape})")
        out.append(axis % x.ndim)
        n = x.shape[out[-1]]
        size = n if size is None else size
        same = same and n == size
    if not arrays and axis_size is None:
        raise ValueError("vmap wrapped function must be passed at least one argument containing an array or axis_size must be specified, "
                         f"got empty *args={args} and **kwargs={kwargs}")
    if size is None:
        raise ValueError("vmap must have at least one non-None value in in_axes")
    if not same:
        lines = []
        for (path, _), x, axis in zip(tree_flatten_with_path((args, kwargs))[0], arrays, out):
            if axis is not None:
                where = keystr(path[1:])
                lines.append(f"  * size {x.shape[axis]}: axis {axis} of {'args' if path[0].idx == 0 else 'kwargs'}{where} of type {x.dtype.name}{list(x.shape)}")
        if axis_size is not None:
            lines.insert(0, f"  * the axis_size option was {axis_size}")
        raise ValueError("vmap got inconsistent sizes for array axes to be mapped:\n" + "\n".join(lines))
    return out, size


def _std_basis(leaves):
    """One row of the identity matrix for each element of all leaves, as leaves with a new first axis."""
    from . import numpy as jnp
    total = sum(x.size for x in leaves)
    offset, out = 0, []
    for x in leaves:
        rows = jnp.eye(total, x.size, -offset, dtype=x.dtype)
        out.append(rows.reshape((total,) + x.shape))
        offset += x.size
    return out


def _split(columns, leaves, axis, like):
    """Parts of an axis, one for each leaf, in its shape, of the dtype and weak type of `like`."""
    offset, out = 0, []
    if _kind(columns.dtype) == "c" and _kind(like.dtype) != "c":
        columns = columns.real
    columns = _cotan.convert(columns, like.dtype, like.weak_type)
    for x in leaves:
        index = [slice(None)] * columns.ndim
        index[axis] = slice(offset, offset + x.size)
        part = columns[tuple(index)]
        out.append(part.reshape(columns.shape[:axis] + x.shape + columns.shape[axis + 1:]))
        offset += x.size
    return out


def jacfwd(fun, argnums=0, has_aux=False, holomorphic=False):
    """The Jacobian of fun with respect to argnums by forward mode, one column at a time."""
    _check_callable(fun, "jacfwd")

    def jacfun(*args, **kwargs):
        positions, many = _positions(argnums, len(args), "differentiating")
        flat = _Flat(fun, args, kwargs, positions, has_aux)
        arrays = [_array(x, "jacfwd") for x in flat.leaves]
        for x in arrays:
            _check_forward("jacfwd", "inputs", x, holomorphic)
        is_zero = []  # of each result: its tangents are those of integers

        def push(basis):
            leaves, tangents = _cotan.jvp(flat, arrays, basis)
            is_zero[:] = map(_is_float0, tangents)
            return leaves + [t for t, zero in zip(tangents, is_zero) if not zero]

        basis = _std_basis(arrays)
        n = sum(x.size for x in arrays)
        got = _cotan.vmap(push, basis, [0] * len(basis), n, "")
        count = len(is_zero)
        leaves = [value if axis is None else _take_first(value, axis) for value, axis in got[:count]]
        tangents = iter(got[count:])
        columns = []  # for each result, its derivatives along the last axis
        for y, zero in zip(leaves[:flat.out_count], is_zero):
            _check_forward("jacfwd", "outputs", y, holomorphic)
            value, axis = (_zeros(y), None) if zero else next(tangents)
            columns.append(_split(_cotan.with_batch_axis(value, axis, y.ndim, n), arrays, y.ndim, y))
        return flat.jacobian(columns, leaves, many)

    return _wraps(fun, jacfun)


def _take_first(value, axis):
    return value[(slice(None),) * axis + (0,)]


def _zeros(y):
    from . import numpy as jnp
    return jnp.zeros(y.shape, y.dtype)


def _check_forward(name, what, x, holomorphic):
    kind = _kind(x.dtype)
    if holomorphic:
        if kind != "c":
            raise TypeError(f"{name} with holomorphic=True requires {what} with complex dtype, but got {x.dtype.name}.")
    elif kind == "c":
        raise TypeError(f"{name} requires real-valued {what} (sub-dtype of np.floating), but got {x.dtype.name}. For holomorphic differentiation, "
                        "pass holomorphic=True. For differentiation of non-holomorphic functions involving complex values, use jvp directly.")
    elif what == "inputs" and kind != "f":
        raise TypeError(f"{name} requires real-valued inputs (input dtype that is a sub-dtype of np.floating), but got {x.dtype.name}. "
                        "For differentiation of functions with integer inputs, use jvp directly.")


def jacrev(fun, argnums=0, has_aux=False, holomorphic=False, allow_int=False):
    """The Jacobian of fun with respect to argnums by reverse mode, one row at a time."""
    _check_callable(fun, "jacrev")

    def jacfun(*args, **kwargs):
        positions, many = _positions(argnums, len(args), "differentiating")
        flat = _Flat(fun, args, kwargs, positions, has_aux)
        arrays = [_array(x, "jacrev") for x in flat.leaves]
        for x in arrays:
            _check_input_reverse("jacrev", x, holomorphic, allow_int)
        leaves, linear = _cotan.linearize(flat, arrays)
        outs = leaves[:flat.out_count]
        for y in outs:
            _check_output_reverse("jacrev", y, holomorphic)
        zeros = [None] * (len(leaves) - len(outs))
        inexact = [_kind(x.dtype) in "fc" for x in arrays]

        def pull(basis):
            return [g for g, keep in zip(linear.transpose(basis + zeros), inexact) if keep]

        n = sum(y.size for y in outs)
        basis = _std_basis(outs)
        got = iter(_cotan.vmap(pull, basis, [0] * len(basis), n, ""))
        rows = []  # for each leaf of the arguments, its part for each result
        for x, keep in zip(arrays, inexact):
            if keep:
                value, axis = next(got)
                rows.append(_split(_cotan.with_batch_axis(value, axis, 0, n), outs, 0, x))
            else:
                from . import numpy as jnp
                rows.append([jnp.zeros(y.shape + x.shape, x.dtype) for y in outs])
        return flat.jacobian([list(parts) for parts in zip(*rows)] if rows else [[] for _ in outs], leaves, many)

    return _wraps(fun, jacfun)


jacobian = jacrev


def hessian(fun, argnums=0, has_aux=False, holomorphic=False):
    """The matrix of second derivatives: jacfwd(jacrev(fun))."""
    return jacfwd(jacrev(fun, argnums, has_aux, holomorphic), argnums, has_aux, holomorphic)


class ShapeDtypeStruct:
    """Shape and dtype of an array, without elements."""

    __slots__ = ("shape", "dtype", "weak_type", "sharding")

    def __init__(self, shape, dtype, *, sharding=None, weak_type=False, manual_axis_type=None, is_ref=False):
        if is_ref or manual_axis_type is not None:
            raise NotImplementedError("ShapeDtypeStruct: is_ref and manual_axis_type are not there yet")
        if dtype is None:
            raise ValueError("ShapeDtypeStruct: dtype must be specified.")
        self.shape, self.dtype, self.weak_type, self.sharding = tuple(shape), _cotan.dtype_from(dtype), weak_type, sharding

    size = property(lambda self: functools.reduce(operator.mul, self.shape, 1))
    ndim = property(lambda self: len(self.shape))

    def __len__(self):
        try:
            return self.shape[0]
        except IndexError:
            raise TypeError("len() of unsized object") from None

    def __eq__(self, other):
        return isinstance(other, ShapeDtypeStruct) and (self.shape, self.dtype, self.weak_type) == (other.shape, other.dtype, other.weak_type)

    def __hash__(self):
        return hash((self.shape, self.dtype, self.weak_type))

    def __repr__(self):
        return f"ShapeDtypeStruct(shape={self.shape}, dtype={self.dtype.name}{', weak_type=True' if self.weak_type else ''})"


def _struct(aval):
    return ShapeDtypeStruct(aval.shape, aval.dtype, weak_type=aval.weak_type)


def _traced(fun, args, kwargs, static=()):
    """(jaxpr, structure of the results) of fun at such arguments."""
    dynamic = [i for i in range(len(args)) if i not in static]
    leaves, tree = tree_flatten(([args[i] for i in dynamic], kwargs))
    store = []

    def flat(inner):
        given, keywords = tree.unflatten(inner)
        full = list(args)
        for i, value in zip(dynamic, given):
            full[i] = value
        results, *store[:] = _flat_result(fun(*full, **keywords), "the traced function must return")
        return results

    jaxpr = _cotan.make_jaxpr(flat, leaves, fun)
    return jaxpr, store[0]


def make_jaxpr(fun, static_argnums=(), axis_env=None, return_shape=False):
    """A function of fun's arguments that returns the jaxpr of fun; with return_shape also the shapes of its results."""
    _check_callable(fun, "make_jaxpr")
    static = (static_argnums,) if isinstance(static_argnums, int) else tuple(static_argnums)

    def make_jaxpr_f(*args, **kwargs):
        with _cotan.axis_scopes(axis_env or []):
            jaxpr, out_tree = _traced(fun, args, kwargs, [i % len(args) for i in static if -len(args) <= i < len(args)])
        return (jaxpr, out_tree.unflatten([_struct(a) for a in jaxpr.out_avals])) if return_shape else jaxpr

    return _wraps(fun, make_jaxpr_f)


def eval_shape(fun, *args, **kwargs):
    """The shapes and dtypes of fun(*args, **kwargs), as ShapeDtypeStructs. Nothing is computed."""
    jaxpr, out_tree = _traced(fun, args, kwargs)
    return out_tree.unflatten([_struct(a) for a in jaxpr.out_avals])


from .tree_util import Partial  # noqa: E402  (after the functions that it wraps)

_seal(globals())
