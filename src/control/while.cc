#include "control/callback.h"
#include "control/checkify.h"
#include "control/jit.h"
#include "control/loops.h"
#include "core/jaxpr_utils.h"
#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/reduction.h"
#include "ops/structural.h"

namespace cotan {

namespace {

struct WhileParams {
  ClosedJaxpr body_jaxpr;
  int body_nconsts = 0;
  ClosedJaxpr cond_jaxpr;
  int cond_nconsts = 0;
  template <class S, class V> static void fields(S& s, V& v) {
    v("body_jaxpr", s.body_jaxpr), v("body_nconsts", s.body_nconsts), v("cond_jaxpr", s.cond_jaxpr),
        v("cond_nconsts", s.cond_nconsts);
  }
};

// The operands by what they are; so are flags for them.
template <class T> struct Parts { std::vector<T> condition_consts, body_consts, carries; };
template <class T, class Range> Parts<T> parts_of(const WhileParams& p, const Range& all) {
  const auto a = all.begin() + p.cond_nconsts, b = a + p.body_nconsts;
  return {std::vector<T>(all.begin(), a), std::vector<T>(a, b), std::vector<T>(b, all.end())};
}
template <class T> std::vector<T> joined(std::vector<T> a, const std::vector<T>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

void check_inputs(const char* what, const Jaxpr& j, const std::vector<Aval>& got) {
  if (!j.constvars.empty() || j.invars.size() != got.size())
    throw TypeError(std::string("while: the ") + what + " takes " + std::to_string(j.invars.size()) + " values, got " +
                    std::to_string(got.size()));
  for (std::size_t i = 0; i < got.size(); ++i)
    if (const Aval& want = j.aval(j.invars[i]); want.shape != got[i].shape || want.dtype != got[i].dtype)
      throw TypeError(std::string("while: the ") + what + " takes " + want.str() + " as value " + std::to_string(i) +
                      ", got " + got[i].str());
}

void while_avals(const AbstractIn& in, AvalVec& out) {
  const auto& p = in.params<WhileParams>();
  if (p.cond_nconsts < 0 || p.body_nconsts < 0 ||
      in.in.size() < static_cast<std::size_t>(p.cond_nconsts) + static_cast<std::size_t>(p.body_nconsts))
    throw TypeError("while: fewer operands than constants");
  const auto a = parts_of<Aval>(p, in.in);
  const Jaxpr &condition = p.cond_jaxpr.jaxpr(), &body = p.body_jaxpr.jaxpr();
  check_inputs("condition", condition, joined(a.condition_consts, a.carries));
  check_inputs("body", body, joined(a.body_consts, a.carries));
  if (condition.outvars.size() != 1 || condition.aval(condition.outvars[0]).ndim() != 0 ||
      condition.aval(condition.outvars[0]).dtype != DType::bool_)
    throw TypeError("while: the condition must give a boolean scalar");
  const std::vector<Aval> given = out_avals(body);
  if (given.size() != a.carries.size())
    throw TypeError("while: the body takes " + std::to_string(a.carries.size()) + " carries and gives " +
                    std::to_string(given.size()));
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i].shape != a.carries[i].shape || given[i].dtype != a.carries[i].dtype)
      throw TypeError("while: carry " + std::to_string(i) + " comes in as " + a.carries[i].str() + " and goes out as " +
                      given[i].str());
    out.push_back(given[i]);
  }
}

Arrays bind_parts(const ClosedJaxpr& condition, const ClosedJaxpr& body, const Parts<Array>& operands) {
  ArrayVec in, out;
  for (const auto* group : {&operands.condition_consts, &operands.body_consts, &operands.carries})
    for (const Array& a : *group) in.push_back(a);
  while_p.bind(make_params(WhileParams{body, static_cast<int>(operands.body_consts.size()), condition,
                                       static_cast<int>(operands.condition_consts.size())}),
               in, out);
  return list(out);
}

// --- jvp: a loop that carries the tangents too -----------------------------------------------------------------------------------
struct WhileJvp {
  Bits has;  // per carry: whether it has a tangent
  ClosedJaxpr condition, body;
  Parts<Array> operands;
};

