// A function of single values with branches and loops is written once, as a template over the type of its numbers. With double it is
// the function of single values. With Lanes, the elements of float64 arrays of one shape, it records the array operations that StableHLO
// text says it with: both sides of a branch, of which each lane takes its own, and loops that go on while a lane does.
//
//   choose(a < 1, [&] { return small(a); }, a < 9, [&] { return middle(a); }, [&] { return large(a); })
//   iterate(state, [&](const auto& s) { return going; }, [&](const auto& s) { return next; })
//
// Branches are functions or values; states and results are numbers, std::array or structs whose `parts` calls f with each member.
#pragma once
#include "ops/lanes.h"

namespace cotan::ops {

using lanes::Lanes;
using lanes::Mask;

// --- branches -------------------------------------------------------------------------------------------------------------------
template <class F> auto branch(const F& f) {
  if constexpr (std::is_invocable_v<const F&>) return f();
  else return f;
}
template <class F, class G>
using EitherBranch = std::common_type_t<decltype(branch(std::declval<F>())), decltype(branch(std::declval<G>()))>;

template <class F, class G> EitherBranch<F, G> choose(bool c, const F& f, const G& g) {
  return c ? EitherBranch<F, G>(branch(f)) : EitherBranch<F, G>(branch(g));
}
template <class R> using OfLanes = std::conditional_t<std::is_arithmetic_v<R>, Lanes, R>;
template <class F, class G> OfLanes<EitherBranch<F, G>> choose(const Mask& c, const F& f, const G& g) {
  using R = OfLanes<EitherBranch<F, G>>;
  if (c.known()) return choose(c.all(), f, g);
  const auto taken = [](const Mask& m, const auto& side) {
    const lanes::Within within(m);
    return R(branch(side));
  };
  const R if_true = taken(c, f);
  return lanes::merged(c, if_true, taken(!c, g));
}
template <class C, class F, class D, class G, class... Rest>
requires(sizeof...(Rest) % 2 == 1) auto choose(const C& c, const F& f, const D& d, const G& g, const Rest&... rest) {
  return choose(c, f, [&] { return choose(d, g, rest...); });
}

// --- loops ----------------------------------------------------------------------------------------------------------------------
template <class S> struct NumberOf { using type = Lanes; };
template <> struct NumberOf<double> { using type = double; };
template <class T, std::size_t n> struct NumberOf<std::array<T, n>> : NumberOf<T> {};
template <class S>
requires requires { typename S::Number; }
struct NumberOf<S> : NumberOf<typename S::Number> {};
template <class S> constexpr bool is_single = std::is_same_v<typename NumberOf<S>::type, double>;

template <class S, class C, class F> S iterate(const S& init, const C& going, const F& step) {
  if constexpr (is_single<S>) {
    S s = init;
    while (going(s)) s = step(s);
    return s;
  } else {
    const auto made = lanes::iterate_arrays(
        lanes::arrays_of(init), [&](const std::vector<Array>& v) { return Mask(going(lanes::with_arrays(init, v))); },
        [&](const std::vector<Array>& v) { return lanes::arrays_of(step(lanes::with_arrays(init, v))); });
    return lanes::with_arrays(init, made);
  }
}
// step(i, state) for i = 0, ..., n - 1.
template <class S, class F> S repeat(int n, const S& init, const F& step) {
  if constexpr (is_single<S>) {
    S s = init;
    for (int i = 0; i < n; ++i) s = step(static_cast<double>(i), s);
    return s;
  } else {
    const auto made = lanes::repeat_arrays(n, lanes::arrays_of(init), [&](const Lanes& i, const std::vector<Array>& v) {
      return lanes::arrays_of(step(i, lanes::with_arrays(init, v)));
    });
    return lanes::with_arrays(init, made);
  }
}
// The sum of term(a[i], b[i]) from the last to the first.
template <class T, std::size_t n, class F> T table_sum(const double (&a)[n], const double (&b)[n], const F& term) {
  if constexpr (std::is_same_v<T, double>) {
    double sum = 0;
    for (std::size_t i = n; i-- > 0;) sum += term(a[i], b[i]);
    return sum;
  } else {
    return lanes::sum_of(a, b, n, term);
  }
}

}  // namespace cotan::ops
