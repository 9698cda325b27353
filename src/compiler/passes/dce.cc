#include "compiler/passes/dce.h"

#include "core/jaxpr_utils.h"

namespace cotan {

namespace {
// The variables of those that were used, with new ones between them.
void restore(const Jaxpr& from, const std::vector<Var>& all, const std::vector<bool>& used, Jaxpr& to,
             std::vector<Var>& left) {
  std::vector<Var> restored;
  std::size_t next = 0;
  for (std::size_t i = 0; i < all.size(); ++i)
    restored.push_back(used[i] ? left[next++] : to.add_var(from.aval(all[i])));
  left = std::move(restored);
}
}  // namespace

JaxprRef drop_dead(const JaxprRef& j) {
  const DceResult d = dce(j, std::vector<bool>(j->outvars.size(), true));
  if (d.jaxpr->invars.size() == j->invars.size() && d.jaxpr->constvars.size() == j->constvars.size()) return d.jaxpr;
  const Ref<Jaxpr> out = make_ref<Jaxpr>(*d.jaxpr);
  restore(*j, j->constvars, d.used_consts, *out, out->constvars);
  restore(*j, j->invars, d.used_inputs, *out, out->invars);
  return JaxprRef(out.get());
}

}  // namespace cotan
