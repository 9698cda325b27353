// bfloat16 and float16 as storage: conversions round to nearest even, keep NaN (quiet) and the sign of zero.
#pragma once
#include <cstdint>

namespace cotan {

struct BFloat16 {
  std::uint16_t bits;
};
struct Float16 {
  std::uint16_t bits;
};

float to_float(BFloat16);
float to_float(Float16);
BFloat16 to_bfloat16(float);
Float16 to_float16(float);
BFloat16 to_bfloat16(double);  // rounds once
Float16 to_float16(double);

}  // namespace cotan
