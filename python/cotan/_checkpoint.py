"""checkpoint, also called remat: less memory for a derivative, by computing values again."""
import inspect

from . import _cotan
from ._api import _check_callable, _flat_result, _wraps
from ._cotan import tree_flatten, tree_map
from .tree_util import keystr, tree_flatten_with_path


class _Policy:
    """Says of an equation, (name, parameters, types of operands), whether its results are kept."""

    def __init__(self, text, saves):
        self.text, self.saves = text, saves

    def __call__(self, prim, *avals, **params):
        return self.saves(getattr(prim, "name", str(prim)), params)

    def __repr__(self):
        return self.text


def _is_dot(name, params):
    return name in ("dot_general", "conv_general_dilated")


def _named(names, wanted):
    return lambda name, params: name == "name" and (params["name"] in names) == wanted


class _Policies:
    """jax.checkpoint_policies."""

    everything_saveable = staticmethod(_Policy("everything_saveable", lambda name, params: True))
    nothing_saveable = staticmethod(_Policy("nothing_saveable", lambda name, params: False))
    dots_saveable = checkpoint_dots = staticmethod(_Policy("DotsSaveable(only_if_no_batch_dims=False)", _is_dot))
    dots_with_no_batch_dims_saveable = checkpoint_dots_with_no_batch_dims = staticmethod(
        _Policy("DotsSaveable(only_if_no_batch_dims=True)", lambda name, params: _is_dot(name, params) and not params["dimension_numbers"][1][0]))

    @staticmethod
    def save_only_these_names(*names_which_can_be_saved):
        """Only what checkpoint_name calls so."""
        return _Policy("save_only_these_names", _named(frozenset(names_which_can_be_saved), True))

    @staticmethod
    def save_any_names_but_these(*names_not_to_save):
        """What checkpoint_name names, but for these."""
        return _Policy("save_any_names_but_these", _named(frozenset(names_not_to_save), False))

    @staticmethod
    def save_anything_except_these_names(*names_not_to_save):
        """Everything but what checkpoint_name calls so."""
        names = frozenset(names_not_to_save)
        return _Policy("save_anything_except_these_names", lambda name, params: name != "name" or params["name"] not in names)

    @staticmethod
    def save_from_both_policies(policy_1, policy_2):
        """What one of them keeps."""
        return _Policy("save_from_both_policies", lambda name, params: policy_1(name, **params) or policy_2(name, **params))

    @staticmethod
    def offload_dot_with_no_batch_dims(offload_src, offload_dst):
        raise NotImplementedError("cotan.checkpoint_policies.offload_dot_with_no_batch_dims: there is one memory, that of the host")

    @staticmethod
    def save_and_offload_only_these_names(*, names_which_can_be_saved, names_which_can_be_offloaded, offload_src, offload_dst):
        raise NotImplementedError("cotan.checkpoint_policies.save_and_offload_only_these_names: there is one memory, that of the host")


checkpoint_policies = _Policies()


def _dimension_numbers(params):
    if "lhs_contract" in params:
        params["dimension_numbers"] = ((params["lhs_contract"], params["rhs_contract"]), (params["lhs_batch"], params["rhs_batch"]))
    return params


def _asked(policy):
    """The policy of an equation as the extension module describes it."""
    if policy is None:
        return None

    def saves(equation):
        name, params, avals = equation
        return bool(policy(_Primitive(name), *avals, **_dimension_numbers(dict(params))))
    return saves


class _Primitive:
    def __init__(self, name):
        self.name = name

    def __str__(self):
        return self.name

    __repr__ = __str__


def checkpoint(fun, *, prevent_cse=True, policy=None, static_argnums=(), static_argnames=(), concrete=None):
    """fun, whose derivative keeps its arguments and what the policy says, and computes the rest again. policy(primitive, *avals, **params) says
    whether an operation's results are kept; see checkpoint_policies. Arguments at static_argnums are as in jit."""
    _check_callable(fun, "checkpoint")
    static = (static_argnums,) if isinstance(static_argnums, int) else tuple(static_argnums)
    names = (static_argnames,) if isinstance(static_argnames, str) else tuple(static_argnames)

    def fun_remat(*args, **kwargs):
        n = len(args)
        fixed = {i % n for i in static if -n <= i < n} if n else set()
        open_args = [x for i, x in enumerate(args) if i not in fixed]
        open_kwargs = {k: v for k, v in kwargs.items() if k not in names}
        leaves, tree = tree_flatten((open_args, open_kwargs))
        store = []

        def flat(inner):
            values, inner_kwargs = tree.unflatten(inner)
            values = iter(values)
            full = [args[i] if i in fixed else next(values) for i in range(n)]
            results, *store[:] = _flat_result(fun(*full, **{k: v for k, v in kwargs.items() if k in names}, **inner_kwargs),
                                              "the function of checkpoint must return")
            return results
        for x in leaves:
            if not _cotan.is_valid(x):
                raise TypeError(f"checkpoint: got an argument of type {type(x)}, which is not a valid JAX type; list its position in static_argnums")
        results = _cotan.checkpoint(flat, _asked(policy), repr(policy) if isinstance(policy, _Policy) else getattr(policy, "__name__", repr(policy)),
                                    prevent_cse is not False, leaves)
        return store[0].unflatten(results)

    return _wraps(fun, fun_remat)


def remat(fun, *, prevent_cse=True, policy=None, static_argnums=(), concrete=None):
    """checkpoint, by its other name."""
    return checkpoint(fun, prevent_cse=prevent_cse, policy=policy, static_argnums=static_argnums)


def checkpoint_name(x, name):
    """x under a name that policies may ask for, leaf by leaf."""
    return tree_map(lambda leaf: _cotan.checkpoint_name(leaf, name), x)


def _residuals(f, args, kwargs):
    leaves, tree = tree_flatten((args, kwargs))

    def flat(inner):
        a, k = tree.unflatten(inner)
        return _flat_result(f(*a, **k), "the function must return")[0]
    return _cotan.saved_residuals(flat, [_cotan.aval_of(x) for x in leaves])


def _leaf_names(f, args, kwargs):
    """What the leaves of the arguments are called: "y['b'][0]"."""
    leaves, tree = tree_flatten((args, kwargs))
    args, kwargs = tree.unflatten(range(len(leaves)))
    try:
        signature = inspect.signature(f)
        named = signature.bind(*args, **kwargs).arguments
    except (TypeError, ValueError):
        return {}
    for p in signature.parameters.values():
        if p.kind is p.VAR_KEYWORD:
            named.update(named.pop(p.name, {}))
    return {place: name + keystr(path) for name, value in named.items() for path, place in tree_flatten_with_path(value)[0]}


def saved_residuals(f, *args, **kwargs):
    """[(aval, description)] of what is kept when f is differentiated in all arguments."""
    names, out = _leaf_names(f, args, kwargs), []
    for aval, argument, name, primitive, line in _residuals(f, args, kwargs):
        where = f"from the argument {names.get(argument, argument)}" if argument is not None else f"named '{name}'" if name else \
            f"output of {primitive}" if primitive else "from a constant"
        out.append((aval, where + (f" from {line}" if line and argument is None else "")))
    return out


def print_saved_residuals(f, *args, **kwargs):
    """Prints what is kept when f is differentiated in all arguments."""
    for aval, where in saved_residuals(f, *args, **kwargs):
        print(f"{aval.str_short(short_dtypes=True)} {where}")
