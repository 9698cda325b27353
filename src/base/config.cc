#include "cotan/config.h"

#include <array>
#include <atomic>
#include <cctype>
#include <cstdlib>
#include <string>

#include "cotan/errors.h"

namespace cotan::config {
namespace {

struct Field {
  const char* name;
  bool default_value, in_trace_key;
};
constexpr int count = static_cast<int>(Flag::count_);
#ifdef COTAN_TYPE_CHECK
constexpr bool test_build = true;
#else
constexpr bool test_build = false;
#endif
constexpr std::array<Field, count> fields{{
    {"enable_x64", false, true},
    {"threefry_partitionable", true, true},
    {"debug_type_check", test_build, false},
    {"disable_jit", false, false},
    {"debug_nans", false, false},
    {"debug_infs", false, false},
    {"disable_most_optimizations", false, false},
}};

constexpr std::int8_t unset = -1;
constexpr auto all_unset = [] {
  std::array<std::int8_t, count> a{};
  a.fill(unset);
  return a;
}();

// Initial-exec: one load instead of a call when the library is shared.
[[gnu::tls_model("initial-exec")]] constinit thread_local std::array<std::int8_t, count> overrides = all_unset;

// Unset: nobody has set the flag nor read its environment variable yet.
struct ProcessValue {
  std::atomic<std::int8_t> v{unset};
};
constinit std::array<ProcessValue, count> process{};

bool parse(const std::string& variable, const char* text) {
  std::string s;
  for (const char* p = text; *p; ++p) s += static_cast<char>(std::tolower(static_cast<unsigned char>(*p)));
  for (const char* yes : {"1", "true", "t", "yes", "y", "on"}) {
    if (s == yes) return true;
  }
  for (const char* no : {"0", "false", "f", "no", "n", "off"}) {
    if (s == no) return false;
  }
  throw ValueError("the environment variable " + variable + " is '" + text +
                   "', which is no truth value\nSet it to 1 or 0.");
}

bool from_environment(const Field& field) {
  for (std::string variable : {"COTAN_", "JAX_"}) {
    for (const char* p = field.name; *p; ++p)
      variable += static_cast<char>(std::toupper(static_cast<unsigned char>(*p)));
    if (const char* text = std::getenv(variable.c_str())) return parse(variable, text);
  }
  return field.default_value;
}

[[gnu::noinline, gnu::cold]] bool first_get(int i) {
  const auto v = static_cast<std::int8_t>(from_environment(fields[i]));
  std::int8_t expected = unset;
  return process[i].v.compare_exchange_strong(expected, v, std::memory_order_relaxed) ? v : expected;
}

}  // namespace

bool get(Flag flag) {
  const int i = static_cast<int>(flag);
  if (const std::int8_t v = overrides[i]; v != unset) return v;
  if (const std::int8_t v = process[i].v.load(std::memory_order_relaxed); v != unset) [[likely]]
    return v;
  return first_get(i);
}

void set(Flag flag, bool value) {
  process[static_cast<int>(flag)].v.store(static_cast<std::int8_t>(value), std::memory_order_relaxed);
}

const char* name(Flag flag) { return fields[static_cast<int>(flag)].name; }

bool in_trace_key(Flag flag) { return fields[static_cast<int>(flag)].in_trace_key; }

std::uint64_t trace_key() {
  std::uint64_t key = 0;
  for (int i = 0; i < count; ++i) {
    if (fields[i].in_trace_key) key |= std::uint64_t{get(static_cast<Flag>(i))} << i;
  }
  return key;
}

Scoped::Scoped(Flag flag, bool value) : flag_(flag), before_(overrides[static_cast<int>(flag)]) {
  overrides[static_cast<int>(flag)] = static_cast<std::int8_t>(value);
}

Scoped::~Scoped() { overrides[static_cast<int>(flag_)] = before_; }

}  // namespace cotan::config
