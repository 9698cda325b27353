// The jit primitive: a call of a program without constants. Its rules transform the called program, once per way.
#include "control/jit.h"

#include <mutex>
#include <unordered_set>

#include "base/lru.h"
#include "base/user_location.h"
#include "control/branch.h"
#include "control/callback.h"
#include "control/checkify.h"
#include "control/checkpoint.h"
#include "control/custom.h"
#include "control/custom_vmap.h"
#include "control/linear_call.h"
#include "control/loops.h"
#include "control/programs.h"
#include "control/reduce.h"
#include "core/jaxpr_trace.h"
#include "core/jaxpr_utils.h"
#include "cotan/config.h"
#include "ops/loop_hook.h"

namespace cotan {

namespace {

struct JitParams {
  ClosedJaxpr jaxpr;
  std::string name;
  template <class S, class V> static void fields(S& s, V& v) {
    v("jaxpr", s.jaxpr);
    v("name", s.name);
  }
  void pretty(PrettyParams& p) const {
    p.field("name", name);
    p.call("jaxpr", jaxpr);
  }
};

// A call of a program, whose constants go first.
ArrayVec bind_program(const EqnContext& c, const Hoisted& h, std::span<const Array> args) {
  ArrayVec operands, out;
  for (const Array& a : h.consts) operands.push_back(a);
  for (const Array& a : args) operands.push_back(a);
  jit_p.bind(make_params(JitParams{h.program, c.params<JitParams>().name}), operands, out);
  return out;
}

void jit_avals(const AbstractIn& in, AvalVec& out) {
  const Jaxpr& j = in.params<JitParams>().jaxpr.jaxpr();
  if (!j.constvars.empty())
    throw TypeError("jit: a called program gets its constants as operands, got one with constants of its own");
  if (in.in.size() != j.invars.size())
    throw TypeError("jit: the program takes " + std::to_string(j.invars.size()) + " operands, got " +
                    std::to_string(in.in.size()));
  for (std::size_t i = 0; i < in.in.size(); ++i) {
    const Aval& want = j.aval(j.invars[i]);
    if (want.shape != in.in[i].shape || want.dtype != in.in[i].dtype)
      throw TypeError("jit: operand " + std::to_string(i) + " is " + in.in[i].str() + ", the program takes " +
                      want.str());
  }
  for (Atom a : j.outvars) out.push_back(j.aval(a));
}

void jit_jvp(const JvpIn& in, ArrayVec& primals_out, TangentVec& tangents_out) {
  const auto d = jvp_program(in.params<JitParams>().jaxpr.jaxpr(), nonzero(in.tangents));
  ArrayVec args(in.primals);
  append_values(in.tangents, args);
  const ArrayVec out = bind_program(in, *d, args);
  put_results(out, std::span(out).subspan(d->out_tangent.size()), d->out_tangent, primals_out, tangents_out);
}

void jit_linearize(const JvpIn& in, ArrayVec& primals_out, TangentVec& tangents_out) {
  const auto d = linear_program(in.params<JitParams>().jaxpr.jaxpr(), nonzero(in.tangents));
  const ArrayVec forward = bind_program(in, d->forward, in.primals);
  ArrayVec args;
  std::size_t next = d->out_tangent.size();
  for (int operand : d->residual_operand)
    args.push_back(operand < 0 ? forward[next++] : in.primals[static_cast<std::size_t>(operand)]);
  append_values(in.tangents, args);
  put_results(forward, bind_program(in, d->linear, args), d->out_tangent, primals_out, tangents_out);
}

void jit_transpose(const TransposeIn& in, TangentVec& out) {
  const TransposeOperands t = transpose_operands(in.args, in.cts);
  const auto d = transpose_program(in.params<JitParams>().jaxpr.jaxpr(), t.linear, t.has_ct);
  put_cotangents(in.args, bind_program(in, *d, t.values), d->out_ct, out);
}

void jit_batch(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  const auto d = batch_program(in.params<JitParams>().jaxpr.jaxpr(), in.dims, in.axis_size, in.axis_name);
  out = bind_program(in, *d, in.args);
  out_dims = d->out_dims;
}

void jit_recall(const EqnContext& c, const ClosedJaxpr& program, std::span<const Array> consts,
                std::span<const Array> in, ArrayVec& out) {
  out = bind_program(c, {program, Arrays(consts.begin(), consts.end())}, in);
}

Reduced jit_dce(const EqnContext& c, const std::vector<bool>& used) {
  const auto& p = c.params<JitParams>();
  DceResult d = dce(share(p.jaxpr), used);
  return {make_params(JitParams{close_jaxpr(d.jaxpr), p.name}), d.used_inputs, used};
}

}  // namespace

bool regions_name_axis(const EqnContext& c, const std::string& axis) {
  if (axis.empty()) return false;
  std::vector<JaxprRef> todo;
  std::unordered_set<const Jaxpr*> seen;
  const auto add = [&](const EqnContext& holder) {
    for (const ClosedJaxpr* inner : holder.primitive.regions(holder).programs)
      if (seen.insert(&inner->jaxpr()).second) todo.push_back(share(*inner));
  };
  add(c);
  while (!todo.empty()) {
    JaxprRef j = todo.back();
    todo.pop_back();
    for (const JaxprEqn& e : j->eqns) {
      if (e.primitive->regions) add({*e.primitive, e.params});
      else if (e.primitive->names_axis && e.primitive->names_axis({*e.primitive, e.params}, axis)) return true;
    }
  }
  return false;
}

constinit const Primitive jit_p{
    .name = "jit",
    .doc = "Calls a program: compiled as one unit, and one equation to every transformation.",
    .kind = Kind::call,
    .operands = -1,
    .results = -1,
    .params = &params_ops<JitParams>,
    .abstract_eval = jit_avals,
    .jvp = jit_jvp,
    .linearize = jit_linearize,
    .transpose = jit_transpose,
    .batching = jit_batch,
    .effects = [](const EqnContext& c) { return c.params<JitParams>().jaxpr.jaxpr().effects; },
    .regions = [](const EqnContext& c) { return Regions{.programs = {&c.params<JitParams>().jaxpr}}; },
    .stage = stage_typed,
    .dce = jit_dce,
    .recall = jit_recall,
    .names_axis = regions_name_axis,
    .samples = [] { return std::vector<Sample>(); }};

namespace {

// Also where jit is disabled: an expansion is a program.
Arrays record_loop(const ops::LoopStep& condition, const ops::LoopStep& body, const Arrays& init) {
  const std::vector<Aval> avals = avals_of(init);
  return bind_while(hoist(flat_make_jaxpr(condition, avals)), hoist(flat_make_jaxpr(body, avals)), init);
}

}  // namespace

void register_control() {
  ops::install_expansion_loop(record_loop);
  register_primitive(jit_p);
  register_primitive(reduce_p);
  register_primitive(cond_p);
  register_primitive(while_p);
  register_primitive(scan_p);
  register_primitive(custom_jvp_call_p);
  register_primitive(custom_vjp_call_p);
  register_primitive(custom_lin_p);
  register_primitive(check_p);
  register_primitive(checkpoint_p);
  register_primitive(name_p);
  register_primitive(pure_callback_p);
  register_primitive(io_callback_p);
  register_primitive(debug_callback_p);
  register_primitive(linear_call_p);
  register_primitive(custom_vmap_call_p);
}

Arrays bind_jit(const std::string& name, const ClosedJaxpr& jaxpr, const Arrays& args) {
  if (config::get(config::Flag::disable_jit)) return eval_jaxpr(jaxpr, args);
  ArrayVec operands, out;
  for (const Array& c : jaxpr.consts()) operands.push_back(c);
  for (const Array& a : args) operands.push_back(a);
  jit_p.bind(make_params(JitParams{without_constants(jaxpr), name}), operands, out);
  return list(out);
}

ClosedJaxpr without_constants(const ClosedJaxpr& c) {
  if (c.consts().empty()) return c;
  return *c.jaxpr().derived.get<ClosedJaxpr>("hoisted", [&] { return hoist_constants(c); });
}

namespace {
// Jaxprs of library functions, by name, static key, configuration and avals. Small and process-wide: the functions are few.
struct NamedTable {
  std::mutex mutex;
  LruTable<std::string, ClosedJaxpr> programs{512};
};
using NamedPrograms = decltype(NamedTable::programs)::Entries;
NamedTable& named_table() {
  static auto* const t = new NamedTable;  // never destroyed: static destructors may still call functions
  return *t;
}
bool records(Trace* t) { return t && dynamic_cast<JaxprTrace*>(t) != nullptr; }
}  // namespace

Arrays named_jit(const char* name, const FlatFn& body, const Arrays& args, std::uint64_t static_key) {
  if (!records(current_trace())) return body(args);
  std::string key = std::string(name) + ' ' + std::to_string(static_key) + ' ' + std::to_string(config::trace_key());
  for (const Array& a : args) key += ' ' + a.aval().str() + (a.weak_type() ? "~" : "");
  NamedTable& t = named_table();
  ClosedJaxpr program;
  {
    std::lock_guard lock(t.mutex);
    if (const ClosedJaxpr* p = t.programs.find(key)) program = *p;
  }
  if (!program.has_value()) {
    const AtPosition nowhere(AtPosition::nowhere());  // others share it
    program = flat_make_jaxpr(body, avals_of(args));
    NamedPrograms gone;  // destroyed outside of the lock
    std::lock_guard lock(t.mutex);
    if (program.consts().empty()) gone = t.programs.insert(std::move(key), program);
  }
  return bind_jit(name, program, args);
}

void clear_named_jit() {
  NamedPrograms dropped;  // destroyed outside of the lock
  NamedTable& t = named_table();
  std::lock_guard lock(t.mutex);
  dropped = t.programs.clear();
}

}  // namespace cotan
