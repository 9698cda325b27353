// Control flow over pytrees: cond, switch_, while_loop, fori_loop, scan, map.
#include "control/control_flow.h"

#include "api/values.h"
#include "control/bounded.h"
#include "control/map.h"
#include "cotan/lax_control.h"

namespace cotan::api {
namespace {

std::string path_of(const TypeOps& ops, const void* tree, std::size_t leaf) {
  return detail::paths_of(ops, tree).at(leaf);
}

// One of several functions of the same operands.
class BranchFn final : public FnBase {
 public:
  BranchFn(const Array& chooser, std::vector<FnRef> branches, bool is_cond)
      : FnBase(&branches.at(0)->result(), branches[0]->params(), branches[0]->param_count()),
        chooser_(chooser),
        branches_(std::move(branches)),
        is_cond_(is_cond) {}
  bool identity(Key&) const override { return false; }
  std::string name() const override { return is_cond_ ? "cond" : "switch"; }

  void call(Args args, void* out) override {
    std::vector<std::unique_ptr<FlatCall>> calls;
    std::vector<FlatFn> fns;
    for (const FnRef& f : branches_) {
      calls.push_back(std::make_unique<FlatCall>(*f, args, all_dynamic(*f)));
      fns.push_back(calls.back()->fn());
    }
    ControlNames names;
    names.result = [&](std::size_t i) {
      const std::string path = path_of(result(), calls[0]->result().get(), i);
      return path.empty() ? path : " at path " + path;
    };
    names.check_branches = [&] {
      for (const auto& c : calls)
        if (const void* a = calls[0]->result().get(), *b = c->result().get(); !tree::same_structure(result(), a, b))
          throw TypeError("cond branch outputs must have the same pytree structure, but they differ: " +
                          tree::describe_difference(result(), a, b, "result"));
    };
    const Arrays r = is_cond_ ? flat_cond(chooser_, fns[0], fns[1], calls[0]->in(), names)
                              : flat_switch(chooser_, fns, calls[0]->in(), names);
    for (const auto& c : calls)  // with jit disabled only one has run
      if (c->has_result()) return c->result(r).copy_to(out);
  }

 private:
  Array chooser_;
  std::vector<FnRef> branches_;
  bool is_cond_;
};

// A loop's body, whose results begin with a carry of the structure that it was given.
class LoopBody {
 public:
  LoopBody(FnBase& f, Args args, const TypeOps& carry, const void* init, const void* (*carry_of)(const void*))
      : call_(f, args, all_dynamic(f)), carry_(carry), init_(init), carry_of_(carry_of) {}

  Arrays operator()(const Arrays& in) {
    Arrays out = call_(in);
    const void* got = carry_of_(call_.result().get());
    if (!tree::same_structure(carry_, init_, got))
      throw TypeError(
          "the carry that a loop's body takes and the one that it returns must have the same pytree structure, but "
          "they differ: " +
          tree::describe_difference(carry_, init_, got, "carry"));
    return out;
  }
  ControlNames names() const {
    ControlNames n;
    n.carry = [this](std::size_t i) {
      const std::string path = path_of(carry_, init_, i);
      return path.empty() ? " c" : " component c" + path;
    };
    return n;
  }
  FlatCall& call() { return call_; }

 private:
  FlatCall call_;
  const TypeOps& carry_;
  const void* init_;
  const void* (*carry_of_)(const void*);
};
const void* whole(const void* p) { return p; }

class WhileFn final : public FnBase {
 public:
  WhileFn(const FnRef& condition, const FnRef& body, const lax::WhileOptions& o)
      : FnBase(&body->result(), body->params(), 1), condition_(condition), body_(body), options_(o) {}
  bool identity(Key&) const override { return false; }
  std::string name() const override { return "while_loop"; }
  void call(Args args, void* out) override {
    FlatCall condition(*condition_, args, all_dynamic(*condition_));
    LoopBody body(*body_, args, param(0), args[0], whole);
    const FlatFn step = [&](const Arrays& x) { return body(x); };
    const Arrays& init = body.call().in();
    const Arrays r = options_.max_steps == -1 ? flat_while(condition.fn(), step, init, body.names())
                                              : flat_bounded_while(condition.fn(), step, init, options_.max_steps,
                                                                   options_.checkpoint, body.names());
    with_leaves(*body_, args, 1, r)[0].copy_to(out);
  }

