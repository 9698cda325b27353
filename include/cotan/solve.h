// Solutions of equations whose derivatives follow from what they solve, not from how they were found.
#pragma once
#include "cotan/fn.h"

namespace cotan {
namespace lax {
struct LinearSolveOptions {
  bool symmetric = false;  // the function is its own transpose: `solve` serves reverse mode too
};
}  // namespace lax

namespace detail {

// Functions of the leaves of a pytree, and solvers of them: of the function, and the start or right side.
using Leaves = std::vector<Array>;
using LeavesFn = Fn<Leaves(Leaves)>;
using LeavesSolver = Fn<Leaves(LeavesFn, Leaves)>;
Leaves run_custom_root(const LeavesFn& f, const Leaves& guess, const LeavesSolver& solve,
                       const LeavesSolver& tangent_solve);
Leaves run_custom_linear_solve(const LeavesFn& matvec, const Leaves& b, const LeavesSolver& solve,
                               const LeavesSolver* transpose_solve, bool symmetric);

template <class T, class F> LeavesFn leaves_fn(const T& like, F f) {
  return LeavesFn([like, f](const Leaves& x) { return tree::leaves(T(f(tree::with_leaves(like, x)))); });
}
template <class T, class S> LeavesSolver leaves_solver(const T& like, S solve) {
  return LeavesSolver([like, solve](const LeavesFn& f, const Leaves& x) {
    const Fn<T(T)> typed([like, f](const T& v) { return tree::with_leaves(like, f(tree::leaves(v))); });
    return tree::leaves(T(solve(typed, tree::with_leaves(like, x))));
  });
}

}  // namespace detail

namespace lax {

// x with f(x) = 0, as solve(f, guess) gives it, a pytree of the guess's type. Its derivatives are implicit:
// tangent_solve(g, y) solves g(x) = y for the linear g, f's derivative at the root. They reach what f captures; the
// guess has none. solve and tangent_solve take the function as a ct::Fn<T(T)>. ValueError where shapes or dtypes
// differ.
template <class F, class T, class S, class L>
cotan::detail::value_of<T> custom_root(F f, const T& guess, S solve, L tangent_solve) {
  using V = cotan::detail::value_of<T>;
  const V like(guess);
  return tree::with_leaves(
      like, cotan::detail::run_custom_root(cotan::detail::leaves_fn(like, std::move(f)), tree::leaves(like),
                                           cotan::detail::leaves_solver(like, std::move(solve)),
                                           cotan::detail::leaves_solver(like, std::move(tangent_solve))));
}

// x with matvec(x) = b, matvec linear, as solve(matvec, b) gives it. Its derivatives are solutions of the same kind,
// and reach what matvec captures; reverse mode needs `symmetric`, or the form with transpose_solve(vecmat, ct).
template <class F, class T, class S>
cotan::detail::value_of<T> custom_linear_solve(F matvec, const T& b, S solve, const LinearSolveOptions& o = {}) {
  using V = cotan::detail::value_of<T>;
  const V like(b);
  return tree::with_leaves(like, cotan::detail::run_custom_linear_solve(
                                     cotan::detail::leaves_fn(like, std::move(matvec)), tree::leaves(like),
                                     cotan::detail::leaves_solver(like, std::move(solve)), nullptr, o.symmetric));
}
template <class F, class T, class S, class B>
requires(!std::is_same_v<B, LinearSolveOptions>)  //
    cotan::detail::value_of<T> custom_linear_solve(F matvec, const T& b, S solve, B transpose_solve) {
  using V = cotan::detail::value_of<T>;
  const V like(b);
  const auto back = cotan::detail::leaves_solver(like, std::move(transpose_solve));
  return tree::with_leaves(like, cotan::detail::run_custom_linear_solve(
                                     cotan::detail::leaves_fn(like, std::move(matvec)), tree::leaves(like),
                                     cotan::detail::leaves_solver(like, std::move(solve)), &back, false));
}

}  // namespace lax
}  // namespace cotan
