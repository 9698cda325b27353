#include "core/jaxpr_utils.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "core/params_ops.h"
#include "core/primitive.h"

namespace cotan {

std::vector<std::uint32_t> last_uses(const Jaxpr& j) {
  std::vector<std::uint32_t> last(j.vars.size(), never_used);
  for (std::size_t i = 0; i < j.eqns.size(); ++i)
    for (Atom a : j.inputs(j.eqns[i]))
      if (!a.is_literal()) last[a.var().id] = static_cast<std::uint32_t>(i);
  for (Atom a : j.outvars)
    if (!a.is_literal()) last[a.var().id] = static_cast<std::uint32_t>(j.eqns.size());
  return last;
}

std::vector<std::uint32_t> use_counts(const Jaxpr& j) {
  std::vector<std::uint32_t> n(j.vars.size(), 0);
  const auto count = [&](std::span<const Atom> atoms) {
    for (Atom a : atoms)
      if (!a.is_literal()) ++n[a.var().id];
  };
  for (const JaxprEqn& e : j.eqns) count(j.inputs(e));
  count(j.outvars);
  return n;
}

std::vector<Atom> identity_substitution(const Jaxpr& j) {
  std::vector<Atom> with;
  with.reserve(j.vars.size());
  for (std::uint32_t i = 0; i < j.vars.size(); ++i) with.push_back(Var{i});
  return with;
}

void substitute(Jaxpr& j, const std::vector<Atom>& with) {
  const auto replace = [&](Atom& a) {
    if (!a.is_literal()) a = with[a.var().id];
  };
  for (const JaxprEqn& e : j.eqns)
    for (std::uint32_t i = 0; i < e.inputs; ++i) replace(j.atoms[e.first + i]);
  for (Atom& a : j.outvars) replace(a);
}

namespace {

// Copies chosen parts of a program, numbering variables and literals anew.
class Pruner {
 public:
  explicit Pruner(const Jaxpr& from)
      : from_(from), var_(from.vars.size(), unset), literal_(from.literals.size(), unset) {}

  Var define(Var v) {
    const Var n = to->add_var(from_.aval(v));
    var_[v.id] = n.id;
    return n;
  }
  Atom use(Atom a) {
    if (!a.is_literal()) return Var{var_[a.var().id]};
    std::uint32_t& n = literal_[a.literal_index()];
    if (n == unset) n = to->add_literal(from_.literals[a.literal_index()]).literal_index();
    return Atom::literal(n);
  }
  // `reduced`: null, or what takes the equation's place.
  void copy(const JaxprEqn& e, const Reduced* reduced) {
    in_.clear();
    out_.clear();
    const auto in = from_.inputs(e), out = from_.outputs(e);
    for (std::size_t i = 0; i < in.size(); ++i)
      if (!reduced || reduced->used_operands[i]) in_.push_back(use(in[i]));
    for (std::size_t i = 0; i < out.size(); ++i)
      if (!reduced || reduced->results[i]) out_.push_back(define(out[i].var()));
    JaxprEqn& n = to->add_eqn(*e.primitive, reduced ? reduced->params : e.params, in_, out_);
    n.effects = e.effects;
    n.source = e.source;
    to->effects |= e.effects;
  }
  Ref<Jaxpr> to = make_ref<Jaxpr>();

