#include <string_view>

#include "core/print.h"
#include "derived/checks.h"
#include "transforms/flat.h"

namespace cotan::derived {

std::string Case::str() const {
  std::string s = std::string(primitive->name) + " on";
  for (const Aval& a : in) s += ' ' + a.str();
  if (params) {
    try {
      s += ": " + flat_make_jaxpr(function(), in).to_text();
    } catch (const Error&) {}
  }
  return s;
}

// Of a binomial, `domain` is the probability's: in so few trials all samples would be 0. Of many more trials, a sample steps
// within the differences that check_jvp takes.
Interval Case::domain_of(std::size_t i) const {
  return i == 1 && primitive->name == std::string_view("random_binomial") ? Interval{0, 20} : domain;
}

Arrays Case::operands() const {
  Arrays v;
  for (std::size_t i = 0; i < in.size(); ++i) v.push_back(operand(in[i], domain_of(i), static_cast<int>(i)));
  return v;
}

Arrays Case::apply(const Arrays& x) const {
  ArrayVec out;
  primitive->bind(params, x, out);
  return {out.begin(), out.end()};
}

FlatFn Case::function() const {
  return [c = *this](const Arrays& x) { return c.apply(x); };
}

std::vector<Aval> Case::out_avals() const {
  AvalVec out;
  infer(*primitive, params, in, out);
  return {out.begin(), out.end()};
}

namespace {
// Shapes of n operands: equal, and mixed with scalars.
std::vector<std::vector<Shape>> shapes_for(int n) {
  const Shape s{}, v{3}, m{2, 3};
  std::vector<std::vector<Shape>> out;
  for (const Shape& x : {s, v, m, Shape{0}}) out.emplace_back(static_cast<std::size_t>(n), x);
  if (n == 2) {
    out.push_back({s, m});
    out.push_back({v, s});
  }
  return out;
}
}  // namespace

std::vector<Case> cases_of(const Primitive& p) {
  std::vector<Case> v;
  if (p.samples) {
    for (Sample& s : p.samples()) v.push_back({&p, s.params, std::move(s.in), s.domain});
    return v;
  }
  for (int k = 0; k < dtype_count; ++k) {
    const auto d = static_cast<DType>(k);
    if (!p.dtypes.contains(d)) continue;
    const auto shapes = shapes_for(p.operands);
    const bool every = d == DType::float32 || d == DType::float64 || d == DType::complex128 || d == DType::int32;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      if (!every && i != 1) continue;
      Case c{&p, {}, {}, p.domain};
      for (const Shape& s : shapes[i]) c.in.push_back({s, d, false});
      v.push_back(std::move(c));
    }
  }
  return v;
}

std::string test_name(const Primitive& p) {
  std::string s = p.name;
  for (char& c : s)
    if (c == '-') c = '_';
  return s;
}

std::string check_primitive(const Primitive& p) {
  struct Named {
    const char* name;
    std::string (*check)(const Case&);
  };
  const Named checks[] = {{"evaluation", check_evaluation},     {"text", check_text},
                          {"declarations", check_declarations}, {"jvp", check_jvp},
                          {"transpose", check_transpose},       {"second order", check_second_order},
                          {"batching", check_batching}};
  for (const Case& c : cases_of(p))
    for (const Named& n : checks) {
      std::string wrong;
      try {
        wrong = n.check(c);
      } catch (const std::exception& e) { wrong = std::string("exception: ") + e.what(); }
      if (!wrong.empty()) return std::string(n.name) + ": " + c.str() + ": " + wrong;
    }
  if (std::string wrong = check_linearity(p); !wrong.empty()) return "linearity: " + wrong;
  if (std::string wrong = check_values(p); !wrong.empty()) return "values: " + wrong;
  return "";
}

}  // namespace cotan::derived
