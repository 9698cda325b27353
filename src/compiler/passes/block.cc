#include "compiler/passes/block.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "kernel/library_params.h"
#include "kernel/loop_groups.h"
#include "kernel/loops.h"

namespace cotan {

namespace {

using kernel::Blocks;
using kernel::Dims;
using kernel::IndexedParams;
using kernel::Program;
using kernel::SourceKind;

constexpr std::int64_t cache_bytes = 128 << 10;       // of one block: half of what a core has
constexpr std::int64_t worthwhile_bytes = 256 << 10;  // handed from step to step
constexpr std::int64_t least_row_bytes = 64;

// The program with `rows` iterations of its outermost loop; none where it cannot be, or where that loop is reduced.
std::optional<Program> over_rows(const Program& p, std::int64_t rows) {
  if (p.extents.contains(0) || p.iterations() % rows != 0) return std::nullopt;
  const std::int64_t inner = p.iterations() / rows;
  const auto split = kernel::common_split(p.extents, inner == 1 ? Dims{rows} : Dims{rows, inner});
  if (!split) return std::nullopt;
  std::optional<Program> r = p;
  kernel::split_loops(&*r, *split);
  int count = 0;
  for (std::int64_t n = 1; n < rows; ++count) n *= (*split)[count];
  if (!kernel::merge_leading_loops(&*r, count)) return std::nullopt;
  return r;
}

// The same of a gather: its batch loops are the outer ones.
std::optional<IndexedParams> over_rows(IndexedParams p, std::int64_t rows) {
  int count = 0;
  for (std::int64_t n = 1; n != rows || count == 0; ++count) {
    if (count == p.batch.length() || p.batch[count] == 0 || n > rows) return std::nullopt;
    n *= p.batch[count];
  }
  for (IntList* strides : {&p.batch_windows, &p.batch_indices, &p.batch_array})
    for (int l = 0; l + 1 < count; ++l) {
      if ((*strides)[0] != (*strides)[1] * p.batch[l + 1]) return std::nullopt;
      strides->erase(0);
    }
  for (int l = 0; l + 1 < count; ++l) p.batch.erase(0);
  p.batch[0] = rows;
  return p;
}

// How a buffer is used by the steps of a group.
struct Use {
  std::int64_t row = 0;            // bytes from one row to the next
  std::int64_t low = 0, high = 0;  // bytes that a row reaches, from its start
  bool written = false, read = false;
};

class Group {
 public:
  explicit Group(std::int64_t rows) : rows_(rows) {}
  std::int64_t rows() const { return rows_; }
  std::size_t size() const { return steps_.size(); }

  // False, and nothing is added, where the step does not go with the others.
  bool add(const kernel::Step& step) {
    if (const auto* p = std::get_if<Program>(&step)) return add(*p);
    const auto* call = std::get_if<kernel::LibraryCall>(&step);
    return call && call->op == kernel::LibraryOp::gather && add(*call);
  }

  std::int64_t handed_bytes() const {
    std::int64_t n = 0;
    for (const auto& [b, u] : uses_)
      if (u.read && u.written) n += u.row * rows_;
    return n;
  }

  // `local(b)`: whether no other step uses the buffer.
  template <class F> Blocks blocks(F local) {
    Blocks c;
    c.rows = rows_;
    std::int64_t row_bytes = 0;
    for (const auto& [b, u] : uses_) row_bytes += u.row;
    c.block = std::clamp<std::int64_t>(cache_bytes / std::max<std::int64_t>(row_bytes, 1), 1, rows_);
    for (auto& step : steps_) std::visit([&](auto& x) { set_rows(&x, c.block); }, step);
    c.steps = std::move(steps_);
    for (const auto& [b, u] : uses_)
      if (u.row != 0) c.buffers.push_back({b, u.row, u.written && local(b)});
    std::sort(c.buffers.begin(), c.buffers.end(),
              [](const Blocks::Row& x, const Blocks::Row& y) { return x.buffer < y.buffer; });
    return c;
  }

 private:
  using Uses = std::unordered_map<int, Use>;
  bool is_written(int buffer) const {
    const auto it = uses_.find(buffer);
    return it != uses_.end() && it->second.written;
  }

