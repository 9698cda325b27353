#include "kernel/vm.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "kernel/copy.h"
#include "kernel/lower.h"
#include "kernel/partial_tree.h"

namespace cotan::kernel {

namespace {

// Scratch memory of this thread; grows to the largest program seen and stays.
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

// One run of a prepared program: registers, and where every access stands (in elements).
class Run {
 public:
  Run(const Lowered& l, void* const* buffers)
      : l_(l), buffers_(buffers), scratch_(scratch_memory.get(l.scratch_bytes)) {
    p_ = reinterpret_cast<void**>(scratch_);
    at_ = reinterpret_cast<std::int64_t*>(p_ + l.reg_count);
    for (int i = 0; i < l.constant_count; ++i)
      p_[l.first_constant_reg + i] = const_cast<std::byte*>(l.constants.data() + l.constants_offset + 64 * i);
    for (const auto& [reg, place] : l.places) p_[reg] = scratch_ + place;
    std::fill_n(outer_, l.outer.length(), 0), std::fill_n(mid_, l.mid.length(), 0);
    std::size_t a = 0;
    for (const Access& s : l.sources) at_[a++] = s.offset;
    for (const StoreAccess& s : l.stores) at_[a++] = s.access.offset;
    for (std::size_t i = 0; i < l.sources.size(); ++i)
      if (l.sources[i].reach == Reach::fixed) fill_splat(i);
  }

