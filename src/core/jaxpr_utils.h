// Questions to programs, and small rewrites of them. All but same_jaxpr look at one program and not at those inside it; all
// take time linear in its size.
#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "core/jaxpr.h"

namespace cotan {

// Per variable: the last equation that uses it; the number of equations where it is an output; never_used where no one does.
inline constexpr std::uint32_t never_used = std::numeric_limits<std::uint32_t>::max();
std::vector<std::uint32_t> last_uses(const Jaxpr&);

// Per variable: how many operands and outputs it is.
std::vector<std::uint32_t> use_counts(const Jaxpr&);

// Replaces variables where they are used: variable v becomes with[v.id]. What is put in is not replaced again, and must be
// defined before the first use of v.
void substitute(Jaxpr&, const std::vector<Atom>& with);
// The replacement that changes nothing.
std::vector<Atom> identity_substitution(const Jaxpr&);

struct DceResult {
  JaxprRef jaxpr;  // with the used constants, inputs and outputs only
  std::vector<bool> used_consts, used_inputs;
};
enum class DeadEffects { keep, drop };
// Leaves out the equations that no used output needs. `keep`: equations with effects are needed too.
DceResult dce(const JaxprRef&, const std::vector<bool>& used_outputs, DeadEffects effects = DeadEffects::keep);

// The programs in the parameters of an equation, in the order of its fields.
void each_jaxpr(const JaxprEqn&, const std::function<void(const ClosedJaxpr&)>&);

// The same program up to the numbering of variables: primitives, parameters, types, literals and constants, the order of
// equations. Constants are compared by value where they are concrete. Equations' source positions do not count.
bool same_jaxpr(const ClosedJaxpr&, const ClosedJaxpr&);

// How deep programs may be nested where they are walked recursively.
inline constexpr int max_jaxpr_depth = 200;

}  // namespace cotan
