#include "ops/lanes.h"

#include <utility>

#include "ops/common.h"
#include "ops/elementary_host.h"
#include "ops/elementwise.h"
#include "ops/loop_hook.h"
#include "ops/reduction.h"
#include "ops/special.h"
#include "ops/structural.h"

namespace cotan::ops::lanes {

namespace {

constexpr auto f64 = DType::float64;
thread_local Within* innermost = nullptr;

using Arrays = std::vector<Array>;

ExpansionLoop installed_loop = nullptr;

}  // namespace

Within::Within(const Shape& shape) : outer_(std::exchange(innermost, this)), shape_(&shape), active_(true) {}
Within::Within(const Mask& m) : outer_(innermost), shape_(outer_->shape_), active_(outer_->active_ && m) {
  innermost = this;
}
Within::~Within() { innermost = outer_; }
const Shape& Within::shape() { return *innermost->shape_; }
const Mask& Within::active() { return innermost->active_; }

// --- numbers --------------------------------------------------------------------------------------------------------------------
Array Mask::array() const {
  return known_ ? convert_element_type(scalar_int(DType::int32, all_), DType::bool_) : which_;
}
Array Lanes::array() const { return known_ ? scalar(f64, number_) : array_; }
Array Lanes::wide() const { return broadcast_to_shape(array(), Within::shape()); }

Mask operator&&(const Mask& a, const Mask& b) {
  if (a.known()) return a.all() ? b : a;
  if (b.known()) return b.all() ? a : b;
  return Mask(bit_and(a.array(), b.array()));
}
Mask operator||(const Mask& a, const Mask& b) { return !(!a && !b); }
Mask operator!(const Mask& a) { return a.known() ? Mask(!a.all()) : Mask(bit_not(a.array())); }

#define COTAN_LANES_2(R, name, host_value, recorded) \
  R name(const Lanes& x, const Lanes& y) {           \
    if (x.known() && y.known()) {                    \
      const double a = x.number(), b = y.number();   \
      return R(host_value);                          \
    }                                                \
    return R(recorded(x.array(), y.array()));        \
  }
COTAN_LANES_2(Lanes, operator+, a + b, add)
COTAN_LANES_2(Lanes, operator-, a - b, sub)
COTAN_LANES_2(Lanes, operator*, a* b, mul)
COTAN_LANES_2(Lanes, operator/, a / b, div)
COTAN_LANES_2(Mask, operator<, a < b, lt)
COTAN_LANES_2(Mask, operator<=, a <= b, le)
COTAN_LANES_2(Mask, operator>, a > b, gt)
COTAN_LANES_2(Mask, operator>=, a >= b, ge)
COTAN_LANES_2(Mask, operator==, a == b, eq)
COTAN_LANES_2(Mask, operator!=, a != b, ne)
COTAN_LANES_2(Lanes, pow, host::pow(a, b), ops::pow)
COTAN_LANES_2(Lanes, atan2, host::atan2(a, b), ops::atan2)
COTAN_LANES_2(Lanes, fmod, std::fmod(a, b), rem)
#undef COTAN_LANES_2
Lanes copysign(const Lanes& x, const Lanes& y) {
  const auto word = [](const Lanes& v) { return bitcast_convert_type(v.array(), DType::uint64); };
  const Array sign = scalar_int(DType::uint64, std::numeric_limits<std::int64_t>::min());
  const Array magnitude = bit_and(word(x), bit_not(sign));
  return Lanes(bitcast_convert_type(bit_or(magnitude, bit_and(word(y), sign)), f64));
}
Lanes polygamma(const Lanes& m, const Lanes& x) { return Lanes(ops::polygamma(m.array(), x.array())); }
Lanes zeta(const Lanes& s, const Lanes& q) { return Lanes(ops::zeta(s.array(), q.array())); }

#define COTAN_LANES_1(name, host_value, recorded)      \
  Lanes name(const Lanes& x) {                         \
    if (!x.known()) return Lanes(recorded(x.array())); \
    const double a = x.number();                       \
    return host_value;                                 \
  }
COTAN_LANES_1(operator-, -a, neg)
COTAN_LANES_1(abs, std::abs(a), ops::abs)
COTAN_LANES_1(floor, std::floor(a), ops::floor)
COTAN_LANES_1(sqrt, std::sqrt(a), ops::sqrt)
#define COTAN_LANES_HOST(name) COTAN_LANES_1(name, host::name(a), ops::name)
// clang-format off
COTAN_LANES_HOST(exp) COTAN_LANES_HOST(expm1) COTAN_LANES_HOST(log) COTAN_LANES_HOST(log1p) COTAN_LANES_HOST(sin)
COTAN_LANES_HOST(cos) COTAN_LANES_HOST(atan) COTAN_LANES_HOST(erf_inv)
// clang-format on
#undef COTAN_LANES_HOST
#undef COTAN_LANES_1
        Lanes rint(const Lanes& x) {
  return Lanes(round(x.array(), RoundingMethod::to_nearest_even));
}
Lanes erf(const Lanes& x) { return Lanes(ops::erf(x.array())); }
Lanes erfc(const Lanes& x) { return Lanes(ops::erfc(x.array())); }
Lanes lgamma(const Lanes& x) { return Lanes(ops::lgamma(x.array())); }
Lanes digamma(const Lanes& x) { return Lanes(ops::digamma(x.array())); }
Lanes gamma(const Lanes& x) { return Lanes(gamma_p(x.array())); }

// The factors are cut in halves, whose products are exact: the first one cancels against z, and the rest is small.
Lanes fma(const Lanes& x, const Lanes& y, const Lanes& z) {
  const auto high = [](const Lanes& v) {
    const Array kept = scalar_int(DType::uint64, -(std::int64_t{1} << 27));
    return Lanes(bitcast_convert_type(bit_and(bitcast_convert_type(v.array(), DType::uint64), kept), f64));
  };
  const Lanes x1 = high(x), y1 = high(y), x0 = x - x1, y0 = y - y1;
  return ((x1 * y1 + z) + (x1 * y0 + x0 * y1)) + x0 * y0;
}

// --- branches and loops -----------------------------------------------------------------------------------------------------------
Lanes select(const Mask& which, const Lanes& if_true, const Lanes& if_false) {
  if (which.known()) return which.all() ? if_true : if_false;
  return Lanes(ops::select(broadcast_to_shape(which.array(), Within::shape()), if_true.wide(), if_false.wide()));
}

Arrays while_loop(const Step& condition, const Step& body, const Arrays& init) {
  return installed_loop(condition, body, init);
}

namespace {

Array any_lane(const Array& x) { return reduce_or(x, IntList::range(x.ndim())); }
Array wide(const Mask& m) { return broadcast_to_shape(m.array(), Within::shape()); }

}  // namespace

Arrays iterate_arrays(const Arrays& init, const std::function<Mask(const Arrays&)>& going, const Step& step) {
  // The last carry says which lanes went on, so that the condition is written once: the last turn only finds that none does.
  Arrays first = init;
  first.push_back(wide(Within::active()));
  const auto condition = [](const Arrays& v) { return Arrays{any_lane(v.back())}; };
  const auto body = [&](const Arrays& v) {
    const Arrays before(v.begin(), v.end() - 1);
    const Array on = wide(Mask(v.back()) && going(before));
    const Within within{Mask(on)};
    Arrays after = step(before);
    for (std::size_t i = 0; i < after.size(); ++i) after[i] = ops::select(on, after[i], before[i]);
    after.push_back(on);
    return after;
  };
  Arrays last = while_loop(condition, body, first);
  last.pop_back();
  return last;
}

Arrays repeat_arrays(int n, const Arrays& init, const std::function<Arrays(Lanes, const Arrays&)>& step) {
  Arrays first = init;
  first.push_back(scalar_int(DType::int32, 0));
  const auto condition = [n](const Arrays& v) { return Arrays{lt(v.back(), scalar_int(DType::int32, n))}; };
  const auto body = [&](const Arrays& v) {
    Arrays after = step(Lanes(convert_element_type(v.back(), f64)), Arrays(v.begin(), v.end() - 1));
    after.push_back(add(v.back(), scalar_int(DType::int32, 1)));
    return after;
  };
  Arrays last = while_loop(condition, body, first);
  last.pop_back();
  return last;
}

Lanes sum_of(const double* first, const double* second, std::size_t n, const std::function<Lanes(Lanes, Lanes)>& term) {
  const auto table = [n](const double* v) {
    return evaluation_hook().from_bytes({Shape{static_cast<std::int64_t>(n)}, f64, false}, v);
  };
  const Array a = table(first), b = table(second);
  const auto sum = [&](const Lanes& i, const Arrays& v) {
    const Array last = scalar_int(DType::int32, static_cast<std::int64_t>(n) - 1);
    const Array row = sub(last, convert_element_type(i.array(), DType::int32));
    const auto at = [&](const Array& t) { return Lanes(reshape(dynamic_slice(t, {&row, 1}, {1}), Shape{})); };
    return Arrays{(Lanes(v[0]) + term(at(a), at(b))).wide()};
  };
  return Lanes(repeat_arrays(static_cast<int>(n), {Lanes(0).wide()}, sum)[0]);
}

}  // namespace cotan::ops::lanes

namespace cotan::ops {
void install_expansion_loop(ExpansionLoop f) { lanes::installed_loop = f; }
}  // namespace cotan::ops
