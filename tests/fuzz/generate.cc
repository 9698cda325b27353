#include "fuzz/generate.h"

#include "derived/values.h"
#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/gather.h"
#include "ops/reduction.h"
#include "ops/structural.h"

namespace cotan::fuzz {

namespace {

class Generator {
 public:
  Generator(const Program& p, Arrays pool) : program_(p), engine_(p.seed * 2 + 1), pool_(std::move(pool)) {}

  Arrays run() {
    for (std::size_t steps = 4 + below(14); steps > 0; --steps) {
      Array next = step();
      if (next.size() <= (program_.large() ? 20000 : 120) && next.ndim() <= 4) pool_.push_back(std::move(next));
    }
    Arrays out{pool_.back()};
    for (const Array& x : pool_)
      if (below(4) == 0) out.push_back(x);
    return out;
  }

 private:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine_() % n); }
  const Array& any() { return pool_[below(pool_.size())]; }
  bool jumps(const Array& x) const { return program_.smooth && is_inexact(x.dtype()); }

  Array step() {
    switch (below(6)) {
      case 5: return located(any());
      case 0: return unary(any());
      case 1: return binary(any(), any());
      case 2: return structural(any());
      case 3: return reduction(any());
      default: return redundant(any());
    }
  }

  // What passes take apart: there and back, identities, values that follow from constants alone, the same again.
  Array redundant(const Array& x) {
    const int n = x.ndim();
    const DType d = x.dtype();
    switch (below(8)) {
      case 0: return ops::reshape(ops::reshape(x, {x.size()}), x.shape());
      case 1: {
        IntList back;
        for (int i = 0; i < n; ++i) back.push_back(n - 1 - i);
        return ops::transpose(ops::transpose(x, back), back);
      }
      case 2: {
        const Array one = ops::convert_element_type(ops::scalar(DType::float32, 1), d);
        return d == DType::bool_ ? ops::bit_and(x, one) : ops::div(ops::mul(x, one), one);
      }
      case 3: return n > 0 && x.shape()[0] > 0 ? known_row(x) : x;
      case 4: return d == DType::bool_ ? ops::bit_not(ops::bit_not(x)) : ops::neg(ops::neg(x));
      case 5: return ops::select(ops::lt(ops::scalar_int(DType::int32, 2), ops::scalar_int(DType::int32, 3)), x, x);
      case 6: {
        if (!is_floating(d)) return x;
        const Array ramp = ops::mul(ops::iota(d, {4}, 0), ops::scalar(d, 0.25));
        return ops::mul(x, ops::sub(ops::reduce_max(ramp, {0}), ops::reduce_min(ramp, {0})));
      }
      default:
        return d == DType::bool_ ? ops::bit_xor(ops::rev(x, IntList::range(n)), ops::rev(x, IntList::range(n)))
                                 : sine_twice(x);
    }
  }
  Array known_row(const Array& x) {
    std::vector<Array> starts(static_cast<std::size_t>(x.ndim()),
                              ops::scalar_int(DType::int32, static_cast<std::int64_t>(below(3))));
    Shape sizes = x.shape();
    sizes[0] = 1;
    return ops::squeeze(ops::dynamic_slice(x, starts, sizes), {0});
  }
  Array sine_twice(const Array& x) {
    if (is_integer(x.dtype())) return ops::sub(ops::bit_not(x), ops::bit_not(x));
    return ops::sub(ops::sin(x), ops::mul(ops::sin(x), ops::scalar(x.dtype(), 0.5)));
  }

