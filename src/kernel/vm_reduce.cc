// Reductions by rows and by columns: see lower.h. However they are cut among threads, they combine in the same order.
#include <utility>
#include <vector>

#include "base/interrupt.h"
#include "kernel/partial_tree.h"
#include "kernel/reduce.h"
#include "kernel/tile_run.h"

namespace cotan::kernel {

namespace {

// Rows too few for the threads are cut at groups of leaves; of so many leaves.
constexpr std::int64_t group_leaves = 32;

// The best element of a part of a row.
struct Best {
  alignas(16) char value[32];  // and behind it another one, to be compared
  std::int64_t index = 0;
};

class ReduceRun : public TileRun {
 public:
  using TileRun::TileRun;

  void rows(std::int64_t first, std::int64_t last) {
    if (many_at_once()) return plain_rows(first, last);
    const std::int64_t leaves = pieces(l_.tile_size, leaf_length);
    go_to(l_.outer, first);
    for (std::int64_t o = first; o < last; ++o, next(l_.outer, l_.outer_strides, outer_)) {
      fill_splats();
      if (l_.arg) {
        Best best;
        best_of_leaves(0, leaves, &best);
        store_indices(result(), l_.result, &best.index, 1);
        continue;
      }
      PartialTree partials = no_partials();
      partials_of_leaves(0, leaves, &partials);
      finish(result(), partials.total(), 1);
    }
  }

  // Tiles of several rows each.
  void packed_rows(std::int64_t first, std::int64_t last) {
    const std::int64_t tiles = pieces(l_.tile_size, l_.tile_length);
    const auto row = static_cast<std::size_t>(l_.row);
    for (std::int64_t unit = first; unit < last; ++unit) {
      if (unit % 32 == 0) poll_interrupt();
      const std::int64_t t = unit % tiles * l_.tile_length, n = std::min(l_.tile_length, l_.tile_size - t);
      if (unit == first || t == 0) {
        go_to(l_.outer, unit / tiles);
        fill_splats();
      }
      char* const dst = static_cast<char*>(result()) + t / l_.row * l_.stores[0].access.item;
      void* const partials = l_.reduce.narrow != nullptr ? scratch_ + l_.widened : dst;
      reduce_tile(partials, value_of_tile(t, n), row, static_cast<std::size_t>(n) / row);
      if (partials != dst) finish(dst, partials, n / l_.row);
    }
  }

  // --- One row in parts: leaves [first, last) of row o ---

  void leaves(std::int64_t o, std::int64_t first, std::int64_t last, char* partials) {
    go_to(l_.outer, o);
    fill_splats();
    PartialArray to{partials + static_cast<std::size_t>(first) * l_.partial_item, l_.partial_item};
    partials_of_leaves(first, last, &to);
  }
  void best(std::int64_t o, std::int64_t first, std::int64_t last, Best* to) {
    go_to(l_.outer, o);
    fill_splats();
    best_of_leaves(first, last, to);
  }
  void combine(std::int64_t o, const char* partials, std::int64_t count) {
    go_to(l_.outer, o);
    PartialTree tree = no_partials();
    while (count > 0) {
      std::int64_t some = count;
      void* const to = tree.next(&some);
      std::memcpy(to, partials, static_cast<std::size_t>(some) * l_.partial_item);
      partials += static_cast<std::size_t>(some) * l_.partial_item, count -= some;
    }
    finish(result(), tree.total(), 1);
  }
  void combine(std::int64_t o, const Best* parts, std::size_t count) {
    go_to(l_.outer, o);
    Best best = parts[0];
    for (std::size_t i = 1; i < count; ++i) take_better(parts[i].value, parts[i].index, &best);
    store_indices(result(), l_.result, &best.index, 1);
  }

  // --- Columns, in units of `width` of them ---

  void columns(std::int64_t first, std::int64_t last, std::int64_t width) {
    const std::int64_t per_row = pieces(l_.tile_size, width);
    for (std::int64_t unit = first; unit < last; ++unit) {
      const std::int64_t t = unit % per_row * width, n = std::min(width, l_.tile_size - t);
      if (unit == first || t == 0) go_to(l_.outer, unit / per_row);
      if (l_.arg) arg_columns(t, n);
      else accumulate(t, n);
      write_columns(t, n);
    }
  }

