#include "cotan/config.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <thread>

#include "cotan/errors.h"

namespace cotan {
namespace {

using config::Flag;

TEST(Config, ScopesNestAndEnd) {
  const bool before = config::get(Flag::enable_x64);
  {
    const config::Scoped on(Flag::enable_x64, true);
    EXPECT_TRUE(config::get(Flag::enable_x64));
    {
      const enable_x64 off(false);
      EXPECT_FALSE(config::get(Flag::enable_x64));
    }
    EXPECT_TRUE(config::get(Flag::enable_x64));
  }
  EXPECT_EQ(config::get(Flag::enable_x64), before);
}

TEST(Config, ScopesBelongToAThread) {
  config::set(Flag::enable_x64, false);
  const enable_x64 on;
  bool other = true;
  std::thread([&] { other = config::get(Flag::enable_x64); }).join();
  EXPECT_FALSE(other);
  EXPECT_TRUE(config::get(Flag::enable_x64));
}

TEST(Config, SetIsForTheProcessAndBelowScopes) {
  const bool before = config::get(Flag::disable_jit);
  config::set(Flag::disable_jit, true);
  bool other = false;
  std::thread([&] { other = config::get(Flag::disable_jit); }).join();
  EXPECT_TRUE(other);
  {
    const config::Scoped off(Flag::disable_jit, false);
    config::set(Flag::disable_jit, true);
    EXPECT_FALSE(config::get(Flag::disable_jit));
  }
  config::set(Flag::disable_jit, before);
}

TEST(Config, TraceKeyHoldsTheTraceKeyFlagsOnly) {
  const enable_x64 off(false);
  const std::uint64_t base = config::trace_key();
  {
    const enable_x64 on;
    EXPECT_NE(config::trace_key(), base);
    const config::Scoped other(Flag::threefry_partitionable, !config::get(Flag::threefry_partitionable));
    EXPECT_NE(config::trace_key(), base);
  }
  const config::Scoped jit(Flag::disable_jit, !config::get(Flag::disable_jit));
  const config::Scoped check(Flag::debug_type_check, !config::get(Flag::debug_type_check));
  EXPECT_EQ(config::trace_key(), base);
}

// A variable is read once per process: the statement runs in a new one, which has read none.
struct ConfigEnvironment : testing::Test {
  void SetUp() override {
#ifdef COTAN_EMULATED
    GTEST_SKIP() << "an emulator of one process starts no other";
#endif
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    for (const char* variable :
         {"COTAN_ENABLE_X64", "JAX_ENABLE_X64", "COTAN_THREEFRY_PARTITIONABLE", "JAX_THREEFRY_PARTITIONABLE"}) {
      unsetenv(variable);
    }
  }
};

int value_with(const char* variable, const char* text, Flag flag) {
  setenv(variable, text, 1);
  try {
    return config::get(flag);
  } catch (const ValueError& e) {
    std::fputs(e.what(), stderr);
    return 7;
  }
}

#define EXPECT_VALUE_WITH(variable, text, flag, value, printed) \
  EXPECT_EXIT(std::exit(value_with(variable, text, flag)), testing::ExitedWithCode(value), printed)

TEST_F(ConfigEnvironment, VariablesAreRead) {
  EXPECT_VALUE_WITH("COTAN_ENABLE_X64", "1", Flag::enable_x64, 1, "");
  EXPECT_VALUE_WITH("JAX_ENABLE_X64", "True", Flag::enable_x64, 1, "");
  EXPECT_VALUE_WITH("JAX_ENABLE_X64", "off", Flag::enable_x64, 0, "");
  EXPECT_VALUE_WITH("JAX_THREEFRY_PARTITIONABLE", "false", Flag::threefry_partitionable, 0, "");
  EXPECT_VALUE_WITH("UNRELATED", "1", Flag::enable_x64, 0, "");
  EXPECT_VALUE_WITH("UNRELATED", "0", Flag::threefry_partitionable, 1, "");
}

TEST_F(ConfigEnvironment, CotansNameComesFirst) {
  setenv("JAX_ENABLE_X64", "1", 1);
  EXPECT_VALUE_WITH("COTAN_ENABLE_X64", "0", Flag::enable_x64, 0, "");
}

TEST_F(ConfigEnvironment, NonsenseNamesTheVariable) {
  EXPECT_VALUE_WITH("JAX_ENABLE_X64", "maybe", Flag::enable_x64, 7, "JAX_ENABLE_X64 is 'maybe'");
  EXPECT_VALUE_WITH("COTAN_ENABLE_X64", "", Flag::enable_x64, 7, "COTAN_ENABLE_X64 is ''");
}

}  // namespace
}  // namespace cotan
