#include "control/custom_call.h"

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

Batch::Batch(const BatchIn& in) : size(in.axis_size), name(in.axis_name) {
  for (int d : in.dims) axes.push_back(d == not_mapped ? no_axis : d);
}
Arrays Batch::run(const FlatFn& f, const Arrays& args, const std::vector<int>& at) const {
  Arrays out;
  for (const BatchedOutput& r : flat_vmap(f, args, at, size, name)) out.push_back(with_batch_axis(r, 0, size));
  return out;
}

namespace {
FlatFn batched(const Batch& b, const FlatFn& f) {
  return [b, f](const Arrays& x) { return b.run(f, x, b.axes); };
}
}  // namespace

Called batched(const BatchIn& in, const Batch& b, const Called& c) {
  if (c.function) return {flat_function(c.function->name, batched(b, flat_function_of(c.function))), {}, 0};
  const Jaxpr& j = c.call_jaxpr.jaxpr();
  const auto d = batch_program(j, in.dims, in.axis_size, in.axis_name, Bits(j.outvars.size(), true));
  if (!d->consts.empty()) {  // rules inside may capture more
    Hoisted h = *d;
    return {flat_function("",
                          [h](const Arrays& x) {
                            Arrays args = h.consts;
                            args.insert(args.end(), x.begin(), x.end());
                            return run(h.program.jaxpr(), args);
                          }),
            {},
            0};
  }
  return {nullptr, d->program, c.num_consts};
}

void bind_batched(const Primitive& p, ParamsRef params, const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  p.bind(params, in.args, out);
  for (std::size_t i = 0; i < out.size(); ++i) out_dims.push_back(0);
}

}  // namespace cotan::custom
