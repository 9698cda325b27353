// custom_root and custom_linear_solve over pytrees.
#include "cotan/solve.h"

#include "control/implicit.h"

namespace cotan::detail {

namespace {

FlatFn flat(const LeavesFn& f) {
  return [f](const Arrays& x) { return f(x); };
}
Solver flat(const LeavesSolver& s) {
  return [s](const FlatFn& f, const Arrays& x) { return s(LeavesFn(f), x); };
}

}  // namespace

Leaves run_custom_root(const LeavesFn& f, const Leaves& guess, const LeavesSolver& solve,
                       const LeavesSolver& tangent_solve) {
  return flat_custom_root(flat(f), guess, flat(solve), flat(tangent_solve));
}

Leaves run_custom_linear_solve(const LeavesFn& matvec, const Leaves& b, const LeavesSolver& solve,
                               const LeavesSolver* transpose_solve, bool symmetric) {
  return flat_custom_linear_solve(flat(matvec), b, flat(solve), transpose_solve ? flat(*transpose_solve) : nullptr,
                                  symmetric);
}

}  // namespace cotan::detail