  // Every result stays small, so that errors do.
  Array unary(const Array& x) {
    if (x.dtype() == DType::bool_) return ops::bit_not(x);
    if (is_integer(x.dtype())) {
      switch (below(6)) {
        case 0: return ops::neg(x);
        case 1: return ops::abs(x);
        case 2: return ops::sign(x);
        case 3: return ops::bit_not(x);
        case 4: return ops::convert_element_type(ops::rem(x, ops::scalar_int(x.dtype(), 7)), program_.dtype);
        default: return ops::rem(ops::square(x), ops::scalar_int(x.dtype(), 11));
      }
    }
    switch (below(jumps(x) ? 11 : 15)) {
      case 0: return ops::sin(x);
      case 1: return ops::cos(x);
      case 2: return ops::tanh(x);
      case 3: return ops::exp(ops::neg(ops::abs(x)));
      case 4: return ops::logistic(x);
      case 5: return ops::atan(x);
      case 6: return ops::log1p(ops::square(x));
      case 7: return ops::asinh(x);
      case 8: return ops::sqrt(ops::add(ops::square(x), ops::scalar(x.dtype(), 0.5)));
      case 9: return ops::neg(x);
      case 10: return ops::erf_inv(ops::mul(ops::tanh(x), ops::scalar(x.dtype(), 0.7)));
      case 11: return ops::floor(x);
      case 12: return ops::sign(x);
      case 13: return ops::convert_element_type(x, DType::int32);
      default: return ops::round(x, ops::RoundingMethod::to_nearest_even);
    }
  }

  // y as an operand beside x: of its dtype and shape, or a scalar.
  Array beside(const Array& x, Array y) {
    if (y.dtype() != x.dtype()) {
      if (jumps(y)) return x;
      y = ops::convert_element_type(y, x.dtype());
    }
    if (y.shape() == x.shape() || y.ndim() == 0) return y;
    if (x.dtype() == DType::bool_) return ops::reduce_or(y, IntList::range(y.ndim()));
    return ops::reduce_max(y.size() ? y : ops::zeros_of({Shape{1}, y.dtype(), false}),
                           IntList::range(y.size() ? y.ndim() : 1));
  }

  Array compared(const Array& x, const Array& y) {
    switch (below(4)) {
      case 0: return ops::lt(x, y);
      case 1: return ops::eq(x, y);
      case 2: return ops::ge(x, y);
      default: return ops::ne(x, y);
    }
  }

  Array binary(const Array& x, const Array& other) {
    const Array y = beside(x, other);
    const DType d = x.dtype();
    if (d == DType::bool_) return below(2) ? ops::bit_and(x, y) : ops::bit_xor(x, y);
    if (!jumps(x) && below(4) == 0) return compared(x, y);
    if (below(4) == 0) return chosen(x, y);
    if (is_integer(d)) {
      switch (below(6)) {
        case 0: return ops::add(x, y);
        case 1: return ops::rem(ops::mul(x, y), ops::scalar_int(d, 13));
        case 2: return ops::div(x, y);
        case 3: return ops::bit_xor(x, y);
        case 4: return ops::max(x, y);
        default: return ops::shift_right_arithmetic(x, ops::bit_and(y, ops::scalar_int(d, 7)));
      }
    }
    switch (below(7)) {
      case 0: return ops::add(x, y);
      case 1: return ops::sub(x, y);
      case 2: return ops::mul(x, ops::sin(y));
      case 3: return ops::div(x, ops::add(ops::square(y), ops::scalar(d, 1)));
      case 4: return ops::max(x, y);
      case 5: return ops::min(x, y);
      default: return ops::atan2(x, ops::add(ops::square(y), ops::scalar(d, 1)));
    }
  }

  Array chosen(const Array& x, const Array& y) {
    for (const Array& which : pool_)
      if (which.dtype() == DType::bool_ && (which.ndim() == 0 || which.shape() == x.shape()))
        return ops::select(which, x, ops::broadcast_to_shape(y, x.shape()));
    const DType d = x.dtype();
    return is_integer(d) || is_floating(d) ? ops::clamp(ops::scalar(d, -1), x, ops::scalar(d, 2)) : x;
  }

