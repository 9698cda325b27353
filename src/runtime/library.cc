#include "runtime/library.h"

#include "runtime/scan.h"
#include "runtime/sort.h"

namespace cotan::runtime {

namespace {

using kernel::BufferRef;
using kernel::LibraryCall;

char* place(const BufferRef& r, void* const* buffers) {
  if (r.buffer < 0) return nullptr;
  return static_cast<char*>(buffers[r.buffer]) + r.offset * static_cast<std::int64_t>(item_size(r.dtype));
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
      return dot(c.inputs[0].dtype, kernel::DotParams::decode(c.params), place(c.inputs[0], buffers),
                 place(c.inputs[1], buffers), place(c.outputs[0], buffers), c.outputs[0].dtype == DType::float32);
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
