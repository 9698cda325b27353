// jvp, vjp, linearize, linear_transpose: derivatives as linear maps.
#pragma once
#include "cotan/grad.h"

namespace cotan {
namespace detail {

void run_jvp(FnBase&, const ValuePart&, const void* const* primals, const void* const* tangents, void* out,
             void* tangent_out);
// The linear map at a point, with the function's value (of type f.result()) in *out.
FnRef run_vjp(FnBase&, const ValuePart&, const void* const* args, void* out, const TypeOps* const* cotangent,
              const TypeOps& result, Assemble);
FnRef run_linearize(FnBase&, const void* const* args, void* out, const TypeOps* const* tangents, int count);
FnRef run_linear_transpose(FnBase&, const void* const* args, const TypeOps* const* cotangent, const TypeOps& result,
                           Assemble);

template <class... L> struct Concat { using type = List<>; };
template <class... A, class... L> struct Concat<List<A...>, L...> {
  template <class... B> static List<A..., B...> join(List<B...>);
  using type = decltype(join(typename Concat<L...>::type{}));
};
// The parameters that hold Arrays: only they have tangents.
template <class... D> using dynamic_of = typename Concat<std::conditional_t<holds_array<D>, List<D>, List<>>...>::type;

template <class G, class... D> void assemble_cotangents(void*, void* const* parts, void* out) {
  [&]<std::size_t... I>(std::index_sequence<I...>) { new (out) G(std::move(*static_cast<D*>(parts[I]))...); }
  (std::index_sequence_for<D...>());
}

template <class R, class... D, class... A> constexpr bool check_call(const Fn<R(D...)>&, List<A...> args) {
  if constexpr (check_args(List<D...>{}, args)) {
    static_assert(
        (holds_array<D> || ...),
        "cotan: this derivative is of a function whose parameters hold no Array (int and double parameters are static: "
        "write ct::Array)");
    return (holds_array<D> || ...);
  } else return false;
}
// f with its last parameters left out, where they may be.
template <std::size_t N, class R, class... D> auto with_arity(const Fn<R(D...)>& f) {
  if constexpr (N >= sizeof...(D) || N < required_count(List<D...>{})) return f;
  else {
    using Given = decltype(first_of(std::make_index_sequence<N>(), static_cast<std::tuple<D...>*>(nullptr)));
    return make_fn<R>(Given{},
                      [&f]<class... G>(List<G...>) { return [f](const G&... a) { return f(a...); }; }(Given{}));
  }
}

template <class F> struct LinearOf;
template <class R, class... D> struct LinearOf<Fn<R(D...)>> {
  using F = Fn<R(D...)>;
  static constexpr dynamic_of<D...> dynamic() { return {}; }

  template <class Ct, class... Q>
  static auto vjp(List<Q...>, const F& f, const ValuePart& part, const D&... a, void* out) {
    using Result = one_or_tuple<Q...>;
    const void* args[] = {&a..., nullptr};
    return Fn<Result(Ct)>(
        run_vjp(*f.ref(), part, args, out, ops_of<Ct>, type_ops<Result>, &assemble_cotangents<Result, Q...>));
  }
  static auto vjp_plain(const F& f, const D&... a) {
    Slot<R> out;
    auto pullback = vjp<R>(dynamic(), f, value_part<false, R>, a..., &out.value);
    return std::pair<R, decltype(pullback)>(out.take(), std::move(pullback));
  }
  static auto vjp_aux(const F& f, const D&... a) {
    using Out = typename R::first_type;
    Slot<R> out;
    auto pullback = vjp<Out>(dynamic(), f, value_part<true, R>, a..., &out.value);
    R both = out.take();
    return std::tuple<Out, decltype(pullback), typename R::second_type>(std::move(both.first), std::move(pullback),
                                                                        std::move(both.second));
  }
  template <class... Q> static auto linearize(List<Q...>, const F& f, const D&... a) {
    const void* args[] = {&a..., nullptr};
    Slot<R> out;
    Fn<R(Q...)> pushforward(run_linearize(*f.ref(), args, &out.value, ops_of<Q...>, static_cast<int>(sizeof...(Q))));
    return std::pair<R, Fn<R(Q...)>>(out.take(), std::move(pushforward));
  }
  template <class... Q> static auto linear_transpose(List<Q...>, const F& f, const D&... a) {
    using Result = one_or_tuple<Q...>;
    const void* args[] = {&a..., nullptr};
    return Fn<Result(R)>(
        run_linear_transpose(*f.ref(), args, ops_of<R>, type_ops<Result>, &assemble_cotangents<Result, Q...>));
  }
  template <class Q, std::size_t I, class P, class T>
  static const Q tangent(const P& primals, const T& tangents) {  // a static parameter has none: its value stays
    if constexpr (holds_array<Q>) return std::get<I>(tangents);
    else return std::get<I>(primals);
  }
  template <bool Aux, class P, class T, std::size_t... I>
  static auto jvp(const F& f, const P& primals, const T& tangents, std::index_sequence<I...>) {
    const std::tuple<D...> p(std::get<I>(primals)...), t(tangent<D, I>(primals, tangents)...);
    const void* pp[] = {&std::get<I>(p)..., nullptr};
    const void* tt[] = {&std::get<I>(t)..., nullptr};
    Slot<R> out, tangent_out;
    run_jvp(*f.ref(), value_part<Aux, R>, pp, tt, &out.value, &tangent_out.value);
    R y = out.take(), dy = tangent_out.take();
    if constexpr (Aux) return std::tuple(std::move(y.first), std::move(dy.first), std::move(y.second));
    else return std::pair<R, R>(std::move(y), std::move(dy));
  }
};

template <class R, class... D> constexpr bool returns_pair(const Fn<R(D...)>&) {
  static_assert(is_pair<R>, "cotan: with has_aux the function must return std::pair(value, aux)");
  return is_pair<R>;
}
template <class T, class D> constexpr bool tangent_fits() {
  constexpr bool fits = !holds_array<D> || std::is_convertible_v<const T&, D>;
  static_assert(fits, "cotan: a tangent must have the type of its argument");
  return fits;
}
template <class... T, class R, class... D> constexpr bool tangents_fit(List<T...>, const Fn<R(D...)>&) {
  return (static_cast<int>(tangent_fits<T, D>()) & ... & 1) != 0;
}
// The function that takes these arguments, or Invalid after a mistake.
template <class F, class... A> auto prepare(F f, const A&... a) {
  auto fn = to_fn_for(std::move(f), a...);
  if constexpr (is_invalid<decltype(fn)>) return fn;
  else if constexpr (!check_call(fn, List<A...>{})) return Invalid{};
  else return with_arity<sizeof...(A)>(fn);
}

template <bool Aux, class F, class... P, class... T>
auto jvp_of(F f, const std::tuple<P...>& primals, const std::tuple<T...>& tangents) {
  constexpr bool same = sizeof...(P) == sizeof...(T);
  static_assert(same, "cotan: jvp needs one tangent per argument (ct::none for a static one)");
  auto fn = std::apply([&](const auto&... x) { return prepare(std::move(f), x...); }, primals);
  if constexpr (!same || is_invalid<decltype(fn)>) return std::tuple(Invalid{}, Invalid{});
  else if constexpr (!tangents_fit(List<std::remove_cvref_t<T>...>{}, fn)) return std::tuple(Invalid{}, Invalid{});
  else return LinearOf<decltype(fn)>::template jvp<Aux>(fn, primals, tangents, std::index_sequence_for<P...>());
}
template <class T, class... D> constexpr bool is_only_parameter(List<D...>) {
  return sizeof...(D) == 1 && (std::is_convertible_v<const T&, D> && ...);
}
template <class F, class T> inline constexpr bool takes_this_tuple = false;  // f(tuple), not f(its elements...)
template <class F, class T>
requires HasSignature<F>
inline constexpr bool takes_this_tuple<F, T> = is_only_parameter<T>(typename SigOf<F>::params{});
template <bool Aux, class F, class P, class T> auto jvp_any(F f, const P& primals, const T& tangents) {
  if constexpr (TupleLike<P> && TupleLike<T> && !is_pair<P> && !takes_this_tuple<F, P>)
    return jvp_of<Aux>(std::move(f), primals, tangents);
  else return jvp_of<Aux>(std::move(f), std::tuple<const P&>(primals), std::tuple<const T&>(tangents));
}
}  // namespace detail

// The value of f and its derivative along a tangent, std::pair(y, dy). A function of several parameters takes two tuples:
// jvp(f, std::tuple(x, y), std::tuple(dx, dy)). Tangents have the type, structure, shapes and dtypes of the arguments (of
// int and bool leaves: dtype float0), else TypeError, or ValueError for shapes. A static argument's tangent is not read.
template <class F, class P, class T> auto jvp(F f, const P& primals, const T& tangents) {
  return detail::jvp_any<false>(std::move(f), primals, tangents);
}
// f returns std::pair(value, aux); gives (value, tangent, aux).
template <class F, class P, class T> auto jvp(F f, const P& primals, const T& tangents, has_aux_t) {
  return detail::jvp_any<true>(std::move(f), primals, tangents);
}

// The value of f and the function that takes a cotangent of the value to the cotangents of the arguments (those that hold
// Arrays; a tuple when several do). The cotangent has the structure, shapes and dtypes of the value, else ValueError.
template <class F, class... A> auto vjp(F f, const A&... args) {
  auto fn = detail::prepare(std::move(f), args...);
  if constexpr (detail::is_invalid<decltype(fn)>) return std::pair(fn, fn);
  else return detail::LinearOf<decltype(fn)>::vjp_plain(fn, args...);
}
// f returns std::pair(value, aux); gives (value, pullback, aux).
template <class F, class... A> auto vjp(F f, has_aux_t, const A&... args) {
  auto fn = detail::prepare(std::move(f), args...);
  if constexpr (detail::is_invalid<decltype(fn)>) return std::tuple(fn, fn, fn);
  else if constexpr (!detail::returns_pair(fn))
    return std::tuple(detail::Invalid{}, detail::Invalid{}, detail::Invalid{});
  else return detail::LinearOf<decltype(fn)>::vjp_aux(fn, args...);
}

// The value of f and its derivative there as a function of tangents (of the arguments that hold Arrays).
template <class F, class... A> auto linearize(F f, const A&... args) {
  auto fn = detail::prepare(std::move(f), args...);
  if constexpr (detail::is_invalid<decltype(fn)>) return std::pair(fn, fn);
  else return detail::LinearOf<decltype(fn)>::linearize(detail::LinearOf<decltype(fn)>::dynamic(), fn, args...);
}

// The transpose of a linear function: takes a cotangent of its value to cotangents of its arguments, of which only the
// shapes and dtypes are read. NotImplementedError when f is not linear.
template <class F, class... A> auto linear_transpose(F f, const A&... args) {
  auto fn = detail::prepare(std::move(f), args...);
  if constexpr (detail::is_invalid<decltype(fn)>) return fn;
  else return detail::LinearOf<decltype(fn)>::linear_transpose(detail::LinearOf<decltype(fn)>::dynamic(), fn, args...);
}

}  // namespace cotan
