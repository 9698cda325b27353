#include "compiler/passes/program_parts.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

namespace cotan {

using kernel::Program;
using kernel::Source;
using kernel::SourceKind;
using kernel::Value;
using kernel::ValueKind;

namespace {
std::size_t index(Value v) { return static_cast<std::size_t>(v.index); }
template <class List> Value last_of(ValueKind kind, const List& list) {
  return {kind, static_cast<std::int32_t>(list.size()) - 1};
}
bool same(const Source& a, const Source& b) {
  return a.kind == b.kind && a.buffer == b.buffer && a.dtype == b.dtype && a.offset == b.offset &&
         a.strides == b.strides && a.starts == b.starts;
}
bool is_still(const Source& s) {
  return std::all_of(s.strides.begin(), s.strides.end(), [](std::int64_t n) { return n == 0; });
}
}  // namespace

Cone cone_of(const Program& p, Value v, const std::function<bool(std::int32_t)>& is_cut) {
  Cone cone;
  std::vector<bool> needed(v.kind == ValueKind::instruction ? index(v) + 1 : 0), read(p.sources.size());
  const auto use = [&](Value x) {
    if (!x.valid() || x.kind == ValueKind::constant) return;
    (x.kind == ValueKind::source ? read : needed)[index(x)] = true;
  };
  use(v);
  for (std::size_t i = needed.size(); i-- > 0;) {
    if (!needed[i]) continue;
    const auto at = static_cast<std::int32_t>(i);
    if (at != v.index && is_cut(at)) {
      cone.cuts.push_back(at);
      continue;
    }
    cone.instructions.push_back(at);
    for (Value x : p.instructions[i].operands) use(x);
  }
  std::reverse(cone.instructions.begin(), cone.instructions.end());
  std::reverse(cone.cuts.begin(), cone.cuts.end());
  for (std::size_t i = 0; i < read.size(); ++i)
    if (read[i]) cone.sources.push_back(static_cast<std::int32_t>(i));
  std::vector<bool> moves(needed.size());
  for (std::int32_t at : cone.cuts) moves[static_cast<std::size_t>(at)] = true;
  for (std::int32_t at : cone.instructions) {
    const kernel::Instruction& i = p.instructions[static_cast<std::size_t>(at)];
    for (Value x : i.operands) {
      if (!x.valid() || x.kind == ValueKind::constant) continue;
      if (x.kind == ValueKind::source ? !is_still(p.sources[index(x)]) : moves[index(x)])
        moves[static_cast<std::size_t>(at)] = true;
    }
    if (moves[static_cast<std::size_t>(at)]) cone.weight += i.op ? i.op->weight : 1;
  }
  return cone;
}

Value ProgramParts::source(Source s) {
  for (std::size_t i = 0; i < p_.sources.size(); ++i)
    if (same(p_.sources[i], s)) return {ValueKind::source, static_cast<std::int32_t>(i)};
  p_.sources.push_back(std::move(s));
  return last_of(ValueKind::source, p_.sources);
}

Value ProgramParts::constant(const kernel::Constant& c) {
  for (std::size_t i = 0; i < p_.constants.size(); ++i)
    if (p_.constants[i].dtype == c.dtype && p_.constants[i].value == c.value)
      return {ValueKind::constant, static_cast<std::int32_t>(i)};
  p_.constants.push_back(c);
  return last_of(ValueKind::constant, p_.constants);
}

ProgramParts::Renaming ProgramParts::append(const Program& from, const std::vector<Value>& sources) {
  std::vector<Value> constants;
  for (const kernel::Constant& c : from.constants) constants.push_back(constant(c));
  const auto first = static_cast<std::int32_t>(p_.instructions.size());
  Renaming renamed = [=](Value v) -> Value {
    if (!v.valid()) return v;
    if (v.kind == ValueKind::source) return sources[index(v)];
    if (v.kind == ValueKind::constant) return constants[index(v)];
    return {v.kind, v.index + first};
  };
  for (kernel::Instruction i : from.instructions) {
    for (Value& v : i.operands) v = renamed(v);
    p_.instructions.push_back(i);
  }
  return renamed;
}

template <class F> void ProgramParts::each_value(F f) {
  for (kernel::Instruction& i : p_.instructions)
    for (Value& v : i.operands) f(v);
  for (kernel::Store& s : p_.stores) f(s.value);
  if (p_.reduction) f(p_.reduction->value);
}

Value ProgramParts::prepend(const Program& from, const Cone& cone, Value value,
                            const std::function<Value(const Source&)>& source,
                            const std::function<Value(std::int32_t)>& cut) {
  std::vector<Value> sources(from.sources.size()),
      instructions(value.kind == ValueKind::instruction ? index(value) + 1 : 0);
  for (std::int32_t i : cone.sources)
    sources[static_cast<std::size_t>(i)] = source(from.sources[static_cast<std::size_t>(i)]);
  for (std::int32_t i : cone.cuts) instructions[static_cast<std::size_t>(i)] = cut(i);
  const auto renamed = [&](Value v) -> Value {
    if (!v.valid()) return v;
    if (v.kind == ValueKind::source) return sources[index(v)];
    if (v.kind == ValueKind::constant) return constant(from.constants[index(v)]);
    return instructions[index(v)];
  };
  std::vector<kernel::Instruction> added;
  for (std::int32_t at : cone.instructions) {
    kernel::Instruction i = from.instructions[static_cast<std::size_t>(at)];
    for (Value& v : i.operands) v = renamed(v);
    added.push_back(i);
    instructions[static_cast<std::size_t>(at)] = last_of(ValueKind::instruction, added);
  }
  const auto count = static_cast<std::int32_t>(added.size());
  each_value([&](Value& v) {
    if (v.kind == ValueKind::instruction && v.valid()) v.index += count;
  });
  p_.instructions.insert(p_.instructions.begin(), added.begin(), added.end());
  return renamed(value);
}

void ProgramParts::replace_source(std::size_t i, Value v) {
  const auto gone = static_cast<std::int32_t>(i);
  each_value([&](Value& x) {
    if (!x.valid() || x.kind != ValueKind::source) return;
    if (x.index == gone) x = v;
    if (x.kind == ValueKind::source && x.index > gone) --x.index;
  });
  p_.sources.erase(p_.sources.begin() + static_cast<std::ptrdiff_t>(i));
}

void ProgramParts::merge_sources() {
  for (std::size_t i = p_.sources.size(); i-- > 1;)
    for (std::size_t k = 0; k < i; ++k)
      if (same(p_.sources[i], p_.sources[k])) {
        replace_source(i, {ValueKind::source, static_cast<std::int32_t>(k)});
        break;
      }
}

void ProgramParts::merge_instructions() {
  using Key = std::tuple<const kernel::TileOp*, DType, DType, std::uint32_t, std::array<std::uint64_t, 3>>;
  const auto id = [](Value v) {
    return std::uint64_t{static_cast<std::uint8_t>(v.kind)} << 32 | static_cast<std::uint32_t>(v.index);
  };
  std::map<Key, std::int32_t> first;
  std::vector<std::int32_t> now(p_.instructions.size());
  const auto rename = [&](Value& v) {
    if (v.kind == ValueKind::instruction && v.valid()) v.index = now[index(v)];
  };
  bool changed = false;
  for (std::size_t i = 0; i < now.size(); ++i) {
    kernel::Instruction& in = p_.instructions[i];
    std::for_each(in.operands.begin(), in.operands.end(), rename);
    const auto [it, added] = first.try_emplace(
        {in.op, in.type, in.result, in.aux, {id(in.operands[0]), id(in.operands[1]), id(in.operands[2])}},
        static_cast<std::int32_t>(i));
    now[i] = it->second;
    changed |= !added;
  }
  if (!changed) return;
  for (kernel::Store& s : p_.stores) rename(s.value);
  if (p_.reduction) rename(p_.reduction->value);
}

void take_constants(const kernel::Plan& plan, Program* p) {
  for (std::size_t i = p->sources.size(); i-- > 0;) {
    const Source& s = p->sources[i];
    if (s.kind != SourceKind::memory || s.offset != 0 || !s.starts.empty() || !is_still(s)) continue;
    const kernel::BufferInfo& b = plan.buffers[static_cast<std::size_t>(s.buffer)];
    if (b.kind != kernel::BufferKind::constant) continue;
    ProgramParts parts(p);
    parts.replace_source(i, parts.constant({s.dtype, plan.constants[static_cast<std::size_t>(b.position)]}));
  }
}

}  // namespace cotan
