// jax.scipy.ndimage.
#pragma once
#include <string_view>
#include <vector>

#include "cotan/array.h"

namespace cotan::scipy::ndimage {

// input at coordinates that need not be integers, one array for each axis, which broadcast: of the nearest element (order 0) or
// linear between neighbours (order 1; NotImplementedError for more). Beyond the edges: mode "constant": cval; "nearest": the edge;
// "wrap": from the other end; "mirror": reflected about the last element; "reflect": about its outer side (NotImplementedError for
// other words). The result has the input's dtype: rounded, for integers. ValueError unless there is one array for each axis.
Array map_coordinates(const Array& input, const std::vector<Array>& coordinates, std::int64_t order,
                      std::string_view mode = "constant", const Array& cval = 0.0);

}  // namespace cotan::scipy::ndimage
