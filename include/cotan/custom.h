// Derivatives by rules of one's own.
#pragma once
#include "cotan/fn.h"
#include "cotan/grad.h"

namespace cotan {
namespace detail {

// How the library takes apart the pairs that rules return.
struct PairParts {
  const TypeOps *first, *second;
  const void* (*first_of)(const void* pair);
  const void* (*second_of)(const void* pair);
};
template <class P>
inline constexpr PairParts pair_parts = {
    &type_ops<typename P::first_type>, &type_ops<typename P::second_type>,
    [](const void* p) -> const void* { return &static_cast<const P*>(p)->first; },
    [](const void* p) -> const void* { return &static_cast<const P*>(p)->second; }};
FnRef make_custom_jvp(const FnRef& f, const FnRef& rule, const PairParts&);
FnRef make_custom_vjp(const FnRef& f, const FnRef& forward, const FnRef& backward, const PairParts&);

template <class F, class R, class... D> auto rule_fn(const Fn<R(D...)>&, F rule) {
  constexpr bool fits = std::is_invocable_r_v<std::pair<R, R>, F&, const D&..., const D&...>;
  static_assert(fits,
                "cotan: custom_jvp: the rule takes the arguments, then their tangents, and returns std::pair(result, "
                "its tangent)");
  if constexpr (fits) return Fn<std::pair<R, R>(D..., D...)>(std::move(rule));
  else return Invalid{};
}
template <class F, class R, class... D> auto forward_fn(const Fn<R(D...)>&, F rule) {
  constexpr bool callable = std::is_invocable_v<F&, const D&...>;
  static_assert(callable, "cotan: custom_vjp: the forward rule takes the function's arguments");
  if constexpr (callable) {
    using P = std::invoke_result_t<F&, const D&...>;
    static_assert(is_pair<P>, "cotan: custom_vjp: the forward rule returns std::pair(result, residuals)");
    if constexpr (is_pair<P>) return Fn<P(D...)>(std::move(rule));
    else return Invalid{};
  } else return Invalid{};
}
template <class F, class R, class... D, class P> auto backward_fn(const Fn<R(D...)>&, const Fn<P(D...)>&, F rule) {
  using G = one_or_tuple<D...>;
  constexpr bool fits = std::is_invocable_r_v<G, F&, const typename P::second_type&, const R&>;
  static_assert(fits,
                "cotan: custom_vjp: the backward rule takes the residuals and the result's cotangent, and returns the "
                "argument's cotangent, or a "
                "tuple of those of several arguments");
  if constexpr (fits) return Fn<G(typename P::second_type, R)>(std::move(rule));
  else return Invalid{};
}

}  // namespace detail

// f with a derivative of one's own: rule(arguments..., tangents...) returns std::pair(result, its tangent), linear in the
// tangents, which are shaped as the arguments. What f and the rule capture is constant to it; it may be a
// value of a vmap around.
template <class F, class Rule> auto custom_jvp(F f, Rule rule) {
  const auto fn = detail::to_fn(std::move(f));
  if constexpr (detail::is_invalid<decltype(fn)>) return detail::Invalid{};
  else {
    const auto r = detail::rule_fn(fn, std::move(rule));
    if constexpr (detail::is_invalid<decltype(r)>) return detail::Invalid{};
    else
      return std::remove_const_t<decltype(fn)>(detail::make_custom_jvp(
          fn.ref(), r.ref(), detail::pair_parts<typename detail::SigOf<std::remove_const_t<decltype(r)>>::result>));
  }
}

// f with a reverse-mode derivative of one's own: forward(arguments...) returns std::pair(result, residuals),
// backward(residuals, cotangent of the result) the cotangent of the argument, or a std::tuple of several. Cotangents of
// integer leaves are not looked at. TypeError in forward mode.
template <class F, class Forward, class Backward> auto custom_vjp(F f, Forward forward, Backward backward) {
  const auto fn = detail::to_fn(std::move(f));
  if constexpr (detail::is_invalid<decltype(fn)>) return detail::Invalid{};
  else {
    const auto fwd = detail::forward_fn(fn, std::move(forward));
    if constexpr (detail::is_invalid<decltype(fwd)>) return detail::Invalid{};
    else {
      const auto bwd = detail::backward_fn(fn, fwd, std::move(backward));
      if constexpr (detail::is_invalid<decltype(bwd)>) return detail::Invalid{};
      else
        return std::remove_const_t<decltype(fn)>(detail::make_custom_vjp(
            fn.ref(), fwd.ref(), bwd.ref(),
            detail::pair_parts<typename detail::SigOf<std::remove_const_t<decltype(fwd)>>::result>));
    }
  }
}

}  // namespace cotan
