#include "runtime/dot_kernels.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

#if defined(__FMA__)
#include <immintrin.h>
#endif

#include "base/thread_pool.h"
#include "kernel/copy.h"
#include "runtime/allocator.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace cotan::runtime {

namespace {

template <class T> struct VecOf { typedef T type __attribute__((vector_size(32))); };
template <class T> using Vec = typename VecOf<T>::type;
template <class T> inline constexpr int lanes = 32 / sizeof(T);

template <class T> inline Vec<T> load(const T* p) {
  Vec<T> v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
template <class T> inline void save(T* p, Vec<T> v) { std::memcpy(p, &v, sizeof v); }
template <class T> inline Vec<T> repeat(T x) {
  return x - Vec<T>{};  // x - 0 is x, also for -0
}

// a * b + c, rounded once; of integers it wraps.
template <class T> inline Vec<T> fused(Vec<T> a, Vec<T> b, Vec<T> c) {
  if constexpr (std::is_integral_v<T>) return a * b + c;
#if defined(__FMA__)
  else if constexpr (sizeof(T) == 4) return (Vec<T>)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
  else return (Vec<T>)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#else
  else {
    Vec<T> r;
    for (int i = 0; i < lanes<T>; ++i) r[i] = std::fma(a[i], b[i], c[i]);
    return r;
  }
#endif
}

// Memory from the array allocator for the time of a call.
template <class T> class Temporary {
 public:
  explicit Temporary(std::int64_t n)
      : bytes_(static_cast<std::size_t>(n) * sizeof(T)), data_(static_cast<T*>(allocate(bytes_))) {}
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() { deallocate(data_, bytes_); }
  T* data() const { return data_; }

 private:
  std::size_t bytes_;
  T* data_;
};

// --- The small product: six rows by two vectors of columns in registers ---

constexpr int row_block = 6;
template <class T> constexpr std::int64_t panel_width = 2 * lanes<T>;

// Columns [j, j + width) of rhs as a panel of k rows, the missing columns zero.
template <class T>
void pack_panel(const kernel::DotParams& p, const T* rhs, std::int64_t j, std::int64_t width, T* panel) {
  if (width < panel_width<T>) std::fill_n(panel, p.k * panel_width<T>, T{0});
  const std::int64_t to[2] = {panel_width<T>, 1}, from[2] = {p.rhs_k, p.rhs_j}, n[2] = {p.k, width};
  kernel::copy_nd(panel, to, rhs + j * p.rhs_j, from, n, 2, sizeof(T));
}

template <class T, int rows>
void block_product(const kernel::DotParams& p, const T* lhs, const T* panel, T* out, std::int64_t width) {
  Vec<T> sum[rows][2] = {};
  for (std::int64_t k = 0; k < p.k; ++k, panel += panel_width<T>) {
    const Vec<T> b0 = load(panel), b1 = load(panel + lanes<T>);
#pragma GCC unroll 6
    for (int r = 0; r < rows; ++r) {
      const Vec<T> a = repeat(lhs[r * p.lhs_i + k * p.lhs_k]);
      sum[r][0] = fused<T>(a, b0, sum[r][0]), sum[r][1] = fused<T>(a, b1, sum[r][1]);
    }
  }
#pragma GCC unroll 6
  for (int r = 0; r < rows; ++r) {
    T line[panel_width<T>];
    T* const to = width == panel_width<T> ? out + r * p.n : line;
    save(to, sum[r][0]), save(to + lanes<T>, sum[r][1]);
    if (to == line) std::memcpy(out + r * p.n, line, static_cast<std::size_t>(width) * sizeof(T));
  }
}

// Cut at panels, and rows of them.
template <class T> void small_product_of(const kernel::DotParams& p, const T* lhs, const T* rhs, T* out) {
  constexpr std::int64_t unit_rows = 40 * row_block;
  const std::int64_t panels = (p.n - 1) / panel_width<T> + 1, row_units = (p.m - 1) / unit_rows + 1;
  const double ns = 0.006 * sizeof(T) * static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k);
  parallel_ranges(panels * row_units, 1, ns, [&](std::int64_t first, std::int64_t last) {
    const Temporary<T> panel(std::max<std::int64_t>(p.k, 1) * panel_width<T>);
    for (std::int64_t unit = first; unit < last; ++unit) {
      const std::int64_t j = unit / row_units * panel_width<T>, width = std::min(panel_width<T>, p.n - j);
      if (unit == first || unit % row_units == 0) pack_panel(p, rhs, j, width, panel.data());
      std::int64_t i = unit % row_units * unit_rows;
      const std::int64_t end = std::min(i + unit_rows, p.m);
      for (; i + row_block <= end; i += row_block)
        block_product<T, row_block>(p, lhs + i * p.lhs_i, panel.data(), out + i * p.n + j, width);
      for (; i + 2 <= end; i += 2) block_product<T, 2>(p, lhs + i * p.lhs_i, panel.data(), out + i * p.n + j, width);
      for (; i < end; ++i) block_product<T, 1>(p, lhs + i * p.lhs_i, panel.data(), out + i * p.n + j, width);
    }
  });
}

// --- Matrix times vector ---

constexpr int sum_lanes = 8;
constexpr std::int64_t chunk = vector_chunk;
// Rows at a time where the matrix is contiguous over rows: the lanes of so many stay in L1; when the matrix comes from memory,
// long runs matter more.
template <class T> std::int64_t strip_rows(const MatrixVector& p) {
  const bool large = p.rows * p.k * static_cast<std::int64_t>(sizeof(T)) > (std::int64_t{4} << 20);
  return (large ? 16384 : 2048) / static_cast<std::int64_t>(sizeof(T));
}

// The halving of the eight lanes.
template <class T> inline T halve(const T* l) {
  return ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]));
}

