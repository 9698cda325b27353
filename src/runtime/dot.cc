// Batched matrix products: ours for few multiplications and for vectors, BLIS for large matrices, plain loops for integers.
#include <blis.h>

#include <algorithm>
#include <complex>
#include <cstring>

#include "cotan/errors.h"
#include "base/interrupt.h"
#include "base/thread_pool.h"
#include "kernel/copy.h"
#include "runtime/allocator.h"
#include "runtime/dot_kernels.h"
#include "runtime/library.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("tree-vectorize", "vect-cost-model=dynamic")
#endif

namespace cotan::runtime {

namespace {

using kernel::DotParams;

// Up to so many multiplications the small product is as fast; and libraries have kernels there whose bits depend on the layout.
constexpr double few_products = 1e6;

// About, of one product on one thread; elements of `item` bytes. Vectors make each element of the matrix a load.
double product_ns(const DotParams& p, std::size_t item) {
  const double each = (p.m == 1 || p.n == 1 ? 0.012 : 0.006) * static_cast<double>(item);
  return each * static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k);
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

// The rectangles that a result is cut into, by the shape alone: above few_products, so that all go the same way through BLIS; of some
// hundredths of a second at most, since between them the work can be given up.
struct Panels {
  std::int64_t rows, columns, across, count;
  explicit Panels(const DotParams& p) {
    constexpr std::int64_t least_rows = 128, least_columns = 256, wanted = 8;
    constexpr double least_products = 2 * few_products, most_products = 1e9;
    std::int64_t down =
        std::clamp<std::int64_t>(p.m / least_rows, 1, std::max<std::int64_t>(4, p.m / (2 * least_rows)));
    across = std::clamp<std::int64_t>(pieces(wanted, down), 1, std::max<std::int64_t>(1, p.n / least_columns));
    const auto products = [&] {
      rows = multiple_of_16(pieces(p.m, down)), columns = multiple_of_16(pieces(p.n, across));
      return static_cast<double>(rows) * static_cast<double>(columns) * static_cast<double>(p.k);
    };
    while (across > 1 && products() < least_products) --across;
    while (down > 1 && products() < least_products) --down;
    while (products() > most_products && columns > least_columns) across *= 2;
    across = pieces(p.n, columns);
    count = pieces(p.m, rows) * across;
  }

 private:
  static std::int64_t pieces(std::int64_t n, std::int64_t size) { return (n - 1) / size + 1; }
  static std::int64_t multiple_of_16(std::int64_t n) { return (n + 15) / 16 * 16; }
};

template <class T> void blas_product(const DotParams& p, const T* lhs, const T* rhs, T* out) {
  const Panels panels(p);
  parallel_for(panels.count, [&](std::int64_t at) {
    const std::int64_t i = at / panels.across * panels.rows, j = at % panels.across * panels.columns;
    gemm(std::min(panels.rows, p.m - i), std::min(panels.columns, p.n - j), p.k,
         Strided<T>{lhs + i * p.lhs_i, p.lhs_i, p.lhs_k}, Strided<T>{rhs + j * p.rhs_j, p.rhs_k, p.rhs_j},
         out + i * p.n + j, p.n);
  });
}

// --- One product by type ---

template <class T> void real_product(const DotParams& p, const T* lhs, const T* rhs, T* out) {
  if (p.n == 1) return matrix_vector({p.m, p.k, p.lhs_i, p.lhs_k, p.rhs_k}, lhs, rhs, out);
  if (p.m == 1) return matrix_vector({p.n, p.k, p.rhs_j, p.rhs_k, p.lhs_k}, rhs, lhs, out);
  const double products = static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k);
  if (products <= few_products) small_product(p, lhs, rhs, out);
  else blas_product(p, lhs, rhs, out);
}

template <class T>
void complex_product(const DotParams& p, const std::complex<T>* lhs, const std::complex<T>* rhs, std::complex<T>* out) {
  const double products = static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k);
  if (products > 1024) return blas_product(p, lhs, rhs, out);
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

// A vector on the right stands on the left of the transposed product: there its elements fill no panel.
template <class T> void wrapping_product(const DotParams& p, const T* lhs, const T* rhs, T* out) {
  if (p.n > 1) return small_product(p, lhs, rhs, out);
  DotParams t = p;
  t.m = 1, t.n = p.m, t.lhs_k = p.rhs_k, t.rhs_k = p.lhs_k, t.rhs_j = p.lhs_i;
  small_product(t, rhs, lhs, out);
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
template <class T>
void batches(void (*product)(const DotParams&, const T*, const T*, T*), const DotParams& p, const void* lhs,
             const void* rhs, void* out) {
  if (p.k == 0) {
    std::memset(out, 0, static_cast<std::size_t>(p.batch * p.m * p.n) * sizeof(T));
    return;
  }
  const auto run = [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t b = first; b < last; ++b) {
      poll_interrupt();
      product(p, static_cast<const T*>(lhs) + b * p.lhs_b, static_cast<const T*>(rhs) + b * p.rhs_b,
              static_cast<T*>(out) + b * p.m * p.n);
    }
  };
  constexpr double large_ns = 200e3;
  const double ns = product_ns(p, sizeof(T));
  if (ns > large_ns && p.batch < 8 * usable_threads()) run(0, p.batch);
  else parallel_ranges(p.batch, 1, ns * static_cast<double>(p.batch), run);
}

}  // namespace

void dot(DType d, const DotParams& p, const void* lhs, const void* rhs, void* out) {
  if (p.batch == 0 || p.m == 0 || p.n == 0) return;
  switch (d) {
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
