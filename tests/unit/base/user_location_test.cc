// This file plays the user's program: it stands outside src/ and include/cotan/. It is to be compiled with -g.
#include "base/user_location.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "cotan/errors.h"
#include "cotan/shape.h"
#include "unit/base/fixture/include/cotan/inline_code.h"

namespace cotan {
namespace {

bool has_debug_info() {
  const std::string text = describe_address(reinterpret_cast<const char*>(&has_debug_info) + 1);
  return text.find("user_location_test.cc:") != std::string::npos;
}

struct UserLocation : testing::Test {
  void SetUp() override {
    if (!has_debug_info()) GTEST_SKIP() << "no debug information, or no libdw";
  }
};

// what() of the error that f throws; empty if it throws none.
template <class F> std::string what_of(const F& f) {
  try {
    f();
  } catch (const Error& e) { return e.what(); }
  return {};
}

// As debug information names it: __FILE__ may be relative to where the compiler ran.
const std::string this_file = COTAN_SOURCE_DIR "/tests/unit/base/user_location_test.cc";

std::string at(int line) { return "\n  at " + this_file + ":" + std::to_string(line); }

TEST_F(UserLocation, TheLineFollowsTheFirstLine) {
  EXPECT_EQ(what_of([] { throw ValueError("problem"); }), "problem" + at(__LINE__));
  EXPECT_EQ(what_of([] { throw ValueError("problem\ncure\nmore"); }), "problem" + at(__LINE__) + "\ncure\nmore");
  try {
    throw TracerBoolConversionError("problem\ncure");
  } catch (const ConcretizationTypeError& e) { EXPECT_EQ(e.message(), "problem\ncure"); }
}

TEST_F(UserLocation, CotansOwnFramesAreSkipped) {
  const IntList huge{INT64_MAX, 2};
  const std::string what = what_of([&] { (void)huge.product(); });
  EXPECT_EQ(what, "the product of (9223372036854775807, 2) is too large for a 64-bit integer" + at(__LINE__ - 1));
}

TEST_F(UserLocation, CotansHeadersAreSkippedInlineOrNot) {
  EXPECT_EQ(what_of([] { fixture::throw_inline(); }), "inline" + at(__LINE__));
  EXPECT_EQ(what_of([] { fixture::throw_for(std::string("x")); }), "template" + at(__LINE__));
  const std::string nested = what_of([] {
    fixture::call([] {
      fixture::throw_for(1);  // the innermost line of the user's
    });
  });
  EXPECT_EQ(nested, "template" + at(__LINE__ - 3));
}

[[gnu::noinline]] void users_function(int depth) {
  if (depth == 0) fixture::throw_inline();
  if (depth > 0) users_function(depth - 1);
  asm volatile("");  // no tail call
}

TEST_F(UserLocation, TheInnermostOfTheUsersFrames) {
  EXPECT_EQ(what_of([] { users_function(100); }), "inline" + at(__LINE__ - 6));
}

TEST_F(UserLocation, StandardLibraryFramesAreSkipped) {
  const std::vector<int> v{1, 2, 3};
  EXPECT_EQ(what_of([&] { std::for_each(v.begin(), v.end(), fixture::throw_for<int>); }), "template" + at(__LINE__));
  const std::function<void()> f = fixture::throw_inline;
  EXPECT_EQ(what_of([&] { f(); }), "inline" + at(__LINE__));
}

TEST_F(UserLocation, ManyThreads) {
  std::vector<std::thread> threads;
  std::array<std::string, 8> texts;
  int line = 0;
  for (std::size_t t = 0; t < texts.size(); ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) texts[t] = what_of([] { throw ValueError("x"); });
    });
    line = __LINE__ - 2;
  }
  for (std::thread& t : threads) t.join();
  for (const std::string& s : texts) EXPECT_EQ(s, "x" + at(line));
}

TEST_F(UserLocation, CapturedFrames) {
  void* addresses[32];
  const int n = capture_user_frames(addresses, 32);
  const int line = __LINE__ - 1;
  ASSERT_GT(n, 0);
  EXPECT_EQ(find_user_line(addresses, n), this_file + ":" + std::to_string(line));
  const std::string text = describe_address(addresses[0]);
  EXPECT_TRUE(text.starts_with(this_file + ":") && text.find("TestBody") != text.npos) << text;
  EXPECT_EQ(capture_user_frames(addresses, 1), 1);
  EXPECT_EQ(capture_user_frames(addresses, 0), 0);
}

TEST(DescribeAddress, OfNothingAndOfForeignCode) {
  EXPECT_EQ(describe_address(nullptr), "");
  EXPECT_NE(describe_address(reinterpret_cast<const void*>(&std::exit)), "");
  int on_the_stack = 0;
  EXPECT_EQ(describe_address(&on_the_stack), "");
  EXPECT_EQ(find_user_line(nullptr, 0), "");
}

}  // namespace
}  // namespace cotan
