#include "control/map.h"

#include "control/control_flow.h"
#include "ops/common.h"
#include "ops/structural.h"

namespace cotan {

namespace {

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
Array joined(const Array& a, const Array& b, int axis) {
  const Array both[] = {a, b};
  return ops::concatenate(both, axis);
}
Arrays joined(const Arrays& a, const Arrays& b, int axis) {
  Arrays out;
  for (std::size_t i = 0; i < a.size(); ++i) out.push_back(joined(a[i], b[i], axis));
  return out;
}
Array reshaped_front(const Array& x, std::initializer_list<std::int64_t> front, int replaced) {
  Shape s;
  for (std::int64_t d : front) s.push_back(d);
  for (int i = replaced; i < x.ndim(); ++i) s.push_back(x.shape()[i]);
  return ops::reshape(x, s);
}

Arrays all_rows_at_once(const FlatFn& f, const Arrays& xs, std::int64_t size) {
  Arrays out;
  for (const BatchedOutput& r : flat_vmap(f, xs, std::vector<int>(xs.size(), 0), size, ""))
    out.push_back(with_batch_axis(r, 0, size));
  return out;
}

}  // namespace

Arrays flat_map(const FlatFn& f, const Arrays& xs, std::int64_t batch_size) {
  if (batch_size < 0) throw ValueError("map: batch_size must not be negative, got " + std::to_string(batch_size));
  if (batch_size == 0 || xs.empty()) return flat_scan(f, {}, xs, {}, {});
  for (const Array& x : xs)
    if (x.ndim() == 0 || x.shape()[0] != xs[0].shape()[0])
      throw ValueError("map: the leading axes must have one size, got shapes " + xs[0].shape().str() + " and " +
                       x.shape().str());
  const std::int64_t n = xs[0].shape()[0], batches = n / batch_size, whole = batches * batch_size;
  Arrays out, rows, last;
  for (const Array& x : whole == n ? xs : rows_between(xs, 0, whole))
    rows.push_back(reshaped_front(x, {batches, batch_size}, 1));
  if (whole < n) last = rows_between(xs, whole, n);
  if (batches == 0 && n > 0) return all_rows_at_once(f, last, n);
  const Arrays batched =
      flat_scan([&](const Arrays& row) { return all_rows_at_once(f, row, batch_size); }, {}, rows, {}, {});
  const Arrays rest = whole < n ? all_rows_at_once(f, last, n - whole) : Arrays();
  for (const Array& y : batched) out.push_back(reshaped_front(y, {whole}, 2));
  return rest.empty() ? out : joined(out, rest, 0);
}

}  // namespace cotan
