// scan and while: a program run again and again, with values carried from one run to the next.
#pragma once
#include "control/programs.h"

namespace cotan {

extern const Primitive scan_p, while_p;

struct ScanShape {
  int consts = 0, carries = 0;  // of the operands, which are constants, carries, rows
  std::int64_t length = 0;
  bool reverse = false;
  std::int64_t unroll = 1;
};
// The body takes constants, carries and a row of each array, and gives carries and rows; the results are the last carries
// and the rows stacked. Constants of the body go with the operands.
Arrays bind_scan(const Hoisted& body, const ScanShape&, const Arrays& operands);

// While `condition` of the carries is true, the carries become `body` of them.
Arrays bind_while(const Hoisted& condition, const Hoisted& body, const Arrays& carries);

}  // namespace cotan
