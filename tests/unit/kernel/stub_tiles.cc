#include "stub_tiles.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <mutex>
#include <type_traits>

#include "kernel/reduce.h"

namespace cotan::kernel::test {

namespace {

template <class T> const T& operand(void* const* p, std::uint16_t reg, std::uint8_t step, std::size_t i) {
  return static_cast<const T*>(p[reg])[step * i];
}

template <class T, class R, class F> void unary(void* const* p, const Ins* in, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    static_cast<R*>(p[in->dst])[i] = static_cast<R>(F{}(operand<T>(p, in->a, in->step_a, i)));
}
template <class T, class R, class F> void binary(void* const* p, const Ins* in, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    static_cast<R*>(p[in->dst])[i] =
        static_cast<R>(F{}(operand<T>(p, in->a, in->step_a, i), operand<T>(p, in->b, in->step_b, i)));
}
template <class T> void select(void* const* p, const Ins* in, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const bool which = operand<std::uint8_t>(p, in->a, in->step_a, i) != 0;
    static_cast<T*>(p[in->dst])[i] = which ? operand<T>(p, in->c, in->step_c, i) : operand<T>(p, in->b, in->step_b, i);
  }
}
template <class T, class F> void row(void* const* p, const Ins* in, std::size_t n) {
  const T* x = static_cast<const T*>(p[in->a]);
  T r = x[0];
  for (std::size_t i = 1; i < n; ++i) r = static_cast<T>(F{}(r, x[i]));
  *static_cast<T*>(p[in->dst]) = r;
}

struct Add {
  template <class T> auto operator()(T a, T b) const { return a + b; }
};
struct Mul {
  template <class T> auto operator()(T a, T b) const { return a * b; }
};
struct And {
  template <class T> auto operator()(T a, T b) const { return a & b; }
};
struct Or {
  template <class T> auto operator()(T a, T b) const { return a | b; }
};
struct Xor {
  template <class T> auto operator()(T a, T b) const { return a ^ b; }
};
struct Lt {
  template <class T> auto operator()(T a, T b) const { return a < b; }
};
struct Neg {
  template <class T> auto operator()(T a) const { return T{} - a; }
};
struct Same {
  template <class T> auto operator()(T a) const { return a; }
};
template <bool high> struct Extreme {
  template <class T> T operator()(T a, T b) const {
    if (a != a) return a;
    if (b != b) return b;
    return (high ? a < b : b < a) ? b : a;
  }
};
template <class T, bool high> void arg(void* const* p, const Ins* in, std::size_t n) {
  const T* x = static_cast<const T*>(p[in->a]);
  std::int64_t best = 0;
  for (std::size_t i = 1; i < n; ++i) {
    const T b = x[best];
    if ((high ? x[i] > b : x[i] < b) || (x[i] != x[i] && b == b)) best = static_cast<std::int64_t>(i);
  }
  *static_cast<std::int64_t*>(p[in->dst]) = best;
}

// Unsigned arithmetic wraps; what is signed only matters to max, min and lt.
template <class T>
using Wrapping = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>, std::type_identity<T>>::type;

template <class T> void add_arithmetic(TileRegistry& r, DType d) {
  using W = Wrapping<T>;
  r.add("add", 2, d, binary<W, W, Add>);
  r.add("mul", 2, d, binary<W, W, Mul>);
  r.add("neg", 1, d, unary<W, W, Neg>);
  r.add("select", 3, d, select<T>);
  r.add("reduce_sum", 1, d, row<W, Add>);
  r.add("reduce_prod", 1, d, row<W, Mul>);
}
template <class T> void add_order(TileRegistry& r, DType d) {
  r.add("lt", 2, d, binary<T, std::uint8_t, Lt>, true);
  r.add("max", 2, d, binary<T, T, Extreme<true>>);
  r.add("min", 2, d, binary<T, T, Extreme<false>>);
  r.add("reduce_max", 1, d, row<T, Extreme<true>>);
  r.add("reduce_min", 1, d, row<T, Extreme<false>>);
  r.add("argmax", 1, d, arg<T, true>);
  r.add("argmin", 1, d, arg<T, false>);
}
template <class T> void add_bits(TileRegistry& r, DType d) {
  r.add("and", 2, d, binary<T, T, And>);
  r.add("or", 2, d, binary<T, T, Or>);
  r.add("xor", 2, d, binary<T, T, Xor>);
  r.add("reduce_and", 1, d, row<T, And>);
  r.add("reduce_or", 1, d, row<T, Or>);
  r.add("reduce_xor", 1, d, row<T, Xor>);
}

float from_bfloat16(std::uint16_t h) {
  const std::uint32_t u = static_cast<std::uint32_t>(h) << 16;
  float f;
  std::memcpy(&f, &u, sizeof f);
  return f;
}
struct Widen {
  float operator()(std::uint16_t h) const { return from_bfloat16(h); }
};
struct Narrow {
  std::uint16_t operator()(float f) const {
    std::uint32_t u;
    std::memcpy(&u, &f, sizeof u);
    return static_cast<std::uint16_t>((u + 0x7fff + (u >> 16 & 1)) >> 16);
  }
};

void register_stubs(TileRegistry& r) {
  add_arithmetic<std::int8_t>(r, DType::int8), add_order<std::int8_t>(r, DType::int8),
      add_bits<std::int8_t>(r, DType::int8);
  add_arithmetic<std::int32_t>(r, DType::int32), add_order<std::int32_t>(r, DType::int32),
      add_bits<std::int32_t>(r, DType::int32);
  add_arithmetic<std::int64_t>(r, DType::int64), add_order<std::int64_t>(r, DType::int64),
      add_bits<std::int64_t>(r, DType::int64);
  add_arithmetic<float>(r, DType::float32), add_order<float>(r, DType::float32);
  add_arithmetic<double>(r, DType::float64), add_order<double>(r, DType::float64);
  add_arithmetic<std::complex<float>>(r, DType::complex64);
  add_arithmetic<std::complex<double>>(r, DType::complex128);
  add_bits<std::uint8_t>(r, DType::bool_), add_order<std::uint8_t>(r, DType::bool_);
  r.add("select", 3, DType::bool_, select<std::uint8_t>);
  r.add_convert(DType::float32, DType::float64, unary<float, double, Same>);
  r.add_convert(DType::float64, DType::float32, unary<double, float, Same>);
  r.add_convert(DType::int32, DType::float64, unary<std::int32_t, double, Same>);
  r.add_convert(DType::int32, DType::int8, unary<std::int32_t, std::int8_t, Same>);
  r.add_convert(DType::bool_, DType::int32, unary<std::uint8_t, std::int32_t, Same>);
  r.add_convert(DType::bfloat16, DType::float32, unary<std::uint16_t, float, Widen>);
  r.add_convert(DType::float32, DType::bfloat16, unary<float, std::uint16_t, Narrow>);
}

struct Element {
  alignas(16) char bytes[16] = {};
};

std::int64_t position(std::int64_t offset, const Dims& strides, const std::vector<std::int64_t>& index) {
  for (std::size_t l = 0; l < index.size(); ++l) offset += index[l] * strides[static_cast<std::int64_t>(l)];
  return offset;
}

class Naive {
 public:
  Naive(const Program& p, void* const* buffers)
      : p_(p), buffers_(buffers), index_(static_cast<std::size_t>(p.extents.length())) {}

