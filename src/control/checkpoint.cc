#include "control/checkpoint.h"

#include <algorithm>

#include "base/user_location.h"
#include "control/jit.h"
#include "core/interpret.h"
#include "core/jaxpr_utils.h"
#include "core/simplify.h"
#include "ops/common.h"
#include "ops/structural.h"

namespace cotan {

namespace {

struct CheckpointParams {
  bool differentiated = false;
  ClosedJaxpr jaxpr;
  CallableRef policy;
  bool prevent_cse = true;
  template <class S, class V> static void fields(S& s, V& v) {
    v("differentiated", s.differentiated), v("jaxpr", s.jaxpr), v("policy", s.policy), v("prevent_cse", s.prevent_cse);
  }
};

const Jaxpr& program_of(const EqnContext& c) { return c.params<CheckpointParams>().jaxpr.jaxpr(); }

ArrayVec bind_program(const EqnContext& c, const Hoisted& h, std::span<const Array> args, bool differentiated) {
  const auto& p = c.params<CheckpointParams>();
  ArrayVec in, out;
  for (const Array& a : h.consts) in.push_back(a);
  for (const Array& a : args) in.push_back(a);
  checkpoint_p.bind(
      make_params(CheckpointParams{differentiated, h.program, differentiated ? nullptr : p.policy, p.prevent_cse}), in,
      out);
  return out;
}

void checkpoint_avals(const AbstractIn& in, AvalVec& out) {
  const Jaxpr& j = program_of(in);
  if (!j.constvars.empty() || j.invars.size() != in.in.size())
    throw TypeError("checkpoint: the program takes " + std::to_string(j.invars.size()) + " operands, got " +
                    std::to_string(in.in.size()));
  for (const Aval& a : out_avals(j)) out.push_back(a);
}

void checkpoint_jvp(const JvpIn& in, ArrayVec& primals_out, TangentVec& tangents_out) {
  const auto d = jvp_program(program_of(in), nonzero(in.tangents));
  ArrayVec args(in.primals);
  append_values(in.tangents, args);
  const ArrayVec out = bind_program(in, *d, args, in.params<CheckpointParams>().differentiated);
  put_results(out, std::span(out).subspan(d->out_tangent.size()), d->out_tangent, primals_out, tangents_out);
}

// --- linearize ------------------------------------------------------------------------------------------------------------------------

// Runs a program with the programs that it calls in place of the calls, so that a policy sees every equation.
void run_inlined(const Jaxpr& j, std::span<const Array> args, ArrayVec& results, int depth) {
  if (depth > max_jaxpr_depth) throw ValueError("checkpoint: programs are nested too deep");
  std::vector<Array> env(j.vars.size());
  for (std::size_t i = 0; i < args.size(); ++i) env[j.invars[i].id] = args[i];
  const auto read = [&](Atom a) {
    return a.is_literal() ? literal_array(j.literals[a.literal_index()]) : env[a.var().id];
  };
  ArrayVec in, out;
  for (const JaxprEqn& e : j.eqns) {
    in.clear(), out.clear();
    for (Atom a : j.inputs(e)) in.push_back(read(a));
    const AtPosition at(e.source);
    const ClosedJaxpr* called = e.primitive == &jit_p ? called_program(*e.primitive, e.params) : nullptr;
    if (called) run_inlined(called->jaxpr(), in, out, depth + 1);
    else e.primitive->bind(e.params, in, out);
    const auto vars = j.outputs(e);
    for (std::size_t i = 0; i < vars.size(); ++i) env[vars[i].var().id] = out[i];
  }
  for (Atom a : j.outvars) results.push_back(read(a));
}
ClosedJaxpr inlined(const Jaxpr& j) {
  return flat_make_jaxpr(
      [&](const Arrays& x) {
        ArrayVec out;
        run_inlined(j, x, out, 0);
        return list(out);
      },
      in_avals(j));
}

// The forward program that also gives the values that are kept, and the one that makes residuals of the operands and those.
struct SplitForward {
  Hoisted keeping;      // operands -> results, kept values
  Hoisted recomputing;  // operands, kept values -> residuals
  std::size_t kept = 0;
};

SplitForward split_forward(const Hoisted& forward, std::size_t results, const CallableRef& policy) {
  const ClosedJaxpr flat = inlined(forward.program.jaxpr());
  const Hoisted h = hoist(flat);
  const Jaxpr& j = h.program.jaxpr();
  std::vector<Var> kept;
  if (policy) {
    const auto& saves = static_cast<const SavePolicy&>(*policy).saves;
    for (const JaxprEqn& e : j.eqns)
      if (saves(j, e))
        for (Atom a : j.outputs(e)) kept.push_back(a.var());
  }
  // Residuals from kept values: these are inputs, and stand wherever the values stood.
  const Ref<Jaxpr> again(new Jaxpr(j));
  std::vector<Atom> with = identity_substitution(*again);
  for (Var v : kept) {
    const Var input = again->add_var(j.aval(v));
    again->invars.push_back(input);
    with[v.id] = input;
  }
  again->outvars.erase(again->outvars.begin(), again->outvars.begin() + static_cast<std::ptrdiff_t>(results));
  with.resize(again->vars.size(), Atom(Var{0}));
  for (std::size_t i = j.vars.size(); i < with.size(); ++i) with[i] = Var{static_cast<std::uint32_t>(i)};
  substitute(*again, with);
  const DceResult d = dce(JaxprRef(again.get()), Bits(again->outvars.size(), true), DeadEffects::drop);
  // Of the kept values those that residuals need.
  const std::size_t inputs = j.invars.size();
  Bits wanted(inputs, true);
  std::vector<Var> needed;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    wanted.push_back(d.used_inputs[inputs + i]);
    if (wanted.back()) needed.push_back(kept[i]);
  }
  const Ref<Jaxpr> keeping(new Jaxpr(j));
  keeping->outvars.erase(keeping->outvars.begin() + static_cast<std::ptrdiff_t>(results), keeping->outvars.end());
  for (Var v : needed) keeping->outvars.push_back(v);
  Arrays consts = h.consts;
  consts.insert(consts.end(), forward.consts.begin(), forward.consts.end());
  return {{close_jaxpr(JaxprRef(keeping.get())), consts},
          {with_inputs(*d.jaxpr, places(d.used_inputs, wanted), chosen(in_avals(*again), wanted)), consts},
          needed.size()};
}

// The values are those of the program; the linear equation holds what computes residuals again and then the tangents.
void checkpoint_linearize(const JvpIn& in, ArrayVec& primals_out, TangentVec& tangents_out) {
  const auto& p = in.params<CheckpointParams>();
  const auto d = linear_program(program_of(in), nonzero(in.tangents));
  const std::size_t results = d->out_tangent.size();
  const SplitForward s = split_forward(d->forward, results, p.policy);
  const ArrayVec values = bind_program(in, s.keeping, in.primals, p.differentiated);

  ArrayVec operands(in.primals);
  for (std::size_t i = results; i < values.size(); ++i) operands.push_back(values[i]);
  append_values(in.tangents, operands);
  const Arrays& consts = s.recomputing.consts;
  std::vector<Aval> types = avals_of(consts);
  for (const Array& a : operands) types.push_back(a.aval());
  const ClosedJaxpr linear = flat_make_jaxpr(
      [&](const Arrays& x) {
        const auto at = [&](std::size_t i) { return x.begin() + static_cast<std::ptrdiff_t>(i); };
        const std::size_t first = consts.size(), tangents = first + in.primals.size() + s.kept;
        Arrays again(at(0), at(tangents));
        // Otherwise what is computed again would be merged with what was computed before, and that kept for it.
        if (p.prevent_cse)
          for (Array& a : again) a = ops::optimization_barrier(a);
        const Arrays residuals = run(s.recomputing.program.jaxpr(), again);
        Arrays args = d->linear.consts;
        std::size_t next = 0;
        for (int operand : d->residual_operand)
          args.push_back(operand < 0 ? residuals[next++] : x[first + static_cast<std::size_t>(operand)]);
        args.insert(args.end(), at(tangents), x.end());
        return run(d->linear.program.jaxpr(), args);
      },
      types);
  Hoisted h = hoist(linear);
  h.consts.insert(h.consts.end(), consts.begin(), consts.end());
  put_results(values, bind_program(in, h, operands, true), d->out_tangent, primals_out, tangents_out);
}

void checkpoint_transpose(const TransposeIn& in, TangentVec& out) {
  const TransposeOperands t = transpose_operands(in.args, in.cts);
  const auto d = transpose_program(program_of(in), t.linear, t.has_ct);
  put_cotangents(in.args, bind_program(in, *d, t.values, true), d->out_ct, out);
}

void checkpoint_batch(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  const auto d = batch_program(program_of(in), in.dims, in.axis_size, in.axis_name);
  out = bind_program(in, *d, in.args, in.params<CheckpointParams>().differentiated);
  out_dims = d->out_dims;
}

void checkpoint_recall(const EqnContext& c, const ClosedJaxpr& program, std::span<const Array> consts,
                       std::span<const Array> in, ArrayVec& out) {
  out =
      bind_program(c, {program, Arrays(consts.begin(), consts.end())}, in, c.params<CheckpointParams>().differentiated);
}

Reduced checkpoint_dce(const EqnContext& c, const std::vector<bool>& used) {
  CheckpointParams p = c.params<CheckpointParams>();
  const DceResult d = dce(share(p.jaxpr), used);
  p.jaxpr = close_jaxpr(d.jaxpr);
  return {make_params(std::move(p)), d.used_inputs, used};
}

// --- name -------------------------------------------------------------------------------------------------------------------
struct NameParams {
  std::string name;
  template <class S, class V> static void fields(S& s, V& v) { v("name", s.name); }
};

void name_jvp(const JvpIn& in, ArrayVec& primals_out, TangentVec& tangents_out) {
  in.primitive.bind(in.params_ref, in.primals, primals_out);
  tangents_out.push_back(in.tangents[0]);
}

}  // namespace

