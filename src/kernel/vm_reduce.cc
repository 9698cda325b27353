// Reductions by rows and by columns: see lower.h.
#include "kernel/partial_tree.h"
#include "kernel/reduce.h"
#include "kernel/tile_run.h"

namespace cotan::kernel {

namespace {

class ReduceRun : public TileRun {
 public:
  using TileRun::TileRun;

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

  // Rows of one leaf each: those of the innermost outer loop in one call, or in as many as the memory for wide partials asks for.
  void short_rows() {
    const int last = l_.outer.length() - 1;
    const auto n = static_cast<std::size_t>(l_.tile_size);
    const bool wide = l_.reduce.narrow != nullptr;
    const std::int64_t rows = l_.outer[last], most = wide ? leaf_length : rows, stride = inner_stride(0);
    Dims rest = l_.outer;
    rest.erase(last);
    for (std::int64_t o = 0; o < l_.outer_count / rows; ++o, next(rest, l_.outer_strides, outer_)) {
      char* const to = place(l_.stores[0].access, l_.sources.size());
      const char* const x = place(l_.sources[0], 0);
      for (std::int64_t r = 0; r < rows; r += most) {
        const std::int64_t count = std::min(most, rows - r);
        char* const dst = to + r * l_.stores[0].access.item;
        char* const partials = wide ? scratch_ + l_.widened : dst;
        l_.reduce.rows.each(partials, x + r * stride * l_.sources[0].item, n, static_cast<std::size_t>(count), stride);
        if (wide) finish(dst, partials, count);
      }
    }
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
      const void* first = x;
      if (r.widen != nullptr) {
        call_tile(r.widen, strip(3), x, nullptr, count);
        first = strip(3);
      }
      if (r.from_zero && l_.mid_count > 1) call_tile(r.combine, part, zero, first, count, 0);
      else std::memcpy(part, first, count * l_.partial_item);
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
};

}  // namespace

void run_rows(const Lowered& l, void* const* buffers) { ReduceRun(l, buffers).rows(); }
void run_columns(const Lowered& l, void* const* buffers) { ReduceRun(l, buffers).columns(); }

}  // namespace cotan::kernel
