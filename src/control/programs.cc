#include "control/programs.h"

#include <algorithm>

#include "core/interpret.h"
#include "ops/common.h"
#include "ops/elementwise.h"
#include "transforms/linearize.h"
#include "transforms/transpose.h"

namespace cotan {

std::vector<Aval> avals_of(std::span<const Array> xs) {
  std::vector<Aval> v;
  for (const Array& x : xs) v.push_back(x.aval());
  return v;
}
std::vector<Aval> in_avals(const Jaxpr& j) {
  std::vector<Aval> v;
  for (Var x : j.invars) v.push_back(j.aval(x));
  return v;
}
std::vector<Aval> out_avals(const Jaxpr& j) {
  std::vector<Aval> v;
  for (Atom x : j.outvars) v.push_back(j.aval(x));
  return v;
}
Arrays list(const ArrayVec& v) { return {v.begin(), v.end()}; }
Bits nonzero(std::span<const Tangent> ts) {
  Bits b;
  for (const Tangent& t : ts) b.push_back(!t.is_zero());
  return b;
}
std::size_t count(const Bits& b) { return static_cast<std::size_t>(std::count(b.begin(), b.end(), true)); }

Arrays run(const Jaxpr& j, const Arrays& args) {
  ArrayVec out;
  interpret(j, {}, args, out);
  return list(out);
}

void append_values(std::span<const Tangent> ts, ArrayVec& to) {
  for (const Tangent& t : ts)
    if (!t.is_zero()) to.push_back(t.value());
}

void put_results(std::span<const Array> values, std::span<const Array> tangents, const Bits& there,
                 ArrayVec& primals_out, TangentVec& tangents_out) {
  std::size_t next = 0;
  for (std::size_t i = 0; i < there.size(); ++i) {
    primals_out.push_back(values[i]);
    tangents_out.push_back(there[i] ? Tangent(tangents[next++]) : Tangent::zero_of(values[i].aval()));
  }
}

TransposeOperands transpose_operands(std::span<const LinearOperand> args, std::span<const Tangent> cts) {
  TransposeOperands t;
  for (const LinearOperand& a : args) {
    t.linear.push_back(a.is_linear());
    if (!a.is_linear()) t.values.push_back(a.value);
  }
  append_values(cts, t.values);
  t.has_ct = nonzero(cts);
  return t;
}

void put_cotangents(std::span<const LinearOperand> args, std::span<const Array> cts, const Bits& there,
                    TangentVec& out) {
  std::size_t next = 0;
  for (std::size_t i = 0; i < there.size(); ++i)
    out.push_back(there[i] ? Tangent(cts[next++]) : Tangent::zero(args[i].aval));
}

namespace {
struct Function final : Callable {
  FlatFn f;
  Function(std::string n, FlatFn g) : Callable(std::move(n)), f(std::move(g)) {}
};
}  // namespace
CallableRef flat_function(std::string name, FlatFn f) {
  return std::make_shared<Function>(std::move(name), std::move(f));
}
const FlatFn& flat_function_of(const CallableRef& c) { return static_cast<const Function&>(*c).f; }
int record(const FlatFn& f, ClosedJaxpr* program, std::span<const Array> args, ArrayVec* operands) {
  const Hoisted h = hoist(flat_make_jaxpr(f, avals_of(args)));
  *program = h.program;
  operands->clear();
  for (const Array& a : h.consts) operands->push_back(a);
  for (const Array& a : args) operands->push_back(a);
  return static_cast<int>(h.consts.size());
}

Staged stage_typed(const EqnContext& c, std::span<const Array> in) {
  Staged s{c.params_ref, ArrayVec(in)};
  const Jaxpr& j = c.primitive.regions(c).programs[0]->jaxpr();
  for (std::size_t i = 0; i < std::min(in.size(), j.invars.size()); ++i)
    if (const Aval& want = j.aval(j.invars[i]); in[i].dtype() == want.dtype && in[i].weak_type() != want.weak_type)
      s.operands[i] = ops::convert_element_type(in[i], want.dtype, want.weak_type);
  return s;
}

bool Hoisted::reusable() const { return std::all_of(consts.begin(), consts.end(), is_concrete); }

ClosedJaxpr hoist_constants(const ClosedJaxpr& c) {
  if (c.consts().empty()) return c;
  Ref<Jaxpr> j(new Jaxpr(c.jaxpr()));
  j->invars.insert(j->invars.begin(), j->constvars.begin(), j->constvars.end());
  j->constvars.clear();
  return close_jaxpr(JaxprRef(j.get()));
}
ClosedJaxpr with_inputs(const Jaxpr& from, const std::vector<int>& order, std::span<const Aval> types) {
  const Ref<Jaxpr> j(new Jaxpr(from));
  j->invars.clear();
  for (std::size_t i = 0; i < order.size(); ++i)
    j->invars.push_back(order[i] < 0 ? j->add_var(types[i]) : from.invars[static_cast<std::size_t>(order[i])]);
  return close_jaxpr(JaxprRef(j.get()));
}

std::vector<int> places(const Bits& have, const Bits& want) {
  std::vector<int> out;
  int next = 0;
  for (std::size_t i = 0; i < want.size(); ++i) {
    const int at = have[i] ? next++ : -1;
    if (want[i]) out.push_back(at);
  }
  return out;
}

Hoisted hoist(const ClosedJaxpr& c) { return {hoist_constants(c), c.consts()}; }

Bits batched_results(const BatchProgram& d) {
  Bits b;
  for (int dim : d.out_dims) b.push_back(dim != not_mapped);
  return b;
}

namespace {

std::string key_of(const char* what, std::initializer_list<const Bits*> parts) {
  std::string k = what;
  for (const Bits* b : parts) {
    k += ' ';
    for (bool x : *b) k += x ? '1' : '0';
  }
  return k;
}
bool marked(const Bits& b, std::size_t i) { return i < b.size() && b[i]; }
bool float0(const Aval& a) { return a.dtype == DType::float0; }

JvpProgram make_jvp(const Jaxpr& j, const Bits& has_tangent, const Bits& instantiate) {
  std::vector<Aval> in = in_avals(j);
  for (std::size_t i = 0; i < has_tangent.size(); ++i)
    if (has_tangent[i]) in.push_back(tangent_aval(j.aval(j.invars[i])));
  Bits out_tangent;
  const ClosedJaxpr program = flat_make_jaxpr(
      [&](const Arrays& args) {
        const std::size_t n = j.invars.size();
        Tangents tangents;
        std::size_t next = n;
        for (std::size_t i = 0; i < n; ++i)
          tangents.push_back(has_tangent[i] ? Tangent(args[next++]) : Tangent::zero_of(args[i].aval()));
        const Arrays primals(args.begin(), args.begin() + static_cast<std::ptrdiff_t>(n));
        JvpResult r = flat_jvp([&](const Arrays& x) { return run(j, x); }, primals, tangents);
        Arrays out = r.primals;
        for (std::size_t i = 0; i < r.tangents.size(); ++i) {
          const Tangent& t = r.tangents[i];
          out_tangent.push_back(!t.is_zero() || (marked(instantiate, i) && !float0(t.aval())));
          if (out_tangent.back()) out.push_back(ops::instantiate(t));
        }
        return out;
      },
      in);
  return {hoist(program), out_tangent};
}

LinearProgram make_linear(const Jaxpr& j, const Bits& has_tangent, const Bits& instantiate) {
  LinearProgram d;
  Arrays extra;  // constants of the linear program that are values, not residuals
  const ClosedJaxpr forward = flat_make_jaxpr(
      [&](const Arrays& args) {
        TraceLife<LinearizeTrace> trace;
        ArrayVec x, out;
        for (std::size_t i = 0; i < args.size(); ++i) x.push_back(has_tangent[i] ? trace->new_input(args[i]) : args[i]);
        Arrays results, linear_outs;
        {
          CurrentTrace current(trace.get());
          interpret(j, {}, x, out);
        }
        for (std::size_t i = 0; i < out.size(); ++i) {
          const LinearizeTracer* t = trace->own(out[i]);
          results.push_back(t ? t->primal : out[i]);
          const bool made = !t && marked(instantiate, i) && !float0(tangent_aval(out[i].aval()));
          d.out_tangent.push_back(t || made);
          if (t) linear_outs.push_back(t->tangent);
          if (!made) continue;
          CurrentTrace in_linear(&trace->tangents());
          linear_outs.push_back(ops::zeros_of(tangent_aval(out[i].aval())));
        }
        d.linear = hoist(trace->tangents().finish(linear_outs));
        for (const Array& residual : d.linear.consts) {
          const auto at =
              std::find_if(args.begin(), args.end(), [&](const Array& a) { return a.node() == residual.node(); });
          d.residual_operand.push_back(at == args.end() ? -1 : static_cast<int>(at - args.begin()));
          if (at == args.end()) results.push_back(residual);
        }
        d.linear.consts.clear();
        return results;
      },
      in_avals(j));
  d.forward = hoist(forward);
  return d;
}

TransposeProgram make_transpose(const Jaxpr& j, const Bits& linear, const Bits& has_ct, const Bits& instantiate) {
  std::vector<Aval> in;
  for (std::size_t i = 0; i < linear.size(); ++i)
    if (!linear[i]) in.push_back(j.aval(j.invars[i]));
  for (std::size_t i = 0; i < has_ct.size(); ++i)
    if (has_ct[i]) in.push_back(j.aval(j.outvars[i]));
  Bits out_ct;
  const ClosedJaxpr program = flat_make_jaxpr(
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
          out_ct.push_back(linear[i] && (!out[i].is_zero() || marked(instantiate, i)));
          if (out_ct.back()) results.push_back(ops::instantiate(out[i]));
        }
        return results;
      },
      in);
  return {hoist(program), out_ct};
}