 private:
  static constexpr std::uint32_t unset = ~0u;
  const Jaxpr& from_;
  std::vector<std::uint32_t> var_, literal_;
  std::vector<Atom> in_;
  std::vector<Var> out_;
};

}  // namespace

DceResult dce(const JaxprRef& jaxpr, const std::vector<bool>& used_outputs, DeadEffects effects) {
  const Jaxpr& j = *jaxpr;
  std::vector<bool> live(j.vars.size(), false), needed(j.eqns.size(), false);
  std::unordered_map<std::size_t, Reduced> reduced;  // by equation
  const auto use = [&](Atom a) {
    if (!a.is_literal()) live[a.var().id] = true;
  };
  for (std::size_t i = 0; i < j.outvars.size(); ++i)
    if (used_outputs[i]) use(j.outvars[i]);
  for (std::size_t i = j.eqns.size(); i-- > 0;) {
    const JaxprEqn& e = j.eqns[i];
    needed[i] = effects == DeadEffects::keep && e.effects != no_effects;
    for (Atom a : j.outputs(e)) needed[i] = needed[i] || live[a.var().id];
    if (!needed[i]) continue;
    const Reduced* less = nullptr;
    if (e.primitive->dce) {
      std::vector<bool> used;
      for (Atom a : j.outputs(e)) used.push_back(live[a.var().id]);
      if (std::find(used.begin(), used.end(), false) != used.end())
        less = &reduced.emplace(i, e.primitive->dce({*e.primitive, e.params}, used)).first->second;
    }
    const auto in = j.inputs(e);
    for (std::size_t k = 0; k < in.size(); ++k)
      if (!less || less->used_operands[k]) use(in[k]);
  }

  const auto all_true = [](const std::vector<bool>& v) { return std::find(v.begin(), v.end(), false) == v.end(); };
  const auto all_live = [&](const std::vector<Var>& v) {
    return std::all_of(v.begin(), v.end(), [&](Var x) { return live[x.id]; });
  };
  if (reduced.empty() && all_true(needed) && all_true(used_outputs) && all_live(j.constvars) && all_live(j.invars))
    return {jaxpr, std::vector<bool>(j.constvars.size(), true), std::vector<bool>(j.invars.size(), true)};

  Pruner p(j);
  DceResult r;
  const auto keep_used = [&](const std::vector<Var>& from, std::vector<Var>& to, std::vector<bool>& used) {
    for (Var v : from) {
      used.push_back(live[v.id]);
      if (live[v.id]) to.push_back(p.define(v));
    }
  };
  keep_used(j.constvars, p.to->constvars, r.used_consts);
  keep_used(j.invars, p.to->invars, r.used_inputs);
  for (std::size_t i = 0; i < j.eqns.size(); ++i)
    if (needed[i]) {
      const auto less = reduced.find(i);
      p.copy(j.eqns[i], less == reduced.end() ? nullptr : &less->second);
    }
  for (std::size_t i = 0; i < j.outvars.size(); ++i)
    if (used_outputs[i]) p.to->outvars.push_back(p.use(j.outvars[i]));
  r.jaxpr = std::move(p.to);
  return r;
}

void each_jaxpr(const JaxprEqn& e, const std::function<void(const ClosedJaxpr&)>& f) {
  if (!e.params) return;
  e.params->ops->jaxprs(*e.params, const_cast<void*>(static_cast<const void*>(&f)),
                        [](void* context, const ClosedJaxpr& j) {
                          (*static_cast<const std::function<void(const ClosedJaxpr&)>*>(context))(j);
                        });
}

namespace {

bool same_array(const Array& a, const Array& b) {
  if (a.node() == b.node()) return true;
  if (!a.has_value() || !b.has_value() || !is_concrete(a) || !is_concrete(b) || !(a.aval() == b.aval())) return false;
  return std::memcmp(bytes_of(a), bytes_of(b), static_cast<std::size_t>(a.size()) * item_size(a.dtype())) == 0;
}

// Walks two programs side by side; `match_` says which variable of the second stands for one of the first.
class Comparison {
 public:
  Comparison(const Jaxpr& a, const Jaxpr& b) : a_(a), b_(b), match_(a.vars.size(), unset) {}

  bool run() {
    if (a_.eqns.size() != b_.eqns.size() || a_.effects != b_.effects) return false;
    if (!define(a_.constvars, b_.constvars) || !define(a_.invars, b_.invars)) return false;
    for (std::size_t i = 0; i < a_.eqns.size(); ++i)
      if (!same_eqn(a_.eqns[i], b_.eqns[i])) return false;
    return same_atoms(a_.outvars, b_.outvars);
  }

 private:
  template <class A> bool define(const A& a, const A& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
      if (!define(Atom(a[i]).var(), Atom(b[i]).var())) return false;
    return true;
  }
  bool define(Var a, Var b) {
    match_[a.id] = b.id;
    return a_.aval(a) == b_.aval(b);
  }
  bool same_atoms(std::span<const Atom> a, std::span<const Atom> b) const {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (a[i].is_literal() != b[i].is_literal()) return false;
      if (a[i].is_literal()) {
        const Literal &x = a_.literals[a[i].literal_index()], &y = b_.literals[b[i].literal_index()];
        if (!(x.value == y.value) || x.weak_type != y.weak_type) return false;
      } else if (match_[a[i].var().id] != b[i].var().id) {
        return false;
      }
    }
    return true;
  }
  bool same_eqn(const JaxprEqn& a, const JaxprEqn& b) {
    return a.primitive == b.primitive && a.effects == b.effects && params_equal(a.params.get(), b.params.get()) &&
           same_atoms(a_.inputs(a), b_.inputs(b)) && define(a_.outputs(a), b_.outputs(b));
  }

  static constexpr std::uint32_t unset = ~0u;
  const Jaxpr &a_, &b_;
  std::vector<std::uint32_t> match_;
};

}  // namespace

bool same_jaxpr(const ClosedJaxpr& a, const ClosedJaxpr& b) {
  if (a.has_value() != b.has_value()) return false;
  if (!a.has_value()) return true;
  if (a.consts().size() != b.consts().size()) return false;
  for (std::size_t i = 0; i < a.consts().size(); ++i)
    if (!same_array(a.consts()[i], b.consts()[i])) return false;
  return &a.jaxpr() == &b.jaxpr() || Comparison(a.jaxpr(), b.jaxpr()).run();
}

}  // namespace cotan
