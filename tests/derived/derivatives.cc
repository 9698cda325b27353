// Derivatives against differences and against each other.
#include <cmath>
#include <string_view>

#include "derived/checks.h"
#include "derived/samplers.h"

namespace cotan::derived {

namespace {

DType widened(DType d) { return is_floating(d) ? DType::float64 : is_complex(d) ? DType::complex128 : d; }

// The case in double precision, where its parameters allow it.
Case wide(const Case& c) {
  Case w = c;
  for (Aval& a : w.in) a.dtype = widened(a.dtype);
  try {
    const auto before = c.out_avals(), after = w.out_avals();
    for (std::size_t i = 0; i < before.size(); ++i)
      if (after[i].dtype != widened(before[i].dtype)) return c;
  } catch (const Error&) { return c; }
  return w;
}

double coarsest(const Case& c) {
  double e = 0;
  for (const Aval& a : c.in) e = std::max(e, epsilon_of(a.dtype));
  for (const Aval& a : c.out_avals()) e = std::max(e, epsilon_of(a.dtype));
  return e;
}
struct Precision {
  double step, tolerance;
};
// No differences in 16 bits, nor in 32 where 64 will do.
Precision precision_of(double epsilon) { return epsilon < 1e-12 ? Precision{1e-5, 2e-7} : Precision{0x1p-7, 1e-2}; }
constexpr double coarse = 1e-4;

Array moved(const Array& x, const Tangent& t, double h) {
  if (t.is_zero()) return x;
  Numbers a = numbers_of(x), d = numbers_of(t.value());
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += h * d[i];
  return array_of(x.aval(), a);
}

// (f(x + ht) - f(x - ht)) / 2h, for outputs that have tangents.
Arrays differences(const FlatFn& f, const Arrays& x, const Tangents& t, double h) {
  Arrays up, down;
  for (std::size_t i = 0; i < x.size(); ++i) {
    up.push_back(moved(x[i], t[i], h));
    down.push_back(moved(x[i], t[i], -h));
  }
  Arrays a = f(up), b = f(down), out;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!is_inexact(a[i].dtype())) {
      out.push_back(Array());
      continue;
    }
    Numbers p = numbers_of(a[i]), q = numbers_of(b[i]);
    for (std::size_t k = 0; k < p.size(); ++k) p[k] = p[k] == q[k] ? 0 : (p[k] - q[k]) / (2 * h);
    out.push_back(array_of(tangent_aval(a[i].aval()), p));
  }
  return out;
}

Array value_of(const Tangent& t) {
  return t.is_zero() ? array_of(t.aval(), Numbers(static_cast<std::size_t>(t.aval().size()))) : t.value();
}

// Tangents of the operands in `mask`; zeros for the others. A complex case has directions off both axes.
Tangents tangents_for(const Arrays& x, unsigned mask, int seed) {
  Tangents t;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool moves = is_inexact(x[i].dtype()) && (mask >> i & 1);
    t.push_back(moves ? Tangent(operand(tangent_aval(x[i].aval()), {-1, 1}, seed + static_cast<int>(i)))
                      : Tangent::zero_of(x[i].aval()));
  }
  return t;
}
unsigned inexact_mask(const std::vector<Aval>& in) {
  unsigned m = 0;
  for (std::size_t i = 0; i < in.size(); ++i)
    if (is_inexact(in[i].dtype)) m |= 1u << i;
  return m;
}
// Every inexact operand alone, then all.
std::vector<unsigned> masks_for(const std::vector<Aval>& in) {
  std::vector<unsigned> v;
  const unsigned all = inexact_mask(in);
  for (unsigned i = 0; i < in.size(); ++i)
    if (all >> i & 1) v.push_back(1u << i);
  if (v.size() > 1) v.push_back(all);
  return v;
}
bool is_differentiable(const Primitive& p) {
  return !p.jvp.is_set() || p.jvp || p.jvp.reason() == std::string_view(zero_derivative.reason);
}
// Tangents are rounded as values are, by steps that differences see.
bool rounds(const Case& c) {
  const std::string s = c.str();
  return s.find("= reduce_precision[") != std::string::npos && s.find("mantissa_bits=52") == std::string::npos;
}
// Declared zero although differences would not be: stopped on purpose, or, for complex sign, as JAX has it.
bool stops_derivatives(const Case& c) {
  const std::string name = c.primitive->name;
  return rounds(c) || name == "stop_gradient" || (name == "sign" && is_complex(c.in[0].dtype));
}

