#include "control/custom_vmap.h"

#include "control/checkify.h"
#include "control/jit.h"
#include "ops/common.h"

namespace cotan {

namespace {

struct RuleFn final : Callable {
  VmapRule rule;
  RuleFn(std::string n, VmapRule r) : Callable(std::move(n)), rule(std::move(r)) {}
};

// What the function captures are the first operands.
struct CustomVmapParams {
  ClosedJaxpr call;
  int num_consts = 0;
  CallableRef rule;
  template <class S, class V> static void fields(S& s, V& v) {
    v("call", s.call), v("num_consts", s.num_consts), v("rule", s.rule);
  }
  void pretty(PrettyParams& p) const { p.field("call", call), p.field("rule", rule); }
};

const VmapRule& rule_of(const CallableRef& c) { return static_cast<const RuleFn&>(*c).rule; }

void vmap_call_avals(const AbstractIn& in, AvalVec& out) {
  for (const Aval& a : in.params<CustomVmapParams>().call.out_avals()) out.push_back(a);
}

// A rule over primals and tangents: a primal and its tangent both have the batch's axis if one of them has.
VmapRule rule_with_tangents(const VmapRule& rule, int consts, const Bits& has) {
  return [rule, consts, has](std::int64_t size, const Bits& batched, const Arrays& args) {
    const std::size_t n = has.size();
    Bits either(batched.begin(), batched.begin() + static_cast<std::ptrdiff_t>(n));
    std::size_t next = n;
    for (std::size_t i = 0; i < n; ++i)
      if (has[i]) either[i] = either[i] || batched[next++];
    const auto front = [&](std::size_t i, bool is_batched, bool wanted) {
      return wanted && !is_batched ? ops::with_batch_front(args[i], not_mapped, size) : args[i];
    };
    Arrays primals;
    Tangents tangents;
    for (std::size_t i = static_cast<std::size_t>(consts); i < n; ++i)
      primals.push_back(front(i, batched[i], either[i]));
    next = n;
    for (std::size_t i = 0; i < n; ++i) {
      const bool own = i >= static_cast<std::size_t>(consts);
      if (has[i] && own) tangents.push_back(Tangent(front(next, batched[next], either[i])));
      else if (own) tangents.push_back(Tangent::zero_of(primals[i - static_cast<std::size_t>(consts)].aval()));
      if (has[i]) ++next;
    }
    BatchedResults r;
    const Bits own(either.begin() + consts, either.end());
    const JvpResult d = flat_jvp(
        [&](const Arrays& x) {
          r = rule(size, own, x);
          return r.results;
        },
        primals, tangents);
    r.results = d.primals;
    const Bits of_results = r.batched;
    for (std::size_t i = 0; i < d.tangents.size(); ++i) {
      if (d.tangents[i].aval().dtype == DType::float0) continue;
      r.results.push_back(ops::instantiate(d.tangents[i]));
      r.batched.push_back(of_results[i]);
    }
    return r;
  };
}

VmapRule rule_without_checks(const VmapRule& rule) {
  return [rule](std::int64_t size, const Bits& batched, const Arrays& args) {
    BatchedResults r;
    r.results = run_without_checks(
        [&](const Arrays& x) {
          BatchedResults traced = rule(size, batched, x);
          r.batched = traced.batched;
          return traced.results;
        },
        args);
    return r;
  };
}

void vmap_call_jvp(const JvpIn& in, ArrayVec& primals_out, TangentVec& tangents_out) {
  const auto& p = in.params<CustomVmapParams>();
  const Bits has = nonzero(in.tangents);
  const Jaxpr& j = p.call.jaxpr();
  Bits wanted;
  for (const Aval& a : out_avals(j)) wanted.push_back(tangent_aval(a).dtype != DType::float0);
  const auto d = jvp_program(j, has, wanted);
  ArrayVec args, out;
  for (const Array& a : d->consts) args.push_back(a);
  for (const Array& a : in.primals) args.push_back(a);
  append_values(in.tangents, args);
  CustomVmapParams q{d->program, static_cast<int>(d->consts.size()), {}};
  q.rule = std::make_shared<RuleFn>(p.rule->name, rule_with_tangents(rule_of(p.rule), p.num_consts, has));
  custom_vmap_call_p.bind(make_params(std::move(q)), args, out);
  put_results(out, std::span(out).subspan(wanted.size()), wanted, primals_out, tangents_out);
}

// The values would be needed before it is known whether the rule is to be asked.
void vmap_call_linearize(const JvpIn&, ArrayVec&, TangentVec&) {
  throw ValueError(
      "reverse-mode differentiation of a custom_vmap function is not supported, unless vmap comes first: its batching "
      "rule says nothing of it. "
      "Give it a custom_vjp");
}

void vmap_call_recall(const EqnContext& c, const ClosedJaxpr& program, std::span<const Array> consts,
                      std::span<const Array> in, ArrayVec& out) {
  CustomVmapParams p = c.params<CustomVmapParams>();
  p.call = program;
  p.num_consts += static_cast<int>(consts.size());
  p.rule = std::make_shared<RuleFn>(p.rule->name, rule_without_checks(rule_of(p.rule)));
  ArrayVec operands(consts);
  for (const Array& a : in) operands.push_back(a);
  c.primitive.bind(make_params(std::move(p)), operands, out);
}

void vmap_call_batch(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  const auto& p = in.params<CustomVmapParams>();
  Bits batched;
  Arrays args;
  for (std::size_t i = static_cast<std::size_t>(p.num_consts); i < in.args.size(); ++i) {
    batched.push_back(in.dims[i] != not_mapped);
    args.push_back(batched.back() ? ops::move_axis(in.args[i], in.dims[i], 0) : in.args[i]);
  }
  for (int i = 0; i < p.num_consts; ++i)
    if (in.dims[static_cast<std::size_t>(i)] != not_mapped)
      throw NotImplementedError("custom_vmap_call: a value that the function captures is batched; make it an argument");
  const BatchedResults r = rule_of(p.rule)(in.axis_size, batched, args);
  for (std::size_t i = 0; i < r.results.size(); ++i) {
    out.push_back(r.results[i]);
    out_dims.push_back(r.batched.at(i) ? 0 : not_mapped);
  }
}

}  // namespace

constinit const Primitive custom_vmap_call_p{
    .name = "custom_vmap_call",
    .doc = "A function with a batching rule of the user's.",
    .kind = Kind::call,
    .operands = -1,
    .results = -1,
    .params = &params_ops<CustomVmapParams>,
    .abstract_eval = vmap_call_avals,
    .jvp = vmap_call_jvp,
    .linearize = vmap_call_linearize,
    .transpose = not_linear,
    .batching = vmap_call_batch,
    .effects = [](const EqnContext& c) { return c.params<CustomVmapParams>().call.jaxpr().effects; },
    .regions =
        [](const EqnContext& c) {
          return Regions{.programs = {&c.params<CustomVmapParams>().call}, .has_rules = true};
        },
    .stage = stage_typed,
    .recall = vmap_call_recall,
    .names_axis = regions_name_axis,
    .samples = [] { return std::vector<Sample>(); }};

Arrays bind_custom_vmap(const FlatFn& f, VmapRule rule, const std::string& rule_name, const Arrays& args) {
  if (!current_trace()) return f(args);
  CustomVmapParams p;
  ArrayVec in, out;
  p.num_consts = record(f, &p.call, args, &in);
  p.rule = std::make_shared<RuleFn>(rule_name, std::move(rule));
  custom_vmap_call_p.bind(make_params(std::move(p)), in, out);
  return list(out);
}

}  // namespace cotan
