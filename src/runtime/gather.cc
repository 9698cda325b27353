// Windows of an array at index vectors known at run time.
#include <cstring>
#include <type_traits>

#include "base/thread_pool.h"
#include "runtime/indexed.h"
#include "runtime/library.h"

namespace cotan::runtime {

namespace {

struct Component {
  std::int64_t stride, limit;
  bool clamps;
};

// Calls loop(n, step), as constants where they are what they are in most calls: the compiler makes vectors of such loops.
template <class F> bool with_constants(std::int64_t n, std::int64_t step, F loop) {
  using One = std::integral_constant<std::int64_t, 1>;
  if (step != 1) return loop(n, step);
  if (n != windows_at_once) return loop(n, One{});
  return loop(std::integral_constant<std::int64_t, windows_at_once>{}, One{});
}

// Adds one component of n index vectors to their windows' places; whether all are inside. The first component starts from
// base + m * base_stride.
template <bool first, bool unit, class I>
bool add_component(const Component& c, const I* at, std::int64_t index_stride, std::int64_t base,
                   std::int64_t base_stride, std::int64_t n, std::int64_t* __restrict offsets) {
  const auto limit = static_cast<std::uint64_t>(c.limit);
  const std::int64_t stride = unit ? 1 : c.stride;
  if (c.clamps)
    return with_constants(n, index_stride, [=](auto count, auto step) {
      for (std::int64_t m = 0; m < count; ++m) {
        const I i = at[m * step];
        const std::int64_t before = first ? base + m * base_stride : offsets[m];
        std::int64_t clamped;
        if constexpr (std::is_signed_v<I>) clamped = std::clamp<std::int64_t>(i, 0, c.limit);
        else clamped = static_cast<std::int64_t>(std::min<std::uint64_t>(i, limit));
        offsets[m] = before + clamped * stride;
      }
      return true;
    });
  return with_constants(n, index_stride, [=, stride = static_cast<std::uint64_t>(stride)](auto count, auto step) {
    std::int64_t missing = 0;
    for (std::int64_t m = 0; m < count; ++m) {
      const auto i = static_cast<std::uint64_t>(static_cast<std::int64_t>(at[m * step]));
      const std::int64_t before = first ? base + m * base_stride : offsets[m];
      // As unsigned, what is below 0 is above every limit. All bits of `outside` are set, and it alone is negative.
      std::int64_t mask = i > limit ? outside : 0;
      if (!first) mask |= before >> 63;
      missing |= mask;
      offsets[m] = static_cast<std::int64_t>(static_cast<std::uint64_t>(before) + i * stride) | mask;
    }
    return missing >= 0;
  });
}

template <class I>
bool offsets_as(const IndexedParams& p, const I* indices, std::int64_t index_stride, std::int64_t base,
                std::int64_t base_stride, std::int64_t n, std::int64_t* offsets) {
  const int count = p.component_stride.length();
  if (count == 0)
    for (std::int64_t m = 0; m < n; ++m) offsets[m] = base + m * base_stride;
  bool inside = true;
  for (int k = 0; k < count; ++k) {
    const Component c{p.component_stride[k], p.component_limit[k], p.clamps};
    const auto add = k > 0           ? add_component<false, false, I>
                     : c.stride == 1 ? add_component<true, true, I>
                                     : add_component<true, false, I>;
    inside &= add(c, indices + k, index_stride, base, base_stride, n, offsets);
  }
  return inside;
}

struct Words {
  std::uint64_t low, high;
};

template <class T> struct Read {
  T value;
  void operator()(const T& a, T& b) const { b = a; }
  void fill(T& b) const { b = value; }
  void row(const T* a, T* b, std::int64_t n) const { std::memcpy(b, a, static_cast<std::size_t>(n) * sizeof(T)); }
};

template <class T>
void gather_as(const IndexedParams& p, DType index, const void* indices, const void* array, void* out) {
  Read<T> op;
  std::memcpy(&op.value, p.fill, sizeof(T));
  T* const from = static_cast<T*>(const_cast<void*>(array));
  T* const to = static_cast<T*>(out);
  // Cut along the longest batch loop. A window is a look-up and a copy.
  int longest = 0;
  for (int i = 0; i < p.batch.length(); ++i)
    if (p.batch[i] > p.batch[longest]) longest = i;
  const double windows = static_cast<double>(p.batch.product()),
               ns = windows * (1 + 0.04 * sizeof(T) * static_cast<double>(p.window.product()));
  if (p.batch.empty() || ns < least_parallel_ns()) return each_window(p, op, index, indices, from, to);
  parallel_ranges(p.batch[longest], 64, ns, [&](std::int64_t first, std::int64_t last) {
    IndexedParams part = p;
    part.batch[longest] = last - first;
    const std::int64_t at = first * p.batch_indices[longest] * static_cast<std::int64_t>(item_size(index));
    each_window(part, op, index, static_cast<const char*>(indices) + at, from + first * p.batch_array[longest],
                to + first * p.batch_windows[longest]);
  });
}

}  // namespace

bool window_offsets(const IndexedParams& p, DType index, const void* indices, std::int64_t index_stride,
                    std::int64_t base, std::int64_t base_stride, std::int64_t n, std::int64_t* offsets) {
  const auto as = [&](auto type) {
    return offsets_as(p, static_cast<const decltype(type)*>(indices), index_stride, base, base_stride, n, offsets);
  };
  switch (index) {
    case DType::int8: return as(std::int8_t{});
    case DType::int16: return as(std::int16_t{});
    case DType::int32: return as(std::int32_t{});
    case DType::uint8: return as(std::uint8_t{});
    case DType::uint16: return as(std::uint16_t{});
    case DType::uint32: return as(std::uint32_t{});
    case DType::uint64: return as(std::uint64_t{});
    default: return as(std::int64_t{});
  }
}

void gather(const IndexedParams& p, DType d, DType index, const void* array, const void* indices, void* out) {
  switch (item_size(d)) {
    case 1: return gather_as<std::uint8_t>(p, index, indices, array, out);
    case 2: return gather_as<std::uint16_t>(p, index, indices, array, out);
    case 4: return gather_as<std::uint32_t>(p, index, indices, array, out);
    case 8: return gather_as<std::uint64_t>(p, index, indices, array, out);
    default: return gather_as<Words>(p, index, indices, array, out);
  }
}

}  // namespace cotan::runtime
