#include "runtime/half_blocks.h"

#include "kernel/half_bits.h"

#if defined(__F16C__)
#include <immintrin.h>
#endif
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("tree-vectorize", "vect-cost-model=dynamic")
#endif

namespace cotan::runtime {

namespace {

template <class S> void widen_run(const S* from, std::int64_t n, float* to) {
  for (std::int64_t i = 0; i < n; ++i) to[i] = kernel::half_to_float(from[i]);
}
// NaNs stay as they are: a product makes them quiet.
template <> void widen_run(const BFloat16* from, std::int64_t n, float* to) {
  for (std::int64_t i = 0; i < n; ++i) to[i] = kernel::bit_copy<float>(static_cast<std::uint32_t>(from[i].bits) << 16);
}
#if defined(__F16C__)
// The instruction gives the same numbers, and quiet NaNs.
template <> void widen_run(const Float16* from, std::int64_t n, float* to) {
  std::int64_t i = 0;
  for (; i + 8 <= n; i += 8)
    _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i))));
  for (; i < n; ++i) to[i] = kernel::half_to_float(from[i]);
}
#endif

template <class S> void widen_block(const BlockShape& s, const S* from, float* to) {
  const bool turned = by_columns(s);
  const std::int64_t runs = turned ? s.columns : s.rows, n = turned ? s.rows : s.columns;
  const std::int64_t step = turned ? s.column : s.row, inner = turned ? s.row : s.column;
  for (std::int64_t i = 0; i < runs; ++i, from += step, to += n) {
    if (inner == 1) widen_run(from, n, to);
    else
      for (std::int64_t j = 0; j < n; ++j) to[j] = kernel::half_to_float(from[j * inner]);
  }
}
template <class R>
void narrow_block(std::int64_t rows, std::int64_t columns, const float* from, R* to, std::int64_t to_row) {
  for (std::int64_t i = 0; i < rows; ++i, from += columns, to += to_row)
    for (std::int64_t j = 0; j < columns; ++j) kernel::float_to_half(from[j], to + j);
}

}  // namespace

void widen(const BlockShape& s, const BFloat16* from, float* to) { widen_block(s, from, to); }
void widen(const BlockShape& s, const Float16* from, float* to) { widen_block(s, from, to); }
void narrow(std::int64_t rows, std::int64_t columns, const float* from, BFloat16* to, std::int64_t to_row) {
  narrow_block(rows, columns, from, to, to_row);
}
void narrow(std::int64_t rows, std::int64_t columns, const float* from, Float16* to, std::int64_t to_row) {
  narrow_block(rows, columns, from, to, to_row);
}

}  // namespace cotan::runtime
