// Batched matrix products: ours for few multiplications and for vectors, BLIS for large matrices, plain loops for integers.
#include <blis.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>

#include "cotan/errors.h"
#include "base/interrupt.h"
#include "base/thread_pool.h"
#include "kernel/copy.h"
#include "runtime/allocator.h"
#include "runtime/dot_kernels.h"
#include "runtime/half_blocks.h"
#include "runtime/library.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("tree-vectorize", "vect-cost-model=dynamic")
#endif

namespace cotan::runtime {

namespace {

using kernel::DotParams;

// Up to so many multiplications the small product is as fast; and libraries have kernels there whose bits depend on the layout.
constexpr double few_products = 1e6;

double products_of(const DotParams& p) {
  return static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k);
}
// About, of one product on one thread; elements of `item` bytes. Vectors make each element of the matrix a load.
double product_ns(const DotParams& p, std::size_t item) {
  const double each = (p.m == 1 || p.n == 1 ? 0.012 : 0.006) * static_cast<double>(item);
  return each * products_of(p);
}

// --- BLIS: any strides, and several callers at once ---

template <class T> struct Strided {
  const T* data;
  std::int64_t row, column;
};

// Without its kernels for small matrices, whose bits depend on the layout of the operands.
rntm_t* options() {
  thread_local rntm_t r = [] {
    rntm_t made;
    bli_rntm_init_from_global(&made);
    bli_rntm_disable_l3_sup(&made);
    return made;
  }();
  return &r;
}

#define COTAN_GEMM(T, Blis, function)                                                                                \
  void gemm(std::int64_t m, std::int64_t n, std::int64_t k, Strided<T> a, Strided<T> b, T* c, std::int64_t row) {    \
    T one = 1, zero = 0;                                                                                             \
    const auto blis = [](const T* x) { return reinterpret_cast<Blis*>(const_cast<T*>(x)); };                         \
    function(BLIS_NO_TRANSPOSE, BLIS_NO_TRANSPOSE, m, n, k, blis(&one), blis(a.data), a.row, a.column, blis(b.data), \
             b.row, b.column, blis(&zero), blis(c), row, 1, nullptr, options());                                     \
  }
COTAN_GEMM(float, float, bli_sgemm_ex)
COTAN_GEMM(double, double, bli_dgemm_ex)
COTAN_GEMM(std::complex<float>, scomplex, bli_cgemm_ex)
COTAN_GEMM(std::complex<double>, dcomplex, bli_zgemm_ex)
#undef COTAN_GEMM

// The rectangles that a result is cut into, no more than two a thread, as operands are packed again for each. All are above few_products,
// so that they go the same way through BLIS, where what an element is does not hang on its neighbours; and of some hundredths of a
// second at most, since between them the work can be given up.
struct Panels {
  std::int64_t rows, columns, across, count;
  explicit Panels(const DotParams& p) {
    constexpr std::int64_t least_rows = 128, least_columns = 256;
    constexpr double least_products = 2 * few_products, most_products = 1e9;
    const std::int64_t threads = usable_threads(), wanted = threads == 1 ? 1 : 2 * threads,
                       most_down = std::max<std::int64_t>(1, p.m / least_rows),
                       most_across = std::max<std::int64_t>(1, p.n / least_columns);
    const double square = std::sqrt(static_cast<double>(wanted) * static_cast<double>(p.m) / static_cast<double>(p.n));
    std::int64_t down = std::clamp<std::int64_t>(std::llround(std::min(square, 1e6)), 1, std::min(wanted, most_down));
    across = std::min(pieces(wanted, down), most_across);
    down = std::min(pieces(wanted, across), most_down);
    const auto products = [&] {
      rows = multiple_of_16(pieces(p.m, down)), columns = multiple_of_16(pieces(p.n, across));
      return static_cast<double>(rows) * static_cast<double>(columns) * static_cast<double>(p.k);
    };
    while (across > 1 && products() < least_products) --across;
    while (down > 1 && products() < least_products) --down;
    while (products() > most_products && (rows > least_rows || columns > least_columns))
      (rows > columns || columns <= least_columns ? down : across) *= 2;
    across = pieces(p.n, columns);
    count = pieces(p.m, rows) * across;
  }

