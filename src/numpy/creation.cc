// numpy's functions that make arrays from numbers.
#include <cmath>
#include <cstring>
#include <limits>

#include "api/function_table.h"
#include "base/host_scalar.h"
#include "numpy/common.h"
#include "numpy/value_array.h"

namespace cotan::numpy {

namespace {

void check_memory_order(const char* function, std::string_view order) {
  if (order != "K")
    throw NotImplementedError(std::string(function) + " is only implemented for order='K', got '" + std::string(order) +
                              "'");
}

Array with_ndmin(const Array& x, const ArrayOptions& o) {
  check_memory_order("array", o.order);
  return ops::expand_dims(x, IntList::range(std::max(o.ndmin - x.ndim(), 0)));
}

Array converted(const Array& x, const std::optional<DType>& dtype) {
  return dtype ? to_dtype(x, canonical_dtype(*dtype), false) : x;
}

[[noreturn]] void fail_integer(const HostScalar& v, DType d) {
  throw OverflowError("The C++ integer " + v.str() + " is too large for " + dtype_name(d) +
                      ".\nSet enable_x64 for 64-bit integers.");
}

// Whether an integer of one type has the same value in another.
bool fits(const HostScalar& v, DType d) {
  const HostScalar back = v.convert(d).convert(v.dtype);
  const bool negative = is_signed_integer(v.dtype) && v.as_int64() < 0;
  return back == v && !(negative && is_unsigned_integer(d)) &&
         !(is_unsigned_integer(v.dtype) && v.convert(d).as_double() < 0);
}

}  // namespace

Array array(const Array& x, std::optional<DType> dtype, const ArrayOptions& o) {
  COTAN_API;
  check_memory_order("array", o.order);
  return with_ndmin(converted(o.copy && !is_concrete(x) ? ops::copy(x) : x, dtype), o);
}
Array asarray(const Array& x, std::optional<DType> dtype, const AsarrayOptions& o) {
  COTAN_API;
  check_memory_order("asarray", o.order);
  return converted(o.copy.value_or(false) && !is_concrete(x) ? ops::copy(x) : x, dtype);
}
Array copy(const Array& x, const CopyOptions& o) {
  COTAN_API;
  check_memory_order("copy", o.order);
  return is_concrete(x) ? x : ops::copy(x);
}
Array astype(const Array& x, std::optional<DType> dtype, const AstypeOptions& o) {
  COTAN_API;
  const DType d = canonical_dtype(dtype.value_or(DType::float64));
  if (x.dtype() == d && !x.weak_type()) return o.copy && !is_concrete(x) ? ops::copy(x) : x;
  if (is_complex(x.dtype()) && d == DType::bool_) return ops::ne(x, number_like(x, 0));
  return to_dtype(x, d, false);
}

namespace detail {

Array from_host(const void* elements, DType type, const Shape& shape, std::optional<DType> dtype,
                const ArrayOptions& o) {
  COTAN_API;
  const DType d = canonical_dtype(dtype.value_or(type));
  if (d == type) return with_ndmin(evaluation_hook().from_bytes({shape, d, false}, elements), o);
  const std::size_t from = item_size(type), to = item_size(d);
  std::vector<unsigned char> bytes(static_cast<std::size_t>(shape.size()) * to);
  for (std::size_t i = 0; i < static_cast<std::size_t>(shape.size()); ++i) {
    const HostScalar v = HostScalar::load(type, static_cast<const unsigned char*>(elements) + i * from);
    if (is_integer(type) && is_integer(d) && !fits(v, d)) fail_integer(v, d);
    v.convert(d).store(bytes.data() + i * to);
  }
  return with_ndmin(evaluation_hook().from_bytes({shape, d, false}, bytes.data()), o);
}

namespace {

// Rows of known values make a constant, also while a program is recorded.
Array stack_concrete(const std::vector<Array>& rows) {
  const std::size_t row = static_cast<std::size_t>(rows[0].size()) * item_size(rows[0].dtype());
  std::vector<unsigned char> bytes(row * rows.size());
  for (std::size_t i = 0; i < rows.size() && row; ++i) std::memcpy(bytes.data() + i * row, bytes_of(rows[i]), row);
  Shape shape = rows[0].shape();
  shape.insert(0, static_cast<std::int64_t>(rows.size()));
  return evaluation_hook().from_bytes({shape, rows[0].dtype(), false}, bytes.data());
}

}  // namespace

Array stack_rows(const std::vector<Array>& rows, std::optional<DType> dtype, const ArrayOptions& o) {
  COTAN_API;
  if (rows.empty()) return with_ndmin(zeros(Shape(0), dtype), o);
  std::vector<LatticeType> types;
  bool concrete = true;
  std::string shapes;
  for (const Array& r : rows) {
    types.push_back({r.dtype(), r.weak_type()});
    concrete &= is_concrete(r);
    shapes += (shapes.empty() ? "" : ", ") + r.shape().str();
  }
  for (const Array& r : rows)
    if (!(r.shape() == rows[0].shape())) throw ValueError("array: all rows must have the same shape, got " + shapes);
  const DType d =
      is_key(rows[0].dtype()) ? rows[0].dtype() : canonical_dtype(dtype ? *dtype : promote_types(types).dtype);
  std::vector<Array> same;
  if (concrete) {
    CurrentTrace evaluation(nullptr);
    for (const Array& r : rows) same.push_back(to_dtype(r, d, false));
    same = {stack_concrete(same)};
    return with_ndmin(same[0], o);
  }
  for (const Array& r : rows) same.push_back(ops::expand_dims(to_dtype(r, d, false), {0}));
  return with_ndmin(same.size() == 1 ? same[0] : ops::concatenate(same, 0), o);
}

}  // namespace detail

RangeNumber::RangeNumber(const Array& x) : given_(x.has_value()) {
  if (!given_) return;
  COTAN_API;
  if (x.ndim() != 0) throw ValueError("arange: arguments must be scalars, got " + x.aval().str());
  if (is_complex(x.dtype())) throw ValueError("arange: complex start, stop or step, got " + x.aval().str());
  const Array* known = concrete_value(x);
  if (!known)
    throw ConcretizationTypeError(
        "Abstract tracer value encountered where concrete value is expected: " + x.aval().str() +
        "\nIt arose in the arguments of arange, on which a shape depends: make them static.");
  const HostScalar v = HostScalar::load(known->dtype(), bytes_of(*known));
  array_ = *known;
  whole_ = !is_floating(v.dtype);
  integer_ = whole_ ? v.as_int64() : 0;
  value_ = v.as_double();
}

namespace {

// start + step * (0, 1, ..., n - 1). Steps that are not given are 1, and not multiplied.
Array affine_iota(DType d, std::int64_t n, const Array& start, const Array& step) {
  const Array places = ops::iota(d, Shape(n), 0);
  const Array steps = step.has_value() ? ops::mul(step, places) : places;
  return start.has_value() ? ops::add(start, steps) : steps;
}

std::int64_t count_of_integers(std::int64_t start, std::int64_t stop, std::int64_t step) {
  const bool up = step > 0;
  const std::uint64_t distance = up ? static_cast<std::uint64_t>(stop) - static_cast<std::uint64_t>(start)
                                    : static_cast<std::uint64_t>(start) - static_cast<std::uint64_t>(stop);
  const std::uint64_t stride = up ? static_cast<std::uint64_t>(step) : 0 - static_cast<std::uint64_t>(step);
  const std::uint64_t count = (up ? stop > start : stop < start) ? (distance - 1) / stride + 1 : 0;
  if (count > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    throw ValueError("Maximum allowed size exceeded");
  return static_cast<std::int64_t>(count);
}

std::int64_t count_of_floats(double start, double stop, double step) {
  const double count = std::ceil((stop - start) / step);
  if (std::isnan(count)) throw ValueError("arange: cannot convert float NaN to integer");
  if (std::isinf(count)) throw OverflowError("arange: cannot convert float infinity to integer");
  if (count > 0x1p62) throw ValueError("Maximum allowed size exceeded");
  return static_cast<std::int64_t>(std::max(count, 0.0));
}

LatticeType type_of(const RangeNumber& n) {
  if (n.array().has_value()) return {n.array().dtype(), n.array().weak_type()};
  return {n.is_whole() ? default_int_dtype() : default_float_dtype(), true};
}
HostScalar scalar_of(const RangeNumber& n, DType d) {
  return (n.is_whole() ? HostScalar(n.integer()) : HostScalar(n.value())).convert(d);
}
Array element(const RangeNumber& n, DType d) {
  Array r = evaluation_hook().from_bytes({Shape(), d, false}, scalar_of(n, d).bytes);
  r.node()->plain_number = true;  // a literal where a program is recorded
  return r;
}

}  // namespace

Array arange(const RangeNumber& start, const RangeNumber& stop, const RangeNumber& step, const ArangeOptions& o) {
  COTAN_API;
  if (!stop.given())
    return start.given() ? arange({}, start, step, o) : throw TypeError("arange: stop must be a number, got none");
  std::vector<LatticeType> types{type_of(stop)};
  if (start.given()) types.push_back(type_of(start));
  if (step.given()) types.push_back(type_of(step));
  const DType d = canonical_dtype(o.dtype ? *o.dtype : promote_types(types).dtype);
  if (d == DType::bool_) throw TypeError("iota does not accept dtype bool: arange of bools");
  if (step.given() && step.value() == 0) throw ValueError("arange: step must not be zero");
  const bool whole = stop.is_whole() && (!start.given() || start.is_whole()) && (!step.given() || step.is_whole());
  const std::int64_t n =
      whole ? count_of_integers(start.given() ? start.integer() : 0, stop.integer(), step.given() ? step.integer() : 1)
            : count_of_floats(start.given() ? start.value() : 0, stop.value(), step.given() ? step.value() : 1);
  if (d == DType::int32 && !o.dtype && whole) {
    const std::int64_t first = start.given() ? start.integer() : 0,
                       last = n ? first + (n - 1) * (step.given() ? step.integer() : 1) : first;
    for (const std::int64_t v : {first, last})
      if (static_cast<std::int32_t>(v) != v) fail_integer(HostScalar(v), d);
  }
  const bool shifts = start.given() && (step.given() || start.value() != 0);
  Array first, by;
  if (shifts) first = element(start, d);
  if (step.given()) by = element(step, d);
  if (step.given() && !shifts) first = ops::scalar_int(d, 0);
  return affine_iota(d, n, first, by);
}

}  // namespace cotan::numpy

namespace cotan::table {
template <> struct FromValue<numpy::RangeNumber> {
  static numpy::RangeNumber get(const Value& v, const Place& p) {
    if (v.is_none()) return {};
    if (const double* d = v.get<double>()) return *d;
    if (const std::int64_t* i = v.get<std::int64_t>()) return *i;
    return to_array(v, p);
  }
};
}  // namespace cotan::table

namespace cotan::numpy {

namespace {
Array array_call(const table::Call& call) {
  if (call["object"].is_none()) throw ValueError("None is not a valid value for array");
  const ArrayOptions o{.copy = true, .order = call.get<std::string_view>("order"), .ndmin = call.get<int>("ndmin")};
  const auto dtype = call.get<std::optional<DType>>("dtype");
  if (call["object"].get<Array>()) return array(*call["object"].get<Array>(), dtype, o);
  return with_ndmin(array_of_value(call["object"], dtype, call.place("object")), o);
}
Array asarray_call(const table::Call& call) {
  if (call["a"].is_none()) throw ValueError("None is not a valid value for asarray");
  const auto order = call.get<std::optional<std::string_view>>("order");
  check_memory_order("asarray", order.value_or("K"));
  return array_of_value(call["a"], call.get<std::optional<DType>>("dtype"), call.place("a"));
}
}  // namespace

const FunctionTable creation_table{
    "numpy",
    {
        function<array_call>(
            "array(object, dtype=None, *args, copy=True, order='K', ndmin=0, device=None, out_sharding=None)",
            "An array of numbers, arrays or nested lists of them."),
        function<asarray_call>(
            "asarray(a, dtype=None, order=None, *, copy=None, device=None, out_sharding=None)",
            "An array of numbers, arrays or nested lists of them; an array itself where nothing changes."),
        function<[](const Array& a, std::optional<std::string_view> order) { return copy(a, {order.value_or("K")}); }>(
            "copy(a, order=None)", "The array, in memory of its own."),
        function<astype>("astype(x, dtype, /, *, copy=False, device=None)",
                         "The elements converted; None: to the default float type."),
        function<[](const RangeNumber& start, const RangeNumber& stop, const RangeNumber& step,
                    std::optional<DType> dtype) {
          return stop.given() ? arange(start, stop, step, {dtype}) : arange({}, start, step, {dtype});
        }>("arange(start, stop=None, step=None, dtype=None, *, device=None, out_sharding=None)",
           "start <= start + i * step < stop."),
    }};

}  // namespace cotan::numpy
