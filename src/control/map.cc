#include "control/map.h"

#include "control/control_flow.h"
#include "control/rows.h"

namespace cotan {

namespace {

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
    rows.push_back(with_front(x, {batches, batch_size}, 1));
  if (whole < n) last = rows_between(xs, whole, n);
  if (batches == 0 && n > 0) return all_rows_at_once(f, last, n);
  const Arrays batched =
      flat_scan([&](const Arrays& row) { return all_rows_at_once(f, row, batch_size); }, {}, rows, {}, {});
  const Arrays rest = whole < n ? all_rows_at_once(f, last, n - whole) : Arrays();
  for (const Array& y : batched) out.push_back(with_front(y, {whole}, 2));
  return rest.empty() ? out : joined_rows(out, rest);
}

}  // namespace cotan
