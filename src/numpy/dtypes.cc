// numpy's functions of dtypes.
#include "cotan/numpy_dtype.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "api/function_table.h"
#include "base/host_scalar.h"
#include "base/promotion.h"

namespace cotan::numpy {
namespace {

struct Format {  // of a binary floating type
  int bits, exponent, mantissa;
};
Format format_of(DType d) {
  switch (d) {
    case DType::bfloat16: return {16, 8, 7};
    case DType::float16: return {16, 5, 10};
    case DType::float32: return {32, 8, 23};
    default: return {64, 11, 52};
  }
}

bool is_kind(DType d, const char* kind) {
  const auto is = [&](const char* k) { return std::strcmp(kind, k) == 0; };
  if (is("bool")) return d == DType::bool_;
  if (is("signed integer")) return is_signed_integer(d);
  if (is("unsigned integer")) return is_unsigned_integer(d);
  if (is("integral")) return is_integer(d);
  if (is("real floating")) return is_floating(d);
  if (is("complex floating")) return is_complex(d);
  if (is("numeric")) return is_integer(d) || is_inexact(d);
  DType same;
  if (dtype_from_name(kind, std::strlen(kind), &same)) return d == same;
  throw ValueError(
      "isdtype: unrecognized kind '" + std::string(kind) +
      "', expected 'bool', 'signed integer', 'unsigned integer', 'integral', 'real floating', 'complex floating', "
      "'numeric' or a dtype's name");
}

// Whether every value of `from` is one of `to`.
bool is_safe(DType from, DType to) {
  if (from == to || from == DType::bool_) return !is_key(to) && to != DType::float0;
  if (is_key(from) || is_key(to) || from == DType::float0 || to == DType::float0) return false;
  if (is_integer(from) && is_integer(to)) {
    if (is_unsigned_integer(from) == is_unsigned_integer(to)) return item_size(from) <= item_size(to);
    return is_unsigned_integer(from) && item_size(from) < item_size(to);
  }
  if (is_inexact(from)) {
    if (!is_inexact(to) || (is_complex(from) && !is_complex(to))) return false;
    const Format f = format_of(real_dtype(from)), t = format_of(real_dtype(to));
    return f.exponent <= t.exponent && f.mantissa <= t.mantissa;
  }
  if (!is_inexact(to)) return false;
  const Format t = format_of(real_dtype(to));
  if (t.bits == 64) return true;  // NumPy takes 64-bit integers for safe too
  return static_cast<int>(8 * item_size(from)) - is_signed_integer(from) <= t.mantissa + 1;
}
int kind_order(DType d) {
  return d == DType::bool_        ? 0
         : is_unsigned_integer(d) ? 1
         : is_signed_integer(d)   ? 2
         : is_floating(d)         ? 3
         : is_complex(d)          ? 4
                                  : 5;
}

}  // namespace

TypeLike::TypeLike(const char* name) {
  if (!dtype_from_name(name, std::strlen(name), &dtype))
    throw TypeError("data type '" + std::string(name) + "' not understood");
}

FInfo finfo(const TypeLike& type) {
  if (!is_inexact(type.dtype))
    throw ValueError("finfo: data type " + std::string(dtype_name(type.dtype)) + " is not inexact");
  const DType d = real_dtype(type.dtype);
  const Format f = format_of(d);
  FInfo i{};
  i.bits = f.bits, i.dtype = d, i.nmant = f.mantissa, i.iexp = i.nexp = f.exponent;
  i.machep = -f.mantissa, i.negep = -f.mantissa - 1;
  i.eps = std::ldexp(1, i.machep), i.epsneg = std::ldexp(1, i.negep);
  i.maxexp = 1 << (f.exponent - 1), i.minexp = 2 - i.maxexp;
  i.max = std::ldexp(2 - i.eps, i.maxexp - 1), i.min = -i.max;
  i.smallest_normal = i.tiny = std::ldexp(1, i.minexp);
  i.smallest_subnormal = std::ldexp(1, i.minexp - f.mantissa);
  i.precision = static_cast<int>(f.mantissa * std::log10(2.0));
  i.resolution = HostScalar(std::pow(10.0, -i.precision), d).as_double();
  return i;
}

IInfo iinfo(const TypeLike& type) {
  const DType d = type.dtype;
  if (!is_integer(d)) throw ValueError("iinfo: data type " + std::string(dtype_name(d)) + " is not an integer");
  const int bits = static_cast<int>(8 * item_size(d)), value_bits = bits - is_signed_integer(d);
  const std::uint64_t max = std::numeric_limits<std::uint64_t>::max() >> (64 - value_bits);
  return {bits, d, max, is_signed_integer(d) ? -static_cast<std::int64_t>(max) - 1 : 0};
}

DType result_type(const std::vector<TypeLike>& args) {
  if (args.empty()) throw ValueError("result_type: at least one array or dtype is required");
  std::vector<LatticeType> types;
  for (const TypeLike& t : args) types.push_back({canonical_dtype(t.dtype), t.weak});
  return canonical_dtype(cotan::promote_types(types).dtype);
}

DType promote_types(const TypeLike& a, const TypeLike& b) {
  const LatticeType t = cotan::promote_types(LatticeType{a.dtype, a.weak}, LatticeType{b.dtype, b.weak});
  // What uint64 and a signed type meet in is Python's float.
  return t.weak && !a.weak && !b.weak && is_floating(t.dtype) ? DType::float64 : t.dtype;
}

bool can_cast(const TypeLike& from_, const TypeLike& to, const char* casting) {
  const auto is = [&](const char* c) { return std::strcmp(casting, c) == 0; };
  if (is("no") || is("equiv")) return from_.dtype == to.dtype;
  if (is("safe")) return is_safe(from_.dtype, to.dtype);
  if (is("same_kind")) return is_safe(from_.dtype, to.dtype) || kind_order(from_.dtype) <= kind_order(to.dtype);
  if (is("unsafe")) return true;
  throw ValueError("can_cast: casting must be one of 'no', 'equiv', 'safe', 'same_kind', 'unsafe', got '" +
                   std::string(casting) + "'");
}

bool issubdtype(const TypeLike& arg1, const char* arg2) {
  const DType d = arg1.dtype;
  const auto is = [&](const char* k) { return std::strcmp(arg2, k) == 0; };
  if (is("generic")) return !is_key(d);
  if (is("number")) return is_integer(d) || is_inexact(d);
  if (is("integer")) return is_integer(d);
  if (is("signedinteger")) return is_signed_integer(d);
  if (is("unsignedinteger")) return is_unsigned_integer(d);
  if (is("inexact")) return is_inexact(d);
  if (is("floating")) return is_floating(d);
  if (is("complexfloating")) return is_complex(d);
  if (is("prng_key")) return is_key(d);
  return d == TypeLike(arg2).dtype;
}

bool isdtype(const TypeLike& type, const char* kind) { return is_kind(type.dtype, kind); }
DType dtype(const TypeLike& type) { return type.dtype; }

}  // namespace cotan::numpy