 private:
  static std::int64_t pieces(std::int64_t n, std::int64_t size) { return (n - 1) / size + 1; }
  static std::int64_t multiple_of_16(std::int64_t n) { return (n + 15) / 16 * 16; }
};

// f(i, j, rows, columns) of each.
template <class F> void each_panel(const DotParams& p, const F& f) {
  const Panels panels(p);
  parallel_for(panels.count, [&](std::int64_t at) {
    const std::int64_t i = at / panels.across * panels.rows, j = at % panels.across * panels.columns;
    f(i, j, std::min(panels.rows, p.m - i), std::min(panels.columns, p.n - j));
  });
}

template <class T> void blas_product(const DotParams& p, const T* lhs, const T* rhs, T* out) {
  each_panel(p, [&](std::int64_t i, std::int64_t j, std::int64_t rows, std::int64_t columns) {
    gemm(rows, columns, p.k, Strided<T>{lhs + i * p.lhs_i, p.lhs_i, p.lhs_k},
         Strided<T>{rhs + j * p.rhs_j, p.rhs_k, p.rhs_j}, out + i * p.n + j, p.n);
  });
}

// --- Matrix times vector by blocks of rows and of k, which stay in cache in another form ---

constexpr std::int64_t most_rows = 256;  // long runs where rows are contiguous

// f(i, rows); `ns` of each element.
template <class F> void each_row_block(const MatrixVector& p, double ns, const F& f) {
  const std::int64_t size = p.row == 1 && p.column != 1 ? most_rows : 32;
  parallel_ranges(p.rows, size, ns * static_cast<double>(p.rows) * static_cast<double>(p.k),
                  [&](std::int64_t first, std::int64_t last) {
                    for (std::int64_t i = first; i < last; i += size) f(i, std::min(size, last - i));
                  });
}
// f(k, n) of chunks.
template <class F> void each_chunk(std::int64_t k, std::int64_t chunk, const F& f) {
  for (std::int64_t at = 0; at < k; at += chunk) f(at, std::min(chunk, k - at));
}

// Real and imaginary parts apart.
template <class T> void split_run(const T* parts, std::int64_t n, T* re, T* im) {
  typedef T Vec __attribute__((vector_size(32)));
  constexpr std::int64_t lanes = 32 / sizeof(T);
  std::int64_t j = 0;
  for (; j + lanes <= n; j += lanes) {
    Vec a, b, even, odd;
    std::memcpy(&a, parts + 2 * j, sizeof a), std::memcpy(&b, parts + 2 * j + lanes, sizeof b);
    if constexpr (lanes == 8) {
      even = __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14);
      odd = __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
    } else {
      even = __builtin_shufflevector(a, b, 0, 2, 4, 6), odd = __builtin_shufflevector(a, b, 1, 3, 5, 7);
    }
    std::memcpy(re + j, &even, sizeof even), std::memcpy(im + j, &odd, sizeof odd);
  }
  for (; j < n; ++j) re[j] = parts[2 * j], im[j] = parts[2 * j + 1];
}

