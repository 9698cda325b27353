#include "kernel/library_params.h"

namespace cotan::kernel {

std::vector<std::int64_t> IndexedParams::encode() const {
  std::vector<std::int64_t> v{batch.length(),
                              component_stride.length(),
                              window.length(),
                              clamps,
                              windows_overlap,
                              combiner,
                              fill[0],
                              fill[1],
                              wrap};
  for (const IntList* l : {&batch, &batch_windows, &batch_indices, &batch_array, &component_stride, &component_limit,
                           &window, &window_windows, &window_array})
    v.insert(v.end(), l->begin(), l->end());
  return v;
}

IndexedParams IndexedParams::decode(const std::vector<std::int64_t>& v) {
  IndexedParams p;
  const std::int64_t* at = v.data() + 9;
  const auto list = [&](std::int64_t n) {
    at += n;
    return IntList(at - n, static_cast<std::size_t>(n));
  };
  for (IntList* l : {&p.batch, &p.batch_windows, &p.batch_indices, &p.batch_array}) *l = list(v[0]);
  for (IntList* l : {&p.component_stride, &p.component_limit}) *l = list(v[1]);
  for (IntList* l : {&p.window, &p.window_windows, &p.window_array}) *l = list(v[2]);
  p.clamps = v[3] != 0, p.windows_overlap = v[4] != 0, p.combiner = static_cast<int>(v[5]);
  p.fill[0] = v[6], p.fill[1] = v[7], p.wrap = v[8];
  return p;
}

}  // namespace cotan::kernel
