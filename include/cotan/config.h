// Settings. A value comes from the innermost `Scoped` of this thread, else from `set` (whole process), else from the
// environment variable COTAN_<NAME> or JAX_<NAME>, else from the default. Those marked "trace key" are part of the key of
// every traced program, so that changing one traces again.
#pragma once
#include <cstdint>

namespace cotan::config {

enum class Flag : std::uint8_t {
  enable_x64,              // trace key; default false: 64-bit types become 32-bit ones
  threefry_partitionable,  // trace key; default true: random bits do not depend on how a computation is split
  debug_type_check,  // every jaxpr is type-checked when it is made, and after every pass; default false, true in test builds
  disable_jit,       // jit runs the function's operations one by one; default false
  debug_nans,        // FloatingPointError, naming it, from the operation that makes a NaN; default false
  debug_infs,        // the same of infinities
  // A program is run as it was traced: no pass changes it, nothing is fused. Slower, to the same bits; default false. A program
  // keeps what it was compiled to either way.
  disable_most_optimizations,
  count_,
};

bool get(Flag);
void set(Flag, bool);    // for the whole process
const char* name(Flag);  // "enable_x64"
bool in_trace_key(Flag);
std::uint64_t trace_key();  // the values of the trace-key flags, as bits

// Sets a flag on this thread until the object goes.
class Scoped {
 public:
  Scoped(Flag flag, bool value);
  ~Scoped();
  Scoped(const Scoped&) = delete;
  Scoped& operator=(const Scoped&) = delete;

 private:
  Flag flag_;
  std::int8_t before_;
};

}  // namespace cotan::config

namespace cotan {
// How many threads a computation may use, the calling one included: that of the innermost ScopedNumThreads of this thread, else
// of set_num_threads, else of the environment variable COTAN_NUM_THREADS, else as many as the process may run on (its CPU
// affinity). Results do not depend on it. Threads are started when a computation is first worth them; none with 1.
inline constexpr int most_threads = 1024;
int num_threads();
void set_num_threads(int n);  // for the whole process; ValueError unless 1 <= n <= most_threads

// Sets the number on this thread until the object goes: `ct::ScopedNumThreads one(1);`
class ScopedNumThreads {
 public:
  explicit ScopedNumThreads(int n);  // ValueError likewise
  ~ScopedNumThreads();
  ScopedNumThreads(const ScopedNumThreads&) = delete;
  ScopedNumThreads& operator=(const ScopedNumThreads&) = delete;

 private:
  int before_;
};

// 64-bit types inside a scope: `ct::enable_x64 x64;`
struct enable_x64 : config::Scoped {
  explicit enable_x64(bool on = true) : Scoped(config::Flag::enable_x64, on) {}
};
}  // namespace cotan
