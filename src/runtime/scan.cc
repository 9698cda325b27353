#include "runtime/scan.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <vector>

#include "base/interrupt.h"
#include "base/thread_pool.h"
#include "kernel/copy.h"
#include "runtime/element_type.h"

namespace cotan::runtime {

namespace {

using kernel::Complex;
using kernel::ScanParams;

// --- the type in which elements are combined ---------------------------------------------------------------------------------
// Floats that are added or multiplied: double, so that a prefix of many elements is as exact as one of few. Integers: unsigned, which
// wraps.
template <class T, bool add> struct Wider { using type = std::conditional_t<add, std::make_unsigned_t<T>, T>; };
template <bool add> struct Wider<BFloat16, add> { using type = std::conditional_t<add, double, float>; };
template <bool add> struct Wider<Float16, add> { using type = std::conditional_t<add, double, float>; };
template <bool add> struct Wider<float, add> { using type = std::conditional_t<add, double, float>; };
template <bool add> struct Wider<double, add> { using type = double; };
template <class T, bool add> struct Wider<Complex<T>, add> { using type = Complex<double>; };

float widen(BFloat16 x) { return to_float(x); }
float widen(Float16 x) { return to_float(x); }
template <class T> auto widen(T x) { return x; }
template <class T> Complex<double> widen(Complex<T> x) {
  return {static_cast<double>(x.re), static_cast<double>(x.im)};
}
template <std::floating_point A> void narrow(A x, BFloat16* out) { *out = to_bfloat16(x); }
template <std::floating_point A> void narrow(A x, Float16* out) { *out = to_float16(x); }
template <class A, class T> void narrow(A x, T* out) { *out = static_cast<T>(x); }
template <class T> void narrow(Complex<double> x, Complex<T>* out) {
  *out = {static_cast<T>(x.re), static_cast<T>(x.im)};
}

// --- what combines two elements -----------------------------------------------------------------------------------------------
struct Sum {
  template <class A> static A run(A x, A y) { return static_cast<A>(x + y); }
  static Complex<double> run(Complex<double> x, Complex<double> y) { return {x.re + y.re, x.im + y.im}; }
};
struct Prod {
  template <class A> static A run(A x, A y) {
    if constexpr (std::is_integral_v<A>) return static_cast<A>(std::uint64_t{x} * y);
    else return x * y;
  }
  static Complex<double> run(Complex<double> x, Complex<double> y) {
    using kernel::unfused;
    return {unfused(x.re * y.re) - unfused(x.im * y.im), unfused(x.re * y.im) + unfused(x.im * y.re)};
  }
};
template <bool max> struct Extremum {
  template <class A> static A run(A x, A y) {
    const A best = (max ? x < y : y < x) ? y : x;
    if constexpr (std::is_floating_point_v<A>) {
      using Bits = std::conditional_t<sizeof(A) == 4, std::uint32_t, std::uint64_t>;
      const auto a = std::bit_cast<Bits>(x), b = std::bit_cast<Bits>(y);
      const A of_zeros = std::bit_cast<A>(max ? a & b : a | b), nan = x + y;  // of equals, 0 and -0 among them
      return x != x || y != y ? nan : x == y ? of_zeros : best;
    } else {
      return best;
    }
  }
  static Complex<double> run(Complex<double> x, Complex<double> y) {
    if (x.re != x.re || x.im != x.im) return x;
    if (y.re != y.re || y.im != y.im) return y;
    const bool less = x.re != y.re ? x.re < y.re : x.im < y.im;
    return less == max ? y : x;
  }
};

// --- along contiguous rows ------------------------------------------------------------------------------------------------------
// A block is cut in eight parts that are combined beside each other, for one chain would wait for each addition; then each is
// combined with all before it.
constexpr std::int64_t parts = 8, part = 64, block = parts * part;

template <class F, class T, class A, bool reverse> struct Row {
  const T* in;
  T* out;
  std::int64_t n;

  std::int64_t at(std::int64_t i) const { return reverse ? n - 1 - i : i; }
  A element(std::int64_t i) const { return static_cast<A>(widen(in[at(i)])); }

  // Blocks are read and written with the parts beside each other: element j of part p is at j * parts + p.
  // In reverse both orders are turned around.
  void load(std::int64_t i, T* x) const {
    kernel::transpose_2d(x, parts, in + (reverse ? n - block - i : i), part, part, parts, sizeof(T));
    if constexpr (reverse) std::reverse(x, x + block);
  }
  void store(std::int64_t i, T* x) const {
    if constexpr (reverse) std::reverse(x, x + block);
    kernel::transpose_2d(out + (reverse ? n - block - i : i), part, x, parts, parts, part, sizeof(T));
  }
  // Each part of the block at i by itself: all its elements (unless `all` is false), and its last one.
  template <bool all> void combine_parts(std::int64_t i, A* within, A* totals) const {
    T x[block];
    load(i, x);
    for (std::int64_t p = 0; p < parts; ++p) {
      totals[p] = static_cast<A>(widen(x[p]));
      if constexpr (all) within[p] = totals[p];
    }
    for (std::int64_t j = parts; j < block; j += parts)
      for (std::int64_t p = 0; p < parts; ++p) {
        totals[p] = F::run(totals[p], static_cast<A>(widen(x[j + p])));
        if constexpr (all) within[j + p] = totals[p];
      }
  }
  // What is combined within parts, behind what stands before each; `first`: nothing stands before the first of them.
  void put(std::int64_t i, const A* within, const A* before, bool first) const {
    T x[block];
    for (std::int64_t j = 0; j < block; j += parts)
      for (std::int64_t p = 0; p < parts; ++p) narrow(F::run(before[p], within[j + p]), &x[j + p]);
    for (std::int64_t j = 0; first && j < block; j += parts) narrow(within[j], &x[j]);
    store(i, x);
  }
  // The elements from i on, behind `before` if there is one: whole blocks, and what is left at the end of the row.
  void run(std::int64_t i, std::int64_t end, A before, bool started) const {
    A within[block], totals[parts], stands[parts];
    for (; i + block <= end; i += block) {
      combine_parts<true>(i, within, totals);
      const bool first = !started;
      for (std::int64_t p = 0; p < parts; ++p) {
        stands[p] = before;
        before = started ? F::run(before, totals[p]) : totals[p];
        started = true;
      }
      put(i, within, stands, first);
    }
    for (; i < end; ++i) {
      before = started ? F::run(before, element(i)) : element(i);
      started = true;
      narrow(before, &out[at(i)]);
    }
  }
  // The same by several threads: first what stands before each block. The order of combination is that of one thread.
  void run_shared(double ns) const {
    const std::int64_t blocks = n / block;
    std::vector<A> totals(static_cast<std::size_t>(blocks * parts)), before(static_cast<std::size_t>(blocks));
    constexpr std::int64_t grain = 16;  // blocks
    parallel_ranges(blocks, grain, ns / 4, [&](std::int64_t first, std::int64_t last) {
      poll_interrupt();
      for (std::int64_t b = first; b < last; ++b)
        combine_parts<false>(b * block, nullptr, &totals[static_cast<std::size_t>(b * parts)]);
    });
    A all{};
    for (std::size_t k = 0; k < totals.size(); ++k) {
      if (k % parts == 0) before[k / parts] = all;
      all = k == 0 ? totals[k] : F::run(all, totals[k]);
    }
    parallel_ranges(blocks, grain, ns, [&](std::int64_t first, std::int64_t last) {
      poll_interrupt();
      run(first * block, last == blocks ? n : last * block, before[static_cast<std::size_t>(first)], first > 0);
    });
  }
};

// --- along an outer dimension: many rows beside each other ----------------------------------------------------------------------
constexpr std::int64_t columns = 256;

// `width` of them, at most `columns`.
template <class F, class T, class A>
void scan_columns(const T* in, T* out, std::int64_t n, std::int64_t inner, std::int64_t width, bool reverse) {
  A total[columns];
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t at = (reverse ? n - 1 - i : i) * inner;
    if (i == 0)
      for (std::int64_t j = 0; j < width; ++j) total[j] = static_cast<A>(widen(in[at + j]));
    else
      for (std::int64_t j = 0; j < width; ++j) total[j] = F::run(total[j], static_cast<A>(widen(in[at + j])));
    for (std::int64_t j = 0; j < width; ++j) narrow(total[j], &out[at + j]);
  }
}

constexpr double scan_ns = 0.4;  // an element, about

template <class F, bool add, class T> void scan_all(const ScanParams& p, const T* in, T* out) {
  using A = typename Wider<T, add>::type;
  const std::int64_t outer = p.rows.outer, n = p.rows.n, inner = p.rows.inner;
  const std::int64_t per_row = (inner - 1) / columns + 1;  // units: rows, or some columns of one
  const double ns = scan_ns * static_cast<double>(outer) * static_cast<double>(n) * static_cast<double>(inner);
  constexpr std::int64_t long_row = 1 << 16;
  const auto along_row = [&](std::int64_t at, auto run) {
    if (p.reverse) run(Row<F, T, A, true>{in + at, out + at, n});
    else run(Row<F, T, A, false>{in + at, out + at, n});
  };
  if (inner == 1 && n >= long_row && outer < usable_threads()) {
    for (std::int64_t row = 0; row < outer; ++row)
      along_row(row * n, [&](const auto& r) { r.run_shared(scan_ns * static_cast<double>(n)); });
    return;
  }
  parallel_ranges(outer * per_row, 1, ns, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t unit = first; unit < last; ++unit) {
      const std::int64_t c = unit % per_row * columns, at = unit / per_row * n * inner + c;
      poll_interrupt();
      if (inner > 1) scan_columns<F, T, A>(in + at, out + at, n, inner, std::min(columns, inner - c), p.reverse);
      else along_row(at, [&](const auto& r) { r.run(0, n, A{}, false); });
    }
  });
}