  void run() {
    if (p_.reduction) return run_reduction();
    each([&] {
      std::vector<Element> made = evaluate();
      for (const Store& s : p_.stores) {
        const std::size_t item = item_size(p_.dtype_of(s.value));
        const Element e = value(s.value, made);
        std::memcpy(static_cast<char*>(buffers_[s.buffer]) +
                        position(s.offset + from_starts(s.starts), s.strides, index_) * static_cast<std::int64_t>(item),
                    e.bytes, item);
      }
    });
  }

 private:
  template <class F> void each(F&& f) {
    if (p_.iterations() == 0) return;
    while (true) {
      f();
      std::size_t l = index_.size();
      while (l > 0 && ++index_[l - 1] == p_.extents[static_cast<std::int64_t>(l) - 1]) index_[--l] = 0;
      if (l == 0) return;
    }
  }

  // Of indices that are 32 bits wide.
  std::int64_t from_starts(const Starts& starts) const {
    std::int64_t n = 0;
    for (const Start& t : starts) {
      std::int32_t i;
      std::memcpy(&i, buffers_[t.buffer], sizeof i);
      if (i < 0) i += static_cast<std::int32_t>(t.wrap);
      n += t.stride * (i < 0 ? 0 : i > t.limit ? t.limit : i);
    }
    return n;
  }

  Element value(Value v, const std::vector<Element>& made) const {
    Element e;
    if (v.kind == ValueKind::instruction) return made[static_cast<std::size_t>(v.index)];
    if (v.kind == ValueKind::constant) {
      std::memcpy(e.bytes, p_.constants[static_cast<std::size_t>(v.index)].value.data(), 16);
      return e;
    }
    const Source& s = p_.sources[static_cast<std::size_t>(v.index)];
    const std::int64_t at = position(s.offset + from_starts(s.starts), s.strides, index_);
    const std::size_t item = item_size(s.dtype);
    if (s.kind == SourceKind::iota) fill_ramp(e.bytes, s.dtype, at, 0, 1);
    else
      std::memcpy(e.bytes, static_cast<const char*>(buffers_[s.buffer]) + at * static_cast<std::int64_t>(item), item);
    return e;
  }

