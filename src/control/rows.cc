#include "control/rows.h"

#include "ops/structural.h"

namespace cotan {

Arrays rows_between(const Arrays& xs, std::int64_t start, std::int64_t limit) {
  Arrays out;
  for (const Array& x : xs) {
    IntList first, last;
    for (std::int64_t d : x.shape()) first.push_back(0), last.push_back(d);
    first[0] = start, last[0] = limit;
    out.push_back(ops::slice(x, first, last));
  }
  return out;
}

Array with_front(const Array& x, std::initializer_list<std::int64_t> front, int replaced) {
  Shape s;
  for (std::int64_t d : front) s.push_back(d);
  for (int i = replaced; i < x.ndim(); ++i) s.push_back(x.shape()[i]);
  return ops::reshape(x, s);
}

Arrays joined_rows(const Arrays& a, const Arrays& b) {
  Arrays out;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Array both[] = {a[i], b[i]};
    out.push_back(ops::concatenate(both, 0));
  }
  return out;
}

}  // namespace cotan
