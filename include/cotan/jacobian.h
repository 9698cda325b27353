// jacfwd, jacrev, hessian.
#pragma once
#include "cotan/grad.h"

namespace cotan {

struct JacobianOptions {
  bool holomorphic = false;
  bool allow_int = false;  // jacrev only
};

namespace detail {
// Makes *out from the function's value, which it may move from, the arguments, and for each leaf of the value and each leaf
// of the chosen arguments, in this order, the derivative: an Array of the shape of the value's leaf, then the argument's.
using AssembleJacobian = void (*)(void* value, const void* const* args, const std::vector<Array>& blocks, void* out);
FnRef make_jacobian(const FnRef&, bool forward, const ValuePart&, std::uint64_t argnums, const JacobianOptions&,
                    const TypeOps& out, AssembleJacobian);

// Tree with G in place of each Array. An aggregate can't be made so, unless G is Array.
template <class Tree, class G> struct Replace;
template <class Tree, class G> using replaced = typename Replace<Tree, G>::type;
template <class Tree, class G> inline constexpr bool replaceable = requires { typename Replace<Tree, G>::type; };
struct JacobianParts {  // hands out the blocks, in order
  const std::vector<Array>& blocks;
  std::size_t next = 0;
  template <class G> G take(const G& like) {
    const std::size_t n = leaves_of(type_ops<G>, &like).size();
    G g = like;
    assign_leaves(
        type_ops<G>, &g,
        {blocks.begin() + static_cast<std::ptrdiff_t>(next), blocks.begin() + static_cast<std::ptrdiff_t>(next + n)});
    next += n;
    return g;
  }
};
template <class Tree> struct Replace<Tree, Array> {
  using type = Tree;
  static Tree make(const Tree& t, const Array&, JacobianParts& p) { return p.take(t); }
};
template <class G>
requires(!std::is_same_v<G, Array>) struct Replace<Array, G> {
  using type = G;
  static G make(const Array&, const G& g, JacobianParts& p) { return p.take(g); }
};
template <class A, class B, class G>
requires(!std::is_same_v<G, Array>) struct Replace<std::pair<A, B>, G> {
  using type = std::pair<replaced<A, G>, replaced<B, G>>;
  static type make(const std::pair<A, B>& t, const G& g, JacobianParts& p) {
    auto a = Replace<A, G>::make(t.first, g, p);
    return type(std::move(a), Replace<B, G>::make(t.second, g, p));
  }
};
template <class... T, class G>
requires(!std::is_same_v<G, Array>) struct Replace<std::tuple<T...>, G> {
  using type = std::tuple<replaced<T, G>...>;
  static type make(const std::tuple<T...>& t, const G& g, JacobianParts& p) {  // braces: left to right
    return std::apply([&](const T&... x) { return type{Replace<T, G>::make(x, g, p)...}; }, t);
  }
};
template <class T, class G>
requires(!std::is_same_v<G, Array>) struct Replace<std::vector<T>, G> {
  using type = std::vector<replaced<T, G>>;
  static type make(const std::vector<T>& t, const G& g, JacobianParts& p) {
    type out;
    for (const T& x : t) out.push_back(Replace<T, G>::make(x, g, p));
    return out;
  }
};

template <class Tree, class G, bool Aux, class R> struct JacobianResult { using type = replaced<Tree, G>; };
template <class Tree, class G, class R> struct JacobianResult<Tree, G, true, R> {
  using type = std::pair<replaced<Tree, G>, typename R::second_type>;
};

template <bool Forward, bool Aux, int... N> struct JacobianTransform {
  JacobianOptions options;

  template <class R, class... D> static constexpr bool check() {
    if constexpr (!check_argnums<N...>(List<D...>{})) return false;
    else if constexpr (Aux && !is_pair<R>) {
      static_assert(!Aux || is_pair<R>, "cotan: with has_aux the function must return std::pair(value, aux)");
      return false;
    } else {
      constexpr bool typed = replaceable<value_type<Aux, R>, one_or_tuple<nth<N, D...>...>>;
      static_assert(typed,
                    "cotan: jacfwd, jacrev and hessian: the jacobian of a struct with respect to a struct has no type "
                    "of its own; of the function's "
                    "result and argument one must be an Array or made of std containers; or see ct::tree::ravel");
      return typed;
    }
  }
  // The blocks of each leaf of the value, which come in the order of the parameters, in the order of N.
  template <class... D>
  static std::vector<Array> in_given_order(const void* const* args, const std::vector<Array>& blocks) {
    constexpr std::uint64_t mask = argnum_mask<N...>;
    std::vector<std::size_t> first(sizeof...(N) + 1), count(sizeof...(N));
    ((count[argnum_place(mask, N)] = leaves_of(type_ops<nth<N, D...>>, args[N]).size()), ...);
    for (std::size_t i = 0; i < count.size(); ++i) first[i + 1] = first[i] + count[i];
    std::vector<Array> out;
    const auto append = [&](std::size_t row, std::size_t place) {
      for (std::size_t i = first[place]; i < first[place + 1]; ++i) out.push_back(blocks[row + i]);
    };
    for (std::size_t row = 0; row < blocks.size(); row += first.back()) (append(row, argnum_place(mask, N)), ...);
    return out;
  }
  template <class R, class Out, class G, class... D>
  static void assemble(void* value, const void* const* args, const std::vector<Array>& blocks, void* out) {
    using V = value_type<Aux, R>;
    const G like(*static_cast<const nth<N, D...>*>(args[N])...);
    const std::vector<Array> ordered = in_given_order<D...>(args, blocks);
    JacobianParts parts{ordered};
    R& r = *static_cast<R*>(value);
    if constexpr (Aux) {
      auto jacobian = Replace<V, G>::make(r.first, like, parts);
      new (out) Out(std::move(jacobian), std::move(r.second));
    } else new (out) Out(Replace<V, G>::make(r, like, parts));
  }
  template <class R, class... D> auto operator()(const Fn<R(D...)>& f) const {
    if constexpr (check<R, D...>()) {
      using G = one_or_tuple<nth<N, D...>...>;
      using Out = typename JacobianResult<value_type<Aux, R>, G, Aux, R>::type;
      return Fn<Out(D...)>(make_jacobian(f.ref(), Forward, value_part<Aux, R>, argnum_mask<N...>, options,
                                         type_ops<Out>, &assemble<R, Out, G, D...>));
    } else return Invalid{};
  }
};
}  // namespace detail

// The jacobian of f with respect to parameter N0 (a tuple of parameters for several): the result of f with, in place of each
// Array y, the argument's type, whose leaf x has become dy/dx, of y's shape followed by x's. So Array -> Array gives an
// Array of shape y.shape + x.shape. jacfwd costs one jvp per element of the argument, jacrev one vjp per element of the
// result. TypeError for inputs (jacrev: and outputs) that are not real, but see JacobianOptions.
template <int N0 = 0, int... N, class F> auto jacfwd(F f, const JacobianOptions& o = {}) {
  return detail::transform(std::move(f), detail::JacobianTransform<true, false, N0, N...>{o});
}
template <int N0 = 0, int... N, class F> auto jacrev(F f, const JacobianOptions& o = {}) {
  return detail::transform(std::move(f), detail::JacobianTransform<false, false, N0, N...>{o});
}
// f returns std::pair(value, aux); gives std::pair(jacobian, aux).
template <int N0 = 0, int... N, class F> auto jacfwd(F f, has_aux_t, const JacobianOptions& o = {}) {
  return detail::transform(std::move(f), detail::JacobianTransform<true, true, N0, N...>{o});
}
template <int N0 = 0, int... N, class F> auto jacrev(F f, has_aux_t, const JacobianOptions& o = {}) {
  return detail::transform(std::move(f), detail::JacobianTransform<false, true, N0, N...>{o});
}

// The second derivative, jacfwd(jacrev(f)). For a struct, take the hessian of a function of its ct::tree::ravel.
template <int N0 = 0, int... N, class F> auto hessian(F f, const JacobianOptions& o = {}) {
  return jacfwd<N0, N...>(jacrev<N0, N...>(std::move(f), o), o);
}
template <int N0 = 0, int... N, class F> auto hessian(F f, has_aux_t, const JacobianOptions& o = {}) {
  return jacfwd<N0, N...>(jacrev<N0, N...>(std::move(f), has_aux, o), has_aux, o);
}

}  // namespace cotan
