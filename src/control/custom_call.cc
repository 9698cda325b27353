#include "control/custom_call.h"

#include <algorithm>

#include "ops/common.h"
#include "transforms/batching.h"

namespace cotan::custom {

std::span<const Tangent> own_tangents(const JvpIn& in, int consts) {
  for (const Tangent& t : in.tangents.first(static_cast<std::size_t>(consts)))
    if (!t.is_zero())
      throw UnexpectedTracerError(
          std::string(in.primitive.name) +
          ": detected differentiation of a function with a custom rule with respect to a value that it captures; "
          "make that value an argument of the function");
  return in.tangents.subspan(static_cast<std::size_t>(consts));
}

Tangents with_arrays(Tangents ts) {
  for (Tangent& t : ts)
    if (t.is_zero() && t.aval().dtype != DType::float0) t = Tangent(ops::instantiate(t));
  return ts;
}

namespace {
constexpr int not_known = 1;
}

Batch::Batch(const BatchIn& in, bool is_program)
    : size(in.axis_size), name(in.axis_name), tag(in.tag), result_(std::make_shared<std::atomic<int>>(not_known)) {
  for (int d : in.dims) {
    axes.push_back(d == not_mapped ? no_axis : d);
    if (d != not_mapped) *result_ = 0;
  }
  if (is_program) *result_ = 0;
}
Arrays Batch::run(const FlatFn& f, const Arrays& args, const std::vector<int>& at) const {
  const std::vector<BatchedOutput> results = flat_vmap(f, args, at, size, name, tag);
  const bool any = std::any_of(results.begin(), results.end(), [](const auto& r) { return r.axis != no_axis; });
  int axis = not_known;
  if (result_->compare_exchange_strong(axis, any ? 0 : no_axis)) axis = any ? 0 : no_axis;
  if (any && axis != 0)
    throw UnexpectedTracerError(
        "a derivative rule captures a value of a vmap that its function does not depend on; make that value an "
        "argument of the function");
  Arrays out;
  for (const BatchedOutput& r : results) out.push_back(axis == 0 ? with_batch_axis(r, 0, size) : r.value);
  return out;
}

namespace {
FlatFn batched(const Batch& b, const FlatFn& f) {
  return [b, f](const Arrays& x) { return b.run(f, x, b.axes); };
}
}  // namespace

Called batched(const BatchIn& in, const Batch& b, const Called& c, ArrayVec* operands) {
  if (c.function) {
    *operands = ArrayVec(in.args);
    return {flat_function(c.function->name, batched(b, flat_function_of(c.function))), {}, 0};
  }
  const Jaxpr& j = c.call_jaxpr.jaxpr();
  const auto d = batch_program(j, in.dims, in.axis_size, in.axis_name, Bits(j.outvars.size(), true));
  *operands = ArrayVec(d->consts);  // what rules inside capture
  for (const Array& a : in.args) operands->push_back(a);
  return {nullptr, d->program, c.num_consts + static_cast<int>(d->consts.size())};
}

void bind_batched(const Batch& b, const BatchIn& in, ParamsRef params, const ArrayVec& operands, ArrayVec& out,
                  DimVec& out_dims) {
  in.primitive.bind(params, operands, out);
  const int dim = b.result_axis() == no_axis ? not_mapped : 0;
  for (std::size_t i = 0; i < out.size(); ++i) out_dims.push_back(dim);
}

}  // namespace cotan::custom
