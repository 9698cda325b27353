// jit: a call of a jaxpr, as one equation.
#pragma once
#include <functional>
#include <string>

#include "core/primitive.h"
#include "transforms/flat.h"

namespace cotan {

extern const Primitive jit_p;
void register_control();
// Whether a program that the equation holds uses the named axis.
bool regions_name_axis(const EqnContext&, const std::string& axis);

// Runs the traced program as one compiled unit (or stages it, or transforms it, as the current trace says).
Arrays bind_jit(const std::string& name, const ClosedJaxpr& jaxpr, const Arrays& args);

// A library function that JAX defines under jit: traces that record get one jit equation named `name`, with a jaxpr cached
// by `key` and the avals; every other trace runs the body.
Arrays named_jit(const char* name, const FlatFn& body, const Arrays& args, std::uint64_t static_key = 0);
void clear_named_jit();  // forgets the jaxprs of named_jit

}  // namespace cotan
