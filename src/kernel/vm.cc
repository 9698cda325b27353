#include "kernel/vm.h"

#include <cstdlib>
#include <new>

#include "base/interrupt.h"
#include "kernel/tile_run.h"

namespace cotan::kernel {

namespace {

class Scratch {
 public:
  ~Scratch() { std::free(data_); }
  char* get(std::size_t bytes) {
    if (bytes > size_) grow(bytes);
    return data_;
  }

 private:
  void grow(std::size_t bytes) {
    std::free(data_);
    size_ = 0;
    data_ = static_cast<char*>(std::aligned_alloc(4096, (bytes + 4095) & ~std::size_t{4095}));
    if (data_ == nullptr) throw std::bad_alloc();
    size_ = bytes;
  }
  char* data_ = nullptr;
  std::size_t size_ = 0;
};
thread_local Scratch scratch_memory;

// Maps are cut at units of a row of tiles: a tile, or a part of one that is all of a long row.
constexpr std::int64_t longest_unit = 4096;
std::int64_t unit_of(const Lowered& l) { return std::min(l.tile_length, longest_unit); }

class MapRun : public TileRun {
 public:
  using TileRun::TileRun;

  static std::int64_t units(const Lowered& l) { return l.outer_count * pieces(l.tile_size, unit_of(l)); }

  void map(std::int64_t first, std::int64_t last) {
    const std::int64_t unit = unit_of(l_), per_row = pieces(l_.tile_size, unit), length = l_.tile_length;
    unsigned tiles = 0;
    go_to(l_.outer, first / per_row);
    for (std::int64_t begin = first % per_row; first < last; begin = 0, next(l_.outer, l_.outer_strides, outer_)) {
      fill_splats();
      const std::int64_t count = std::min(per_row - begin, last - first),
                         end = std::min(l_.tile_size, (begin + count) * unit);
      for (std::int64_t t = begin * unit; t < end; t += length) {
        if (++tiles % 256 == 0) poll_interrupt();
        map_tile(t, std::min(length, end - t));
      }
      first += count;
    }
  }

  // As map, with the innermost outer loop in blocks: the panels of a block of rows and a tile, which are a unit, are transposed
  // once and then read row by row.
  static std::int64_t panel_units(const Lowered& l) {
    const std::int64_t rows = l.outer[l.outer.length() - 1];
    return l.outer_count / rows * pieces(rows, l.panel_rows) * pieces(l.tile_size, l.tile_length);
  }

  void map_panels(std::int64_t first, std::int64_t last) {
    const int inner = l_.outer.length() - 1;
    const std::int64_t rows = l_.outer[inner], blocks = pieces(rows, l_.panel_rows),
                       tiles = pieces(l_.tile_size, l_.tile_length);
    Dims rest = l_.outer;
    rest.erase(inner);
    const std::int64_t* row_strides = l_.outer_strides.data() + inner * l_.access_count();
    for (std::int64_t unit = first; unit < last; ++unit) {
      if (unit % 32 == 0) poll_interrupt();
      const std::int64_t t = unit % tiles * l_.tile_length, n = std::min(l_.tile_length, l_.tile_size - t),
                         r = unit / tiles % blocks * l_.panel_rows, block = std::min(l_.panel_rows, rows - r);
      if (unit == first || (t == 0 && r == 0)) go_to(rest, unit / tiles / blocks);
      move(row_strides, r);
      fill_panels(t, n, block);
      for (panel_row_ = 0; panel_row_ < block; ++panel_row_, move(row_strides, 1)) {
        fill_splats();
        map_tile(t, n);
      }
      move(row_strides, -r - block);
    }
  }

