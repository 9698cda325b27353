// custom_jvp.
#include "control/checkify.h"
#include "control/custom_call.h"
#include "ops/common.h"

namespace cotan {

using namespace custom;

namespace {

struct JvpRuleFn final : Callable {
  CustomJvpRule rule;
  explicit JvpRuleFn(CustomJvpRule r) : Callable(r.name), rule(std::move(r)) {}
};

struct CustomJvpParams {
  Called called;
  CallableRef jvp;
  std::string name;
  bool symbolic_zeros = false;
  template <class S, class V> static void fields(S& s, V& v) {
    v("call_jaxpr", s.called.call_jaxpr), v("function", s.called.function), v("jvp", s.jvp), v("name", s.name);
    v("num_consts", s.called.num_consts), v("symbolic_zeros", s.symbolic_zeros);
  }
  void pretty(PrettyParams& p) const {
    p.field("name", name), p.field("call_jaxpr", called.call_jaxpr), p.field("jvp", jvp),
        p.field("symbolic_zeros", symbolic_zeros);
  }
};

void custom_jvp_jvp(const JvpIn& in, ArrayVec& primals_out, TangentVec& tangents_out) {
  const auto& p = in.params<CustomJvpParams>();
  const auto ts = own_tangents(in, p.called.num_consts);
  const auto xs = in.primals.subspan(static_cast<std::size_t>(p.called.num_consts));
  Tangents tangents(ts.begin(), ts.end());
  if (!p.symbolic_zeros) tangents = with_arrays(std::move(tangents));
  const JvpResult r = as<JvpRuleFn>(p.jvp).rule.jvp(Arrays(xs.begin(), xs.end()), tangents);
  for (std::size_t i = 0; i < r.primals.size(); ++i) {
    primals_out.push_back(r.primals[i]);
    tangents_out.push_back(r.tangents[i]);
  }
}

// The rule over a batch: tangents that are zero stay so, those of the results are arrays.
CustomJvpRule batched_rule(const Batch& b, const CustomJvpRule& rule, int consts) {
  CustomJvpRule r = rule;
  r.jvp = [b, rule, axes = b.axes_without(consts)](const Arrays& primals, const Tangents& tangents) {
    Arrays args = primals;
    std::vector<int> at = axes;
    std::vector<Aval> zero_avals;  // per argument: that of one lane
    for (std::size_t i = 0; i < tangents.size(); ++i) {
      Aval a = tangents[i].aval();
      if (axes[i] != no_axis) a.shape.erase(axes[i]);
      zero_avals.push_back(a);
      if (!tangents[i].is_zero()) args.push_back(tangents[i].value()), at.push_back(axes[i]);
    }
    std::size_t results = 0;
    Bits there;
    const Arrays out = b.run(
        [&](const Arrays& x) {
          const auto split = x.begin() + static_cast<std::ptrdiff_t>(primals.size());
          Tangents ts;
          std::size_t next = primals.size();
          for (std::size_t i = 0; i < tangents.size(); ++i)
            ts.push_back(tangents[i].is_zero() ? Tangent::zero(zero_avals[i]) : Tangent(x[next++]));
          const JvpResult r2 = rule.jvp(Arrays(x.begin(), split), ts);
          Arrays all = r2.primals;
          results = all.size();
          for (const Tangent& t : r2.tangents) {
            there.push_back(!t.is_zero());
            if (!t.is_zero()) all.push_back(t.value());
          }
          return all;
        },
        args, at);
    JvpResult r3;
    r3.primals.assign(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(results));
    std::size_t next = results;
    for (std::size_t i = 0; i < there.size(); ++i)
      r3.tangents.push_back(there[i] ? Tangent(out[next++]) : Tangent::zero_of(r3.primals[i].aval()));
    return r3;
  };
  return r;
}

void jvp_without_checks(CustomJvpParams& p) {
  CustomJvpRule r = as<JvpRuleFn>(p.jvp).rule;
  r.jvp = [rule = r.jvp](const Arrays& primals, const Tangents& tangents) {
    Arrays args = primals;
    for (const Tangent& t : tangents)
      if (!t.is_zero()) args.push_back(t.value());
    JvpResult made;
    const Arrays all = run_without_checks(
        [&](const Arrays& x) {
          std::size_t next = primals.size();
          Tangents ts;
          for (const Tangent& t : tangents) ts.push_back(t.is_zero() ? t : Tangent(x[next++]));
          made = rule(Arrays(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(primals.size())), ts);
          Arrays results = made.primals;
          for (const Tangent& t : made.tangents)
            if (!t.is_zero()) results.push_back(t.value());
          return results;
        },
        args);
    std::size_t next = made.primals.size();
    made.primals.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(next));
    for (Tangent& t : made.tangents)
      if (!t.is_zero()) t = Tangent(all[next++]);
    return made;
  };
  p.jvp = std::make_shared<JvpRuleFn>(std::move(r));
}

// Where the function is linear, its program says what the transpose is.
void custom_jvp_transpose(const TransposeIn& in, TangentVec& out) {
  const Called& c = in.params<CustomJvpParams>().called;
  if (c.function) throw NotImplementedError("custom_jvp_call: transposition of a function that was not recorded");
  const TransposeOperands t = transpose_operands(in.args, in.cts);
  const auto d = transpose_program(c.call_jaxpr.jaxpr(), t.linear, t.has_ct);
  Arrays args = d->consts;
  args.insert(args.end(), t.values.begin(), t.values.end());
  put_cotangents(in.args, run(d->program.jaxpr(), args), d->out_ct, out);
}

void custom_jvp_batch(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  CustomJvpParams p = in.params<CustomJvpParams>();
  const Batch b(in, !p.called.function);
  p.jvp = std::make_shared<JvpRuleFn>(batched_rule(b, as<JvpRuleFn>(p.jvp).rule, p.called.num_consts));
  ArrayVec operands;
  p.called = batched(in, b, p.called, &operands);
  bind_batched(b, in, make_params(std::move(p)), operands, out, out_dims);
}

}  // namespace

constinit const Primitive custom_jvp_call_p{
    .name = "custom_jvp_call",
    .doc =
        "A function whose derivative is a rule of the user's: the results and their tangents, of primals and tangents.",
    .kind = Kind::call,
    .operands = -1,
    .results = -1,
    .params = &params_ops<CustomJvpParams>,
    .abstract_eval = call_avals<CustomJvpParams>,
    .jvp = custom_jvp_jvp,
    .transpose = custom_jvp_transpose,
    .batching = custom_jvp_batch,
    .effects = call_effects<CustomJvpParams>,
    .regions = call_regions<CustomJvpParams>,
    .run = call_run<CustomJvpParams>,
    .stage = call_stage<CustomJvpParams>,
    .recall = call_recall<CustomJvpParams, jvp_without_checks>,
    .names_axis = call_names_axis<CustomJvpParams>,
    .samples = [] { return std::vector<Sample>(); }};

Arrays bind_custom_jvp(const std::string& name, const FlatFn& f, CustomJvpRule rule, const Arrays& args) {
  if (!current_trace()) return f(args);
  CustomJvpParams p;
  p.called.function = flat_function(name, f);
  p.symbolic_zeros = rule.symbolic_zeros;
  p.jvp = std::make_shared<JvpRuleFn>(std::move(rule));
  p.name = name;
  ArrayVec in, out;
  for (const Array& a : args) in.push_back(a);
  custom_jvp_call_p.bind(make_params(std::move(p)), in, out);
  return list(out);
}

}  // namespace cotan
