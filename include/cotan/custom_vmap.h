// Batching by rules of one's own.
#pragma once
#include <memory>
#include <optional>

#include "cotan/fn.h"

namespace cotan {
namespace detail {

using Leaves = std::vector<Array>;
using LeavesFn = Fn<Leaves(Leaves)>;
struct BatchedLeaves {
  Leaves leaves;
  std::vector<bool> batched;
};
struct LeavesVmapRule {
  virtual ~LeavesVmapRule();
  virtual BatchedLeaves operator()(std::int64_t axis_size, const std::vector<bool>& batched, const Leaves&) const = 0;
};
// No rule: one lane after the other.
Leaves run_custom_vmap(const LeavesFn& f, std::shared_ptr<const LeavesVmapRule> rule, const Leaves& args);

// Calls f with copies of the arguments that have these leaves.
template <class F, class... D> decltype(auto) call_with_leaves(F& f, const std::tuple<D...>& like, const Leaves& x) {
  const std::tuple<D...> args = tree::with_leaves(like, x);
  return std::apply(f, args);
}

template <class R, class Rule, class... D> struct TypedVmapRule final : LeavesVmapRule {
  Rule rule;
  std::tuple<D...> like;
  std::shared_ptr<std::optional<R>> result;
  TypedVmapRule(Rule r, std::tuple<D...> l, std::shared_ptr<std::optional<R>> o)
      : rule(std::move(r)), like(std::move(l)), result(std::move(o)) {}
  BatchedLeaves operator()(std::int64_t size, const std::vector<bool>& batched, const Leaves& x) const override {
    const auto with_size = [&](const D&... d) { return rule(size, batched, d...); };
    std::pair<R, std::vector<bool>> got = call_with_leaves(with_size, like, x);
    *result = got.first;
    return {tree::leaves(got.first), std::move(got.second)};
  }
};
struct InTurn {};

template <class R, class... D, class Rule> Fn<R(D...)> with_vmap_rule(const Fn<R(D...)>& f, Rule rule) {
  return Fn<R(D...)>([f, rule](const D&... d) {
    const std::tuple<D...> like(d...);
    const auto result = std::make_shared<std::optional<R>>();
    const LeavesFn flat([f, like, result](const Leaves& x) {
      *result = call_with_leaves(f, like, x);
      return tree::leaves(**result);
    });
    std::shared_ptr<const LeavesVmapRule> r;
    if constexpr (!std::is_same_v<Rule, InTurn>) r = std::make_shared<TypedVmapRule<R, Rule, D...>>(rule, like, result);
    const Leaves out = run_custom_vmap(flat, std::move(r), tree::leaves(like));
    return tree::with_leaves(**result, out);
  });
}

template <class Rule> struct VmapRuleTransform {
  Rule rule;
  template <class R, class... D> auto operator()(const Fn<R(D...)>& f) const {
    if constexpr (!std::is_same_v<Rule, InTurn>) {
      constexpr bool fits = std::is_invocable_r_v<std::pair<R, std::vector<bool>>, const Rule&, std::int64_t,
                                                  const std::vector<bool>&, const D&...>;
      static_assert(fits,
                    "cotan: custom_vmap: the rule takes the axis' size, which leaves of the arguments are batched, and "
                    "the arguments, and returns std::pair(result, which of its leaves are)");
      if constexpr (fits) return with_vmap_rule(f, rule);
      else return Invalid{};
    } else return with_vmap_rule(f, rule);
  }
};

}  // namespace detail

// f with a batching rule of one's own: rule(axis_size, batched, arguments...) returns std::pair(result, batched), where `batched`, a
// std::vector<bool>, says of each leaf of the arguments, and of the result, whether it has the batch's axis at the front. Forward mode
// goes through the rule; ValueError for reverse mode, unless vmap comes first.
template <class F, class Rule> auto custom_vmap(F f, Rule rule) {
  return detail::transform(std::move(f), detail::VmapRuleTransform<Rule>{std::move(rule)});
}

// f, which a batch calls for one lane after the other.
template <class F> auto sequential_vmap(F f) {
  return detail::transform(std::move(f), detail::VmapRuleTransform<detail::InTurn>{});
}

}  // namespace cotan
