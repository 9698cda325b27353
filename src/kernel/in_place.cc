// Which steps may write a result over an operand.
#include <algorithm>

#include "kernel/plan.h"

namespace cotan::kernel {

namespace {

bool has(const std::vector<int>& buffers, int b) {
  return std::find(buffers.begin(), buffers.end(), b) != buffers.end();
}

bool starts_there(const Starts& starts, int buffer) {
  return std::any_of(starts.begin(), starts.end(), [&](const Start& t) { return t.buffer == buffer; });
}

// Whether each row of the outermost loop reads its own `bytes` of the buffer only.
bool keeps_to_rows(const Program& p, int buffer, std::int64_t bytes) {
  for (const Store& s : p.stores)
    if (starts_there(s.starts, buffer)) return false;
  for (const Source& s : p.sources) {
    if (starts_there(s.starts, buffer)) return false;
    if (s.kind != SourceKind::memory || s.buffer != buffer) continue;
    const auto item = static_cast<std::int64_t>(item_size(s.dtype));
    std::int64_t low = s.offset, high = s.offset + 1;
    for (int l = 1; l < s.strides.length(); ++l) (s.strides[l] < 0 ? low : high) += s.strides[l] * (p.extents[l] - 1);
    if (!s.starts.empty() || s.strides[0] * item != bytes || low < 0 || high * item > bytes) return false;
  }
  return true;
}
bool keeps_to_rows(const LibraryCall& c, int buffer, std::int64_t) { return !has(reads_of(c), buffer); }

bool writes_over(const Program& p, int to, int from) { return may_alias(p, to, from); }
bool writes_over(const LibraryCall&, int, int) { return false; }
bool writes_over(const EquationCall& c, int to, int from) {
  if (std::count(c.inputs.begin(), c.inputs.end(), from) != 1) return false;
  return std::any_of(c.aliases.begin(), c.aliases.end(), [&](const Alias& a) {
    return c.outputs[static_cast<std::size_t>(a.output)] == to && c.inputs[static_cast<std::size_t>(a.input)] == from;
  });
}

// Rows keep to themselves, and within a block one program follows the other: what has been read may be written over.
bool writes_over(const Blocks& c, int to, int from) {
  const auto row = [&](int b) {
    const auto it =
        std::find_if(c.buffers.begin(), c.buffers.end(), [&](const Blocks::Row& r) { return r.buffer == b; });
    return it == c.buffers.end() || it->local ? std::int64_t{0} : it->bytes;
  };
  const std::int64_t bytes = row(to);
  if (bytes == 0 || row(from) != bytes) return false;
  bool written = false;
  for (const auto& part : c.steps) {
    if (!std::visit([&](const auto& s) { return keeps_to_rows(s, from, bytes); }, part)) return false;
    const Step step = std::visit([](const auto& s) { return Step(s); }, part);
    const bool now = has(writes_of(step), to);
    if (has(reads_of(step), from) && (written || (now && !may_write_over(step, to, from)))) return false;
    written |= now;
  }
  return true;
}

}  // namespace

bool may_write_over(const Step& step, int to, int from) {
  return std::visit([&](const auto& s) { return writes_over(s, to, from); }, step);
}

}  // namespace cotan::kernel
