"""Pytrees of Python objects, beside JAX."""
import collections
import dataclasses
import pickle

import pytest

import both
import cotan
from cotan import tree_util as tu

SETUP = """import collections;; P = collections.namedtuple('P', 'a b');; t = {'b': [1, (2, None)], 'a': P(3, 4)};; od = collections.OrderedDict([('z', 1), ('a', 2)]);;
dd = collections.defaultdict(list, {'b': 1, 'a': 2});; """.replace("\n", "")
EXPRESSIONS = """
tu.tree_leaves(t)
tu.tree_structure(t)
tu.tree_leaves(od)
tu.tree_structure(od)
tu.tree_structure(dd)
tu.tree_structure(None)
tu.tree_structure(())
tu.tree_structure((1,))
tu.tree_structure(1)
tu.tree_map(lambda v: v * 2, t)
tu.tree_map(lambda v, w: v + w, [1, 2], [3, 4])
tu.tree_map(lambda v, w: (v, w), [1, 2], [[3], {'a': 4}])
tu.tree_map(lambda v, w: v + w, [1, 2], [3])
tu.tree_map(lambda v, w: v + w, [1, 2], (3, 4))
tu.tree_map(lambda v, w: v + w, {'a': 1}, {'b': 1})
tu.tree_map(lambda v: v, [1, None], is_leaf=lambda v: v is None)
tu.tree_map(lambda v: v, od)
tu.tree_map(lambda v: v, dd)['x']
tu.tree_leaves({2: 1, 1: 2})
tu.tree_leaves({1: 1, 'a': 2})
tu.tree_unflatten(tu.tree_structure(t), range(4))
tu.tree_unflatten(tu.tree_structure(t), range(3))
tu.tree_structure(t).num_leaves
tu.tree_structure(t).children()
tu.tree_structure(t) == tu.tree_structure({'b': [0, (0, None)], 'a': P(0, 0)})
tu.tree_structure([1]) == tu.tree_structure((1,))
tu.tree_structure([1]) == 3
hash(tu.tree_structure([1])) == hash(tu.tree_structure([2]))
tu.tree_flatten(t)[0]
[(tu.keystr(p), v) for p, v in tu.tree_leaves_with_path(t)]
[tu.keystr(p, simple=True, separator='/') for p, v in tu.tree_leaves_with_path(t)]
tu.tree_map_with_path(lambda p, v: tu.keystr(p), t)
repr(tu.DictKey('a'))
repr(tu.SequenceKey(1))
repr(tu.GetAttrKey('a'))
tu.DictKey('a') == tu.DictKey('a')
tu.tree_reduce(lambda a, b: a + b, t)
tu.tree_reduce(lambda a, b: a + b, [], 5)
tu.tree_all([1, 0])
tu.tree_transpose(tu.tree_structure([0, 0]), tu.tree_structure({'a': 0, 'b': 0}), [{'a': 1, 'b': 2}, {'a': 3, 'b': 4}])
tu.treedef_tuple([tu.tree_structure([1]), tu.tree_structure(2)])
tu.all_leaves([1, 2])
tu.all_leaves([1, [2]])
tu.tree_broadcast(1, {'a': 2, 'b': [3, 4]})
tu.tree_broadcast({'a': 1}, {'b': 2})
jax.tree.map(lambda v: -v, t)
jax.tree.leaves(t)
tu.Partial(lambda a, b: a + b, 1)(2)
tu.tree_leaves(tu.Partial(lambda a, b: a + b, 1, b=2))
tu.tree_structure({'a': {}})
tu.tree_leaves('abc')
tu.tree_leaves({'a': 'b'})
tu.tree_structure([1, [2, [3, [4]]]])
""".strip().split("\n")


@pytest.mark.parametrize("code", EXPRESSIONS)
def test_expression(code):
    got, want = (both.run(package, SETUP + code) for package in ("cotan", "jax"))
    both.check(got, want, code)


def test_registered_classes():
    class Pair:
        def __init__(self, a, b, name):
            self.a, self.b, self.name = a, b, name

    tu.register_pytree_node(Pair, lambda p: ((p.a, p.b), p.name), lambda name, ab: Pair(*ab, name))
    p = Pair(1.0, [2.0], "n")
    assert tu.tree_leaves(p) == [1.0, 2.0]
    assert "Pair[n]" in str(tu.tree_structure(p))
    q = cotan.jit(lambda p: Pair(p.a + 1, p.b, p.name))(p)
    assert (q.a, q.name) == (2, "n")
    assert tu.tree_structure(p) != tu.tree_structure(Pair(1.0, [2.0], "other"))
    with pytest.raises(ValueError, match="Duplicate"):
        tu.register_pytree_node(Pair, lambda p: ((), None), lambda *_: None)
    g = cotan.grad(lambda p: p.a * p.b[0])(p)
    assert (g.a, g.b[0]) == (2, 1)


def test_a_class_that_flattens_itself():
    @tu.register_pytree_node_class
    class Box:
        def __init__(self, v):
            self.v = v

        def tree_flatten(self):
            return (self.v,), None

        @classmethod
        def tree_unflatten(cls, data, children):
            return cls(*children)

    assert tu.tree_map(lambda v: v + 1, Box(1)).v == 2
    assert str(tu.tree_leaves_with_path(Box(1))[0][0][0]) == "[<flat index 0>]"


def test_dataclasses():
    @tu.register_dataclass
    @dataclasses.dataclass
    class State:
        w: object
        name: str = dataclasses.field(metadata={"static": True}, default="s")

    s = State(1.0)
    assert tu.tree_leaves(s) == [1.0] and tu.keystr(tu.tree_leaves_with_path(s)[0][0]) == ".w"
    assert cotan.grad(lambda s: s.w**2)(s).w == 2 and cotan.jit(lambda s: s)(s).name == "s"
    with pytest.raises(ValueError, match="missing"):
        tu.register_dataclass(dataclasses.make_dataclass("D", ["a", "b"]), ["a"], [])


def test_static_classes():
    @tu.register_static
    class Name(str):
        pass

    assert tu.tree_leaves([Name("a"), 1]) == [1]
    assert tu.tree_structure(Name("a")) == tu.tree_structure(Name("a")) != tu.tree_structure(Name("b"))


def test_structures_pickle():
    t = {"a": [1, (2, None)], "b": collections.OrderedDict(z=1)}
    d = tu.tree_structure(t)
    assert pickle.loads(pickle.dumps(d)) == d


def test_a_container_that_contains_itself():
    loop = {}
    loop["a"] = loop
    with pytest.raises(RecursionError):
        tu.tree_leaves(loop)


def test_a_flatten_function_that_fails():
    class Bad:
        pass

    tu.register_pytree_node(Bad, lambda p: 3, lambda *_: None)
    with pytest.raises(ValueError, match="pair"):
        tu.tree_leaves(Bad())
