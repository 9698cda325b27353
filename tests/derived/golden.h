// Programs with inputs and the results that NumPy gives (tests/golden/programs.py), as text:
//
//   program { lambda ; %0:f32[2] . let %1:f32[2] = sin %0; in (%1) }
//   in 0000803f00000040
//   out 6f6a573fc9c7683f 2 0
//
// An input or result is its bytes in hexadecimal. After a result: how far values may be off, in units of the dtype's epsilon
// times the larger of the value's magnitude and the second number.
#pragma once
#include <string>
#include <vector>

#include "core/primitive.h"
#include "transforms/flat.h"

namespace cotan::derived {

struct GoldenResult {
  std::string hex;
  double ulps = 0, scale = 0;
};
struct GoldenProgram {
  std::string program;
  std::vector<std::string> in;
  std::vector<GoldenResult> out;
};
const std::vector<GoldenProgram>& golden_programs(const std::string& stem);  // of stem.txt and stem_*.txt, read once

std::string hex_of(const Array&);
Array array_of_hex(const Aval&, const std::string& hex);
std::string golden_input(const ClosedJaxpr&, const Arrays& in);  // the lines `program` and `in`

// What differs from the results on the file, or nothing.
std::string difference_from(const GoldenProgram&, const Arrays& got);
Arrays golden_operands(const GoldenProgram&, const ClosedJaxpr&);

}  // namespace cotan::derived
