// Jaxpr: a typed functional program as plain data. Variables are numbers; nothing in it points to anything else in it, so
// that programs of a million equations are copied, walked and destroyed by loops.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "base/host_scalar.h"
#include "core/params.h"
#include "cotan/jaxpr.h"

namespace cotan {

struct Primitive;

struct Var {  // an index into Jaxpr::vars
  std::uint32_t id;
  friend bool operator==(Var, Var) = default;
};

struct Literal {  // a 0-d constant inside the program
  HostScalar value;
  bool weak_type = false;
  Aval aval() const { return {Shape(), value.dtype, weak_type}; }
};

// An operand: a variable or a literal.
class Atom {
 public:
  Atom(Var v) : bits_(v.id) {}
  static Atom literal(std::uint32_t index) {
    Atom a(Var{index});
    a.bits_ |= literal_bit;
    return a;
  }
  bool is_literal() const { return bits_ & literal_bit; }
  Var var() const { return Var{bits_}; }
  std::uint32_t literal_index() const { return bits_ & ~literal_bit; }
  friend bool operator==(Atom, Atom) = default;

 private:
  static constexpr std::uint32_t literal_bit = 1u << 31;
  std::uint32_t bits_;
};

using Effects = std::uint32_t;  // a set of bits; none of this layer's business which
inline constexpr Effects no_effects = 0;

struct JaxprEqn {
  const Primitive* primitive;
  ParamsRef params;
  std::uint32_t first;  // into Jaxpr::atoms: inputs, then outputs
  std::uint32_t inputs, outputs;
  Effects effects = no_effects;
  const void* source = nullptr;  // return address of the user's call, or null
};

// An executable belongs to its jaxpr; what it is, only the layer that makes it knows.
struct Executable {
  virtual ~Executable();
};

// What transformations have made of a program (its jvp, its transpose, ...), by key: each is made once. Bounded; the oldest
// goes first.
class DerivedPrograms {
 public:
  using Item = std::shared_ptr<const void>;
  // The item for the key, made by `make` outside the lock if there is none. Two threads may both make one. An item that says
  // it is not reusable() is not kept.
  template <class T, class F> std::shared_ptr<const T> get(const std::string& key, F make) {
    if (Item i = find(key)) return std::static_pointer_cast<const T>(i);
    auto made = std::make_shared<const T>(make());
    if constexpr (requires { made->reusable(); })
      if (!made->reusable()) return made;
    add(key, made);
    return made;
  }

 private:
  static constexpr std::size_t capacity = 64;
  Item find(const std::string& key);
  void add(const std::string& key, Item);
  std::mutex mutex_;
  std::vector<std::pair<std::string, Item>> items_;
};

struct Jaxpr : RefCounted {
  std::vector<Aval> vars;
  std::vector<Literal> literals;
  std::vector<Atom> atoms;  // operands and results of all equations
  std::vector<JaxprEqn> eqns;
  std::vector<Var> constvars, invars;
  std::vector<Atom> outvars;
  Effects effects = no_effects;
  mutable std::atomic<std::shared_ptr<Executable>> executable;
  mutable DerivedPrograms derived;

  Jaxpr() = default;
  Jaxpr(const Jaxpr&);  // without the executable
  ~Jaxpr() override;

  const Aval& aval(Var v) const { return vars[v.id]; }
  Aval aval(Atom a) const { return a.is_literal() ? literals[a.literal_index()].aval() : vars[a.var().id]; }
  std::span<const Atom> inputs(const JaxprEqn& e) const { return {atoms.data() + e.first, e.inputs}; }
  std::span<const Atom> outputs(const JaxprEqn& e) const { return {atoms.data() + e.first + e.inputs, e.outputs}; }

  Var add_var(Aval a) {
    vars.push_back(std::move(a));
    return Var{static_cast<std::uint32_t>(vars.size() - 1)};
  }
  Atom add_literal(Literal l) {
    literals.push_back(std::move(l));
    return Atom::literal(static_cast<std::uint32_t>(literals.size() - 1));
  }
  JaxprEqn& add_eqn(const Primitive& p, ParamsRef params, std::span<const Atom> in, std::span<const Var> out);
};
using JaxprRef = Ref<const Jaxpr>;

JaxprRef share(const ClosedJaxpr&);  // its jaxpr, counted
ClosedJaxpr close_jaxpr(JaxprRef, std::vector<Array> consts = {});

}  // namespace cotan
