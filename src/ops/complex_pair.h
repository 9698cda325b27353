// A complex number as two numbers of any type: for the templates of special functions. Products and quotients are of finite numbers.
#pragma once
#include "ops/special_parts.h"

namespace cotan::ops::special {

template <class T> struct Pair {
  using Number = T;
  T re, im;
  template <class F> void parts(F f) { f(re), f(im); }
};

template <class T> Pair<T> operator+(const Pair<T>& a, const Pair<T>& b) { return {a.re + b.re, a.im + b.im}; }
template <class T> Pair<T> operator-(const Pair<T>& a, const Pair<T>& b) { return {a.re - b.re, a.im - b.im}; }
template <class T> Pair<T> operator-(const Pair<T>& a) { return {-a.re, -a.im}; }
template <class T> Pair<T> operator*(const Pair<T>& a, const Pair<T>& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <class T> Pair<T> operator*(const T& s, const Pair<T>& a) { return {s * a.re, s * a.im}; }
template <class T> Pair<T> inverse(const Pair<T>& a) {
  const T n = a.re * a.re + a.im * a.im;
  return {a.re / n, -a.im / n};
}
template <class T> Pair<T> conj(const Pair<T>& a) { return {a.re, -a.im}; }
template <class T> T norm(const Pair<T>& a) { return a.re * a.re + a.im * a.im; }
template <class T> Pair<T> exp_of(const Pair<T>& z) {
  const T r = exp(z.re);
  return choose(r == 0, Pair<T>{0, 0}, [&] { return Pair<T>{r * cos(z.im), r * sin(z.im)}; });
}

}  // namespace cotan::ops::special
