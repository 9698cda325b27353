"""jax.flatten_util."""
from . import _cotan
from ._table import function


def ravel_pytree(pytree):
    """(all elements of the leaves as one vector, a function that makes the tree of such a vector). Leaves of several dtypes are promoted;
    the function gives each its own again."""
    leaves, treedef = _cotan.tree_flatten(pytree)
    arrays = [_cotan.to_array(x, "ravel_pytree") for x in leaves]
    concatenate, ravel, array = function("numpy.concatenate"), function("numpy.ravel"), function("numpy.array")
    flat = concatenate([ravel(x) for x in arrays]) if arrays else array([])
    shapes = [(x.shape, x.dtype, x.size) for x in arrays]

    def unravel(vector):
        if vector.shape != flat.shape:
            raise TypeError(f"unravel function given array of shape {vector.shape} but expected shape {flat.shape}")
        if vector.dtype != flat.dtype:
            raise TypeError(f"unravel function given array of dtype {vector.dtype.name}, but expected dtype {flat.dtype.name}")
        out, at = [], 0
        for shape, dtype, size in shapes:
            out.append(vector[at:at + size].reshape(shape).astype(dtype))
            at += size
        return treedef.unflatten(out)

    return flat, unravel
