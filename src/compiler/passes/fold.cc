#include "compiler/passes/fold.h"

#include <unordered_map>

#include "core/interpret.h"
#include "core/jaxpr_utils.h"
#include "core/primitive.h"
#include "cotan/config.h"

namespace cotan {

namespace {

constexpr std::int64_t max_bytes = 1024;

class Folder {
 public:
  explicit Folder(const Jaxpr& j) : j_(j), equation_(j.vars.size(), none) {}

  // The program with scalars replaced; null: there was nothing to replace.
  Ref<Jaxpr> run() {
    Ref<Jaxpr> out;
    std::vector<Atom> with;
    for (std::uint32_t k = 0; k < j_.eqns.size(); ++k) {
      if (!is_constant(j_.eqns[k])) continue;
      for (Atom a : j_.outputs(j_.eqns[k])) equation_[a.var().id] = k;
      for (Atom a : j_.outputs(j_.eqns[k])) {
        const Aval& type = j_.aval(a.var());
        if (type.ndim() != 0 || type.dtype == DType::float0) continue;
        if (!out) out = make_ref<Jaxpr>(j_), with = identity_substitution(j_);
        const Array value = evaluate(a.var());
        with[a.var().id] = out->add_literal({HostScalar::load(type.dtype, bytes_of(value)), type.weak_type});
      }
    }
    if (out) substitute(*out, with);
    return out;
  }

 private:
  static constexpr std::uint32_t none = ~0u;
  static std::int64_t bytes(const Aval& a) { return a.size() * static_cast<std::int64_t>(item_size(a.dtype)); }

  bool is_constant(const JaxprEqn& e) const {
    const Primitive& p = *e.primitive;
    if (e.effects != no_effects || p.run || p.regions || !(p.tile || p.emit)) return false;
    for (Atom a : j_.inputs(e))
      if (!a.is_literal() && equation_[a.var().id] == none) return false;
    for (Atom a : j_.outputs(e))
      if (bytes(j_.aval(a)) > max_bytes) return false;
    return true;
  }

  // Its equation is computed when a scalar needs it, after those that it needs: on a stack of its own, as chains may be long.
  Array evaluate(Var v) {
    std::vector<std::uint32_t> open{equation_[v.id]};
    while (!open.empty()) {
      const JaxprEqn& e = j_.eqns[open.back()];
      bool ready = true;
      for (Atom a : j_.inputs(e))
        if (!a.is_literal() && !values_.contains(a.var().id)) ready = false, open.push_back(equation_[a.var().id]);
      if (!ready) continue;
      open.pop_back();
      compute(e);
    }
    return values_.at(v.id);
  }

  void compute(const JaxprEqn& e) {
    if (e.outputs > 0 && values_.contains(j_.outputs(e)[0].var().id)) return;
    ArrayVec in, out;
    for (Atom a : j_.inputs(e))
      in.push_back(a.is_literal() ? literal_array(j_.literals[a.literal_index()]) : values_.at(a.var().id));
    evaluation_hook().evaluate(*e.primitive, e.params, in, out);
    for (std::uint32_t i = 0; i < e.outputs; ++i) values_[j_.outputs(e)[i].var().id] = out[i];
  }

  const Jaxpr& j_;
  std::vector<std::uint32_t> equation_;  // by variable: the constant equation that gives it
  std::unordered_map<std::uint32_t, Array> values_;
};

}  // namespace

JaxprRef fold_constants(const JaxprRef& j) {
  // A NaN among constants is an error where the program makes it, not where it is compiled.
  const config::Scoped nans(config::Flag::debug_nans, false), infs(config::Flag::debug_infs, false);
  const Ref<Jaxpr> out = Folder(*j).run();
  return out ? JaxprRef(out.get()) : j;
}

}  // namespace cotan