// --- logsumexp --------------------------------------------------------------------------------------------------------------------
// log of the sum so far, as its largest term and the sum divided by that term's exponential.
struct RealLog {
  double largest = -HUGE_VAL, sum = 0;
  void add(double x) {
    if (x == largest) {
      sum += 1;
    } else if (x < largest) {
      sum += std::exp(x - largest);
    } else {
      sum = sum * std::exp(largest - x) + 1;
      largest = x;
    }
  }
  double value() const { return largest + std::log(sum); }
};
struct ComplexLog {
  double largest = -HUGE_VAL;
  Complex<double> sum{0, 0};
  void add(Complex<double> x) {
    const bool more = !(x.re <= largest);
    if (more) {
      const double scale = sum.re == 0 && sum.im == 0 ? 0 : std::exp(largest - x.re);
      sum = {sum.re * scale, sum.im * scale};
      largest = x.re;
    }
    const double size = x.re == largest ? 1 : std::exp(x.re - largest);
    sum.re += size == 0 ? 0 : size * std::cos(x.im);
    sum.im += size == 0 ? 0 : size * std::sin(x.im);
  }
  Complex<double> value() const { return {largest + std::log(std::hypot(sum.re, sum.im)), std::atan2(sum.im, sum.re)}; }
};

template <class T> void scan_log(const ScanParams& p, const T* in, T* out) {
  using Log = std::conditional_t<is_complex(kernel::dtype_of<T>), ComplexLog, RealLog>;
  const std::int64_t outer = p.rows.outer, n = p.rows.n, inner = p.rows.inner;
  constexpr double log_ns = 20;
  const double ns = log_ns * static_cast<double>(outer) * static_cast<double>(n) * static_cast<double>(inner);
  parallel_ranges(outer * inner, 1, ns, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t row = first; row < last; ++row) {
      poll_interrupt();
      const std::int64_t start = row / inner * n * inner + row % inner;
      Log total;
      for (std::int64_t i = 0; i < n; ++i) {
        const std::int64_t at = start + (p.reverse ? n - 1 - i : i) * inner;
        total.add(widen(in[at]));
        if (i == 0) out[at] = in[at];  // as it is
        else narrow(total.value(), &out[at]);
      }
    }
  });
}

}  // namespace

void scan(DType d, const ScanParams& p, const void* in, void* out) {
  if (p.rows.outer * p.rows.n * p.rows.inner == 0) return;
  with_element_type(d, [&](auto element) {
    using T = decltype(element);
    if constexpr (!std::is_same_v<T, kernel::Bool>) {
      const T* const x = static_cast<const T*>(in);
      T* const y = static_cast<T*>(out);
      switch (p.kind) {
        case kernel::ScanKind::sum: return scan_all<Sum, true>(p, x, y);
        case kernel::ScanKind::prod: return scan_all<Prod, true>(p, x, y);
        case kernel::ScanKind::max: return scan_all<Extremum<true>, false>(p, x, y);
        case kernel::ScanKind::min: return scan_all<Extremum<false>, false>(p, x, y);
        case kernel::ScanKind::logsumexp:
          if constexpr (is_inexact(kernel::dtype_of<T>)) scan_log(p, x, y);
          return;
      }
    }
  });
}

}  // namespace cotan::runtime
