// What transformations make of a program: its jvp, its linear part, its transpose, its batched form. Rules of the primitives
// that hold programs are made of these. Each is made once and hangs on the program.
#pragma once
#include <memory>
#include <string>

#include "core/primitive.h"
#include "transforms/flat.h"

namespace cotan {

using Bits = std::vector<bool>;

std::vector<Aval> avals_of(std::span<const Array>);
std::vector<Aval> in_avals(const Jaxpr&);
std::vector<Aval> out_avals(const Jaxpr&);
Arrays list(const ArrayVec&);
Bits nonzero(std::span<const Tangent>);
std::size_t count(const Bits&);
// Runs a program without constants in the current trace.
Arrays run(const Jaxpr&, const Arrays& args);

// What rules of programs have in common: the operands that a derived program takes, and the results that it gives.
void append_values(std::span<const Tangent>, ArrayVec& to);  // of those that are not zero
// `tangents`: those of the results that `there` marks; the others are zero.
void put_results(std::span<const Array> values, std::span<const Array> tangents, const Bits& there,
                 ArrayVec& primals_out, TangentVec& tangents_out);
struct TransposeOperands {
  Bits linear, has_ct;
  ArrayVec values;  // of the operands that are not linear, then of the cotangents that are not zero
};
TransposeOperands transpose_operands(std::span<const LinearOperand> args, std::span<const Tangent> cts);
void put_cotangents(std::span<const LinearOperand> args, std::span<const Array> cts, const Bits& there,
                    TangentVec& out);

// A program whose constants have become its first inputs, and those constants.
struct Hoisted {
  ClosedJaxpr program;
  Arrays consts;
  bool reusable() const;  // false: a constant is a tracer, of this use only
};
Hoisted hoist(const ClosedJaxpr&);
ClosedJaxpr hoist_constants(const ClosedJaxpr&);
ClosedJaxpr without_constants(const ClosedJaxpr&);  // the same, made once

// A function of the user's as a parameter, until a trace records it: then its program is one.
CallableRef flat_function(std::string name, FlatFn);
const FlatFn& flat_function_of(const CallableRef&);
// Records a function: the operands become the program's constants, whose number is returned, and the arguments.
int record(const FlatFn&, ClosedJaxpr* program, std::span<const Array> args, ArrayVec* operands);

// A call's operands as its program has them: a derivative may be weakly typed where the program's input is not, or the other way.
Staged stage_typed(const EqnContext&, std::span<const Array> in);

// The type of an array, as a parameter.
struct ArrayType {
  DType dtype = DType::float0;
  Shape shape = {};
  template <class S, class V> static void fields(S& s, V& v) { v("dtype", s.dtype), v("shape", s.shape); }
};

// The program with other inputs: `order[i]` is the old place of new input i, or -1 for one of type `types[i]` that is not used.
ClosedJaxpr with_inputs(const Jaxpr&, const std::vector<int>& order, std::span<const Aval> types = {});
template <class T> std::vector<T> chosen(const std::vector<T>& from, const Bits& which) {
  std::vector<T> out;
  for (std::size_t i = 0; i < from.size(); ++i)
    if (which[i]) out.push_back(from[i]);
  return out;
}
constexpr auto tangents_of_results = [](const auto& made) { return made.out_tangent; };
Bits batched_results(const struct BatchProgram&);
// Places in a list of which only those marked in `have` are there, of those marked in `want`; -1 where one is not there.
std::vector<int> places(const Bits& have, const Bits& want);

// Primals, then the tangents that are not zero -> outputs, then the tangents that are not zero, and those that `instantiate`
// marks (empty: none).
struct JvpProgram : Hoisted {
  Bits out_tangent;
};
std::shared_ptr<const JvpProgram> jvp_program(const Jaxpr&, const Bits& has_tangent, const Bits& instantiate = {});

// Where a residual comes from: an operand of the program, or a value that the forward program gives after its outputs.
struct LinearProgram {
  Hoisted forward;                    // primals -> outputs, residuals that are no operands
  Hoisted linear;                     // residuals, tangents that are not zero -> tangents of the outputs that have one
  std::vector<int> residual_operand;  // per residual: the operand that it is; -1: the forward program gives it
  Bits out_tangent;
  bool reusable() const { return forward.reusable() && linear.reusable(); }
};
std::shared_ptr<const LinearProgram> linear_program(const Jaxpr&, const Bits& has_tangent,
                                                    const Bits& instantiate = {});

// Values of the operands that are not linear, cotangents that are not zero -> cotangents of the linear operands that have one.
struct TransposeProgram : Hoisted {
  Bits out_ct;  // per operand
};
std::shared_ptr<const TransposeProgram> transpose_program(const Jaxpr&, const Bits& linear, const Bits& has_ct,
                                                          const Bits& instantiate = {});

// Operands with batch axes at `dims` -> results with theirs at `out_dims`, at the front where `batched` says they must have one.
struct BatchProgram : Hoisted {
  DimVec out_dims;
};
std::shared_ptr<const BatchProgram> batch_program(const Jaxpr&, std::span<const int> dims, std::int64_t size,
                                                  const std::string& name, const Bits& batched = {});

}  // namespace cotan
