// Reads golden files of arrays: tests/golden/typed_text.py describes the form.
#pragma once
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "base/host_scalar.h"
#include "core/primitive.h"
#include "cotan/cotan.h"

namespace cotan::golden {

inline std::vector<std::string> split(const std::string& s, char by) {
  std::vector<std::string> parts(1);
  for (char c : s)
    if (c == by) parts.emplace_back();
    else parts.back() += c;
  return parts;
}

inline IntList integers(const std::string& s, char by = ',') {
  IntList l;
  for (const std::string& p : split(s, by))
    if (!p.empty()) l.push_back(std::stoll(p));
  return l;
}

struct Golden {
  Aval aval;
  std::vector<HostScalar> values;
};

inline HostScalar parse_value(const std::string& s, DType d) {
  if (!is_complex(d)) return HostScalar::parse(s, d);
  const std::vector<std::string> parts = split(s, ',');
  return HostScalar(std::complex<double>(std::stod(parts[0]), std::stod(parts[1])), d);
}

inline Golden parse_golden(const std::string& text) {
  std::istringstream words(text);
  std::string type, shape, value;
  words >> type >> shape;
  Golden g;
  if (type.ends_with('*')) g.aval.weak_type = true, type.pop_back();
  if (!dtype_from_name(type.data(), type.size(), &g.aval.dtype)) throw ValueError("golden: " + text);
  if (shape != "-") g.aval.shape = Shape(integers(shape, 'x'));
  while (words >> value) g.values.push_back(parse_value(value, g.aval.dtype));
  return g;
}

inline Array array_of(const Golden& g) {
  std::vector<unsigned char> bytes(g.values.size() * item_size(g.aval.dtype) + 1);
  for (std::size_t i = 0; i < g.values.size(); ++i) g.values[i].store(bytes.data() + i * item_size(g.aval.dtype));
  Array a = evaluation_hook().from_bytes(g.aval, bytes.data());
  a.node()->plain_number = g.aval.weak_type && g.aval.ndim() == 0;
  return a;
}

inline double epsilon_of(DType d) {
  switch (real_dtype(d)) {
    case DType::bfloat16: return 0x1p-7;
    case DType::float16: return 0x1p-10;
    case DType::float32: return 0x1p-23;
    default: return 0x1p-52;
  }
}

// How far a value may be from the expected one: in units in the last place of it, or absolutely in units of 1's.
struct Tolerance {
  double ulps = 0, absolute_ulps = 0;
};

inline bool close_parts(double got, double want, DType d, Tolerance t) {
  if (std::isnan(want) || std::isnan(got)) return std::isnan(want) && std::isnan(got);
  if (got == want) return true;
  if (!std::isfinite(got) || !std::isfinite(want)) return false;
  if (want == 0 && std::fabs(got) < 1.2e-38 && d != DType::float64)
    return true;  // XLA on CPU flushes denormals to zero
  return std::fabs(got - want) <= epsilon_of(d) * (t.ulps * std::fabs(want) + t.absolute_ulps);
}

inline bool close(const HostScalar& got, const HostScalar& want, Tolerance t) {
  const DType d = want.dtype;
  if (!is_inexact(d)) return got == want;
  if (!is_complex(d)) return close_parts(got.as_double(), want.as_double(), d, t);
  const auto g = got.as_complex(), w = want.as_complex();
  if (close_parts(g.real(), w.real(), d, t) && close_parts(g.imag(), w.imag(), d, t)) return true;
  return std::abs(g - w) <= t.ulps * epsilon_of(d) * std::abs(w);
}

// "" when the array equals the golden one: type, weak type, shape, and values within the tolerance.
inline std::string difference(const Array& a, const Golden& g, Tolerance t) {
  if (a.dtype() != g.aval.dtype || !(a.shape() == g.aval.shape))
    return "type " + a.aval().str() + ", expected " + g.aval.str();
  if (a.weak_type() != g.aval.weak_type && a.dtype() != DType::bool_) return a.weak_type() ? "weak" : "not weak";
  for (std::size_t i = 0; i < g.values.size(); ++i) {
    const HostScalar v = HostScalar::load(a.dtype(), static_cast<const char*>(a.data()) + i * item_size(a.dtype()));
    if (!close(v, g.values[i], t))
      return "element " + std::to_string(i) + " is " + v.str() + ", expected " + g.values[i].str();
  }
  return "";
}

template <class F> std::string error_class(F&& f) {
  try {
    f();
  } catch (const TypeError&) { return "TypeError"; } catch (const ValueError&) {
    return "ValueError";
  } catch (const IndexError&) { return "IndexError"; } catch (const OverflowError&) {
    return "OverflowError";
  } catch (const NotImplementedError&) { return "NotImplementedError"; } catch (const NameError&) {
    return "NameError";
  } catch (const Error& e) { return std::string("Error: ") + e.what(); }
  return "none";
}

}  // namespace cotan::golden
