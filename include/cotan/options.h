// Marks on parameter types that tell transformations which trailing arguments a call may leave out. (A base class would do,
// but makes g++ warn of missing initialisers at every {.keepdims = true}.)
#pragma once

namespace cotan::detail {

// A trailing struct of options: `struct SumOptions { using is_options = void; bool keepdims = false; };`. Transformations
// do not count it and pass its default, so that grad(jnp::sum) takes what sum takes before the options.
template <class T>
concept OptionsStruct = requires {
  typename T::is_options;
};

// A parameter whose T{} means "not given": `class Axes { public: using may_be_omitted = void; ... };`. A transformed
// function can be called with it, grad(jnp::sum)(x, 0), or without.
template <class T>
concept Omissible = requires {
  typename T::may_be_omitted;
};

// A bool that no number becomes: an argument list in braces, {0, 1}, is not taken for options.
struct Flag {
  constexpr Flag() = default;
  template <class T>
  requires __is_same(T, bool) constexpr Flag(T v) : on(v) {}
  constexpr operator bool() const { return on; }
  bool on = false;
};

}  // namespace cotan::detail
