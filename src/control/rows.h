// Rows: the leading axis, as loops see it.
#pragma once
#include <initializer_list>

#include "transforms/flat.h"

namespace cotan {

Arrays rows_between(const Arrays& xs, std::int64_t start, std::int64_t limit);
// x with its first `replaced` axes reshaped to `front`.
Array with_front(const Array& x, std::initializer_list<std::int64_t> front, int replaced);
Arrays joined_rows(const Arrays& a, const Arrays& b);  // each of a with that of b behind it

}  // namespace cotan
