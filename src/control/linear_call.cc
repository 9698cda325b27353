#include "control/linear_call.h"

#include "control/branch.h"
#include "control/jit.h"
#include "ops/common.h"

namespace cotan {

namespace {

struct LinearCallParams {
  ClosedJaxpr callee;
  int num_res = 0;
  ClosedJaxpr transpose;
  template <class S, class V> static void fields(S& s, V& v) {
    v("callee", s.callee), v("num_res", s.num_res), v("transpose", s.transpose);
  }
};

ArrayVec bind_params(LinearCallParams p, const Arrays& residuals, const Arrays& operands) {
  ArrayVec in, out;
  for (const Array& a : residuals) in.push_back(a);
  for (const Array& a : operands) in.push_back(a);
  linear_call_p.bind(make_params(std::move(p)), in, out);
  return out;
}

void linear_call_avals(const AbstractIn& in, AvalVec& out) {
  const Jaxpr& j = in.params<LinearCallParams>().callee.jaxpr();
  if (!j.constvars.empty() || j.invars.size() != in.in.size())
    throw TypeError("linear_call: the function takes " + std::to_string(j.invars.size()) + " operands, got " +
                    std::to_string(in.in.size()));
  for (const Aval& a : out_avals(j)) out.push_back(a);
}

// The derivative in the operands is the function itself; that in the residuals, where there is one, that of its program.
void linear_call_jvp(const JvpIn& in, ArrayVec& primals_out, TangentVec& tangents_out) {
  const auto& p = in.params<LinearCallParams>();
  const auto n = static_cast<std::size_t>(p.num_res);
  in.primitive.bind(in.params_ref, in.primals, primals_out);
  const Arrays residuals(in.primals.begin(), in.primals.begin() + p.num_res);
  for (const Array& a : primals_out) tangents_out.push_back(Tangent::zero_of(a.aval()));
  Arrays operand_tangents;
  bool of_operands = false;
  for (const Tangent& t : in.tangents.subspan(n)) {
    of_operands |= !t.is_zero();
    operand_tangents.push_back(ops::instantiate(t));
  }
  if (of_operands) {
    const ArrayVec out = bind_params(p, residuals, operand_tangents);
    for (std::size_t i = 0; i < out.size(); ++i) tangents_out[i] = out[i];
  }
  const Bits has = nonzero(in.tangents.first(n));
  if (count(has) == 0) return;
  Bits of_all = has;
  of_all.resize(in.primals.size(), false);
  const auto d = jvp_program(p.callee.jaxpr(), of_all);
  Arrays args = d->consts;
  args.insert(args.end(), in.primals.begin(), in.primals.end());
  for (const Tangent& t : in.tangents.first(n))
    if (!t.is_zero()) args.push_back(t.value());
  const Arrays out = run(d->program.jaxpr(), args);
  std::size_t next = primals_out.size();
  for (std::size_t i = 0; i < d->out_tangent.size(); ++i)
    if (d->out_tangent[i]) tangents_out[i] = ops::add_tangents(tangents_out[i], out[next++]);
}

void linear_call_transpose(const TransposeIn& in, TangentVec& out) {
  const auto& p = in.params<LinearCallParams>();
  Arrays residuals, cts;
  for (std::size_t i = 0; i < in.args.size(); ++i) {
    const bool residual = i < static_cast<std::size_t>(p.num_res);
    if (residual && in.args[i].is_linear()) throw TypeError("linear_call: a residual is linear");
    if (residual) residuals.push_back(in.args[i].value);
  }
  for (const Tangent& t : in.cts) cts.push_back(ops::instantiate(t));
  const ArrayVec r = bind_params({p.transpose, p.num_res, p.callee}, residuals, cts);
  for (std::size_t i = 0; i < in.args.size(); ++i) {
    const std::size_t n = static_cast<std::size_t>(p.num_res);
    out.push_back(i < n ? Tangent::zero(in.args[i].aval) : Tangent(r[i - n]));
  }
}

void linear_call_recall(const EqnContext& c, const ClosedJaxpr& program, std::span<const Array> consts,
                        std::span<const Array> in, ArrayVec& out) {
  const auto& p = c.params<LinearCallParams>();
  std::vector<int> order(consts.size(), -1);
  for (std::size_t i = 0; i < p.transpose.jaxpr().invars.size(); ++i) order.push_back(static_cast<int>(i));
  Arrays residuals(consts.begin(), consts.end());
  residuals.insert(residuals.end(), in.begin(), in.begin() + p.num_res);
  out = bind_params(
      {program, static_cast<int>(residuals.size()), with_inputs(p.transpose.jaxpr(), order, avals_of(consts))},
      residuals, Arrays(in.begin() + p.num_res, in.end()));
}

void linear_call_batch(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  const auto& p = in.params<LinearCallParams>();
  const Jaxpr &callee = p.callee.jaxpr(), &transpose = p.transpose.jaxpr();
  const auto n = static_cast<std::size_t>(p.num_res);
  DimVec dims, transpose_dims;
  Arrays args;
  for (std::size_t i = 0; i < in.args.size(); ++i) {
    const bool shared = i < n && in.dims[i] == not_mapped;
    args.push_back(shared ? in.args[i] : ops::with_batch_front(in.args[i], in.dims[i], in.axis_size));
    dims.push_back(shared ? not_mapped : 0);
    if (i < n) transpose_dims.push_back(dims.back());
  }
  for (std::size_t i = n; i < transpose.invars.size(); ++i) transpose_dims.push_back(0);
  const Hoisted parts[] = {
      *batch_program(callee, dims, in.axis_size, in.axis_name, Bits(callee.outvars.size(), true)),
      *batch_program(transpose, transpose_dims, in.axis_size, in.axis_name, Bits(transpose.outvars.size(), true))};
  const Merged m = merge_constants(parts);
  Arrays residuals = m.consts;
  residuals.insert(residuals.end(), args.begin(), args.begin() + p.num_res);
  out = bind_params({m.programs[0], static_cast<int>(residuals.size()), m.programs[1]}, residuals,
                    Arrays(args.begin() + p.num_res, args.end()));
  for (std::size_t i = 0; i < out.size(); ++i) out_dims.push_back(0);
}

}  // namespace

constinit const Primitive linear_call_p{
    .name = "linear_call",
    .doc = "A function of residuals and operands that is linear in the operands, with a transpose of the user's.",
    .kind = Kind::call,
    .operands = -1,
    .results = -1,
    .params = &params_ops<LinearCallParams>,
    .abstract_eval = linear_call_avals,
    .jvp = linear_call_jvp,
    .transpose = linear_call_transpose,
    .batching = linear_call_batch,
    .effects = [](const EqnContext& c) { return c.params<LinearCallParams>().callee.jaxpr().effects; },
    .regions =
        [](const EqnContext& c) {
          return Regions{.programs = {&c.params<LinearCallParams>().callee}, .has_rules = true};
        },
    .stage = stage_typed,
    .recall = linear_call_recall,
    .names_axis = regions_name_axis,
    .samples = [] { return std::vector<Sample>(); }};

Arrays bind_linear_call(const FlatFn& f, const FlatFn& transpose, const Arrays& residuals, const Arrays& operands) {
  std::vector<Aval> in = avals_of(residuals);
  const std::vector<Aval> wanted = avals_of(operands);
  in.insert(in.end(), wanted.begin(), wanted.end());
  const ClosedJaxpr callee = flat_make_jaxpr(f, in);
  std::vector<Aval> back = avals_of(residuals);
  for (const Aval& a : callee.out_avals()) back.push_back(a);
  const ClosedJaxpr transposed = flat_make_jaxpr(transpose, back);
  const std::vector<Aval> got = transposed.out_avals();
  bool fits = got.size() == wanted.size();
  for (std::size_t i = 0; fits && i < got.size(); ++i)
    fits = got[i].shape == wanted[i].shape && got[i].dtype == wanted[i].dtype;
  if (!fits) throw TypeError("linear_call: the transpose must give a value of the type of each linear argument");
  const Hoisted parts[] = {hoist(callee), hoist(transposed)};
  const Merged m = merge_constants(parts);
  Arrays own = m.consts;
  own.insert(own.end(), residuals.begin(), residuals.end());
  return list(bind_params({m.programs[0], static_cast<int>(own.size()), m.programs[1]}, own, operands));
}

}  // namespace cotan
