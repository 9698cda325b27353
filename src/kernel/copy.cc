#include "kernel/copy.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/thread_pool.h"
#include "kernel/program.h"

namespace cotan::kernel {

namespace {

struct Word16 {
  std::uint64_t low, high;
};

// Calls f with a value of the unsigned type of `item` bytes.
template <class F> void with_word(int item, F&& f) {
  switch (item) {
    case 1: return f(std::uint8_t{});
    case 2: return f(std::uint16_t{});
    case 4: return f(std::uint32_t{});
    case 8: return f(std::uint64_t{});
    default: return f(Word16{});
  }
}

// Loops with a fixed small stride, which the compiler makes shuffles of.
#if defined(__GNUC__) && !defined(__clang__)
#define COTAN_VECTORISED __attribute__((optimize("tree-vectorize", "vect-cost-model=dynamic")))
#else
#define COTAN_VECTORISED
#endif
// dst[i] = src[i * stride].
template <class W, int stride> COTAN_VECTORISED void every(W* __restrict dst, const W* __restrict src, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) dst[i] = src[i * stride];
}
// dst[i * count + j] = src[i + j * ss].
template <class W, int count>
COTAN_VECTORISED void interleave(W* __restrict dst, const W* __restrict src, std::int64_t ss, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i)
    for (int j = 0; j < count; ++j) dst[i * count + j] = src[i + j * ss];
}
constexpr std::int64_t most_interleaved = 7;
template <class W> void interleave_of(W* dst, const W* src, std::int64_t ss, std::int64_t n, std::int64_t count) {
  switch (count) {
    case 2: return interleave<W, 2>(dst, src, ss, n);
    case 3: return interleave<W, 3>(dst, src, ss, n);
    case 4: return interleave<W, 4>(dst, src, ss, n);
    case 5: return interleave<W, 5>(dst, src, ss, n);
    case 6: return interleave<W, 6>(dst, src, ss, n);
    default: return interleave<W, 7>(dst, src, ss, n);
  }
}

template <class W>
void copy_run_of(W* __restrict dst, std::int64_t ds, const W* __restrict src, std::int64_t ss, std::int64_t n) {
  if (ds == 1 && ss == 1) {
    std::memcpy(dst, src, static_cast<std::size_t>(n) * sizeof(W));
  } else if (ds == 1 && ss == 0) {
    std::fill_n(dst, n, *src);
  } else if (ds == 1 && ss >= 2 && ss <= 4 && n >= 32) {
    if (ss == 2) every<W, 2>(dst, src, n);
    else if (ss == 3) every<W, 3>(dst, src, n);
    else every<W, 4>(dst, src, n);
  } else if (ds == 1) {
    std::int64_t i = 0;
    for (; i + 4 <= n; i += 4, src += 4 * ss)
      dst[i] = src[0], dst[i + 1] = src[ss], dst[i + 2] = src[2 * ss], dst[i + 3] = src[3 * ss];
    for (; i < n; ++i, src += ss) dst[i] = *src;
  } else {
    for (std::int64_t i = 0; i < n; ++i, src += ss, dst += ds) *dst = *src;
  }
}

// Two of the loops with everything else fixed, for short inner runs where a call per run would dominate.
template <class W>
void copy_plane_of(W* dst, const std::int64_t* ds, const W* src, const std::int64_t* ss, const std::int64_t* n) {
  for (std::int64_t i = 0; i < n[0]; ++i, dst += ds[0], src += ss[0]) copy_run_of(dst, ds[1], src, ss[1], n[1]);
}

constexpr std::int64_t block = 64;  // a block of the destination is put together in L1 and leaves in whole lines

template <class W, int M> inline void transpose_micro(W* dst, std::int64_t ds, const W* src, std::int64_t ss) {
  W t[M][M];
  for (int c = 0; c < M; ++c) std::memcpy(t[c], src + c * ss, sizeof t[c]);
  for (int r = 0; r < M; ++r) {
    W line[M];
    for (int c = 0; c < M; ++c) line[c] = t[c][r];
    std::memcpy(dst + r * ds, line, sizeof line);
  }
}