  std::vector<Element> evaluate() const {
    std::vector<Element> made;
    for (const Instruction& in : p_.instructions) {
      Element operands[3], result;
      void* regs[4] = {result.bytes};
      for (std::size_t k = 0; k < 3 && in.operands[k].valid(); ++k)
        operands[k] = value(in.operands[k], made), regs[k + 1] = operands[k].bytes;
      const TileFn fn =
          in.op == nullptr ? tiles().convert_fn(in.type, in.result) : in.op->fn[static_cast<int>(in.type)];
      const Ins ins{fn, 0, 1, 2, 3, 1, 1, 1, 0, in.aux};
      fn(regs, &ins, 1);
      made.push_back(result);
    }
    return made;
  }

  void run_reduction() {
    const Reduction& r = *p_.reduction;
    const DType d = p_.dtype_of(r.value);
    Dims strides = r.strides;
    Dims kept = p_.extents;
    Dims order = Dims::filled(p_.extents.length(), 0);  // strides that number the reduced elements
    std::int64_t reduced_count = 1;
    for (auto l = r.loops.rbegin(); l != r.loops.rend(); ++l)
      strides[*l] = 0, kept[*l] = 1, order[*l] = reduced_count, reduced_count *= p_.extents[*l];
    std::vector<Element> totals(static_cast<std::size_t>(kept.product()));
    std::vector<bool> begun(totals.size());
    std::vector<std::int64_t> best(totals.size());
    const Dims where = [&] {
      Dims w = row_major_strides(kept);
      for (int l : r.loops) w[l] = 0;
      return w;
    }();
    each([&] {
      const auto k = static_cast<std::size_t>(position(0, where, index_));
      const Element e = value(r.value, evaluate());
      const bool first = !begun[k];
      begun[k] = true;
      if (first) totals[k] = e;
      else if (is_arg(r.combiner)) {
        char two[32];
        const std::size_t item = item_size(d);
        std::memcpy(two, totals[k].bytes, item), std::memcpy(two + item, e.bytes, item);
        std::int64_t winner = 0;
        call_tile(arg_reducer(r.combiner, d).row, &winner, two, nullptr, 2);
        if (winner == 1) totals[k] = e, best[k] = position(0, order, index_);
      } else {
        combine(r.combiner, d, totals[k], e);
      }
    });
    Naive places(p_, buffers_);
    for (std::size_t k = 0; k < totals.size(); ++k) {
      std::int64_t rest = static_cast<std::int64_t>(k), at = r.offset;
      for (int l = kept.length() - 1; l >= 0; --l) at += rest % kept[l] * strides[l], rest /= kept[l];
      if (!begun[k] && !is_arg(r.combiner)) reduction_identity(r.combiner, d, totals[k].bytes);
      if (is_arg(r.combiner)) store_indices(totals[k].bytes, r.result, &best[k], 1);
      const std::size_t item = item_size(r.result);
      std::memcpy(static_cast<char*>(buffers_[r.buffer]) + at * static_cast<std::int64_t>(item), totals[k].bytes, item);
    }
  }

  // bfloat16 through float32 (with a rounding per step: compared with tolerance).
  static void combine(Combiner c, DType d, Element& total, const Element& e) {
    const Reducer r = reducer(c, d);
    if (r.widen == nullptr) return call_tile(r.combine, total.bytes, total.bytes, e.bytes, 1);
    Element a, b;
    call_tile(r.widen, a.bytes, total.bytes, nullptr, 1), call_tile(r.widen, b.bytes, e.bytes, nullptr, 1);
    call_tile(r.combine, a.bytes, a.bytes, b.bytes, 1);
    call_tile(r.narrow, total.bytes, a.bytes, nullptr, 1);
  }

  const Program& p_;
  void* const* buffers_;
  std::vector<std::int64_t> index_;
};

}  // namespace

void install_stub_tiles() {
  static std::once_flag once;
  std::call_once(once, [] { set_tile_families(register_stubs); });
}

void naive_run(const Program& p, void* const* buffers) { Naive(p, buffers).run(); }

namespace {
constexpr std::size_t guard = 256;
constexpr char guard_byte = 0x5a;
}  // namespace

TestBuffer::TestBuffer(std::int64_t items, std::size_t item, std::size_t shift)
    : bytes_(static_cast<std::size_t>(items) * item + 2 * guard + 64, guard_byte),
      size_(items * static_cast<std::int64_t>(item)) {
  const auto address = reinterpret_cast<std::uintptr_t>(bytes_.data()) + guard;
  start_ = guard + (64 - address % 64) % 64 + (shift * item) % 64;
}

bool TestBuffer::guards_intact() const {
  const auto last = start_ + static_cast<std::size_t>(size_);
  return std::all_of(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(start_),
                     [](char c) { return c == guard_byte; }) &&
         std::all_of(bytes_.begin() + static_cast<std::ptrdiff_t>(last), bytes_.end(),
                     [](char c) { return c == guard_byte; });
}

}  // namespace cotan::kernel::test
