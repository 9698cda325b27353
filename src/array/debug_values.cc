#include "array/debug_values.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/interpret.h"
#include "cotan/config.h"

namespace cotan {

namespace {

using config::Flag;
using Arrays = std::vector<Array>;

template <class T> const char* bad_among(const Array& a, std::int64_t parts) {
  const T* x = static_cast<const T*>(bytes_of(a));
  bool nan = false, inf = false;
  for (std::int64_t i = 0; i < a.size() * parts; ++i) nan |= std::isnan(x[i]), inf |= std::isinf(x[i]);
  if (nan && config::get(Flag::debug_nans)) return "nan";
  return inf && config::get(Flag::debug_infs) ? "inf" : nullptr;
}

// Of 16-bit floats: all bits of the exponent, `exponent`, mean infinity or, with others below, NaN.
const char* bad_among_halves(const Array& a, std::uint16_t exponent) {
  const auto* x = static_cast<const std::uint16_t*>(bytes_of(a));
  bool nan = false, inf = false;
  for (std::int64_t i = 0; i < a.size(); ++i) {
    const auto magnitude = static_cast<std::uint16_t>(x[i] & 0x7fff);
    nan |= magnitude > exponent, inf |= magnitude == exponent;
  }
  if (nan && config::get(Flag::debug_nans)) return "nan";
  return inf && config::get(Flag::debug_infs) ? "inf" : nullptr;
}

const char* bad_value(const Array& a) {
  switch (a.dtype()) {
    case DType::float32: return bad_among<float>(a, 1);
    case DType::float64: return bad_among<double>(a, 1);
    case DType::complex64: return bad_among<float>(a, 2);
    case DType::complex128: return bad_among<double>(a, 2);
    case DType::float16: return bad_among_halves(a, 0x7c00);
    case DType::bfloat16: return bad_among_halves(a, 0x7f80);
    default: return nullptr;
  }
}

Arrays run(const ClosedJaxpr& c, std::span<const Array> args) {
  ArrayVec out;
  interpret(c.jaxpr(), c.consts(), args, out);
  return {out.begin(), out.end()};
}

Array row(const Array& x, std::int64_t i) {
  Aval a = x.aval();
  a.shape.erase(0);
  const auto bytes = static_cast<std::size_t>(a.size()) * item_size(a.dtype);
  return evaluation_hook().from_bytes(a, static_cast<const char*>(bytes_of(x)) + static_cast<std::size_t>(i) * bytes);
}

void run_scan_again(const Regions& r, std::span<const Array> in) {
  const auto consts = in.begin() + r.consts, rows = consts + r.carries;
  Arrays carries(consts, rows);
  for (std::int64_t step = 0; step < r.length; ++step) {
    Arrays args(in.begin(), consts);
    args.insert(args.end(), carries.begin(), carries.end());
    for (auto x = rows; x != in.end(); ++x) args.push_back(row(*x, r.reverse ? r.length - 1 - step : step));
    const Arrays out = run(*r.programs[0], args);
    carries.assign(out.begin(), out.begin() + r.carries);
  }
}

void run_while_again(const Regions& r, std::span<const Array> in) {
  const auto consts = in.begin() + r.condition_consts, first = consts + r.consts;
  Arrays carries(first, in.end());
  for (;;) {
    Arrays args(in.begin(), consts);
    args.insert(args.end(), carries.begin(), carries.end());
    if (!bool(run(*r.programs[0], args)[0])) return;
    args.assign(consts, first);
    args.insert(args.end(), carries.begin(), carries.end());
    carries = run(*r.programs[1], args);
  }
}

void run_again(const EqnContext& c, std::span<const Array> in) {
  const Regions r = c.primitive.regions(c);
  switch (r.kind) {
    case RegionKind::call:
      if (!r.programs.empty()) run(*r.programs[0], in);
      return;
    case RegionKind::branch: {
      std::int32_t index;
      std::memcpy(&index, bytes_of(in[0]), sizeof index);
      run(*r.programs[static_cast<std::size_t>(std::clamp(index, 0, static_cast<std::int32_t>(r.programs.size()) - 1))],
          in.subspan(1));
      return;
    }
    case RegionKind::scan: return run_scan_again(r, in);
    case RegionKind::while_loop: return run_while_again(r, in);
  }
}

}  // namespace

bool debugs_values() { return config::get(Flag::debug_nans) || config::get(Flag::debug_infs); }

void check_values(const EqnContext& c, std::span<const Array> in, std::span<const Array> results) {
  for (const Array& a : results)
    if (const char* bad = bad_value(a)) {
      if (c.primitive.regions) run_again(c, in);
      throw FloatingPointError(std::string("invalid value (") + bad + ") encountered in " + c.primitive.name);
    }
}

}  // namespace cotan