  bool add(const Program& program) {
    std::optional<Program> p = over_rows(program, rows_);
    if (!p) return false;
    Uses uses = uses_;
    bool handed = steps_.empty();
    for (const kernel::Source& s : p->sources) {
      if (s.kind != SourceKind::memory) {
        if (s.strides[0] != 0) return false;  // an index of the row: blocks start at 0
        continue;
      }
      handed |= is_written(s.buffer);
      if (!use(&uses, *p, s.buffer, s.dtype, s.offset, s.strides, false, s.starts)) return false;
    }
    for (const kernel::Store& s : p->stores)
      if (!use(&uses, *p, s.buffer, p->dtype_of(s.value), s.offset, s.strides, true, s.starts)) return false;
    if (p->reduction) {
      const kernel::Reduction& r = *p->reduction;
      Dims strides = r.strides;
      for (int l : r.loops) strides[l] = 0;
      if (!use(&uses, *p, r.buffer, r.result, r.offset, strides, true)) return false;
    }
    if (!handed) return false;
    uses_ = std::move(uses);
    if (p->reduction) p->reduction->order = kernel::order_of(*p);  // of the whole, not of a block
    steps_.emplace_back(std::move(*p));
    return true;
  }

  bool add(kernel::LibraryCall gather) {
    const std::optional<IndexedParams> p = over_rows(IndexedParams::decode(gather.params), rows_);
    if (!p) return false;
    const kernel::BufferRef &array = gather.inputs[0], &indices = gather.inputs[1], &out = gather.outputs[0];
    const auto reach = [&](const IntList& batch, const IntList* window) {  // of a row, in elements
      std::int64_t n = 1;
      for (int l = 1; l < batch.length(); ++l) n += batch[l] * (p->batch[l] - 1);
      for (int l = 0; window && l < window->length(); ++l) n += (*window)[l] * (p->window[l] - 1);
      return n;
    };
    std::int64_t of_array = reach(p->batch_array, &p->window_array);
    for (int k = 0; k < p->component_stride.length(); ++k) of_array += p->component_stride[k] * p->component_limit[k];
    const std::int64_t of_indices = reach(p->batch_indices, nullptr) + p->component_stride.length() - 1;
    Uses uses = uses_;
    if (!(steps_.empty() || is_written(array.buffer) || is_written(indices.buffer)) ||
        !note(&uses, array, p->batch_array[0], of_array, false) ||
        !note(&uses, indices, p->batch_indices[0], of_indices, false) ||
        !note(&uses, out, p->batch_windows[0], reach(p->batch_windows, &p->window_windows), true))
      return false;
    uses_ = std::move(uses);
    gather.params = p->encode();
    steps_.emplace_back(std::move(gather));
    return true;
  }

  static void set_rows(Program* p, std::int64_t rows) { p->extents[0] = rows; }
  static void set_rows(kernel::LibraryCall* gather, std::int64_t rows) {
    auto p = IndexedParams::decode(gather->params);
    p.batch[0] = rows;
    gather->params = p.encode();
  }

  // Notes an access; false where rows do not keep to themselves.
  static bool use(Uses* uses, const Program& p, int buffer, DType d, std::int64_t offset, const Dims& strides,
                  bool writes, const kernel::Starts& starts = {}) {
    for (const kernel::Start& t : starts)
      if (!use(uses, p, t.buffer, t.dtype, 0, Dims::filled(strides.length(), 0), false)) return false;
    const auto item = static_cast<std::int64_t>(item_size(d));
    Use u{strides[0] * item, offset * item, (offset + 1) * item, writes, !writes};
    for (int l = 1; l < strides.length(); ++l)
      (strides[l] < 0 ? u.low : u.high) += strides[l] * (p.extents[l] - 1) * item;
    for (const kernel::Start& t : starts) (t.stride < 0 ? u.low : u.high) += t.stride * t.limit * item;
    return note(uses, buffer, u);
  }
  // `row`, `reach`: in elements.
  static bool note(Uses* uses, const kernel::BufferRef& r, std::int64_t row, std::int64_t reach, bool writes) {
    const auto item = static_cast<std::int64_t>(item_size(r.dtype));
    return note(uses, r.buffer, {row * item, r.offset * item, (r.offset + reach) * item, writes, !writes});
  }
  static bool note(Uses* uses, int buffer, const Use& u) {
    const auto [it, fresh] = uses->try_emplace(buffer, u);
    Use& all = it->second;
    if (!fresh) {
      if (all.row != u.row) return false;
      all.low = std::min(all.low, u.low), all.high = std::max(all.high, u.high);
      all.written |= u.written, all.read |= u.read;
    }
    if (all.row < 0) return false;
    return !all.written || (all.row > 0 && all.low >= 0 && all.high <= all.row);
  }

