// eval_jaxpr: runs a jaxpr equation by equation in the current trace.
#include "core/interpret.h"

#include "base/user_location.h"
#include "core/jaxpr_utils.h"
#include "core/primitive.h"

namespace cotan {

Array literal_array(const Literal& l) {
  Array a = evaluation_hook().from_bytes(l.aval(), l.value.bytes);
  a.node()->plain_number = true;
  return a;
}

namespace {
void check_args(const Jaxpr& j, std::span<const Array> args) {
  if (args.size() != j.invars.size())
    throw TypeError("eval_jaxpr: the program takes " + std::to_string(j.invars.size()) + " arguments, got " +
                    std::to_string(args.size()));
  for (std::size_t i = 0; i < args.size(); ++i) {
    const Aval &want = j.aval(j.invars[i]), &got = args[i].aval();
    if (got.shape != want.shape || got.dtype != want.dtype)
      throw TypeError("eval_jaxpr: argument " + std::to_string(i) + " is " + got.str() + ", the program takes " +
                      want.str());
  }
}
}  // namespace

void interpret(const Jaxpr& j, std::span<const Array> consts, std::span<const Array> args, ArrayVec& results) {
  std::vector<Array> env(j.vars.size());
  const std::vector<std::uint32_t> last = last_uses(j);
  for (std::size_t i = 0; i < consts.size(); ++i) env[j.constvars[i].id] = consts[i];
  for (std::size_t i = 0; i < args.size(); ++i) env[j.invars[i].id] = args[i];
  auto read = [&](Atom a) { return a.is_literal() ? literal_array(j.literals[a.literal_index()]) : env[a.var().id]; };
  ArrayVec in, out;
  for (std::uint32_t k = 0; k < j.eqns.size(); ++k) {
    const JaxprEqn& e = j.eqns[k];
    in.clear();
    out.clear();
    for (Atom a : j.inputs(e)) in.push_back(read(a));
    for (Atom a : j.inputs(e))
      if (!a.is_literal() && last[a.var().id] == k) env[a.var().id] = Array();
    const AtPosition at(e.source);
    e.primitive->bind(e.params, in, out);
    auto vars = j.outputs(e);
    for (std::size_t i = 0; i < vars.size(); ++i)
      if (last[vars[i].var().id] != never_used) env[vars[i].var().id] = std::move(out[i]);
  }
  for (Atom a : j.outvars) results.push_back(read(a));
}

std::vector<Array> eval_jaxpr(const ClosedJaxpr& c, const std::vector<Array>& args) {
  check_args(c.jaxpr(), args);
  ArrayVec out;
  interpret(c.jaxpr(), c.consts(), args, out);
  return {out.begin(), out.end()};
}

}  // namespace cotan