WhileJvp make_jvp(const JvpIn& in) {
  const auto& p = in.params<WhileParams>();
  const Jaxpr& j = p.body_jaxpr.jaxpr();
  const auto primals = parts_of<Array>(p, in.primals);
  const auto tangents = parts_of<Tangent>(p, in.tangents);
  const Bits consts = nonzero(tangents.body_consts);
  WhileJvp w{nonzero(tangents.carries), {}, {}, primals};
  std::shared_ptr<const JvpProgram> d;
  for (bool grows = true; grows;) {
    grows = false;
    d = jvp_program(j, joined(consts, w.has), w.has);
    for (std::size_t i = 0; i < w.has.size(); ++i)
      if (d->out_tangent[i] && !w.has[i]) grows = w.has[i] = true;
  }
  // Inputs of the jvp program: hoisted constants, constants, carries, tangents of constants, of carries.
  const int hoisted = static_cast<int>(d->consts.size()), carries = static_cast<int>(w.has.size());
  const int of_consts = static_cast<int>(count(consts)), of_carries = static_cast<int>(count(w.has));
  std::vector<int> order;
  const auto add = [&](int first, int n) {
    for (int i = 0; i < n; ++i) order.push_back(first + i);
  };
  add(0, hoisted + p.body_nconsts);
  add(hoisted + p.body_nconsts + carries, of_consts);
  add(hoisted + p.body_nconsts, carries);
  add(hoisted + p.body_nconsts + carries + of_consts, of_carries);
  w.body = with_inputs(d->program.jaxpr(), order);
  // The condition looks at no tangent.
  order.clear();
  add(0, p.cond_nconsts + carries);
  std::vector<Aval> types = in_avals(p.cond_jaxpr.jaxpr());
  for (std::size_t i = 0; i < w.has.size(); ++i)
    if (w.has[i]) order.push_back(-1), types.push_back(tangent_aval(primals.carries[i].aval()));
  w.condition = with_inputs(p.cond_jaxpr.jaxpr(), order, types);
  w.operands.body_consts = joined(d->consts, primals.body_consts);
  for (const Tangent& t : tangents.body_consts)
    if (!t.is_zero()) w.operands.body_consts.push_back(t.value());
  for (std::size_t i = 0; i < w.has.size(); ++i)
    if (w.has[i]) w.operands.carries.push_back(ops::instantiate(tangents.carries[i]));
  return w;
}

void append_tangents(const WhileJvp& w, const Arrays& results, TangentVec& tangents_out) {
  std::size_t next = w.has.size();
  for (std::size_t i = 0; i < w.has.size(); ++i)
    tangents_out.push_back(w.has[i] ? Tangent(results[next++]) : Tangent::zero_of(results[i].aval()));
}

void while_jvp(const JvpIn& in, ArrayVec& primals_out, TangentVec& tangents_out) {
  const WhileJvp w = make_jvp(in);
  const Arrays out = bind_parts(w.condition, w.body, w.operands);
  for (std::size_t i = 0; i < w.has.size(); ++i) primals_out.push_back(out[i]);
  append_tangents(w, out, tangents_out);
}

// The values come from the loop as it is; the linear program holds the loop with tangents, which can be run but not transposed.
void while_linearize(const JvpIn& in, ArrayVec& primals_out, TangentVec& tangents_out) {
  in.primitive.bind(in.params_ref, in.primals, primals_out);
  const WhileJvp w = make_jvp(in);
  if (count(w.has) == 0) {
    for (const Array& a : primals_out) tangents_out.push_back(Tangent::zero_of(a.aval()));
    return;
  }
  append_tangents(w, bind_parts(w.condition, w.body, w.operands), tangents_out);
}

void while_transpose(const TransposeIn&, TangentVec&) {
  throw ValueError(
      "Reverse-mode differentiation does not work for lax.while_loop or lax.fori_loop with dynamic start/stop values. "
      "Try using "
      "lax.scan, or using fori_loop with static start/stop.");
}