// As products of real matrices: the four of real and imaginary parts, each in the order of matrix_vector. Where rows are contiguous
// the parts of a block are taken apart first; columns that are serve as they are, two real ones each.
template <class T>
void complex_matrix_vector(const MatrixVector& p, const std::complex<T>* matrix, const std::complex<T>* vector,
                           std::complex<T>* out) {
  const bool by_columns = p.row == 1 && p.column != 1, by_rows = !by_columns && p.column == 1;
  constexpr std::int64_t chunk = 256;
  const ScopedBlock packed(static_cast<std::size_t>(2 * p.k) * sizeof(T));
  T *const v_re = static_cast<T*>(packed.data()), *const v_im = v_re + p.k;
  for (std::int64_t k = 0; k < p.k; ++k) v_re[k] = vector[k * p.step].real(), v_im[k] = vector[k * p.step].imag();
  const T* const parts = reinterpret_cast<const T*>(matrix);
  each_row_block(p, 0.05 * sizeof(T), [&](std::int64_t i, std::int64_t rows) {
    const ScopedBlock apart(by_rows ? static_cast<std::size_t>(2 * rows * chunk) * sizeof(T) : 0);
    each_chunk(p.k, chunk, [&](std::int64_t k, std::int64_t n) {
      const T* const at = parts + 2 * (i * p.row + k * p.column);
      T by_re[2 * most_rows], by_im[2 * most_rows];  // by columns: pairs; else the real parts, then the imaginary ones
      std::int64_t pair = 2, im = 1;
      if (by_columns) {
        const MatrixVector pairs{2 * rows, n, 1, 2 * p.column, 1};
        matrix_vector(pairs, at, v_re + k, by_re), matrix_vector(pairs, at, v_im + k, by_im);
      } else {
        MatrixVector part{rows, n, 2 * p.row, 2 * p.column, 1};
        const T *a_re = at, *a_im = at + 1;
        if (by_rows) {
          T *const re = static_cast<T*>(apart.data()), *const imaginary = re + rows * chunk;
          for (std::int64_t r = 0; r < rows; ++r) split_run(at + r * part.row, n, re + r * n, imaginary + r * n);
          a_re = re, a_im = imaginary, part.row = n, part.column = 1;
        }
        matrix_vector(part, a_re, v_re + k, by_re), matrix_vector(part, a_im, v_re + k, by_re + rows);
        matrix_vector(part, a_re, v_im + k, by_im), matrix_vector(part, a_im, v_im + k, by_im + rows);
        pair = 1, im = rows;
      }
      for (std::int64_t r = 0; r < rows; ++r) {
        const std::complex<T> sum{by_re[pair * r] - by_im[pair * r + im], by_im[pair * r] + by_re[pair * r + im]};
        out[i + r] = k == 0 ? sum : out[i + r] + sum;
      }
    });
  });
}

// Of integers, which wrap, so that no order matters.
template <class T> void wrapping_matrix_vector(const MatrixVector& p, const T* matrix, const T* vector, T* out) {
  using Word = std::common_type_t<T, unsigned>;  // of which no product overflows
  constexpr std::int64_t strip = 1024, at_once = 4;
  const ScopedBlock packed(p.step == 1 ? 0 : static_cast<std::size_t>(p.k) * sizeof(T));
  if (p.step != 1) {
    kernel::copy_run(packed.data(), 1, vector, p.step, p.k, sizeof(T));
    vector = static_cast<const T*>(packed.data());
  }
  const bool by_rows = p.row == 1 && p.column != 1;
  const auto strip_sums = [&](std::int64_t first, std::int64_t n, T* __restrict sum) {
    std::fill_n(sum, n, T{0});
    std::int64_t k = 0;
    for (; k + at_once <= p.k; k += at_once) {
      const T *a = matrix + first + k * p.column, *b = a + p.column, *c = b + p.column, *d = c + p.column;
      const Word x = vector[k], y = vector[k + 1], z = vector[k + 2], w = vector[k + 3];
      for (std::int64_t i = 0; i < n; ++i) sum[i] = static_cast<T>(sum[i] + a[i] * x + b[i] * y + c[i] * z + d[i] * w);
    }
    for (; k < p.k; ++k)
      for (std::int64_t i = 0; i < n; ++i)
        sum[i] = static_cast<T>(sum[i] + matrix[first + i + k * p.column] * Word{vector[k]});
  };
  const auto row_sum = [&](const T* row) {
    T sum = 0;
    if (p.column == 1)
      for (std::int64_t k = 0; k < p.k; ++k) sum = static_cast<T>(sum + row[k] * Word{vector[k]});
    else
      for (std::int64_t k = 0; k < p.k; ++k) sum = static_cast<T>(sum + row[k * p.column] * Word{vector[k]});
    return sum;
  };
  const double ns = 0.03 * sizeof(T) * static_cast<double>(p.rows) * static_cast<double>(p.k);
  parallel_ranges(p.rows, by_rows ? strip / 4 : 4, ns, [&](std::int64_t first, std::int64_t last) {
    if (!by_rows)
      for (std::int64_t i = first; i < last; ++i) out[i] = row_sum(matrix + i * p.row);
    else
      for (std::int64_t i = first; i < last; i += strip) strip_sums(i, std::min(strip, last - i), out + i);
  });
}

