// numpy: cumulative sums and products.
#include "api/function_table.h"
#include "numpy/order.h"

namespace cotan::numpy {

namespace {

using Cumulative = Array (*)(const Array&, int, bool);

// In bool, a sum is whether there has been a nonzero element, a product whether there has been nothing else.
Array of_bools(const Array& x, int axis, bool sum) {
  const Array n = ops::convert_element_type(to_bool(x), DType::int32);
  return to_dtype(sum ? ops::cummax(n, axis) : ops::cummin(n, axis), DType::bool_, false);
}

// Narrow integers become the default integer of their sign.
DType wide_integer(DType d) {
  const DType wide = is_unsigned_integer(d) ? canonical_dtype(DType::uint64) : default_int_dtype();
  return item_size(d) < item_size(wide) ? wide : d;
}

struct Kind {
  const char* name;
  const char* nan_name;
  const char* promoting;
  Cumulative run;
  bool is_sum;
};
constexpr Kind sum_kind{"cumsum", "nancumsum", "_cumsum_with_promotion", ops::cumsum, true};
constexpr Kind prod_kind{"cumprod", "nancumprod", "_cumprod", ops::cumprod, false};

Array accumulate(const char* name, const Kind& kind, const Array& a, const Axes& axis, std::optional<DType> dtype,
                 bool without_nan, bool promotes = false) {
  if (is_key(a.dtype())) throw TypeError(std::string(name) + " does not accept dtype " + dtype_name(a.dtype()));
  const int along = axis.all() ? 0 : one_axis(name, axis, a.ndim());
  DType given = dtype ? canonical_dtype(*dtype) : is_bool(a) ? default_int_dtype() : a.dtype();
  if (!dtype && promotes && is_integer(given)) given = wide_integer(given);
  const auto body = [&](const Arrays& in) {
    Array x = axis.all() ? ops::reshape(in[0], Shape(in[0].size())) : in[0];
    if (without_nan && is_inexact(x.dtype())) x = where(ops::ne(x, x), ops::scalar(x.dtype(), kind.is_sum ? 0 : 1), x);
    if (given == DType::bool_) return Arrays{of_bools(x, along, kind.is_sum)};
    return Arrays{kind.run(to_dtype(x, given, false), along, false)};
  };
  const auto key = combine_key(static_cast<std::uint64_t>(along) * 2 + axis.all(), static_cast<std::uint64_t>(given));
  return named_jit(name, body, {a}, key)[0];
}

Array accumulate_standard(const char* name, const Kind& kind, const Array& x, const CumulativeOptions& o) {
  if (x.ndim() == 0) throw ValueError(std::string(name) + ": the input must not be a scalar, got " + x.aval().str());
  if (o.axis.all() && x.ndim() > 1)
    throw ValueError(std::string(name) +
                     ": the axis may be left out for one-dimensional arrays only, got an array of rank " +
                     std::to_string(x.ndim()));
  const Axes axis = o.axis.all() ? Axes(0) : o.axis;
  const int along = one_axis(name, axis, x.ndim());
  const Array r = accumulate(kind.promoting, kind, x, axis, o.dtype, false, kind.is_sum);
  if (!o.include_initial) return r;
  Shape shape = r.shape();
  shape[along] = 1;
  const Array parts[] = {ops::broadcast_to_shape(ops::scalar_int(r.dtype(), kind.is_sum ? 0 : 1), shape), r};
  return ops::concatenate(parts, along);
}

}  // namespace

Array cumsum(const Array& a, const Axes& axis, std::optional<DType> dtype) {
  COTAN_API;
  return accumulate("cumsum", sum_kind, a, axis, dtype, false);
}
Array cumprod(const Array& a, const Axes& axis, std::optional<DType> dtype) {
  COTAN_API;
  return accumulate("cumprod", prod_kind, a, axis, dtype, false);
}
Array nancumsum(const Array& a, const Axes& axis, std::optional<DType> dtype) {
  COTAN_API;
  return accumulate("nancumsum", sum_kind, a, axis, dtype, true);
}
Array nancumprod(const Array& a, const Axes& axis, std::optional<DType> dtype) {
  COTAN_API;
  return accumulate("nancumprod", prod_kind, a, axis, dtype, true);
}
Array cumulative_sum(const Array& x, const CumulativeOptions& o) {
  COTAN_API;
  return accumulate_standard("cumulative_sum", sum_kind, x, o);
}
Array cumulative_prod(const Array& x, const CumulativeOptions& o) {
  COTAN_API;
  return accumulate_standard("cumulative_prod", prod_kind, x, o);
}

const FunctionTable cumulative_table{
    "numpy",
    {function<cumsum>("cumsum(a, axis=None, dtype=None, out=None)",
                      "Sum of each element and those before it along the axis."),
     function<cumprod>("cumprod(a, axis=None, dtype=None, out=None)",
                       "Product of each element and those before it along the axis."),
     function<nancumsum>("nancumsum(a, axis=None, dtype=None, out=None)", "As cumsum; NaN counts as 0."),
     function<nancumprod>("nancumprod(a, axis=None, dtype=None, out=None)", "As cumprod; NaN counts as 1."),
     function<cumulative_sum>("cumulative_sum(x, /, *, axis=None, dtype=None, include_initial=False)",
                              "Sum of each element and those before it; 0 may come first."),
     function<cumulative_prod>("cumulative_prod(x, /, *, axis=None, dtype=None, include_initial=False)",
                               "Product of each element and those before it; 1 may come first.")}};

}  // namespace cotan::numpy