constinit const Primitive checkpoint_p{
    .name = "remat2",
    .doc = "Calls a program. Its derivative keeps the operands, and what `policy` says; the rest is computed again.",
    .kind = Kind::call,
    .operands = -1,
    .results = -1,
    .params = &params_ops<CheckpointParams>,
    .abstract_eval = checkpoint_avals,
    .jvp = checkpoint_jvp,
    .linearize = checkpoint_linearize,
    .transpose = checkpoint_transpose,
    .batching = checkpoint_batch,
    .effects = [](const EqnContext& c) { return program_of(c).effects; },
    .regions = [](const EqnContext& c) { return Regions{.programs = {&c.params<CheckpointParams>().jaxpr}}; },
    .stage = stage_typed,
    .dce = checkpoint_dce,
    .recall = checkpoint_recall,
    .names_axis = regions_name_axis,
    .samples = [] { return std::vector<Sample>(); }};

constinit const Primitive name_p{
    .name = "name",
    .doc = "The operand, under a name that policies of checkpoint may ask for.",
    .kind = Kind::elementwise,
    .dtypes = ops::any_dtype,
    .params = &params_ops<NameParams>,
    .jvp = name_jvp,
    .transpose = [](const TransposeIn& in, TangentVec& out) { out.push_back(in.cts[0]); },
    .simplify = [](const SimplifyIn& in) { return Simplified(in.in[0]); },
    .nans = Nans::kept,
    .tile = "copy",
    .stablehlo = [](const HloIn& in, HloWriter&, HloValues& results) { results.push_back(in.operands[0]); },
    .samples = [] { return std::vector<Sample>(); }};