// One chunk of each of `rows` rows that are contiguous along k; the vectors that go with them are vector_row apart.
template <class T, int rows>
void along_k(const T* matrix, std::int64_t row, const T* vector, std::int64_t vector_row, std::int64_t n, T* out) {
  constexpr int vecs = sum_lanes / lanes<T>;
  Vec<T> sum[rows][vecs] = {};
  std::int64_t k = 0;
  for (; k + sum_lanes <= n; k += sum_lanes)
#pragma GCC unroll 4
    for (int r = 0; r < rows; ++r)
#pragma GCC unroll 2
      for (int v = 0; v < vecs; ++v) {
        const std::int64_t at = k + v * lanes<T>;
        sum[r][v] = fused<T>(load(matrix + r * row + at), load(vector + r * vector_row + at), sum[r][v]);
      }
  for (int r = 0; r < rows; ++r) {
    T l[sum_lanes];
    for (int v = 0; v < vecs; ++v) save(l + v * lanes<T>, sum[r][v]);
    for (std::int64_t t = k; t < n; ++t) l[t - k] = std::fma(matrix[r * row + t], vector[r * vector_row + t], l[t - k]);
    out[r] = halve(l);
  }
}

// sum[i] += matrix[i + s * step] * vector[s * 8] for s in turn.
template <class T, int count>
void add_columns(const T* matrix, std::int64_t step, const T* vector, std::int64_t rows, T* sum) {
  std::int64_t i = 0;
  for (; i + lanes<T> <= rows; i += lanes<T>) {
    Vec<T> s = load(sum + i);
#pragma GCC unroll 4
    for (int c = 0; c < count; ++c) s = fused<T>(load(matrix + c * step + i), repeat(vector[c * sum_lanes]), s);
    save(sum + i, s);
  }
  for (; i < rows; ++i)
    for (int c = 0; c < count; ++c) sum[i] = std::fma(matrix[c * step + i], vector[c * sum_lanes], sum[i]);
}

// One chunk of rows that are contiguous over rows, their n columns `column` apart; `sum` has room for the eight lanes of each.
template <class T>
void along_rows(const T* matrix, std::int64_t column, const T* vector, std::int64_t n, std::int64_t rows, T* sum,
                T* out) {
  std::fill_n(sum, sum_lanes * rows, T{0});
  for (std::int64_t start = 0; start < n; start += 4 * sum_lanes)
    for (std::int64_t lane = 0; lane < sum_lanes; ++lane) {
      T* const s = sum + lane * rows;
      std::int64_t k = start + lane;
      if (k + 3 * sum_lanes < n) {
        add_columns<T, 4>(matrix + k * column, sum_lanes * column, vector + k, rows, s);
        continue;
      }
      for (; k < n; k += sum_lanes) add_columns<T, 1>(matrix + k * column, 0, vector + k, rows, s);
    }
  for (std::int64_t i = 0; i < rows; ++i) {
    T l[sum_lanes];
    for (int v = 0; v < sum_lanes; ++v) l[v] = sum[v * rows + i];
    out[i] = halve(l);
  }
}

