// The jit primitive: a call of a program without constants. Its rules transform the called program, once per way.
#include "control/jit.h"

#include <mutex>

#include "base/hash.h"
#include "control/reduce.h"
#include "core/interpret.h"
#include "core/jaxpr_trace.h"
#include "core/jaxpr_utils.h"
#include "cotan/config.h"
#include "ops/common.h"
#include "transforms/batching.h"
#include "transforms/linearize.h"
#include "transforms/transpose.h"

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

std::vector<Aval> avals_of(std::span<const Array> xs) {
  std::vector<Aval> v;
  for (const Array& x : xs) v.push_back(x.aval());
  return v;
}
Arrays list(const ArrayVec& v) { return {v.begin(), v.end()}; }
std::string key_of(const char* what, std::span<const int> numbers) {
  std::string k = what;
  for (int n : numbers) k += ' ' + std::to_string(n);
  return k;
}

// A program whose constants have become its first inputs.
ClosedJaxpr hoist_constants(const ClosedJaxpr& c) {
  if (c.consts().empty()) return c;
  Ref<Jaxpr> j(new Jaxpr(c.jaxpr()));
  j->invars.insert(j->invars.begin(), j->constvars.begin(), j->constvars.end());
  j->constvars.clear();
  return close_jaxpr(JaxprRef(j.get()));
}

