// What the tests of the typed API share.
#pragma once
#include <cotan/cotan.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace ct = cotan;
namespace jnp = cotan::numpy;
namespace lax = cotan::lax;
using ct::Array;

struct Layer {
  Array w, b;
};
struct Net {
  std::vector<Layer> layers;
  std::optional<Array> scale;
  int depth = 0;
  std::string name;
};

inline bool close(const Array& a, const Array& b, double rtol = 2e-5, double atol = 1e-6) {
  return a.shape() == b.shape() && bool(jnp::allclose(a, b, rtol, atol));
}
inline bool equal(const Array& a, const Array& b) {
  return a.shape() == b.shape() && a.dtype() == b.dtype() && bool(jnp::array_equal(a, b));
}

// The statement throws E, and the first line of what() contains the text.
#define EXPECT_ERROR(statement, E, text)                                           \
  try {                                                                            \
    statement;                                                                     \
    ADD_FAILURE() << "no error: " #statement;                                      \
  } catch (const E& e) {                                                           \
    const std::string first_line_ = e.message().substr(0, e.message().find('\n')); \
    EXPECT_NE(first_line_.find(text), std::string::npos) << e.what();              \
  } catch (const std::exception& e) { ADD_FAILURE() << "not " #E ": " << e.what(); }
