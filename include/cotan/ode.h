// Ordinary differential equations.
#pragma once
#include <limits>

#include "cotan/fn.h"

namespace cotan {
namespace experimental {

struct OdeOptions {
  double rtol = 1.4e-8, atol = 1.4e-8;
  double mxstep = std::numeric_limits<double>::infinity(), hmax = std::numeric_limits<double>::infinity();
};

}  // namespace experimental

namespace detail {
std::vector<Array> run_odeint(const Fn<std::vector<Array>(std::vector<Array>)>& f, const std::vector<Array>& y0,
                              const Array& times, const experimental::OdeOptions&);
}  // namespace detail

namespace experimental {

// The solution of dy/dt = f(y, t) with y(times[0]) = y0, a pytree, at the increasing times: its leaves stacked. Steps
// of order 5 (Dormand and Prince) are chosen so that the estimated error of each is within atol + rtol |y|, and are no
// wider than hmax; where mxstep of them do not reach a time, NaN. Reverse-mode derivatives in y0, the times and what f
// captures, by the adjoint equation, solved backwards with the same tolerances. ValueError where f does not give the
// shape and dtype of y.
template <class F, class T>
cotan::detail::value_of<T> odeint(F f, const T& y0, const Array& times, const OdeOptions& o = {}) {
  using V = cotan::detail::value_of<T>;
  using Leaves = std::vector<Array>;
  const V like(y0);
  const Fn<Leaves(Leaves)> flat([f = std::move(f), like](const Leaves& x) {
    const Leaves y(x.begin(), x.end() - 1);
    return tree::leaves(V(f(tree::with_leaves(like, y), x.back())));
  });
  return tree::with_leaves(like, cotan::detail::run_odeint(flat, tree::leaves(like), times, o));
}

}  // namespace experimental
}  // namespace cotan
