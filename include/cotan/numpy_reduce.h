// numpy's reductions and comparisons of whole arrays.
#pragma once
#include "cotan/array.h"
#include "cotan/axes.h"

namespace cotan::numpy {

Array sum(const Array&, const Axes& axis = none, const ReduceOptions& = {});
Array prod(const Array&, const Axes& axis = none, const ReduceOptions& = {});
Array mean(const Array&, const Axes& axis = none, const ReduceOptions& = {});
Array var(const Array&, const Axes& axis = none, const VarOptions& = {});
Array std(const Array&, const Axes& axis = none, const VarOptions& = {});
Array max(const Array&, const Axes& axis = none, const KeepdimsOptions& = {});  // ValueError over no element
Array min(const Array&, const Axes& axis = none, const KeepdimsOptions& = {});
Array all(const Array&, const Axes& axis = none, const KeepdimsOptions& = {});
Array any(const Array&, const Axes& axis = none, const KeepdimsOptions& = {});
Array argmax(const Array&, const Axes& axis = none,
             const KeepdimsOptions& = {});  // of one axis, or of the flattened array
Array argmin(const Array&, const Axes& axis = none, const KeepdimsOptions& = {});
Array allclose(const Array&, const Array&, double rtol = 1e-5, double atol = 1e-8);
Array isclose(const Array&, const Array&, double rtol = 1e-5, double atol = 1e-8);
Array array_equal(const Array&, const Array&);

}  // namespace cotan::numpy
