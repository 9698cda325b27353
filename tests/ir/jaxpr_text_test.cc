// The text of a program is JAX's: tests/golden/jaxpr_text.txt has JAX's for the same functions.
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "cotan/cotan.h"

namespace ct = cotan;
namespace jnp = cotan::numpy;
using ct::Array;

namespace {

using Arrays = std::vector<Array>;

const std::map<std::string, std::string>& golden() {
  static const std::map<std::string, std::string> texts = [] {
    std::map<std::string, std::string> t;
    std::ifstream file(COTAN_SOURCE_DIR "/tests/golden/jaxpr_text.txt");
    std::string line, name;
    while (std::getline(file, line)) {
      if (line.starts_with("## ")) name = line.substr(3);
      else t[name] += (t[name].empty() ? "" : "\n") + line;
    }
    return t;
  }();
  return texts;
}

Arrays two_body(const Array& x) { return {jnp::sin(x), jnp::cos(x)}; }
Array layer_body(const Array& x) { return jnp::tanh(x) * 2.0; }
Array many_body(const Array& x) {
  Array y = x;
  for (int i = 0; i < 12; ++i) y = jnp::sin(y);
  return y;
}
const auto two = ct::jit(two_body, {.name = "two"});
const auto layer = ct::jit(layer_body, {.name = "layer"});
const auto many = ct::jit(many_body, {.name = "many"});

struct Inputs {
  Array x = ct::abstract_array({4}), y = ct::abstract_array({4}), i = ct::abstract_array({4}, ct::int32);
  Array b = ct::abstract_array({4}, ct::bool_), m = ct::abstract_array({2, 3}), n = ct::abstract_array({3, 2});
  Array z = ct::abstract_array({4}, ct::complex64), k = ct::random::key(0);
};

struct Case {
  const char* name;
  ct::ClosedJaxpr (*program)(const Inputs&);
};
void PrintTo(const Case& c, std::ostream* os) { *os << c.name; }

// C++ leaves open which operand of + comes first: where both record equations, they stand in statements of their own.
#define X_DO(...) [](const Inputs& in) { return ct::make_jaxpr([](const Array& x) { __VA_ARGS__ })(in.x); }
#define DO(letter, ...) \
  [](const Inputs& in) { return ct::make_jaxpr([](const Array& letter) { __VA_ARGS__ })(in.letter); }
#define DO2(p, q, ...) \
  [](const Inputs& in) { return ct::make_jaxpr([](const Array& p, const Array& q) { __VA_ARGS__ })(in.p, in.q); }
#define X_TO(...) [](const Inputs& in) { return ct::make_jaxpr([](const Array& x) { return __VA_ARGS__; })(in.x); }
#define TO(letter, ...) \
  [](const Inputs& in) { return ct::make_jaxpr([](const Array& letter) { return __VA_ARGS__; })(in.letter); }
#define TO2(p, q, ...)                                                                             \
  [](const Inputs& in) {                                                                           \
    return ct::make_jaxpr([](const Array& p, const Array& q) { return __VA_ARGS__; })(in.p, in.q); \
  }

const Case cases[] = {
    {"add_literal", X_TO(x + 1.0)},
    {"add_integer_literal", X_TO(x + 1)},
    {"integers", TO(i, i * 2 + 1)},
    {"captured_scalar", [](const Inputs& in) {
       const Array s = jnp::sum(jnp::array({1.f, 2.f, 3.f, 4.f}));
       return ct::make_jaxpr([s](const Array& x) { return x + s; })(in.x);
     }},
    {"captured_array", [](const Inputs& in) {
       const Array c = jnp::array({1.f, 2.f, 3.f, 4.f});
       return ct::make_jaxpr([c](const Array& x) { return x * c; })(in.x);
     }},
    {"captured_twice", [](const Inputs& in) {
       const Array c = jnp::array({1.f, 2.f, 3.f, 4.f});
       return ct::make_jaxpr([c](const Array& x) { return x * c + c; })(in.x);
     }},
    {"elementwise", X_DO(const Array t = jnp::tanh(x); const Array p = t * jnp::sin(x); const Array l = jnp::log1p(x * x); return p + l;)},
    {"all_calculus", X_DO(Array t = jnp::exp(x); t += jnp::log(x); t += jnp::sqrt(x); t += jnp::cos(x); t += jnp::tan(x);
                          t += jnp::expm1(x); return t;)},
    {"identity", X_TO(x)},
    {"unused", X_TO(Arrays{jnp::sin(x), x}[1])},
    {"two_outputs", X_TO(Arrays{jnp::sin(x), x})},
    {"outer_sum", X_TO(x + x(ct::all, ct::newaxis))},
    {"ones", X_TO(x + jnp::ones({4}))},
    {"where", X_TO(jnp::where(x > 0, x, 0.0))},
    {"where_arrays", [](const Inputs& in) {
       return ct::make_jaxpr([](const Array& b, const Array& x, const Array& y) { return jnp::where(b, x, y); })(in.b, in.x, in.y);
     }},
    {"compare", DO2(x, y, const Array less = x < y; return less & (x != y);)},
    {"maximum", DO2(x, y, const Array larger = jnp::maximum(x, y); return larger - jnp::minimum(x, 0.0);)},
    {"powers", X_DO(Array t = jnp::power(jnp::square(x), 3); t += jnp::power(x, 2); t += jnp::power(x, 0.5); t += jnp::power(2, x);
                    return t;)},
    {"sum", TO(m, jnp::sum(m))},
    {"sum_axis", TO(m, jnp::sum(m, 0))},
    {"sum_keepdims", TO(m, jnp::sum(m, 1, {.keepdims = true}))},
    {"max_mean_argmax", X_TO(Arrays{jnp::max(x), jnp::mean(x), jnp::argmax(x)})},
    {"prod_all_any", TO2(x, b, Arrays{jnp::prod(x), jnp::all(b), jnp::any(b)})},
    {"var", X_TO(jnp::var(x))},
    {"std", X_TO(jnp::std(x))},
    {"matmul", TO2(m, n, jnp::matmul(m, n))},
    {"dot", TO2(x, y, jnp::dot(x, y))},
    {"transpose_matmul", X_DO(const Array t = x.reshape({2, 2}).T(); return jnp::matmul(t, x.reshape({2, 2}));)},
    {"slices", X_TO(Arrays{x(0), x(ct::slice(1, ct::none)), x(ct::slice(-1)), x(ct::slice(ct::none, ct::none, 2)),
                           x(ct::slice(ct::none, ct::none, -1)), x(ct::newaxis)})},
    {"concatenate", X_TO(jnp::concatenate({x, x}))},
    {"concatenate_many", X_TO(jnp::concatenate(Arrays(30, x)))},
    {"stack", X_TO(jnp::stack({x, x}))},
    {"pad_lax", X_TO(ct::lax::pad(x, 0.0, {{1, 2, 0}}))},
    {"astype", X_TO(x.astype(ct::int32))},
    {"bool_sum", TO(b, jnp::sum(b))},
    {"promotion", TO2(i, x, i + x)},
    {"complex", DO(z, const Array p = z * z; return p + jnp::conj(z);)},
    {"real", DO(z, const Array r = jnp::real(z); return r + jnp::imag(z);)},
    {"iota", X_TO(jnp::arange(4) + x)},
    {"lax_select", [](const Inputs& in) {
       return ct::make_jaxpr([](const Array& b, const Array& x, const Array& y) { return ct::lax::select(b, x, y); })(in.b, in.x, in.y);
     }},
    {"lax_clamp", X_TO(ct::lax::clamp(0.0, x, 1.0))},
    {"clip", X_TO(jnp::clip(x, 0.0, 1.0))},
    {"remainder", X_TO(x % 2.0)},
    {"bits", DO(i, const Array shifted = i << 2; return shifted ^ (i & 3);)},
    {"split", TO(k, ct::random::split(k))},
    {"fold_in", TO(k, ct::random::fold_in(k, 3))},
    {"random_normal", TO(k, ct::random::normal(k, {3}))},
    {"random_uniform", TO(k, ct::random::uniform(k, {3}))},
    {"jit", X_TO(layer(x))},
    {"jit_twice", X_TO(layer(layer(x)))},
    {"jit_unused", X_TO(two(x)[0])},
    {"jit_nested", X_TO(ct::jit([](const Array& v) { return Arrays{two(v)[0], two(v + 1)[1]}; }, {.name = "<lambda>"})(x))},
    {"jit_many", X_TO(many(x))},
    {"many_inputs", [](const Inputs& in) {
       return ct::make_jaxpr([](const Arrays& xs) {
         Array t = xs[0];
         for (std::size_t i = 1; i < xs.size(); ++i) t = t + xs[i];
         return t;
       })(Arrays(30, in.x));
     }},
    {"mlp", [](const Inputs& in) {
       return ct::make_jaxpr([](const Array& x, const Array& w, const Array& v) {
         return jnp::matmul(jnp::tanh(jnp::matmul(x, w)), v);
       })(ct::abstract_array({4, 2}), in.m, in.n);
     }},
};

class JaxprText : public testing::TestWithParam<Case> {};

TEST_P(JaxprText, IsJax) {
  const ct::ClosedJaxpr c = GetParam().program(Inputs());
  EXPECT_EQ(c.str(), golden().at(GetParam().name));
}

TEST_P(JaxprText, ExactTextIsReadBack) {
  const ct::ClosedJaxpr c = GetParam().program(Inputs());
  const ct::ClosedJaxpr back = ct::parse_jaxpr(c.to_text());
  EXPECT_EQ(back.to_text(), c.to_text());
  EXPECT_EQ(back.str(), c.str());
}

INSTANTIATE_TEST_SUITE_P(All, JaxprText, testing::ValuesIn(cases),
                         [](const auto& p) { return std::string(p.param.name); });

}  // namespace