  std::int64_t rows_;
  std::vector<std::variant<Program, kernel::LibraryCall>> steps_;
  Uses uses_;
};

class Blocker {
 public:
  explicit Blocker(kernel::Plan plan) : plan_(std::move(plan)) {}

  kernel::Plan run() {
    count();
    for (std::size_t s = 0; s < plan_.steps.size();) {
      const std::size_t taken = try_from(s);
      if (taken == 0) steps_.push_back(std::move(plan_.steps[s++]));
      else s += taken;
    }
    plan_.steps = std::move(steps_);
    return std::move(plan_);
  }

 private:
  void count() {
    uses_.assign(plan_.buffers.size(), 0);
    for (const kernel::Step& s : plan_.steps) {
      for (int b : kernel::reads_of(s)) ++uses_[static_cast<std::size_t>(b)];
      for (int b : kernel::writes_of(s)) ++uses_[static_cast<std::size_t>(b)];
    }
  }

  // The programs from step s on as one step, if that keeps much in cache; returns how many they are.
  std::size_t try_from(std::size_t s) {
    std::optional<Group> best;
    for (std::int64_t rows : row_counts(plan_.steps[s])) {
      Group g(rows);
      for (std::size_t k = s; k < plan_.steps.size() && g.add(plan_.steps[k]);) ++k;
      if (g.size() > std::max<std::size_t>(best ? best->size() : 0, least_steps(s)) &&
          g.handed_bytes() >= worthwhile_bytes)
        best = std::move(g);
    }
    return best ? add(std::move(*best), s) : 0;
  }

  // More than so many: gathered numbers that are read once only may as well go through memory, where rows would fill it.
  std::size_t least_steps(std::size_t s) const {
    const auto* call = std::get_if<kernel::LibraryCall>(&plan_.steps[s]);
    if (!call) return 1;
    const auto window = IndexedParams::decode(call->params).window.product();
    return window * static_cast<std::int64_t>(item_size(call->outputs[0].dtype)) < least_row_bytes ? 2 : 1;
  }

  std::size_t add(Group g, std::size_t s) {
    const std::size_t count = g.size();
    std::unordered_map<int, int> inside;
    for (std::size_t k = s; k < s + count; ++k) {
      for (int b : kernel::reads_of(plan_.steps[k])) ++inside[b];
      for (int b : kernel::writes_of(plan_.steps[k])) ++inside[b];
    }
    Blocks c = g.blocks([&](int b) {
      return plan_.buffers[static_cast<std::size_t>(b)].kind == kernel::BufferKind::temporary &&
             inside[b] == uses_[static_cast<std::size_t>(b)];
    });
    if (c.rows < 2 * c.block) return 0;
    for (const Blocks::Row& r : c.buffers)
      if (r.local) plan_.buffers[static_cast<std::size_t>(r.buffer)].bytes = r.bytes * c.block;
    steps_.emplace_back(std::move(c));
    return count;
  }

  // How the step's iterations may be cut into rows: after its first loop, or its first two, ...; the most rows first.
  static std::vector<std::int64_t> row_counts(const kernel::Step& step) {
    if (const auto* p = std::get_if<Program>(&step)) {
      Dims kept;
      for (int l = 0; l < p->extents.length(); ++l) {
        if (p->reduction && std::count(p->reduction->loops.begin(), p->reduction->loops.end(), l) > 0) break;
        kept.push_back(p->extents[l]);
      }
      return p->iterations() * 8 < worthwhile_bytes ? std::vector<std::int64_t>() : row_counts(kept);
    }
    const auto* call = std::get_if<kernel::LibraryCall>(&step);
    if (!call || call->op != kernel::LibraryOp::gather) return {};
    const auto params = IndexedParams::decode(call->params);
    return params.batch.product() * params.window.product() * 8 < worthwhile_bytes ? std::vector<std::int64_t>()
                                                                                   : row_counts(params.batch);
  }
  static std::vector<std::int64_t> row_counts(const Dims& loops) {
    std::vector<std::int64_t> counts;
    std::int64_t rows = 1;
    for (std::int64_t n : loops) {
      rows *= n;
      if (n > 1) counts.push_back(rows);
    }
    std::reverse(counts.begin(), counts.end());
    return counts;
  }

  kernel::Plan plan_;
  std::vector<int> uses_;  // of each buffer, by steps
  std::vector<kernel::Step> steps_;
};

}  // namespace

kernel::Plan block_rows(kernel::Plan plan) { return Blocker(std::move(plan)).run(); }

}  // namespace cotan
