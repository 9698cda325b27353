// Expansions by the templates of special functions (choose.h).
#pragma once
#include <span>
#include <utility>

#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/choose.h"

namespace cotan::ops::expand {

inline Lanes double_lanes(const Array& x) { return Lanes(convert_element_type(x, DType::float64)); }

// f of the operands, in double.
template <std::size_t arity, class F> Array by_lanes(std::span<const Array> in, const F& f) {
  std::vector<Aval> avals;
  for (const Array& x : in) avals.push_back(x.aval());
  const Shape shape = elementwise_shape("expand", avals);
  const lanes::Within within(shape);
  const auto value = [&]<std::size_t... i>(std::index_sequence<i...>) { return f(double_lanes(in[i])...); };
  return convert_element_type(value(std::make_index_sequence<arity>()).wide(), in[0].dtype());
}

}  // namespace cotan::ops::expand
