#include "ops/products_of_others.h"

#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/sorting.h"
#include "ops/structural.h"

namespace cotan::ops {

namespace {

// x moved by `by` elements, up if that is positive; what enters is `fill`.
Array moved(const Array& x, std::int64_t by, const Array& fill) {
  const PadDim config[] = {{by, -by, 0}};
  return pad(x, fill, config);
}

// For each element the product of those of its group that stand on one side of it: before it, or with step -1 after it.
Array one_side(const Array& factors, const Array& groups, std::int64_t step) {
  const Array one = scalar_int(factors.dtype(), 1), none = scalar_int(groups.dtype(), -1),
              ones = full(factors.aval(), 1);
  const auto within = [&](const Array& x, std::int64_t by) {
    return select(eq(groups, moved(groups, by, none)), moved(x, by, one), ones);
  };
  Array product = within(factors, step);
  for (std::int64_t reach = 1; reach < factors.size(); reach *= 2)
    product = mul(product, within(product, step * reach));
  return product;
}

}  // namespace

Array products_of_others(const Array& factors, const Array& places) {
  const std::int64_t n = factors.size();
  const Array numbers = iota(n > 0x7fffffff ? DType::int64 : DType::int32, factors.shape(), 0);
  const Array operands[] = {places, numbers, factors};
  const std::vector<Array> sorted = sort(operands, 0);
  const Array back[] = {sorted[1], mul(one_side(sorted[2], sorted[0], 1), one_side(sorted[2], sorted[0], -1))};
  return sort(back, 0)[1];
}

}  // namespace cotan::ops
