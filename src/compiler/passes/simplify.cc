#include "compiler/passes/simplify.h"

#include <algorithm>

#include "core/interpret.h"
#include "core/jaxpr_utils.h"
#include "core/simplify.h"
#include "cotan/config.h"

namespace cotan {

namespace {

constexpr int max_steps =
    16;  // of one equation: each rule goes nearer to the inputs, and soon there is nothing left to say

// One walk from the inputs on: when an equation is looked at, its operands are as simple as they get.
class Simplifier {
 public:
  explicit Simplifier(const Jaxpr& j) : out_(make_ref<Jaxpr>(j)), with_(identity_substitution(j)) {
    origins_.equation.assign(j.vars.size(), Origins::none);
    origins_.repeated.assign(j.vars.size(), Origins::none);
  }

  bool run() {
    for (std::uint32_t k = 0; k < out_->eqns.size(); ++k) {
      put_operands(out_->eqns[k]);
      for (int step = 0; step < max_steps && apply_rule(k); ++step) {}
      note(k);
    }
    for (Atom& a : out_->outvars)
      if (!a.is_literal()) a = with_[a.var().id];
    return changed_;
  }
  JaxprRef result() const { return JaxprRef(out_.get()); }

 private:
  void put_operands(const JaxprEqn& e) {
    for (std::uint32_t i = e.first; i < e.first + e.inputs; ++i)
      if (Atom& a = out_->atoms[i]; !a.is_literal()) a = with_[a.var().id];
  }

  // False when the equation stays, or is not needed any longer.
  bool apply_rule(std::uint32_t k) {
    const JaxprEqn& e = out_->eqns[k];
    if (e.outputs != 1 || e.effects != no_effects) return false;
    const SmallVec<Atom, 3> in(out_->inputs(e));  // a rule may add to the program
    const Var result = out_->outputs(e)[0].var();
    const Aval type = out_->aval(result);
    Simplified s;
    if (is_one_value(e)) s = computed(e, type);
    else if (e.primitive->simplify)
      s = e.primitive->simplify(SimplifyIn({*e.primitive, e.params}, *out_, origins_, in, type));
    if (s.same) {
      if (!(out_->aval(*s.same) == type)) return false;
      with_[result.id] = *s.same;
      changed_ = true;
      return false;
    }
    if (!s.primitive) return false;
    changed_ = true;
    replace(k, s, result);
    return true;
  }

  // Whether all elements of the result are the same, as those of each operand are.
  bool is_one_value(const JaxprEqn& e) const {
    const auto inputs = out_->inputs(e);
    return e.primitive->kind == Kind::elementwise && (e.primitive->tile || e.primitive->emit) && !inputs.empty() &&
           std::all_of(inputs.begin(), inputs.end(), [&](Atom a) { return literal_of(a) != Origins::none; });
  }
  std::uint32_t literal_of(Atom a) const { return a.is_literal() ? a.literal_index() : origins_.repeated[a.var().id]; }
  Simplified computed(const JaxprEqn& e, const Aval& type) {
    ArrayVec in, out;
    for (Atom a : out_->inputs(e)) in.push_back(literal_array(out_->literals[literal_of(a)]));
    evaluation_hook().evaluate(*e.primitive, e.params, in, out);
    const HostScalar value = HostScalar::load(type.dtype, bytes_of(out[0]));
    return repeated_scalar()(out_->add_literal({value, type.weak_type}), type.shape);
  }

  void replace(std::uint32_t k, const Simplified& s, Var result) {
    JaxprEqn& e = out_->eqns[k];
    e.primitive = s.primitive;
    e.params = s.params;
    e.first = static_cast<std::uint32_t>(out_->atoms.size());
    e.inputs = static_cast<std::uint32_t>(s.in.size());
    out_->atoms.insert(out_->atoms.end(), s.in.begin(), s.in.end());
    out_->atoms.push_back(result);
  }

  // What later rules may ask of the results.
  void note(std::uint32_t k) {
    const JaxprEqn& e = out_->eqns[k];
    for (Atom a : out_->outputs(e)) origins_.equation[a.var().id] = k;
    if (e.primitive->kind != Kind::structural || e.inputs != 1) return;
    const Atom in = out_->inputs(e)[0];  // its elements are all that such an equation gives
    const std::uint32_t value = in.is_literal() ? in.literal_index() : origins_.repeated[in.var().id];
    for (Atom a : out_->outputs(e))
      if (out_->aval(a).dtype == out_->aval(in).dtype) origins_.repeated[a.var().id] = value;
  }

  Ref<Jaxpr> out_;
  std::vector<Atom> with_;  // by variable: what is in its place
  Origins origins_;
  bool changed_ = false;
};

}  // namespace

JaxprRef simplify(const JaxprRef& j) {
  const auto may_change = [](const JaxprEqn& e) {
    return e.primitive->simplify != nullptr || e.primitive->kind == Kind::elementwise;
  };
  if (std::none_of(j->eqns.begin(), j->eqns.end(), may_change)) return j;
  const config::Scoped nans(config::Flag::debug_nans, false), infs(config::Flag::debug_infs, false);
  Simplifier s(*j);
  return s.run() ? s.result() : j;
}

}  // namespace cotan
