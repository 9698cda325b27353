#include "cotan/jacobian.h"

#include "api/dtype_checks.h"
#include "api/values.h"
#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/structural.h"

namespace cotan::api {
namespace {

Shape joined(const Shape& a, const Shape& b) {
  Shape s = a;
  for (std::int64_t n : b) s.push_back(n);
  return s;
}

std::int64_t total_size(const std::vector<Aval>& avals) {
  std::int64_t n = 0;
  for (const Aval& a : avals) n += a.size();
  return n;
}

// The standard basis of the space of such leaves: vector i of the whole is row i of every leaf.
Arrays standard_basis(const std::vector<Aval>& avals) {
  const std::int64_t total = total_size(avals);
  std::int64_t offset = 0;
  Arrays out;
  for (const Aval& a : avals) {
    const Shape matrix{total, a.size()};
    const Array column = ops::iota(int32, matrix, 1);
    const Array ones =
        ops::eq(ops::iota(int32, matrix, 0), ops::add(column, ops::full({matrix, int32}, static_cast<double>(offset))));
    out.push_back(ops::reshape(ops::convert_element_type(ones, a.dtype), joined({total}, a.shape)));
    offset += a.size();
  }
  return out;
}

struct Jacobian {
  Arrays primals;  // of the whole result
  Arrays blocks;   // for each leaf of the value, for each leaf of the arguments
};

class JacobianFn final : public FnBase {
 public:
  JacobianFn(const FnRef& f, bool forward, const detail::ValuePart& part, std::uint64_t argnums,
             const JacobianOptions& o, const TypeOps& out, detail::AssembleJacobian assemble)
      : FnBase(&out, f->params(), f->param_count()),
        f_(f),
        forward_(forward),
        part_(part),
        argnums_(argnums),
        options_(o),
        assemble_(assemble) {}

  bool identity(Key& k) const override {
    k.put("jacobian", 8);
    k.put(forward_);
    k.put(argnums_);
    k.put(options_);
    k.put(assemble_);
    return f_->identity(k);
  }
  std::string name() const override { return f_->name(); }

  void call(Args args, void* out) override {
    FlatCall flat(*f_, args, argnums_);
    Jacobian j = forward_ ? forward(flat) : reverse(flat);
    assemble_(flat.result(j.primals).get(), args, j.blocks, out);
  }

 private:
  std::size_t value_leaves(FlatCall& flat) const {
    return LeafPointers(*part_.ops, part_.of(flat.result().get())).size();
  }

  Jacobian forward(FlatCall& flat) const {
    const std::vector<Aval> in = flat.in_avals();
    for (std::size_t i = 0; i < in.size(); ++i)
      if (options_.holomorphic || !is_floating(in[i].dtype))
        check_forward_input("jacfwd", in[i], flat.leaf_name(i), options_.holomorphic);
    std::vector<Aval> tangents;  // of the function's results
    const FlatFn push = [&](const Arrays& basis) {
      Tangents along;
      for (const Array& b : basis) along.push_back(b);
      JvpResult r = flat_jvp(flat.fn(), flat.in(), along);
      tangents.clear();
      for (const Tangent& t : r.tangents) {
        tangents.push_back(t.aval());
        if (t.aval().dtype != DType::float0) r.primals.push_back(t.is_zero() ? ops::zeros_of(t.aval()) : t.value());
      }
      return std::move(r.primals);
    };
    const std::int64_t n = total_size(in);
    std::vector<BatchedOutput> got = flat_vmap(push, standard_basis(in), std::vector<int>(in.size(), 0), n, "");
    Jacobian j;
    for (std::size_t k = 0; k < tangents.size(); ++k) j.primals.push_back(unbatched(got[k]));
    std::size_t next = tangents.size();
    const std::size_t values = value_leaves(flat);
    for (std::size_t k = 0; k < values; ++k) {
      const Aval y = j.primals[k].aval();
      check_forward_output("jacfwd", y, options_.holomorphic);
      const bool flat_everywhere = tangents[k].dtype == DType::float0;  // of integers: zeros of their own dtype
      const Array columns =
          flat_everywhere ? ops::full({joined(y.shape, {n}), y.dtype}, 0) : with_batch_axis(got[next++], y.ndim(), n);
      std::int64_t offset = 0;
      for (const Aval& x : in) {
        const Array part = ops::slice_in_dim(columns, offset, offset + x.size(), 1, y.ndim());
        j.blocks.push_back(ops::reshape(part, joined(y.shape, x.shape)));
        offset += x.size();
      }
    }
    return j;
  }

