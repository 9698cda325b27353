// The parts of a primitive's record: kinds, dtype sets, rules and what they are given.
#pragma once
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "core/jaxpr.h"
#include "core/trace.h"

namespace cotan {

namespace kernel {
struct Plan;
}

enum class Kind : std::uint8_t {
  elementwise,  // one scalar rule, applied at every position
  reduction,    // over `axes`
  structural,   // moves elements
  contraction,  // products summed
  indexing,     // positions computed from values
  opaque,       // none of these
  call,         // holds jaxprs
};

// How an equation runs the programs that it holds. They have no constants: what they capture goes with the operands.
enum class RegionKind : std::uint8_t {
  call,        // the one program, with the operands as they stand
  branch,      // one of the programs: operand 0, an int32 scalar, chooses (clamped); the others are its operands
  while_loop,  // operands: constants of the condition, constants of the body, carries. Programs: condition, body
  scan,        // operands: constants, carries, rows. The program gives carries, then rows
};
struct Regions {
  RegionKind kind = RegionKind::call;
  SmallVec<const ClosedJaxpr*, 2> programs = {};
  int consts = 0;            // scan; of a while loop's body
  int condition_consts = 0;  // of a while loop
  int carries = 0;           // scan
  std::int64_t length = 0;   // scan: how many rows
  bool reverse = false;      // scan: the last row first
  bool has_rules = false;  // call: there are rules of the user's for its results, so that there can be no more of them
};

// Whether checkify looks for NaNs among the results.
enum class Nans : std::uint8_t {
  by_kind,  // made by elementwise operations, reductions and contractions
  made,
  kept,  // a NaN of a result was one of an operand
};

class DTypeSet {
 public:
  constexpr DTypeSet() = default;
  constexpr DTypeSet(std::initializer_list<DType> d) {
    for (DType x : d) bits_ |= bit(x);
  }
  constexpr bool contains(DType d) const { return bits_ & bit(d); }
  constexpr bool empty() const { return bits_ == 0; }
  friend constexpr DTypeSet operator|(DTypeSet a, DTypeSet b) {
    a.bits_ |= b.bits_;
    return a;
  }
  std::string str() const;  // "floating, complexfloating"

 private:
  static constexpr std::uint32_t bit(DType d) { return 1u << static_cast<int>(d); }
  std::uint32_t bits_ = 0;
};

// A rule, or the statement that there is none and why. Unset means forgotten.
template <class F> class Rule {
 public:
  constexpr Rule() = default;
  constexpr Rule(F* f) : fn_(f) {}
  template <class L>
  requires std::is_convertible_v<L, F*>
  constexpr Rule(L lambda) : fn_(lambda) {}
  struct Absence {
    const char* reason;
  };
  constexpr Rule(Absence a) : reason_(a.reason) {}
  constexpr bool is_set() const { return fn_ || reason_; }
  constexpr explicit operator bool() const { return fn_ != nullptr; }
  constexpr const char* reason() const { return reason_; }  // why there is none
  F* function() const { return fn_; }

 private:
  F* fn_ = nullptr;
  const char* reason_ = nullptr;
};
struct NoRule {
  const char* reason;
  template <class F> constexpr operator Rule<F>() const { return Rule<F>(typename Rule<F>::Absence{reason}); }
};

// What every rule gets: the equation.
struct EqnContext {
  const Primitive& primitive;
  const ParamsRef& params_ref;
  template <class P> const P& params() const { return params_as<P>(params_ref.get()); }
};
using AvalVec = SmallVec<Aval, 1>;
using TangentVec = SmallVec<Tangent, 2>;

struct AbstractIn : EqnContext {
  std::span<const Aval> in;
};
struct JvpIn : EqnContext {
  std::span<const Array> primals;
  std::span<const Tangent> tangents;
};
// One operand's share of the tangent of an elementwise operation: t times its partial derivative there.
struct JvpTermIn : EqnContext {
  std::span<const Array> x;
  const Array& out;
  const Array& t;
};
// An operand of a linear equation: its aval, and its value unless the equation is linear in it.
struct LinearOperand {
  Aval aval;
  Array value;
  bool is_linear() const { return !value.has_value(); }
};
struct TransposeIn : EqnContext {
  std::span<const Tangent> cts;
  std::span<const LinearOperand> args;
};
struct BatchIn : EqnContext {
  std::span<const Array> args;
  std::span<const int> dims;  // not_mapped for arguments shared by the whole batch
  std::int64_t axis_size;
  const std::string& axis_name;  // empty: unnamed
  std::uint64_t tag = 0;         // of the trace: see BatchTrace
};
inline constexpr int not_mapped = -1;
using DimVec = SmallVec<int, 2>;
struct EmitIn : EqnContext {
  std::span<const Aval> in, out;
};

using AbstractRule = void(const AbstractIn&, AvalVec& out);
using JvpRule = void(const JvpIn&, ArrayVec& primals_out, TangentVec& tangents_out);
using JvpTerm = Array(const JvpTermIn&);
// In linearize, `tangents` are those of the linear program; the rule computes residuals in the current trace.
using LinearizeRule = JvpRule;
// Appends one cotangent per operand (anything for operands that are not linear).
using TransposeRule = void(const TransposeIn&, TangentVec& out);
using BatchRule = void(const BatchIn&, ArrayVec& out, DimVec& out_dims);
// Appends the steps that compute the equation. The plan has a buffer per operand, then one per result.
using EmitRule = void(const EmitIn&, kernel::Plan&);
using EffectsRule = Effects(const EqnContext&);
using RegionsRule = Regions(const EqnContext&);
// Evaluates the equation on concrete Arrays with whatever the rule calls; no trace is current.
using RunRule = void(const EqnContext&, std::span<const Array> in, ArrayVec& out);
// What a trace that records puts in the place of the equation: other parameters, more operands.
struct Staged {
  ParamsRef params;
  ArrayVec operands;
};
using StageRule = Staged(const EqnContext&, std::span<const Array> in);
// The equation without what the used results do not need. `results`: those that it still has, the used ones among them.
struct Reduced {
  ParamsRef params = {};
  std::vector<bool> used_operands = {}, results = {};
};
using DceRule = Reduced(const EqnContext&, const std::vector<bool>& used_results);
// Arithmetic of one equation, in numbers of scalar operations.
struct Cost {
  double flops = 0, transcendentals = 0;  // transcendentals: exp, sqrt, sin, ..., which are no flops
};
using CostRule = Cost(const EmitIn&);
class SimplifyIn;  // core/simplify.h
struct Simplified;
using SimplifyRule = Simplified(const SimplifyIn&);
struct ChecksIn : EqnContext {
  std::span<const Array> in, out;
};
using ChecksRule = void(const ChecksIn&, std::vector<struct Check>&);
// Of a call: the same call of another program, which takes `consts` and then the operands; more results may come after its own.
using RecallRule = void(const EqnContext&, const ClosedJaxpr& program, std::span<const Array> consts,
                        std::span<const Array> in, ArrayVec& out);
using KeepsElementsRule = bool(const EqnContext&);
using NamesAxisRule = bool(const EqnContext&, const std::string& axis);

struct Interval {
  double low = -2, high = 2;
};
// An immediate for the tile operation, made from the parameters.
using TileAux = std::uint32_t(const EqnContext&);

// An example for the derived tests: parameters, operand types, and where the derivative may be compared with differences.
struct Sample {
  ParamsRef params;
  std::vector<Aval> in;
  Interval domain = {};
};
using SamplesRule = std::vector<Sample>();

}  // namespace cotan
