#include "kernel/signs.h"

#include <algorithm>
#include <string_view>

namespace cotan::kernel {

namespace {

bool is_op(const Instruction& i, std::string_view name) { return i.op != nullptr && i.op->name == name; }
bool is_negation(const Instruction& i) { return is_op(i, "neg") && is_floating(i.type); }

class Signs {
 public:
  explicit Signs(const Program& p) : p_(p), uses_(p.instructions.size()), now_(p.instructions.size()) {
    const auto use = [&](Value v) {
      if (v.valid() && v.kind == ValueKind::instruction) ++uses_[static_cast<std::size_t>(v.index)];
    };
    for (const Instruction& i : p.instructions) std::for_each(i.operands.begin(), i.operands.end(), use);
    for (const Store& s : p.stores) use(s.value);
    if (p.reduction) use(p.reduction->value);
  }

  Program run() {
    for (std::size_t i = 0; i < p_.instructions.size(); ++i) now_[i] = moved(p_.instructions[i]);
    Program out = p_;
    for (Store& s : out.stores) s.value = plain(s.value);
    if (out.reduction) out.reduction->value = plain(out.reduction->value);
    out.instructions = std::move(made_);
    return out;
  }

 private:
  struct Signed {
    Value value;
    bool negative = false;  // the value is to be negated
    Value negated = {};     // where that has been done
  };

  Signed signed_value(Value v) const {
    return v.valid() && v.kind == ValueKind::instruction ? now_[static_cast<std::size_t>(v.index)] : Signed{v};
  }
  Value make(Instruction i) {
    made_.push_back(i);
    return {ValueKind::instruction, static_cast<std::int32_t>(made_.size()) - 1};
  }
  Value plain(Value v) {
    if (!v.valid() || v.kind != ValueKind::instruction) return v;
    Signed& s = now_[static_cast<std::size_t>(v.index)];
    if (!s.negative) return s.value;
    if (!s.negated.valid()) {
      const DType d = p_.instructions[static_cast<std::size_t>(v.index)].result;
      s.negated = make({tiles().find("neg"), d, d, {s.value}});
    }
    return s.negated;
  }
  // Whether the sign may go on to a product: nothing else asks for it.
  bool goes_on(Value v) const {
    const Signed s = signed_value(v);
    return s.negative && uses_[static_cast<std::size_t>(v.index)] == 1 && !s.negated.valid();
  }

  Signed moved(Instruction i) {
    if (is_negation(i)) {
      Signed s = signed_value(i.operands[0]);
      return {s.value, !s.negative};
    }
    if (is_floating(i.type)) {
      if (is_op(i, "mul") || is_op(i, "div")) return product(i);
      if (is_op(i, "add") || is_op(i, "sub")) return {sum(i)};
    }
    for (Value& v : i.operands) v = plain(v);
    return {make(i)};
  }

  Signed product(Instruction i) {
    bool negative = false;
    const bool both = i.operands[0] == i.operands[1];
    for (Value& v : i.operands) {
      const bool on = v.valid() && (both ? signed_value(v).negative : goes_on(v));
      negative ^= on;
      v = on ? signed_value(v).value : plain(v);
    }
    return {make(i), negative};
  }

  // A sum of two that are to be negated is not the negated sum where it is 0: one is negated.
  Value sum(Instruction i) {
    Signed x = signed_value(i.operands[0]), y = signed_value(i.operands[1]);
    bool plus = is_op(i, "add");
    if (y.negative) plus = !plus, i.operands[1] = y.value;
    else i.operands[1] = plain(i.operands[1]);
    if (x.negative && plus) std::swap(i.operands[0], i.operands[1]), i.operands[1] = x.value, plus = false;
    else i.operands[0] = plain(i.operands[0]);
    i.op = tiles().find(plus ? "add" : "sub");
    return make(i);
  }

  const Program& p_;
  std::vector<int> uses_;
  std::vector<Signed> now_;
  std::vector<Instruction> made_;
};

}  // namespace

std::optional<Program> signs_moved(const Program& p) {
  if (std::none_of(p.instructions.begin(), p.instructions.end(), is_negation)) return std::nullopt;
  for (const char* needed : {"add", "sub"})
    if (const TileOp* op = tiles().find(needed); !op || !op->fn[static_cast<int>(DType::float32)]) return std::nullopt;
  return Signs(p).run();
}

}  // namespace cotan::kernel
