#include "runtime/sort.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "base/interrupt.h"
#include "base/thread_pool.h"
#include "runtime/element_type.h"
#include "runtime/sort_keys.h"

namespace cotan::runtime {

namespace {

using kernel::RowParams;

// Calls run(first, last) for ranges that make up all rows.
template <class F> void each_row(const RowParams& r, const F& run) {
  constexpr double element_ns = 10;  // about
  const double n = static_cast<double>(r.outer) * static_cast<double>(r.n) * static_cast<double>(r.inner);
  parallel_ranges(r.outer * r.inner, 1, element_ns * n, run);
}

// A key and where its element stood. Places are distinct, so that no two are equal and any algorithm keeps the order.
struct Wide {
  std::uint64_t key, place;
  friend bool operator<(const Wide& a, const Wide& b) { return a.key != b.key ? a.key < b.key : a.place < b.place; }
};
std::uint64_t place_of(std::uint64_t packed) { return packed & 0xffffffff; }
std::uint64_t place_of(const Wide& w) { return w.place; }
std::uint64_t digits_of(std::uint64_t packed) { return packed >> 32; }
std::uint64_t digits_of(const Wide& w) { return w.key; }
std::uint64_t digits_of(std::uint32_t k) { return k; }
std::uint64_t digits_of(std::uint16_t k) { return k; }
std::uint64_t digits_of(std::uint8_t k) { return k; }
template <class U> constexpr bool packs = sizeof(U) <= 4;
// Rows of more elements than 32 bits count are out of memory's reach as keys of 64 bits, and take that form.
constexpr std::int64_t most_packed = std::int64_t{1} << 32;

// Calls f of each record; between blocks the work can be given up.
template <class R, class F> void in_blocks(const std::vector<R>& records, const F& f) {
  constexpr std::size_t block = std::size_t{1} << 18;
  for (std::size_t start = 0; start < records.size(); start += block) {
    poll_interrupt();
    const R* const end = records.data() + std::min(records.size(), start + block);
    for (const R* r = records.data() + start; r != end; ++r) f(*r);
  }
}

// By bytes of the key from the low one, each pass keeping the order of equals. Passes in which all bytes agree are left out.
// The sorted records are in the vector that is returned.
template <class R> std::vector<R>& radix_sort(std::vector<R>& from, std::vector<R>& to, int bytes) {
  const std::size_t n = from.size();
  std::vector<std::size_t> counts(static_cast<std::size_t>(bytes) * 256);
  in_blocks(from, [&](const R& r) {
    for (int b = 0; b < bytes; ++b) ++counts[static_cast<std::size_t>(b) * 256 + (digits_of(r) >> (8 * b) & 255)];
  });
  to.resize(n);
  std::vector<R>*source = &from, *target = &to;
  for (int b = 0; b < bytes; ++b) {
    std::size_t* const count = counts.data() + static_cast<std::size_t>(b) * 256;
    if (count[digits_of((*source)[0]) >> (8 * b) & 255] == n) continue;
    std::size_t starts[256], at = 0;
    for (int d = 0; d < 256; ++d) starts[d] = std::exchange(at, at + count[d]);
    R* const out = target->data();
    in_blocks(*source, [&](const R& r) { out[starts[digits_of(r) >> (8 * b) & 255]++] = r; });
    std::swap(source, target);
  }
  return *source;
}

constexpr std::size_t small_row = 256;  // where comparing is faster than counting

template <class R> std::vector<R>& sort_records(std::vector<R>& r, std::vector<R>& scratch, int bytes) {
  if (r.size() > small_row) return radix_sort(r, scratch, bytes);
  std::sort(r.begin(), r.end());
  return r;
}

// --- one operand: its keys are all there is to move -----------------------------------------------------------------------------
// Elements that share a key but differ in their bits, zeros and NaNs, are put back in the order that they had.
template <class T> void restore(const T* in, std::int64_t step, std::int64_t n, key_of<T> key, T* first) {
  for (std::int64_t i = 0; i < n; ++i)
    if (sort_key(in[i * step]) == key) *first = in[i * step], first += step;
}

template <class T>
void sort_values(const RowParams& rows, const T* in, T* out, std::int64_t first_row, std::int64_t last_row) {
  using U = key_of<T>;
  std::vector<U> keys(static_cast<std::size_t>(rows.n)), scratch;
  for (std::int64_t row = first_row; row < last_row; ++row) {
    poll_interrupt();
    const std::int64_t at = row / rows.inner * rows.n * rows.inner + row % rows.inner, step = rows.inner;
    bool negative_zero = false;
    for (std::int64_t i = 0; i < rows.n; ++i) {
      const T x = in[at + i * step];
      keys[static_cast<std::size_t>(i)] = sort_key(x);
      if constexpr (float_key<T>) negative_zero |= bits_of(x) == top_bit<U>;
    }
    const std::vector<U>& sorted = sort_records(keys, scratch, sizeof(U));
    for (std::int64_t i = 0; i < rows.n; ++i) out[at + i * step] = from_key<T>(sorted[static_cast<std::size_t>(i)]);
    if constexpr (float_key<T>) {
      const auto put_back = [&](U key) {
        const auto first = std::lower_bound(sorted.begin(), sorted.end(), key) - sorted.begin();
        restore(in + at, step, rows.n, key, out + at + first * step);
      };
      if (negative_zero) put_back(top_bit<U>);
      if (sorted.back() == static_cast<U>(~U(0))) put_back(static_cast<U>(~U(0)));
    }
  }
}

// --- several operands: places are sorted, and then all operands moved ---------------------------------------------------------
using Places = std::vector<std::uint64_t>;

template <class R> struct Sorter {
  std::vector<R> records, scratch;

  // Orders `places` by the keys that they have; the first call of a row finds them empty.
  template <class T, class Key> void order(const T* in, std::int64_t step, std::size_t n, Places& places, Key key) {
    const bool first = places.empty();
    records.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t k = key(in[static_cast<std::int64_t>(first ? i : places[i]) * step]);
      if constexpr (std::is_same_v<R, Wide>) records[i] = {k, i};
      else records[i] = k << 32 | i;
    }
    const std::vector<R>& sorted = sort_records(records, scratch, sizeof key(*in));
    Places next(n);
    for (std::size_t i = 0; i < n; ++i) next[i] = first ? place_of(sorted[i]) : places[place_of(sorted[i])];
    places.swap(next);
  }
};

struct RowSorter {
  Sorter<std::uint64_t> packed;
  Sorter<Wide> wide;