Array converted(const Array& x, const Aval& to) { return to == x.aval() ? x : array_of(to, numbers_of(x)); }

// The primitive as a function of the operands in `mask`, the others fixed.
FlatFn function_of(const Case& c, const Arrays& x, unsigned mask) {
  return [c, x, mask](const Arrays& some) {
    Arrays full = x;
    std::size_t next = 0;
    for (std::size_t i = 0; i < full.size(); ++i)
      if (mask >> i & 1) full[i] = some[next++];
    return c.apply(full);
  };
}
template <class T> std::vector<T> chosen(const std::vector<T>& v, unsigned mask) {
  std::vector<T> out;
  for (std::size_t i = 0; i < v.size(); ++i)
    if (mask >> i & 1) out.push_back(v[i]);
  return out;
}

// A rule that says that there is no derivative by an operand: its term throws.
bool is_refusal(const Error& e) {
  return std::string_view(e.what()).find("is not differentiable with respect to") != std::string_view::npos;
}
bool refuses(const Case& c, unsigned mask) {
  if (c.in.size() < 2) return false;
  const Arrays x = c.operands();
  try {
    flat_jvp(c.function(), x, tangents_for(x, mask, 11));
  } catch (const Error& e) { return is_refusal(e); }
  return false;
}

// The function of the operands that are to move: of the mask where others refuse a derivative, else of all.
struct Moving {
  FlatFn function;
  unsigned mask;
};
Moving moving(const Case& c, const Arrays& x, unsigned mask) {
  if (!refuses(c, ~0u)) return {c.function(), ~0u};
  return {function_of(c, x, mask), mask};
}

// The tangents against those of the case in double precision, at the same point.
std::string jvp_against_wide(const Case& w, const Arrays& x, const Tangents& t, const Tangents& got, double epsilon) {
  Arrays wx;
  Tangents wt;
  for (std::size_t i = 0; i < x.size(); ++i) {
    wx.push_back(converted(x[i], w.in[i]));
    wt.push_back(t[i].is_zero() ? Tangent::zero_of(w.in[i]) : Tangent(converted(t[i].value(), tangent_aval(w.in[i]))));
  }
  const Tangents exact = flat_jvp(w.function(), wx, wt).tangents;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (exact[i].aval().dtype == DType::float0) continue;
    const Array want = converted(value_of(exact[i]), got[i].aval());
    if (std::string d = difference(value_of(got[i]), want, 20 * epsilon, 20 * epsilon); !d.empty())
      return "jvp against that of doubles: " + d;
  }
  return "";
}

std::string jvp_along(const Case& c, unsigned mask, double epsilon) {
  const Precision precision = precision_of(epsilon);
  const Case w = wide(c);
  const Arrays x = c.operands();
  const Tangents t = tangents_for(x, mask, 11);
  const JvpResult r = flat_jvp(c.function(), x, t);
  const Moving f = moving(c, x, mask);
  const LinearizeResult l = flat_linearize(f.function, chosen(x, f.mask));
  const Tangents linear = l.linear.apply(chosen(t, f.mask));
  const Arrays value = c.apply(x), numeric = differences(c.function(), x, t, precision.step);
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (!same_bits(r.primals[i], value[i])) return "the value under jvp differs";
    if (!same_bits(l.primals[i], value[i])) return "the value under linearize differs";
    if (!is_inexact(value[i].dtype())) {
      if (!r.tangents[i].is_zero() || r.tangents[i].aval().dtype != DType::float0)
        return "an integer result has a tangent";
      continue;
    }
    const Aval expected = tangent_aval(value[i].aval());
    const Aval got = r.tangents[i].aval();
    if (got.shape != expected.shape || got.dtype != expected.dtype)
      return "the tangent is " + got.str() + ", of a result " + value[i].aval().str();
    const double rounding = 40 * epsilon;
    if (std::string d = difference(value_of(linear[i]), value_of(r.tangents[i]), rounding, rounding); !d.empty())
      return "linearize against jvp: " + d;
    if (epsilon > coarse || !(c.in == w.in)) continue;
    if (std::string d = difference(value_of(r.tangents[i]), numeric[i], precision.tolerance, precision.tolerance * 4);
        !d.empty())
      return "jvp against differences, operands " + std::to_string(mask) + ": " + d;
  }
  if (!(c.in == w.in)) return jvp_against_wide(w, x, t, r.tangents, epsilon);
  return "";
}

