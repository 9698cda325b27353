// numpy's functions of the shape: they move elements.
#pragma once
#include <utility>

#include "cotan/array.h"
#include "cotan/axes.h"

namespace cotan::numpy {

Array reshape(const Array&, const Shape&);  // one size may be -1
Array ravel(const Array&);
Array broadcast_to(const Array&, const Shape&);
Array transpose(const Array&, const Axes& axes = none);  // none: reversed
Array swapaxes(const Array&, int axis1, int axis2);
Array moveaxis(const Array&, int source, int destination);
Array expand_dims(const Array&, const Axes& axis);
Array squeeze(const Array&, const Axes& axis = none);  // ValueError for an axis whose size is not 1
Array flip(const Array&, const Axes& axis = none);
Array roll(const Array&, std::int64_t shift, const Axes& axis = none);
Array tile(const Array&, const Shape& reps);
Array repeat(const Array&, std::int64_t repeats, const Axes& axis = none);
Array concatenate(const std::vector<Array>&, int axis = 0);
Array stack(const std::vector<Array>&, int axis = 0);
Array vstack(const std::vector<Array>&);
Array hstack(const std::vector<Array>&);
std::vector<Array> split(const Array&, int sections, int axis = 0);
Array pad(const Array&, const std::vector<std::pair<std::int64_t, std::int64_t>>& pad_width,
          const Array& constant_values = 0);

}  // namespace cotan::numpy
