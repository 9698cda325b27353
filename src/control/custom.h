// Functions with derivative rules of their own: custom_jvp and custom_vjp.
#pragma once
#include "control/programs.h"

namespace cotan {

extern const Primitive custom_jvp_call_p, custom_vjp_call_p, custom_lin_p;

// What users give, as functions of lists. A rule runs in the trace that differentiates; it may capture what it likes.
struct CustomJvpRule {
  // The results and their tangents. Tangents are arrays unless the rule takes symbolic zeros.
  std::function<JvpResult(const Arrays& primals, const Tangents& tangents)> jvp;
  bool symbolic_zeros = false;
  std::string name = "jvp";
};
// Cotangents of the primals; those of the results are arrays unless the rule takes symbolic zeros.
using BackwardRule = std::function<Tangents(const Arrays& residuals, const Tangents& cotangents)>;
struct ForwardResult {
  Arrays results, residuals;
  BackwardRule backward;  // that takes these residuals
};
struct CustomVjpRule {
  std::function<ForwardResult(const Arrays& primals, const Bits& perturbed)> forward;
  bool symbolic_zeros = false;
  std::string forward_name = "fwd", backward_name = "bwd";
};

// The function of the arguments; what differentiates it uses the rule. `name`: as printed.
Arrays bind_custom_jvp(const std::string& name, const FlatFn& f, CustomJvpRule rule, const Arrays& args);
Arrays bind_custom_vjp(const std::string& name, const FlatFn& f, CustomVjpRule rule, const Arrays& args);

}  // namespace cotan
