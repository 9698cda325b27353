#include "control/bounded.h"

#include <cmath>

#include "control/checkpoint.h"
#include "control/rows.h"
#include "ops/common.h"

namespace cotan {

namespace {

std::int64_t length_of(const Arrays& xs, const ScanOptionsFlat& o) {
  if (o.length || xs.empty()) return o.length.value_or(0);
  return xs[0].ndim() > 0 ? xs[0].shape()[0] : 0;
}

}  // namespace

Arrays flat_checkpointed_scan(const FlatFn& body, Arrays init, const Arrays& xs, const ScanOptionsFlat& o,
                              const ControlNames& names) {
  const std::int64_t length = length_of(xs, o);
  const auto segment = static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(length))));
  if (length < 4) return flat_scan(body, std::move(init), xs, o, names);
  for (const Array& x : xs)  // flat_scan says what is wrong
    if (x.ndim() == 0 || x.shape()[0] != length) return flat_scan(body, std::move(init), xs, o, names);
  const auto carries = static_cast<std::ptrdiff_t>(init.size());
  const auto run_segment = [&](std::int64_t n) {
    return [&body, &o, &names, carries, n](const Arrays& x) {
      const FlatFn rows = [&](const Arrays& y) {
        return flat_scan(body, Arrays(y.begin(), y.begin() + carries), Arrays(y.begin() + carries, y.end()),
                         {n, o.reverse, o.unroll}, names);
      };
      return bind_checkpoint(rows, nullptr, true, x);
    };
  };
  const std::int64_t segments = length / segment, whole = segments * segment;
  Arrays ys, last_ys;
  const auto run_rest = [&] {
    if (whole == length) return;
    Arrays in = init;
    const Arrays rest = rows_between(xs, whole, length);
    in.insert(in.end(), rest.begin(), rest.end());
    const Arrays out = run_segment(length - whole)(in);
    init.assign(out.begin(), out.begin() + carries);
    last_ys.assign(out.begin() + carries, out.end());
  };
  const auto run_whole = [&] {
    Arrays rows;
    for (const Array& x : rows_between(xs, 0, whole)) rows.push_back(with_front(x, {segments, segment}, 1));
    const Arrays out = flat_scan(run_segment(segment), init, rows, {segments, o.reverse, 1}, names);
    init.assign(out.begin(), out.begin() + carries);
    for (auto y = out.begin() + carries; y != out.end(); ++y) ys.push_back(with_front(*y, {whole}, 2));
  };
  if (o.reverse) run_rest();
  run_whole();
  if (!o.reverse) run_rest();
  if (!last_ys.empty()) ys = joined_rows(ys, last_ys);
  init.insert(init.end(), ys.begin(), ys.end());
  return init;
}

Arrays flat_bounded_while(const FlatFn& condition, const FlatFn& body, Arrays init, std::int64_t max_steps,
                          bool checkpoint, const ControlNames& names) {
  if (max_steps < 0) throw ValueError("while_loop: max_steps must not be negative, got " + std::to_string(max_steps));
  const auto goes_on = [&](const Arrays& x) {
    const Arrays c = condition(x);
    if (c.size() != 1 || c[0].ndim() != 0 || c[0].dtype() != DType::bool_)
      throw TypeError("cond_fun must return a boolean scalar, but got " + (c.empty() ? "nothing" : c[0].aval().str()));
    return c[0];
  };
  // The last carry says whether the loop goes on.
  const FlatFn step = [&](const Arrays& x) {
    const Arrays state(x.begin(), x.end() - 1);
    const FlatFn go = [&](const Arrays& y) {
      Arrays after = body(y);
      after.push_back(goes_on(after));
      return after;
    };
    const FlatFn stay = [&](const Arrays& y) {
      Arrays same = y;
      same.push_back(ops::scalar_int(DType::bool_, 0));
      return same;
    };
    return flat_cond(x.back(), go, stay, state, {});
  };
  init = promoted_carries("while_loop body", body, std::move(init), names);
  init.push_back(goes_on(init));
  const ScanOptionsFlat o{max_steps, false, 1};
  Arrays out = checkpoint ? flat_checkpointed_scan(step, std::move(init), {}, o, names)
                          : flat_scan(step, std::move(init), {}, o, names);
  out.pop_back();
  return out;
}

}  // namespace cotan