BatchProgram make_batch(const Jaxpr& j, std::span<const int> dims, std::int64_t size, const std::string& name,
                        const Bits& batched) {
  std::vector<Aval> in = in_avals(j);
  std::vector<int> axes;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] != not_mapped) in[i].shape.insert(dims[i], size);
    axes.push_back(dims[i] == not_mapped ? no_axis : dims[i]);
  }
  DimVec out_dims;
  const ClosedJaxpr program = flat_make_jaxpr(
      [&](const Arrays& x) {
        const auto results = flat_vmap([&](const Arrays& y) { return run(j, y); }, x, axes, size, name);
        Arrays out;
        for (std::size_t i = 0; i < results.size(); ++i) {
          const BatchedOutput& r = results[i];
          out.push_back(marked(batched, i) ? with_batch_axis(r, 0, size) : r.value);
          out_dims.push_back(marked(batched, i) ? 0 : r.axis == no_axis ? not_mapped : r.axis);
        }
        return out;
      },
      in);
  return {hoist(program), out_dims};
}

}  // namespace

std::shared_ptr<const JvpProgram> jvp_program(const Jaxpr& j, const Bits& has_tangent, const Bits& instantiate) {
  return j.derived.get<JvpProgram>(key_of("jvp", {&has_tangent, &instantiate}),
                                   [&] { return make_jvp(j, has_tangent, instantiate); });
}

std::shared_ptr<const LinearProgram> linear_program(const Jaxpr& j, const Bits& has_tangent, const Bits& instantiate) {
  return j.derived.get<LinearProgram>(key_of("linearize", {&has_tangent, &instantiate}),
                                      [&] { return make_linear(j, has_tangent, instantiate); });
}

std::shared_ptr<const TransposeProgram> transpose_program(const Jaxpr& j, const Bits& linear, const Bits& has_ct,
                                                          const Bits& instantiate) {
  return j.derived.get<TransposeProgram>(key_of("transpose", {&linear, &has_ct, &instantiate}),
                                         [&] { return make_transpose(j, linear, has_ct, instantiate); });
}

std::shared_ptr<const BatchProgram> batch_program(const Jaxpr& j, std::span<const int> dims, std::int64_t size,
                                                  const std::string& name, const Bits& batched) {
  std::string key = key_of("batch", {&batched});
  for (int d : dims) key += ' ' + std::to_string(d);
  key += " size " + std::to_string(size) + " axis " + name;
  return j.derived.get<BatchProgram>(key, [&] { return make_batch(j, dims, size, name, batched); });
}

}  // namespace cotan
