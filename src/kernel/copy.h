// Strided copies of elements of 1, 2, 4, 8 or 16 bytes: what gathering, scattering and structural operations are made of.
// Strides and offsets count elements. Source and destination do not overlap.
#pragma once
#include <cstddef>
#include <cstdint>

namespace cotan::kernel {

// dst[i * dst_stride] = src[i * src_stride] for i < n; a source stride of 0 fills.
void copy_run(void* dst, std::int64_t dst_stride, const void* src, std::int64_t src_stride, std::int64_t n, int item);

// The same over a loop nest of up to max_loops loops, in whatever order is fastest, large ones cut among threads; transposes go block
// by block.
void copy_nd(void* dst, const std::int64_t* dst_strides, const void* src, const std::int64_t* src_strides,
             const std::int64_t* extents, int loops, int item);

// dst[r * dst_stride + c] = src[c * src_stride + r] for r < rows, c < columns.
void transpose_2d(void* dst, std::int64_t dst_stride, const void* src, std::int64_t src_stride, std::int64_t rows,
                  std::int64_t columns, int item);

// 64 bytes of one repeated element.
void splat(void* dst, const void* element, int item);

}  // namespace cotan::kernel
