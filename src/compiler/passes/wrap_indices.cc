#include "compiler/passes/wrap_indices.h"

#include <cstring>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "kernel/combine.h"
#include "kernel/library_params.h"
#include "kernel/loops.h"

namespace cotan {

namespace {

struct Wrap {
  int from;  // the buffer of the indices as they were
  std::int64_t add;
};

// What the program adds to int32 elements below 0, if that is all it does.
std::optional<Wrap> wrap_of(const kernel::Program& program) {
  const std::optional<kernel::Program> p = kernel::combined(program);
  if (!p || p->instructions.size() != 1 || p->stores.size() != 1 || p->sources.size() != 1) return std::nullopt;
  const kernel::Instruction& i = p->instructions[0];
  if (!i.op || i.op->name != std::string_view("wrap_index") || i.type != DType::int32) return std::nullopt;
  const auto [x, n, unused] = i.operands;
  if (x.kind != kernel::ValueKind::source || n.kind != kernel::ValueKind::constant) return std::nullopt;
  const kernel::Source& s = p->sources[0];
  const kernel::Store& to = p->stores[0];
  const bool whole = s.kind == kernel::SourceKind::memory && s.offset == 0 && to.offset == 0 && s.starts.empty() &&
                     to.starts.empty() && kernel::is_row_major(p->extents, s.strides) &&
                     kernel::is_row_major(p->extents, to.strides);
  if (!whole || to.value.kind != kernel::ValueKind::instruction) return std::nullopt;
  std::int32_t add;
  std::memcpy(&add, p->constants[static_cast<std::size_t>(n.index)].value.data(), sizeof add);
  return Wrap{s.buffer, add};
}

using Wraps = std::unordered_map<int, Wrap>;

void take(kernel::LibraryCall& c, const Wraps& wraps) {
  if (c.op != kernel::LibraryOp::gather && c.op != kernel::LibraryOp::scatter) return;
  kernel::BufferRef& indices = c.inputs[c.op == kernel::LibraryOp::gather ? 1 : 0];
  const auto it = wraps.find(indices.buffer);
  if (it == wraps.end() || indices.dtype != DType::int32) return;
  auto params = kernel::IndexedParams::decode(c.params);
  if (params.wrap != 0 || !params.single_positions()) return;
  params.wrap = it->second.add;
  c.params = params.encode();
  indices.buffer = it->second.from;
}

void take(kernel::Starts& starts, const Wraps& wraps) {
  for (kernel::Start& t : starts) {
    const auto it = wraps.find(t.buffer);
    if (it == wraps.end() || t.dtype != DType::int32 || t.wrap != 0 || it->second.add < 0) continue;
    t.wrap = it->second.add;
    t.buffer = it->second.from;
  }
}

}  // namespace

kernel::Plan wrap_indices(kernel::Plan plan) {
  Wraps wraps;
  std::unordered_map<int, int> readers;
  for (kernel::Step& step : plan.steps) {
    if (auto* p = std::get_if<kernel::Program>(&step)) {
      for (kernel::Source& r : p->sources) take(r.starts, wraps);
      for (kernel::Store& r : p->stores) take(r.starts, wraps);
      if (const auto wrap = wrap_of(*p)) wraps[p->stores[0].buffer] = *wrap;
    } else if (auto* c = std::get_if<kernel::LibraryCall>(&step)) {
      take(*c, wraps);
    }
    for (int b : kernel::reads_of(step)) ++readers[b];
  }
  std::erase_if(plan.steps, [&](const kernel::Step& step) {
    const auto* p = std::get_if<kernel::Program>(&step);
    if (!p || p->stores.size() != 1) return false;
    const int to = p->stores[0].buffer;
    return wraps.contains(to) && !readers.contains(to) &&
           plan.buffers[static_cast<std::size_t>(to)].kind == kernel::BufferKind::temporary;
  });
  return plan;
}

}  // namespace cotan