// The chunks of one row four at a time, as long as there are four whole ones; returns where it stopped.
template <class T> std::int64_t four_chunks(const T* row, const T* vector, std::int64_t n, T* out) {
  std::int64_t k = 0;
  for (; k + 4 * chunk <= n; k += 4 * chunk) {
    T part[4];
    along_k<T, 4>(row + k, chunk, vector + k, chunk, chunk, part);
    for (int c = 0; c < 4; ++c) *out = k == 0 && c == 0 ? part[c] : *out + part[c];
  }
  return k;
}

// Rows [first, last), with a vector of step 1.
template <class T>
void matrix_rows(const MatrixVector& p, const T* matrix, const T* vector, std::int64_t first, std::int64_t last,
                 T* out) {
  const bool by_rows = p.row == 1 && p.column != 1;
  const std::int64_t strip = std::min(strip_rows<T>(p), last - first);
  const Temporary<T> work(by_rows ? (sum_lanes + 1) * strip : p.column == 1 ? 0 : chunk);
  for (std::int64_t i = first, count = 0; i < last; i += count) {
    count = by_rows ? std::min(strip, last - i) : p.column == 1 && i + 4 <= last ? 4 : 1;
    std::int64_t k = 0;
    if (count == 1 && p.column == 1) k = four_chunks(matrix + i * p.row, vector, p.k, out + i);
    for (; k < p.k; k += chunk) {
      const std::int64_t n = std::min(chunk, p.k - k);
      const T* a = matrix + i * p.row + k * p.column;
      T few[4];
      T* const part = by_rows ? work.data() + sum_lanes * strip : few;
      if (by_rows) along_rows(a, p.column, vector + k, n, count, work.data(), part);
      else if (count == 4) along_k<T, 4>(a, p.row, vector + k, 0, n, part);
      else {
        if (p.column != 1) {
          kernel::copy_run(work.data(), 1, a, p.column, n, sizeof(T));
          a = work.data();
        }
        along_k<T, 1>(a, 0, vector + k, 0, n, part);
      }
      for (std::int64_t r = 0; r < count; ++r) out[i + r] = k == 0 ? part[r] : out[i + r] + part[r];
    }
  }
}

template <class T> void matrix_vector_of(const MatrixVector& p, const T* matrix, const T* vector, T* out) {
  const Temporary<T> packed(p.step == 1 ? 0 : p.k);
  if (p.step != 1) {
    kernel::copy_run(packed.data(), 1, vector, p.step, p.k, sizeof(T));
    vector = packed.data();
  }
  const double ns = 0.012 * sizeof(T) * static_cast<double>(p.rows) * static_cast<double>(p.k);
  const std::int64_t grain = p.column == 1 ? 4 : 1024 / static_cast<std::int64_t>(sizeof(T));
  parallel_ranges(p.rows, grain, ns,
                  [&](std::int64_t first, std::int64_t last) { matrix_rows(p, matrix, vector, first, last, out); });
}

}  // namespace

void small_product(const kernel::DotParams& p, const float* lhs, const float* rhs, float* out) {
  small_product_of(p, lhs, rhs, out);
}
void small_product(const kernel::DotParams& p, const double* lhs, const double* rhs, double* out) {
  small_product_of(p, lhs, rhs, out);
}
void small_product(const kernel::DotParams& p, const std::uint16_t* lhs, const std::uint16_t* rhs, std::uint16_t* out) {
  small_product_of(p, lhs, rhs, out);
}
void small_product(const kernel::DotParams& p, const std::uint32_t* lhs, const std::uint32_t* rhs, std::uint32_t* out) {
  small_product_of(p, lhs, rhs, out);
}
void small_product(const kernel::DotParams& p, const std::uint64_t* lhs, const std::uint64_t* rhs, std::uint64_t* out) {
  small_product_of(p, lhs, rhs, out);
}
void matrix_vector(const MatrixVector& p, const float* matrix, const float* vector, float* out) {
  matrix_vector_of(p, matrix, vector, out);
}
void matrix_vector(const MatrixVector& p, const double* matrix, const double* vector, double* out) {
  matrix_vector_of(p, matrix, vector, out);
}

}  // namespace cotan::runtime
