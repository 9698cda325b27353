#include "compiler/equation_plan.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace cotan {

std::int64_t checked_bytes(const Aval& a) {
  const auto item = static_cast<std::int64_t>(item_size(a.dtype));
  std::int64_t room = std::max<std::int64_t>(item, 1), n = item;
  bool overflow = false;
  for (std::int64_t d : a.shape) overflow |= __builtin_mul_overflow(room, std::max<std::int64_t>(d, 1), &room);
  if (overflow || room > std::int64_t{1} << 62)
    throw MemoryError("Out of memory: an array of type " + a.str() + " has more bytes than can be addressed");
  for (std::int64_t d : a.shape) n *= d;
  return n;
}

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

}  // namespace cotan