// A call of a program, whose constants go with the operands.
ArrayVec bind_program(const EqnContext& c, const ClosedJaxpr& program, std::span<const Array> args) {
  ArrayVec operands, out;
  for (const Array& a : program.consts()) operands.push_back(a);
  for (const Array& a : args) operands.push_back(a);
  jit_p.bind(make_params(JitParams{hoist_constants(program), c.params<JitParams>().name}), operands, out);
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

// --- jvp ------------------------------------------------------------------------------------------------------------------
struct DerivedJvp {
  ClosedJaxpr program;  // primals, then tangents that are not zero -> the same of the outputs
  std::vector<bool> out_tangent;
};

DerivedJvp make_jvp(const Jaxpr& j, std::span<const int> has_tangent) {
  std::vector<Aval> in;
  for (Var v : j.invars) in.push_back(j.aval(v));
  for (std::size_t i = 0; i < has_tangent.size(); ++i)
    if (has_tangent[i]) in.push_back(tangent_aval(j.aval(j.invars[i])));
  DerivedJvp d;
  d.program = flat_make_jaxpr(
      [&](const Arrays& args) {
        const std::size_t n = j.invars.size();
        Tangents tangents;
        std::size_t next = n;
        for (std::size_t i = 0; i < n; ++i)
          tangents.push_back(has_tangent[i] ? Tangent(args[next++]) : Tangent::zero_of(args[i].aval()));
        JvpResult r = flat_jvp(
            [&](const Arrays& x) {
              ArrayVec out;
              interpret(j, {}, x, out);
              return list(out);
            },
            Arrays(args.begin(), args.begin() + static_cast<std::ptrdiff_t>(n)), tangents);
        Arrays out = r.primals;
        for (const Tangent& t : r.tangents) {
          d.out_tangent.push_back(!t.is_zero());
          if (!t.is_zero()) out.push_back(t.value());
        }
        return out;
      },
      in);
  return d;
}

void jit_jvp(const JvpIn& in, ArrayVec& primals_out, TangentVec& tangents_out) {
  const Jaxpr& j = in.params<JitParams>().jaxpr.jaxpr();
  DimVec has;
  ArrayVec args(in.primals);
  for (const Tangent& t : in.tangents) {
    has.push_back(!t.is_zero());
    if (!t.is_zero()) args.push_back(t.value());
  }
  auto d = j.derived.get<DerivedJvp>(key_of("jvp", has), [&] { return make_jvp(j, has); });
  ArrayVec out = bind_program(in, d->program, args);
  std::size_t next = d->out_tangent.size();
  for (std::size_t i = 0; i < d->out_tangent.size(); ++i) {
    primals_out.push_back(out[i]);
    tangents_out.push_back(d->out_tangent[i] ? Tangent(out[next++]) : Tangent::zero_of(out[i].aval()));
  }
}

// --- linearize ------------------------------------------------------------------------------------------------------------
struct DerivedLinear {
  ClosedJaxpr forward;         // primals -> outputs, residuals
  ClosedJaxpr linear;          // residuals, tangents -> tangents of the outputs that have one
  std::vector<int> out_index;  // per output: its place among those; -1: zero
};

DerivedLinear make_linear(const Jaxpr& j, std::span<const int> has_tangent) {
  DerivedLinear d;
  std::vector<Aval> in;
  for (Var v : j.invars) in.push_back(j.aval(v));
  d.forward = flat_make_jaxpr(
      [&](const Arrays& args) {
        TraceLife<LinearizeTrace> trace;
        ArrayVec x, out;
        for (std::size_t i = 0; i < args.size(); ++i) x.push_back(has_tangent[i] ? trace->new_input(args[i]) : args[i]);
        {
          CurrentTrace current(trace.get());
          interpret(j, {}, x, out);
        }
        Arrays results, linear_outs;
        for (const Array& a : out) {
          const LinearizeTracer* t = trace->own(a);
          results.push_back(t ? t->primal : a);
          d.out_index.push_back(t ? static_cast<int>(linear_outs.size()) : -1);
          if (t) linear_outs.push_back(t->tangent);
        }
        ClosedJaxpr linear = trace->tangents().finish(linear_outs);
        for (const Array& residual : linear.consts()) results.push_back(residual);
        d.linear = hoist_constants(linear);
        return results;
      },
      in);
  return d;
}

void jit_linearize(const JvpIn& in, ArrayVec& primals_out, TangentVec& tangents_out) {
  const Jaxpr& j = in.params<JitParams>().jaxpr.jaxpr();
  DimVec has;
  for (const Tangent& t : in.tangents) has.push_back(!t.is_zero());
  auto d = j.derived.get<DerivedLinear>(key_of("linearize", has), [&] { return make_linear(j, has); });
  ArrayVec forward = bind_program(in, d->forward, in.primals), args;
  for (std::size_t i = d->out_index.size(); i < forward.size(); ++i) args.push_back(forward[i]);
  for (const Tangent& t : in.tangents)
    if (!t.is_zero()) args.push_back(t.value());
  ArrayVec linear = bind_program(in, d->linear, args);
  for (std::size_t i = 0; i < d->out_index.size(); ++i) {
    const int k = d->out_index[i];
    primals_out.push_back(forward[i]);
    tangents_out.push_back(k < 0 ? Tangent::zero_of(forward[i].aval()) : Tangent(linear[static_cast<std::size_t>(k)]));
  }
}

// --- transpose ------------------------------------------------------------------------------------------------------------
struct DerivedTranspose {
  ClosedJaxpr program;       // values that are not linear, cotangents that are not zero -> cotangents
  std::vector<bool> out_ct;  // per operand: whether it has one
};

DerivedTranspose make_transpose(const Jaxpr& j, const std::vector<bool>& linear, const std::vector<bool>& has_ct) {
  std::vector<Aval> in;
  for (std::size_t i = 0; i < linear.size(); ++i)
    if (!linear[i]) in.push_back(j.aval(j.invars[i]));
  for (std::size_t i = 0; i < has_ct.size(); ++i)
    if (has_ct[i]) in.push_back(j.aval(j.outvars[i]));
  DerivedTranspose d;
  d.program = flat_make_jaxpr(
      [&](const Arrays& values) {
        std::size_t next = 0;
        ArrayVec args(linear.size());
        TangentVec cts, out;
        for (std::size_t i = 0; i < linear.size(); ++i)
          if (!linear[i]) args[i] = values[next++];
        for (std::size_t i = 0; i < has_ct.size(); ++i)
          cts.push_back(has_ct[i] ? Tangent(values[next++]) : Tangent::zero(j.aval(j.outvars[i])));
        backward_pass(j, {}, args, linear, cts, out);
        Arrays results;
        for (std::size_t i = 0; i < out.size(); ++i) {
          d.out_ct.push_back(linear[i] && !out[i].is_zero());
          if (d.out_ct.back()) results.push_back(out[i].value());
        }
        return results;
      },
      in);
  return d;
}

void jit_transpose(const TransposeIn& in, TangentVec& out) {
  const Jaxpr& j = in.params<JitParams>().jaxpr.jaxpr();
  std::vector<bool> linear, has_ct;
  DimVec key;
  ArrayVec args;
  for (const LinearOperand& a : in.args) {
    linear.push_back(a.is_linear());
    key.push_back(a.is_linear());
    if (!a.is_linear()) args.push_back(a.value);
  }
  for (const Tangent& t : in.cts) {
    has_ct.push_back(!t.is_zero());
    key.push_back(!t.is_zero());
    if (!t.is_zero()) args.push_back(t.value());
  }
  auto d = j.derived.get<DerivedTranspose>(key_of("transpose", key), [&] { return make_transpose(j, linear, has_ct); });
  ArrayVec cts = bind_program(in, d->program, args);
  std::size_t next = 0;
  for (std::size_t i = 0; i < linear.size(); ++i)
    out.push_back(d->out_ct[i] ? Tangent(cts[next++]) : Tangent::zero(in.args[i].aval));
}

// --- batching -------------------------------------------------------------------------------------------------------------
struct DerivedBatch {
  ClosedJaxpr program;
  DimVec out_dims;
};

DerivedBatch make_batch(const Jaxpr& j, std::span<const Array> args, std::span<const int> dims, std::int64_t size,
                        const std::string& name) {
  DerivedBatch d;
  d.program = flat_make_jaxpr(
      [&](const Arrays& x) {
        std::vector<int> axes;
        for (int dim : dims) axes.push_back(dim == not_mapped ? no_axis : dim);
        auto results = flat_vmap(
            [&](const Arrays& y) {
              ArrayVec out;
              interpret(j, {}, y, out);
              return list(out);
            },
            x, axes, size, name);
        Arrays out;
        for (const BatchedOutput& r : results) {
          out.push_back(r.value);
          d.out_dims.push_back(r.axis == no_axis ? not_mapped : r.axis);
        }
        return out;
      },
      avals_of(args));
  return d;
}

void jit_batch(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  const Jaxpr& j = in.params<JitParams>().jaxpr.jaxpr();
  std::string key = key_of("batch", in.dims) + " size " + std::to_string(in.axis_size) + " axis " + in.axis_name;
  auto d =
      j.derived.get<DerivedBatch>(key, [&] { return make_batch(j, in.args, in.dims, in.axis_size, in.axis_name); });
  out = bind_program(in, d->program, in.args);
  out_dims = d->out_dims;
}

bool jit_names_axis(const EqnContext& c, const std::string& axis) {
  std::vector<JaxprRef> todo{share(c.params<JitParams>().jaxpr)};
  while (!todo.empty()) {
    JaxprRef j = todo.back();
    todo.pop_back();
    for (const JaxprEqn& e : j->eqns) {
      if (e.primitive->called) todo.push_back(share(e.primitive->called({*e.primitive, e.params})));
      else if (e.primitive->names_axis && e.primitive->names_axis({*e.primitive, e.params}, axis)) return true;
    }
  }
  return false;
}

}  // namespace

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
    .called = [](const EqnContext& c) -> const ClosedJaxpr& { return c.params<JitParams>().jaxpr; },
    .names_axis = jit_names_axis,
    .samples = [] { return std::vector<Sample>(); }};

