// A value with its derivative; nested once, with second derivatives, where both seeds are carried. For the derivatives by a parameter
// that a series has and no formula.
#pragma once
#include <cmath>

#include "ops/elementary_host.h"
#include "ops/special_host.h"

namespace cotan::ops::host {

template <class T> struct Dual { T v, d; };

inline double value_of(double x) { return x; }
template <class T> double value_of(const Dual<T>& x) { return value_of(x.v); }

// All derivatives are `derivative`.
template <class D> struct Filled {
  static double of(double v, double) { return v; }
};
template <class T> struct Filled<Dual<T>> {
  static Dual<T> of(double v, double derivative) {
    return {Filled<T>::of(v, derivative), Filled<T>::of(derivative, derivative)};
  }
};
template <class D> D constant(double v) { return Filled<D>::of(v, 0); }

inline bool varies(double) { return false; }
template <class T> bool varies(const Dual<T>& x) { return varies(x.v) || value_of(x.d) != 0; }

template <class T> Dual<T> operator+(const Dual<T>& a, const Dual<T>& b) { return {a.v + b.v, a.d + b.d}; }
template <class T> Dual<T> operator-(const Dual<T>& a, const Dual<T>& b) { return {a.v - b.v, a.d - b.d}; }
template <class T> Dual<T> operator*(const Dual<T>& a, const Dual<T>& b) { return {a.v * b.v, a.v * b.d + a.d * b.v}; }
template <class T> Dual<T> operator/(const Dual<T>& a, const Dual<T>& b) {
  const T q = a.v / b.v;
  return {q, (a.d - q * b.d) / b.v};
}

// Whether adding the term changes nothing any more, derivatives included.
inline bool negligible(double term, double sum) { return !(std::abs(term) > 1e-17 * std::abs(sum)); }
template <class T> bool negligible(const Dual<T>& term, const Dual<T>& sum) {
  return negligible(term.v, sum.v) && negligible(term.d, sum.d);
}

// A function of x, given its value and its two derivatives there.
inline double chain(double, double f, double, double) { return f; }
inline Dual<double> chain(const Dual<double>& x, double f, double f1, double) { return {f, f1 * x.d}; }
inline Dual<Dual<double>> chain(const Dual<Dual<double>>& x, double f, double f1, double f2) {
  return {{f, f1 * x.v.d}, {f1 * x.d.v, f1 * x.d.d + f2 * x.v.d * x.d.v}};
}

template <class D> D power(const D& a, const D& y) {  // for a > 0
  const double v = value_of(a), p = pow(v, value_of(y));
  return chain(y * chain(a, log(v), 1 / v, -1 / (v * v)), p, p, p);
}

}  // namespace cotan::ops::host
