#include "array/wrapped_indices.h"

#include <cstring>
#include <string_view>

#include "kernel/combine.h"
#include "kernel/library_params.h"

namespace cotan {

std::optional<std::int64_t> wrap_of(const kernel::Program& program) {
  const std::optional<kernel::Program> p = kernel::combined(program);
  if (!p || p->instructions.size() != 1 || p->stores.size() != 1 || p->sources.size() != 1) return std::nullopt;
  const kernel::Instruction& i = p->instructions[0];
  if (i.op->name != std::string_view("wrap_index") || i.type != DType::int32) return std::nullopt;
  const auto [x, n, unused] = i.operands;
  if (x.kind != kernel::ValueKind::source || n.kind != kernel::ValueKind::constant) return std::nullopt;
  const kernel::Source& s = p->sources[0];
  const bool whole = s.kind == kernel::SourceKind::memory && s.offset == 0 && s.strides == p->stores[0].strides &&
                     s.strides == kernel::row_major_strides(p->extents);
  if (!whole || p->stores[0].value.kind != kernel::ValueKind::instruction) return std::nullopt;
  std::int32_t wrap;
  std::memcpy(&wrap, p->constants[static_cast<std::size_t>(n.index)].value.data(), sizeof wrap);
  return wrap;
}

bool take_wrap(kernel::Plan* plan, int position, std::int64_t wrap) {
  kernel::LibraryCall* indexed = nullptr;
  for (kernel::Step& s : plan->steps) {
    auto* const call = std::get_if<kernel::LibraryCall>(&s);
    if (call && (call->op == kernel::LibraryOp::gather || call->op == kernel::LibraryOp::scatter)) {
      if (indexed) return false;
      indexed = call;
    }
  }
  if (!indexed) return false;
  const kernel::BufferRef& indices = indexed->inputs[indexed->op == kernel::LibraryOp::gather ? 1 : 0];
  auto params = kernel::IndexedParams::decode(indexed->params);
  const kernel::BufferInfo& b = plan->buffers[static_cast<std::size_t>(indices.buffer)];
  if (b.kind != kernel::BufferKind::input || b.position != position || indices.dtype != DType::int32 ||
      params.wrap != 0 || !params.single_positions())
    return false;
  params.wrap = wrap;
  indexed->params = params.encode();
  return true;
}

}  // namespace cotan