  // Those of one tile in parts: what chunk c of its rows makes.
  void chunk(std::int64_t o, std::int64_t t, std::int64_t n, std::int64_t c, char* part) {
    const std::int64_t rows = column_chunk(l_.mid_count), m = c * rows;
    go_to(l_.outer, o);
    advance(l_.mid, l_.mid_strides, mid_, m);
    fold_rows(t, n, std::min(rows, l_.mid_count - m), part);
  }
  void combine_chunks(std::int64_t o, std::int64_t t, std::int64_t n, const char* parts, std::int64_t count) {
    const std::size_t bytes = static_cast<std::size_t>(n) * l_.partial_item;
    go_to(l_.outer, o);
    std::memcpy(strip(0), parts, bytes);
    for (std::int64_t c = 1; c < count; ++c)
      call_tile(l_.reduce.combine, strip(0), strip(0), parts + static_cast<std::size_t>(c) * bytes,
                static_cast<std::size_t>(n));
    write_columns(t, n);
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
  bool is_plain() const {
    return l_.reduce.rows.each != nullptr && l_.code.empty() && l_.pair == nullptr && l_.sources.size() == 1 &&
           l_.sources[0].reach == Reach::direct;
  }
  // `rows` rows of n elements each, one after the other.
  void reduce_tile(void* dst, const void* x, std::size_t n, std::size_t rows) {
    const auto stride = static_cast<std::ptrdiff_t>(n);
    if (l_.pair != nullptr) l_.pair(dst, x, p_[l_.other_reg], l_.other_splat, n, rows, stride);
    else l_.reduce.rows.each(dst, x, n, rows, stride);
  }
  std::int64_t inner_stride(std::size_t access) const {
    return l_.outer_strides[static_cast<std::size_t>((l_.outer.length() - 1) * l_.access_count()) + access];
  }
  std::int64_t result_stride() const { return inner_stride(l_.sources.size()); }

  // Rows of one leaf, or of whole ones, of which few make a row.
  bool many_at_once() const {
    if (!is_plain() || l_.outer.empty() || result_stride() != 1) return false;
    return l_.tile_size <= leaf_length ||
           (l_.tile_size % leaf_length == 0 && l_.tile_size <= 64 * leaf_length && inner_stride(0) == l_.tile_size);
  }
  // Those of the innermost outer loop in one call, or in as many as the memory for partials asks for.
  void plain_rows(std::int64_t first, std::int64_t last) {
    const int inner = l_.outer.length() - 1;
    const std::int64_t leaves = pieces(l_.tile_size, leaf_length), n = l_.tile_size / leaves;
    const bool wide = l_.reduce.narrow != nullptr;
    const std::int64_t rows = l_.outer[inner], stride = inner_stride(0),
                       most = leaves > 1 ? partials_length / leaves
                              : wide     ? leaf_length
                                         : rows;
    Dims rest = l_.outer;
    rest.erase(inner);
    go_to(rest, first / rows);
    for (std::int64_t r = first % rows, left = last - first; left > 0; next(rest, l_.outer_strides, outer_), r = 0)
      for (std::int64_t count; r < rows && left > 0; r += count, left -= count) {
        count = std::min({most, rows - r, left});
        char* const dst = result() + r * l_.stores[0].access.item;
        char* const partials = wide ? scratch_ + l_.widened : dst;
        const char* const x = place(l_.sources[0], 0) + r * stride * l_.sources[0].item;
        reduce_leaves(leaves > 1 ? scratch_ + l_.strips : partials, x, n, count * leaves, leaves > 1 ? n : stride);
        if (leaves > 1)
          l_.reduce.partial_rows(partials, scratch_ + l_.strips, static_cast<std::size_t>(leaves),
                                 static_cast<std::size_t>(count), leaves);
        if (wide) finish(dst, partials, count);
      }
  }
  void reduce_leaves(void* dst, const void* x, std::int64_t n, std::int64_t count, std::int64_t stride) const {
    l_.reduce.rows.each(dst, x, static_cast<std::size_t>(n), static_cast<std::size_t>(count), stride);
  }

  PartialTree no_partials() const {
    return PartialTree(l_.reduce.row, l_.partial_item, scratch_ + l_.strips, l_.strip_bytes);
  }

  // Partials one after the other.
  struct PartialArray {
    char* at;
    std::size_t item;
    void* next(std::int64_t* count) { return std::exchange(at, at + static_cast<std::size_t>(*count) * item); }
  };

  template <class Partials> void partials_of_leaves(std::int64_t first, std::int64_t last, Partials* partials) {
    const std::int64_t whole = is_plain() ? std::min(last, l_.tile_size / leaf_length) : first;
    for (std::int64_t i = first, count; i < last; i += count) {
      poll_interrupt();
      count = i < whole ? std::min(whole - i, partials_length) : 1;
      void* const to = partials->next(&count);
      const std::int64_t t = i * leaf_length;
      if (i < whole) {
        const char* const x = place(l_.sources[0], 0) + t * l_.sources[0].item;
        reduce_leaves(to, x, leaf_length, count, leaf_length);
      } else {
        const std::int64_t n = std::min(leaf_length, l_.tile_size - t);
        leaf(value_of_tile(t, n), n, to);
      }
    }
  }

  void leaf(const void* x, std::int64_t n, void* to) {
    if (l_.reduce.rows.each != nullptr) return reduce_tile(to, x, static_cast<std::size_t>(n), 1);
    if (l_.reduce.widen != nullptr) {
      call_tile(l_.reduce.widen, scratch_ + l_.widened, x, nullptr, static_cast<std::size_t>(n));
      x = scratch_ + l_.widened;
    }
    call_tile(l_.reduce.row, to, x, nullptr, static_cast<std::size_t>(n));
  }

  void best_of_leaves(std::int64_t first, std::int64_t last, Best* best) {
    const std::size_t item = item_size(l_.value_type);
    for (std::int64_t i = first; i < last; ++i) {
      if (i % 256 == 0) poll_interrupt();
      const std::int64_t t = i * leaf_length, n = std::min(leaf_length, l_.tile_size - t);
      const void* const x = value_of_tile(t, n);
      std::int64_t at = 0;
      call_tile(l_.reduce_arg.row, &at, x, nullptr, static_cast<std::size_t>(n));
      const void* const value = static_cast<const char*>(x) + static_cast<std::size_t>(at) * item;
      if (i > first) {
        take_better(value, t + at, best);
        continue;
      }
      std::memcpy(best->value, value, item);
      best->index = t + at;
    }
  }

  // The best so far against a later one: the row function over the two.
  void take_better(const void* value, std::int64_t index, Best* best) const {
    const std::size_t item = item_size(l_.value_type);
    std::int64_t winner = 0;
    std::memcpy(best->value + item, value, item);
    call_tile(l_.reduce_arg.row, &winner, best->value, nullptr, 2);
    if (winner == 0) return;
    std::memcpy(best->value, value, item);
    best->index = index;
  }

  char* result() const { return place(l_.stores[0].access, l_.sources.size()); }

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

  // The first of the values that make a part.
  void start(char* part, const void* x, std::size_t n) const {
    alignas(64) static constexpr char zero[64] = {};
    if (l_.reduce.from_zero && l_.mid_count > 1) call_tile(l_.reduce.combine, part, zero, x, n, 0);
    else std::memcpy(part, x, n * l_.partial_item);
  }
  const void* widened(const void* x, std::size_t n) const {
    if (l_.reduce.widen == nullptr) return x;
    call_tile(l_.reduce.widen, strip(3), x, nullptr, n);
    return strip(3);
  }

  // The next `rows` rows of the mid loops, in turn.
  void fold_rows(std::int64_t t, std::int64_t n, std::int64_t rows, char* part) {
    if (plain_columns()) return fold_plain_rows(t, n, rows, part);
    const auto count = static_cast<std::size_t>(n);
    for (std::int64_t m = 0; m < rows; ++m, next(l_.mid, l_.mid_strides, mid_)) {
      to_panel_row(t, n, m == 0);
      const void* const x = widened(value_of_tile(t, n), count);
      if (m == 0) start(part, x, count);
      else call_tile(l_.reduce.combine, part, part, x, count);
    }
  }
  // The same of values that are read as they are: in one call.
  void fold_plain_rows(std::int64_t t, std::int64_t n, std::int64_t rows, char* part) {
    const auto count = static_cast<std::size_t>(n);
    const std::int64_t stride = l_.mid_strides[0];
    const char* const x = place(l_.sources[0], 0) + t * l_.sources[0].item;
    start(part, widened(x, count), count);
    if (rows > 1)
      l_.reduce.rows.fold(part, x + stride * l_.sources[0].item, count, static_cast<std::size_t>(rows - 1), stride);
    move(l_.mid_strides.data(), rows);
    mid_[0] += rows;
    if (mid_[0] == l_.mid_count) move(l_.mid_strides.data(), -std::exchange(mid_[0], 0));
  }

  // By columns: the row of the panels that the innermost mid loop is at, after filling them where a block starts.
  void to_panel_row(std::int64_t t, std::int64_t n, bool fresh) {
    if (l_.panel_rows == 1) return;
    const int last = l_.mid.length() - 1;
    const std::int64_t row = mid_[last];
    if (fresh || row == 0 || row == panel_start_ + l_.panel_rows) {
      panel_start_ = row;
      fill_panels(t, n, std::min(l_.panel_rows, l_.mid[last] - row));
    }
    panel_row_ = row - panel_start_;
  }

  void accumulate(std::int64_t t, std::int64_t n) {
    const std::int64_t chunk = column_chunk(l_.mid_count);
    for (std::int64_t m = 0; m < l_.mid_count; m += chunk) {
      poll_interrupt();
      fold_rows(t, n, std::min(chunk, l_.mid_count - m), strip(m == 0 ? 0 : 1));
      if (m > 0) call_tile(l_.reduce.combine, strip(0), strip(0), strip(1), static_cast<std::size_t>(n));
    }
  }

  void arg_columns(std::int64_t t, std::int64_t n) {
    for (std::int64_t m = 0; m < l_.mid_count; ++m, next(l_.mid, l_.mid_strides, mid_)) {
      if (m % 256 == 0) poll_interrupt();
      to_panel_row(t, n, m == 0);
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

  std::int64_t panel_start_ = 0;
};

void rows_by_leaves(const Lowered& l, void* const* buffers) {
  const std::int64_t leaves = pieces(l.tile_size, leaf_length), groups = pieces(leaves, group_leaves);
  const double ns = l.ns / static_cast<double>(l.outer_count);
  std::vector<Best> best(l.arg ? static_cast<std::size_t>(groups) : 0);
  std::vector<char> partials(l.arg ? 0 : static_cast<std::size_t>(leaves) * l.partial_item);
  for (std::int64_t o = 0; o < l.outer_count; ++o) {
    parallel_ranges(groups, 1, ns, [&](std::int64_t first, std::int64_t last) {
      ReduceRun run(l, buffers);
      if (!l.arg) return run.leaves(o, first * group_leaves, std::min(last * group_leaves, leaves), partials.data());
      for (std::int64_t g = first; g < last; ++g)
        run.best(o, g * group_leaves, std::min((g + 1) * group_leaves, leaves), &best[static_cast<std::size_t>(g)]);
    });
    if (l.arg) ReduceRun(l, buffers).combine(o, best.data(), best.size());
    else ReduceRun(l, buffers).combine(o, partials.data(), leaves);
  }
}

void columns_by_chunks(const Lowered& l, void* const* buffers) {
  const std::int64_t chunks = pieces(l.mid_count, column_chunk(l.mid_count));
  const double ns = l.ns / static_cast<double>(l.outer_count);
  std::vector<char> parts(static_cast<std::size_t>(chunks * l.tile_length) * l.partial_item);
  for (std::int64_t o = 0; o < l.outer_count; ++o)
    for (std::int64_t t = 0; t < l.tile_size; t += l.tile_length) {
      const std::int64_t n = std::min(l.tile_length, l.tile_size - t);
      parallel_ranges(chunks, 1, ns, [&](std::int64_t first, std::int64_t last) {
        ReduceRun run(l, buffers);
        for (std::int64_t c = first; c < last; ++c)
          run.chunk(o, t, n, c, parts.data() + static_cast<std::size_t>(c * n) * l.partial_item);
      });
      ReduceRun(l, buffers).combine_chunks(o, t, n, parts.data(), chunks);
    }
}

}  // namespace

void run_rows(const Lowered& l, void* const* buffers) {
  if (l.row > 0)
    return cut(l, l.outer_count * pieces(l.tile_size, l.tile_length),
               [&](std::int64_t first, std::int64_t last) { ReduceRun(l, buffers).packed_rows(first, last); });
  const std::int64_t threads = usable_threads();
  if (threads > 1 && l.outer_count < 8 * threads && l.tile_size > 2 * group_leaves * leaf_length &&
      l.ns >= least_parallel_ns())
    return rows_by_leaves(l, buffers);
  cut(l, l.outer_count, [&](std::int64_t first, std::int64_t last) { ReduceRun(l, buffers).rows(first, last); });
}

void run_columns(const Lowered& l, void* const* buffers) {
  constexpr std::int64_t narrow = 128;
  const std::int64_t threads = usable_threads();
  std::int64_t width = l.tile_length;
  const auto units = [&] { return l.outer_count * pieces(l.tile_size, width); };
  if (threads > 1 && l.ns >= least_parallel_ns()) {
    while (width >= 2 * narrow && units() < 2 * threads) width /= 2;
    if (!l.arg && units() < 2 * threads && l.mid_count > 4 * column_chunk(l.mid_count))
      return columns_by_chunks(l, buffers);
  }
  cut(l, units(), [&](std::int64_t first, std::int64_t last) { ReduceRun(l, buffers).columns(first, last, width); });
}

}  // namespace cotan::kernel
