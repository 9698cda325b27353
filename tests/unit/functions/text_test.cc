// The text of arrays against NumPy's and JAX's.
#include <gtest/gtest.h>

#include "unit/functions/golden_support.h"

namespace cotan {
namespace {

namespace jnp = numpy;
using golden::split;

std::string one_line(const std::string& s) {
  std::string r;
  for (char c : s) r += c == '\n' ? std::string("\\n") : std::string(1, c);
  return r;
}

Array array_of(const std::string& text) {
  const auto words = split(text, ' ');
  if (words[0] != "ramp") return golden::array_of(golden::parse_golden(text));
  const Shape shape(golden::integers(words[2], 'x'));
  DType d;
  EXPECT_TRUE(dtype_from_name(words[1].data(), words[1].size(), &d));
  return jnp::reshape(jnp::arange(shape.size()), shape).astype(d);
}

TEST(ArrayText, EqualsNumpyAndJax) {
  std::ifstream file(COTAN_SOURCE_DIR "/tests/golden/array_text.txt");
  ASSERT_TRUE(file.is_open());
  int lines = 0, failures = 0;
  for (std::string line; std::getline(file, line); ++lines) {
    const auto fields = split(line, '|');
    ASSERT_EQ(fields.size(), 4u) << line;
    const enable_x64 x64(fields[0] == "1");
    const Array a = array_of(fields[1]);
    const std::string s = one_line(a.str()), r = one_line(a.repr());
    if ((s != fields[2] || r != fields[3]) && ++failures < 20)
      ADD_FAILURE() << fields[1].substr(0, 200) << "\n" << s << "\n" << fields[2] << "\n" << r << "\n" << fields[3];
  }
  EXPECT_GT(lines, 300);
  EXPECT_EQ(failures, 0);
}

TEST(ArrayText, KeysShowTheirWords) {
  EXPECT_EQ(random::key(0).str(), "Array((), dtype=key<fry>) overlaying:\n[0 0]");
  EXPECT_EQ(random::split(random::key(0)).str(),
            "Array((2,), dtype=key<fry>) overlaying:\n[[1797259609 2579123966]\n [ 928981903 3453687069]]");
}

TEST(ArrayText, TracedValuesShowTheirTypes) {
  std::string in_jit, in_grad, in_jvp, in_vmap, in_jit_grad;
  const auto keep = [](std::string& s) {
    return [&s](const Array& x) {
      s = x.str();
      return jnp::sum(x);
    };
  };
  const Array x = jnp::arange(3.0);
  jit(keep(in_jit))(x);
  grad(keep(in_grad))(x);
  jvp(keep(in_jvp), x, x);
  vmap(keep(in_vmap))(jnp::ones({2, 3}));
  jit(grad(keep(in_jit_grad)))(x);
  EXPECT_EQ(in_jit, "JitTracer(float32[3])");
  EXPECT_EQ(in_grad, "GradTracer(primal=[0. 1. 2.], typeof(tangent)=f32[3])");
  EXPECT_EQ(in_jvp, "JVPTracer(primal=[0. 1. 2.], tangent=[0. 1. 2.])");
  EXPECT_EQ(in_vmap, "VmapTracer(aval=float32[3], batched=float32[2,3])");
  EXPECT_EQ(in_jit_grad, "GradTracer(primal=JitTracer(float32[3]), typeof(tangent)=f32[3])");
}

}  // namespace
}  // namespace cotan
