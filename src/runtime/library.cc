#include "runtime/library.h"

#include <algorithm>
#include <cstring>

#include "kernel/copy.h"
#include "runtime/scan.h"
#include "runtime/sort.h"

namespace cotan::runtime {

namespace {

using kernel::BufferRef;
using kernel::LibraryCall;

char* place(const BufferRef& r, void* const* buffers) {
  return static_cast<char*>(buffers[r.buffer]) + r.offset * static_cast<std::int64_t>(item_size(r.dtype));
}

// Clamped to [0, most]. An unsigned number beyond int64 is beyond any array.
std::int64_t clamped_start(DType d, const void* p, std::int64_t most) {
  const auto clamp = [&](auto value) -> std::int64_t {
    std::memcpy(&value, p, sizeof value);
    if constexpr (std::is_unsigned_v<decltype(value)>)
      return static_cast<std::int64_t>(std::min<std::uint64_t>(value, static_cast<std::uint64_t>(most)));
    else return std::clamp<std::int64_t>(value, 0, most);
  };
  switch (d) {
    case DType::int8: return clamp(std::int8_t{});
    case DType::int16: return clamp(std::int16_t{});
    case DType::int32: return clamp(std::int32_t{});
    case DType::uint8: return clamp(std::uint8_t{});
    case DType::uint16: return clamp(std::uint16_t{});
    case DType::uint32: return clamp(std::uint32_t{});
    case DType::uint64: return clamp(std::uint64_t{});
    default: return clamp(std::int64_t{});
  }
}

// Copies between the block, which is row-major, and its place in the whole.
void move_block(const LibraryCall& c, void* const* buffers, bool update) {
  const kernel::BlockParams p = kernel::BlockParams::decode(c.params);
  const IntList whole = kernel::row_major_strides(p.whole), block = kernel::row_major_strides(p.block);
  const auto item = static_cast<int>(item_size(c.inputs[0].dtype));
  std::int64_t offset = 0;
  for (int i = 0; i < p.whole.length(); ++i) {
    const BufferRef& start = c.inputs[static_cast<std::size_t>(i) + 1];
    offset += whole[i] * clamped_start(start.dtype, place(start, buffers), p.whole[i] - p.block[i]);
  }
  char* const in = place(c.inputs[0], buffers);
  char* const out = place(c.outputs[0], buffers);
  if (update)
    kernel::copy_nd(out + offset * item, whole.data(), in, block.data(), p.block.data(), p.block.length(), item);
  else kernel::copy_nd(out, block.data(), in + offset * item, whole.data(), p.block.data(), p.block.length(), item);
}

void run_sort(const LibraryCall& c, void* const* buffers) {
  std::vector<SortOperand> operands;
  for (std::size_t i = 0; i < c.inputs.size(); ++i)
    operands.push_back({c.inputs[i].dtype, place(c.inputs[i], buffers), place(c.outputs[i], buffers)});
  sort(kernel::SortParams::decode(c.params), operands);
}

}  // namespace

void run_library_call(const LibraryCall& c, void* const* buffers) {
  switch (c.op) {
    case kernel::LibraryOp::dot:
      return dot(c.outputs[0].dtype, kernel::DotParams::decode(c.params), place(c.inputs[0], buffers),
                 place(c.inputs[1], buffers), place(c.outputs[0], buffers));
    case kernel::LibraryOp::dynamic_slice: return move_block(c, buffers, false);
    case kernel::LibraryOp::dynamic_update_slice: return move_block(c, buffers, true);
    case kernel::LibraryOp::gather:
      return gather(kernel::IndexedParams::decode(c.params), c.inputs[0].dtype, c.inputs[1].dtype,
                    place(c.inputs[0], buffers), place(c.inputs[1], buffers), place(c.outputs[0], buffers));
    case kernel::LibraryOp::scatter:
      return scatter(kernel::IndexedParams::decode(c.params), c.outputs[0].dtype, c.inputs[0].dtype,
                     place(c.inputs[0], buffers), place(c.inputs[1], buffers), place(c.outputs[0], buffers));
    case kernel::LibraryOp::sort: return run_sort(c, buffers);
    case kernel::LibraryOp::top_k:
      return top_k(c.inputs[0].dtype, kernel::TopKParams::decode(c.params), place(c.inputs[0], buffers),
                   place(c.outputs[0], buffers), place(c.outputs[1], buffers));
    case kernel::LibraryOp::scan:
      return scan(c.inputs[0].dtype, kernel::ScanParams::decode(c.params), place(c.inputs[0], buffers),
                  place(c.outputs[0], buffers));
  }
}

}  // namespace cotan::runtime
