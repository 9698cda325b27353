// lower: a function as StableHLO, the language of XLA and of other compilers of array programs.
#pragma once
#include "cotan/jit.h"

namespace cotan {

// A traced function that is not compiled.
class Lowered {
 public:
  Lowered(ClosedJaxpr jaxpr, std::string name) : jaxpr_(std::move(jaxpr)), name_(std::move(name)) {}
  const ClosedJaxpr& jaxpr() const { return jaxpr_; }
  // A StableHLO module, as MLIR's generic form: its function @main takes and gives the leaves in order. Keys are their uint32 words,
  // in a last dimension. Constants are written out, whatever their size. NotImplementedError where the program calls functions of
  // this process, draws by rejection, or has a special function without a composition of StableHLO's operations.
  std::string as_text() const;

 private:
  ClosedJaxpr jaxpr_;
  std::string name_;
};

namespace detail {
Lowered run_lower(FnBase& f, const void* const* args);
struct LowerTransform {
  template <class R, class... D> auto operator()(const Fn<R(D...)>& f) const {
    return Inspect<Lowered, R(D...)>(f, &run_lower);
  }
};
}  // namespace detail

// lower(f)(args...): f for such arguments. Nothing is computed.
template <class F> auto lower(F f) { return detail::transform(std::move(f), detail::LowerTransform{}); }

}  // namespace cotan
