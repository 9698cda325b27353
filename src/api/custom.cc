// custom_jvp and custom_vjp over pytrees.
#include "cotan/custom.h"

#include <memory>
#include <mutex>

#include "api/values.h"
#include "control/custom.h"
#include "ops/common.h"

namespace cotan::api {
namespace {

Value call_with(FnBase& f, const std::vector<const void*>& args) {
  return called_with(f, args, "the result of a rule: result");
}
void append(std::vector<const void*>& to, const std::vector<Value>& values) {
  for (const Value& v : values) to.push_back(v.get());
}

// An Array for a leaf of a tangent; those of integers have dtype float0.
Array leaf_of(const Tangent& t) { return t.is_zero() ? ops::zeros_of(t.aval()) : t.value(); }
Tangent tangent_for(const char* what, const Aval& primal, const Array& t) {
  const Aval want = tangent_aval(primal);
  if (want.dtype == DType::float0) return Tangent::zero(want);
  if (t.shape() != want.shape || t.dtype() != want.dtype)
    throw TypeError(std::string(what) + ": expected " + type_text(want) + ", got " + type_text(t.aval()));
  return Tangent(t);
}

Value without_leaves(const TypeOps& ops, const void* value) {
  Value v(ops, value);
  for (Array* a : v.leaves()) *a = Array();
  return v;
}

// One call of a function with rules: what its functions share, which may run after the call.
struct CustomCall {
  FnRef f, first_rule, second_rule;
  detail::PairParts parts;  // of what the first rule returns
  ArgumentTemplate like;
  std::mutex mutex;
  std::vector<Value> result;  // the first one, for its structure

  CustomCall(const FnRef& fn, const FnRef& first, const FnRef& second, const detail::PairParts& p, Args args)
      : f(fn), first_rule(first), second_rule(second), parts(p), like(*fn, args) {}

  Arrays call(const Arrays& leaves) {
    const std::vector<Value> xs = like.with(leaves);
    std::vector<const void*> args;
    append(args, xs);
    const Value out = call_with(*f, args);
    keep(out.ops(), out.get());
    return arrays_of(out.leaves());
  }
  void keep(const TypeOps& ops, const void* value) {
    Value copy = without_leaves(ops, value);
    const std::lock_guard lock(mutex);
    if (result.empty()) result.push_back(std::move(copy));
  }
  void copy_result(const Arrays& leaves, void* out) const {
    result.at(0).copy_to(out);
    LeafPointers at(f->result(), out);
    for (std::size_t i = 0; i < at.size(); ++i) at[i] = leaves.at(i);
  }
};
using CustomCallRef = std::shared_ptr<CustomCall>;

JvpResult run_jvp_rule(CustomCall& c, const Arrays& primals, const Tangents& tangents) {
  Arrays ts;
  for (const Tangent& t : tangents) ts.push_back(leaf_of(t));
  const std::vector<Value> xs = c.like.with(primals), dxs = c.like.with(ts);
  std::vector<const void*> both;
  append(both, xs), append(both, dxs);
  const Value got = call_with(*c.first_rule, both);
  const void *value = c.parts.first_of(got.get()), *tangent = c.parts.second_of(got.get());
  if (!tree::same_structure(*c.parts.first, value, tangent))
    throw TypeError("custom_jvp: the rule must return a result and a tangent of one structure, but they differ: " +
                    tree::describe_difference(*c.parts.first, value, tangent, "result"));
  c.keep(*c.parts.first, value);
  JvpResult r;
  r.primals = arrays_of(LeafPointers(*c.parts.first, value));
  const Arrays out = arrays_of(LeafPointers(*c.parts.second, tangent));
  for (std::size_t i = 0; i < out.size(); ++i)
    r.tangents.push_back(tangent_for("custom_jvp: a tangent that the rule returned", r.primals[i].aval(), out[i]));
  return r;
}

Value with(const Value& like, const Arrays& leaves) {
  Value v(like.ops(), like.get());
  v.set_leaves(leaves);
  return v;
}

Tangents run_backward_rule(const CustomCall& c, const Value& residuals, const Value& ct,
                           const std::vector<Aval>& primals) {
  const Value got = call_with(*c.second_rule, {residuals.get(), ct.get()});
  const Arrays out = arrays_of(got.leaves());
  if (out.size() != primals.size())
    throw TypeError("custom_vjp: the backward rule returned " + std::to_string(out.size()) +
                    " leaves, the arguments have " + std::to_string(primals.size()));
  Tangents ts;
  for (std::size_t i = 0; i < out.size(); ++i)
    ts.push_back(tangent_for("custom_vjp: a cotangent that the backward rule returned", primals[i], out[i]));
  return ts;
}

ForwardResult run_forward_rule(const CustomCallRef& c, const Arrays& primals) {
  const std::vector<Value> xs = c->like.with(primals);
  std::vector<const void*> args;
  append(args, xs);
  const Value got = call_with(*c->first_rule, args);
  const void *value = c->parts.first_of(got.get()), *residuals = c->parts.second_of(got.get());
  c->keep(*c->parts.first, value);
  const auto result_like = std::make_shared<const Value>(without_leaves(*c->parts.first, value)),
             residuals_like = std::make_shared<const Value>(without_leaves(*c->parts.second, residuals));
  return {arrays_of(LeafPointers(*c->parts.first, value)), arrays_of(LeafPointers(*c->parts.second, residuals)),
          [c, result_like, residuals_like, avals = avals_of(primals)](const Arrays& r, const Tangents& cotangents) {
            Arrays cts;
            for (const Tangent& t : cotangents) cts.push_back(leaf_of(t));
            return run_backward_rule(*c, with(*residuals_like, r), with(*result_like, cts), avals);
          }};
}

class CustomFn final : public FnBase {
 public:
  CustomFn(const FnRef& f, const FnRef& first, const FnRef& second, const detail::PairParts& parts, bool is_vjp)
      : FnBase(&f->result(), f->params(), f->param_count()),
        f_(f),
        first_(first),
        second_(second),
        parts_(parts),
        is_vjp_(is_vjp) {}

