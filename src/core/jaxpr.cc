#include "core/jaxpr.h"

#include "core/jaxpr_utils.h"

namespace cotan {

Executable::~Executable() = default;

Jaxpr::Jaxpr(const Jaxpr& o)
    : RefCounted(o),
      vars(o.vars),
      literals(o.literals),
      atoms(o.atoms),
      eqns(o.eqns),
      constvars(o.constvars),
      invars(o.invars),
      outvars(o.outvars),
      effects(o.effects) {}

Jaxpr::~Jaxpr() = default;

JaxprEqn& Jaxpr::add_eqn(const Primitive& p, ParamsRef params, std::span<const Atom> in, std::span<const Var> out) {
  const auto first = static_cast<std::uint32_t>(atoms.size());
  // `in` may lie in this jaxpr's own atoms, which move when they grow.
  const bool own = in.data() >= atoms.data() && in.data() < atoms.data() + atoms.size();
  const std::size_t from = own ? static_cast<std::size_t>(in.data() - atoms.data()) : 0;
  for (std::size_t i = 0; i < in.size(); ++i) atoms.push_back(own ? Atom(atoms[from + i]) : in[i]);
  for (Var v : out) atoms.push_back(v);
  eqns.push_back(
      {&p, std::move(params), first, static_cast<std::uint32_t>(in.size()), static_cast<std::uint32_t>(out.size())});
  return eqns.back();
}

JaxprRef share(const ClosedJaxpr& c) { return JaxprRef(c.has_value() ? &c.jaxpr() : nullptr); }

ClosedJaxpr close_jaxpr(JaxprRef jaxpr, std::vector<Array> consts) {
  if (jaxpr->constvars.size() != consts.size()) {
    throw ValueError("close_jaxpr: the program has " + std::to_string(jaxpr->constvars.size()) + " constants, got " +
                     std::to_string(consts.size()) + " values");
  }
  return ClosedJaxpr(jaxpr.release(), std::move(consts));
}

namespace detail {
void fail_empty_jaxpr() { throw ValueError("a ClosedJaxpr that was never given a value, or was moved from, was used"); }
}  // namespace detail

ClosedJaxpr::ClosedJaxpr(const Jaxpr* jaxpr, std::vector<Array> consts) : jaxpr_(jaxpr), consts_(std::move(consts)) {}
ClosedJaxpr::ClosedJaxpr(const ClosedJaxpr& o) : jaxpr_(o.jaxpr_), consts_(o.consts_) {
  if (jaxpr_) jaxpr_->add_ref();
}
ClosedJaxpr::ClosedJaxpr(ClosedJaxpr&& o) noexcept
    : jaxpr_(std::exchange(o.jaxpr_, nullptr)), consts_(std::move(o.consts_)) {}
ClosedJaxpr& ClosedJaxpr::operator=(ClosedJaxpr o) noexcept {
  std::swap(jaxpr_, o.jaxpr_);
  consts_.swap(o.consts_);
  return *this;
}
ClosedJaxpr::~ClosedJaxpr() {
  if (jaxpr_) jaxpr_->drop_ref();
}

std::vector<Aval> ClosedJaxpr::in_avals() const {
  std::vector<Aval> a;
  a.reserve(jaxpr().invars.size());
  for (Var v : jaxpr().invars) a.push_back(jaxpr().aval(v));
  return a;
}

std::vector<Aval> ClosedJaxpr::out_avals() const {
  std::vector<Aval> a;
  a.reserve(jaxpr().outvars.size());
  for (Atom v : jaxpr().outvars) a.push_back(jaxpr().aval(v));
  return a;
}

}  // namespace cotan
