// The elements of float64 arrays of one shape as numbers of the templates of choose.h: their arithmetic records array operations.
#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <type_traits>
#include <vector>

#include "core/primitive.h"

namespace cotan::ops::lanes {

// Which lanes a condition holds for.
class Mask {
 public:
  Mask(bool all) : all_(all) {}
  explicit Mask(Array which) : known_(false), which_(std::move(which)) {}
  bool known() const { return known_; }  // the same for all
  bool all() const { return all_; }
  Array array() const;

 private:
  bool known_ = true, all_ = false;
  Array which_;
};
Mask operator&&(const Mask&, const Mask&);
Mask operator||(const Mask&, const Mask&);
Mask operator!(const Mask&);

class Lanes {
 public:
  Lanes(double v = 0) : number_(v) {}
  explicit Lanes(Array a) : known_(false), array_(std::move(a)) {}
  bool known() const { return known_; }  // the same number in all
  double number() const { return number_; }
  Array array() const;  // 0-d where it is known
  Array wide() const;   // of the lanes' shape

 private:
  bool known_ = true;
  double number_ = 0;
  Array array_;
};

#define COTAN_LANES_2(R, f) R f(const Lanes&, const Lanes&);
COTAN_LANES_2(Lanes, operator+)
COTAN_LANES_2(Lanes, operator-)
COTAN_LANES_2(Lanes, operator*)
COTAN_LANES_2(Lanes, operator/)
COTAN_LANES_2(Mask, operator<)
COTAN_LANES_2(Mask, operator<=)
COTAN_LANES_2(Mask, operator>)
COTAN_LANES_2(Mask, operator>=)
COTAN_LANES_2(Mask, operator==)
COTAN_LANES_2(Mask, operator!=)
COTAN_LANES_2(Lanes, pow)
COTAN_LANES_2(Lanes, atan2)
COTAN_LANES_2(Lanes, fmod)
COTAN_LANES_2(Lanes, copysign)
COTAN_LANES_2(Lanes, polygamma)
COTAN_LANES_2(Lanes, zeta)
#undef COTAN_LANES_2
Lanes operator-(const Lanes&);
inline Lanes& operator+=(Lanes& x, const Lanes& y) { return x = x + y; }
inline Lanes& operator-=(Lanes& x, const Lanes& y) { return x = x - y; }
inline Lanes& operator*=(Lanes& x, const Lanes& y) { return x = x * y; }
#define COTAN_LANES_1(f) Lanes f(const Lanes&);
// clang-format off
COTAN_LANES_1(abs) COTAN_LANES_1(floor) COTAN_LANES_1(rint) COTAN_LANES_1(sqrt) COTAN_LANES_1(exp) COTAN_LANES_1(expm1)
COTAN_LANES_1(log) COTAN_LANES_1(log1p) COTAN_LANES_1(sin) COTAN_LANES_1(cos) COTAN_LANES_1(atan) COTAN_LANES_1(erf)
COTAN_LANES_1(erfc) COTAN_LANES_1(erf_inv) COTAN_LANES_1(lgamma) COTAN_LANES_1(digamma) COTAN_LANES_1(gamma)
// clang-format on
#undef COTAN_LANES_1
            inline Mask isnan(const Lanes& x) {
  return x != x;
}
Lanes fma(const Lanes& x, const Lanes& y, const Lanes& z);  // x y + z with the product in twice the digits

// The shape of the lanes that are computed, and which of them take part: the rest are those of other branches.
class Within {
 public:
  explicit Within(const Shape&);
  explicit Within(const Mask& among_those);
  ~Within();
  Within(const Within&) = delete;
  static const Shape& shape();
  static const Mask& active();

 private:
  Within* outer_;
  const Shape* shape_;
  Mask active_;
};

Lanes select(const Mask&, const Lanes& if_true, const Lanes& if_false);
using Step = std::function<std::vector<Array>(const std::vector<Array>&)>;
std::vector<Array> while_loop(const Step& condition, const Step& body, const std::vector<Array>& init);
// While a lane of `init`'s is active, `step`; both take the arrays of a state.
std::vector<Array> iterate_arrays(const std::vector<Array>& init,
                                  const std::function<Mask(const std::vector<Array>&)>& going, const Step& step);
// The sum of term(i, ...) for i = n - 1, ..., 0, where it gets row i of the tables.
Lanes sum_of(const double* first, const double* second, std::size_t n, const std::function<Lanes(Lanes, Lanes)>& term);
// n steps.
std::vector<Array> repeat_arrays(int n, const std::vector<Array>& init,
                                 const std::function<std::vector<Array>(Lanes, const std::vector<Array>&)>& step);

// --- the parts of a value -------------------------------------------------------------------------------------------------------
template <class F> void each_part(Lanes& x, F f) { f(x); }
template <class S, std::size_t n, class F> void each_part(std::array<S, n>& a, F f) {
  for (S& x : a) each_part(x, f);
}
template <class S, class F>
requires requires(S& s, F f) { s.parts(f); }
void each_part(S& s, F f) {
  s.parts([&](auto& member) { each_part(member, f); });
}
template <class S> std::vector<Array> arrays_of(S s) {
  std::vector<Array> v;
  each_part(s, [&](Lanes& x) { v.push_back(x.wide()); });
  return v;
}
template <class S> S with_arrays(S s, const std::vector<Array>& v) {
  std::size_t i = 0;
  each_part(s, [&](Lanes& x) { x = Lanes(v[i++]); });
  return s;
}
template <class S> S merged(const Mask& which, S a, const S& b) {
  std::vector<Lanes> other;
  S copy = b;
  each_part(copy, [&](Lanes& x) { other.push_back(x); });
  std::size_t i = 0;
  each_part(a, [&](Lanes& x) { x = select(which, x, other[i++]); });
  return a;
}

}  // namespace cotan::ops::lanes
