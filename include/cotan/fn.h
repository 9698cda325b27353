// Fn: a function of known types. Every transformation takes something callable and gives a Fn.
#pragma once
#include "cotan/fn_erased.h"

namespace cotan {
template <class Sig> class Fn;

namespace detail {

template <class A, class D> constexpr bool check_arg() {
  constexpr bool fits = std::is_convertible_v<const A&, D>;
  if constexpr (fits || is_invalid<A>) return true;
  else if constexpr (std::is_same_v<D, Array> && SeqLike<A> && !StringLike<A>)
    static_assert(
        fits, "cotan: this parameter is a ct::Array and the argument is a container of numbers: write jnp::array(v)");
  else if constexpr (std::is_same_v<D, Array>)
    static_assert(fits, "cotan: this parameter is a ct::Array and the argument is neither an Array nor a number");
  else static_assert(fits, "cotan: an argument does not have the type of the function's parameter");
  return false;
}
// How many arguments a call must give: all but the trailing ones that may be left out.
template <class... D> constexpr std::size_t required_count(List<D...>) {
  constexpr bool optional[] = {Omissible<D>..., false};
  std::size_t n = sizeof...(D);
  while (n > 0 && optional[n - 1]) --n;
  return n;
}
template <class... D, class... A, std::size_t... I>
constexpr bool check_arg_types(List<D...>, List<A...>, std::index_sequence<I...>) {
  return (static_cast<int>(check_arg<A, std::tuple_element_t<I, std::tuple<D...>>>()) & ... & 1) != 0;
}
template <class... D, class... A> constexpr bool check_args(List<D...> params, List<A...> args) {
  constexpr bool count = sizeof...(A) <= sizeof...(D) && sizeof...(A) >= required_count(List<D...>{});
  static_assert(count,
                "cotan: wrong number of arguments (the default arguments of a function are not visible here: wrap it "
                "in a lambda)");
  if constexpr (count) return check_arg_types(params, args, std::index_sequence_for<A...>());
  else return false;
}
template <class P>
inline constexpr bool mutable_reference = std::is_lvalue_reference_v<P> && !std::is_const_v<std::remove_reference_t<P>>;

}  // namespace detail

// A counted handle: copies are the same function. Calling it may trace, differentiate, batch or run.
template <class R, class... D> class Fn<R(D...)> {
 public:
  // A copy of f. The result of f converts to R.
  template <class F>
  requires(std::is_invocable_r_v<R, F&, const D&...> && !std::is_base_of_v<Fn, F> && !std::is_same_v<F, detail::FnRef>)
      Fn(F f)
      : f_(new detail::FnImpl<F, R, detail::List<D...>>(std::move(f))) {
    static_assert(detail::check_trees(detail::List<R, D...>{}));
  }
  R operator()(const std::type_identity_t<D>&... a) const {
    const void* args[sizeof...(D) + 1] = {&a...};
    detail::Slot<R> out;
    f_->call(args, &out.value);
    return out.take();
  }
  template <class... A>
  requires(!std::is_invocable_v<R (*)(const D&...), const A&...>) R operator()(const A&... a) const {
    if constexpr (detail::check_args(detail::List<D...>{}, detail::List<A...>{}))
      return call_completed(std::index_sequence_for<D...>(), a...);
    else std::terminate();  // never built
  }
  explicit Fn(detail::FnRef f) : f_(std::move(f)) {}  // for the library
  const detail::FnRef& ref() const { return f_; }
  friend void tree_key(const Fn& f, detail::Key& k) { detail::put_function_key(*f.f_, k); }  // a Fn is static

 private:
  template <class P, std::size_t I, class... A>
  static decltype(auto) argument([[maybe_unused]] const std::tuple<const A&...>& given) {
    if constexpr (I < sizeof...(A)) return P(std::get<I>(given));
    else return P{};
  }
  template <std::size_t... I, class... A> R call_completed(std::index_sequence<I...>, const A&... a) const {
    const std::tuple<const A&...> given(a...);
    return (*this)(argument<D, I>(given)...);
  }
  detail::FnRef f_;
};

namespace detail {
template <class R, class... D> struct SigOf<Fn<R(D...)>> : Known<R, D...> {};

template <class... P> struct Params {
  using plain = List<P...>;
  using extra = List<>;
};
template <std::size_t... I, class T> List<std::tuple_element_t<I, T>...> first_of(std::index_sequence<I...>, T*);
template <class... P>
requires(sizeof...(P) > 0 &&
         OptionsStruct<std::tuple_element_t<sizeof...(P) - 1, std::tuple<P...>>>) struct Params<P...> {
  using plain =
      decltype(first_of(std::make_index_sequence<sizeof...(P) - 1>(), static_cast<std::tuple<P...>*>(nullptr)));
  using extra = List<std::tuple_element_t<sizeof...(P) - 1, std::tuple<P...>>>;
};
template <class R, class... D, class... E, class F> auto erase(List<D...>, List<E...>, F f) {
  if constexpr (check_trees(List<R, D...>{}))
    return Fn<R(D...)>(FnRef(new FnImpl<F, R, List<D...>, E...>(std::move(f))));
  else return Invalid{};
}
template <class R, class... P, class F> auto make_fn(List<P...>, F f) {
  constexpr bool by_value = !(mutable_reference<P> || ...);
  static_assert(by_value,
                "cotan: the function takes a non-const reference; a function that cotan transforms takes values or "
                "const references and "
                "returns its results");
  static_assert(sizeof...(P) <= 64, "cotan: the function has more than 64 parameters; collect them in a struct");
  using Split = Params<std::remove_cvref_t<P>...>;
  if constexpr (by_value) return erase<value_of<R>>(typename Split::plain{}, typename Split::extra{}, std::move(f));
  else return Invalid{};
}
template <class R, class... D> Fn<R(D...)> as_fn(const Fn<R(D...)>& f) { return f; }  // Fn and what derives from it
template <class F>
concept IsFn = requires(const F& f) {
  as_fn(f);
};
template <class F> auto to_fn(F f) {
  if constexpr (IsFn<F>) return as_fn(f);
  else return make_fn<typename SigOf<F>::result>(typename SigOf<F>::params{}, std::move(f));
}
template <class F>
inline constexpr bool is_function =
    !std::is_same_v<F, Array> && (std::is_class_v<F> || FunctionPointer<F> || std::is_member_function_pointer_v<F>);
#define COTAN_NOT_A_FUNCTION \
  "cotan: the first argument must be a function: a function, a lambda, or the result of another transformation"
// The same for a call: a generic callable gets its types from the arguments, which numbers enter as Arrays.
template <class F, class... A> auto to_fn_for(F f, const A&...) {
  static_assert(is_function<F> || is_invalid<F>, COTAN_NOT_A_FUNCTION);
  if constexpr (!is_function<F> || is_invalid<F>) return Invalid{};
  else if constexpr (HasSignature<F> || IsFn<F>) return to_fn(std::move(f));
  else {
    constexpr bool callable = std::is_invocable_v<F&, const value_of<A>&...>;
    static_assert(callable, "cotan: the function cannot be called with these arguments (numbers become ct::Array)");
    if constexpr (callable)
      return make_fn<std::invoke_result_t<F&, const value_of<A>&...>>(List<value_of<A>...>{}, std::move(f));
    else return Invalid{};
  }
}

// A transformation of a callable whose types are known only when it is called.
template <class F, class Transform> class Generic {
 public:
  Generic(F f, Transform t) : f_(std::move(f)), transform_(std::move(t)) {}
  template <class... A> auto operator()(const A&... a) const {
    auto fn = to_fn_for(f_, a...);
    if constexpr (is_invalid<decltype(fn)>) return Invalid{};
    else return transform_(fn)(a...);
  }

 private:
  F f_;
  Transform transform_;
};
template <class F, class Transform> auto transform(F f, Transform t) {
  static_assert(is_function<F>, COTAN_NOT_A_FUNCTION);
  if constexpr (!is_function<F> || is_invalid<F>) return Invalid{};
  else if constexpr (HasSignature<F> || IsFn<F>) {
    auto fn = to_fn(std::move(f));
    if constexpr (is_invalid<decltype(fn)>) return Invalid{};
    else return t(fn);
  } else return Generic<F, Transform>(std::move(f), std::move(t));
}
#undef COTAN_NOT_A_FUNCTION

template <class Sig> struct Pinned;
template <class R, class... P> struct Pinned<R(P...)> {
  template <class F> static auto make(F f) { return make_fn<R>(List<P...>{}, std::move(f)); }
};
}  // namespace detail

// One of several overloads, or a generic lambda, with its types fixed: ct::fn<Array(const Array&)>(f).
template <class Sig> auto fn(Sig* f) { return detail::Pinned<Sig>::make(f); }
template <class Sig, class F> auto fn(F f) { return detail::Pinned<Sig>::make(std::move(f)); }

}  // namespace cotan
