// map, which is made of scan and vmap.
#pragma once
#include "transforms/flat.h"

namespace cotan {

// f of each row of xs, stacked: one after the other, or batch_size of them at once by vmap where that is above 0. ValueError for
// leading axes of several sizes, or none.
Arrays flat_map(const FlatFn& f, const Arrays& xs, std::int64_t batch_size);

}  // namespace cotan