  Array structural(const Array& x) {
    const int n = x.ndim();
    if (n == 0) return ops::broadcast_in_dim(x, {static_cast<std::int64_t>(1 + below(3))}, {});
    const auto axis = static_cast<std::int64_t>(below(static_cast<std::size_t>(n)));
    const std::int64_t size = x.shape()[axis];
    switch (program_.large() && below(2) ? 5 + below(4) : below(9)) {
      case 0: return ops::reshape(x, {x.size()});
      case 1: {
        IntList p = IntList::range(n);
        for (std::int64_t i = n - 1; i > 0; --i)
          std::swap(p[i], p[static_cast<std::int64_t>(below(static_cast<std::size_t>(i + 1)))]);
        return ops::transpose(x, p);
      }
      case 2: return ops::rev(x, {axis});
      case 3: return ops::expand_dims(x, {axis});
      case 4:
        return size == 1 ? ops::squeeze(x, {axis})
                         : ops::slice_in_dim(x, size > 1 ? 1 : 0, size, 1 + static_cast<std::int64_t>(below(2)),
                                             static_cast<int>(axis));
      case 5: return pad(x, axis);
      case 6: {
        const Array both[] = {below(2) ? x : unary_like(x), below(2) ? unary_like(x) : ops::rev(x, {axis})};
        return below(3) ? ops::concatenate(both, static_cast<int>(axis)) : ops::stack(both, static_cast<int>(axis));
      }
      case 7: {
        Shape s = x.shape();
        s.insert(axis, 2);
        IntList dims;
        for (std::int64_t i = 0; i < n; ++i) dims.push_back(i < axis ? i : i + 1);
        return ops::broadcast_in_dim(x, s, dims);
      }
      default: {
        if (!is_integer(x.dtype()) && !is_floating(x.dtype())) return x;
        return ops::add(x, ops::iota(x.dtype(), x.shape(), static_cast<int>(axis)));
      }
    }
  }

  // Blocks, rows and elements at places that values say, inside and outside of the array.
  Array located(const Array& x) {
    const int n = x.ndim();
    if (n == 0 || x.size() == 0) return structural(x);
    std::vector<Array> starts;
    Shape sizes;
    for (std::int64_t size : x.shape()) {
      sizes.push_back(1 + static_cast<std::int64_t>(below(static_cast<std::size_t>(size))));
      starts.push_back(below(2) ? place() : from_end(place(), size));
    }
    const auto axis = static_cast<int>(below(static_cast<std::size_t>(n)));
    const bool fills = !program_.smooth && below(2);  // with NaN
    const auto mode = fills ? ops::GatherScatterMode::fill_or_drop : ops::GatherScatterMode::clip;
    switch (below(4)) {
      case 0: return ops::dynamic_slice(x, starts, sizes);
      case 1: return ops::dynamic_update_slice(x, unary_like(ops::dynamic_slice(x, starts, sizes)), turned(starts));
      case 2: {
        const Array block = ops::slice(ops::rev(x, IntList::range(n)), IntList::filled(n, 0), sizes);
        return ops::dynamic_update_slice(x, block, starts);
      }
      default: return ops::take_axis(x, ops::concatenate(places(), 0), axis, {false, false, mode});
    }
  }
  Array unary_like(const Array& x) {
    if (x.dtype() == DType::bool_) return ops::bit_not(x);
    return is_floating(x.dtype()) ? ops::sin(x) : ops::neg(x);
  }
  std::vector<Array> turned(std::vector<Array> starts) {
    std::rotate(starts.begin(), starts.begin() + static_cast<std::ptrdiff_t>(below(starts.size())), starts.end());
    return starts;
  }
  // A small integer, of the values of the program where there is one.
  Array place() {
    for (std::size_t k = 0; k < 4; ++k) {
      const Array& x = any();
      if (x.dtype() != DType::int32 || x.size() == 0) continue;
      const Array small = ops::sub(ops::rem(x, ops::scalar_int(DType::int32, 7)), ops::scalar_int(DType::int32, 1));
      return below(2) ? ops::reduce_max(small, IntList::range(x.ndim()))
                      : ops::reduce_min(small, IntList::range(x.ndim()));
    }
    return ops::scalar_int(DType::int32, static_cast<std::int64_t>(below(5)) - 1);
  }
  // Below 0: counted from the end.
  static Array from_end(const Array& i, std::int64_t size) {
    const auto number = [&](std::int64_t n) { return ops::scalar_int(i.dtype(), n); };
    return ops::select(ops::lt(i, number(0)), ops::add(i, number(size)), i);
  }
  std::vector<Array> places() {
    std::vector<Array> v;
    for (std::size_t k = 1 + below(3); k > 0; --k) v.push_back(ops::broadcast_in_dim(place(), {1}, {}));
    return v;
  }

