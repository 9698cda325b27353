#include "kernel/reduce.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace cotan::kernel {

std::int64_t column_chunk(std::int64_t m) {
  std::int64_t chunk = 64;
  while (chunk * chunk < m) chunk *= 2;
  return chunk;
}

bool reduces_by_rows(std::int64_t m, std::int64_t k, std::int64_t n, bool innermost_reduced) {
  return innermost_reduced ? m >= 32 || m >= k : m >= 32 && n < 8;
}

namespace {

struct Names {
  const char *row, *combine;
};

Names names_of(Combiner c, DType d) {
  const bool b = d == DType::bool_;
  switch (c) {
    case Combiner::sum: return b ? Names{"reduce_or", "or"} : Names{"reduce_sum", "add"};
    case Combiner::prod: return b ? Names{"reduce_and", "and"} : Names{"reduce_prod", "mul"};
    case Combiner::max: return b ? Names{"reduce_or", "or"} : Names{"reduce_max", "max"};
    case Combiner::min: return b ? Names{"reduce_and", "and"} : Names{"reduce_min", "min"};
    case Combiner::bit_and: return {"reduce_and", "and"};
    case Combiner::bit_or: return {"reduce_or", "or"};
    case Combiner::bit_xor: return {"reduce_xor", "xor"};
    case Combiner::argmax: return {"argmax", nullptr};
    case Combiner::argmin: return {"argmin", nullptr};
  }
  return {nullptr, nullptr};
}

TileFn function(const char* name, DType d) {
  const TileOp* op = name == nullptr ? nullptr : tiles().find(name);
  return op == nullptr ? nullptr : op->fn[static_cast<int>(d)];
}

bool is_half(DType d) { return d == DType::bfloat16 || d == DType::float16; }

// The number as an element of type d.
template <class T> void put(void* element, T value) { std::memcpy(element, &value, sizeof value); }
void put_number(DType d, double value, void* element) {
  switch (d) {
    case DType::bfloat16:
      return put(element, static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(static_cast<float>(value)) >> 16));
    case DType::float16:
      return put(element, static_cast<std::uint16_t>(value == 0   ? 0
                                                     : value == 1 ? 0x3c00
                                                     : value < 0  ? 0xfc00
                                                                  : 0x7c00));
    case DType::float32:
    case DType::complex64: return put(element, static_cast<float>(value));
    case DType::float64:
    case DType::complex128: return put(element, value);
    default: return fill_ramp(element, d, static_cast<std::int64_t>(value), 0, 1);
  }
}

}  // namespace

bool reduction_exists(Combiner c, DType d) {
  if (is_arg(c)) return function(names_of(c, d).row, d) != nullptr && arg_reducer(c, d).accumulate != nullptr;
  const Reducer r = reducer(c, d);
  return r.row != nullptr && r.combine != nullptr;
}

Reducer reducer(Combiner c, DType d) {
  Reducer r;
  r.partial = d;
  if (is_half(d) && !is_arg(c)) {
    r.partial = DType::float32;
    r.widen = tiles().convert_fn(d, r.partial), r.narrow = tiles().convert_fn(r.partial, d);
  }
  const Names names = names_of(c, d);
  r.row = function(names.row, r.partial), r.combine = function(names.combine, r.partial);
  if (names.row != nullptr)
    r.rows = tiles().rows_fns(names.row, d), r.partial_rows = tiles().rows_fns(names.row, r.partial).each;
  r.from_zero = c == Combiner::sum && is_inexact(d);
  return r;
}

void reduction_identity(Combiner c, DType d, void* element) {
  std::memset(element, 0, item_size(d));
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const bool ones = c == Combiner::bit_and || (d == DType::bool_ && (c == Combiner::prod || c == Combiner::min));
  if (ones || (is_unsigned_integer(d) && c == Combiner::min)) {
    std::memset(element, d == DType::bool_ ? 1 : 0xff, item_size(d));
  } else if (c == Combiner::prod) {
    put_number(d, 1, element);
  } else if (is_inexact(d) && (c == Combiner::max || c == Combiner::min)) {
    put_number(d, c == Combiner::max ? -infinity : infinity, element);
  } else if (is_signed_integer(d) && (c == Combiner::max || c == Combiner::min)) {
    const int bits = static_cast<int>(8 * item_size(d));
    const auto lowest = std::numeric_limits<std::int64_t>::min() >> (64 - bits);
    fill_ramp(element, d, c == Combiner::max ? lowest : ~lowest, 0, 1);
  }
}

}  // namespace cotan::kernel
