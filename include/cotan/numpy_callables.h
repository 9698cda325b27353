// numpy's functions that take functions.
#pragma once
#include "cotan/axes.h"
#include "cotan/fn.h"

namespace cotan::numpy {

struct VectorizeOptions {
  const char* signature = "";  // "(n,m),(m)->(n)": the axes that the function takes and gives; none: of numbers
  IntList excluded = {};       // parameters that are passed on as they are; those that hold no Array are so anyway
};

namespace detail {
cotan::detail::FnRef make_vectorize(const cotan::detail::FnRef&, const VectorizeOptions&);
struct VectorizeTransform {
  VectorizeOptions options;
  template <class R, class... D> auto operator()(const Fn<R(D...)>& f) const {
    return Fn<R(D...)>(make_vectorize(f.ref(), options));
  }
};

// A function of several Arrays, which stand in a vector; any callable of one to four Arrays, or of a vector, becomes one.
class OfArrays {
 public:
  template <class F>
  requires(!std::is_same_v<F, OfArrays>) OfArrays(F f) : f_(wrap(std::move(f))) {}
  Array operator()(const std::vector<Array>& x) const { return f_(x); }

 private:
  template <class F> static Fn<Array(std::vector<Array>)> wrap(F f) {
    using A = const Array&;
    using V = const std::vector<Array>&;
    static_assert(std::is_invocable_v<F&, V> || std::is_invocable_v<F&, A> || std::is_invocable_v<F&, A, A> ||
                      std::is_invocable_v<F&, A, A, A> || std::is_invocable_v<F&, A, A, A, A>,
                  "cotan: the function takes one to four ct::Array, or std::vector<ct::Array>");
    return [f = std::move(f)](V x) -> Array {
      if constexpr (std::is_invocable_v<F&, V>) return f(x);
      else if constexpr (std::is_invocable_v<F&, A>) return f(at(x, 0, 1));
      else if constexpr (std::is_invocable_v<F&, A, A>) return f(at(x, 0, 2), at(x, 1, 2));
      else if constexpr (std::is_invocable_v<F&, A, A, A>) return f(at(x, 0, 3), at(x, 1, 3), at(x, 2, 3));
      else return f(at(x, 0, 4), at(x, 1, 4), at(x, 2, 4), at(x, 3, 4));
    };
  }
  static const Array& at(const std::vector<Array>& x, std::size_t i, std::size_t count) {
    if (x.size() != count)
      throw TypeError("the function takes " + std::to_string(count) + " Arrays, and " + std::to_string(x.size()) +
                      " are given");
    return x[i];
  }
  Fn<Array(std::vector<Array>)> f_;
};
}  // namespace detail

// f over the leading axes of its arguments, which broadcast. At the call: ValueError when an argument lacks axes of the
// signature, or their sizes differ, or a result does not have those that the signature says.
template <class F> auto vectorize(F pyfunc, const VectorizeOptions& o = {}) {
  return cotan::detail::transform(std::move(pyfunc), detail::VectorizeTransform{o});
}

// func1d of each vector along the axis; the axes of its result stand in the place of that axis.
Array apply_along_axis(const Fn<Array(Array)>& func1d, int axis, const Array& arr);
// func(a, axis) for one axis after the other; an axis that it takes away is put back with size 1.
Array apply_over_axes(const Fn<Array(Array, int)>& func, const Array& a, const Axes& axes);

struct FromfunctionOptions {
  using is_options = void;
  DType dtype = float64;  // of the coordinates; narrowed unless enable_x64
};
// function(i, j, ...) of the coordinates of each element of the shape; axes of its result come last.
Array fromfunction(const detail::OfArrays& function, const Shape& shape, const FromfunctionOptions& = {});

// A value or a function of one number.
class Piece {
 public:
  Piece(const Array& value) : value_(value) {}
  template <Number T> Piece(T value) : value_(value) {}
  template <class F>
  requires(std::is_invocable_r_v<Array, F&, const Array&> && !std::is_convertible_v<F, Array>) Piece(F f)
      : f_(Fn<Array(Array)>(std::move(f)).ref()) {}
  Array operator()(const Array& x) const { return value_.has_value() ? value_ : Fn<Array(Array)>(f_)(x); }

 private:
  Array value_;
  cotan::detail::FnRef f_{nullptr};
};
// For each element the piece of the last condition that holds; where none does the piece after those of the conditions,
// or 0. The result has x's dtype. ValueError unless there are as many pieces as conditions, or one more.
Array piecewise(const Array& x, const std::vector<Array>& condlist, const std::vector<Piece>& funclist);

}  // namespace cotan::numpy
