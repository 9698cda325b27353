// Every function of cotan/numpy.h against JAX: types, weak types, values and classes of errors.
#include <gtest/gtest.h>

#include <map>

#include "unit/functions/golden_support.h"

namespace cotan {
namespace {

namespace jnp = numpy;
using golden::integers;
using golden::split;

using Args = std::vector<Array>;
using Words = std::vector<std::string>;
using Call = std::function<Array(const Args&, const Words&)>;

std::string word(const Words& w, std::size_t i) { return i < w.size() ? w[i] : ""; }
Axes axes_of(const Words& w, std::size_t i) {
  return word(w, i).empty() || word(w, i) == "keep" ? Axes(none)
         : word(w, i) == "empty"                    ? Axes(IntList{})
                                                    : Axes(integers(w[i]));
}
bool keeps(const Words& w) { return w.back() == "keep"; }
std::optional<DType> dtype_of(const Words& w, std::size_t i) {
  DType d;
  const std::string s = word(w, i);
  return dtype_from_name(s.data(), s.size(), &d) ? std::optional<DType>(d) : std::nullopt;
}

using Unary = Array (*)(const Array&);
using Binary = Array (*)(const Array&, const Array&);

std::map<std::string, Call> unary() {
  std::map<std::string, Call> t;
  const auto add = [&](const char* name, Unary f) { t[name] = [f](const Args& a, const Words&) { return f(a[0]); }; };
#define UNARY(NAME) add(#NAME, jnp::NAME)
  UNARY(exp);
  UNARY(exp2);
  UNARY(expm1);
  UNARY(log);
  UNARY(log2);
  UNARY(log10);
  UNARY(log1p);
  UNARY(sqrt);
  UNARY(cbrt);
  UNARY(sin);
  UNARY(cos);
  UNARY(tan);
  UNARY(arcsin);
  UNARY(arccos);
  UNARY(arctan);
  UNARY(sinh);
  UNARY(cosh);
  UNARY(tanh);
  UNARY(arcsinh);
  UNARY(arccosh);
  UNARY(negative);
  UNARY(positive);
  UNARY(abs);
  UNARY(absolute);
  UNARY(fabs);
  UNARY(sign);
  UNARY(square);
  UNARY(reciprocal);
  UNARY(floor);
  UNARY(ceil);
  UNARY(trunc);
  UNARY(rint);
  UNARY(deg2rad);
  UNARY(rad2deg);
  UNARY(isfinite);
  UNARY(isinf);
  UNARY(isnan);
  UNARY(signbit);
  UNARY(real);
  UNARY(imag);
  UNARY(conj);
  UNARY(conjugate);
  t["angle"] = [](const Args& a, const Words&) { return jnp::angle(a[0]); };
  UNARY(logical_not);
  UNARY(bitwise_not);
  UNARY(invert);
  t["zeros_like"] = [](const Args& a, const Words&) { return jnp::zeros_like(a[0]); };
  t["ones_like"] = [](const Args& a, const Words&) { return jnp::ones_like(a[0]); };
  t["ravel"] = [](const Args& a, const Words&) { return jnp::ravel(a[0]); };
  UNARY(arctanh);
  return t;
}

std::map<std::string, Call> binary() {
  std::map<std::string, Call> t;
  const auto add = [&](const char* name, Binary f) {
    t[name] = [f](const Args& a, const Words&) { return f(a[0], a[1]); };
  };
#define BINARY(NAME) add(#NAME, jnp::NAME)
  BINARY(arctan2);
  BINARY(add);
  BINARY(subtract);
  BINARY(multiply);
  BINARY(divide);
  BINARY(true_divide);
  BINARY(floor_divide);
  BINARY(remainder);
  BINARY(mod);
  BINARY(fmod);
  BINARY(float_power);
  BINARY(maximum);
  BINARY(minimum);
  BINARY(fmax);
  BINARY(fmin);
  BINARY(hypot);
  BINARY(copysign);
  BINARY(logaddexp);
  BINARY(logaddexp2);
  BINARY(equal);
  BINARY(not_equal);
  BINARY(less);
  BINARY(less_equal);
  BINARY(greater);
  BINARY(greater_equal);
  BINARY(logical_and);
  BINARY(logical_or);
  BINARY(logical_xor);
  BINARY(bitwise_and);
  BINARY(bitwise_or);
  BINARY(bitwise_xor);
  BINARY(left_shift);
  BINARY(right_shift);
  t["array_equal"] = [](const Args& a, const Words&) { return jnp::array_equal(a[0], a[1]); };
  t["dot"] = [](const Args& a, const Words&) { return jnp::dot(a[0], a[1]); };
  t["matmul"] = [](const Args& a, const Words&) { return jnp::matmul(a[0], a[1]); };
  t["vdot"] = [](const Args& a, const Words&) { return jnp::vdot(a[0], a[1]); };
  t["inner"] = [](const Args& a, const Words&) { return jnp::inner(a[0], a[1]); };
  BINARY(outer);
  t["isclose"] = [](const Args& a, const Words&) { return jnp::isclose(a[0], a[1]); };
  t["allclose"] = [](const Args& a, const Words&) { return jnp::allclose(a[0], a[1]); };
  t["power"] = [](const Args& a, const Words& w) {
    return jnp::power(a[0], w.size() > 1 ? Array(std::stoi(w[1])) : a[1]);
  };
  t["where"] = [](const Args& a, const Words&) { return jnp::where(a[0], a[1], a[2]); };
  t["clip"] = [](const Args& a, const Words&) { return jnp::clip(a[0], a[1], a[2]); };
  t["tensordot"] = [](const Args& a, const Words& w) {
    return jnp::tensordot(a[0], a[1], w.size() > 1 ? std::stoi(w[1]) : 2);
  };
  return t;
}

std::map<std::string, Call> reductions() {
  std::map<std::string, Call> t;
#define ACCUMULATION(NAME)                                                                   \
  t[#NAME] = [](const Args& a, const Words& w) {                                             \
    const auto d = dtype_of(w, 1);                                                           \
    return jnp::NAME(a[0], d ? Axes(0) : axes_of(w, 1), {.dtype = d, .keepdims = keeps(w)}); \
  };
#define REDUCTION(NAME) \
  t[#NAME] = [](const Args& a, const Words& w) { return jnp::NAME(a[0], axes_of(w, 1), {.keepdims = keeps(w)}); };
  ACCUMULATION(sum)
  ACCUMULATION(prod)
  ACCUMULATION(mean)
  REDUCTION(max)
  REDUCTION(min)
  REDUCTION(all)
  REDUCTION(any)
  REDUCTION(argmax)
  REDUCTION(argmin)
  const auto ddof = [](const Words& w) { return word(w, 1).starts_with("ddof") ? w[1].back() - '0' : 0; };
  t["var"] = [ddof](const Args& a, const Words& w) {
    return jnp::var(a[0], ddof(w) ? Axes(0) : axes_of(w, 1), {.ddof = ddof(w), .keepdims = keeps(w)});
  };
  t["std"] = [ddof](const Args& a, const Words& w) {
    return jnp::std(a[0], ddof(w) ? Axes(1) : axes_of(w, 1), {.ddof = ddof(w), .keepdims = keeps(w)});
  };
  return t;
}

std::map<std::string, Call> shapes() {
  std::map<std::string, Call> t;
  t["reshape"] = [](const Args& a, const Words& w) { return jnp::reshape(a[0], integers(w[1])); };
  t["transpose"] = [](const Args& a, const Words& w) { return jnp::transpose(a[0], axes_of(w, 1)); };
  t["broadcast_to"] = [](const Args& a, const Words& w) { return jnp::broadcast_to(a[0], integers(w[1])); };
  t["swapaxes"] = [](const Args& a, const Words& w) {
    return jnp::swapaxes(a[0], int(integers(w[1])[0]), int(integers(w[1])[1]));
  };
  t["moveaxis"] = [](const Args& a, const Words& w) {
    return jnp::moveaxis(a[0], int(integers(w[1])[0]), int(integers(w[1])[1]));
  };
  t["expand_dims"] = [](const Args& a, const Words& w) { return jnp::expand_dims(a[0], axes_of(w, 1)); };
  t["squeeze"] = [](const Args& a, const Words& w) { return jnp::squeeze(a[0], axes_of(w, 1)); };
  t["flip"] = [](const Args& a, const Words& w) { return jnp::flip(a[0], axes_of(w, 1)); };
  t["roll"] = [](const Args& a, const Words& w) { return jnp::roll(a[0], std::stoi(w[1]), axes_of(w, 2)); };
  t["tile"] = [](const Args& a, const Words& w) { return jnp::tile(a[0], integers(w[1])); };
  t["repeat"] = [](const Args& a, const Words& w) { return jnp::repeat(a[0], std::stoi(w[1]), axes_of(w, 2)); };
  t["concatenate"] = [](const Args& a, const Words& w) { return jnp::concatenate(a, std::stoi(w[1])); };
  t["stack"] = [](const Args& a, const Words& w) { return jnp::stack(a, std::stoi(w[1])); };
  t["vstack"] = [](const Args& a, const Words&) { return jnp::vstack(a); };
  t["hstack"] = [](const Args& a, const Words&) { return jnp::hstack(a); };
  t["split"] = [](const Args& a, const Words& w) {
    Args flat;
    for (const Array& part : jnp::split(a[0], int(integers(w[1])[0]), int(integers(w[1])[1])))
      flat.push_back(jnp::ravel(part));
    return jnp::concatenate(flat);
  };
  t["pad"] = [](const Args& a, const Words& w) {
    return w.size() == 2 ? jnp::pad(a[0], {{1, 1}})
                         : jnp::pad(a[0], {{1, 2}, {0, 1}}, "constant", {.constant_values = 2.5});
  };
  t["tril"] = [](const Args& a, const Words& w) { return jnp::tril(a[0], std::stoi(w[1])); };
  t["triu"] = [](const Args& a, const Words& w) { return jnp::triu(a[0], std::stoi(w[1])); };
  t["full_like"] = [](const Args& a, const Words&) { return jnp::full_like(a[0], 2.5); };
  return t;
}

std::map<std::string, Call> creation() {
  std::map<std::string, Call> t;
  const auto n = [](const Words& w, std::size_t i) { return std::stoll(w[i]); };
  const auto x = [](const Words& w, std::size_t i) { return std::stod(w[i]); };
  t["zeros"] = [](const Args&, const Words& w) { return jnp::zeros(integers(word(w, 1)), dtype_of(w, 2)); };
  t["ones"] = [](const Args&, const Words& w) { return jnp::ones(integers(word(w, 1)), dtype_of(w, 2)); };
  t["full"] = [](const Args&, const Words& w) { return jnp::full(integers(word(w, 1)), 2.5, dtype_of(w, 2)); };
  t["eye"] = [n](const Args&, const Words& w) { return jnp::eye(n(w, 1), n(w, 2), n(w, 3), dtype_of(w, 4)); };
  t["tri"] = [n](const Args&, const Words& w) { return jnp::tri(n(w, 1), n(w, 2), n(w, 3), dtype_of(w, 4)); };
  t["arange"] = [n](const Args&, const Words& w) { return jnp::arange(n(w, 1), n(w, 2), n(w, 3)); };
  t["arange_float"] = [x](const Args&, const Words& w) { return jnp::arange(x(w, 1), x(w, 2), x(w, 3)); };
  t["linspace"] = [n, x](const Args&, const Words& w) { return jnp::linspace(x(w, 1), x(w, 2), n(w, 3)); };
  return t;
}

// Where a difference is wanted: JAX's value is an accident of its formula, or a sum in another order cancels.
bool differs_from_jax(const std::string& line) {
  const auto has = [&](const char* s) { return line.find(s) != std::string::npos; };
  if (has("|arctan2|") || has("|float_power|")) return has("complex");  // no such function; 0 to a complex power
  if (has("|fmod|bool")) return true;                                   // True by False
  return has("|mean|int32 10");                                         // -2**31 and 2**31 - 1 among small numbers
}

// How far a value may be from JAX's, in units in the last place of the expected value. JAX's own functions err by a few.
double tolerance(const std::string& name, DType d) {
  if (is_complex(d)) return 16;
  static const std::map<std::string, double> loose{
      {"var", 8},        {"std", 8},   {"mean", 4},  {"sum", 4},          {"prod", 8},  {"logaddexp", 8},
      {"logaddexp2", 8}, {"log2", 6},  {"log10", 6}, {"arange_float", 2}, {"hypot", 4}, {"float_power", 8},
      {"exp2", 64},      {"sinh", 64}, {"cosh", 64}, {"power", 8}};
  const auto it = loose.find(name);
  if (it != loose.end()) return it->second;
  return 8;
}

class NumpyGolden : public testing::Test {};

TEST(NumpyGolden, EqualsJax) {
  std::map<std::string, Call> table = unary();
  table.merge(binary());
  table.merge(reductions());
  table.merge(shapes());
  table.merge(creation());
  std::ifstream file(COTAN_SOURCE_DIR "/tests/golden/numpy_functions.txt");
  ASSERT_TRUE(file.is_open());
  int lines = 0;
  std::map<std::string, int> failures;
  for (std::string line; std::getline(file, line); ++lines) {
    const Words fields = split(line, '|');
    ASSERT_EQ(fields.size(), 4u) << line;
    const enable_x64 x64(fields[0] == "1");
    const Words words = split(fields[1], ' ');
    ASSERT_TRUE(table.contains(words[0])) << line;
    Args args;
    for (const std::string& a : split(fields[2], ';'))
      if (!a.empty()) args.push_back(golden::array_of(golden::parse_golden(a)));
    if (differs_from_jax(line)) continue;
    std::string problem;
    if (fields[3].starts_with("error")) {
      const std::string got = golden::error_class([&] { table[words[0]](args, words); });
      if (got == "none") problem = "no error";
    } else {
      try {
        const golden::Golden want = golden::parse_golden(fields[3]);
        problem = golden::difference(table[words[0]](args, words), want, {tolerance(words[0], want.aval.dtype)});
      } catch (const std::exception& e) { problem = std::string("throws ") + e.what(); }
    }
    if (!problem.empty() && ++failures[words[0]] <= 3) ADD_FAILURE() << line << "\n" << problem;
  }
  for (const auto& [name, count] : failures) std::printf("%s: %d\n", name.c_str(), count);
  EXPECT_GT(lines, 1000);
}

}  // namespace
}  // namespace cotan
