// Arrays as numbers: the values that C++ numbers become, and the ways back to a C++ value.
#include <limits>
#include <new>
#include <string>

#include "base/host_scalar.h"
#include "base/promotion.h"
#include "core/primitive.h"
#include "cotan/array.h"
#include "cotan/config.h"

namespace cotan {

namespace {

// "float32[2,3]"
std::string type_name(const Aval& a) {
  std::string s = std::string(dtype_name(a.dtype)) + "[";
  for (int i = 0; i < a.ndim(); ++i) s += (i ? "," : "") + std::to_string(a.shape[i]);
  return s + "]";
}

Array plain_number(DType d, bool weak, const void* bytes) {
  Array a = evaluation_hook().from_bytes({Shape(), d, weak}, bytes);
  a.node()->plain_number = true;
  return a;
}

[[noreturn]] void fail_integer(const std::string& value, const char* type) {
  throw OverflowError("The C++ integer " + value + " is too large for " + type +
                      ".\nSet enable_x64 for 64-bit integers.");
}

}  // namespace

void fail_deleted_array(const Aval& a) {
  throw RuntimeError("Array has been deleted with shape=" + type_name(a) + ".");
}

const Array* concrete_value(const Array& a) {
  check_usable(a);
  const Array* v = &a;
  while (v && !is_concrete(*v)) v = as_tracer(*v)->beneath();
  return v;
}

Array Array::make_bool(bool v) { return plain_number(DType::bool_, false, &v); }

Array Array::make_int(std::int64_t v) {
  if (config::get(config::Flag::enable_x64)) return plain_number(DType::int64, true, &v);
  const auto narrow = static_cast<std::int32_t>(v);
  if (narrow != v) fail_integer(std::to_string(v), "int32");
  return plain_number(DType::int32, true, &narrow);
}

Array Array::make_uint(std::uint64_t v) {
  const bool wide = config::get(config::Flag::enable_x64);
  const std::uint64_t most = wide ? std::numeric_limits<std::int64_t>::max() : std::numeric_limits<std::int32_t>::max();
  if (v > most && (wide || v <= std::numeric_limits<std::uint32_t>::max()))
    throw OverflowError("The C++ integer " + std::to_string(v) + " is too large for " + (wide ? "int64" : "int32") +
                        ".\nnumpy::array(" + std::to_string(v) + "u, " + (wide ? "uint64" : "uint32") +
                        ") has a type that holds it.");
  if (v > most) fail_integer(std::to_string(v), "int32");
  return make_int(static_cast<std::int64_t>(v));
}

Array Array::make_double(double v) {
  if (config::get(config::Flag::enable_x64)) return plain_number(DType::float64, true, &v);
  const auto narrow = static_cast<float>(v);
  return plain_number(DType::float32, true, &narrow);
}

Array Array::make_complex(double re, double im) {
  const double wide[] = {re, im};
  if (config::get(config::Flag::enable_x64)) return plain_number(DType::complex128, true, wide);
  const float narrow[] = {static_cast<float>(re), static_cast<float>(im)};
  return plain_number(DType::complex64, true, narrow);
}

void Array::read_item(DType d, void* out) const {
  if (size() != 1) throw ValueError("can only convert an array of size 1 to a C++ number, got " + type_name(aval()));
  const Array* v = concrete_value(*this);
  if (!v)
    throw ConcretizationTypeError(
        "Abstract tracer value encountered where concrete value is expected: traced array with shape " +
        type_name(aval()) +
        ".\nThe item function was called on it. A value that a traced program depends on "
        "is to be a parameter that holds no Array, or computed with where.");
  if (is_key(dtype()))
    throw TypeError("item: a PRNG key has no numeric value, got " + type_name(aval()) +
                    "\nrandom::key_data gives its bits.");
  HostScalar::load(v->dtype(), bytes_of(*v)).convert(d).store(out);
}

const void* Array::elements(DType d) const {
  if (d != dtype())
    throw TypeError(std::string("span: the elements are of dtype ") + dtype_name(dtype()) + ", not " + dtype_name(d) +
                    "\nastype converts an array.");
  const Array* v = concrete_value(*this);
  if (!v)
    throw TracerArrayConversionError(
        "The elements of a traced array were asked for: traced array with shape " + type_name(aval()) +
        ".\nThey are known only when the program runs: return the array, or compute with it.");
  return bytes_of(*v);
}

Array::operator bool() const {
  if (size() == 0)
    throw ValueError(
        "The truth value of an empty array is ambiguous. Use `array.size() > 0` to check that an array is not empty.");
  if (size() > 1)
    throw ValueError(
        "The truth value of an array with more than one element is ambiguous. Use numpy::any or numpy::all");
  const Array* v = concrete_value(*this);
  if (!v)
    throw TracerBoolConversionError(
        "Attempted boolean conversion of traced array with shape " + type_name(aval()) +
        ".\nA C++ branch needs a value that is known while the function is traced: use numpy::where, & and | "
        "for && and ||, or a parameter that holds no Array.");
  if (is_key(dtype())) throw TypeError("bool: a PRNG key has no truth value, got " + type_name(aval()));
  return !HostScalar::load(v->dtype(), bytes_of(*v)).is_zero();
}

}  // namespace cotan
