#include "ops/stablehlo.h"

#include <limits>

namespace cotan::ops {

HloValue hlo_extremum(HloWriter& w, std::string_view name, const HloValue& x, const HloValue& y) {
  const bool is_max = name.ends_with("max");
  if (!is_complex(x.type.dtype)) return w.binary(is_max ? "stablehlo.maximum" : "stablehlo.minimum", x, y);
  const HloType part(x.type.shape, real_dtype(x.type.dtype));
  const auto real = [&](const HloValue& v) { return w.op("stablehlo.real", {v}, part); };
  const auto imag = [&](const HloValue& v) { return w.op("stablehlo.imag", {v}, part); };
  const char* before = is_max ? "GT" : "LT";
  const HloValue xr = real(x), yr = real(y), tie = w.compare(xr, yr, "EQ");
  const HloValue first = w.select(tie, w.compare(imag(x), imag(y), before), w.compare(xr, yr, before));
  // A NaN, which differs from itself, is the result.
  const auto nan = [&](const HloValue& v) { return w.compare(v, v, "NE"); };
  const HloValue wins = w.binary("stablehlo.and", first, w.unary("stablehlo.not", nan(y)));
  return w.select(w.binary("stablehlo.or", wins, nan(x)), x, y);
}

HloValue hlo_reduce(HloWriter& w, const HloValue& x, const HloValue& init, const IntList& axes, HloCombine combine) {
  const HloType scalar({}, x.type.dtype);
  HloType result = scalar;
  for (int i = 0; i < x.type.shape.ndim(); ++i)
    if (!axes.contains(i)) result.shape.push_back(x.type.shape[i]);
  const HloType types[] = {scalar, scalar};
  const auto body = [&](HloWriter::Operands a, HloValues& r) { r.push_back(combine(a[0], a[1])); };
  const HloWriter::Region region{types, body};
  const HloValue operands[] = {x, init};
  return w.op_with_regions("stablehlo.reduce", operands, {&region, 1}, {&result, 1},
                           "dimensions = " + hlo_ints(axes))[0];
}
HloValue hlo_reduce(HloWriter& w, const HloValue& x, const char* operation, const HloValue& init, const IntList& axes) {
  return hlo_reduce(w, x, init, axes, [&](const HloValue& a, const HloValue& b) { return w.binary(operation, a, b); });
}

HloValues hlo_indices(HloWriter& w, std::span<const HloValue> indices) {
  bool wide = false;
  for (const HloValue& v : indices) wide |= item_size(v.type.dtype) == 8 || v.type.dtype == DType::uint32;
  HloValues out;
  for (HloValue v : indices) {
    if (v.type.dtype == DType::uint64)
      v = w.binary("stablehlo.minimum", v,
                   w.constant(v.type, HostScalar(std::numeric_limits<std::int64_t>::max(), DType::uint64)));
    out.push_back(w.convert(v, wide ? DType::int64 : DType::int32));
  }
  return out;
}

}  // namespace cotan::ops