Arrays bind_checkpoint(const FlatFn& f, const CheckpointPolicyRef& policy, bool prevent_cse, const Arrays& args) {
  const Hoisted h = hoist(flat_make_jaxpr(f, avals_of(args)));
  ArrayVec in, out;
  for (const Array& a : h.consts) in.push_back(a);
  for (const Array& a : args) in.push_back(a);
  checkpoint_p.bind(make_params(CheckpointParams{false, h.program, policy, prevent_cse}), in, out);
  return list(out);
}

Array bind_checkpoint_name(const Array& x, const std::string& name) {
  const Array in[] = {x};
  return name_p.bind1(make_params(NameParams{name}), in);
}

const std::string* checkpoint_name_of(const JaxprEqn& e) {
  return e.primitive == &name_p ? &params_as<NameParams>(e.params.get()).name : nullptr;
}

std::vector<SavedResidual> saved_residuals(const FlatFn& f, const std::vector<Aval>& args) {
  const ClosedJaxpr closed = flat_make_jaxpr(f, args);
  const Hoisted h = hoist(closed);
  const Jaxpr& j = h.program.jaxpr();
  Bits has;
  for (const Aval& a : in_avals(j)) has.push_back(tangent_aval(a).dtype != DType::float0);
  const auto d = linear_program(j, has);
  const Jaxpr& forward = d->forward.program.jaxpr();
  std::vector<SavedResidual> saved;
  std::size_t next = d->out_tangent.size();
  const int consts = static_cast<int>(h.consts.size());
  for (int operand : d->residual_operand) {
    SavedResidual r;
    if (operand >= 0) {
      r.aval = j.aval(j.invars[static_cast<std::size_t>(operand)]);
      r.argument = operand >= consts ? operand - consts : -1;
      saved.push_back(r);
      continue;
    }
    const Atom a = forward.outvars[next++];
    r.aval = forward.aval(a);
    for (const JaxprEqn& e : forward.eqns)
      for (Atom out : forward.outputs(e))
        if (!a.is_literal() && out == a) {
          r.made_by = e.primitive->name;
          r.source = e.source;
          if (const std::string* n = checkpoint_name_of(e)) r.name = *n;
        }
    saved.push_back(r);
  }
  return saved;
}

}  // namespace cotan
