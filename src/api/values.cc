#include "api/values.h"

#include <new>

#include "base/user_location.h"
#include "ops/common.h"

namespace cotan::api {

Value::Value(const TypeOps& ops) : ops_(&ops), p_(::operator new(ops.size, std::align_val_t(ops.align))) {}
Value::Value(const TypeOps& ops, const void* from) : Value(ops) {
  ops.copy(from, p_);
  live_ = true;
}
Value::Value(Value&& o) noexcept
    : ops_(o.ops_), p_(std::exchange(o.p_, nullptr)), live_(std::exchange(o.live_, false)) {}
Value::~Value() {
  if (live_) ops_->destroy(p_);
  if (p_) ::operator delete(p_, std::align_val_t(ops_->align));
}
void Value::set_leaves(const Arrays& v) const {
  LeafPointers at = leaves();
  for (std::size_t i = 0; i < at.size(); ++i) at[i] = v[i];
}

Arrays arrays_of(const LeafPointers& at) {
  Arrays out;
  out.reserve(at.size());
  for (Array* a : at) out.push_back(*a);
  return out;
}

std::uint64_t all_dynamic(const FnBase& f) {
  std::uint64_t bits = 0;
  for (int i = 0; i < f.param_count(); ++i) bits |= std::uint64_t{f.param(i).dynamic} << i;
  return bits;
}

FlatCall::FlatCall(FnBase& f, Args args, std::uint64_t argnums) : f_(f), args_(args), argnums_(argnums) {
  check_args_given(f, args);
  LeafPointers at;
  for (int i = 0; i < f.param_count(); ++i)
    if (chosen(argnums, i)) at.add(f.param(i), args[i]);
  in_ = arrays_of(at);
}

std::vector<Aval> FlatCall::in_avals() const {
  std::vector<Aval> out;
  for (const Array& a : in_) out.push_back(a.aval());
  return out;
}

Arrays FlatCall::operator()(const Arrays& in) {
  std::vector<Value> copies = with_leaves(f_, args_, argnums_, in);
  SmallVec<const void*, 8> args;
  std::size_t next = 0;
  for (int i = 0; i < f_.param_count(); ++i) args.push_back(chosen(argnums_, i) ? copies[next++].get() : args_[i]);
  result_.clear();
  Value r(f_.result());
  const AtPosition outside(AtPosition::outside());
  f_.call(args.data(), r.get());
  r.made();
  result_.push_back(std::move(r));
  check_given(f_.result(), result().get(), "the result of the function: result");
  return arrays_of(result().leaves());
}

Value& FlatCall::result(const Arrays& leaves) {
  result().set_leaves(leaves);
  return result();
}

std::string FlatCall::leaf_name(std::size_t n) const {
  for (int i = 0; i < f_.param_count(); ++i) {
    if (!chosen(argnums_, i)) continue;
    const auto paths = detail::paths_of(f_.param(i), args_[i]);
    if (n < paths.size()) return "argument " + std::to_string(i) + paths[n];
    n -= paths.size();
  }
  return "argument";
}

std::vector<Value> with_leaves(const FnBase& f, Args args, std::uint64_t argnums, const Arrays& leaves) {
  std::vector<Value> out;
  std::size_t next = 0;
  for (int i = 0; i < f.param_count(); ++i) {
    if (!chosen(argnums, i)) continue;
    out.emplace_back(f.param(i), args[i]);
    for (Array* a : out.back().leaves()) *a = leaves[next++];
  }
  return out;
}

ArgumentTemplate::ArgumentTemplate(const FnBase& f, Args args) {
  for (int i = 0; i < f.param_count(); ++i) values_.emplace_back(f.param(i), args[i]);
  for (const Value& v : values_)
    for (Array* a : v.leaves()) *a = Array();
}

std::vector<Value> ArgumentTemplate::with(std::span<const Array> leaves) const {
  std::vector<Value> out;
  std::size_t next = 0;
  for (const Value& v : values_) {
    out.emplace_back(v.ops(), v.get());
    for (Array* a : out.back().leaves()) *a = leaves[next++];
  }
  return out;
}

Value called_with(FnBase& f, const std::vector<const void*>& args, const char* root) {
  const AtPosition outside(AtPosition::outside());  // an error in f has its own line
  Value out(f.result());
  f.call(args.data(), out.get());
  out.made();
  check_given(f.result(), out.get(), root);
  return out;
}

void check_given(const TypeOps& ops, const void* tree, const std::string& root) {
  const LeafPointers at(ops, tree);
  for (std::size_t i = 0; i < at.size(); ++i)
    if (!at[i].has_value()) throw ValueError(root + detail::paths_of(ops, tree)[i] + " was never given a value");
}
void check_args_given(const FnBase& f, Args args) {
  for (int i = 0; i < f.param_count(); ++i)
    if (f.param(i).dynamic) check_given(f.param(i), args[i], "argument " + std::to_string(i));
}

Arrays arrays_of(const Tangents& ts) {
  Arrays out;
  out.reserve(ts.size());
  for (const Tangent& t : ts) {
    if (!t.is_zero()) out.push_back(t.value());
    else
      out.push_back(t.aval().dtype == DType::float0 ? evaluation_hook().from_bytes(t.aval(), "")
                                                    : ops::zeros_of(t.aval()));
  }
  return out;
}

std::string type_text(const Aval& a) {
  std::string s = std::string(dtype_name(a.dtype)) + "[";
  for (int i = 0; i < a.ndim(); ++i) s += (i ? "," : "") + std::to_string(a.shape[i]);
  return s + "]";
}

}  // namespace cotan::api
