#include "scipy/ode.h"

#include <array>

#include "base/promotion.h"
#include "control/control_flow.h"
#include "control/custom.h"
#include "cotan/numpy.h"
#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/structural.h"

namespace cotan {

namespace {

namespace np = numpy;
using experimental::OdeOptions;
using Slope = std::function<Array(const Array& y, const Array& t)>;

// The method of Dormand and Prince, order 5 with an error estimate of order 4: J. Comp. Appl. Math. 6 (1980), 19-26. The value
// in the middle of a step, for interpolation: L. F. Shampine, Math. Comp. 46 (1986), 135-150.
constexpr double nodes[] = {1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};
constexpr std::array<double, 6> stages[] = {
    {1. / 5},
    {3. / 40, 9. / 40},
    {44. / 45, -56. / 15, 32. / 9},
    {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
    {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
    {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84},
};
constexpr double error_weights[] = {35. / 384 - 5179. / 57600,
                                    0,
                                    500. / 1113 - 7571. / 16695,
                                    125. / 192 - 393. / 640,
                                    -2187. / 6784 + 92097. / 339200,
                                    11. / 84 - 187. / 2100,
                                    -1. / 40};
constexpr double middle_weights[] = {6025192743. / 30085553152. / 2,     0,
                                     51252292925. / 65400821598. / 2,    -2691868925. / 45128329728. / 2,
                                     187940372067. / 1594534317056. / 2, -1776094331. / 19743644256. / 2,
                                     11237099. / 235043384. / 2};

Array combined(std::span<const double> weights, const Arrays& k) {
  Array sum;
  for (std::size_t i = 0; i < weights.size() && i < k.size(); ++i)
    if (weights[i] != 0) sum = sum.has_value() ? sum + weights[i] * k[i] : weights[i] * k[i];
  return sum;
}
Array norm(const Array& x) { return np::sqrt(np::mean(np::square(np::abs(x)))); }
Array where(const Array& which, const Array& a, const Array& b) { return np::where(which, a, b); }

// E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I, section II.4.
Array first_step(const Slope& f, const Array& t, const Array& y, const Array& f0, const OdeOptions& o) {
  const Array scale = o.atol + np::abs(y) * o.rtol;
  const Array d0 = norm(y / scale), d1 = norm(f0 / scale);
  const Array h0 = where((d0 < 1e-5) | (d1 < 1e-5), Array(1e-6), 0.01 * d0 / where(d1 == 0, Array(1.0), d1));
  const Array d2 = norm((f(y + h0 * f0, t + h0) - f0) / scale) / h0;
  const Array largest = np::maximum(d1, d2);
  const Array h1 = where(largest <= 1e-15, np::maximum(Array(1e-6), h0 * 1e-3),
                         np::power(0.01 / where(largest == 0, Array(1.0), largest), Array(0.2)));
  return np::minimum(100.0 * h0, h1);
}

// What the integration carries: the value, its slope, the time, the width of the next step; and of the last one where it began, the
// value there, its width, the value in its middle, the slope at its begin.
enum Part : std::size_t { count, y, slope, t, width, last_t, last_y, last_width, middle, last_slope, parts };

// A step from the state that is tried; the state after it, if its error is small enough, else the same with a smaller width.
Arrays attempt(const Slope& f, const Arrays& s, const OdeOptions& o) {
  const Array& h = s[width];
  Arrays k{s[slope]};
  for (std::size_t i = 0; i < std::size(stages); ++i)
    k.push_back(f(s[y] + h * combined(stages[i], k), s[t] + h * nodes[i]));
  const Array end = s[y] + h * combined(stages[5], k), error = h * combined(error_weights, k);
  const Array ratio = norm(error / (o.atol + o.rtol * np::maximum(np::abs(s[y]), np::abs(end))));
  const Array safe = where(ratio == 0, Array(1.0), ratio);
  Array factor = np::maximum(
      Array(0.2), np::minimum(0.9 * np::power(safe, Array(-0.2)), where(ratio < 1, Array(10.0), Array(1.0))));
  factor = where(np::isfinite(ratio), where(ratio == 0, Array(10.0), factor), Array(0.1));
  Arrays taken = s;
  taken[y] = end, taken[slope] = k.back(), taken[t] = s[t] + h;
  taken[last_t] = s[t], taken[last_y] = s[y], taken[last_width] = h;
  taken[middle] = s[y] + h * combined(middle_weights, k), taken[last_slope] = s[slope];
  Arrays out;
  for (std::size_t i = 0; i < parts; ++i)
    out.push_back(ops::convert_element_type(where(ratio <= 1, taken[i], s[i]), s[i].dtype()));
  out[count] = s[count] + 1;
  out[width] = ops::convert_element_type(np::maximum(Array(0.0), np::minimum(h * factor, Array(o.hmax))), h.dtype());
  return out;
}

// The polynomial of degree 4 through values and slopes at both ends of the last step and the value in its middle, at s in 0 .. 1.
Array interpolated(const Array& s, const Arrays& state) {
  const Array &h = state[last_width], &y0 = state[last_y], &y1 = state[y], &f0 = state[last_slope], &f1 = state[slope];
  const Array a = 2.0 * h * (f1 - f0) - 8.0 * (y1 + y0) + 16.0 * state[middle];
  const Array b = h * (5.0 * f0 - 3.0 * f1) + 18.0 * y0 + 14.0 * y1 - 32.0 * state[middle];
  const Array c = h * (f1 - 4.0 * f0) - 11.0 * y0 - 5.0 * y1 + 16.0 * state[middle];
  return (((a * s + b) * s + c) * s + h * f0) * s + y0;
}

// Values at all of the times.
Array integrate(const Slope& f, const Array& y0, const Array& times, const OdeOptions& o) {
  const Array begin = ops::squeeze(ops::slice_in_dim(times, 0, 1, 1, 0), {0});
  const Array f0 = f(y0, begin);
  Array h0 = np::maximum(Array(0.0), np::minimum(first_step(f, begin, y0, f0, o), Array(o.hmax)));
  h0 = ops::convert_element_type(h0, times.dtype());
  const FlatFn advance = [&](const Arrays& x) {
    Arrays state(x.begin(), x.end() - 1);
    const Array target = x.back();
    state[count] = ops::zeros_of(state[count].aval());
    const auto behind = [&](const Arrays& s) {
      return Arrays{(s[t] < target) & (s[count] < o.mxstep) & (s[width] > 0)};
    };
    state = flat_while(behind, [&](const Arrays& s) { return attempt(f, s, o); }, state, {});
    const Array safe = where(state[last_width] == 0, Array(1.0), state[last_width]);
    const Array here = where(state[last_width] == 0, state[y], interpolated((target - state[last_t]) / safe, state));
    state.push_back(ops::convert_element_type(
        where(state[t] >= target, here, Array(std::numeric_limits<double>::quiet_NaN())), y0.dtype()));
    return state;
  };
  const Array none = ops::zeros_of(h0.aval());
  const Arrays start{ops::scalar_int(DType::int32, 0), y0, f0, begin, h0, begin, y0, none, y0, f0};
  const Arrays out = flat_scan(advance, start, {ops::slice_in_dim(times, 1, times.shape()[0], 1, 0)}, {}, {});
  const Array both[] = {ops::expand_dims(y0, {0}), out.back()};
  return ops::concatenate(both, 0);
}

// --- one vector of several arrays --------------------------------------------------------------------------------------------------
struct Ravel {
  std::vector<Aval> types;
  DType dtype;
  explicit Ravel(const std::vector<Aval>& a) : types(a) {
    std::vector<LatticeType> all_types;
    for (const Aval& x : a) all_types.push_back({x.dtype, x.weak_type});
    dtype = all_types.empty() ? DType::float32 : promote_types(all_types).dtype;
  }
  Array vector(const Arrays& xs) const {
    std::vector<Array> flat;
    for (const Array& x : xs) flat.push_back(ops::reshape(ops::convert_element_type(x, dtype), {x.size()}));
    return flat.empty() ? ops::zeros_of({{0}, dtype, false}) : ops::concatenate(flat, 0);
  }
  // `rows`: of how many vectors x consists; -1: it is one.
  Arrays arrays(const Array& x, std::int64_t rows = -1) const {
    Arrays out;
    std::int64_t at = 0;
    for (const Aval& a : types) {
      Shape shape = a.shape;
      if (rows >= 0) shape.insert(0, rows);
      const Array part = ops::slice_in_dim(x, at, at + a.size(), 1, rows >= 0 ? 1 : 0);
      out.push_back(ops::convert_element_type(ops::reshape(part, shape), a.dtype));
      at += a.size();
    }
    return out;
  }
};

// dy/dt as a program of constants, y and t; its arguments where it is bound: y0, the times, the constants.
struct System {
  Hoisted program;
  OdeOptions options;
  Array slope(const Arrays& consts, const Array& y, const Array& t) const {
    Arrays args = consts;
    args.push_back(y), args.push_back(t);
    return run(program.program.jaxpr(), args)[0];
  }
};
Arrays bind_system(const std::shared_ptr<const System>&, const Arrays& args);
Array solve(const FlatFn& f, const Array& y0, const Array& times, const OdeOptions& o) {
  Aval time = times.aval();
  time.shape = {};
  auto s = std::make_shared<const System>(System{hoist(flat_make_jaxpr(f, {y0.aval(), time})), o});
  Arrays args{y0, times};
  args.insert(args.end(), s->program.consts.begin(), s->program.consts.end());
  return bind_system(s, args)[0];
}

bool smooth(const Array& x) { return is_inexact(x.dtype()); }

// Cotangents of y0, the times and the constants. R. T. Q. Chen, Y. Rubanova, J. Bettencourt, D. Duvenaud, Neural
// Ordinary Differential Equations, 2018, appendix B.
Arrays adjoint(const std::shared_ptr<const System>& system, const Array& ys, const Array& times, const Arrays& consts,
               const Array& g) {
  Arrays params;
  for (const Array& c : consts)
    if (smooth(c)) params.push_back(c);
  const auto with_params = [&](const Arrays& p, std::size_t first) {
    Arrays all_consts = consts;
    for (Array& c : all_consts)
      if (smooth(c)) c = p[first++];
    return all_consts;
  };
  const auto row = [](const Array& x, std::int64_t i) {
    return ops::squeeze(ops::slice_in_dim(x, i, i + 1, 1, 0), {0});
  };
  const std::int64_t n = times.shape()[0];
  const Array y_end = row(ys, n - 1), zero_t = ops::zeros_of(row(times, 0).aval());
  std::vector<Aval> types{y_end.aval(), y_end.aval(), zero_t.aval()};
  for (const Array& p : params) types.push_back(p.aval());
  const Ravel state(types);

  // Backwards in time: y, its cotangent, those of the time and the constants.
  const FlatFn backwards = [&](const Arrays& x) {
    const Arrays now = state.arrays(x[0]);
    Arrays at{now[0], x[1]};
    at.insert(at.end(), params.begin(), params.end());
    const LinearizeResult slope =
        flat_linearize([&](const Arrays& v) { return Arrays{system->slope(with_params(v, 2), v[0], -v[1])}; }, at);
    Arrays out{-slope.primals[0]};
    const Tangents bars = slope.linear.transpose({Tangent(now[1])});
    for (std::size_t i = 0; i < bars.size(); ++i) {
      const Array bar = ops::instantiate(bars[i]);
      out.push_back(i == 1 ? -bar : bar);
    }
    return Arrays{state.vector(out)};
  };
  // Each row: the value at a time, the time, the one before it, and the value's cotangent, which joins when the time is reached.
  const FlatFn segment = [&](const Arrays& x) {
    const std::size_t rows = 2 + params.size();  // after the carries: cotangents of y, the time and the constants
    const Array &value = x[rows], &time = x[rows + 1], &before = x[rows + 2], &ct = x[rows + 3];
    const Array dt = ops::convert_element_type(np::dot(system->slope(consts, value, time), ct), times.dtype());
    Arrays start{value, x[0] + ct, x[1] - dt};
    start.insert(start.end(), x.begin() + 2, x.begin() + static_cast<std::ptrdiff_t>(rows));
    const Array both[] = {-time, -before};
    const Array end = solve(backwards, state.vector(start), ops::stack(both, 0), system->options);
    Arrays out = state.arrays(row(end, 1));
    out.erase(out.begin());
    out.push_back(dt);
    return out;
  };
  Arrays carries{ops::zeros_of(y_end.aval()), zero_t};
  for (const Array& p : params) carries.push_back(ops::zeros_of(p.aval()));
  const auto part = [](const Array& x, std::int64_t from, std::int64_t to) {
    return ops::slice_in_dim(x, from, to, 1, 0);
  };
  Arrays out = flat_scan(segment, carries, {part(ys, 1, n), part(times, 1, n), part(times, 0, n - 1), part(g, 1, n)},
                         {std::nullopt, true, 1}, {});
  const Array times_bar[] = {ops::expand_dims(out[1], {0}), out.back()};
  Arrays bars{out[0] + row(g, 0), ops::concatenate(times_bar, 0)};
  std::size_t next = 2;
  for (const Array& c : consts) bars.push_back(smooth(c) ? out[next++] : Array());
  return bars;
}

Arrays bind_system(const std::shared_ptr<const System>& system, const Arrays& args) {
  const auto constants = [](const Arrays& x) { return Arrays(x.begin() + 2, x.end()); };
  const FlatFn value = [=](const Arrays& x) {
    const Arrays consts = constants(x);
    return Arrays{integrate([&](const Array& v, const Array& s) { return system->slope(consts, v, s); }, x[0], x[1],
                            system->options)};
  };
  CustomVjpRule rule;
  rule.forward = [=](const Arrays& x, const Bits&) {
    ForwardResult r{bind_system(system, x), {}, {}};
    r.residuals = {r.results[0], x[1]};
    const Arrays consts = constants(x);
    r.residuals.insert(r.residuals.end(), consts.begin(), consts.end());
    r.backward = [=](const Arrays& residuals, const Tangents& cts) {
      Tangents out;
      const Arrays bars = adjoint(system, residuals[0], residuals[1], constants(residuals), ops::instantiate(cts[0]));
      for (std::size_t i = 0; i < bars.size(); ++i)
        out.push_back(bars[i].has_value() ? Tangent(bars[i]) : Tangent::zero_of(residuals[i].aval()));
      return out;
    };
    return r;
  };
  return bind_custom_vjp("odeint", value, std::move(rule), args);
}

}  // namespace

Arrays flat_odeint(const FlatFn& f, const Arrays& y0, const Array& times, const OdeOptions& o) {
  if (times.ndim() != 1 || times.shape()[0] == 0)
    throw ValueError("odeint: the times must be a vector of at least one, got shape " + times.shape().str());
  std::vector<Aval> types;
  for (const Array& a : y0) types.push_back(a.aval());
  const Ravel ravel(types);
  const FlatFn slope = [&](const Arrays& x) {
    Arrays args = ravel.arrays(x[0]);
    args.push_back(x[1]);
    const Arrays out = f(args);
    for (std::size_t i = 0; i < types.size(); ++i)
      if (out.size() != types.size() || out[i].shape() != types[i].shape)
        throw ValueError("odeint: the derivative must have the structure and shapes of y, got " +
                         (out.size() == types.size() ? out[i].aval().str() + " for " + types[i].str()
                                                     : std::to_string(out.size()) + " arrays"));
    return Arrays{ravel.vector(out)};
  };
  return ravel.arrays(solve(slope, ravel.vector(y0), times, o), times.shape()[0]);
}

namespace detail {
Arrays run_odeint(const Fn<Arrays(Arrays)>& f, const Arrays& y0, const Array& times, const OdeOptions& o) {
  return flat_odeint([f](const Arrays& x) { return f(x); }, y0, times, o);
}
}  // namespace detail

}  // namespace cotan
