"""custom_root and custom_linear_solve: solutions whose derivatives follow from what they solve, not from how."""
from .. import _cotan
from .._api import eval_shape, jvp, linear_transpose, linearize
from .._cotan import tree_flatten, tree_map
from .._custom import closure_convert, custom_jvp, linear_call, zero_from_primal


def _arrays(tree, what):
    return tree_map(lambda x: x if isinstance(x, _cotan.Array) else _cotan.to_array(x, what), tree)


def _check_alike(what, got, want):
    got_leaves, got_tree = tree_flatten(got)
    want_leaves, want_tree = tree_flatten(want)
    if got_tree != want_tree:
        raise TypeError(f"{what} must have the same tree structure, got {got_tree} and {want_tree}")
    for g, w in zip(got_leaves, want_leaves):
        if g.shape != w.shape or g.dtype != w.dtype:
            raise ValueError(f"{what} must have equal shapes and dtypes, got {g.dtype.name}{list(g.shape)} and {w.dtype.name}{list(w.shape)}")


def custom_root(f, initial_guess, solve, tangent_solve, has_aux=False):
    """x with f(x) = 0, as solve(f, initial_guess) gives it (with has_aux, (x, aux)). Its derivatives are implicit: tangent_solve(g, y) solves
    g(x) = y for the linear g, which is f's derivative at the root. They reach what f captures; initial_guess has none."""
    guess = _arrays(initial_guess, "custom_root")
    _check_alike("custom_root: the result of f and initial_guess", eval_shape(f, guess), guess)
    function, captured = closure_convert(f, guess)
    solver, captured_by_solver = closure_convert(lambda x: solve(f, x), guess)

    @custom_jvp
    def root(guess, captured, captured_by_solver):
        out = solver(guess, *captured_by_solver)
        _check_alike("custom_root: the solution and initial_guess", out[0] if has_aux else out, guess)
        return out

    @root.defjvp
    def root_jvp(primals, tangents):
        (_, captured, _), (_, dcaptured, _) = primals, tangents
        out = root(*primals)
        solution = out[0] if has_aux else out
        _, residual = jvp(lambda c: function(solution, *c), (captured,), (dcaptured,))
        _, linear = linearize(lambda x: function(x, *captured), solution)
        tangent = tangent_solve(linear, residual)
        _check_alike("custom_root: the result of tangent_solve and the solution", tangent, solution)
        tangent = tree_map(lambda t: -t, tangent)
        return out, (tangent, tree_map(zero_from_primal, out[1])) if has_aux else tangent

    return root(guess, captured, captured_by_solver)


def custom_linear_solve(matvec, b, solve, transpose_solve=None, symmetric=False, has_aux=False):
    """x with matvec(x) = b, matvec linear, as solve(matvec, b) gives it (with has_aux, (x, aux)). Its derivatives are solutions of the same kind;
    those in reverse mode need transpose_solve(vecmat, ct), or symmetric=True. They reach what matvec captures."""
    b = _arrays(b, "custom_linear_solve")
    _check_alike("custom_linear_solve: the result of matvec and b", eval_shape(matvec, b), b)
    if transpose_solve is None and symmetric:
        transpose_solve = solve
    solution_of = (lambda out: out[0]) if has_aux else (lambda out: out)
    function, captured = closure_convert(matvec, b)
    solver, captured_by_solver = closure_convert(lambda rhs: solve(matvec, rhs), b)
    back, captured_by_back = None, []
    if transpose_solve is not None:
        vecmat = matvec if symmetric else lambda v: linear_transpose(matvec, b)(v)[0]
        back, captured_by_back = closure_convert(lambda ct: solution_of(transpose_solve(vecmat, ct)), b)

    def forward(residuals, rhs):
        out = solver(rhs, *residuals[0])
        _check_alike("custom_linear_solve: the solution and b", solution_of(out), rhs)
        return out

    def backward(residuals, ct):
        return back(solution_of(ct), *residuals[1])

    @custom_jvp
    def linear_solve(captured, residuals, rhs):
        if back is None:
            return forward(residuals, rhs)
        return linear_call(forward, backward, residuals, rhs)

    @linear_solve.defjvp
    def linear_solve_jvp(primals, tangents):
        (captured, residuals, _), (dcaptured, _, drhs) = primals, tangents
        out = linear_solve(*primals)
        x = solution_of(out)
        _, dax = jvp(lambda c: function(x, *c), (captured,), (dcaptured,))
        tangent = linear_solve(captured, residuals, tree_map(lambda d, a: d - a, drhs, dax))
        return out, (tangent[0], tree_map(zero_from_primal, out[1])) if has_aux else tangent

    return linear_solve(captured, (captured_by_solver, captured_by_back), b)
