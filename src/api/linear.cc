// jvp, vjp, linearize, linear_transpose.
#include "api/values.h"
#include "cotan/jvp.h"
#include "ops/common.h"

namespace cotan::api {
namespace {

[[noreturn]] void fail_tangent(const Aval& primal, const Aval& t, const std::string& where) {
  if (!(t.shape == primal.shape))
    throw ValueError("jvp called with different primal and tangent shapes: got primal shape " + primal.shape.str() +
                     " and tangent shape " + t.shape.str() + " (" + where + ")");
  throw TypeError(
      "primal and tangent arguments to jvp do not match: dtypes must be equal, or float0 for the tangent of an integer "
      "or bool; got "
      "primal dtype " +
      std::string(dtype_name(primal.dtype)) + " and so expected tangent dtype " +
      dtype_name(tangent_dtype(primal.dtype)) + ", but got tangent dtype " + dtype_name(t.dtype) + " (" + where + ")");
}

// A leaf of a tangent or cotangent; float0 ones are zeros without storage.
bool fits(const Aval& want, const Array& t) { return t.shape() == want.shape && t.dtype() == want.dtype; }
Tangent tangent_of(const Aval& want, const Array& t) {
  return want.dtype == DType::float0 ? Tangent::zero(want) : Tangent(t);
}

// The leaves of a tree that a user gave to a linear map.
void append_checked(const char* what, const TypeOps& ops, const void* tree, const std::vector<Aval>& want,
                    const char* root, Tangents& out) {
  check_given(ops, tree, root);
  const LeafPointers at(ops, tree);
  for (std::size_t i = 0; i < at.size(); ++i) {
    const Aval& w = want[out.size()];
    if (!fits(w, at[i]))
      throw ValueError(std::string(what) + ": got " + type_text(at[i].aval()) + ", but expected " + type_text(w) +
                       " (" + root + detail::paths_of(ops, tree)[i] + ")");
    out.push_back(tangent_of(w, at[i]));
  }
}

void check_structure(const char* what, const TypeOps& ops, const void* want, const void* got) {
  if (!tree::same_structure(ops, want, got))
    throw ValueError(std::string(what) + ": unexpected tree structure, " +
                     tree::describe_difference(ops, want, got, "tree") + " (what is expected, then what was given)");
}

// The pullback of a vjp, and the transpose of a linear function.
class PullbackFn final : public FnBase {
 public:
  PullbackFn(const char* what, std::string name, Linear linear, Value like, std::vector<Value> args,
             const TypeOps* const* cotangent, const TypeOps& result, detail::Assemble assemble)
      : FnBase(&result, cotangent, 1),
        what_(what),
        name_(std::move(name)),
        linear_(std::move(linear)),
        like_(std::move(like)),
        args_(std::move(args)),
        assemble_(assemble) {}
  bool identity(Key&) const override { return false; }
  std::string name() const override { return name_; }

  void call(Args a, void* out) override {
    check_structure(what_, param(0), like_.get(), a[0]);
    const std::vector<Aval>& want = linear_.out_avals();
    Tangents cotangents;
    append_checked(what_, param(0), a[0], want, "cotangent", cotangents);
    while (cotangents.size() < want.size()) cotangents.push_back(Tangent::zero(want[cotangents.size()]));  // of aux
    Arrays in = arrays_of(linear_.transpose(cotangents));
    std::vector<Value> trees;
    SmallVec<void*, 4> parts;
    std::size_t next = 0;
    for (const Value& like : args_) {
      trees.emplace_back(like.ops(), like.get());
      for (Array* leaf : trees.back().leaves()) *leaf = in[next++];
    }
    for (const Value& v : trees) parts.push_back(v.get());
    assemble_(nullptr, parts.data(), out);
  }

 private:
  const char* what_;
  std::string name_;
  Linear linear_;
  Value like_;  // of the structure that the cotangent must have
  std::vector<Value> args_;
  detail::Assemble assemble_;
};

// The linear map of a linearize.
class PushforwardFn final : public FnBase {
 public:
  PushforwardFn(std::string name, Linear linear, std::vector<Value> args, Value out_like, const TypeOps* const* params,
                int n)
      : FnBase(&out_like.ops(), params, n),
        name_(std::move(name)),
        linear_(std::move(linear)),
        args_(std::move(args)),
        out_like_(std::move(out_like)) {}
  bool identity(Key&) const override { return false; }
  std::string name() const override { return name_; }

