// make_jaxpr, eval_shape, lower, abstract arrays.
#include "api/values.h"
#include "base/promotion.h"
#include "compiler/stablehlo/module.h"
#include "core/trace.h"
#include "cotan/lower.h"

namespace cotan {
namespace {

// Abstract arrays are values of a trace that has no operations.
class AbstractTrace final : public Trace {
 public:
  void process(const Primitive&, const ParamsRef&, std::span<const Array>, ArrayVec&) override {}
  const char* kind_name() const override { return "abstract array"; }
  const char* misuse() const override {
    return "an abstract array has no elements: it can only be an argument of eval_shape, make_jaxpr and "
           "linear_transpose.";
  }
};

Array abstract(const Aval& a) {
  static const Ref<Trace> trace = [] {
    Ref<Trace> t(new AbstractTrace);
    t->alive = false;
    return t;
  }();
  return Array(new Tracer(detail::NodeKind::other, trace.get(), a));
}

}  // namespace

Array abstract_array(const Shape& s, DType d) {
  for (std::int64_t n : s)
    if (n < 0) throw ValueError("abstract_array: dimensions must not be negative, got shape " + s.str());
  return abstract({s, canonical_dtype(d), false});
}

std::string Lowered::as_text() const { return stablehlo_module(jaxpr_, name_); }

namespace detail {
using namespace api;

Lowered run_lower(FnBase& f, Args args) { return {run_make_jaxpr(f, args), f.name()}; }

ClosedJaxpr run_make_jaxpr(FnBase& f, Args args) {
  FlatCall flat(f, args, all_dynamic(f));
  return flat_make_jaxpr(flat.fn(), flat.in_avals());
}

void run_eval_shape(FnBase& f, Args args, void* out) {
  FlatCall flat(f, args, all_dynamic(f));
  const ClosedJaxpr jaxpr = flat_make_jaxpr(flat.fn(), flat.in_avals());
  Arrays leaves;
  for (const Aval& a : jaxpr.out_avals()) leaves.push_back(abstract(a));
  flat.result(leaves).copy_to(out);
}

}  // namespace detail
}  // namespace cotan
