// One run of a prepared program, as far as maps and reductions share it: registers, where every access stands, and the loading,
// executing and storing of tiles.
#pragma once
#include <algorithm>
#include <cstring>

#include "base/thread_pool.h"
#include "kernel/copy.h"
#include "kernel/lower.h"
#include "kernel/starts.h"

namespace cotan::kernel {

char* thread_scratch(std::size_t bytes);  // memory of this thread; it grows to the largest program seen and stays

class TileRun {
 public:
  TileRun(const Lowered& l, void* const* buffers)
      : l_(l), buffers_(buffers), scratch_(thread_scratch(l.scratch_bytes)) {
    p_ = reinterpret_cast<void**>(scratch_);
    at_ = reinterpret_cast<std::int64_t*>(p_ + l.reg_count);
    for (int i = 0; i < l.constant_count; ++i)
      p_[l.first_constant_reg + i] = const_cast<std::byte*>(l.constants.data() + l.constants_offset + 64 * i);
    for (const auto& [reg, place] : l.places) p_[reg] = scratch_ + place;
    std::fill_n(mid_, l.mid.length(), 0);
    go_to(l.outer, 0);
    for (std::size_t i = 0; i < l.sources.size(); ++i)
      if (l.sources[i].reach == Reach::fixed) fill_splat(i);
  }

 protected:
  // --- Positions ---

  char* place(const Access& a, std::size_t i) const { return static_cast<char*>(buffers_[a.buffer]) + at_[i] * a.item; }

  void move(const std::int64_t* strides, std::int64_t count) {
    for (int a = 0; a < l_.access_count(); ++a) at_[a] += strides[a] * count;
  }

  // Goes to iteration `o` of the outer loops, or of the first of them.
  void go_to(const Dims& outer, std::int64_t o) {
    std::size_t a = 0;
    for (const Access& s : l_.sources) at_[a++] = s.offset + started(s.starts, buffers_);
    for (const StoreAccess& s : l_.stores) at_[a++] = s.access.offset + started(s.access.starts, buffers_);
    advance(outer, l_.outer_strides, outer_, o);
  }

  // From the start of the loops to their iteration `o`.
  void advance(const Dims& extents, const std::vector<std::int64_t>& strides, std::int64_t* index, std::int64_t o) {
    for (int l = extents.length() - 1; l >= 0; --l) {
      index[l] = o % extents[l], o /= extents[l];
      if (index[l] != 0) move(strides.data() + l * l_.access_count(), index[l]);
    }
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

  // Where the outer loops have gone on: what stays through the tiles of an iteration.
  void fill_splats() {
    for (std::size_t i = 0; i < l_.sources.size(); ++i) {
      const Access& a = l_.sources[i];
      if (a.reach == Reach::splat) fill_splat(i);
      else if (a.reach == Reach::repeated) gather(a, i, 0, l_.tile_length);
    }
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
          if (l_.scheme == Scheme::columns) fill_splat(i);
          break;
        case Reach::fixed:
        case Reach::repeated: break;
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

  const Lowered& l_;
  void* const* const buffers_;
  char* const scratch_;
  void** p_;
  std::int64_t* at_;
  std::int64_t panel_row_ = 0;
  std::int64_t outer_[max_loops], mid_[max_loops];  // the current indices
};

inline std::int64_t pieces(std::int64_t n, std::int64_t size) { return (n - 1) / size + 1; }

// Calls run(first, last) for ranges that make up [0, units): the program's iterations, cut among threads where it pays. What an
// instruction costs is not known: where it matters, it is measured.
template <class F> void cut(const Lowered& l, std::int64_t units, const F& run) {
  constexpr double certain = 5;                                                 // times the least work that is cut
  constexpr std::int64_t timed = 1024;                                          // elements
  const double dearest = l.code.empty() ? 1 : 24, least = least_parallel_ns();  // `dearest`: times the estimate
  if (l.ns * dearest < least) return run(std::int64_t{0}, units);
  if (l.ns > certain * least) return parallel_ranges(units, 1, l.ns, run);
  parallel_ranges_timed(units, pieces(timed * units, l.outer_count * l.mid_count * l.tile_size), run);
}

void run_rows(const Lowered&, void* const* buffers);
void run_columns(const Lowered&, void* const* buffers);

}  // namespace cotan::kernel
