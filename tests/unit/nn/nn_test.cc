// nn's functions and their gradients against JAX's, at large, infinite and missing values too.
#include <gtest/gtest.h>

#include <map>

#include "unit/functions/golden_support.h"

namespace cotan {
namespace {

namespace jnp = numpy;
using Function = Array (*)(const Array&);

const std::map<std::string, Function>& functions() {
  static const std::map<std::string, Function> table{
      {"relu", [](const Array& x) { return nn::relu(x); }},
      {"sigmoid", [](const Array& x) { return nn::sigmoid(x); }},
      {"softplus", [](const Array& x) { return nn::softplus(x); }},
      {"silu", [](const Array& x) { return nn::silu(x); }},
      {"logsumexp", [](const Array& x) { return nn::logsumexp(x, -1); }},
      {"softmax", [](const Array& x) { return nn::softmax(x); }},
      {"log_softmax", [](const Array& x) { return nn::log_softmax(x); }},
      {"softmax 0", [](const Array& x) { return nn::softmax(x, 0); }},
      {"one_hot", [](const Array& x) { return nn::one_hot(x, 4); }},
  };
  return table;
}

TEST(Nn, EqualsJax) {
  std::ifstream file(COTAN_SOURCE_DIR "/tests/golden/nn_values.txt");
  ASSERT_TRUE(file.is_open());
  int lines = 0, failures = 0;
  for (std::string line; std::getline(file, line); ++lines) {
    const auto fields = golden::split(line, '|');
    ASSERT_EQ(fields.size(), 4u) << line;
    const enable_x64 x64(fields[0] == "1");
    const Array x = golden::array_of(golden::parse_golden(fields[2]));
    const bool gradient = fields[1].starts_with("grad ");
    const Function f = functions().at(gradient ? fields[1].substr(5) : fields[1]);
    const auto weighted = [f](const Array& v) {
      const Array y = jnp::ravel(f(v));
      return jnp::sum(y * (jnp::arange(y.size()) + 1).astype(y.dtype()));
    };
    std::string problem;
    if (fields[3].starts_with("error")) {
      if (golden::error_class([&] { f(x); }) == "none") problem = "no error";
    } else {
      try {
        problem = golden::difference(gradient ? grad(weighted)(x) : f(x), golden::parse_golden(fields[3]),
                                     gradient ? golden::Tolerance{64, 4} : golden::Tolerance{8});
      } catch (const std::exception& e) { problem = std::string("throws ") + e.what(); }
    }
    if (!problem.empty() && ++failures < 20) ADD_FAILURE() << line << "\n" << problem;
  }
  EXPECT_GT(lines, 300);
  EXPECT_EQ(failures, 0);
}

TEST(Nn, OneHotChecksItsArguments) {
  EXPECT_EQ(nn::one_hot(2, 3).str(), "[0. 0. 1.]");
  EXPECT_EQ(nn::one_hot(jnp::array({0, 1}), 2, {.dtype = int32}).dtype(), int32);
  EXPECT_EQ(nn::one_hot(jnp::array({0, 1}), 0).shape(), (Shape{2, 0}));
  EXPECT_EQ(golden::error_class([] { nn::one_hot(1, -1); }), "TypeError");
  EXPECT_EQ(golden::error_class([] { nn::softmax(jnp::ones({2}), 1); }), "ValueError");
}

}  // namespace
}  // namespace cotan
