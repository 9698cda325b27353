// lax's products.
#include "api/function_table.h"
#include "lax/dot_numbers.h"
#include "lax/operands.h"
#include "ops/reduction.h"

namespace cotan::lax {

namespace {
ops::DotDimensionNumbers internal(const DotDimensionNumbers& n) {
  return {n.lhs_contract, n.rhs_contract, n.lhs_batch, n.rhs_batch};
}
std::optional<DType> canonical(std::optional<DType> d) {
  if (d) d = canonical_dtype(*d);
  return d;
}
}  // namespace

Array dot_general(const Array& lhs, const Array& rhs, const DotDimensionNumbers& n, const DotGeneralOptions& o) {
  COTAN_API;
  return ops::dot_general(lhs, rhs, internal(n), canonical(o.preferred_element_type), o.precision);
}

Array dot(const Array& lhs, const Array& rhs, const DotOptions& o) {
  COTAN_API;
  const std::optional<DType> preferred = canonical(o.preferred_element_type);
  if (o.dimension_numbers) return ops::dot_general(lhs, rhs, internal(*o.dimension_numbers), preferred, o.precision);
  const int n = lhs.ndim(), m = rhs.ndim();
  if (n < 1 || n > 2 || m < 1 || m > 2 || lhs.shape()[n - 1] != rhs.shape()[0])
    throw ValueError(
        "dot: without dimension_numbers, operands must be vectors or matrices whose inner sizes are equal, got "
        "shapes " +
        lhs.shape().str() + " and " + rhs.shape().str());
  return ops::dot_general(lhs, rhs, {{n - 1}, {0}, {}, {}}, preferred, o.precision);
}

Array batch_matmul(const Array& lhs, const Array& rhs, const PrecisionOptions& o) {
  COTAN_API;
  const int n = lhs.ndim();
  if (n < 2 || rhs.ndim() < 2)
    throw ValueError("batch_matmul: operands must have at least 2 dimensions, got shapes " + lhs.shape().str() +
                     " and " + rhs.shape().str());
  if (rhs.ndim() != n)
    throw ValueError("batch_matmul: operands must have as many dimensions, got shapes " + lhs.shape().str() + " and " +
                     rhs.shape().str());
  const IntList batch = IntList::range(n - 2);
  return ops::dot_general(lhs, rhs, {{n - 1}, {n - 2}, batch, batch}, std::nullopt, o.precision);
}

const FunctionTable products_table{
    "lax",
    {
        function<dot_general>(
            "dot_general(lhs, rhs, dimension_numbers, precision=None, preferred_element_type=None, *, "
            "out_sharding=None)",
            "Sums over the contracting dimensions of products of elements, for each index of the batch dimensions."),
        function<dot>(
            "dot(lhs, rhs, *, dimension_numbers=None, precision=None, preferred_element_type=None, out_sharding=None)",
            "The product of two vectors or matrices, or dot_general."),
        function<batch_matmul>("batch_matmul(lhs, rhs, precision=None)",
                               "Products of matrices, side by side over leading dimensions."),
    }};

}  // namespace cotan::lax
