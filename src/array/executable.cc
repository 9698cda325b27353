#include "array/executable.h"

#include <algorithm>

#include "base/interrupt.h"
#include "kernel/loops.h"
#include "runtime/library.h"

namespace cotan {

ExecutablePlan::ExecutablePlan(kernel::Plan plan, const Donations& donations) : plan_(std::move(plan)) {
  plan_regions();
  homes_ = assign_buffers(&plan_, donations);
  inputs_.resize(static_cast<std::size_t>(plan_.input_count()));
  outputs_.resize(static_cast<std::size_t>(plan_.output_count()));
  for (std::size_t b = 0; b < plan_.buffers.size(); ++b) {
    const Home& h = homes_.of[b];
    if (h.kind == kernel::BufferKind::input) inputs_[static_cast<std::size_t>(h.at)].push_back(static_cast<int>(b));
    if (h.kind == kernel::BufferKind::output) outputs_[static_cast<std::size_t>(h.at)].push_back(static_cast<int>(b));
  }
  steps_.reserve(plan_.steps.size());
  auto region = regions_.begin();
  for (const kernel::Step& s : plan_.steps) {
    Direct direct;
    if (const auto* call = std::get_if<kernel::LibraryCall>(&s)) steps_.emplace_back(call);
    else if (const auto* blocks = std::get_if<kernel::Blocks>(&s)) steps_.emplace_back(BlockRun(*blocks));
    else if (std::holds_alternative<kernel::EquationCall>(s)) steps_.emplace_back(&*region++);
    else if (const auto& p = std::get<kernel::Program>(s); as_direct(p, &direct)) steps_.emplace_back(direct);
    else if (kernel::ScalarProgram::fits(p)) steps_.emplace_back(kernel::ScalarProgram(p));
    else steps_.emplace_back(kernel::PreparedProgram(p));
  }
}

// Equations that run programs say what they can do in place before memory is assigned.
void ExecutablePlan::plan_regions() {
  for (kernel::Step& s : plan_.steps) {
    auto* c = std::get_if<kernel::EquationCall>(&s);
    if (!c) continue;
    const PlannedEquation& e = equation_of(*c);
    const auto step = region_step({e.primitive, e.params}, e.in, e.out);
    for (std::size_t i = 0; i < e.out.size(); ++i)
      for (std::size_t k = 0; k < e.in.size(); ++k)
        if (e.in[k].shape == e.out[i].shape && step->may_share(i, k))
          c->aliases.push_back({static_cast<int>(i), static_cast<int>(k)});
    regions_.push_back({step, c});
  }
}

std::size_t ExecutablePlan::temporary_bytes() const {
  std::size_t inside = 0;
  for (const Region& r : regions_) inside = std::max(inside, r.step->temporary_bytes());
  return block_bytes() + inside;
}

bool ExecutablePlan::as_direct(const kernel::Program& p, Direct* d) {
  if (p.reduction || p.instructions.size() != 1 || p.stores.size() != 1) return false;
  const kernel::Instruction& i = p.instructions[0];
  const kernel::Store& s = p.stores[0];
  const std::int64_t n = p.iterations();
  if (!i.op || n == 0 || s.value.kind != kernel::ValueKind::instruction || s.offset != 0 || !s.starts.empty() ||
      !kernel::is_row_major(p.extents, s.strides))
    return false;
  d->fn = i.op->fn[static_cast<int>(i.type)];
  d->count = static_cast<std::size_t>(n);
  d->aux = i.aux;
  d->to = s.buffer;
  d->item = static_cast<std::uint8_t>(item_size(i.result));
  d->operands = static_cast<std::uint8_t>(i.op->arity);
  for (int k = 0; k < i.op->arity; ++k) {
    const kernel::Value v = i.operands[static_cast<std::size_t>(k)];
    const auto at = static_cast<std::size_t>(v.index);
    bool scalar = true;
    if (v.kind == kernel::ValueKind::constant) {
      d->from[k] = -1;
      d->constant[k] = p.constants[at].value.data();
    } else {
      const kernel::Source& from = p.sources[at];
      scalar = std::all_of(from.strides.begin(), from.strides.end(), [](std::int64_t x) { return x == 0; });
      if (from.kind != kernel::SourceKind::memory || from.offset != 0 || !from.starts.empty()) return false;
      if (kernel::is_row_major(p.extents, from.strides)) scalar = false;
      else if (!scalar) return false;
      d->from[k] = from.buffer;
    }
    if (scalar) d->scalar_mask |= static_cast<std::uint8_t>(1u << k);
    d->items[k] = static_cast<std::uint8_t>(item_size(p.dtype_of(v)));
  }
  return true;
}

void ExecutablePlan::run_direct(const Direct& d, void* const* table) {
  kernel::ElementwiseOperand operands[max_direct_operands];
  for (int k = 0; k < d.operands; ++k)
    operands[k] = {d.from[k] < 0 ? d.constant[k] : table[d.from[k]], (d.scalar_mask >> k & 1) != 0, d.items[k]};
  kernel::run_elementwise(d.fn, d.count, table[d.to], d.item, operands, d.operands, d.aux);
}

std::vector<void*> ExecutablePlan::table(void* block) const {
  std::vector<void*> t(plan_.buffers.size(), nullptr);
  for (std::size_t b = 0; b < t.size(); ++b) {
    const Home& h = homes_.of[b];
    if (h.kind == kernel::BufferKind::temporary) t[b] = static_cast<char*>(block) + h.at;
    if (h.kind == kernel::BufferKind::constant)
      t[b] = const_cast<std::byte*>(plan_.constants[static_cast<std::size_t>(h.at)].data());
  }
  return t;
}

void ExecutablePlan::run(void* const* table) const {
  for (const Prepared& s : steps_) {
    poll_interrupt();
    if (const auto* d = std::get_if<Direct>(&s)) run_direct(*d, table);
    else if (const auto* scalar = std::get_if<kernel::ScalarProgram>(&s)) scalar->run(table);
    else if (const auto* p = std::get_if<kernel::PreparedProgram>(&s)) p->run(table);
    else if (const auto* c = std::get_if<const kernel::LibraryCall*>(&s)) runtime::run_library_call(**c, table);
    else if (const auto* blocks = std::get_if<BlockRun>(&s)) blocks->run(table);
    else {
      const Region& r = *std::get<const Region*>(s);
      SmallVec<const void*, 8> in;
      SmallVec<void*, 4> out;
      for (int b : r.call->inputs) in.push_back(table[b]);
      for (int b : r.call->outputs) out.push_back(table[b]);
      r.step->run(in, out);
    }
  }
}

void ExecutablePlan::run(std::span<const void* const> inputs, std::span<void* const> outputs) const {
  const runtime::ScopedBlock block(block_bytes());
  SmallVec<void*, 8> t;
  t.reserve(homes_.of.size());
  for (const Home& h : homes_.of) {
    const auto at = static_cast<std::size_t>(h.at);
    switch (h.kind) {
      case kernel::BufferKind::temporary: t.push_back(static_cast<char*>(block.data()) + at); break;
      case kernel::BufferKind::output: t.push_back(static_cast<char*>(outputs[at]) + h.offset); break;
      case kernel::BufferKind::input: t.push_back(static_cast<char*>(const_cast<void*>(inputs[at])) + h.offset); break;
      case kernel::BufferKind::constant: t.push_back(const_cast<std::byte*>(plan_.constants[at].data())); break;
    }
  }
  run(t.data());
}

}  // namespace cotan
