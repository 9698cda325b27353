"""jax.tree: tree_util under short names."""
import dataclasses as _dataclasses

from .tree_util import (tree_all as all, tree_broadcast as broadcast, tree_flatten as flatten, tree_flatten_with_path as flatten_with_path,
                        tree_leaves as leaves, tree_leaves_with_path as leaves_with_path, tree_map as map, tree_map_with_path as map_with_path,
                        tree_reduce as reduce, tree_reduce_associative as reduce_associative, tree_structure as structure,
                        tree_transpose as transpose, tree_unflatten as unflatten)


def static(**kwargs):
    """A field of a dataclass that is part of the structure, and no leaf; arguments as of dataclasses.field."""
    return _dataclasses.field(**(kwargs | {"metadata": {**kwargs.get("metadata", {}), "static": True}}))


from ._table import fill as _fill  # noqa: E402

_fill(globals(), "tree")
