#include "array/executable.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "array/host_array.h"
#include "runtime/library.h"

namespace cotan {

namespace {
void emit_elementwise(const EqnContext& c, std::span<const Aval> in, const Aval& out, kernel::Plan& plan) {
  const Primitive& p = c.primitive;
  const DType key = in[static_cast<std::size_t>(p.tile_key)].dtype;
  kernel::ProgramBuilder b(out.shape);
  SmallVec<kernel::Value, 4> values;
  std::vector<int> buffers;
  for (std::size_t i = 0; i < in.size(); ++i) {
    kernel::Value v = b.memory(static_cast<int>(i), in[i].dtype, kernel::broadcast_strides(in[i].shape, out.shape));
    values.push_back(b.convert(v, key));
    buffers.push_back(static_cast<int>(i));
  }
  buffers.push_back(static_cast<int>(in.size()));
  kernel::Value r = b.apply_to(p.tile, key, out.dtype, values, p.tile_aux ? p.tile_aux(c) : 0);
  b.store_contiguous(r, static_cast<int>(in.size()));
  kernel::append(&plan, b.finish(), buffers);
}

}  // namespace

const kernel::TileOp* tile_op(const Primitive& p) {
  if (const void* t = p.tile_cache.load(std::memory_order_acquire)) return static_cast<const kernel::TileOp*>(t);
  const kernel::TileOp* op = kernel::tiles().find(p.tile);
  if (!op) {
    std::fprintf(stderr, "cotan: primitive %s: no tile operation %s\n", p.name, p.tile);
    std::abort();
  }
  p.tile_cache.store(op, std::memory_order_release);
  return op;
}

kernel::Plan plan_of_equation(const EqnContext& c, std::span<const Aval> in, std::span<const Aval> out) {
  kernel::Plan plan;
  for (const Aval& a : in) plan.add_input(checked_bytes(a));
  for (const Aval& a : out) plan.add_output(checked_bytes(a));
  if (c.primitive.emit) c.primitive.emit({c, in, out}, plan);
  else if (c.primitive.tile) emit_elementwise(c, in, out[0], plan);
  else throw NotImplementedError(std::string("Evaluation of '") + c.primitive.name + "' not implemented");
  return plan;
}

ExecutablePlan::ExecutablePlan(kernel::Plan plan) : plan_(std::move(plan)) {
  for (const kernel::BufferInfo& b : plan_.buffers) {
    const bool temporary = b.kind == kernel::BufferKind::temporary;
    temporary_offset_.push_back(temporary ? temporary_bytes_ : 0);
    if (temporary) temporary_bytes_ += (b.bytes + 63) / 64 * 64;
  }
  for (const kernel::Step& s : plan_.steps)
    if (const auto* p = std::get_if<kernel::Program>(&s)) programs_.emplace_back(*p);
}

void ExecutablePlan::run(std::span<const void* const> inputs, std::span<void* const> outputs) const {
  TemporaryBlock temporaries(static_cast<std::size_t>(temporary_bytes_));
  SmallVec<void*, 8> buffers;
  buffers.reserve(plan_.buffers.size());
  for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
    const kernel::BufferInfo& b = plan_.buffers[i];
    const auto k = static_cast<std::size_t>(b.position);
    if (b.kind == kernel::BufferKind::temporary)
      buffers.push_back(static_cast<char*>(temporaries.data) + temporary_offset_[i]);
    else if (b.kind == kernel::BufferKind::output) buffers.push_back(outputs[k]);
    else buffers.push_back(const_cast<void*>(inputs[k]));
  }
  std::size_t next = 0;
  for (const kernel::Step& s : plan_.steps) {
    if (const auto* call = std::get_if<kernel::LibraryCall>(&s)) runtime::run_library_call(*call, buffers.data());
    else programs_[next++].run(buffers.data());
  }
}

}  // namespace cotan