#ifdef __AVX2__
typedef float V8f __attribute__((vector_size(32)));
typedef double V4d __attribute__((vector_size(32)));
template <class V, class W> inline V load_vector(const W* p) {
  V v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
// 8 x 8 words in three rounds of interleaving; vectors as float, since only the bits move.
template <>
inline void transpose_micro<std::uint32_t, 8>(std::uint32_t* dst, std::int64_t ds, const std::uint32_t* src,
                                              std::int64_t ss) {
  V8f a[8], b[8];
#pragma GCC unroll 8
  for (int i = 0; i < 8; ++i) a[i] = load_vector<V8f>(src + i * ss);
#pragma GCC unroll 4
  for (int i = 0; i < 8; i += 2) {
    b[i] = __builtin_shufflevector(a[i], a[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
    b[i + 1] = __builtin_shufflevector(a[i], a[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
  }
#pragma GCC unroll 2
  for (int i = 0; i < 8; i += 4) {
    a[i] = __builtin_shufflevector(b[i], b[i + 2], 0, 1, 8, 9, 4, 5, 12, 13);
    a[i + 1] = __builtin_shufflevector(b[i], b[i + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    a[i + 2] = __builtin_shufflevector(b[i + 1], b[i + 3], 0, 1, 8, 9, 4, 5, 12, 13);
    a[i + 3] = __builtin_shufflevector(b[i + 1], b[i + 3], 2, 3, 10, 11, 6, 7, 14, 15);
  }
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    b[i] = __builtin_shufflevector(a[i], a[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    b[i + 4] = __builtin_shufflevector(a[i], a[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
#pragma GCC unroll 8
  for (int i = 0; i < 8; ++i) std::memcpy(dst + i * ds, &b[i], sizeof b[i]);
}
template <>
inline void transpose_micro<std::uint64_t, 4>(std::uint64_t* dst, std::int64_t ds, const std::uint64_t* src,
                                              std::int64_t ss) {
  V4d a[4], b[4];
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) a[i] = load_vector<V4d>(src + i * ss);
#pragma GCC unroll 2
  for (int i = 0; i < 4; i += 2) {
    b[i] = __builtin_shufflevector(a[i], a[i + 1], 0, 4, 2, 6);
    b[i + 1] = __builtin_shufflevector(a[i], a[i + 1], 1, 5, 3, 7);
  }
#pragma GCC unroll 2
  for (int i = 0; i < 2; ++i) {
    a[i] = __builtin_shufflevector(b[i], b[i + 2], 0, 1, 4, 5);
    a[i + 2] = __builtin_shufflevector(b[i], b[i + 2], 2, 3, 6, 7);
  }
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) std::memcpy(dst + i * ds, &a[i], sizeof a[i]);
}
#endif

// Bytes and 16-bit words, by vectors of 16 bytes: interleaving vector i with vector i + half, once for each bit of an index.
typedef std::uint8_t V16b __attribute__((vector_size(16)));
typedef std::uint16_t V8h __attribute__((vector_size(16)));
inline V16b low(V16b a, V16b b) {
  return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}
inline V16b high(V16b a, V16b b) {
  return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}
inline V8h low(V8h a, V8h b) { return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11); }
inline V8h high(V8h a, V8h b) { return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15); }
template <class V, int M, class W>
inline void transpose_interleaving(W* dst, std::int64_t ds, const W* src, std::int64_t ss) {
  V a[M], b[M];
#pragma GCC unroll 16
  for (int i = 0; i < M; ++i) std::memcpy(&a[i], src + i * ss, sizeof a[i]);
#pragma GCC unroll 2
  for (int round = 1; round < M; round *= 4) {
#pragma GCC unroll 8
    for (int i = 0; i < M / 2; ++i) b[2 * i] = low(a[i], a[i + M / 2]), b[2 * i + 1] = high(a[i], a[i + M / 2]);
    if (2 * round == M) {
#pragma GCC unroll 16
      for (int i = 0; i < M; ++i) a[i] = b[i];
      break;
    }
#pragma GCC unroll 8
    for (int i = 0; i < M / 2; ++i) a[2 * i] = low(b[i], b[i + M / 2]), a[2 * i + 1] = high(b[i], b[i + M / 2]);
  }
#pragma GCC unroll 16
  for (int i = 0; i < M; ++i) std::memcpy(dst + i * ds, &a[i], sizeof a[i]);
}
template <>
inline void transpose_micro<std::uint8_t, 16>(std::uint8_t* dst, std::int64_t ds, const std::uint8_t* src,
                                              std::int64_t ss) {
  transpose_interleaving<V16b, 16>(dst, ds, src, ss);
}
template <>
inline void transpose_micro<std::uint16_t, 8>(std::uint16_t* dst, std::int64_t ds, const std::uint16_t* src,
                                              std::int64_t ss) {
  transpose_interleaving<V8h, 8>(dst, ds, src, ss);
}

template <class W> constexpr int micro_size = sizeof(W) == 8 ? 4 : sizeof(W) == 16 ? 2 : sizeof(W) == 1 ? 16 : 8;

// rows x columns of the destination, both at most `block`, any destination stride.
template <class W>
void transpose_block(W* dst, std::int64_t ds, const W* src, std::int64_t ss, std::int64_t rows, std::int64_t columns) {
  constexpr int m = micro_size<W>;
  const std::int64_t whole_rows = rows - rows % m, whole_columns = columns - columns % m;
  for (std::int64_t c = 0; c < whole_columns; c += m)
    for (std::int64_t r = 0; r < whole_rows; r += m) transpose_micro<W, m>(dst + r * ds + c, ds, src + c * ss + r, ss);
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = r < whole_rows ? whole_columns : 0; c < columns; ++c) dst[r * ds + c] = src[c * ss + r];
}

template <class W>
void transpose_2d_of(W* dst, std::int64_t ds, const W* src, std::int64_t ss, std::int64_t rows, std::int64_t columns) {
  alignas(64) unsigned char packed[block * block * sizeof(W)];
  W* const tile = reinterpret_cast<W*>(packed);
  const bool pack = rows >= block && columns >= block;  // else the lines written stay in L1 by themselves
  for (std::int64_t r = 0; r < rows; r += block)
    for (std::int64_t c = 0; c < columns; c += block) {
      const std::int64_t nr = std::min(block, rows - r), nc = std::min(block, columns - c);
      W* const to = dst + r * ds + c;
      if (!pack) {
        transpose_block(to, ds, src + c * ss + r, ss, nr, nc);
        continue;
      }
      transpose_block(tile, block, src + c * ss + r, ss, nr, nc);
      for (std::int64_t i = 0; i < nr; ++i)
        std::memcpy(to + i * ds, tile + i * block, static_cast<std::size_t>(nc) * sizeof(W));
    }
}

struct Loop {
  std::int64_t n, ds, ss;
};
std::int64_t magnitude(std::int64_t s) { return s < 0 ? -s : s; }

// Drops loops of one iteration, orders by the destination's strides (outermost largest), merges what is contiguous in both.
int normalise(Loop* out, const std::int64_t* ds, const std::int64_t* ss, const std::int64_t* extents, int loops) {
  int n = 0;
  for (int l = 0; l < loops; ++l) {
    if (extents[l] == 1) continue;
    int at = n++;
    while (at > 0 && magnitude(out[at - 1].ds) < magnitude(ds[l])) out[at] = out[at - 1], --at;
    out[at] = {extents[l], ds[l], ss[l]};
  }
  int merged = 0;
  for (int l = 0; l < n; ++l) {
    Loop& previous = out[merged > 0 ? merged - 1 : 0];
    if (merged > 0 && previous.ds == out[l].ds * out[l].n && previous.ss == out[l].ss * out[l].n)
      previous = {previous.n * out[l].n, out[l].ds, out[l].ss};
    else out[merged++] = out[l];
  }
  return merged;
}

// Runs `body(dst, src)` for every index of the first `count` loops.
template <class W, class F> void nest(const Loop* loops, int count, W* dst, const W* src, F&& body) {
  std::int64_t index[max_loops] = {};
  while (true) {
    body(dst, src);
    int l = count - 1;
    for (; l >= 0; --l) {
      dst += loops[l].ds, src += loops[l].ss;
      if (++index[l] < loops[l].n) break;
      dst -= loops[l].ds * loops[l].n, src -= loops[l].ss * loops[l].n;
      index[l] = 0;
    }
    if (l < 0) return;
  }
}

template <class W> void copy_nd_of(W* dst, const W* src, Loop* loops, int count) {
  if (count == 0) {
    *dst = *src;
    return;
  }
  const Loop inner = loops[count - 1];
  if (count > 1 && inner.ds == 1 && inner.n <= most_interleaved && inner.ss != 1 && loops[count - 2].ss == 1 &&
      loops[count - 2].ds == inner.n) {
    const std::int64_t n = loops[count - 2].n;
    return nest(loops, count - 2, dst, src, [&](W* d, const W* s) { interleave_of(d, s, inner.ss, n, inner.n); });
  }
  int across = -1;  // the loop along which the source is contiguous, when that is not the inner one
  if (inner.ds == 1 && inner.ss != 1 && inner.ss != 0 && inner.n >= 4)
    for (int l = 0; l < count - 1; ++l)
      if (loops[l].ss == 1 && loops[l].n >= 4) across = l;
  if (across >= 0) {
    const Loop rows = loops[across];
    for (int l = across; l < count - 2; ++l) loops[l] = loops[l + 1];
    nest(loops, count - 2, dst, src,
         [&](W* d, const W* s) { transpose_2d_of(d, rows.ds, s, inner.ss, rows.n, inner.n); });
  } else if (count == 1) {
    copy_run_of(dst, inner.ds, src, inner.ss, inner.n);
  } else {
    const Loop outer = loops[count - 2];
    const std::int64_t ds[2] = {outer.ds, inner.ds}, ss[2] = {outer.ss, inner.ss}, n[2] = {outer.n, inner.n};
    nest(loops, count - 2, dst, src, [&](W* d, const W* s) { copy_plane_of(d, ds, s, ss, n); });
  }
}

// Where a nest is cut among threads: along the outermost loop that is long enough. Whole lines on either side stay together.
int cut_loop(const Loop* loops, int count) {
  int best = 0;
  for (int l = 0; l < count && loops[best].n < 32; ++l)
    if (loops[l].n > loops[best].n) best = l;
  return best;
}
std::int64_t cut_grain(const Loop& l) { return l.ds != 1 && l.ss != 1 ? 1 : l.n < 512 ? 16 : 64; }

// Nanoseconds, about: bytes from L2, and elements that do not move in runs.
double copy_ns(const Loop* loops, int count, int item) {
  double n = 1;
  for (int l = 0; l < count; ++l) n *= static_cast<double>(loops[l].n);
  const bool runs = count == 0 || (loops[count - 1].ds == 1 && (loops[count - 1].ss == 1 || loops[count - 1].ss == 0));
  return n * (0.02 * item + (runs ? 0 : 0.3));
}

}  // namespace

void copy_run(void* dst, std::int64_t dst_stride, const void* src, std::int64_t src_stride, std::int64_t n, int item) {
  with_word(item, [&](auto w) {
    using W = decltype(w);
    copy_run_of(static_cast<W*>(dst), dst_stride, static_cast<const W*>(src), src_stride, n);
  });
}

void copy_nd(void* dst, const std::int64_t* dst_strides, const void* src, const std::int64_t* src_strides,
             const std::int64_t* extents, int loops, int item) {
  for (int l = 0; l < loops; ++l)
    if (extents[l] == 0) return;
  Loop order[max_loops + 1];
  const int count = normalise(order, dst_strides, src_strides, extents, loops);
  with_word(item, [&](auto w) {
    using W = decltype(w);
    const double ns = copy_ns(order, count, item);
    if (count == 0 || ns < least_parallel_ns())
      return copy_nd_of(static_cast<W*>(dst), static_cast<const W*>(src), order, count);
    const int at = cut_loop(order, count);
    parallel_ranges(order[at].n, cut_grain(order[at]), ns, [&](std::int64_t first, std::int64_t last) {
      Loop part[max_loops + 1];
      std::copy_n(order, count, part);
      part[at].n = last - first;
      copy_nd_of(static_cast<W*>(dst) + first * order[at].ds, static_cast<const W*>(src) + first * order[at].ss, part,
                 count);
    });
  });
}

void transpose_2d(void* dst, std::int64_t dst_stride, const void* src, std::int64_t src_stride, std::int64_t rows,
                  std::int64_t columns, int item) {
  with_word(item, [&](auto w) {
    using W = decltype(w);
    transpose_2d_of(static_cast<W*>(dst), dst_stride, static_cast<const W*>(src), src_stride, rows, columns);
  });
}

void splat(void* dst, const void* element, int item) {
  with_word(item, [&](auto w) {
    using W = decltype(w);
    W v;
    std::memcpy(&v, element, sizeof v);
    std::fill_n(static_cast<W*>(dst), 64 / sizeof(W), v);
  });
}

}  // namespace cotan::kernel
