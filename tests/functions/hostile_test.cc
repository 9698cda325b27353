// Calls by name with arguments that no program means: an error that says so, or a result; never a crash, nor a loop over a size
// that is only asked for.
#include <gtest/gtest.h>

#include "api/function_table.h"
#include "cotan/cotan.h"

namespace cotan::table {
namespace {

// The text of the result, or the first line of the error.
std::string outcome(const char* name, const char* positional) {
  const Function* f = find_function(name);
  if (!f) return "no such function";
  try {
    return (*f)({parse_value(positional).items(), {}}).str();
  } catch (const Error& e) { return e.message().substr(0, e.message().find('\n')); }
}

TEST(Hostile, WhatIsNoFunction) {
  EXPECT_EQ(outcome("numpy.mask_indices", "[3, (), 0]"), "mask_indices: mask_func must be a function, got () (tuple)");
}

TEST(Hostile, HugeSizes) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the address sanitizer ends programs that ask for so much";
#endif
  EXPECT_EQ(outcome("numpy.tril_indices", "[1099511627776]"), "tril_indices: Maximum allowed size exceeded");
  EXPECT_EQ(outcome("numpy.triu_indices", "[2147483648, 0, 1]"),
            "triu_indices: positions in a matrix of 2147483648 by 1 are beyond int32");
  EXPECT_EQ(outcome("numpy.tril_indices", "[2147483647]"),
            "tril_indices: Out of memory for 2305843008139952128 positions");
  EXPECT_EQ(outcome("numpy.triu_indices", "[2, -9223372036854775808, 1]"),
            "(Array([0, 1], dtype=int32), Array([0, 0], dtype=int32))");
  EXPECT_EQ(outcome("numpy.tril_indices", "[2, -9223372036854775808]"),
            "(Array([], shape=(0,), dtype=int32), Array([], shape=(0,), dtype=int32))");
  EXPECT_EQ(outcome("scipy.special.multigammaln", "[f32[1]{2}, 3000000000000]"),
            "The C++ integer 3000000000000 is too large for int32.");
}

}  // namespace
}  // namespace cotan::table
