// Primitives that give their operand: copy, optimization_barrier.
#include "core/simplify.h"
#include "core/stablehlo_writer.h"
#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/emit.h"
#include "ops/structural.h"
#include "ops/structural_checks.h"

namespace cotan::ops {

namespace {

constexpr auto f32 = DType::float32;

void copy_emit(const EmitIn& in, kernel::Plan& plan) { emit_copy_all(plan, 0, 1, in.in[0].dtype, in.in[0].size()); }
void copy_avals(const AbstractIn& in, AvalVec& out) {
  check_dtype(in.primitive.name, any_dtype, in.in[0]);
  out.push_back(in.in[0]);
}
// Memory of its own is for what goes out: an argument is copied, a value of the program is not.
Simplified copy_simplify(const SimplifyIn& in) {
  if (in.producer(0)) return in.in[0];
  return {};
}
std::vector<Sample> copy_samples() { return {{{}, {{{2, 3}, f32}}}, {{}, {{{}, f32}}}, {{}, {{{0}, DType::int32}}}}; }

}  // namespace

constinit const Primitive copy_p{
    .name = "copy",
    .doc = "The operand, in memory of its own. Any dtype.",
    .kind = Kind::structural,
    .abstract_eval = copy_avals,
    .jvp = jvp_linear_in_first,
    .transpose = [](const TransposeIn& in, TangentVec& out) { out.push_back(in.cts[0]); },
    .batching = batch_elementwise,
    .simplify = copy_simplify,
    .emit = copy_emit,
    .stablehlo = [](const HloIn& in, HloWriter&, HloValues& results) { results.push_back(in.operands[0]); },
    .inplace_operand = 0,
    .samples = copy_samples};

constinit const Primitive optimization_barrier_p{
    .name = "optimization_barrier",
    .doc =
        "The operand, of which passes do not know that it is: what is computed from it is not merged with the same "
        "before.",
    .kind = Kind::structural,
    .abstract_eval = copy_avals,
    .jvp = jvp_linear_in_first,
    .transpose = [](const TransposeIn& in, TangentVec& out) { out.push_back(in.cts[0]); },
    .batching = batch_elementwise,
    .emit = copy_emit,
    .keeps_elements = [](const EqnContext&) { return true; },
    .stablehlo =
        [](const HloIn& in, HloWriter& w, HloValues& results) {
          results.push_back(w.unary("stablehlo.optimization_barrier", in.operands[0]));
        },
    .inplace_operand = 0,
    .samples = copy_samples};

Array copy(const Array& x) { return copy_p(x); }
Array optimization_barrier(const Array& x) { return optimization_barrier_p(x); }

void register_copying() {
  for (const Primitive* p : {&copy_p, &optimization_barrier_p}) register_primitive(*p);
}

}  // namespace cotan::ops