  template <class T> void by(const T* in, std::int64_t step, std::size_t n, Places& places) {
    const auto key = [](T x) { return sort_key(x); };
    if (packs<key_of<T>> && static_cast<std::int64_t>(n) < most_packed) packed.order(in, step, n, places, key);
    else wide.order(in, step, n, places, key);
  }
  // The last of several keys first: later orders keep what earlier ones made of equals.
  void by(const SortOperand& o, std::int64_t at, std::int64_t step, std::size_t n, Places& places) {
    with_element_type(o.dtype, [&](auto element) {
      using T = decltype(element);
      const T* in = static_cast<const T*>(o.in) + at;
      if constexpr (is_complex(kernel::dtype_of<T>)) {
        using Part = decltype(in->re);
        const auto* parts = reinterpret_cast<const Part*>(in);
        by(parts + 1, 2 * step, n, places);
        by(parts, 2 * step, n, places);
      } else {
        by(in, step, n, places);
      }
    });
  }
};

template <std::size_t size> struct Item { std::byte bytes[size]; };

template <std::size_t size>
void move_row(const SortOperand& o, std::int64_t at, std::int64_t step, const Places& places) {
  const auto* in = static_cast<const Item<size>*>(o.in) + at;
  auto* out = static_cast<Item<size>*>(o.out) + at;
  for (std::size_t i = 0; i < places.size(); ++i)
    out[static_cast<std::int64_t>(i) * step] = in[static_cast<std::int64_t>(places[i]) * step];
}
void move_row(const SortOperand& o, std::int64_t at, std::int64_t step, const Places& places) {
  switch (item_size(o.dtype)) {
    case 1: return move_row<1>(o, at, step, places);
    case 2: return move_row<2>(o, at, step, places);
    case 4: return move_row<4>(o, at, step, places);
    case 8: return move_row<8>(o, at, step, places);
    default: return move_row<16>(o, at, step, places);
  }
}

}  // namespace

