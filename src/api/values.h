// Values of erased types, and calls of erased functions with some of their leaves replaced.
#pragma once
#include <cstdint>
#include <string>

#include "cotan/fn_erased.h"
#include "transforms/flat.h"
#include "tree/flatten.h"

namespace cotan::api {

using detail::FnBase;
using detail::FnRef;
using detail::Key;
using detail::TypeOps;
using tree::LeafPointers;
using Args = const void* const*;

// Owns a value of an erased type, or room for one.
class Value {
 public:
  explicit Value(const TypeOps& ops);           // room
  Value(const TypeOps& ops, const void* from);  // a copy
  Value(Value&& o) noexcept;
  Value& operator=(Value&&) = delete;
  ~Value();
  const TypeOps& ops() const { return *ops_; }
  void* get() const { return p_; }
  void made() { live_ = true; }  // the room now holds a value
  void copy_to(void* out) const { ops_->copy(p_, out); }
  LeafPointers leaves() const { return LeafPointers(*ops_, p_); }
  void set_leaves(const Arrays&) const;

 private:
  const TypeOps* ops_;
  void* p_;
  bool live_ = false;
};

Arrays arrays_of(const LeafPointers&);
Arrays arrays_of(const Tangents&);  // zeros are made, float0 included

inline bool chosen(std::uint64_t argnums, int i) { return argnums >> i & 1; }
std::uint64_t all_dynamic(const FnBase&);  // argnums of the parameters that hold Arrays

// A function of some of f's arguments as a function of lists of Arrays. What f returned last is kept, so that statics and
// containers of the result come from it.
class FlatCall {
 public:
  FlatCall(FnBase& f, Args args, std::uint64_t argnums);
  FlatCall(const FlatCall&) = delete;
  const Arrays& in() const { return in_; }  // the leaves of the chosen arguments
  std::vector<Aval> in_avals() const;
  Arrays operator()(const Arrays& in);
  FlatFn fn() {
    return [this](const Arrays& in) { return (*this)(in); };
  }
  // What f returned, with these leaves.
  Value& result(const Arrays& leaves);
  Value& result() { return result_.back(); }
  bool has_result() const { return !result_.empty(); }
  // Leaf i of the chosen arguments as a user would name it: "argument 0[1].w".
  std::string leaf_name(std::size_t i) const;

 private:
  FnBase& f_;
  Args args_;
  std::uint64_t argnums_;
  Arrays in_;
  std::vector<Value> result_;  // one, once f was called
};

// Copies of the chosen arguments with these leaves, in order.
std::vector<Value> with_leaves(const FnBase& f, Args args, std::uint64_t argnums, const Arrays& leaves);

// Arguments without their leaves, which outlive the call that they were given to: for functions that run later.
class ArgumentTemplate {
 public:
  ArgumentTemplate(const FnBase& f, Args args);
  std::vector<Value> with(std::span<const Array> leaves) const;  // copies of the arguments with these leaves

 private:
  std::vector<Value> values_;
};
// What f gives; `root`: of paths in the message when it gave no value somewhere.
Value called_with(FnBase& f, const std::vector<const void*>& args, const char* root);

// ValueError, naming the leaf, when one of the Arrays was never given a value. `root`: of paths in the message.
void check_given(const TypeOps&, const void* tree, const std::string& root);
void check_args_given(const FnBase&, Args);

std::string type_text(const Aval&);  // "float32[3,2]"

}  // namespace cotan::api