// --- One product by type ---

template <class T> void real_product(const DotParams& p, const T* lhs, const T* rhs, T* out) {
  if (p.n == 1) return matrix_vector({p.m, p.k, p.lhs_i, p.lhs_k, p.rhs_k}, lhs, rhs, out);
  if (p.m == 1) return matrix_vector({p.n, p.k, p.rhs_j, p.rhs_k, p.lhs_k}, rhs, lhs, out);
  if (products_of(p) <= few_products) small_product(p, lhs, rhs, out);
  else blas_product(p, lhs, rhs, out);
}

// --- 16-bit floats: in float32, rounded once ---

template <class S, class R> void half_matrix_vector(const MatrixVector& p, const S* matrix, const S* vector, R* out) {
  const Widened<S> v({1, p.k, 0, p.step}, vector);
  each_row_block(p, 0.05, [&](std::int64_t i, std::int64_t rows) {
    float sum[most_rows] = {}, part[most_rows];
    each_chunk(p.k, vector_chunk, [&](std::int64_t k, std::int64_t n) {  // those that matrix_vector adds in turn, too
      const Widened<S> block({rows, n, p.row, p.column}, matrix + i * p.row + k * p.column);
      matrix_vector({rows, n, block.row(), block.column(), 1}, block.data(), v.data() + k, part);
      for (std::int64_t r = 0; r < rows; ++r) sum[r] = k == 0 ? part[r] : sum[r] + part[r];
    });
    Rounded<R> result(1, rows, out + i, rows);
    std::copy_n(sum, rows, result.data());
    result.finish();
  });
}

template <class S, class R> void half_product(const DotParams& p, const S* lhs, const S* rhs, R* out) {
  if (p.n == 1) return half_matrix_vector({p.m, p.k, p.lhs_i, p.lhs_k, p.rhs_k}, lhs, rhs, out);
  if (p.m == 1) return half_matrix_vector({p.n, p.k, p.rhs_j, p.rhs_k, p.lhs_k}, rhs, lhs, out);
  const auto block = [&](std::int64_t i, std::int64_t j, std::int64_t rows, std::int64_t columns) {
    const Widened<S> a({rows, p.k, p.lhs_i, p.lhs_k}, lhs + i * p.lhs_i);
    const Widened<S> b({p.k, columns, p.rhs_k, p.rhs_j}, rhs + j * p.rhs_j);
    Rounded<R> c(rows, columns, out + i * p.n + j, p.n);
    if (products_of(p) <= few_products)
      small_product({1, rows, columns, p.k, 0, a.row(), a.column(), 0, b.row(), b.column()}, a.data(), b.data(),
                    c.data());
    else
      gemm(rows, columns, p.k, Strided<float>{a.data(), a.row(), a.column()},
           Strided<float>{b.data(), b.row(), b.column()}, c.data(), c.row());
    c.finish();
  };
  if (products_of(p) <= few_products) block(0, 0, p.m, p.n);
  else each_panel(p, block);
}

