#include "kernel/scalar_program.h"

#include <algorithm>
#include <cstring>

#include "kernel/combine.h"
#include "kernel/starts.h"

namespace cotan::kernel {

bool ScalarProgram::fits(const Program& p) {
  return p.iterations() == 1 && !p.reduction &&
         p.sources.size() + p.constants.size() + p.instructions.size() <= most_registers &&
         std::all_of(p.sources.begin(), p.sources.end(), [](const Source& s) { return s.kind == SourceKind::memory; });
}

ScalarProgram::ScalarProgram(const Program& whole) {
  const std::optional<Program> shorter = combined(whole);
  const Program& p = shorter ? *shorter : whole;
  constants_ = p.constants;
  const auto bytes = [](DType d, std::int64_t n) { return n * static_cast<std::int64_t>(item_size(d)); };
  const auto memory = [&](const auto& access, DType d) {
    Memory m{access.buffer, bytes(d, access.offset), access.starts};
    for (Start& t : m.starts) t.stride = bytes(d, t.stride);
    return m;
  };
  for (const Source& s : p.sources) sources_.push_back(memory(s, s.dtype));
  const auto reg = [&](Value v) {
    std::size_t r = static_cast<std::size_t>(v.index);
    if (v.kind != ValueKind::source) r += p.sources.size();
    if (v.kind == ValueKind::instruction) r += p.constants.size();
    return static_cast<std::uint16_t>(r);
  };
  for (std::size_t i = 0; i < p.instructions.size(); ++i) {
    const Instruction& in = p.instructions[i];
    Ins ins{};
    ins.fn = in.op ? in.op->fn[static_cast<int>(in.type)] : tiles().convert_fn(in.type, in.result);
    ins.dst = reg({ValueKind::instruction, static_cast<std::int32_t>(i)});
    std::uint16_t* const to[3] = {&ins.a, &ins.b, &ins.c};
    for (int k = 0; k < (in.op ? in.op->arity : 1); ++k) *to[k] = reg(in.operands[static_cast<std::size_t>(k)]);
    ins.step_a = ins.step_b = ins.step_c = 1;
    ins.aux = in.aux;
    code_.push_back(ins);
  }
  for (const Store& s : p.stores) {
    const DType d = p.dtype_of(s.value);
    results_.push_back({memory(s, d), reg(s.value), static_cast<std::uint16_t>(item_size(d))});
  }
}

char* ScalarProgram::Memory::in(void* const* buffers) const {
  return static_cast<char*>(buffers[buffer]) + offset + started(starts, buffers);
}

void ScalarProgram::run(void* const* buffers) const {
  void* regs[most_registers];
  alignas(16) std::byte values[most_registers][16];
  std::size_t r = 0;
  for (const Memory& m : sources_) regs[r++] = m.in(buffers);
  for (const Constant& c : constants_) regs[r++] = const_cast<std::byte*>(c.value.data());
  for (std::size_t i = 0; i < code_.size(); ++i) regs[r++] = values[i];
  for (const Ins& i : code_) i.fn(regs, &i, 1);
  for (const Result& s : results_) {
    void* const to = s.to.in(buffers);
    switch (s.bytes) {  // the common sizes inline
      case 4: std::memcpy(to, regs[s.from], 4); break;
      case 8: std::memcpy(to, regs[s.from], 8); break;
      default: std::memcpy(to, regs[s.from], s.bytes);
    }
  }
}

}  // namespace cotan::kernel
