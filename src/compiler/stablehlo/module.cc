#include "compiler/stablehlo/module.h"

#include "compiler/stablehlo/functions.h"

namespace cotan {

std::string stablehlo_module(const ClosedJaxpr& program, const std::string& name) {
  stablehlo::Functions functions;
  const std::string main = functions.function("public", "main", program);
  return "module @jit_" + hlo_symbol(name) + " {\n" + main + functions.private_ones() + "}\n";
}

}  // namespace cotan
