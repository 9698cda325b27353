#include "cotan/ravel.h"

#include "api/values.h"
#include "base/promotion.h"
#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/structural.h"

namespace cotan::api {
namespace {

DType common_dtype(const LeafPointers& at) {
  std::vector<LatticeType> types;
  for (Array* a : at) types.push_back({a->dtype(), a->weak_type()});
  return types.empty() ? float32 : promote_types(types).dtype;
}

class UnravelFn final : public FnBase {
 public:
  UnravelFn(const TypeOps& ops, const void* like, const TypeOps* const* vector)
      : FnBase(&ops, vector, 1), like_(ops, like) {
    const LeafPointers at = like_.leaves();
    dtype_ = common_dtype(at);
    for (Array* a : at) {
      avals_.push_back(a->aval());
      size_ += a->size();
    }
    like_.set_leaves(Arrays(avals_.size()));
  }
  bool identity(Key&) const override { return false; }
  std::string name() const override { return "unravel"; }

  void call(Args args, void* out) override {
    check_args_given(*this, args);
    const Array& x = *static_cast<const Array*>(args[0]);
    if (!(x.shape() == Shape{size_}))
      throw ValueError("tree::ravel: the unravel function got an array of shape " + x.shape().str() +
                       ", but expected " + Shape{size_}.str());
    if (x.dtype() != dtype_)
      throw TypeError("tree::ravel: the unravel function got an array of dtype " + std::string(dtype_name(x.dtype())) +
                      ", but expected " + dtype_name(dtype_));
    Arrays leaves;
    std::int64_t offset = 0;
    for (const Aval& a : avals_) {
      const Array part = ops::reshape(ops::slice_in_dim(x, offset, offset + a.size(), 1, 0), a.shape);
      leaves.push_back(ops::convert_element_type(part, a.dtype));
      offset += a.size();
    }
    Value v(result(), like_.get());
    v.set_leaves(leaves);
    v.copy_to(out);
  }

 private:
  Value like_;
  std::vector<Aval> avals_;
  DType dtype_;
  std::int64_t size_ = 0;
};

}  // namespace
}  // namespace cotan::api

namespace cotan::detail {
using namespace api;

Array run_ravel(const TypeOps& type, const void* t) {
  check_given(type, t, "tree::ravel: tree");
  const LeafPointers at(type, t);
  const DType dtype = common_dtype(at);
  Arrays parts;
  for (Array* a : at) parts.push_back(ops::convert_element_type(ops::reshape(*a, Shape{a->size()}), dtype));
  return parts.empty() ? ops::zeros_of({Shape{0}, dtype}) : ops::concatenate(parts, 0);
}

FnRef make_unravel(const TypeOps& ops, const void* t, const TypeOps* const* vector) {
  return FnRef(new UnravelFn(ops, t, vector));
}

}  // namespace cotan::detail
