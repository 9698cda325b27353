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

class MapRun : public TileRun {
 public:
  using TileRun::TileRun;

  void map() {
    const std::int64_t size = l_.tile_size, length = l_.tile_length;
    unsigned tiles = 0;
    for (std::int64_t o = 0; o < l_.outer_count; ++o, next(l_.outer, l_.outer_strides, outer_))
      for (std::int64_t t = 0; t < size; t += length) {
        if (++tiles % 256 == 0) poll_interrupt();
        map_tile(t, std::min(length, size - t));
      }
  }

  // As map, with the innermost outer loop in blocks: a block's panels are transposed once per tile and then read row by row.
  void map_panels() {
    const int last = l_.outer.length() - 1;
    const std::int64_t rows = l_.outer[last], size = l_.tile_size, length = l_.tile_length;
    Dims rest = l_.outer;
    rest.erase(last);
    const std::int64_t* row_strides = l_.outer_strides.data() + last * l_.access_count();
    for (std::int64_t o = 0; o < l_.outer_count / rows; ++o, next(rest, l_.outer_strides, outer_))
      for (std::int64_t r = 0; r < rows; r += l_.panel_rows) {
        const std::int64_t block = std::min(l_.panel_rows, rows - r);
        for (std::int64_t t = 0; t < size; t += length) {
          const std::int64_t n = std::min(length, size - t);
          move(row_strides, r);
          fill_panels(t, n, block);
          for (panel_row_ = 0; panel_row_ < block; ++panel_row_, move(row_strides, 1)) {
            for (std::size_t i = 0; i < l_.sources.size(); ++i)
              if (l_.sources[i].reach == Reach::splat) fill_splat(i);
            map_tile(t, n);
          }
          move(row_strides, -r - block);
        }
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

void run_copy(const Lowered& l, void* const* buffers) {
  const Access& from = l.sources[l.copied_source];
  const Access& to = l.stores[0].access;
  const char* src = static_cast<const char*>(buffers[from.buffer]) + from.offset * from.item;
  char* dst = static_cast<char*>(buffers[to.buffer]) + to.offset * to.item;
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
    case Scheme::map: return l.panel_rows > 1 ? MapRun(l, buffers).map_panels() : MapRun(l, buffers).map();
    case Scheme::rows: return run_rows(l, buffers);
    case Scheme::columns: return run_columns(l, buffers);
  }
}

void run(const Program& p, void* const* buffers) { PreparedProgram(p).run(buffers); }

void run_elementwise(TileFn fn, std::size_t n, void* dst, const ElementwiseOperand* operands, int count,
                     std::uint32_t aux) {
  if (n == 0) return;
  alignas(64) char splats[3][64];
  void* regs[4] = {dst, nullptr, nullptr, nullptr};
  Ins ins{fn, 0, 1, 2, 3, 1, 1, 1, 0, aux};
  std::uint8_t* const steps[3] = {&ins.step_a, &ins.step_b, &ins.step_c};
  for (int k = 0; k < count; ++k) {
    regs[k + 1] = const_cast<void*>(operands[k].data);
    if (!operands[k].scalar) continue;
    splat(splats[k], operands[k].data, operands[k].item);
    regs[k + 1] = splats[k];
    *steps[k] = 0;
  }
  fn(regs, &ins, n);
}

}  // namespace cotan::kernel
