// Writes every case of every primitive for tests/python/test_stablehlo.py, which runs the StableHLO text on XLA:
//
//   case NAME          and a description
//   absent REASON      where the primitive has no StableHLO; or
//   in f32[2] BYTES    an operand, in hexadecimal
//   out f32[2] BYTES   what Cotan makes of them
//   module             the text, up to a line `end`
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "compiler/stablehlo/module.h"
#include "cotan/cotan.h"
#include "derived/checks.h"
#include "derived/golden.h"

using namespace cotan;

namespace {

void put(const char* kind, const Array& a) {
  std::printf("%s %s %s\n", kind, a.aval().strong().str().c_str(), derived::hex_of(a).c_str());
}

// The length of the text.
std::size_t put_case(const derived::Case& c, const Arrays& operands) {
  std::string description = c.str();
  std::replace(description.begin(), description.end(), '\n', ' ');
  std::printf("case %s %s\n", c.primitive->name, description.c_str());
  std::string text;
  try {
    text = stablehlo_module(flat_make_jaxpr(c.function(), c.in), c.primitive->name);
  } catch (const NotImplementedError& e) {
    std::printf("absent %s\n", e.message().c_str());
    return 0;
  }
  for (const Array& a : operands) put("in", a);
  for (const Array& a : c.apply(operands)) put("out", a);
  std::printf("module\n%send\n", text.c_str());
  return text.size();
}

// Zeros in place of denormals, which XLA takes for them.
Array normal(const Array& x) {
  derived::Numbers v = derived::numbers_of(x);
  const double least = x.dtype() == DType::float16 ? 7e-5 : real_dtype(x.dtype()) == DType::float64 ? 1e-300 : 1e-37;
  for (auto& z : v)
    if (is_inexact(x.dtype()))
      z = {std::abs(z.real()) < least ? std::copysign(0, z.real()) : z.real(),
           std::abs(z.imag()) < least ? std::copysign(0, z.imag()) : z.imag()};
  return derived::array_of(x.aval(), v);
}

// Rows of one dtype.
bool plain(const derived::Case& c) {
  for (const Aval& a : c.in)
    if (a.dtype != c.in[0].dtype || a.ndim() != 1 || a.size() == 0) return false;
  return true;
}

}  // namespace

// With an argument: of primitives whose name it is.
int main(int argc, char** argv) {
  enable_x64 x64;
  for (const Primitive* p : all_primitives()) {
    if (argc > 1 && std::string_view(p->name) != argv[1]) continue;
    std::vector<ParamsRef> long_ones;
    std::size_t written = 0;
    for (const derived::Case& c : derived::cases_of(*p)) {
      // XLA takes seconds for long compositions, which are the same for every shape; the longest ones are computed in double for all types.
      const bool composed = p->kind == Kind::elementwise && p->stablehlo.expand();
      if (composed && ((plain(c) && c.in[0].size() != 3) || written > 500'000)) continue;
      const bool repeated = std::any_of(long_ones.begin(), long_ones.end(),
                                        [&](const ParamsRef& r) { return params_equal(r.get(), c.params.get()); });
      if (!repeated) {
        const std::size_t length = put_case(c, c.operands());
        written += length;
        if (length > 20000 && composed) long_ones.push_back(c.params);
      }
      if (composed && c.in[0].dtype != DType::float64 && c.in[0].dtype != DType::complex64) continue;
      if (p->kind != Kind::elementwise || !plain(c)) continue;
      if (repeated && (c.in[0].dtype != DType::float64 || long_ones.size() > 1)) continue;
      Arrays special;
      derived::Case wide = c;
      for (std::size_t i = 0; i < c.in.size(); ++i) {
        special.push_back(normal(derived::special_values(c.in[i].dtype, static_cast<int>(i))));
        wide.in[i] = special.back().aval();
      }
      written += put_case(wide, special);
    }
  }
}
