"""Pytrees: jax.tree_util."""
import dataclasses
import functools

from . import _cotan
from ._cotan import PyTreeDef

_KIND_TUPLE, _KIND_LIST, _KIND_NAMED_TUPLE, _KIND_CUSTOM = 2, 3, 5, 8


class _Key:
    """One step of a path."""

    __slots__ = ("_value",)

    def __init__(self, value):
        self._value = value

    def __eq__(self, other):
        return type(self) is type(other) and self._value == other._value

    def __hash__(self):
        return hash((type(self), self._value))

    def __repr__(self):
        return f"{type(self).__name__}({self._field}={self._value!r})"


class SequenceKey(_Key):
    __slots__ = ()
    _field = "idx"
    __match_args__ = ("idx",)
    idx = property(lambda self: self._value)

    def __str__(self):
        return f"[{self._value}]"


class DictKey(_Key):
    __slots__ = ()
    _field = "key"
    __match_args__ = ("key",)
    key = property(lambda self: self._value)

    def __str__(self):
        return f"[{self._value!r}]"


class GetAttrKey(_Key):
    __slots__ = ()
    _field = "name"
    __match_args__ = ("name",)
    name = property(lambda self: self._value)

    def __str__(self):
        return f".{self._value}"


class FlattenedIndexKey(_Key):
    __slots__ = ()
    _field = "key"
    __match_args__ = ("key",)
    key = property(lambda self: self._value)

    def __str__(self):
        return f"[<flat index {self._value}>]"


KeyPath = tuple
KeyEntry = _Key


def tree_flatten(tree, is_leaf=None):
    """(list of the leaves, structure). Where is_leaf(x) is true, x is a leaf."""
    return _cotan.tree_flatten(tree, is_leaf)


def tree_leaves(tree, is_leaf=None):
    """The list of the leaves."""
    return _cotan.tree_leaves(tree, is_leaf)


def tree_structure(tree, is_leaf=None):
    """The structure: containers, without their leaves."""
    return _cotan.tree_structure(tree, is_leaf)


def tree_unflatten(treedef, leaves):
    """The tree of this structure with these leaves. ValueError if their number is another."""
    return _cotan.tree_unflatten(treedef, leaves)


def tree_map(f, tree, *rest, is_leaf=None):
    """f of each leaf, and of what stands in its place in the other trees, of which the first is a prefix."""
    return _cotan.tree_map(f, tree, *rest, is_leaf=is_leaf)


def keystr(keys, *, simple=False, separator=""):
    """A path as text: "['a'][0].b"; `simple`: "a/0/b" with separator="/"."""
    if simple:
        return separator.join(str(k._value) if isinstance(k, _Key) else str(k) for k in keys)
    return separator.join(map(str, keys))


def _keys_of(tree, level):
    kind, children, data = level
    if data is None:
        if kind in (_KIND_TUPLE, _KIND_LIST):
            return [SequenceKey(i) for i in range(len(children))]
        return [FlattenedIndexKey(i) for i in range(len(children))]
    if kind == _KIND_NAMED_TUPLE:
        return [GetAttrKey(n) for n in data._fields]
    if isinstance(data, list) and kind != _KIND_CUSTOM:
        return [DictKey(k) for k in data]
    return list(data)


def tree_leaves_with_path(tree, is_leaf=None, is_leaf_takes_path=False):
    """(path, leaf) of every leaf."""
    out = []

    def visit(path, node):
        stop = is_leaf is not None and (is_leaf(path, node) if is_leaf_takes_path else is_leaf(node))
        level = None if stop else _cotan.tree_one_level(node)
        if level is None:
            out.append((path, node))
            return
        for key, child in zip(_keys_of(node, level), level[1]):
            visit(path + (key,), child)

    visit((), tree)
    return out


def tree_flatten_with_path(tree, is_leaf=None, is_leaf_takes_path=False):
    """((path, leaf) of every leaf, structure)."""
    pairs = tree_leaves_with_path(tree, is_leaf, is_leaf_takes_path)
    if is_leaf is None:
        return pairs, tree_structure(tree)
    stops = {id(leaf) for _, leaf in pairs}
    return pairs, tree_structure(tree, lambda x: id(x) in stops)