void sort(const kernel::SortParams& p, std::span<const SortOperand> operands) {
  const RowParams& r = p.rows;
  if (r.outer * r.n * r.inner == 0) return;
  if (operands.size() == 1 && !is_complex(operands[0].dtype)) {
    return with_element_type(operands[0].dtype, [&](auto element) {
      using T = decltype(element);
      if constexpr (!is_complex(kernel::dtype_of<T>))
        each_row(r, [&](std::int64_t first, std::int64_t last) {
          sort_values(r, static_cast<const T*>(operands[0].in), static_cast<T*>(operands[0].out), first, last);
        });
    });
  }
  each_row(r, [&](std::int64_t first, std::int64_t last) {
    RowSorter sorter;
    Places places;
    for (std::int64_t row = first; row < last; ++row) {
      poll_interrupt();
      const std::int64_t at = row / r.inner * r.n * r.inner + row % r.inner;
      places.clear();
      for (std::size_t k = static_cast<std::size_t>(p.keys); k-- > 0;)
        sorter.by(operands[k], at, r.inner, static_cast<std::size_t>(r.n), places);
      for (const SortOperand& o : operands)
        if (o.out) move_row(o, at, r.inner, places);
    }
  });
}

namespace {

template <class R, class T>
void largest(const kernel::TopKParams& p, const T* in, T* values, std::int32_t* places, std::int64_t first_row,
             std::int64_t last_row) {
  const RowParams& r = p.rows;
  using U = key_of<T>;
  std::vector<R> records(static_cast<std::size_t>(r.n)), scratch;
  for (std::int64_t row = first_row; row < last_row; ++row) {
    poll_interrupt();
    const std::int64_t o = row / r.inner, j = row % r.inner, at = o * r.n * r.inner + j;
    for (std::int64_t i = 0; i < r.n; ++i) {
      const U k = static_cast<U>(~total_key(in[at + i * r.inner]));  // descending
      const auto place = static_cast<std::uint64_t>(i);
      if constexpr (std::is_same_v<R, Wide>) records[place] = {k, place};
      else records[place] = std::uint64_t{k} << 32 | place;
    }
    const R* sorted = records.data();
    if (p.k > r.n / 16) {
      sorted = sort_records(records, scratch, sizeof(U)).data();
    } else {
      std::nth_element(records.begin(), records.begin() + p.k, records.end());
      std::sort(records.begin(), records.begin() + p.k);
    }
    for (std::int64_t i = 0; i < p.k; ++i) {
      const auto place = static_cast<std::int64_t>(place_of(sorted[i]));
      const std::int64_t to = (o * p.k + i) * r.inner + j;
      values[to] = in[at + place * r.inner];
      places[to] = static_cast<std::int32_t>(place);
    }
  }
}

}  // namespace

void top_k(DType d, const kernel::TopKParams& p, const void* in, void* values, void* places) {
  if (p.k * p.rows.outer * p.rows.inner == 0) return;
  with_element_type(d, [&](auto element) {
    using T = decltype(element);
    if constexpr (!is_complex(kernel::dtype_of<T>)) {
      using R = std::conditional_t<packs<key_of<T>>, std::uint64_t, Wide>;
      each_row(p.rows, [&](std::int64_t first, std::int64_t last) {
        largest<R>(p, static_cast<const T*>(in), static_cast<T*>(values), static_cast<std::int32_t*>(places), first,
                   last);
      });
    }
  });
}

}  // namespace cotan::runtime
