// grad and value_and_grad: the derivative of a function that returns one number.
#pragma once
#include <bit>

#include "cotan/fn.h"

namespace cotan {

struct has_aux_t {};
inline constexpr has_aux_t has_aux{};  // the function returns std::pair(value, anything else)

struct GradOptions {
  detail::Flag holomorphic = {};  // complex in, complex out, complex differentiable
  detail::Flag allow_int = {};    // gradients of int and bool leaves are zeros of dtype float0
};

namespace detail {
// Makes *out from the function's value and the gradients, which it may move from.
using Assemble = void (*)(void* value, void* const* grads, void* out);
FnRef make_grad(const FnRef&, std::uint64_t argnums, const GradOptions&, const TypeOps& out, Assemble);

template <class T> inline constexpr bool is_pair = false;
template <class A, class B> inline constexpr bool is_pair<std::pair<A, B>> = true;
// The part of a function's result that is differentiated: all, or with aux the first of a pair.
template <bool Aux, class R> struct ValueType { using type = R; };
template <class A, class B> struct ValueType<true, std::pair<A, B>> { using type = A; };
template <bool Aux, class R> using value_type = typename ValueType<Aux, R>::type;
struct ValuePart {
  const TypeOps* ops;
  const void* (*of)(const void* result);
};
template <bool Aux, class R>
inline constexpr ValuePart value_part = {&type_ops<value_type<Aux, R>>, [](const void* r) -> const void* {
                                           if constexpr (Aux) return &static_cast<const R*>(r)->first;
                                           else return r;
                                         }};
template <int N, class... D> using nth = std::tuple_element_t<static_cast<std::size_t>(N), std::tuple<D...>>;
template <class... G> struct OneOrTuple { using type = std::tuple<G...>; };  // what several argnums give
template <class G> struct OneOrTuple<G> { using type = G; };
template <class... G> using one_or_tuple = typename OneOrTuple<G...>::type;

template <int... N> inline constexpr std::uint64_t argnum_mask = (... | (std::uint64_t{1} << N));
// The place of chosen parameter n among the chosen ones in the order of the parameters, in which the library gives them.
constexpr std::size_t argnum_place(std::uint64_t mask, int n) {
  return static_cast<std::size_t>(std::popcount(mask & ((std::uint64_t{1} << n) - 1)));
}
template <int... N, class... D> constexpr bool check_argnums(List<D...>) {
  constexpr bool enough = ((N >= 0 && N < static_cast<int>(sizeof...(D))) && ...);
  static_assert(enough, "cotan: grad<N>: the function has fewer than N + 1 parameters");
  if constexpr (enough) {
    constexpr bool distinct = std::popcount(argnum_mask<N...>) == static_cast<int>(sizeof...(N));
    static_assert(distinct, "cotan: grad<N...>: a parameter is chosen twice");
    constexpr bool dynamic = (holds_array<nth<N, D...>> && ...);
    static_assert(dynamic,
                  "cotan: grad with respect to a parameter that holds no Array (an int or double parameter is static: "
                  "write ct::Array, or "
                  "choose another with grad<N>)");
    return distinct && dynamic;
  }
  return false;
}
template <bool Aux, class R> constexpr bool check_grad_result() {
  if constexpr (Aux) {
    static_assert(is_pair<R>, "cotan: grad(f, has_aux): the function must return std::pair(loss, aux)");
    if constexpr (is_pair<R>) {
      constexpr bool scalar = std::is_same_v<typename R::first_type, Array>;
      static_assert(scalar, "cotan: grad(f, has_aux): the first of the pair must be one scalar Array");
      return scalar;
    }
    return false;
  } else {
    static_assert(!is_pair<R>,
                  "cotan: grad of a function that returns a std::pair; for (loss, aux) write grad(f, ct::has_aux)");
    static_assert(is_pair<R> || std::is_same_v<R, Array>,
                  "cotan: grad needs a function that returns one scalar Array; this one returns another type (for "
                  "vectors and structs use vjp, jacrev or jacfwd)");
    return std::is_same_v<R, Array>;
  }
}

template <bool Value, bool Aux, class R, class G> struct GradResult { using type = G; };
template <class R, class G, bool Aux> struct GradResult<true, Aux, R, G> { using type = std::pair<R, G>; };
template <class R, class G> struct GradResult<false, true, R, G> {
  using type = std::pair<G, typename R::second_type>;
};

template <bool Value, bool Aux, int... N> struct GradTransform {
  GradOptions options;

  template <class R, class Out, class G, class... D> static void assemble(void* value, void* const* grads, void* out) {
    G g(std::move(*static_cast<nth<N, D...>*>(grads[argnum_place(argnum_mask<N...>, N)]))...);
    [[maybe_unused]] R& v = *static_cast<R*>(value);
    if constexpr (Value) new (out) Out(std::move(v), std::move(g));
    else if constexpr (Aux) new (out) Out(std::move(g), std::move(v.second));
    else new (out) Out(std::move(g));
  }
  template <class R, class... D> auto operator()(const Fn<R(D...)>& f) const {
    if constexpr (check_argnums<N...>(List<D...>{}) && check_grad_result<Aux, R>()) {
      using G = one_or_tuple<nth<N, D...>...>;
      using Out = typename GradResult<Value, Aux, R, G>::type;
      return Fn<Out(D...)>(make_grad(f.ref(), argnum_mask<N...>, options, type_ops<Out>, &assemble<R, Out, G, D...>));
    } else return Invalid{};
  }
};
}  // namespace detail

// The gradient with respect to parameter N0 (a tuple of gradients for several: grad<0, 2>(f)), shaped as that argument.
// f returns one real scalar Array; static fields of the argument come back unchanged. At the call: TypeError when the
// output is not a real scalar or a leaf of the argument is not inexact, but see GradOptions.
template <int N0 = 0, int... N, class F> auto grad(F f, const GradOptions& o = {}) {
  return detail::transform(std::move(f), detail::GradTransform<false, false, N0, N...>{o});
}
// f returns std::pair(loss, aux); gives std::pair(gradient, aux).
template <int N0 = 0, int... N, class F> auto grad(F f, has_aux_t, const GradOptions& o = {}) {
  return detail::transform(std::move(f), detail::GradTransform<false, true, N0, N...>{o});
}
// Gives std::pair(value, gradient); with has_aux, std::pair(std::pair(loss, aux), gradient).
template <int N0 = 0, int... N, class F> auto value_and_grad(F f, const GradOptions& o = {}) {
  return detail::transform(std::move(f), detail::GradTransform<true, false, N0, N...>{o});
}
template <int N0 = 0, int... N, class F> auto value_and_grad(F f, has_aux_t, const GradOptions& o = {}) {
  return detail::transform(std::move(f), detail::GradTransform<true, true, N0, N...>{o});
}

// argnums of other languages: grad(f, {0, 1}).
template <class F> auto grad(F, std::initializer_list<int>) {
  static_assert(sizeof(F) == 0, "cotan: argnums are template arguments: write grad<0, 1>(f)");
  return detail::Invalid{};
}
template <class F> auto value_and_grad(F, std::initializer_list<int>) {
  static_assert(sizeof(F) == 0, "cotan: argnums are template arguments: write value_and_grad<0, 1>(f)");
  return detail::Invalid{};
}

}  // namespace cotan