template <class T>
void complex_product(const DotParams& p, const std::complex<T>* lhs, const std::complex<T>* rhs, std::complex<T>* out) {
  if (products_of(p) > 1024 && p.n == 1)
    return complex_matrix_vector({p.m, p.k, p.lhs_i, p.lhs_k, p.rhs_k}, lhs, rhs, out);
  if (products_of(p) > 1024 && p.m == 1)
    return complex_matrix_vector({p.n, p.k, p.rhs_j, p.rhs_k, p.lhs_k}, rhs, lhs, out);
  if (products_of(p) > 1024) return blas_product(p, lhs, rhs, out);
  for (std::int64_t i = 0; i < p.m; ++i)
    for (std::int64_t j = 0; j < p.n; ++j) {
      T re = 0, im = 0;
      for (std::int64_t k = 0; k < p.k; ++k) {
        const std::complex<T> a = lhs[i * p.lhs_i + k * p.lhs_k], b = rhs[k * p.rhs_k + j * p.rhs_j];
        re += a.real() * b.real() - a.imag() * b.imag();
        im += a.real() * b.imag() + a.imag() * b.real();
      }
      out[i * p.n + j] = {re, im};
    }
}

template <class T> void wrapping_product(const DotParams& p, const T* lhs, const T* rhs, T* out) {
  if (p.n == 1) return wrapping_matrix_vector({p.m, p.k, p.lhs_i, p.lhs_k, p.rhs_k}, lhs, rhs, out);
  if (p.m == 1) return wrapping_matrix_vector({p.n, p.k, p.rhs_j, p.rhs_k, p.lhs_k}, rhs, lhs, out);
  small_product(p, lhs, rhs, out);
}

// In 16 bits, of which the low ones are the result: there is no multiplication of bytes.
void byte_product(const DotParams& p, const std::uint8_t* lhs, const std::uint8_t* rhs, std::uint8_t* out) {
  using Wide = std::uint16_t;
  const auto widened = [](const std::uint8_t* from, std::int64_t row, std::int64_t column, std::int64_t rows,
                          std::int64_t columns, void* to) {
    Wide* w = static_cast<Wide*>(to);
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < columns; ++j) *w++ = from[i * row + j * column];
    return static_cast<const Wide*>(to);
  };
  const auto bytes = [](std::int64_t n) { return static_cast<std::size_t>(n) * sizeof(Wide); };
  const ScopedBlock a(bytes(p.m * p.k)), b(bytes(p.k * p.n)), c(bytes(p.m * p.n));
  DotParams wide = p;
  wide.lhs_i = p.k, wide.lhs_k = 1, wide.rhs_k = p.n, wide.rhs_j = 1;
  Wide* const result = static_cast<Wide*>(c.data());
  wrapping_product(wide, widened(lhs, p.lhs_i, p.lhs_k, p.m, p.k, a.data()),
                   widened(rhs, p.rhs_k, p.rhs_j, p.k, p.n, b.data()), result);
  for (std::int64_t i = 0; i < p.m * p.n; ++i) out[i] = static_cast<std::uint8_t>(result[i]);
}