void register_control() {
  register_primitive(jit_p);
  register_primitive(reduce_p);
}

Arrays bind_jit(const std::string& name, const ClosedJaxpr& jaxpr, const Arrays& args) {
  if (config::get(config::Flag::disable_jit)) return eval_jaxpr(jaxpr, args);
  ArrayVec operands, out;
  for (const Array& c : jaxpr.consts()) operands.push_back(c);
  for (const Array& a : args) operands.push_back(a);
  struct Hoisted {
    ClosedJaxpr program;
  };
  ClosedJaxpr program = jaxpr;
  if (!jaxpr.consts().empty())
    program = jaxpr.jaxpr().derived.get<Hoisted>("hoisted", [&] { return Hoisted{hoist_constants(jaxpr)}; })->program;
  jit_p.bind(make_params(JitParams{program, name}), operands, out);
  return list(out);
}

namespace {
// Jaxprs of library functions, by name, static key, configuration and avals. Small and process-wide: the functions are few.
struct NamedTable {
  std::mutex mutex;
  std::vector<std::pair<std::string, ClosedJaxpr>> entries;
};
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
    for (const auto& [k, p] : t.entries)
      if (k == key) program = p;
  }
  if (!program.has_value()) {
    program = flat_make_jaxpr(body, avals_of(args));
    std::lock_guard lock(t.mutex);
    constexpr std::size_t capacity = 512;
    if (program.consts().empty()) {
      if (t.entries.size() == capacity) t.entries.erase(t.entries.begin());
      t.entries.emplace_back(std::move(key), program);
    }
  }
  return bind_jit(name, program, args);
}

void clear_named_jit() {
  std::vector<std::pair<std::string, ClosedJaxpr>> dropped;  // destroyed outside the lock
  NamedTable& t = named_table();
  std::lock_guard lock(t.mutex);
  dropped.swap(t.entries);
}

}  // namespace cotan
