// Structured control flow: branches and loops whose functions are traced once, and that grad, vmap and jit go through. The
// functions take and give pytrees; Arrays that they capture take part in derivatives and batches too.
#pragma once
#include "cotan/grad.h"
#include "cotan/number.h"

namespace cotan {
namespace lax {

struct ScanOptions {
  std::int64_t length = -1;  // needed where there are no rows
  bool reverse = false;      // the last row first
  std::int64_t unroll = 1;   // a hint; does not change what is computed
  bool checkpoint =
      false;  // the derivative keeps about the square root of the length carries and computes the rest again
};
struct WhileOptions {
  std::int64_t max_steps = -1;  // at least 0: the loop ends after so many, and has reverse-mode derivatives
  bool checkpoint = false;      // with max_steps: as in ScanOptions
};
struct ForiOptions {
  std::int64_t unroll = 1;  // only where the bounds are known
};
struct MapOptions {
  std::int64_t batch_size = 0;  // rows that are mapped at once by vmap; 0: one after the other
};

}  // namespace lax

namespace detail {

// The part of a body's result that a loop carries.
struct CarryPart {
  const TypeOps* ops;
  const void* (*of)(const void* result);
};
template <class R>
inline constexpr CarryPart first_of_pair = {
    &type_ops<typename R::first_type>, [](const void* r) -> const void* { return &static_cast<const R*>(r)->first; }};
FnRef make_cond(const Array& predicate, const FnRef& on_true, const FnRef& on_false);
FnRef make_switch(const Array& index, std::vector<FnRef> branches);
FnRef make_while(const FnRef& condition, const FnRef& body, const lax::WhileOptions&);
FnRef make_fori(const Array& lower, const Array& upper, const FnRef& body, const lax::ForiOptions&);
FnRef make_scan(const FnRef& body, const CarryPart&, const lax::ScanOptions&);
FnRef make_map(const FnRef& f, const lax::MapOptions&);

template <class R, class... D> struct Signature {};
template <class R, class... D> constexpr Signature<R, D...> signature(const Fn<R(D...)>&) { return {}; }

#define COTAN_CARRY                                                                                           \
  "cotan: the body of a loop must return a carry of the type that it takes (an Array, or the same struct or " \
  "container)"
template <class C, class R> Fn<R(C)> carry_fn(Signature<R, C>, FnRef f) {
  static_assert(std::is_same_v<C, R>, COTAN_CARRY);
  return Fn<R(C)>(std::move(f));
}
template <class I, class C, class R> Fn<R(C)> counted_fn(Signature<R, I, C>, FnRef f) {
  static_assert(std::is_same_v<C, R> && std::is_same_v<I, Array>, COTAN_CARRY);
  return Fn<R(C)>(std::move(f));
}
template <class R, class C, class X>
Fn<R(C, X)> scan_fn(Signature<R, C, X>, const FnRef& f, const lax::ScanOptions& o) {
  static_assert(is_pair<R>, "cotan: the body of scan must return std::pair(carry, row)");
  if constexpr (is_pair<R>) {
    static_assert(std::is_same_v<C, typename R::first_type>, COTAN_CARRY);
    return Fn<R(C, X)>(make_scan(f, first_of_pair<R>, o));
  } else return Fn<R(C, X)>(f);
}
#undef COTAN_CARRY

}  // namespace detail

namespace lax {

// on_true of the operands where the scalar predicate holds, else on_false of them. Both give pytrees of one type; under vmap
// with a predicate for each lane both run. TypeError where shapes or dtypes of their results differ, or for a predicate that is
// no scalar or neither bool nor a real number.
template <class T, class F, class... A> auto cond(const Array& predicate, T on_true, F on_false, const A&... operands) {
  const auto t = cotan::detail::to_fn_for(std::move(on_true), operands...);
  const auto f = cotan::detail::to_fn_for(std::move(on_false), operands...);
  constexpr bool same = std::is_same_v<decltype(t), decltype(f)>;
  static_assert(same, "cotan: both functions of cond must take the same types and return the same type");
  if constexpr (!same || cotan::detail::is_invalid<decltype(t)>) return cotan::detail::Invalid{};
  else return std::remove_const_t<decltype(t)>(cotan::detail::make_cond(predicate, t.ref(), f.ref()))(operands...);
}

// The branch that the index chooses; it is clamped to those there are. ValueError for no branches, TypeError for an index that
// is no integer scalar.
template <class R, class... D, class... A>
R switch_(const Array& index, const std::vector<Fn<R(D...)>>& branches, const A&... operands) {
  std::vector<cotan::detail::FnRef> refs;
  for (const auto& b : branches) refs.push_back(b.ref());
  return Fn<R(D...)>(cotan::detail::make_switch(index, std::move(refs)))(operands...);
}

// While condition(carry) is true, the carry becomes body(carry). Shapes and dtypes of the carry do not change, but that weak
// types give way: TypeError. Without max_steps forward mode only (ValueError): how often it runs is not known before.
template <class P, class B, class C> auto while_loop(P condition, B body, const C& init, const WhileOptions& o = {}) {
  const auto c = cotan::detail::to_fn_for(std::move(condition), init);
  const auto b = cotan::detail::to_fn_for(std::move(body), init);
  if constexpr (cotan::detail::is_invalid<decltype(c)> || cotan::detail::is_invalid<decltype(b)>)
    return cotan::detail::Invalid{};
  else
    return cotan::detail::carry_fn(cotan::detail::signature(b), cotan::detail::make_while(c.ref(), b.ref(), o))(init);
}

// The carry becomes body(i, carry) for i from lower to upper - 1, integers of one type. Known bounds make it a scan.
template <class B, class C>
auto fori_loop(const Array& lower, const Array& upper, B body, const C& init, const ForiOptions& o = {}) {
  const auto b = cotan::detail::to_fn_for(std::move(body), Array(), init);
  if constexpr (cotan::detail::is_invalid<decltype(b)>) return cotan::detail::Invalid{};
  else
    return cotan::detail::counted_fn(cotan::detail::signature(b),
                                     cotan::detail::make_fori(lower, upper, b.ref(), o))(init);
}

// body(carry, row) for each row of the leaves of xs, along their first axes; it returns std::pair(carry, row). Gives the last
// carry and the rows stacked. xs may be ct::none: then `length` says how often. ValueError where sizes disagree.
template <class B, class C, class X> auto scan(B body, const C& init, const X& xs, const ScanOptions& o = {}) {
  const auto b = cotan::detail::to_fn_for(std::move(body), init, xs);
  if constexpr (cotan::detail::is_invalid<decltype(b)>) return cotan::detail::Invalid{};
  else return cotan::detail::scan_fn(cotan::detail::signature(b), b.ref(), o)(init, xs);
}

// f of each row of the leaves of xs, stacked.
template <class F, class X> auto map(F f, const X& xs, const MapOptions& o = {}) {
  const auto g = cotan::detail::to_fn_for(std::move(f), xs);
  if constexpr (cotan::detail::is_invalid<decltype(g)>) return cotan::detail::Invalid{};
  else return std::remove_const_t<decltype(g)>(cotan::detail::make_map(g.ref(), o))(xs);
}

}  // namespace lax
}  // namespace cotan