 private:
  void map_tile(std::int64_t t, std::int64_t n) {
    load(t, n);
    const std::size_t first = l_.sources.size();
    for (std::size_t k = 0; k < l_.stores.size(); ++k) {
      const StoreAccess& s = l_.stores[k];
      if (!s.copied) p_[s.access.reg] = place(s.access, first + k) + t * s.access.item;
    }
    execute(n);
    for (std::size_t k = 0; k < l_.stores.size(); ++k) {
      const StoreAccess& s = l_.stores[k];
      if (s.copied) scatter(s.access, first + k, t, n, p_[s.from], s.from_step);
    }
  }
};

void run_map(const Lowered& l, void* const* buffers) {
  if (l.panel_rows > 1)
    cut(l, MapRun::panel_units(l), [&](auto first, auto last) { MapRun(l, buffers).map_panels(first, last); });
  else cut(l, MapRun::units(l), [&](auto first, auto last) { MapRun(l, buffers).map(first, last); });
}

void run_copy(const Lowered& l, void* const* buffers) {
  const Access& from = l.sources[l.copied_source];
  const Access& to = l.stores[0].access;
  const auto place = [&](const Access& a) {
    return static_cast<char*>(buffers[a.buffer]) + (a.offset + started(a.starts, buffers)) * a.item;
  };
  const char* const src = place(from);
  char* const dst = place(to);
  if (src == dst) return;  // in place: nothing moves
  copy_nd(dst, l.copy_to.data(), src, l.copy_from.data(), l.copy_extents.data(), l.copy_extents.length(), to.item);
}

void run_identity(const Lowered& l, void* const* buffers) {
  alignas(16) char element[16] = {};
  const Access& to = l.stores[0].access;
  if (!l.arg) reduction_identity(l.combiner, l.result, element);
  char* dst = static_cast<char*>(buffers[to.buffer]) + to.offset * to.item;
  copy_nd(dst, l.copy_to.data(), element, l.copy_from.data(), l.copy_extents.data(), l.copy_extents.length(), to.item);
}

}  // namespace

char* thread_scratch(std::size_t bytes) { return scratch_memory.get(bytes); }

PreparedProgram::PreparedProgram() : lowered_(std::make_unique<Lowered>()) {}
PreparedProgram::PreparedProgram(const Program& p) : lowered_(std::make_unique<Lowered>(lower(p))) {}
PreparedProgram::PreparedProgram(PreparedProgram&&) noexcept = default;
PreparedProgram& PreparedProgram::operator=(PreparedProgram&&) noexcept = default;
PreparedProgram::~PreparedProgram() = default;

void PreparedProgram::run(void* const* buffers) const {
  const Lowered& l = *lowered_;
  switch (l.scheme) {
    case Scheme::nothing: return;
    case Scheme::copy: return run_copy(l, buffers);
    case Scheme::identity: return run_identity(l, buffers);
    case Scheme::map: return run_map(l, buffers);
    case Scheme::rows: return run_rows(l, buffers);
    case Scheme::columns: return run_columns(l, buffers);
  }
}

void run(const Program& p, void* const* buffers) { PreparedProgram(p).run(buffers); }

namespace {

// From so many elements on, some operations are worth a second thread.
constexpr std::size_t least_cut = 4096;

[[gnu::noinline]] void cut_elementwise(const Ins& ins, void* const* regs, const std::uint8_t* items, std::int64_t n) {
  constexpr std::int64_t grain = 1024, certain = 1 << 18;  // elements
  const auto run = [&](std::int64_t first, std::int64_t last) {
    const std::uint8_t steps[4] = {1, ins.step_a, ins.step_b, ins.step_c};
    void* at[4];
    for (int k = 0; k < 4; ++k) at[k] = static_cast<char*>(regs[k]) + (steps[k] != 0 ? first * items[k] : 0);
    ins.fn(at, &ins, static_cast<std::size_t>(last - first));
  };
  if (n >= certain) parallel_ranges(n, grain, 0.1 * static_cast<double>(n), run);
  else parallel_ranges_timed(n, grain, run);
}

}  // namespace

void run_elementwise(TileFn fn, std::size_t n, void* dst, std::uint8_t dst_item, const ElementwiseOperand* operands,
                     int count, std::uint32_t aux) {
  if (n == 0) return;
  alignas(64) char splats[3][64];
  void* regs[4] = {dst, nullptr, nullptr, nullptr};
  std::uint8_t items[4] = {dst_item, 0, 0, 0};
  Ins ins{fn, 0, 1, 2, 3, 1, 1, 1, 0, aux};
  std::uint8_t* const steps[3] = {&ins.step_a, &ins.step_b, &ins.step_c};
  for (int k = 0; k < count; ++k) {
    regs[k + 1] = const_cast<void*>(operands[k].data);
    items[k + 1] = operands[k].item;
    if (!operands[k].scalar) continue;
    splat(splats[k], operands[k].data, operands[k].item);
    regs[k + 1] = splats[k];
    *steps[k] = 0;
  }
  if (n >= least_cut) return cut_elementwise(ins, regs, items, static_cast<std::int64_t>(n));
  fn(regs, &ins, n);
}

}  // namespace cotan::kernel
