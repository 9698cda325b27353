#include "base/user_location.h"

#include <unwind.h>
#ifdef COTAN_FRAME_POINTERS
#include <pthread.h>
#endif

#include <cstdint>
#include <mutex>
#include <string_view>
#include <unordered_map>

#include "base/debug_info.h"
#include "base/thread_pool.h"

namespace cotan {
namespace {

UserPositions positions;
constinit thread_local const void* recorded_position = nullptr;
constexpr char no_position = 0;
constexpr int max_depth = 256;
constexpr std::size_t cache_limit = 1 << 14;

// Whose a source file is depends on its path only: a template or an inline function of Cotan's that is compiled into the
// user's code is still Cotan's, and a user's lambda that Cotan calls is still the user's.
bool is_users_file(std::string_view path) {
  if (path.empty() || path.find("/include/cotan/") != path.npos || path.find("/include/c++/") != path.npos)
    return false;
  for (const char* system : {"/usr/include/", "/usr/local/include/", "/usr/lib/", "<built-in>"}) {
    if (path.starts_with(system)) return false;
  }
  constexpr std::string_view root = COTAN_SOURCE_ROOT;  // the folder that holds src/, with a slash
  if (!path.starts_with(root)) return true;
  path.remove_prefix(root.size());
  return !path.starts_with("src/") && !path.starts_with("python/");
}

class Locator {
 public:
  std::string first_user_line(const void* const* addresses, int n) {
    const std::lock_guard lock(mutex_);
    for (int i = 0; i < n; ++i) {
      if (const std::string& line = user_line(addresses[i]); !line.empty()) return line;
    }
    return {};
  }

  std::string describe(const void* address) {
    const std::lock_guard lock(mutex_);
    const std::vector<SourceFrame> frames = info_.frames_at(address, [](const std::string&) { return true; });
    if (frames.empty() || frames[0].file.empty()) return symbol_at(address);
    std::string s = frames[0].file + ":" + std::to_string(frames[0].line);
    return frames[0].function.empty() ? s : s + " (" + frames[0].function + ")";
  }

 private:
  const std::string& user_line(const void* address) {
    if (const auto it = lines_.find(address); it != lines_.end()) return it->second;
    if (lines_.size() >= cache_limit) lines_.clear();
    return lines_[address] = compute_user_line(address);
  }

  std::string compute_user_line(const void* address) {
    // No code of the user's is compiled in one of Cotan's own source files.
    for (const SourceFrame& f : info_.frames_at(address, [](const std::string& unit) { return is_users_file(unit); })) {
      if (f.line > 0 && is_users_file(f.file)) return f.file + ":" + std::to_string(f.line);
    }
    return {};
  }

  std::mutex mutex_;
  DebugInfo info_;
  std::unordered_map<const void*, std::string> lines_;  // of every address asked for; empty: none of the user's
};

// Never destroyed: errors are also made while the process ends.
Locator& locator() {
  static auto* const l = new Locator;
  return *l;
}

#ifdef COTAN_FRAME_POINTERS

struct StackBounds {
  std::uintptr_t low = 0, high = 0;
  StackBounds() {
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
    void* base = nullptr;
    std::size_t size = 0;
    pthread_attr_getstack(&attributes, &base, &size);
    pthread_attr_destroy(&attributes);
    low = reinterpret_cast<std::uintptr_t>(base);
    high = low + size;
  }
};

// Cotan is compiled with frame pointers, so that the chain is whole up to the user's innermost frame. Beyond, in code without
// them, it may hold anything: each link is checked to lie in the stack, above the one before.
[[gnu::no_sanitize("address")]] int walk_frames(std::uintptr_t frame, void** out, int n) {
  static thread_local const StackBounds bounds;
  int count = 0;
  while (count < n && frame % sizeof(void*) == 0 && frame >= bounds.low && frame + 2 * sizeof(void*) <= bounds.high) {
    void* const* const link = reinterpret_cast<void* const*>(frame);
    if (!link[1]) break;
    out[count++] = link[1];
    const auto next = reinterpret_cast<std::uintptr_t>(link[0]);
    if (next <= frame) break;
    frame = next;
  }
  return count;
}

#endif

struct Walk {
  void** out;
  int capacity, skip, n;
};

_Unwind_Reason_Code visit(_Unwind_Context* context, void* data) {
  auto* w = static_cast<Walk*>(data);
  if (w->skip > 0) {
    --w->skip;
    return _URC_NO_REASON;
  }
  const _Unwind_Ptr ip = _Unwind_GetIP(context);
  if (ip == 0 || w->n == w->capacity) return _URC_END_OF_STACK;
  w->out[w->n++] = reinterpret_cast<void*>(ip);
  return _URC_NO_REASON;
}

// By the unwind tables, which needs no frame pointers. The frame that it is inlined into is left out.
[[gnu::always_inline]] inline int unwind(void** out, int n) {
  Walk walk{out, n, 1, 0};
  _Unwind_Backtrace(visit, &walk);
  return walk.n;
}

}  // namespace

[[gnu::noinline]] int capture_user_frames(void** out, int n) {
#ifdef COTAN_FRAME_POINTERS
  return walk_frames(reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)), out, n);
#else
  return unwind(out, n);
#endif
}

void set_user_positions(const UserPositions& p) { positions = p; }

AtPosition::AtPosition(const void* position) : before_(recorded_position) {
  if (position) recorded_position = position == outside() ? nullptr : position;
}
AtPosition::~AtPosition() { recorded_position = before_; }
const void* AtPosition::outside() { return &positions; }
const void* AtPosition::nowhere() { return &no_position; }

const void* current_position(const void* call) {
  if (recorded_position) return recorded_position == AtPosition::nowhere() ? nullptr : recorded_position;
  return positions.here ? positions.here() : call;
}

std::string line_of_position(const void* position) {
  if (!position) return {};
  return positions.line ? positions.line(position) : locator().first_user_line(&position, 1);
}

[[gnu::noinline]] std::string find_user_line() {
  if (on_pool_thread()) return {};  // the user's program is on another thread's stack, which may hold what is asked for
  if (recorded_position && recorded_position != AtPosition::nowhere())
    if (std::string line = line_of_position(recorded_position); !line.empty()) return line;
  if (positions.here) return line_of_position(positions.here());
  void* addresses[max_depth];
  const int n = unwind(addresses, max_depth);
  return find_user_line(addresses, n);
}

std::string find_user_line(const void* const* addresses, int n) { return locator().first_user_line(addresses, n); }

std::string describe_address(const void* address) { return locator().describe(address); }

}  // namespace cotan