def tree_map_with_path(f, tree, *rest, is_leaf=None, is_leaf_takes_path=False):
    """f(path, leaf, ...) at every leaf."""
    pairs, treedef = tree_flatten_with_path(tree, is_leaf, is_leaf_takes_path)
    others = [treedef.flatten_up_to(r) for r in rest]
    return treedef.unflatten([f(path, leaf, *more) for (path, leaf), *more in zip(pairs, *others)])


class _Unspecified:
    def __repr__(self):
        return "Unspecified()"


_unspecified = _Unspecified()


def tree_reduce(function, tree, initializer=_unspecified, is_leaf=None):
    """functools.reduce over the leaves."""
    leaves = tree_leaves(tree, is_leaf)
    return functools.reduce(function, leaves) if initializer is _unspecified else functools.reduce(function, leaves, initializer)


def tree_reduce_associative(operation, tree, *, identity=_unspecified, is_leaf=None):
    """A balanced reduction over the leaves."""
    values = tree_leaves(tree, is_leaf)
    if not values:
        if identity is _unspecified:
            raise TypeError("tree_reduce_associative: a tree without leaves needs an identity")
        return identity
    while len(values) > 1:
        values = [operation(*values[i:i + 2]) if i + 1 < len(values) else values[i] for i in range(0, len(values), 2)]
    return values[0]


def tree_all(tree, *, is_leaf=None):
    return all(tree_leaves(tree, is_leaf))


def all_leaves(iterable, is_leaf=None):
    items = list(iterable)
    return tree_leaves(items, is_leaf) == items if is_leaf else all(_cotan.tree_one_level(x) is None for x in items)


def tree_transpose(outer_treedef, inner_treedef, pytree_to_transpose):
    """A tree of outer structure whose leaves have the inner one, turned inside out."""
    rows = outer_treedef.flatten_up_to(pytree_to_transpose)
    if inner_treedef is None:
        inner_treedef = tree_structure(rows[0])
    columns = zip(*(_leaves_of(inner_treedef, r) for r in rows))
    return inner_treedef.unflatten([outer_treedef.unflatten(list(c)) for c in columns])


def _leaves_of(treedef, tree):
    leaves, got = tree_flatten(tree)
    if got != treedef:
        raise TypeError(f"tree_transpose: expected the structure {treedef}, got {got}")
    return leaves


def treedef_children(treedef):
    return treedef.children()


def treedef_is_leaf(treedef):
    return treedef.num_nodes == 1


def treedef_tuple(treedefs):
    treedefs = list(treedefs)
    return _cotan.tree_compose_each(tree_structure((0,) * len(treedefs)), treedefs)


def build_tree(treedef, xs):
    return treedef.unflatten(tree_leaves(xs))


def _prefix_leaves(prefix, tree, is_leaf, path, out, what):
    stop = is_leaf is not None and is_leaf(prefix)
    level = None if stop else _cotan.tree_one_level(prefix)
    if level is None:
        out.extend([prefix] * len(tree_leaves(tree)))
        return
    full = _cotan.tree_one_level(tree)
    where = f"{what}{keystr(path)}"
    if full is None or full[0] != level[0]:
        raise ValueError(f"pytree structure error: different types at key path {where}: the prefix is of type {type(prefix).__name__}, "
                         f"the full tree of type {type(tree).__name__}: {tree!r}")
    if len(level[1]) != len(full[1]):
        raise ValueError(f"pytree structure error: different lengths of {type(prefix).__name__} at key path {where}: "
                         f"{len(level[1])} in the prefix, {len(full[1])} in the full tree")
    keys, full_keys = _keys_of(prefix, level), _keys_of(tree, full)
    if keys != full_keys:
        raise ValueError(f"pytree structure error: different keys at key path {where}: {keys} in the prefix, {full_keys} in the full tree")
    for key, p, t in zip(keys, level[1], full[1]):
        _prefix_leaves(p, t, is_leaf, path + (key,), out, what)


def broadcast_prefix(prefix_tree, full_tree, is_leaf=None, what=""):
    """One leaf of the prefix for each leaf of the full tree."""
    out = []
    _prefix_leaves(prefix_tree, full_tree, is_leaf, (), out, what)
    return out


def tree_broadcast(prefix_tree, full_tree, is_leaf=None):
    return tree_structure(full_tree).unflatten(broadcast_prefix(prefix_tree, full_tree, is_leaf))


def register_pytree_node(nodetype, flatten_func, unflatten_func, flatten_with_keys_func=None):
    """Makes a class a container: flatten_func(x) is (children, auxiliary data)."""
    _cotan.register_pytree_node(nodetype, flatten_func, unflatten_func, flatten_with_keys_func)


