#include "compiler/passes/inline.h"

#include "core/jaxpr_utils.h"
#include "core/primitive.h"

namespace cotan {

namespace {

// One program being copied: how its variables are called in the result.
struct Frame {
  const Jaxpr* program;
  std::size_t next = 0;  // equation
  std::vector<Atom> names;
  std::span<const Atom> results;  // of the call, in the caller's variables; empty: the outermost
  const void* source = nullptr;   // of the call: where equations without a position of their own are
};

class Inliner {
 public:
  JaxprRef run(const Jaxpr& j) {
    Frame outer{&j, 0, identity_names(j), {}, nullptr};
    for (Var v : j.constvars) out_->constvars.push_back(fresh(outer, v));
    for (Var v : j.invars) out_->invars.push_back(fresh(outer, v));
    stack_.push_back(std::move(outer));
    while (!stack_.empty()) step();
    out_->effects = j.effects;
    return JaxprRef(out_.get());
  }

 private:
  static std::vector<Atom> identity_names(const Jaxpr& j) { return std::vector<Atom>(j.vars.size(), Atom(Var{0})); }

  Var fresh(Frame& f, Var v) {
    Var n = out_->add_var(f.program->aval(v));
    f.names[v.id] = n;
    return n;
  }
  Atom name(const Frame& f, Atom a) {
    return a.is_literal() ? out_->add_literal(f.program->literals[a.literal_index()]) : f.names[a.var().id];
  }

  void step() {
    Frame& f = stack_.back();
    if (f.next == f.program->eqns.size()) return finish();
    const JaxprEqn& e = f.program->eqns[f.next++];
    SmallVec<Atom, 4> in;
    for (Atom a : f.program->inputs(e)) in.push_back(name(f, a));
    if (const ClosedJaxpr* called = called_program(*e.primitive, e.params)) return enter(*called, e, in);
    SmallVec<Var, 2> vars;
    for (Atom a : f.program->outputs(e)) vars.push_back(fresh(f, a.var()));
    JaxprEqn& copy = out_->add_eqn(*e.primitive, e.params, in, vars);
    copy.effects = e.effects;
    copy.source = e.source ? e.source : f.source;
  }

  void enter(const ClosedJaxpr& called, const JaxprEqn& e, std::span<const Atom> in) {
    if (stack_.size() > static_cast<std::size_t>(max_jaxpr_depth))
      throw ValueError("jit: programs are nested more than " + std::to_string(max_jaxpr_depth) + " deep");
    const Jaxpr& callee = called.jaxpr();
    Frame inner{&callee, 0, identity_names(callee), stack_.back().program->outputs(e),
                e.source ? e.source : stack_.back().source};
    for (std::size_t i = 0; i < in.size(); ++i) inner.names[callee.invars[i].id] = in[i];
    stack_.push_back(std::move(inner));
  }

  void finish() {
    Frame f = std::move(stack_.back());
    stack_.pop_back();
    SmallVec<Atom, 4> results;
    for (Atom a : f.program->outvars) results.push_back(name(f, a));
    if (stack_.empty()) {
      out_->outvars.assign(results.begin(), results.end());
      return;
    }
    for (std::size_t i = 0; i < f.results.size(); ++i) stack_.back().names[f.results[i].var().id] = results[i];
  }

  Ref<Jaxpr> out_{new Jaxpr};
  std::vector<Frame> stack_;
};

}  // namespace

JaxprRef inline_calls(const JaxprRef& j) {
  for (const JaxprEqn& e : j->eqns)
    if (called_program(*e.primitive, e.params)) return Inliner().run(*j);
  return j;
}

}  // namespace cotan
