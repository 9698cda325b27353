// numpy's functions of dtypes, and its constants. Apart from numpy.h: names as short as e are for programs, not for the library.
#pragma once
#include <optional>

#include "cotan/array.h"

namespace cotan::numpy {

inline constexpr double pi = 3.141592653589793, e = 2.718281828459045, euler_gamma = 0.5772156649015329;
inline constexpr double inf = __builtin_inf(), nan = __builtin_nan("");

// A dtype by itself, by its name ("float32"; TypeError for another), or that of an Array or of a number, which is weak.
struct TypeLike {
  DType dtype;
  bool weak = false;
  TypeLike(DType d) : dtype(d) {}
  TypeLike(const char* name);
  TypeLike(const Array& x) : dtype(x.dtype()), weak(x.weak_type()) {}
  template <Number T> TypeLike(T v) : TypeLike(Array(v)) {}
};

// What is known of a floating dtype; of the parts of a complex one.
struct FInfo {
  int bits;
  DType dtype;
  double eps, epsneg;  // from 1 to the next larger number, and to the next smaller one
  int iexp, machep;    // bits of the exponent; log2(eps)
  double max;
  int maxexp;
  double min;
  int minexp, negep, nexp, nmant, precision;  // precision: decimal digits
  double resolution, smallest_normal, smallest_subnormal, tiny;
};
FInfo finfo(const TypeLike& dtype);  // ValueError unless inexact

struct IInfo {
  int bits;
  DType dtype;
  std::uint64_t max;
  std::int64_t min;
};
IInfo iinfo(const TypeLike& int_type);  // ValueError unless an integer

DType result_type(const std::vector<TypeLike>& args);  // of an operation on them; ValueError without any
DType promote_types(const TypeLike& a,
                    const TypeLike& b);  // the least type that both convert to
// casting: "no", "equiv", "safe" (no value is lost), "same_kind" (or to a narrower one of its kind), "unsafe"; ValueError.
bool can_cast(const TypeLike& from_, const TypeLike& to, const char* casting = "safe");
// arg2: a dtype's name, or generic, number, integer, signedinteger, unsignedinteger, inexact, floating, complexfloating;
// TypeError for another.
bool issubdtype(const TypeLike& arg1, const char* arg2);
// kind: a dtype's name, or "bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating",
// "numeric"; ValueError for another.
bool isdtype(const TypeLike& dtype, const char* kind);
DType dtype(const TypeLike& dtype);  // by its name

}  // namespace cotan::numpy
