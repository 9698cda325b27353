// Functions of lists of Arrays made of Python callables.
#pragma once
#include "common.h"
#include "transforms/flat.h"

namespace cotan {
struct Jaxpr;
struct JaxprEqn;
}  // namespace cotan

namespace cotan::python {

FlatFn flat_function(nb::object);  // of a list, giving a list
nb::object aval_object(const Aval&);
nb::list list_of_avals(const std::vector<Aval>&);
nb::object equation_object(const Jaxpr&, const JaxprEqn&);  // (primitive's name, parameters, types of the operands)
Aval aval_from(nb::handle);                                 // of anything with shape and dtype, or a number

}  // namespace cotan::python
