// numpy's differences, integrals, interpolation, convolutions and polynomials. Integers and bools enter those that divide as
// floats of the default type.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cotan/array.h"
#include "cotan/axes.h"
#include "cotan/numpy_products.h"

namespace cotan::numpy {

struct DiffOptions {
  using is_options = void;
  Array prepend = {}, append = {};  // joined to the operand along the axis first; a number counts as one element
};
// n times the difference of neighbours along an axis; of bools, whether they differ. ValueError for n < 0 or a number.
Array diff(const Array&, std::int64_t n = 1, std::int64_t axis = -1, const DiffOptions& = {});
struct Ediff1dOptions {
  using is_options = void;
  Array to_end = {}, to_begin = {};  // joined to the result, in the operand's type
};
Array ediff1d(const Array&, const Ediff1dOptions& = {});  // of the flattened array

// The derivative along each axis by central differences, one-sided at the ends: exact for polynomials of degree 2 inside and 1
// at the ends. `spacing`: none (1), one for all axes, or one for each: a number, or the coordinates along its axis (ValueError
// unless they are as many). ValueError where an axis has less than 2 elements.
std::vector<Array> gradient(const Array&, const std::vector<Array>& spacing = {}, const Axes& axis = none);
struct TrapezoidOptions {
  using is_options = void;
  Array dx = {};  // the distance of samples, when x is not given; none: 1
  std::int64_t axis = -1;
};
// The integral along an axis; x: the coordinates, of that axis or of y's shape.
Array trapezoid(const Array& y, const Array& x = {}, const TrapezoidOptions& = {});

// What interp gives beyond an end: none: fp's value there; a number; or "extrapolate" (ValueError for another word).
class InterpEdge {
 public:
  InterpEdge() = default;
  InterpEdge(none_t) {}
  InterpEdge(const Array& value) : value_(value) {}
  template <Number T> InterpEdge(T value) : value_(value) {}
  InterpEdge(std::string_view word);
  InterpEdge(const char* word) : InterpEdge(std::string_view(word)) {}
  bool extrapolate() const { return extrapolate_; }
  const Array& value() const { return value_; }  // may have none

 private:
  Array value_;
  bool extrapolate_ = false;
};
struct InterpOptions {
  using is_options = void;
  InterpEdge left = {}, right = {};
  Array period = {};  // x and xp count modulo this: not there yet (NotImplementedError)
};
// Piecewise linear through the points (xp, fp), xp ascending. ValueError unless xp and fp are vectors of one size, and for
// complex x.
Array interp(const Array& x, const Array& xp, const Array& fp, const InterpOptions& = {});

// mode: "full": all sums in which the operands meet; "same": the middle, as long as the longer operand; "valid": those in which
// they meet whole. ValueError for another word, an empty operand, or one that is not a vector.
Array convolve(const Array& a, const Array& v, std::string_view mode = "full", const ProductOptions& = {});
Array correlate(const Array& a, const Array& v, std::string_view mode = "valid", const ProductOptions& = {});

// Polynomials as their coefficients, the highest power first, along the first axis.
struct PolyvalOptions {
  using is_options = void;
  std::int64_t unroll = 16;  // has no effect
};
Array polyval(const Array& p, const Array& x, const PolyvalOptions& = {});
Array polyadd(const Array&, const Array&);
Array polysub(const Array&, const Array&);
struct PolynomialOptions {
  using is_options = void;
  bool trim_leading_zeros = false;  // of operands or remainder; needs concrete values
};
Array polymul(const Array&, const Array&, const PolynomialOptions& = {});
struct PolydivResult {
  Array quotient, remainder;  // the remainder as long as u, with zeros in front
};
PolydivResult polydiv(const Array& u, const Array& v, const PolynomialOptions& = {});
Array polyder(const Array& p, std::int64_t m = 1);
struct PolyintOptions {
  using is_options = void;
  Array k = {};  // the m constants of integration, or one for all; none: 0
};
Array polyint(const Array& p, std::int64_t m = 1, const PolyintOptions& = {});
Array poly(const Array& seq_of_zeros);  // with these roots; of a matrix: NotImplementedError, it needs linear algebra

struct PolyfitOptions {
  using is_options = void;
  std::optional<double> rcond = std::nullopt;
  bool full = false;
  Array w = {};
  bool cov = false;
};
struct RootsOptions {
  using is_options = void;
  bool strip_zeros = true;
};
// These need linear algebra, which is not there yet: NotImplementedError.
Array polyfit(const Array& x, const Array& y, std::int64_t deg, const PolyfitOptions& = {});
Array roots(const Array& p, const RootsOptions& = {});

}  // namespace cotan::numpy