  // A value that no basis vector reaches; if one does, any example is the value.
  static Array unbatched(const BatchedOutput& b) {
    if (b.axis == no_axis) return b.value;
    return ops::squeeze(ops::slice_in_dim(b.value, 0, 1, 1, b.axis), {b.axis});
  }

  Jacobian reverse(FlatCall& flat) const {
    const std::vector<Aval> in = flat.in_avals();
    for (std::size_t i = 0; i < in.size(); ++i)
      if (options_.holomorphic || !is_inexact(in[i].dtype))
        check_reverse_input("jacrev", in[i], flat.leaf_name(i), options_.holomorphic, options_.allow_int);
    LinearizeResult r = flat_linearize(flat.fn(), flat.in());
    std::vector<Aval> out;
    const std::size_t values = value_leaves(flat);
    for (std::size_t k = 0; k < values; ++k) {
      out.push_back(r.primals[k].aval());
      check_reverse_output("jacrev", out.back(), options_.holomorphic);
    }
    const FlatFn pull = [&](const Arrays& basis) {
      Tangents cotangents;
      for (const Array& b : basis) cotangents.push_back(b);
      for (std::size_t k = values; k < r.primals.size(); ++k)
        cotangents.push_back(Tangent::zero_of(r.primals[k].aval()));
      Arrays gradients;
      for (const Tangent& t : r.linear.transpose(cotangents))
        if (t.aval().dtype != DType::float0) gradients.push_back(t.is_zero() ? ops::zeros_of(t.aval()) : t.value());
      return gradients;
    };
    const std::int64_t n = total_size(out);
    const std::vector<BatchedOutput> got = flat_vmap(pull, standard_basis(out), std::vector<int>(out.size(), 0), n, "");
    Arrays rows;  // per leaf of the arguments; empty where its dtype is float0
    std::size_t next = 0;
    for (const Aval& x : in) rows.push_back(is_inexact(x.dtype) ? with_batch_axis(got[next++], 0, n) : Array());
    Jacobian j;
    std::int64_t offset = 0;
    for (const Aval& y : out) {
      for (std::size_t i = 0; i < in.size(); ++i) j.blocks.push_back(block_of(rows[i], y, in[i], offset));
      offset += y.size();
    }
    j.primals = std::move(r.primals);
    return j;
  }
  static Array block_of(const Array& rows, const Aval& y, const Aval& x, std::int64_t offset) {
    const Shape shape = joined(y.shape, x.shape);
    if (!rows.has_value()) return arrays_of(Tangents{Tangent::zero({shape, DType::float0})})[0];
    return ops::reshape(ops::slice_in_dim(rows, offset, offset + y.size(), 1, 0), shape);
  }

  FnRef f_;
  bool forward_;
  detail::ValuePart part_;
  std::uint64_t argnums_;
  JacobianOptions options_;
  detail::AssembleJacobian assemble_;
};

}  // namespace
}  // namespace cotan::api

namespace cotan::detail {

FnRef make_jacobian(const FnRef& f, bool forward, const ValuePart& part, std::uint64_t argnums,
                    const JacobianOptions& o, const TypeOps& out, AssembleJacobian assemble) {
  return FnRef(new api::JacobianFn(f, forward, part, argnums, o, out, assemble));
}

}  // namespace cotan::detail