std::string all_masks(const Case& c, std::string (*check)(const Case&, unsigned, double)) {
  for (unsigned m : masks_for(c.in))
    if (!refuses(c, m))
      if (std::string w = check(c, m, coarsest(c)); !w.empty()) return w;
  return "";
}

}  // namespace

std::string check_jvp(const Case& c) {
  const Primitive& p = *c.primitive;
  if (!is_differentiable(p) || stops_derivatives(c)) return "";
  if (p.name == std::string_view("random_gamma")) return check_gamma_jvp(c);
  if (std::string w = all_masks(c, jvp_along); !w.empty()) return w;
  const Case d = wide(c);
  if (d.in == c.in) return "";
  std::string w = all_masks(d, jvp_along);
  return w.empty() ? w : "in double precision: " + w;
}

namespace {

Tangents cotangents_for(const std::vector<Aval>& out) {
  Tangents cts;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const bool has = is_inexact(out[i].dtype);
    cts.push_back(has ? Tangent(operand(out[i], {-1, 1.5}, 23 + static_cast<int>(i))) : Tangent::zero(out[i]));
  }
  return cts;
}

double pairing(const Tangents& a, const Tangents& b, double* scale) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].is_zero() || b[i].is_zero()) continue;
    sum += dot(a[i].value(), b[i].value());
    for (const auto& z : numbers_of(a[i].value())) *scale += std::abs(z);
  }
  return sum;
}

std::string transposed_types(const Tangents& in, const std::vector<Aval>& avals) {
  for (std::size_t i = 0; i < in.size(); ++i)
    if (in[i].aval().shape != avals[i].shape || in[i].aval().dtype != avals[i].dtype)
      return "the cotangent of operand " + std::to_string(i) + " is " + in[i].aval().str() +
             ", of an operand's tangent " + avals[i].str();
  return "";
}

// <ct, L t> = <transpose(L) ct, t>, as far as rounding allows.
std::string check_pairing(const Linear& l, const Tangents& t, const Tangents& image, double epsilon) {
  const Tangents cts = cotangents_for(l.out_avals());
  const Tangents back = l.transpose(cts);
  if (std::string w = transposed_types(back, l.in_avals()); !w.empty()) return w;
  double scale = 1;
  const double forward = pairing(cts, image, &scale), backward = pairing(back, t, &scale);
  if (std::isnan(forward) && std::isnan(backward)) return "";
  if (std::abs(forward - backward) <= 60 * epsilon * scale) return "";
  return "<ct, jvp> is " + std::to_string(forward) + ", <vjp, t> is " + std::to_string(backward);
}

// Whether f(0) = 0 and f(a - 2b) = f(a) - 2 f(b), for values of both signs, and f is not zero there.
bool is_linear_in(const Case& c, unsigned mask) {
  if (c.primitive->kind == Kind::call && coarsest(c) > coarse)
    return false;  // a small bounded function looks linear in 16 bits
  const Arrays x = c.operands();
  const FlatFn f = function_of(c, x, mask);
  Arrays zero, a, b, combined;
  for (const Aval& v : chosen(c.in, mask)) {
    const int seed = static_cast<int>(a.size());
    zero.push_back(array_of(v, Numbers(static_cast<std::size_t>(v.size()))));
    a.push_back(operand(v, {-9, 9}, 31 + seed));
    b.push_back(operand(v, {-9, 9}, 41 + seed));
    combined.push_back(moved(a.back(), Tangent(b.back()), -2));
  }
  const Arrays f0 = f(zero), fa = f(a), fb = f(b), fc = f(combined);
  bool any = false;
  for (std::size_t i = 0; i < f0.size(); ++i) {
    if (!is_inexact(f0[i].dtype())) return false;
    for (const auto& z : numbers_of(fa[i])) {
      if (std::isnan(z.real())) return false;
      any |= z != 0.0;
    }
    for (const auto& z : numbers_of(f0[i]))
      if (!(z == 0.0)) return false;
    if (!difference(fc[i], moved(fa[i], Tangent(fb[i]), -2), 1e-5, 90 * coarsest(c)).empty()) return false;
  }
  return any;
}