// An or of ands. Row by row of the right operand, over blocks of it that stay in cache.
void bool_product(const DotParams& p, const std::uint8_t* lhs, const std::uint8_t* rhs, std::uint8_t* out) {
  std::fill_n(out, p.m * p.n, std::uint8_t{0});
  const ScopedBlock packed(p.rhs_j == 1 || p.n == 1 ? 0 : static_cast<std::size_t>(p.k * p.n));
  std::int64_t row = p.rhs_k;
  if (packed.data() != nullptr) {
    const std::int64_t to[2] = {p.n, 1}, from[2] = {p.rhs_k, p.rhs_j}, n[2] = {p.k, p.n};
    kernel::copy_nd(packed.data(), to, rhs, from, n, 2, 1);
    rhs = static_cast<const std::uint8_t*>(packed.data()), row = p.n;
  }
  constexpr std::int64_t block_k = 64, block_j = 2048;
  parallel_ranges(p.m, 1, product_ns(p, 1), [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t j0 = 0; j0 < p.n; j0 += block_j)
      for (std::int64_t k0 = 0; k0 < p.k; k0 += block_k)
        for (std::int64_t i = first; i < last; ++i) {
          std::uint8_t* __restrict c = out + i * p.n + j0;
          const std::int64_t count = std::min(block_j, p.n - j0);
          for (std::int64_t k = k0; k < std::min(k0 + block_k, p.k); ++k) {
            const std::uint8_t a = lhs[i * p.lhs_i + k * p.lhs_k];
            const std::uint8_t* __restrict b = rhs + k * row + j0;
            for (std::int64_t j = 0; j < count; ++j) c[j] = static_cast<std::uint8_t>(c[j] | (a & b[j]));
          }
        }
  });
}

// Products in batches: each is cut where there are few large ones, else they are shared out whole.
template <class T, class R = T>
void batches(void (*product)(const DotParams&, const T*, const T*, R*), const DotParams& p, const void* lhs,
             const void* rhs, void* out) {
  if (p.k == 0) {
    std::memset(out, 0, static_cast<std::size_t>(p.batch * p.m * p.n) * sizeof(R));
    return;
  }
  const auto run = [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t b = first; b < last; ++b) {
      poll_interrupt();
      product(p, static_cast<const T*>(lhs) + b * p.lhs_b, static_cast<const T*>(rhs) + b * p.rhs_b,
              static_cast<R*>(out) + b * p.m * p.n);
    }
  };
  constexpr double large_ns = 200e3;
  const double ns = product_ns(p, std::max(sizeof(T), std::is_integral_v<T> ? 1 : sizeof(float)));
  if (ns > large_ns && p.batch < 8 * usable_threads()) run(0, p.batch);
  else parallel_ranges(p.batch, 1, ns * static_cast<double>(p.batch), run);
}

template <class S> void half_batches(const DotParams& p, const void* lhs, const void* rhs, void* out, bool in_float32) {
  if (in_float32) batches<S, float>(half_product, p, lhs, rhs, out);
  else batches<S>(half_product, p, lhs, rhs, out);
}

}  // namespace

void dot(DType d, const DotParams& p, const void* lhs, const void* rhs, void* out, bool in_float32) {
  if (p.batch == 0 || p.m == 0 || p.n == 0) return;
  switch (d) {
    case DType::bfloat16: return half_batches<BFloat16>(p, lhs, rhs, out, in_float32);
    case DType::float16: return half_batches<Float16>(p, lhs, rhs, out, in_float32);
    case DType::float32: return batches<float>(real_product, p, lhs, rhs, out);
    case DType::float64: return batches<double>(real_product, p, lhs, rhs, out);
    case DType::complex64: return batches<std::complex<float>>(complex_product, p, lhs, rhs, out);
    case DType::complex128: return batches<std::complex<double>>(complex_product, p, lhs, rhs, out);
    case DType::bool_: return batches<std::uint8_t>(bool_product, p, lhs, rhs, out);
    case DType::int8:
    case DType::uint8: return batches<std::uint8_t>(byte_product, p, lhs, rhs, out);
    case DType::int16:
    case DType::uint16: return batches<std::uint16_t>(wrapping_product, p, lhs, rhs, out);
    case DType::int32:
    case DType::uint32: return batches<std::uint32_t>(wrapping_product, p, lhs, rhs, out);
    case DType::int64:
    case DType::uint64: return batches<std::uint64_t>(wrapping_product, p, lhs, rhs, out);
    default: throw NotImplementedError(std::string("matrix product of ") + dtype_name(d) + " is not implemented");
  }
}

}  // namespace cotan::runtime
