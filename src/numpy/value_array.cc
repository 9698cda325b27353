#include "numpy/value_array.h"

#include <cmath>

#include "base/host_scalar.h"
#include "numpy/common.h"

namespace cotan::numpy {

namespace {

// A number of the call as an element of the dtype.
Array number_of(const table::Value& v, DType d, const table::Place& place) {
  if (const std::int64_t* i = v.get<std::int64_t>(); i && is_integer(d)) {
    const HostScalar element = HostScalar(*i).convert(d);
    const bool same = element.as_int64() == *i && (*i >= 0 || !is_unsigned_integer(d));
    if (!same) throw OverflowError("The integer " + std::to_string(*i) + " is out of bounds for " + dtype_name(d));
  }
  if (const double* x = v.get<double>(); x && is_integer(d) && !std::isfinite(*x)) {
    if (std::isnan(*x)) throw ValueError("cannot convert float NaN to integer");
    throw OverflowError("cannot convert float infinity to integer");
  }
  HostScalar element;
  if (const bool* b = v.get<bool>()) element = HostScalar(*b);
  else if (const std::int64_t* i = v.get<std::int64_t>()) element = HostScalar(*i);
  else if (const double* x = v.get<double>()) element = HostScalar(*x);
  else if (const auto* c = v.get<std::complex<double>>()) element = HostScalar(*c);
  else if (v.is_none()) throw ValueError("None is not a valid value for numpy.array");
  else place.fail("an array or a list of numbers", v);
  return evaluation_hook().from_bytes({Shape(), d, false}, element.convert(d).bytes);
}

void types_of(const table::Value& v, std::vector<LatticeType>& out) {
  if (v.is_sequence()) {
    for (const table::Value& item : v.items()) types_of(item, out);
  } else if (const Array* a = v.get<Array>()) {
    out.push_back({a->dtype(), a->weak_type()});
  } else if (v.get<bool>()) {
    out.push_back({DType::bool_, false});
  } else if (v.get<std::int64_t>()) {
    out.push_back({default_int_dtype(), true});
  } else if (v.get<double>()) {
    out.push_back({default_float_dtype(), true});
  } else if (v.get<std::complex<double>>()) {
    out.push_back({default_complex_dtype(), true});
  }
}

Array nested(const table::Value& v, DType d, const table::Place& place) {
  if (const Array* a = v.get<Array>()) return to_dtype(*a, d, false);
  if (!v.is_sequence()) return number_of(v, d, place);
  std::vector<Array> rows;
  for (const table::Value& item : v.items()) rows.push_back(nested(item, d, place));
  return rows.empty() ? zeros(Shape(0), d) : detail::stack_rows(rows, d);
}

}  // namespace

Array array_of_value(const table::Value& v, std::optional<DType> dtype, const table::Place& place) {
  if (!v.is_sequence() && !dtype) return table::to_array(v, place);
  if (const Array* a = v.get<Array>()) return to_dtype(*a, canonical_dtype(*dtype), false);
  if (dtype) return nested(v, canonical_dtype(*dtype), place);
  std::vector<LatticeType> types;
  types_of(v, types);
  const DType d = types.empty()       ? default_float_dtype()
                  : types.size() == 1 ? types[0].dtype
                                      : promote_types(types).dtype;
  return nested(v, canonical_dtype(d), place);
}

}  // namespace cotan::numpy
