#include "transforms/transpose.h"

#include "base/user_location.h"
#include "core/dependence.h"
#include "core/interpret.h"
#include "ops/common.h"
#include "transforms/flat.h"

namespace cotan {

namespace {

class Backward {
 public:
  Backward(const Jaxpr& j, std::span<const Array> consts, std::span<const Array> args, const std::vector<bool>& linear)
      : j_(j), linear_(j.vars.size()), value_(j.vars.size()), ct_(j.vars.size()) {
    for (std::size_t i = 0; i < consts.size(); ++i) value_[j.constvars[i].id] = consts[i];
    for (std::size_t i = 0; i < j.invars.size(); ++i) {
      if (linear[i]) linear_[j.invars[i].id] = true;
      else value_[j.invars[i].id] = args[i];
    }
    for (const JaxprEqn& e : j.eqns) forward(e);
  }

  void run(std::span<const Tangent> cts, TangentVec& out) {
    for (std::size_t i = 0; i < cts.size(); ++i)
      if (is_linear(j_.outvars[i])) accumulate(j_.outvars[i].var(), cts[i]);
    for (std::size_t k = j_.eqns.size(); k-- > 0;) backward(j_.eqns[k]);
    for (Var v : j_.invars) out.push_back(ct_[v.id].value_or(Tangent::zero(j_.aval(v))));
  }

 private:
  struct Ct : Tangent {
    bool set = false;
    Tangent value_or(Tangent other) const { return set ? static_cast<const Tangent&>(*this) : other; }
  };

  bool is_linear(Atom a) const { return !a.is_literal() && linear_[a.var().id]; }
  Array value(Atom a) const {
    return a.is_literal() ? literal_array(j_.literals[a.literal_index()]) : value_[a.var().id];
  }

  void forward(const JaxprEqn& e) {
    bool linear = false;
    for (Atom a : j_.inputs(e)) linear |= is_linear(a);
    auto vars = j_.outputs(e);
    if (linear && forward_mixed(e)) return;
    if (linear) {
      for (Atom v : vars) linear_[v.var().id] = true;
      return;
    }
    ArrayVec in, out;
    for (Atom a : j_.inputs(e)) in.push_back(value(a));
    e.primitive->bind(e.params, in, out);
    for (std::size_t i = 0; i < vars.size(); ++i) value_[vars[i].var().id] = out[i];
  }

  // Of an equation of linear results and others: computes the others. False where it is no such.
  bool forward_mixed(const JaxprEqn& e) {
    if (!e.primitive->regions) return false;
    std::vector<bool> marked;
    for (Atom a : j_.inputs(e)) marked.push_back(is_linear(a));
    auto vars = j_.outputs(e);
    const auto apart = take_apart({*e.primitive, e.params}, marked);
    if (!apart) return false;
    const Reduced& r = apart->independent;
    ArrayVec in, out;
    auto operands = j_.inputs(e);
    for (std::size_t i = 0; i < operands.size(); ++i)
      if (r.used_operands[i]) in.push_back(value(operands[i]));
    e.primitive->bind(r.params, in, out);
    std::size_t next = 0;
    for (std::size_t i = 0; i < vars.size(); ++i) {
      if (r.results[i]) value_[vars[i].var().id] = out[next++];
      else linear_[vars[i].var().id] = true;
    }
    return true;
  }

  void accumulate(Var v, const Tangent& t) {
    if (t.is_zero()) return;
    Ct& c = ct_[v.id];
    static_cast<Tangent&>(c) = c.set ? ops::add_tangents(c, t) : t;
    c.set = true;
  }

  void backward(const JaxprEqn& e) {
    TangentVec cts, out;
    bool any = false, linear = false;
    for (Atom v : j_.outputs(e)) {
      Ct& c = ct_[v.var().id];
      any |= c.set;
      cts.push_back(c.value_or(Tangent::zero(j_.aval(v))));
      c = Ct();  // its memory is free from here on
    }
    for (Atom a : j_.inputs(e)) linear |= is_linear(a);
    if (!any || !linear) return;
    SmallVec<LinearOperand, 4> args;
    for (Atom a : j_.inputs(e)) args.push_back({j_.aval(a), is_linear(a) ? Array() : value(a)});
    const Primitive& p = *e.primitive;
    if (!p.transpose)
      throw NotImplementedError("Transpose rule (for reverse-mode differentiation) for '" + std::string(p.name) +
                                "' not implemented: " + (p.transpose.reason() ? p.transpose.reason() : "missing"));
    const AtPosition at(e.source);
    p.transpose.function()({{p, e.params}, cts, args}, out);
    auto in = j_.inputs(e);
    for (std::size_t i = 0; i < in.size(); ++i)
      if (is_linear(in[i])) accumulate(in[i].var(), out[i]);
  }

  const Jaxpr& j_;
  std::vector<bool> linear_;
  std::vector<Array> value_;
  std::vector<Ct> ct_;
};

}  // namespace

void backward_pass(const Jaxpr& j, std::span<const Array> consts, std::span<const Array> args,
                   const std::vector<bool>& linear, std::span<const Tangent> cts, TangentVec& out) {
  Backward(j, consts, args, linear).run(cts, out);
}

Linear::Linear(ClosedJaxpr jaxpr, std::vector<Aval> in, std::vector<Aval> out, std::vector<int> out_index)
    : jaxpr_(std::move(jaxpr)), in_(std::move(in)), out_(std::move(out)), out_index_(std::move(out_index)) {}

Linear Linear::with_residuals(Arrays residuals) const {
  return {close_jaxpr(share(jaxpr_), std::move(residuals)), in_, out_, out_index_};
}

Tangents Linear::apply(const Tangents& in) const {
  ArrayVec args, results;
  for (std::size_t i = 0; i < in_.size(); ++i)
    if (in_[i].dtype != DType::float0) args.push_back(ops::instantiate(in[i]));
  interpret(jaxpr_.jaxpr(), jaxpr_.consts(), args, results);
  Tangents out;
  for (std::size_t i = 0; i < out_.size(); ++i)
    out.push_back(out_index_[i] < 0 ? Tangent::zero(out_[i])
                                    : Tangent(results[static_cast<std::size_t>(out_index_[i])]));
  return out;
}

Tangents Linear::transpose(const Tangents& cotangents) const {
  const Jaxpr& j = jaxpr_.jaxpr();
  TangentVec cts(j.outvars.size()), results;
  for (std::size_t i = 0; i < out_.size(); ++i)
    if (out_index_[i] >= 0) cts[static_cast<std::size_t>(out_index_[i])] = cotangents[i];
  backward_pass(j, jaxpr_.consts(), {}, std::vector<bool>(j.invars.size(), true), cts, results);
  Tangents out;
  std::size_t k = 0;
  for (const Aval& a : in_) out.push_back(a.dtype == DType::float0 ? Tangent::zero(a) : results[k++]);
  return out;
}

}  // namespace cotan
