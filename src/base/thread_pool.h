// Loops shared among threads. Bodies are to do the same whoever runs them: results must not depend on the number of threads.
#pragma once
#include <atomic>
#include <cstdint>

#include "cotan/function_ref.h"

namespace cotan {

// How many threads a loop that starts here may use: 1 inside another one, else num_threads().
int usable_threads();
bool on_pool_thread();  // such a thread must not call the user's program nor wait for locks that its callers may hold

// Calls body(i) for every i in [0, count), in any order, on the calling thread and up to usable_threads() - 1 others; returns when all
// are done. Others are started when they are first needed, and again after a fork. Where another thread's loop has them all, the
// caller does without. The first exception is thrown on the calling thread; what has not begun by then is left out. Interruptions
// (base/interrupt.h) are asked about on the calling thread, and end the bodies on others that poll.
void parallel_for(std::int64_t count, FunctionRef<void(std::int64_t)> body);

// Calls body(first, last) for ranges that make up [0, count), cut at multiples of `grain`. The work of all of it on one thread,
// estimated in nanoseconds, says whether threads pay and how many ranges there are.
using RangeBody = FunctionRef<void(std::int64_t, std::int64_t)>;
void parallel_ranges(std::int64_t count, std::int64_t grain, double ns, RangeBody body);

// The same where nothing is known about the work: the first `grain` is timed, and the rest taken to be like it.
void parallel_ranges_timed(std::int64_t count, std::int64_t grain, RangeBody body);

// Below so many nanoseconds a second thread does not pay. Tests of cutting set 0.
namespace detail {
inline constinit std::atomic<double> least_parallel_ns{8000};
}
inline double least_parallel_ns() { return detail::least_parallel_ns.load(std::memory_order_relaxed); }

}  // namespace cotan
