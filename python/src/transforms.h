// Functions of lists of Arrays made of Python callables.
#pragma once
#include "base/user_location.h"
#include "common.h"
#include "transforms/flat.h"

namespace cotan {
struct Jaxpr;
struct JaxprEqn;
}  // namespace cotan

namespace cotan::python {

// A call of a function of the user's: an error in it has its own line.
template <class... A> nb::object call(nb::handle f, const A&... args) {
  const AtPosition outside(AtPosition::outside());
  PyObject* given[] = {nb::handle(args).ptr()...};
  PyObject* result = call_python([&] { return PyObject_Vectorcall(f.ptr(), given, sizeof...(A), nullptr); });
  if (!result) throw nb::python_error();
  return nb::steal(result);
}
FlatFn flat_function(nb::object);  // of a list, giving a list
nb::object aval_object(const Aval&);
nb::list list_of_avals(const std::vector<Aval>&);
nb::object equation_object(const Jaxpr&, const JaxprEqn&);  // (primitive's name, parameters, types of the operands)
Aval aval_from(nb::handle);                                 // of anything with shape and dtype, or a number

}  // namespace cotan::python