  void call(Args a, void* out) override {
    const char* what = "linearized function called on tangent values inconsistent with the original primal values";
    Tangents tangents;
    for (int i = 0; i < param_count(); ++i) {
      check_structure(what, param(i), args_[static_cast<std::size_t>(i)].get(), a[i]);
      append_checked(what, param(i), a[i], linear_.in_avals(), ("tangent " + std::to_string(i)).c_str(), tangents);
    }
    Value r(result(), out_like_.get());
    r.set_leaves(arrays_of(linear_.apply(tangents)));
    r.copy_to(out);
  }

 private:
  std::string name_;
  Linear linear_;
  std::vector<Value> args_;
  Value out_like_;
};

std::vector<Value> copies(const FnBase& f, Args args, std::uint64_t argnums) {
  std::vector<Value> out;
  for (int i = 0; i < f.param_count(); ++i)
    if (chosen(argnums, i)) out.emplace_back(f.param(i), args[i]);
  return out;
}

}  // namespace
}  // namespace cotan::api

namespace cotan::detail {
using namespace api;

void run_jvp(FnBase& f, const ValuePart& part, Args primals, Args tangents, void* out, void* tangent_out) {
  const std::uint64_t argnums = all_dynamic(f);
  FlatCall flat(f, primals, argnums);
  Tangents in;
  for (int i = 0; i < f.param_count(); ++i) {
    if (!chosen(argnums, i)) continue;
    const std::string root = "argument " + std::to_string(i);
    if (!tree::same_structure(f.param(i), primals[i], tangents[i]))
      throw TypeError("primal and tangent arguments to jvp must have the same tree structure, got " +
                      tree::describe_difference(f.param(i), primals[i], tangents[i], root));
    check_given(f.param(i), tangents[i], "the tangent of " + root);
    for (Array* t : LeafPointers(f.param(i), tangents[i])) {
      const Aval& primal = flat.in()[in.size()].aval();
      const Aval want = tangent_aval(primal);
      if (!fits(want, *t)) fail_tangent(primal, t->aval(), flat.leaf_name(in.size()));
      in.push_back(tangent_of(want, *t));
    }
  }
  JvpResult r = flat_jvp(flat.fn(), flat.in(), in);
  const std::size_t values = LeafPointers(*part.ops, part.of(flat.result().get())).size();
  Arrays dy = api::arrays_of(r.tangents);
  for (std::size_t i = values; i < dy.size(); ++i) dy[i] = r.primals[i];  // of aux nobody asks for the tangent
  Value y(f.result(), flat.result(r.primals).get());
  flat.result(dy).copy_to(tangent_out);
  try {
    y.copy_to(out);
  } catch (...) {
    f.result().destroy(tangent_out);
    throw;
  }
}

FnRef run_vjp(FnBase& f, const ValuePart& part, Args args, void* out, const TypeOps* const* cotangent,
              const TypeOps& result, Assemble assemble) {
  const std::uint64_t argnums = all_dynamic(f);
  FlatCall flat(f, args, argnums);
  LinearizeResult r = flat_linearize(flat.fn(), flat.in());
  const Value& y = flat.result(r.primals);
  FnRef pullback(new PullbackFn("unexpected argument to a VJP function", f.name(), std::move(r.linear),
                                Value(*part.ops, part.of(y.get())), copies(f, args, argnums), cotangent, result,
                                assemble));
  y.copy_to(out);
  return pullback;
}

FnRef run_linearize(FnBase& f, Args args, void* out, const TypeOps* const* tangents, int count) {
  const std::uint64_t argnums = all_dynamic(f);
  FlatCall flat(f, args, argnums);
  LinearizeResult r = flat_linearize(flat.fn(), flat.in());
  const Value& y = flat.result(r.primals);
  FnRef pushforward(new PushforwardFn(f.name(), std::move(r.linear), copies(f, args, argnums),
                                      Value(f.result(), y.get()), tangents, count));
  y.copy_to(out);
  return pushforward;
}

FnRef run_linear_transpose(FnBase& f, Args args, const TypeOps* const* cotangent, const TypeOps& result,
                           Assemble assemble) {
  const std::uint64_t argnums = all_dynamic(f);
  FlatCall flat(f, args, argnums);
  Linear linear = flat_linear_jaxpr(flat.fn(), flat.in_avals());
  Value like(f.result(), flat.result(Arrays(LeafPointers(flat.result().leaves()).size())).get());
  return FnRef(new PullbackFn("cotangent type does not match the output of the linear function", f.name(),
                              std::move(linear), std::move(like), copies(f, args, argnums), cotangent, result,
                              assemble));
}

}  // namespace cotan::detail
