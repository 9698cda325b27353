// Primitive: a record of everything the system knows about one operation. Adding one touches its definition, a line in
// ops/op_list.h and no other place. Its kind supplies defaults; what a kind does not supply must be said, and the registry
// refuses a record with a gap.
#pragma once
#include <atomic>
#include <span>
#include <string>
#include <vector>

#include "core/rules.h"
#include "core/stablehlo_rule.h"

namespace cotan {

struct Primitive {
  const char* name;
  const char* doc;
  Kind kind = Kind::opaque;
  int operands = 1;                       // -1: any number
  int results = 1;                        // -1: as abstract_eval says
  DTypeSet dtypes = {};                   // accepted, where the default abstract_eval is used
  Interval domain = {};                   // of operands, where the default samples are used
  const ParamsOps* params = nullptr;      // null: none
  AbstractRule* abstract_eval = nullptr;  // elementwise: by default shapes and dtypes as the operands'
  Rule<JvpRule> jvp = {};
  JvpTerm* jvp_terms[4] = {};          // elementwise: instead of jvp; null: no derivative there
  LinearizeRule* linearize = nullptr;  // by default from jvp
  Rule<TransposeRule> transpose = {};
  Rule<BatchRule> batching = {};
  EffectsRule* effects = nullptr;    // by default none
  RegionsRule* regions = nullptr;    // how it runs the programs that it holds
  RunRule* run = nullptr;            // evaluation that calls users' functions; with emit: outside of programs only
  StageRule* stage = nullptr;        // by default recorded as it stands
  DceRule* dce = nullptr;            // by default all of it is needed if one result is
  SimplifyRule* simplify = nullptr;  // of one result: something cheaper with the same bits (core/simplify.h)
  RecallRule* recall = nullptr;      // calls
  ChecksRule* checks = nullptr;      // what checkify tests beside NaNs
  Nans nans = Nans::by_kind;
  // Whether the equation may depend on the batch of that axis (empty: an unnamed one) otherwise than by its operands: it uses the
  // named axis, or runs a user's function, which may capture what it likes.
  NamesAxisRule* names_axis = nullptr;
  const char* tile = nullptr;  // elementwise: the tile operation that computes it
  TileAux* tile_aux = nullptr;
  int tile_key = 0;                             // the operand whose dtype selects the tile function
  EmitRule* emit = nullptr;                     // others: the steps that compute it
  KeepsElementsRule* keeps_elements = nullptr;  // whether a result as large as the operand is its elements in order
  HloRule stablehlo = {};                       // by default the programs that it holds, as `regions` says
  int inplace_operand = -1;                     // its buffer may become the result's
  CostRule* cost = nullptr;                     // by default as the kind's
  SamplesRule* samples = nullptr;               // elementwise: by default from dtypes
  mutable std::atomic<const void*> tile_cache = nullptr;  // array/'s: what `tile` names

  // Applies the operation: evaluates it, or hands it to the current trace.
  void bind(const ParamsRef& params, std::span<const Array> in, ArrayVec& out) const;
  Array bind1(const ParamsRef& params, std::span<const Array> in) const;  // of one result
  Array operator()(const Array& a) const { return bind1({}, {&a, 1}); }
  Array operator()(const Array& a, const Array& b) const {
    const Array in[] = {a, b};
    return bind1({}, in);
  }
  Array operator()(const Array& a, const Array& b, const Array& c) const {
    const Array in[] = {a, b, c};
    return bind1({}, in);
  }
};

// Kinds of absence.
inline constexpr NoRule zero_derivative{"zero derivative"};
inline constexpr NoRule not_linear{"not linear"};
constexpr NoRule not_differentiable(const char* reason) { return {reason}; }

// Checks and shapes that elementwise abstract_evals share. Scalars go with every shape, sizes of 1 with every size.
Shape elementwise_shape(const char* name, std::span<const Aval> in);
void check_same_dtypes(const char* name, std::span<const Aval> in);
void check_dtype(const char* name, DTypeSet accepted, const Aval&);

// The program that the equation calls with its operands as they stand; null: it is no call.
const ClosedJaxpr* called_program(const Primitive&, const ParamsRef&);

// Output types of an equation: abstract_eval, with its checks.
void infer(const Primitive&, const ParamsRef&, std::span<const Aval> in, AvalVec& out);

// --- registry: filled once, from ops/op_list.h and control/, before anything is bound -------------------------------
void register_primitive(const Primitive&);                 // aborts, saying what is missing, if the record has a gap
const Primitive* find_primitive(const std::string& name);  // null: none
std::vector<const Primitive*> all_primitives();            // by name

// --- the evaluation hook: the only way to values, installed by array/ -------------------------------------------------
struct ConcreteNode : detail::Node {
  const void* data = nullptr;  // elements, row-major; complex interleaved; keys as words; null: deleted
  virtual ~ConcreteNode();
};
struct EvaluationHook {
  void (*evaluate)(const Primitive&, const ParamsRef&, std::span<const Array> in, ArrayVec& out);
  Array (*from_bytes)(const Aval&, const void* bytes);  // copies
};
void install_evaluation_hook(const EvaluationHook&);
const EvaluationHook& evaluation_hook();
[[noreturn]] void fail_deleted_array(const Aval&);
// RuntimeError for an array that was donated.
inline const void* bytes_of(const Array& concrete) {
  const void* data = static_cast<const ConcreteNode*>(concrete.node())->data;
  if (!data) [[unlikely]]
    fail_deleted_array(concrete.aval());
  return data;
}

}  // namespace cotan
