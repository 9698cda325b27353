#include "cotan/dtype.h"

#include <ostream>
#include <string_view>

namespace cotan {
namespace {

struct Names {
  std::string_view full, brief;
};
constexpr Names names[dtype_count] = {
    {"bool", "bool"},         {"int8", "i8"},           {"int16", "i16"},           {"int32", "i32"},
    {"int64", "i64"},         {"uint8", "u8"},          {"uint16", "u16"},          {"uint32", "u32"},
    {"uint64", "u64"},        {"bfloat16", "bf16"},     {"float16", "f16"},         {"float32", "f32"},
    {"float64", "f64"},       {"complex64", "c64"},     {"complex128", "c128"},     {"float0", "float0"},
    {"key<fry>", "key<fry>"}, {"key<rbg>", "key<rbg>"}, {"key<urbg>", "key<urbg>"},
};

}  // namespace

const char* dtype_name(DType d) { return names[static_cast<int>(d)].full.data(); }

const char* dtype_short_name(DType d) { return names[static_cast<int>(d)].brief.data(); }

bool dtype_from_name(const char* name, std::size_t length, DType* out) {
  const std::string_view wanted(name, length);
  for (int i = 0; i < dtype_count; ++i) {
    if (names[i].full != wanted && names[i].brief != wanted) continue;
    *out = static_cast<DType>(i);
    return true;
  }
  return false;
}

std::ostream& operator<<(std::ostream& o, DType d) { return o << dtype_name(d); }

}  // namespace cotan
