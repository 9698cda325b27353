#include "array/block_run.h"

#include <algorithm>
#include <unordered_map>

#include "base/interrupt.h"
#include "base/small_vec.h"
#include "base/thread_pool.h"
#include "kernel/library_params.h"
#include "runtime/allocator.h"
#include "runtime/library.h"

namespace cotan {

BlockRun::BlockRun(const kernel::Blocks& b) : rows_(b.rows), block_(b.block) {
  std::unordered_map<int, int> place;
  const auto number = [&](int& buffer) {
    const auto [it, fresh] = place.try_emplace(buffer, static_cast<int>(memory_.size()));
    if (fresh) memory_.push_back({buffer});
    buffer = it->second;
  };
  for (const kernel::Blocks::Row& r : b.buffers) {
    int i = r.buffer;
    number(i);
    Memory& m = memory_[static_cast<std::size_t>(i)];
    m.row = r.bytes;
    if (!r.local) continue;
    m.local = local_bytes_;
    local_bytes_ += (r.bytes * block_ + 63) / 64 * 64;
  }
  for (const auto& step : b.steps)
    if (const auto* p = std::get_if<kernel::Program>(&step)) add(*p, number);
    else add(std::get<kernel::LibraryCall>(step), number);
}

template <class F> void BlockRun::add(kernel::Program p, F number) {
  kernel::each_buffer(p, number);
  steps_.emplace_back(kernel::PreparedProgram(p));
  p.extents[0] = rows_ % block_;
  if (p.extents[0] > 0) rest_.emplace_back(kernel::PreparedProgram(p));
}

template <class F> void BlockRun::add(kernel::LibraryCall c, F number) {
  kernel::each_buffer(c, number);
  steps_.emplace_back(c);
  auto params = kernel::IndexedParams::decode(c.params);
  params.batch[0] = rows_ % block_;
  if (params.batch[0] == 0) return;
  c.params = params.encode();
  rest_.emplace_back(std::move(c));
}

void BlockRun::run(void* const* table) const {
  parallel_ranges_timed((rows_ + block_ - 1) / block_, 1, [&](std::int64_t first, std::int64_t last) {
    const runtime::ScopedBlock local(static_cast<std::size_t>(local_bytes_));
    SmallVec<void*, 8> at(memory_.size());
    for (std::int64_t row = first * block_; row < std::min(last * block_, rows_); row += block_) {
      poll_interrupt();
      for (std::size_t i = 0; i < memory_.size(); ++i) {
        const Memory& m = memory_[i];
        at[i] = m.local >= 0 ? static_cast<char*>(local.data()) + m.local
                             : static_cast<char*>(table[m.buffer]) + row * m.row;
      }
      for (const Prepared& step : row + block_ <= rows_ ? steps_ : rest_)
        if (const auto* p = std::get_if<kernel::PreparedProgram>(&step)) p->run(at.data());
        else runtime::run_library_call(std::get<kernel::LibraryCall>(step), at.data());
    }
  });
}

}  // namespace cotan
