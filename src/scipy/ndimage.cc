// scipy.ndimage.map_coordinates.
#include "cotan/scipy_ndimage.h"

#include "api/function_table.h"
#include "numpy/common.h"
#include "ops/gather.h"

namespace cotan::scipy::ndimage {

namespace {

using numpy::number_like;
enum class Mode { constant, nearest, wrap, mirror, reflect };

Mode mode_of(std::string_view word) {
  constexpr std::string_view words[] = {"constant", "nearest", "wrap", "mirror", "reflect"};
  for (int i = 0; i < 5; ++i)
    if (word == words[i]) return static_cast<Mode>(i);
  throw NotImplementedError("map_coordinates has the modes constant, nearest, wrap, mirror and reflect, got \"" +
                            std::string(word) + "\"");
}

Array mirrored(const Array& i, std::int64_t n) {
  const Array turned = numpy::remainder(numpy::add(i, n - 1), 2 * (n - 1));
  return numpy::abs(numpy::subtract(turned, n - 1));
}

Array inside(const Array& i, std::int64_t n, Mode mode) {
  switch (mode) {
    case Mode::constant: return i;
    case Mode::nearest: return numpy::clip(i, 0, n - 1);
    case Mode::wrap: return numpy::remainder(i, n);
    case Mode::mirror: return mirrored(i, n);
    default: return numpy::floor_divide(mirrored(numpy::add(numpy::multiply(i, 2), 1), 2 * n + 1), 2);
  }
}

Array as_index(const Array& x) { return to_dtype(x, DType::int32, false); }
Array rounded(const Array& x) {
  return is_floating(x.dtype()) ? ops::round(x, ops::RoundingMethod::away_from_zero) : x;
}

// A neighbour along one axis.
struct Node {
  Array index, weight;  // no weight: 1
};
std::vector<Node> nodes_of(const Array& coordinate, std::int64_t order) {
  if (order == 0) return {{as_index(rounded(coordinate)), {}}};
  const Array lower = numpy::floor(coordinate), upper_weight = numpy::subtract(coordinate, lower);
  const Array lower_weight = numpy::subtract(1, upper_weight), index = as_index(lower);
  return {{index, lower_weight}, {numpy::add(index, 1), upper_weight}};
}

struct Image {
  Array flat;
  Shape shape;
  Mode mode;
  Array cval;
};

// The weighted elements at one choice of neighbours.
Array contribution(const Image& image, const std::vector<Node>& chosen) {
  Array position, valid, weight;
  std::int64_t stride = 1;
  for (int axis = image.shape.ndim(); axis-- > 0;) {
    const Node& node = chosen[static_cast<std::size_t>(axis)];
    const std::int64_t n = image.shape[axis];
    const Array i = inside(node.index, n, image.mode);
    if (image.mode == Mode::constant) {
      const Array here = numpy::logical_and(numpy::greater_equal(i, 0), numpy::less(i, n));
      valid = valid.has_value() ? numpy::logical_and(valid, here) : here;
    }
    const Array part = numpy::multiply(numpy::clip(i, 0, n - 1), stride);
    position = position.has_value() ? numpy::add(position, part) : part;
    if (node.weight.has_value()) weight = weight.has_value() ? numpy::multiply(node.weight, weight) : node.weight;
    stride *= n;
  }
  Array r = ops::take_axis(image.flat, position, 0, {.mode = ops::GatherScatterMode::clip});
  if (valid.has_value()) r = numpy::where(valid, r, image.cval);
  return weight.has_value() ? numpy::multiply(weight, r) : r;
}

}  // namespace

Array map_coordinates(const Array& input, const std::vector<Array>& coordinates, std::int64_t order,
                      std::string_view mode, const Array& cval) {
  COTAN_API;
  if (coordinates.size() != static_cast<std::size_t>(input.ndim()))
    throw ValueError("map_coordinates: one array of coordinates for each of " + std::to_string(input.ndim()) +
                     " axes is expected, got " + std::to_string(coordinates.size()));
  const Mode m = mode_of(mode);
  if (order != 0 && order != 1)
    throw NotImplementedError("map_coordinates has the orders 0 and 1, got " + std::to_string(order));
  if (coordinates.empty()) return input;
  const DType d = input.dtype();
  const Image image{numpy::ravel(input), input.shape(), m, to_dtype(cval, d, false)};
  std::vector<std::vector<Node>> nodes;
  for (const Array& c : coordinates) nodes.push_back(nodes_of(c, order));
  Array r;
  for (std::size_t choice = 0; choice < (order == 0 ? 1u : std::size_t{1} << nodes.size()); ++choice) {
    std::vector<Node> chosen;
    for (std::size_t axis = 0; axis < nodes.size(); ++axis)
      chosen.push_back(nodes[axis][choice >> (nodes.size() - 1 - axis) & 1]);
    const Array term = contribution(image, chosen);
    r = r.has_value() ? numpy::add(r, term) : term;
  }
  if (is_integer(d)) r = rounded(r);
  return to_dtype(r, d, false);
}

const FunctionTable ndimage_table{
    "scipy.ndimage",
    {
        function<map_coordinates>("map_coordinates(input, coordinates, order, mode='constant', cval=0.0)",
                                  "An array at coordinates that need not be integers."),
    }};

}  // namespace cotan::scipy::ndimage
