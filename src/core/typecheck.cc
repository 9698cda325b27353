#include "core/typecheck.h"

#include <unordered_set>

#include "core/jaxpr_utils.h"
#include "core/primitive.h"
#include "core/print.h"

namespace cotan {
namespace {

std::string exact(const Aval& a) { return a.str() + (a.weak_type ? "~" : ""); }
std::string count(std::size_t n, const char* what) { return std::to_string(n) + ' ' + what + (n == 1 ? "" : "s"); }

class Checker {
 public:
  void check(const ClosedJaxpr& c) {
    const Jaxpr& j = c.jaxpr();
    if (c.consts().size() != j.constvars.size()) {
      throw TypeError("the program has " + count(j.constvars.size(), "constant") + ", got " +
                      count(c.consts().size(), "value"));
    }
    check(j);
    for (std::size_t i = 0; i < c.consts().size(); ++i) {
      const Aval &declared = j.aval(j.constvars[i]), &given = c.consts()[i].aval();
      if (declared.shape == given.shape && declared.dtype == given.dtype) continue;
      throw TypeError("constant " + std::to_string(i) + " is declared as " + exact(declared) + ", its value is " +
                      exact(given));
    }
  }

  void check(const Jaxpr& j) {
    if (!done_.insert(&j).second) return;
    if (++depth_ > max_jaxpr_depth)
      throw TypeError("programs are nested more than " + std::to_string(max_jaxpr_depth) + " deep");
    std::vector<bool> defined(j.vars.size(), false);
    for (Var v : j.constvars) define(v, defined, "a constant");
    for (Var v : j.invars) define(v, defined, "an input");
    Effects effects = no_effects;
    for (std::size_t i = 0; i < j.eqns.size(); ++i) {
      try {
        equation(j, j.eqns[i], defined);
      } catch (const Error& e) {
        throw TypeError("equation " + std::to_string(i) + ": " + e.message() + "\nin: " + equation_text(j, j.eqns[i]));
      }
      effects |= j.eqns[i].effects;
    }
    for (Atom a : j.outvars) use(j, a, defined);
    if (effects != j.effects) {
      throw TypeError("the program says effects " + std::to_string(j.effects) + ", its equations have " +
                      std::to_string(effects));
    }
    --depth_;
  }

 private:
  void equation(const Jaxpr& j, const JaxprEqn& e, std::vector<bool>& defined) {
    for (Atom a : j.inputs(e)) use(j, a, defined);
    for (Atom a : j.outputs(e)) {
      if (a.is_literal()) throw TypeError("a literal is no output of an equation");
      define(a.var(), defined, "an output");
    }
    each_jaxpr(e, [this](const ClosedJaxpr& inner) { check(inner); });
    check_equation(j, e);
  }
  static void define(Var v, std::vector<bool>& defined, const char* as) {
    const std::string name = '%' + std::to_string(v.id);
    if (v.id >= defined.size()) throw TypeError(name + " is not a variable of the program");
    if (defined[v.id]) throw TypeError(name + " is defined again, as " + as);
    defined[v.id] = true;
  }
  static void use(const Jaxpr& j, Atom a, const std::vector<bool>& defined) {
    if (a.is_literal()) {
      if (a.literal_index() >= j.literals.size())
        throw TypeError("literal " + std::to_string(a.literal_index()) + " does not exist");
    } else if (a.var().id >= defined.size() || !defined[a.var().id]) {
      throw TypeError('%' + std::to_string(a.var().id) + " is used before it is defined");
    }
  }

  std::unordered_set<const Jaxpr*> done_;
  int depth_ = 0;
};

}  // namespace

void check_equation(const Jaxpr& j, const JaxprEqn& e) {
  const Primitive& p = *e.primitive;
  const std::string name = p.name;
  if (p.operands >= 0 && e.inputs != static_cast<std::size_t>(p.operands)) {
    throw TypeError(name + " takes " + count(static_cast<std::size_t>(p.operands), "operand") + ", got " +
                    std::to_string(e.inputs));
  }
  if ((e.params ? e.params->ops : nullptr) != p.params)
    throw TypeError(name + " has parameters of another primitive, or none");
  std::vector<Aval> in;
  for (Atom a : j.inputs(e)) in.push_back(j.aval(a));
  AvalVec out;
  infer(p, e.params, in, out);
  if (out.size() != e.outputs) {
    throw TypeError(name + " gives " + count(out.size(), "result") + ", the equation has " + std::to_string(e.outputs));
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Aval declared = j.aval(j.outputs(e)[i]);
    if (declared == out[i]) continue;
    throw TypeError("result " + std::to_string(i) + " is declared as " + exact(declared) + ", " + name + " gives " +
                    exact(out[i]));
  }
  const Effects effects = p.effects ? p.effects({p, e.params}) : no_effects;
  if (effects != e.effects) {
    throw TypeError(name + " has effects " + std::to_string(effects) + ", the equation says " +
                    std::to_string(e.effects));
  }
}

namespace {
template <class J> void check_any(const J& j) {
  try {
    Checker().check(j);
  } catch (const Error& e) { throw TypeError("check_jaxpr: " + e.message()); }
}
}  // namespace

void check_jaxpr(const Jaxpr& j) { check_any(j); }
void check_jaxpr(const ClosedJaxpr& c) { check_any(c); }

}  // namespace cotan
