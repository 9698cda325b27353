#include "kernel/combine.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace cotan::kernel {

namespace {

const Instruction* made_by(const Program& p, Value v, std::string_view op, DType type) {
  if (v.kind != ValueKind::instruction) return nullptr;
  const Instruction& i = p.instructions[static_cast<std::size_t>(v.index)];
  return i.op != nullptr && i.op->name == op && i.type == type ? &i : nullptr;
}

bool is_zero(const Program& p, Value v) {
  if (v.kind != ValueKind::constant) return false;
  const auto& bytes = p.constants[static_cast<std::size_t>(v.index)].value;
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; });
}

// Makes instruction i the wrap if it is the select of one.
bool wrap(const Program& p, Instruction* i) {
  if (i->op == nullptr || i->op->name != std::string_view("select") || !is_signed_integer(i->type)) return false;
  const auto [which, x, moved] = i->operands;
  const Instruction* const below = made_by(p, which, "lt", i->type);
  const Instruction* const sum = made_by(p, moved, "add", i->type);
  if (!below || !sum || below->operands[0] != x || !is_zero(p, below->operands[1])) return false;
  const bool first = sum->operands[0] == x;
  if (!first && sum->operands[1] != x) return false;
  const TileOp* const op = tiles().find("wrap_index");
  if (op == nullptr || op->fn[static_cast<int>(i->type)] == nullptr) return false;
  *i = {op, i->type, i->result, {x, sum->operands[first ? 1 : 0]}};
  return true;
}

// Takes out the instructions whose values nothing uses.
void drop_unused(Program* p) {
  const std::size_t count = p->instructions.size();
  std::vector<bool> used(count, false);
  const auto use = [&](Value v) {
    if (v.valid() && v.kind == ValueKind::instruction) used[static_cast<std::size_t>(v.index)] = true;
  };
  for (const Store& s : p->stores) use(s.value);
  if (p->reduction) use(p->reduction->value);
  for (std::size_t i = count; i-- > 0;)
    if (used[i]) std::for_each(p->instructions[i].operands.begin(), p->instructions[i].operands.end(), use);
  std::vector<std::int32_t> place(count);
  std::vector<Instruction> kept;
  const auto rename = [&](Value* v) {
    if (v->valid() && v->kind == ValueKind::instruction) v->index = place[static_cast<std::size_t>(v->index)];
  };
  for (std::size_t i = 0; i < count; ++i) {
    if (!used[i]) continue;
    place[i] = static_cast<std::int32_t>(kept.size());
    kept.push_back(p->instructions[i]);
    for (Value& v : kept.back().operands) rename(&v);
  }
  p->instructions = std::move(kept);
  for (Store& s : p->stores) rename(&s.value);
  if (p->reduction) rename(&p->reduction->value);
}

}  // namespace

std::optional<Program> combined(const Program& p) {
  std::optional<Program> shorter;
  for (std::size_t i = 2; i < p.instructions.size(); ++i) {
    Instruction made = p.instructions[i];
    if (!wrap(p, &made)) continue;
    if (!shorter) shorter = p;
    shorter->instructions[i] = made;
  }
  if (shorter) drop_unused(&*shorter);
  return shorter;
}

}  // namespace cotan::kernel
