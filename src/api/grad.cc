#include "cotan/grad.h"

#include "api/dtype_checks.h"
#include "api/values.h"
#include "ops/common.h"

namespace cotan::api {
namespace {

class GradFn final : public FnBase {
 public:
  GradFn(const FnRef& f, std::uint64_t argnums, const GradOptions& o, const TypeOps& out, detail::Assemble assemble)
      : FnBase(&out, f->params(), f->param_count()), f_(f), argnums_(argnums), options_(o), assemble_(assemble) {}

  bool identity(Key& k) const override {
    k.put("grad", 4);
    k.put(argnums_);
    k.put(options_.holomorphic.on);
    k.put(options_.allow_int.on);
    k.put(assemble_);  // tells grad from value_and_grad and has_aux
    return f_->identity(k);
  }
  std::string name() const override { return f_->name(); }

  void call(Args args, void* out) override {
    FlatCall flat(*f_, args, argnums_);
    for (std::size_t i = 0; i < flat.in().size(); ++i) {
      const Aval& a = flat.in()[i].aval();
      if (options_.holomorphic || !is_inexact(a.dtype))
        check_reverse_input("grad", a, flat.leaf_name(i), options_.holomorphic, options_.allow_int);
    }
    LinearizeResult r = flat_linearize(flat.fn(), flat.in());
    const Aval& loss = r.primals.at(0).aval();
    if (loss.ndim() != 0)
      throw TypeError("Gradient only defined for scalar-output functions. Output had shape: " + loss.shape.str() + ".");
    check_reverse_output("grad", loss, options_.holomorphic);
    Tangents cotangents{Tangent(ops::full(loss, 1))};
    for (std::size_t i = 1; i < r.primals.size(); ++i) cotangents.push_back(Tangent::zero_of(r.primals[i].aval()));
    std::vector<Value> trees = with_leaves(*f_, args, argnums_, arrays_of(r.linear.transpose(cotangents)));
    SmallVec<void*, 4> parts;
    for (const Value& v : trees) parts.push_back(v.get());
    assemble_(flat.result(r.primals).get(), parts.data(), out);
  }

 private:
  FnRef f_;
  std::uint64_t argnums_;
  GradOptions options_;
  detail::Assemble assemble_;
};

}  // namespace
}  // namespace cotan::api

namespace cotan::detail {

FnRef make_grad(const FnRef& f, std::uint64_t argnums, const GradOptions& o, const TypeOps& out, Assemble assemble) {
  return FnRef(new api::GradFn(f, argnums, o, out, assemble));
}

}  // namespace cotan::detail
