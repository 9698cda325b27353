#include "kernel/combine.h"

#include <algorithm>
#include <string>
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

// Makes instruction i a pair with one that it alone uses.
class Pairs {
 public:
  explicit Pairs(const Program& p) : uses_(p.instructions.size()) {
    const auto use = [&](Value v) {
      if (v.valid() && v.kind == ValueKind::instruction) ++uses_[static_cast<std::size_t>(v.index)];
    };
    for (const Instruction& i : p.instructions) std::for_each(i.operands.begin(), i.operands.end(), use);
    for (const Store& s : p.stores) use(s.value), use(s.value);  // its memory is that of the store
    if (p.reduction) use(p.reduction->value);
  }

  bool pair(const Program& p, Instruction* second) const {
    if (is_square(*second)) return pair_with_square(p, second);
    if (!second->op) return pair_with_comparison(p, second);
    if (!is_basic(*second)) return false;
    for (std::size_t at : {0u, 1u}) {
      const Value v = second->operands[at];
      if (v.kind != ValueKind::instruction || uses_[static_cast<std::size_t>(v.index)] != 1) continue;
      const Instruction& first = p.instructions[static_cast<std::size_t>(v.index)];
      if (!is_basic(first) || first.type != second->type || is_still(p, first)) continue;
      const TileOp* const op = pair_op(first.op->name, second->op->name, at == 1);
      if (!op || !op->fn[static_cast<int>(first.type)]) continue;
      *second = {op, first.type, second->result, {first.operands[0], first.operands[1], second->operands[1 - at]}};
      return true;
    }
    return false;
  }

 private:
  bool pair_with_square(const Program& p, Instruction* second) const {
    const Value v = second->operands[0];
    const int uses = second->op->arity;
    if (v.kind != ValueKind::instruction || uses_[static_cast<std::size_t>(v.index)] != uses) return false;
    const Instruction& first = p.instructions[static_cast<std::size_t>(v.index)];
    if (!is_basic(first) || first.type != second->type || is_still(p, first)) return false;
    const TileOp* const op = tiles().find((std::string(first.op->name) + "_square").c_str());
    if (!op || !op->fn[static_cast<int>(first.type)]) return false;
    *second = {op, first.type, second->result, {first.operands[0], first.operands[1], {}}};
    return true;
  }
  // The truth of a comparison as a number.
  bool pair_with_comparison(const Program& p, Instruction* second) const {
    const Value v = second->operands[0];
    if (second->type != DType::bool_ || second->result != DType::float32 || v.kind != ValueKind::instruction ||
        uses_[static_cast<std::size_t>(v.index)] != 1)
      return false;
    const Instruction& first = p.instructions[static_cast<std::size_t>(v.index)];
    if (!first.op || !first.op->predicate || is_still(p, first)) return false;
    const TileOp* const op = tiles().find((std::string(first.op->name) + "_number").c_str());
    if (!op || !op->fn[static_cast<int>(first.type)]) return false;
    *second = {op, first.type, DType::float32, first.operands};
    return true;
  }
  static bool is_basic(const Instruction& i) {
    if (!i.op || (i.type != DType::float32 && i.type != DType::float64)) return false;
    const std::string_view name = i.op->name;
    return name == "add" || name == "sub" || name == "mul" || name == "max" || name == "min";
  }
  // `turned`: the first's result is the second operand. Where that makes no difference there need not be an operation for it.
  static const TileOp* pair_op(const std::string& first, const std::string& second, bool turned) {
    const TileOp* const op = tiles().find((first + (turned ? "_r" : "_") + second).c_str());
    return op || !turned || second == "sub" ? op : tiles().find((first + "_" + second).c_str());
  }
  // Whether it is computed once a tile: its operands are the same for all elements.
  static bool is_still(const Program& p, const Instruction& i) {
    return std::all_of(i.operands.begin(), i.operands.end(), [&](Value v) {
      if (!v.valid() || v.kind == ValueKind::constant) return true;
      if (v.kind == ValueKind::instruction) return false;
      const Dims& strides = p.sources[static_cast<std::size_t>(v.index)].strides;
      return std::all_of(strides.begin(), strides.end(), [](std::int64_t n) { return n == 0; });
    });
  }
  std::vector<int> uses_;
};

// Keeps the items that are used, in order; where each went.
template <class Item> std::vector<std::int32_t> keep(std::vector<Item>* items, const std::vector<bool>& used) {
  std::vector<std::int32_t> place(items->size(), -1);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < items->size(); ++i) {
    if (!used[i]) continue;
    place[i] = static_cast<std::int32_t>(kept);
    if (kept != i) (*items)[kept] = std::move((*items)[i]);
    ++kept;
  }
  items->resize(kept);
  return place;
}

}  // namespace

bool is_square(const Instruction& i) {
  if (!i.op || (i.type != DType::float32 && i.type != DType::float64)) return false;
  const std::string_view name = i.op->name;
  return name == "square" || (name == "integer_pow" && i.aux == 2) || (name == "mul" && i.operands[0] == i.operands[1]);
}

void drop_unused(Program* p) {
  std::vector<bool> used[3] = {std::vector<bool>(p->sources.size()), std::vector<bool>(p->constants.size()),
                               std::vector<bool>(p->instructions.size())};
  const auto of = [](Value v) { return static_cast<std::size_t>(v.kind); };
  const auto use = [&](Value v) {
    if (v.valid()) used[of(v)][static_cast<std::size_t>(v.index)] = true;
  };
  for (const Store& s : p->stores) use(s.value);
  if (p->reduction) use(p->reduction->value);
  const std::size_t instructions = of({ValueKind::instruction, 0});
  for (std::size_t i = p->instructions.size(); i-- > 0;)
    if (used[instructions][i])
      std::for_each(p->instructions[i].operands.begin(), p->instructions[i].operands.end(), use);
  std::vector<std::int32_t> place[3];
  place[of({ValueKind::source, 0})] = keep(&p->sources, used[of({ValueKind::source, 0})]);
  place[of({ValueKind::constant, 0})] = keep(&p->constants, used[of({ValueKind::constant, 0})]);
  place[instructions] = keep(&p->instructions, used[instructions]);
  const auto rename = [&](Value* v) {
    if (v->valid()) v->index = place[of(*v)][static_cast<std::size_t>(v->index)];
  };
  for (Instruction& i : p->instructions)
    for (Value& v : i.operands) rename(&v);
  for (Store& s : p->stores) rename(&s.value);
  if (p->reduction) rename(&p->reduction->value);
}

std::optional<Program> combined(const Program& p) {
  if (p.instructions.size() < 2) return std::nullopt;
  const Pairs pairs(p);
  std::optional<Program> shorter;
  for (std::size_t i = 1; i < p.instructions.size(); ++i) {
    const Program& now = shorter ? *shorter : p;
    Instruction made = now.instructions[i];
    if (!wrap(now, &made) && !pairs.pair(now, &made)) continue;
    if (!shorter) shorter = p;
    shorter->instructions[i] = made;
  }
  if (shorter) drop_unused(&*shorter);
  return shorter;
}

}  // namespace cotan::kernel