 private:
  FnRef condition_, body_;
  lax::WhileOptions options_;
};

class ForiFn final : public FnBase {
 public:
  ForiFn(const Array& lower, const Array& upper, const FnRef& body, std::int64_t unroll)
      : FnBase(&body->result(), body->params() + 1, 1), lower_(lower), upper_(upper), body_(body), unroll_(unroll) {}
  bool identity(Key&) const override { return false; }
  std::string name() const override { return "fori_loop"; }
  void call(Args args, void* out) override {
    const void* both[] = {&lower_, args[0]};
    LoopBody body(*body_, both, param(0), args[0], whole);
    Arrays init = body.call().in();
    init.erase(init.begin());
    const Arrays r = flat_fori(
        lower_, upper_, [&](const Arrays& x) { return body(x); }, init, unroll_, body.names());
    with_leaves(*body_, both, 2, r)[0].copy_to(out);
  }

 private:
  Array lower_, upper_;
  FnRef body_;
  std::int64_t unroll_;
};

class ScanFn final : public FnBase {
 public:
  ScanFn(const FnRef& body, const detail::CarryPart& carry, const lax::ScanOptions& o)
      : FnBase(&body->result(), body->params(), 2), body_(body), carry_(carry), options_(o) {}
  bool identity(Key&) const override { return false; }
  std::string name() const override { return "scan"; }
  void call(Args args, void* out) override {
    LoopBody body(*body_, args, *carry_.ops, args[0], carry_.of);
    const Arrays& in = body.call().in();
    const auto split = in.begin() + static_cast<std::ptrdiff_t>(LeafPointers(param(0), args[0]).size());
    ScanOptionsFlat o{std::nullopt, options_.reverse, options_.unroll};
    if (options_.length != -1) o.length = options_.length;
    const auto scan = options_.checkpoint ? flat_checkpointed_scan : flat_scan;
    const Arrays r = scan([&](const Arrays& x) { return body(x); }, Arrays(in.begin(), split), Arrays(split, in.end()),
                          o, body.names());
    if (!body.call().has_result()) throw ValueError("scan: with jit disabled the length must not be 0");
    body.call().result(r).copy_to(out);
  }

 private:
  FnRef body_;
  detail::CarryPart carry_;
  lax::ScanOptions options_;
};

class MapFn final : public FnBase {
 public:
  MapFn(const FnRef& f, const lax::MapOptions& o) : FnBase(&f->result(), f->params(), 1), f_(f), options_(o) {}
  bool identity(Key&) const override { return false; }
  std::string name() const override { return "map"; }
  void call(Args args, void* out) override {
    FlatCall call(*f_, args, all_dynamic(*f_));
    const Arrays r = flat_map(call.fn(), call.in(), options_.batch_size);
    call.result(r).copy_to(out);
  }

 private:
  FnRef f_;
  lax::MapOptions options_;
};

}  // namespace
}  // namespace cotan::api

namespace cotan::detail {

FnRef make_cond(const Array& predicate, const FnRef& on_true, const FnRef& on_false) {
  return FnRef(new api::BranchFn(predicate, {on_true, on_false}, true));
}
FnRef make_switch(const Array& index, std::vector<FnRef> branches) {
  if (branches.empty()) throw ValueError("Empty branch sequence");
  return FnRef(new api::BranchFn(index, std::move(branches), false));
}
FnRef make_while(const FnRef& condition, const FnRef& body, const lax::WhileOptions& o) {
  return FnRef(new api::WhileFn(condition, body, o));
}
FnRef make_fori(const Array& lower, const Array& upper, const FnRef& body, const lax::ForiOptions& o) {
  return FnRef(new api::ForiFn(lower, upper, body, o.unroll));
}
FnRef make_scan(const FnRef& body, const CarryPart& carry, const lax::ScanOptions& o) {
  return FnRef(new api::ScanFn(body, carry, o));
}
FnRef make_map(const FnRef& f, const lax::MapOptions& o) { return FnRef(new api::MapFn(f, o)); }

}  // namespace cotan::detail
