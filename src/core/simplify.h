// What a primitive's `simplify` rule sees and says. A rule may only give what has the same type and the same bits for every value of
// the operands: NaN, infinities, signed zeros and integers that wrap included.
#pragma once
#include <optional>
#include <vector>

#include "core/primitive.h"

namespace cotan {

// What takes the place of an equation of one result: nothing better, a value that is there already, or another equation.
struct Simplified {
  Simplified() = default;
  Simplified(Atom a) : same(a) {}
  Simplified(const Primitive& p, ParamsRef r, std::initializer_list<Atom> operands)
      : primitive(&p), params(std::move(r)), in(operands) {}

  std::optional<Atom> same;
  const Primitive* primitive = nullptr;
  ParamsRef params;
  SmallVec<Atom, 3> in;
};

// The equation that repeats a scalar to a shape: the operations install it with their primitives.
using Repeat = Simplified (*)(Atom scalar, const Shape&);
void install_repeat(Repeat);
Repeat repeated_scalar();

// Where values of a program come from, as far as rules ask.
struct Origins {
  static constexpr std::uint32_t none = ~0u;
  std::vector<std::uint32_t> equation;  // by variable: the one that gives it; none for inputs
  std::vector<std::uint32_t> repeated;  // by variable: the literal that all its elements are; none: not known
};

// An equation of a program. Its operands may be literals.
class SimplifyIn : public EqnContext {
 public:
  SimplifyIn(const EqnContext& c, Jaxpr& j, const Origins& o, std::span<const Atom> operands, const Aval& result)
      : EqnContext(c), in(operands), out(result), jaxpr_(j), origins_(o) {}

  const std::span<const Atom> in;
  const Aval& out;  // the result's

  Aval aval(Atom a) const { return jaxpr_.aval(a); }
  // What all elements of the operand are, where that is known.
  const HostScalar* value(std::size_t operand) const {
    const Atom a = in[operand];
    const std::uint32_t l = a.is_literal() ? a.literal_index() : origins_.repeated[a.var().id];
    return l == Origins::none ? nullptr : &jaxpr_.literals[l].value;
  }
  // The equation that gives the operand; null: it is an input or a literal.
  const JaxprEqn* producer(std::size_t operand) const {
    const Atom a = in[operand];
    const std::uint32_t k = a.is_literal() ? Origins::none : origins_.equation[a.var().id];
    return k == Origins::none ? nullptr : &jaxpr_.eqns[k];
  }
  // The same if it is an equation of p.
  const JaxprEqn* producer(std::size_t operand, const Primitive& p) const {
    const JaxprEqn* e = producer(operand);
    return e && e->primitive == &p ? e : nullptr;
  }
  // An operand of another equation.
  Atom operand_of(const JaxprEqn& e, std::size_t i = 0) const { return jaxpr_.inputs(e)[i]; }
  Atom literal(const HostScalar& v, bool weak_type) const { return jaxpr_.add_literal({v, weak_type}); }

 private:
  Jaxpr& jaxpr_;
  const Origins& origins_;
};

}  // namespace cotan
