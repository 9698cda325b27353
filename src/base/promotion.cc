#include "base/promotion.h"

#include <algorithm>
#include <string>

#include "cotan/config.h"
#include "cotan/errors.h"

namespace cotan {
namespace {

// Types form four kinds, each below the next. The bound of several types is of the highest kind among them; only the strong
// types of that kind give it a width (for complex, the strong floating types too). Where there are none, it is the weak type
// of the kind. Exceptions inside a kind: a signed and an unsigned integer meet in the signed integer that holds both, which
// for uint64 is none, so that they meet in the weak float, and for uint32 is int64 or, without 64-bit types, int32; bfloat16
// and float16 meet in float32.
enum Kind { boolean, integer, floating, complex };

Kind kind_of(DType d) {
  return is_integer(d) ? integer : is_floating(d) ? floating : is_complex(d) ? complex : boolean;
}

int width(DType d) { return static_cast<int>(item_size(d)); }

struct Bound {
  Kind kind = boolean;
  bool strong = false;  // dtype is valid
  DType dtype = DType::bool_;
};

DType join_integers(DType a, DType b, bool* fits) {
  *fits = true;
  if (is_signed_integer(a) == is_signed_integer(b)) return std::max(a, b);
  const DType s = is_signed_integer(a) ? a : b, u = is_signed_integer(a) ? b : a;
  if (width(s) > width(u)) return s;
  *fits = u != DType::uint64;
  return u == DType::uint8 ? DType::int16 : u == DType::uint16 ? DType::int32 : default_int_dtype();
}

DType join_floats(DType a, DType b) {
  if (a != b && width(a) == 2 && width(b) == 2) return DType::float32;
  return std::max(a, b);
}

// b is of the higher kind, or of the same.
Bound join_ordered(const Bound& a, const Bound& b) {
  if (b.kind == complex && a.kind >= floating && a.strong) {
    const DType c = complex_dtype(a.dtype);
    return {complex, true, b.strong ? std::max(b.dtype, c) : c};
  }
  if (a.kind < b.kind || !a.strong) return b;
  if (!b.strong) return a;
  if (b.kind == integer) {
    bool fits;
    const DType d = join_integers(a.dtype, b.dtype, &fits);
    return fits ? Bound{integer, true, d} : Bound{floating, false, DType::float32};
  }
  return {b.kind, true, b.kind == floating ? join_floats(a.dtype, b.dtype) : std::max(a.dtype, b.dtype)};
}

Bound join(const Bound& a, const Bound& b) { return a.kind <= b.kind ? join_ordered(a, b) : join_ordered(b, a); }

[[noreturn, gnu::cold]] void refuse(std::span<const LatticeType> types) {
  std::string s = "types that do not promote to a common one:";
  const char* separator = " ";
  for (const LatticeType& t : types) {
    s += separator;
    s += dtype_name(t.dtype);
    separator = ", ";
  }
  throw TypeError(s + "\nPRNG keys and float0 mix with no other type.");
}

DType default_of(Kind kind) {
  switch (kind) {
    case boolean: return DType::bool_;
    case integer: return default_int_dtype();
    case floating: return default_float_dtype();
    case complex: return default_complex_dtype();
  }
  __builtin_unreachable();
}

}  // namespace

LatticeType promote_types(std::span<const LatticeType> types) {
  if (types.empty()) throw ValueError("promote_types: at least one type is needed, got none");
  const LatticeType first = types.front();
  bool same = true, all_weak = true, mixable = true;
  for (const LatticeType& t : types) {
    same &= t.dtype == first.dtype;
    all_weak &= t.weak;
    mixable &= t.dtype <= DType::complex128;
  }
  if (same) return {first.dtype, all_weak && first.dtype != DType::bool_};
  if (!mixable) refuse(types);
  Bound bound;
  for (const LatticeType& t : types) {
    const Kind kind = kind_of(t.dtype);
    // Weak types among themselves keep their widths.
    bound = join(bound, {kind, kind == boolean || all_weak || !t.weak, t.dtype});
  }
  if (!bound.strong) return {default_of(bound.kind), true};
  return {bound.dtype, all_weak && bound.dtype != DType::bool_};
}

LatticeType promote_types(LatticeType a, LatticeType b) {
  const LatticeType both[] = {a, b};
  return promote_types(both);
}

DType canonical_dtype(DType d) {
  if (config::get(config::Flag::enable_x64)) return d;
  switch (d) {
    case DType::int64: return DType::int32;
    case DType::uint64: return DType::uint32;
    case DType::float64: return DType::float32;
    case DType::complex128: return DType::complex64;
    default: return d;
  }
}

DType default_int_dtype() { return canonical_dtype(DType::int64); }

DType default_float_dtype() { return canonical_dtype(DType::float64); }

DType default_complex_dtype() { return canonical_dtype(DType::complex128); }

DType to_inexact_dtype(DType d) {
  if (d >= DType::bfloat16) return d;
  return d == DType::int64 || d == DType::uint64 ? DType::float64 : DType::float32;
}

}  // namespace cotan