def register_pytree_node_class(cls):
    """The same for a class with tree_flatten and tree_unflatten."""
    register_pytree_node(cls, lambda x: x.tree_flatten(), cls.tree_unflatten)
    return cls


def register_pytree_with_keys(nodetype, flatten_with_keys, unflatten_func, flatten_func=None):
    def flatten(x):
        pairs, data = flatten_with_keys(x)
        return [child for _, child in pairs], data
    register_pytree_node(nodetype, flatten_func or flatten, unflatten_func, flatten_with_keys)


def register_pytree_with_keys_class(cls):
    flatten = (lambda x: x.tree_flatten()) if hasattr(cls, "tree_flatten") else None
    register_pytree_with_keys(cls, lambda x: x.tree_flatten_with_keys(), cls.tree_unflatten, flatten)
    return cls


def register_dataclass(nodetype, data_fields=None, meta_fields=None, drop_fields=()):
    """A dataclass as a container of its data fields; meta fields are static. By default every field whose metadata does not say
    static=True is a data field."""
    if data_fields is None or meta_fields is None:
        if (data_fields is None) != (meta_fields is None):
            raise TypeError("register_dataclass: data_fields and meta_fields are given both or neither")
        if not dataclasses.is_dataclass(nodetype):
            raise TypeError(f"register_dataclass: data_fields and meta_fields are needed for {nodetype!r}, which is no dataclass")
        fields = [f for f in dataclasses.fields(nodetype) if f.init and f.name not in drop_fields]
        meta_fields = tuple(f.name for f in fields if f.metadata.get("static", False))
        data_fields = tuple(f.name for f in fields if f.name not in meta_fields)
    data_fields, meta_fields = tuple(data_fields), tuple(meta_fields)
    if dataclasses.is_dataclass(nodetype):
        init = {f.name for f in dataclasses.fields(nodetype) if f.init}
        given = set(data_fields) | set(meta_fields)
        if missing := init - given - set(drop_fields):
            raise ValueError(f"register_dataclass: data_fields and meta_fields must include all dataclass fields with init=True: missing {missing}")
        if unknown := given - init:
            raise ValueError(f"register_dataclass: data_fields and meta_fields must hold names of fields with init=True: unexpected {unknown}")

    def flatten(x):
        return tuple(getattr(x, n) for n in data_fields), tuple(getattr(x, n) for n in meta_fields)

    def flatten_with_keys(x):
        return tuple((GetAttrKey(n), getattr(x, n)) for n in data_fields), tuple(getattr(x, n) for n in meta_fields)

    def unflatten(meta, data):
        return nodetype(**dict(zip(data_fields, data)), **dict(zip(meta_fields, meta)))

    register_pytree_node(nodetype, flatten, unflatten, flatten_with_keys)
    return nodetype


def register_static(cls):
    """A class whose objects have no leaves, and are told apart by == and hash."""
    register_pytree_node(cls, lambda x: ((), x), lambda data, _: data)
    return cls


def is_tree_node(typ):
    return _cotan.is_registered(typ) or typ in (tuple, list, dict, type(None)) or hasattr(typ, "_fields")


def flatten_one_level(tree):
    level = _cotan.tree_one_level(tree)
    if level is None:
        raise ValueError(f"can't tree-flatten type: {type(tree)}")
    return level[1], level[2]


def flatten_one_level_with_keys(tree):
    """(((key, child), ...), auxiliary data) of a container."""
    level = _cotan.tree_one_level(tree)
    if level is None:
        raise ValueError(f"can't tree-flatten type: {type(tree)}")
    return tuple(zip(_keys_of(tree, level), level[1])), flatten_one_level(tree)[1]


class Partial(functools.partial):
    """functools.partial whose arguments are leaves, and whose function is static."""

    def __new__(cls, func, *args, **kw):
        return super().__new__(cls, func, *args, **kw)


def _keyed_partial(p):
    return ((GetAttrKey("args"), p.args), (GetAttrKey("keywords"), p.keywords)), p.func


register_pytree_node(Partial, lambda p: ((p.args, p.keywords), p.func), lambda f, xs: Partial(f, *xs[0], **xs[1]), _keyed_partial)


from ._table import fill as _fill  # noqa: E402

_fill(globals(), "tree_util")