  bool identity(Key& k) const override {
    k.put(is_vjp_ ? "custom_vjp" : "custom_jvp", 10);
    const bool all[] = {f_->identity(k), first_->identity(k), second_->identity(k)};
    return all[0] && all[1] && all[2];
  }
  std::string name() const override { return f_->name(); }

  void call(Args args, void* out) override {
    check_args_given(*f_, args);
    LeafPointers at;
    for (int i = 0; i < param_count(); ++i) at.add(param(i), args[i]);
    const Arrays in = arrays_of(at);
    const auto c = std::make_shared<CustomCall>(f_, first_, second_, parts_, args);
    c->copy_result(is_vjp_ ? bind_vjp(c, in) : bind_jvp(c, in), out);
  }

 private:
  static FlatFn function(const CustomCallRef& c) {
    return [c](const Arrays& x) { return c->call(x); };
  }
  Arrays bind_jvp(const CustomCallRef& c, const Arrays& in) const {
    CustomJvpRule rule;
    rule.name = first_->name();
    rule.jvp = [c](const Arrays& x, const Tangents& t) { return run_jvp_rule(*c, x, t); };
    return bind_custom_jvp(name(), function(c), std::move(rule), in);
  }
  Arrays bind_vjp(const CustomCallRef& c, const Arrays& in) const {
    CustomVjpRule rule;
    rule.forward_name = first_->name();
    rule.backward_name = second_->name();
    rule.forward = [c](const Arrays& x, const Bits&) { return run_forward_rule(c, x); };
    return bind_custom_vjp(name(), function(c), std::move(rule), in);
  }

  FnRef f_, first_, second_;
  detail::PairParts parts_;
  bool is_vjp_;
};

}  // namespace
}  // namespace cotan::api

namespace cotan::detail {

FnRef make_custom_jvp(const FnRef& f, const FnRef& rule, const PairParts& p) {
  return FnRef(new api::CustomFn(f, rule, rule, p, false));
}
FnRef make_custom_vjp(const FnRef& f, const FnRef& forward, const FnRef& backward, const PairParts& p) {
  return FnRef(new api::CustomFn(f, forward, backward, p, true));
}

}  // namespace cotan::detail