// --- batching -----------------------------------------------------------------------------------------------------------------------
// The loop runs until all lanes stop; a lane that has stopped keeps its carries. Whether each lane goes on is carried too, so
// that the condition runs once for each step.
Arrays until_all_stop(const BatchIn& in, const Parts<Array>& a, const Parts<int>& dims) {
  const auto& p = in.params<WhileParams>();
  DimVec condition_dims;
  for (int d : joined(dims.condition_consts, dims.carries)) condition_dims.push_back(d);
  const Jaxpr &condition = p.cond_jaxpr.jaxpr(), &body = p.body_jaxpr.jaxpr();
  if (((condition.effects | body.effects) & ~(debug_effect | check_effect)) != no_effects)
    throw NotImplementedError(
        "vmap of a while loop whose condition is batched and that has effects: lanes that have stopped would have "
        "them");
  const auto c = batch_program(condition, condition_dims, in.axis_size, in.axis_name, Bits{true});
  const auto checks = with_user_checks_out(body);  // a lane that has stopped does not fail
  const Jaxpr& checked = checks ? checks->program.jaxpr() : body;
  const Arrays found = checks ? checks->consts : Arrays();
  const std::vector<int> body_dims =
      joined(std::vector<int>(found.size(), not_mapped), joined(dims.body_consts, dims.carries));
  const auto b = batch_program(checked, body_dims, in.axis_size, in.axis_name, Bits(checked.outvars.size(), true));
  const Arrays condition_consts = joined(c->consts, a.condition_consts),
               body_consts = joined(b->consts, joined(found, a.body_consts));
  const auto goes_on = [&](const Arrays& consts, const Arrays& carries) {
    return run(c->program.jaxpr(), joined(consts, carries))[0];
  };

  Parts<Array> operands{
      {}, joined(condition_consts, body_consts), joined(a.carries, Arrays{goes_on(condition_consts, a.carries)})};
  const std::vector<Aval> carry_types = avals_of(operands.carries);
  const ClosedJaxpr any =
      flat_make_jaxpr([&](const Arrays& x) { return Arrays{ops::reduce_or(x.back(), {0})}; }, carry_types);
  const ClosedJaxpr step = flat_make_jaxpr(
      [&](const Arrays& x) {
        const auto at = [&](std::size_t i) { return x.begin() + static_cast<std::ptrdiff_t>(i); };
        const std::size_t of_condition = condition_consts.size(), first = of_condition + body_consts.size();
        const Arrays before(at(first), at(x.size() - 1));
        Arrays after = run(b->program.jaxpr(), joined(Arrays(at(of_condition), at(first)), before));
        if (checks) bind_lane_checks(*checks, std::span(after).subspan(before.size()), x.back());
        after.resize(before.size());
        for (std::size_t i = 0; i < after.size(); ++i) {
          const Array both[] = {before[i], after[i]};
          after[i] = ops::select_n(ops::broadcast_in_dim(x.back(), after[i].shape(), {0}), both);
        }
        after.push_back(goes_on(Arrays(at(0), at(of_condition)), after));
        return after;
      },
      joined(avals_of(operands.body_consts), carry_types));
  const Hoisted h = hoist(step);
  operands.body_consts = joined(h.consts, operands.body_consts);
  Arrays out = bind_parts(any, h.program, operands);
  out.pop_back();
  return out;
}

void while_batch(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  const auto& p = in.params<WhileParams>();
  Parts<Array> a = parts_of<Array>(p, in.args);
  Parts<int> dims = parts_of<int>(p, in.dims);
  for (auto [args, ds] : {std::pair(&a.condition_consts, &dims.condition_consts),
                          std::pair(&a.body_consts, &dims.body_consts), std::pair(&a.carries, &dims.carries)})
    for (std::size_t i = 0; i < args->size(); ++i)
      if ((*ds)[i] != not_mapped) (*args)[i] = ops::move_axis((*args)[i], (*ds)[i], 0), (*ds)[i] = 0;
  std::shared_ptr<const BatchProgram> condition, body;
  bool lanes_differ = false;
  for (bool grows = true; grows;) {
    grows = false;
    DimVec condition_dims, body_dims;
    for (int d : joined(dims.condition_consts, dims.carries)) condition_dims.push_back(d);
    for (int d : joined(dims.body_consts, dims.carries)) body_dims.push_back(d);
    condition = batch_program(p.cond_jaxpr.jaxpr(), condition_dims, in.axis_size, in.axis_name);
    lanes_differ = condition->out_dims[0] != not_mapped;
    Bits batched;
    for (int d : dims.carries) batched.push_back(d != not_mapped);
    body = batch_program(p.body_jaxpr.jaxpr(), body_dims, in.axis_size, in.axis_name, batched);
    for (std::size_t i = 0; i < dims.carries.size(); ++i)
      if (dims.carries[i] == not_mapped && (lanes_differ || body->out_dims[i] != not_mapped)) {
        a.carries[i] = ops::with_batch_front(a.carries[i], not_mapped, in.axis_size);
        dims.carries[i] = 0;
        grows = true;
      }
  }
  Arrays results;
  if (lanes_differ) {
    results = until_all_stop(in, a, dims);
  } else {
    a.condition_consts = joined(condition->consts, a.condition_consts);
    a.body_consts = joined(body->consts, a.body_consts);
    results = bind_parts(condition->program, body->program, a);
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    out.push_back(results[i]);
    out_dims.push_back(dims.carries[i]);
  }
}