std::string transpose_in(const Case& c, unsigned mask) {
  const Arrays x = c.operands();
  const FlatFn f = function_of(c, x, mask);
  const Linear l = flat_linear_jaxpr(f, chosen(c.in, mask));
  Arrays t;
  Tangents tangents;
  for (const Aval& v : chosen(c.in, mask)) {
    t.push_back(operand(v, {-2, 2}, 51 + static_cast<int>(t.size())));
    tangents.emplace_back(t.back());
  }
  Tangents image;
  for (const Array& y : f(t)) image.emplace_back(y);
  std::string w = check_pairing(l, tangents, image, coarsest(c));
  return w.empty() ? w : "as a linear function of operands " + std::to_string(mask) + ": " + w;
}

std::string vjp_of(const Case& c, unsigned mask, double epsilon) {
  const Arrays x = c.operands();
  const Tangents t = tangents_for(x, mask, 17);
  const Moving f = moving(c, x, mask);
  const LinearizeResult l = flat_linearize(f.function, chosen(x, f.mask));
  return check_pairing(l.linear, chosen(t, f.mask), flat_jvp(c.function(), x, t).tangents, epsilon);
}

}  // namespace

std::string check_transpose(const Case& c) {
  if (rounds(c)) return "";
  if (is_differentiable(*c.primitive))
    if (std::string w = all_masks(c, vjp_of); !w.empty()) return w;
  if (!c.primitive->transpose) return "";
  for (unsigned m : masks_for(c.in))
    if (is_linear_in(c, m))
      if (std::string w = transpose_in(c, m); !w.empty()) return w;
  return "";
}

std::string check_linearity(const Primitive& p) {
  const std::vector<Case> cases = cases_of(p);
  if (p.transpose || !is_differentiable(p) || cases.empty() || stops_derivatives(cases[0])) return "";
  // Each operand by itself, then all that can carry a tangent.
  for (unsigned mask : {1u, 2u, 4u, 0u}) {
    bool linear = true, any = false;
    for (const Case& c : cases) {
      const unsigned m = mask ? mask : inexact_mask(c.in);
      if (!m || (m & ~inexact_mask(c.in)) || inexact_mask(c.out_avals()) == 0 || c.out_avals()[0].size() == 0) continue;
      any = true;
      linear &= is_linear_in(c, m);
    }
    if (any && linear)
      return std::string(p.name) + " is linear in operands " + std::to_string(mask) + " but has no transpose rule";
  }
  return "";
}

namespace {

// The operands of the mask vary, the others are held.
std::string second_order_along(const Case& c, unsigned mask, double epsilon) {
  const Arrays all = c.operands();
  const Arrays x = chosen(all, mask);
  const FlatFn function = function_of(c, all, mask);
  const FlatFn vjp = [&](const Arrays& at) {
    const LinearizeResult l = flat_linearize(function, at);
    Arrays out;
    for (const Tangent& t : l.linear.transpose(cotangents_for(l.linear.out_avals())))
      if (t.aval().dtype != DType::float0) out.push_back(value_of(t));
    return out;
  };
  const Tangents t = tangents_for(x, ~0u, 61);
  const Precision precision = precision_of(epsilon);
  const JvpResult r = flat_jvp(vjp, x, t);
  const Arrays numeric = differences(vjp, x, t, precision.step);
  for (std::size_t i = 0; i < numeric.size(); ++i)
    if (std::string d =
            difference(value_of(r.tangents[i]), numeric[i], precision.tolerance * 4, precision.tolerance * 20);
        !d.empty())
      return "jvp of vjp against differences of vjp: " + d;
  return "";
}

}  // namespace

// In all operands; where that is refused, in each by itself.
std::string check_second_order(const Case& given) {
  const Case c = wide(given);
  const double epsilon = coarsest(c);
  if (!is_differentiable(*c.primitive) || stops_derivatives(c) || epsilon > 1e-12 || !inexact_mask(c.in)) return "";
  const unsigned every = (1u << c.in.size()) - 1;
  try {
    return second_order_along(c, every, epsilon);
  } catch (const Error& e) {
    if (!is_refusal(e)) throw;
  }
  for (unsigned i = 0; i < c.in.size(); ++i) {
    try {
      if (std::string w = second_order_along(c, 1u << i, epsilon); !w.empty()) return w;
    } catch (const Error& e) {
      if (!is_refusal(e)) throw;
    }
  }
  return "";
}

}  // namespace cotan::derived
