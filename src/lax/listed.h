// Functions of lax that, called by name, want a sequence where C++ also takes one number: function<listed<rev>>(...).
#pragma once
#include "api/function_table.h"

namespace cotan::lax {

struct Listed : IntList {
  Listed() = default;
  Listed(IntList l) : IntList(static_cast<IntList&&>(l)) {}
};

namespace detail {
template <class P> struct ListedParameter { using type = P; };
template <> struct ListedParameter<const IntList&> { using type = const Listed&; };
template <> struct ListedParameter<const Shape&> { using type = const Listed&; };
template <> struct ListedParameter<const std::optional<IntList>&> { using type = const std::optional<Listed>&; };

template <auto F, class Type> struct ListedCall;
template <auto F, class R, class... P> struct ListedCall<F, R (*)(P...)> {
  static R call(typename ListedParameter<P>::type... p) { return F(p...); }
};
}  // namespace detail

template <auto F> constexpr auto listed = &detail::ListedCall<F, decltype(F)>::call;

}  // namespace cotan::lax

template <> struct cotan::table::FromValue<cotan::lax::Listed> {
  static cotan::lax::Listed get(const Value& v, const Place& p) {
    const Array* a = v.get<Array>();
    if (!v.is_sequence() && !(a && a->ndim() > 0)) p.fail("a sequence of integers", v);
    return to_integers(v, p);
  }
};
