// jax.nn's products of numbers of 8 and 4 bits with scales: what of them needs no such types.
#include "api/function_table.h"
#include "core/trace.h"
#include "lax/dot_numbers.h"

namespace cotan::nn {

namespace {

using table::Call;
using table::Value;

Array scaled_matmul(const Array& lhs, const Array& rhs, const Array& lhs_scales, const Array& rhs_scales) {
  COTAN_API;
  const auto fail = [&](const char* what, const Array& a, const Array& b) {
    throw ValueError("scaled_matmul: " + std::string(what) + ", got shapes " + a.shape().str() + " and " +
                     b.shape().str());
  };
  for (const Array* x : {&lhs, &rhs, &lhs_scales, &rhs_scales})
    if (x->ndim() != 3)
      throw ValueError("scaled_matmul: every operand must have 3 dimensions, got shape " + x->shape().str());
  const Shape &a = lhs.shape(), &b = rhs.shape(), &s = lhs_scales.shape(), &t = rhs_scales.shape();
  if (a[0] != b[0] || a[2] != b[2]) fail("lhs and rhs must have equal first and last sizes", lhs, rhs);
  if (s[0] != t[0] || s[2] != t[2]) fail("scales must have equal first and last sizes", lhs_scales, rhs_scales);
  if (s[0] != a[0] || s[1] != a[1]) fail("the first two sizes of lhs and its scales must be equal", lhs, lhs_scales);
  if (t[1] != b[1]) fail("the second sizes of rhs and its scales must be equal", rhs, rhs_scales);
  throw NotImplementedError(
      "nn.scaled_matmul: products with scales exist on GPUs only; scale the operands and use numpy.matmul");
}

Value scaled_dot_general(const Call& c) {
  if (!c["configs"].is_none())
    throw NotImplementedError(
        "nn.scaled_dot_general: configs are of element types of 8 and 4 bits, which are not there yet");
  const lax::DotGeneralOptions o{.preferred_element_type = c.get<DType>("preferred_element_type")};
  return lax::dot_general(c.get<Array>("lhs"), c.get<Array>("rhs"),
                          c.get<lax::DotDimensionNumbers>("dimension_numbers"), o);
}

Value get_scaled_dot_general_config(const Call& c) {
  const std::string* mode = c["mode"].get<std::string>();
  if (!mode || (*mode != "nvfp4" && *mode != "mxfp8"))
    throw ValueError("get_scaled_dot_general_config: mode must be 'nvfp4' or 'mxfp8', got " + c["mode"].str());
  throw NotImplementedError("nn.get_scaled_dot_general_config: '" + *mode +
                            "' is of element types of 8 and 4 bits, which are not there yet");
}

}  // namespace

const FunctionTable scaled_table{
    "nn",
    {
        function<scaled_matmul>(
            "scaled_matmul(lhs, rhs, lhs_scales, rhs_scales, preferred_element_type=<class 'numpy.float32'>)",
            "Not there: products with scales, which GPUs have."),
        function<scaled_dot_general>("scaled_dot_general(lhs, rhs, dimension_numbers, preferred_element_type=<class "
                                     "'numpy.float32'>, configs=None, "
                                     "implementation=None)",
                                     "lax.dot_general with a result of float32. configs are not there yet."),
        function<get_scaled_dot_general_config>("get_scaled_dot_general_config(mode, global_scale=None)",
                                                "Not there yet: element types of 8 and 4 bits."),
    }};

}  // namespace cotan::nn