  void map() {
    const std::int64_t size = l_.tile_size, length = l_.tile_length;
    for (std::int64_t o = 0; o < l_.outer_count; ++o, next(l_.outer, l_.outer_strides, outer_))
      for (std::int64_t t = 0; t < size; t += length) map_tile(t, std::min(length, size - t));
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

  void rows() {
    if (plain_rows() && l_.tile_size <= leaf_length && !l_.outer.empty() && result_stride() == 1) return short_rows();
    const std::int64_t size = l_.tile_size, length = l_.tile_length;
    const std::size_t result = l_.sources.size();
    for (std::int64_t o = 0; o < l_.outer_count; ++o, next(l_.outer, l_.outer_strides, outer_)) {
      std::int64_t index = 0;
      alignas(16) char value[32];  // the best so far and a new one
      PartialTree partials(l_.reduce.row, l_.partial_item, scratch_ + l_.strips, l_.strip_bytes);
      std::int64_t t = plain_rows() ? whole_leaves(&partials) : 0;
      for (; t < size; t += length) {
        const std::int64_t n = std::min(length, size - t);
        const void* x = value_of_tile(t, n);
        if (l_.arg) arg_leaf(x, t, n, value, &index);
        else leaf(x, n, partials.next());
      }
      void* dst = place(l_.stores[0].access, result);
      if (l_.arg) store_indices(dst, l_.result, &index, 1);
      else finish(dst, partials.total(), 1);
    }
  }

  void columns() {
    const std::int64_t size = l_.tile_size, length = l_.tile_length;
    for (std::int64_t o = 0; o < l_.outer_count; ++o, next(l_.outer, l_.outer_strides, outer_))
      for (std::int64_t t = 0; t < size; t += length) {
        const std::int64_t n = std::min(length, size - t);
        if (l_.arg) arg_columns(t, n);
        else accumulate(t, n);
        write_columns(t, n);
      }
  }

 private:
  // --- Positions ---

  char* place(const Access& a, std::size_t i) const { return static_cast<char*>(buffers_[a.buffer]) + at_[i] * a.item; }

  void move(const std::int64_t* strides, std::int64_t count) {
    for (int a = 0; a < l_.access_count(); ++a) at_[a] += strides[a] * count;
  }

  // Goes to the next index of the loops; after the last one all positions are back at the start.
  void next(const Dims& extents, const std::vector<std::int64_t>& strides, std::int64_t* index) {
    for (int l = extents.length() - 1; l >= 0; --l) {
      const std::int64_t* row = strides.data() + l * l_.access_count();
      if (++index[l] < extents[l]) return move(row, 1);
      index[l] = 0;
      move(row, 1 - extents[l]);
    }
  }

  // Calls run(offset along memory, elements done before, count) for each run of the innermost tile loop in [t, t + n).
  template <class F> void walk(const Access& a, std::int64_t t, std::int64_t n, F&& run) const {
    const int loops = l_.tile.length();
    std::int64_t index[max_loops];
    std::int64_t offset = 0, rest = t;
    for (int l = loops - 1; l >= 0; --l)
      index[l] = rest % l_.tile[l], rest /= l_.tile[l], offset += index[l] * a.tile[l];
    const int inner = loops - 1;
    for (std::int64_t done = 0; done < n;) {
      const std::int64_t count = std::min(n - done, l_.tile[inner] - index[inner]);
      run(offset, done, count);
      done += count;
      offset += count * a.tile[inner];
      index[inner] += count;
      for (int l = inner; l > 0 && index[l] == l_.tile[l]; --l) {
        offset += a.tile[l - 1] - a.tile[l] * l_.tile[l];
        index[l] = 0, ++index[l - 1];
      }
    }
  }

  // --- Tiles ---

  void fill_splat(std::size_t i) {
    const Access& a = l_.sources[i];
    alignas(16) char element[16];
    const void* from = element;
    if (a.kind == SourceKind::iota) fill_ramp(element, a.dtype, at_[i], 0, 1);
    else from = place(a, i);
    splat(p_[a.reg], from, a.item);
  }

  void fill_panels(std::int64_t t, std::int64_t n, std::int64_t rows) {
    for (std::size_t i = 0; i < l_.sources.size(); ++i) {
      const Access& a = l_.sources[i];
      if (a.reach == Reach::panel)
        transpose_2d(scratch_ + a.scratch, l_.tile_length, place(a, i) + t * a.step * a.item, a.step, rows, n, a.item);
    }
  }

  void gather(const Access& a, std::size_t i, std::int64_t t, std::int64_t n) {
    char* const to = static_cast<char*>(p_[a.reg]);
    if (a.kind == SourceKind::iota) {
      if (a.reach == Reach::strided) return fill_ramp(to, a.dtype, at_[i] + t * a.step, a.step, n);
      return walk(a, t, n, [&](std::int64_t offset, std::int64_t done, std::int64_t count) {
        fill_ramp(to + done * a.item, a.dtype, at_[i] + offset, a.tile.back(), count);
      });
    }
    const char* const from = place(a, i);
    if (a.reach == Reach::strided) return copy_run(to, 1, from + t * a.step * a.item, a.step, n, a.item);
    walk(a, t, n, [&](std::int64_t offset, std::int64_t done, std::int64_t count) {
      copy_run(to + done * a.item, 1, from + offset * a.item, a.tile.back(), count, a.item);
    });
  }

  void load(std::int64_t t, std::int64_t n) {
    for (std::size_t i = 0; i < l_.sources.size(); ++i) {
      const Access& a = l_.sources[i];
      switch (a.reach) {
        case Reach::direct: p_[a.reg] = place(a, i) + t * a.item; break;
        case Reach::panel: p_[a.reg] = scratch_ + a.scratch + panel_row_ * l_.tile_length * a.item; break;
        case Reach::splat:
          if (t == 0 || l_.scheme == Scheme::columns) fill_splat(i);
          break;
        case Reach::fixed: break;
        default: gather(a, i, t, n);
      }
    }
  }

  void execute(std::int64_t n) {
    for (const TileInstruction& i : l_.code)
      i.ins.fn(p_, &i.ins, i.uniform != 0 ? i.uniform : static_cast<std::size_t>(n));
  }

  void scatter(const Access& a, std::size_t i, std::int64_t t, std::int64_t n, const void* from, std::int64_t step) {
    char* const to = place(a, i);
    if (a.reach != Reach::nested) return copy_run(to + t * a.step * a.item, a.step, from, step, n, a.item);
    walk(a, t, n, [&](std::int64_t offset, std::int64_t done, std::int64_t count) {
      copy_run(to + offset * a.item, a.tile.back(), static_cast<const char*>(from) + done * step * a.item, step, count,
               a.item);
    });
  }

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

  // The value to be reduced.
  const void* value_of_tile(std::int64_t t, std::int64_t n) {
    load(t, n);
    execute(n);
    if (!l_.reduced_splat) return p_[l_.reduced_reg];
    copy_run(p_[l_.expanded_reg], 1, p_[l_.reduced_reg], 0, n, static_cast<int>(item_size(l_.value_type)));
    return p_[l_.expanded_reg];
  }

  // --- Reductions by rows ---

  // Whether the value is read from contiguous memory as it is, and many rows of it can be reduced in one call.
  bool plain_rows() const {
    return l_.reduce.rows.each != nullptr && l_.code.empty() && l_.sources.size() == 1 &&
           l_.sources[0].reach == Reach::direct;
  }
  std::int64_t inner_stride(std::size_t access) const {
    return l_.outer_strides[static_cast<std::size_t>((l_.outer.length() - 1) * l_.access_count()) + access];
  }
  std::int64_t result_stride() const { return inner_stride(l_.sources.size()); }

  // Rows of one leaf each: those of the innermost outer loop in one call.
  void short_rows() {
    const int last = l_.outer.length() - 1;
    const auto rows = static_cast<std::size_t>(l_.outer[last]), n = static_cast<std::size_t>(l_.tile_size);
    Dims rest = l_.outer;
    rest.erase(last);
    for (std::int64_t o = 0; o < l_.outer_count / l_.outer[last]; ++o, next(rest, l_.outer_strides, outer_))
      l_.reduce.rows.each(place(l_.stores[0].access, l_.sources.size()), place(l_.sources[0], 0), n, rows,
                          inner_stride(0));
  }

  // The whole leaves of one row; returns how many elements they are.
  std::int64_t whole_leaves(PartialTree* partials) {
    std::int64_t t = 0;
    for (std::int64_t left = l_.tile_size / leaf_length; left > 0;) {
      std::int64_t count = left;
      void* const to = partials->next(&count);
      const char* const x = place(l_.sources[0], 0) + t * l_.sources[0].item;
      l_.reduce.rows.each(to, x, leaf_length, static_cast<std::size_t>(count), leaf_length);
      t += count * leaf_length, left -= count;
    }
    return t;
  }

  void leaf(const void* x, std::int64_t n, void* to) {
    if (l_.reduce.widen != nullptr) {
      call_tile(l_.reduce.widen, scratch_ + l_.widened, x, nullptr, static_cast<std::size_t>(n));
      x = scratch_ + l_.widened;
    }
    call_tile(l_.reduce.row, to, x, nullptr, static_cast<std::size_t>(n));
  }

  // The best of this leaf against the best so far: the row function over the two.
  void arg_leaf(const void* x, std::int64_t t, std::int64_t n, char* value, std::int64_t* index) {
    const std::size_t item = item_size(l_.value_type);
    std::int64_t at = 0, winner = 1;
    call_tile(l_.reduce_arg.row, &at, x, nullptr, static_cast<std::size_t>(n));
    std::memcpy(value + item, static_cast<const char*>(x) + static_cast<std::size_t>(at) * item, item);
    if (t > 0) call_tile(l_.reduce_arg.row, &winner, value, nullptr, 2);
    if (winner == 0) return;
    std::memcpy(value, value + item, item);
    *index = t + at;
  }

  void finish(void* dst, const void* partials, std::int64_t n) {
    if (l_.reduce.narrow != nullptr) call_tile(l_.reduce.narrow, dst, partials, nullptr, static_cast<std::size_t>(n));
    else std::memcpy(dst, partials, static_cast<std::size_t>(n) * l_.partial_item);
  }

  // --- Reductions by columns ---

  char* strip(int i) const { return scratch_ + l_.strips + static_cast<std::size_t>(i) * l_.strip_bytes; }

  bool plain_columns() const {
    return l_.reduce.rows.fold != nullptr && l_.code.empty() && l_.sources.size() == 1 &&
           l_.sources[0].reach == Reach::direct && l_.mid.length() == 1;
  }

  // As accumulate, for values that are read as they are: the rows of a chunk in one call.
  void fold_columns(std::int64_t t, std::int64_t n) {
    const std::int64_t chunk = column_chunk(l_.mid_count), stride = l_.mid_strides[0];
    const auto count = static_cast<std::size_t>(n);
    const Reducer& r = l_.reduce;
    alignas(64) static constexpr char zero[64] = {};
    const char* x = place(l_.sources[0], 0) + t * l_.sources[0].item;
    for (std::int64_t m = 0; m < l_.mid_count; m += chunk) {
      const std::int64_t rows = std::min(chunk, l_.mid_count - m);
      char* const part = strip(m == 0 ? 0 : 1);
      if (r.from_zero && l_.mid_count > 1) call_tile(r.combine, part, zero, x, count, 0);
      else std::memcpy(part, x, count * l_.partial_item);
      x += stride * l_.sources[0].item;
      if (rows > 1) r.rows.fold(part, x, count, static_cast<std::size_t>(rows - 1), stride);
      x += (rows - 1) * stride * l_.sources[0].item;
      if (m > 0) call_tile(r.combine, strip(0), strip(0), part, count);
    }
  }

  // By columns: the row of the panels that the innermost mid loop is at, after filling them where a block starts.
  void to_panel_row(std::int64_t t, std::int64_t n) {
    if (l_.panel_rows == 1) return;
    const int last = l_.mid.length() - 1;
    panel_row_ = mid_[last] % l_.panel_rows;
    if (panel_row_ == 0) fill_panels(t, n, std::min(l_.panel_rows, l_.mid[last] - mid_[last]));
  }

  void accumulate(std::int64_t t, std::int64_t n) {
    if (plain_columns()) return fold_columns(t, n);
    const std::int64_t chunk = column_chunk(l_.mid_count);
    const auto count = static_cast<std::size_t>(n);
    const Reducer& r = l_.reduce;
    alignas(64) static constexpr char zero[64] = {};
    for (std::int64_t m = 0; m < l_.mid_count; ++m, next(l_.mid, l_.mid_strides, mid_)) {
      to_panel_row(t, n);
      const void* x = value_of_tile(t, n);
      char* const part = strip(m < chunk ? 0 : 1);
      if (r.widen != nullptr) {
        call_tile(r.widen, strip(3), x, nullptr, count);
        x = strip(3);
      }
      if (m % chunk != 0) call_tile(r.combine, part, part, x, count);
      else if (r.from_zero && l_.mid_count > 1) call_tile(r.combine, part, zero, x, count, 0);
      else std::memcpy(part, x, count * l_.partial_item);
      if (m >= chunk && ((m + 1) % chunk == 0 || m + 1 == l_.mid_count))
        call_tile(r.combine, strip(0), strip(0), part, count);
    }
  }

  void arg_columns(std::int64_t t, std::int64_t n) {
    for (std::int64_t m = 0; m < l_.mid_count; ++m, next(l_.mid, l_.mid_strides, mid_)) {
      to_panel_row(t, n);
      const void* x = value_of_tile(t, n);
      l_.reduce_arg.accumulate(strip(0), reinterpret_cast<std::int64_t*>(strip(1)), x, m, m == 0,
                               static_cast<std::size_t>(n));
    }
  }

  void write_columns(std::int64_t t, std::int64_t n) {
    const Access& a = l_.stores[0].access;
    const bool in_place = a.reach == Reach::direct;
    void* const to = in_place ? place(a, l_.sources.size()) + t * a.item : strip(2);
    if (l_.arg) store_indices(to, l_.result, reinterpret_cast<std::int64_t*>(strip(1)), static_cast<std::size_t>(n));
    else finish(to, strip(0), n);
    if (!in_place) scatter(a, l_.sources.size(), t, n, to, 1);
  }

  const Lowered& l_;
  void* const* const buffers_;
  char* const scratch_;
  void** p_;
  std::int64_t* at_;
  std::int64_t panel_row_ = 0;
  std::int64_t outer_[max_loops], mid_[max_loops];  // the current indices
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
    case Scheme::map: return l.panel_rows > 1 ? Run(l, buffers).map_panels() : Run(l, buffers).map();
    case Scheme::rows: return Run(l, buffers).rows();
    case Scheme::columns: return Run(l, buffers).columns();
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
