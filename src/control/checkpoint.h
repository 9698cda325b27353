// checkpoint: a call whose derivative computes values again instead of keeping them.
#pragma once
#include "control/programs.h"

namespace cotan {

extern const Primitive checkpoint_p, name_p;

// Says of an equation whether its results are kept for the backward pass.
struct SavePolicy final : Callable {
  std::function<bool(const Jaxpr&, const JaxprEqn&)> saves;
  SavePolicy(std::string n, decltype(saves) f) : Callable(std::move(n)), saves(std::move(f)) {}
};
using CheckpointPolicyRef = std::shared_ptr<const SavePolicy>;

// The function of the arguments; with no policy nothing but the arguments is kept.
Arrays bind_checkpoint(const FlatFn& f, const CheckpointPolicyRef&, bool prevent_cse, const Arrays& args);

// x under a name, which policies may ask for.
Array bind_checkpoint_name(const Array& x, const std::string& name);
const std::string* checkpoint_name_of(const JaxprEqn&);  // null: the equation names nothing

// What is kept when f is differentiated at the arguments: the values that its linear program takes, with where they come from.
struct SavedResidual {
  Aval aval;
  int argument = -1;    // it is that argument
  std::string name;     // of checkpoint_name
  std::string made_by;  // the primitive
  const void* source = nullptr;
};
std::vector<SavedResidual> saved_residuals(const FlatFn& f, const std::vector<Aval>& args);

}  // namespace cotan
