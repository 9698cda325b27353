// A value with its derivative; nested once, with second derivatives, where both seeds are carried. For the derivatives by a parameter
// that a series has and no formula. T is a number (choose.h) or a Dual.
#pragma once
#include "ops/special_parts.h"

namespace cotan::ops::special {

template <class T> struct Dual {
  using Number = typename NumberOf<T>::type;
  T v, d;
  template <class F> void parts(F f) { f(v), f(d); }
};
template <class D> using Number = typename NumberOf<D>::type;

template <class T> const Number<T>& value_of(const T& x) {
  if constexpr (std::is_same_v<T, Number<T>>) return x;
  else return value_of(x.v);
}

// All derivatives are `derivative`.
template <class D> D filled(const Number<D>& v, const Number<D>& derivative) {
  if constexpr (std::is_same_v<D, Number<D>>) return v;
  else return {filled<decltype(D::v)>(v, derivative), filled<decltype(D::v)>(derivative, derivative)};
}
template <class D> D constant(const Number<D>& v) { return filled<D>(v, 0.0); }

template <class D> auto varies(const D& x) {
  if constexpr (std::is_same_v<D, Number<D>>) return decltype(x != x)(false);
  else return varies(x.v) || value_of(x.d) != 0;
}

template <class T> Dual<T> operator+(const Dual<T>& a, const Dual<T>& b) { return {a.v + b.v, a.d + b.d}; }
template <class T> Dual<T> operator-(const Dual<T>& a, const Dual<T>& b) { return {a.v - b.v, a.d - b.d}; }
template <class T> Dual<T> operator*(const Dual<T>& a, const Dual<T>& b) { return {a.v * b.v, a.v * b.d + a.d * b.v}; }
template <class T> Dual<T> operator/(const Dual<T>& a, const Dual<T>& b) {
  const T q = a.v / b.v;
  return {q, (a.d - q * b.d) / b.v};
}

// Whether adding the term changes nothing any more, derivatives included.
template <class D> auto negligible(const D& term, const D& sum) {
  if constexpr (std::is_same_v<D, Number<D>>) return !(abs(term) > 1e-17 * abs(sum));
  else return negligible(term.v, sum.v) && negligible(term.d, sum.d);
}

// A function of x, given its value and its two derivatives there.
template <class T> T chain(const T&, const T& f, const T&, const T&) { return f; }
template <class T> Dual<T> chain(const Dual<T>& x, const T& f, const T& f1, const T&) { return {f, f1 * x.d}; }
template <class T> Dual<Dual<T>> chain(const Dual<Dual<T>>& x, const T& f, const T& f1, const T& f2) {
  return {{f, f1 * x.v.d}, {f1 * x.d.v, f1 * x.d.d + f2 * x.v.d * x.d.v}};
}

template <class D> D power(const D& a, const D& y) {  // for a > 0
  using T = Number<D>;
  const T v = value_of(a), p = pow(v, value_of(y));
  return chain(y * chain(a, T(log(v)), T(1 / v), T(-1 / (v * v))), p, p, p);
}

}  // namespace cotan::ops::special
