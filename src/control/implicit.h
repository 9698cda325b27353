// Solutions whose derivatives follow from what they solve, not from how they were found.
#pragma once
#include "control/programs.h"

namespace cotan {

// A solver: of the function to solve and the start or right side; gives the solution, then anything else.
using Solver = std::function<Arrays(const FlatFn& f, const Arrays& x)>;

// x with f(x) = 0, as solve(f, guess) gives it. tangent_solve(g, y) solves g(x) = y for g linear, the derivative of f
// at the root. Derivatives reach what f captures; the guess has none. ValueError where shapes or dtypes differ.
Arrays flat_custom_root(const FlatFn& f, const Arrays& guess, const Solver& solve, const Solver& tangent_solve);

// x with matvec(x) = b, matvec linear, as solve(matvec, b) gives it. Reverse mode needs transpose_solve(vecmat, ct), or
// a symmetric matvec, which `solve` then serves. Derivatives reach what matvec captures.
Arrays flat_custom_linear_solve(const FlatFn& matvec, const Arrays& b, const Solver& solve,
                                const Solver& transpose_solve, bool symmetric);

}  // namespace cotan