// Carries that neither the condition, nor a used result, nor a used carry needs are left out.
Reduced while_dce(const EqnContext& c, const std::vector<bool>& used_results) {
  const auto& p = c.params<WhileParams>();
  const auto condition_consts = static_cast<std::size_t>(p.cond_nconsts),
             body_consts = static_cast<std::size_t>(p.body_nconsts);
  const DceResult condition = dce(share(p.cond_jaxpr), {true});
  Bits used = used_results;
  for (std::size_t i = 0; i < used.size(); ++i) used[i] = used[i] || condition.used_inputs[condition_consts + i];
  DceResult body;
  for (bool grows = true; grows;) {
    grows = false;
    body = dce(share(p.body_jaxpr), used);
    for (std::size_t i = 0; i < used.size(); ++i)
      if (body.used_inputs[body_consts + i] && !used[i]) grows = used[i] = true;
  }
  const auto kept = [&](const Bits& inputs, std::size_t consts) {
    return joined(Bits(inputs.begin(), inputs.begin() + static_cast<std::ptrdiff_t>(consts)), used);
  };
  const Bits in_condition = kept(condition.used_inputs, condition_consts),
             in_body = kept(body.used_inputs, body_consts);
  WhileParams q;
  q.cond_jaxpr = with_inputs(*condition.jaxpr, places(condition.used_inputs, in_condition),
                             chosen(in_avals(p.cond_jaxpr.jaxpr()), in_condition));
  q.body_jaxpr =
      with_inputs(*body.jaxpr, places(body.used_inputs, in_body), chosen(in_avals(p.body_jaxpr.jaxpr()), in_body));
  const std::size_t carries = count(used);
  q.cond_nconsts = static_cast<int>(count(in_condition) - carries);
  q.body_nconsts = static_cast<int>(count(in_body) - carries);
  const Bits operands = joined(Bits(in_condition.begin(), in_condition.begin() + p.cond_nconsts), in_body);
  return {make_params(std::move(q)), operands, used};
}

}  // namespace

constinit const Primitive while_p{
    .name = "while",
    .doc =
        "Runs the body, which takes constants and carries and gives carries, as long as the condition is true of them. "
        "Operands: "
        "constants of the condition, constants of the body, carries. Under vmap it runs until all lanes stop, and "
        "those that have "
        "stopped keep their carries. Forward mode only: how often it runs is not known before.",
    .kind = Kind::call,
    .operands = -1,
    .results = -1,
    .params = &params_ops<WhileParams>,
    .abstract_eval = while_avals,
    .jvp = while_jvp,
    .linearize = while_linearize,
    .transpose = while_transpose,
    .batching = while_batch,
    .effects =
        [](const EqnContext& c) {
          return c.params<WhileParams>().body_jaxpr.jaxpr().effects |
                 c.params<WhileParams>().cond_jaxpr.jaxpr().effects;
        },
    .regions =
        [](const EqnContext& c) {
          const auto& p = c.params<WhileParams>();
          return Regions{.kind = RegionKind::while_loop,
                         .programs = {&p.cond_jaxpr, &p.body_jaxpr},
                         .consts = p.body_nconsts,
                         .condition_consts = p.cond_nconsts};
        },
    .dce = while_dce,
    .names_axis = regions_name_axis,
    .samples = [] { return std::vector<Sample>(); }};

Arrays bind_while(const Hoisted& condition, const Hoisted& body, const Arrays& carries) {
  return bind_parts(condition.program, body.program, {condition.consts, body.consts, carries});
}

}  // namespace cotan