namespace cotan::table {

template <> struct FromValue<numpy::TypeLike> {
  static numpy::TypeLike get(const Value& v, const Place& p) {
    if (const DType* d = v.get<DType>()) return *d;
    if (const std::string* s = v.get<std::string>()) return s->c_str();
    if (v.is_none()) return DType::float64;  // NumPy's default
    return to_array(v, p);
  }
};

}  // namespace cotan::table

namespace cotan::numpy {
namespace {

using table::Place;
using table::Value;

TypeLike named(const Value& v, const char* function) {  // a dtype or its name, no value
  const DType d = table::to_dtype(v.is_none() ? Value(DType::float64) : v, {function, "a dtype"});
  return d;
}
DType promote_values(const Value& a, const Value& b) {
  return promote_types(named(a, "promote_types"), named(b, "promote_types"));
}
TypeLike no_number(const Value& v) {
  if (!v.get<Array>() && !v.get<DType>() && !v.get<std::string>())
    throw TypeError("can_cast: numbers have no dtype of their own, got " + v.str());
  return table::FromValue<TypeLike>::get(v, {"can_cast", "from_"});
}
bool can_cast_values(const Value& from, const Value& to, const char* casting) {
  return can_cast(no_number(from), no_number(to), casting);
}
bool issubdtype_values(const TypeLike& arg1, const Value& arg2) {
  if (const DType* d = arg2.get<DType>()) return arg1.dtype == *d;
  return issubdtype(arg1, table::to_string(arg2, {"issubdtype", "arg2"}).c_str());
}
bool isdtype_values(const TypeLike& type, const Value& kind) {
  if (kind.is_sequence()) {
    bool any = false;
    for (const Value& k : kind.items()) any |= isdtype_values(type, k);
    return any;
  }
  if (const DType* d = kind.get<DType>()) return type.dtype == *d;
  return isdtype(type, table::to_string(kind, {"isdtype", "kind"}).c_str());
}

}  // namespace

const FunctionTable dtypes_table{
    "numpy",
    {
        function<finfo>("finfo(dtype)", "What is known of a floating dtype."),
        function<iinfo>("iinfo(int_type)", "What is known of an integer dtype."),
        function<result_type>("result_type(*args)", "The dtype of an operation on the arguments."),
        function<promote_values>("promote_types(a, b)", "The least dtype that both convert to."),
        function<can_cast_values>("can_cast(from_, to, casting='safe')", "Whether a conversion keeps the rule."),
        function<issubdtype_values>("issubdtype(arg1, arg2)", "Whether a dtype is of a kind."),
        function<isdtype_values>("isdtype(dtype, kind)", "Whether a dtype is of one of the kinds."),
        function<dtype>("dtype(dtype, align=False, copy=False, **kwargs)", "A dtype by its name."),
    }};

}  // namespace cotan::numpy
