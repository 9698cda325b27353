#include "kernel/reduce.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("tree-vectorize", "vect-cost-model=dynamic", "no-trapping-math")
#endif

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "kernel/half_bits.h"
#include "kernel/tile_types.h"

namespace cotan::kernel {

namespace {

// 16-bit floats compare as float.
template <class E> inline auto key_of(E x) {
  if constexpr (std::is_same_v<E, BFloat16> || std::is_same_v<E, Float16>) return half_to_float(x);
  else return x;
}

template <class K, bool low> inline bool better(K x, K best) {
  const bool beats = low ? x < best : x > best;
  if constexpr (std::is_floating_point_v<K>) return beats | ((x != x) & (best == best));
  else return beats;
}

template <class E, bool low> struct ArgLoops {
  using K = decltype(key_of(E{}));

  static void accumulate(void* values, std::int64_t* indices, const void* data, std::int64_t index, bool first,
                         std::size_t n) {
    const E* __restrict x = static_cast<const E*>(data);
    K* __restrict v = static_cast<K*>(values);
    std::int64_t* __restrict at = indices;
    if (first) {
      for (std::size_t i = 0; i < n; ++i) v[i] = key_of(x[i]), at[i] = index;
      return;
    }
    for (std::size_t i = 0; i < n; ++i) {
      const K k = key_of(x[i]);
      const bool b = better<K, low>(k, v[i]);
      v[i] = b ? k : v[i];
      at[i] = b ? index : at[i];
    }
  }
};

// Calls f with a value of the element type of d; complex types and keys do not come here.
template <class F> void with_type(DType d, F&& f) {
  switch (d) {
    case DType::int8: return f(std::int8_t{});
    case DType::int16: return f(std::int16_t{});
    case DType::int32: return f(std::int32_t{});
    case DType::int64: return f(std::int64_t{});
    case DType::uint16: return f(std::uint16_t{});
    case DType::uint32: return f(std::uint32_t{});
    case DType::uint64: return f(std::uint64_t{});
    case DType::bfloat16: return f(BFloat16{});
    case DType::float16: return f(Float16{});
    case DType::float32: return f(float{});
    case DType::float64: return f(double{});
    default: return f(std::uint8_t{});
  }
}

template <class E> void ramp(E* out, DType d, std::int64_t start, std::int64_t step, std::int64_t n) {
  std::int64_t v = start;
  for (std::int64_t i = 0; i < n; ++i, v += step) {
    if constexpr (std::is_same_v<E, BFloat16> || std::is_same_v<E, Float16>)
      float_to_half(static_cast<float>(v), out + i);
    else if (d == DType::bool_) out[i] = static_cast<E>(v != 0);
    else out[i] = static_cast<E>(v);
  }
}

}  // namespace

ArgReducer arg_reducer(Combiner c, DType d) {
  ArgReducer r;
  const TileOp* op = tiles().find(combiner_name(c));
  if (op == nullptr || op->fn[static_cast<int>(d)] == nullptr || is_complex(d)) return r;
  r.row = op->fn[static_cast<int>(d)];
  with_type(d, [&](auto e) {
    using E = decltype(e);
    r.accumulate = c == Combiner::argmin ? ArgLoops<E, true>::accumulate : ArgLoops<E, false>::accumulate;
  });
  return r;
}

void store_indices(void* dst, DType d, const std::int64_t* indices, std::size_t n) {
  with_type(d, [&](auto e) {
    using E = decltype(e);
    if constexpr (std::is_integral_v<E>)
      for (std::size_t i = 0; i < n; ++i) static_cast<E*>(dst)[i] = static_cast<E>(indices[i]);
  });
}

void fill_ramp(void* dst, DType d, std::int64_t start, std::int64_t step, std::int64_t n) {
  if (is_complex(d)) {
    for (std::int64_t i = 0; i < n; ++i) {
      const auto v = static_cast<double>(start + i * step);
      if (d == DType::complex128) static_cast<double*>(dst)[2 * i] = v, static_cast<double*>(dst)[2 * i + 1] = 0;
      else
        static_cast<float*>(dst)[2 * i] = static_cast<float>(start + i * step), static_cast<float*>(dst)[2 * i + 1] = 0;
    }
    return;
  }
  with_type(d, [&](auto e) { ramp(static_cast<decltype(e)*>(dst), d, start, step, n); });
}

}  // namespace cotan::kernel
