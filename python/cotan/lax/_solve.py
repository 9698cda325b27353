"""custom_root and custom_linear_solve: solutions whose derivatives follow from what they solve, not from how."""
from .. import _cotan
from .._cotan import tree_flatten, tree_leaves, tree_map


class _Space:
    """The structure of the unknowns, and functions of them as functions of lists."""

    def __init__(self, what, like):
        self.what = what
        self.leaves, self.tree = tree_flatten(tree_map(lambda x: x if isinstance(x, _cotan.Array) else _cotan.to_array(x, what), like))
        self.aux_tree = None

    def flat(self, value, of):
        leaves, tree = tree_flatten(value)
        if tree != self.tree:
            raise TypeError(f"{self.what}: {of} must have the same tree structure, got {tree} and {self.tree}")
        return leaves

    def function(self, f, of):
        return lambda xs: self.flat(f(self.tree.unflatten(xs)), of)

    def solver(self, solve, of, has_aux=False, f=None):
        def flat(g, xs):
            out = solve(f or (lambda x: self.tree.unflatten(g(tree_leaves(x)))), self.tree.unflatten(xs))
            if not has_aux:
                return self.flat(out, of)
            x, aux = out
            aux_leaves, self.aux_tree = tree_flatten(aux)
            return self.flat(x, of) + aux_leaves
        return flat

    def result(self, leaves, has_aux):
        n = len(self.leaves)
        x = self.tree.unflatten(leaves[:n])
        return (x, self.aux_tree.unflatten(leaves[n:])) if has_aux else x


def custom_root(f, initial_guess, solve, tangent_solve, has_aux=False):
    """x with f(x) = 0, as solve(f, initial_guess) gives it (with has_aux, (x, aux)). Its derivatives are implicit: tangent_solve(g, y) solves
    g(x) = y for the linear g, which is f's derivative at the root. They reach what f captures; initial_guess has none."""
    space = _Space("custom_root", initial_guess)
    leaves = _cotan.custom_root(space.function(f, "the result of f and initial_guess"), space.leaves,
                                space.solver(solve, "the solution and initial_guess", has_aux, f),
                                space.solver(tangent_solve, "the result of tangent_solve and the solution"))
    return space.result(leaves, has_aux)


def custom_linear_solve(matvec, b, solve, transpose_solve=None, symmetric=False, has_aux=False):
    """x with matvec(x) = b, matvec linear, as solve(matvec, b) gives it (with has_aux, (x, aux)). Its derivatives are solutions of the same kind;
    those in reverse mode need transpose_solve(vecmat, ct), or symmetric=True. They reach what matvec captures."""
    space = _Space("custom_linear_solve", b)
    back = None if transpose_solve is None else space.solver(transpose_solve, "the solution of the transposed system and b", has_aux)
    leaves = _cotan.custom_linear_solve(space.function(matvec, "the result of matvec and b"), space.leaves,
                                        space.solver(solve, "the solution and b", has_aux, matvec), back, bool(symmetric))
    return space.result(leaves, has_aux)