  Array pad(const Array& x, std::int64_t axis) {
    std::vector<ops::PadDim> config(static_cast<std::size_t>(x.ndim()), ops::PadDim{0, 0, 0});
    config[static_cast<std::size_t>(axis)] = {static_cast<std::int64_t>(below(3)) - 1,
                                              static_cast<std::int64_t>(below(3)), static_cast<std::int64_t>(below(2))};
    const std::int64_t n = x.shape()[axis];
    if (n == 0) config[static_cast<std::size_t>(axis)] = {1, 0, 0};
    return ops::pad(x, ops::convert_element_type(ops::scalar(DType::float32, 1), x.dtype()), config);
  }

  Array reduction(const Array& x) {
    if (x.ndim() == 0) return unary(x);
    const IntList axes = below(3) ? IntList{static_cast<std::int64_t>(below(static_cast<std::size_t>(x.ndim())))}
                                  : IntList::range(x.ndim());
    if (x.dtype() == DType::bool_) return below(2) ? ops::reduce_and(x, axes) : ops::reduce_or(x, axes);
    switch (below(jumps(x) ? 5 : 6)) {
      case 0: return is_integer(x.dtype()) ? ops::reduce_sum(x, axes) : ops::sin(ops::reduce_sum(x, axes));
      case 1: return x.size() ? ops::reduce_max(x, axes) : ops::reduce_sum(x, axes);
      case 2: return x.size() ? ops::reduce_min(x, axes) : ops::reduce_sum(x, axes);
      case 3: return is_integer(x.dtype()) ? ops::reduce_prod(x, axes) : ops::reduce_prod(ops::tanh(x), axes);
      case 4: {
        const int last = x.ndim() - 1;
        if (is_integer(x.dtype())) return ops::dot_general(x, x, {{last}, {last}, {}, {}});
        return ops::tanh(ops::dot_general(x, ops::cos(x), {{last}, {last}, {}, {}}));
      }
      default:
        return x.shape()[axes[0]] ? ops::argmax(x, static_cast<int>(axes[0]), DType::int32) : ops::reduce_sum(x, axes);
    }
  }

  const Program& program_;
  std::mt19937_64 engine_;
  Arrays pool_;
};

}  // namespace

std::vector<Aval> Program::in() const {
  std::mt19937_64 r(seed);
  std::vector<Aval> v;
  const auto shape = [&] {
    Shape s;
    for (auto n = r() % 3; n > 0; --n) s.push_back(static_cast<std::int64_t>(r() % 4 + (r() % 8 != 0)));
    if (large()) s.insert(s.ndim() > 0 && r() % 2, static_cast<std::int64_t>(1000 + r() % 1500));
    return s;
  };
  v.push_back({shape(), dtype, false});
  v.push_back({r() % 2 ? v[0].shape : shape(), dtype, false});
  v.push_back({r() % 2 ? v[0].shape : shape(), DType::int32, false});
  if (r() % 2) v.push_back({v[0].shape, DType::bool_, false});
  return v;
}

Arrays Program::operator()(const Arrays& in) const { return Generator(*this, in).run(); }

Arrays Program::operands() const {
  Arrays v;
  for (const Aval& a : in()) v.push_back(derived::operand(a, {}, static_cast<int>(v.size() + seed % 97)));
  return v;
}

}  // namespace cotan::fuzz
