#include "cotan/checkpoint.h"

#include <algorithm>

#include "api/values.h"
#include "control/checkpoint.h"
#include "ops/reduction.h"

namespace cotan::api {
namespace {

using Kind = cotan::CheckpointPolicy::Kind;

bool names_one(const cotan::CheckpointPolicy& p, const JaxprEqn& e) {
  const std::string* name = checkpoint_name_of(e);
  if (!name) return false;
  return (std::find(p.names.begin(), p.names.end(), *name) != p.names.end()) == (p.kind == Kind::these_names);
}

CheckpointPolicyRef policy_of(const cotan::CheckpointPolicy& p) {
  if (p.kind == Kind::nothing) return nullptr;
  return std::make_shared<SavePolicy>("policy", [p](const Jaxpr&, const JaxprEqn& e) {
    switch (p.kind) {
      case Kind::everything: return true;
      case Kind::dots: return ops::dot_dimensions_of(e) != nullptr;
      case Kind::dots_without_batch: {
        const auto* d = ops::dot_dimensions_of(e);
        return d && d->lhs_batch.empty();
      }
      default: return names_one(p, e);
    }
  });
}

class CheckpointFn final : public FnBase {
 public:
  CheckpointFn(const FnRef& f, const CheckpointOptions& o)
      : FnBase(&f->result(), f->params(), f->param_count()), f_(f), policy_(policy_of(o.policy)) {}
  bool identity(Key& k) const override {
    k.put("checkpoint", 10);
    return f_->identity(k) && !policy_;
  }
  std::string name() const override { return f_->name(); }
  void call(Args args, void* out) override {
    FlatCall flat(*f_, args, all_dynamic(*f_));
    const Arrays r = bind_checkpoint(flat.fn(), policy_, true, flat.in());
    flat.result(r).copy_to(out);
  }

 private:
  FnRef f_;
  CheckpointPolicyRef policy_;
};

}  // namespace
}  // namespace cotan::api

namespace cotan {

Array checkpoint_name(const Array& x, const std::string& name) {
  COTAN_API;
  return bind_checkpoint_name(x, name);
}

namespace detail {
FnRef make_checkpoint(const FnRef& f, const CheckpointOptions& o) { return FnRef(new api::CheckpointFn(f, o)); }
}  // namespace detail

}  // namespace cotan
