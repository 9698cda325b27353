// Checks derived from a primitive's record. Each gives what is wrong, or nothing; tests/ops runs them over the registry, and
// tests/mutation over records with one rule broken, where some check must fail.
#pragma once
#include <string>
#include <vector>

#include "derived/values.h"

namespace cotan::derived {

struct Case {
  const Primitive* primitive;
  ParamsRef params;
  std::vector<Aval> in;
  Interval domain;

  std::string str() const;
  Interval domain_of(std::size_t operand) const;
  Arrays operands() const;            // inside the domain
  Arrays apply(const Arrays&) const;  // in the current trace
  FlatFn function() const;
  std::vector<Aval> out_avals() const;
};
std::vector<Case> cases_of(const Primitive&);  // its samples, or those that its dtypes give

// Results have the avals of abstract_eval; the equation's plan over poisoned buffers, and a jit call, give the bits of eager
// evaluation, special values included.
std::string check_evaluation(const Case&);
std::string check_text(const Case&);            // type check; print -> parse -> equal
std::string check_jvp(const Case&);             // against central differences; one operand at a time and together
std::string check_transpose(const Case&);       // <ct, jvp(t)> = <vjp(ct), t>; linear operands by linear_transpose
std::string check_second_order(const Case&);    // jvp of vjp against differences of vjp
std::string check_batching(const Case&);        // vmap = loop
std::string check_declarations(const Case&);    // zero derivative, not differentiable, not linear
std::string check_linearity(const Primitive&);  // linear in an operand at every sample: has a transpose rule
std::string check_values(const Primitive&);     // golden values from NumPy (tests/golden/op_values*.txt)

// The primitive's name as a test may have it: without '-'.
std::string test_name(const Primitive&);

// The inputs of that file: every sample, and special values.
std::string golden_inputs();

// All of them; the first failure, with the case.
std::string check_primitive(const Primitive&);

}  // namespace cotan::derived
