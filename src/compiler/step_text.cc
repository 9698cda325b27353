#include "compiler/step_text.h"

namespace cotan {

namespace {

using namespace kernel;

std::string text_of(const Program& p) {
  std::string s = '[' + [&] {
    std::string extents;
    for (std::int64_t n : p.extents) extents += (extents.empty() ? "" : ", ") + std::to_string(n);
    return extents;
  }() + ']';
  const char* between = " ";
  for (const Instruction& i : p.instructions) {
    s += between + std::string(i.op ? i.op->name : "convert");
    between = ", ";
  }
  if (p.reduction) return s + " -> " + combiner_name(p.reduction->combiner);
  return p.instructions.empty() ? s + " copy" : s;
}

std::string text_of(const LibraryCall& c) { return library_op_name(c.op); }
std::string text_of(const EquationCall& c) { return c.name; }
std::string text_of(const Blocks& b) {
  std::string s = std::to_string(b.block) + " of " + std::to_string(b.rows) + " rows at a time:";
  for (const auto& part : b.steps) s += ' ' + std::visit([](const auto& x) { return text_of(x); }, part) + ';';
  s.pop_back();
  return s;
}

}  // namespace

std::string step_text(const Step& s) {
  return std::visit([](const auto& x) { return text_of(x); }, s);
}

}  // namespace cotan
