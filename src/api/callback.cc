#include "cotan/callback.h"

#include <cstdio>

#include "api/format.h"
#include "api/values.h"
#include "control/callback.h"

namespace cotan::api {
namespace {

using detail::CallbackKind;
using detail::CallbackSettings;

class CallbackFn final : public FnBase {
 public:
  CallbackFn(const FnRef& f, const void* like, const CallbackSettings& s)
      : FnBase(&f->result(), f->params(), f->param_count()),
        f_(f),
        like_(std::make_shared<Value>(f->result(), like)),
        settings_(s) {}
  bool identity(Key&) const override { return false; }
  std::string name() const override { return f_->name(); }

  void call(Args args, void* out) override {
    FlatCall flat(*f_, args, all_dynamic(*f_));
    std::vector<Aval> results;
    for (Array* a : like_->leaves()) results.push_back(a->aval());
    const Arrays r = bind(flat.in(), host_function(args), results);
    like_->copy_to(out);
    LeafPointers at(result(), out);
    for (std::size_t i = 0; i < at.size(); ++i) at[i] = r[i];
  }

 private:
  // The arguments' containers and static values are copied: the function runs later.
  HostFn host_function(Args args) const {
    const auto like = std::make_shared<const ArgumentTemplate>(*f_, args);
    return [f = f_, like](const Arrays& leaves) {
      const std::vector<Value> values = like->with(leaves);
      std::vector<const void*> given;
      for (const Value& v : values) given.push_back(v.get());
      return arrays_of(called_with(*f, given, "the result of a callback: result").leaves());
    };
  }
  Arrays bind(const Arrays& in, HostFn f, const std::vector<Aval>& results) const {
    switch (settings_.kind) {
      case CallbackKind::pure: return bind_pure_callback(std::move(f), results, {name(), settings_.vmap_method}, in);
      case CallbackKind::io: return bind_io_callback(std::move(f), results, settings_.ordered, name(), in);
      default: break;
    }
    bind_debug_callback([f = std::move(f)](const Arrays& x) { f(x); }, settings_.ordered, name(), in);
    return {};
  }

  FnRef f_;
  std::shared_ptr<Value> like_;
  CallbackSettings settings_;
};

}  // namespace
}  // namespace cotan::api

namespace cotan {

namespace detail {
FnRef make_callback(const FnRef& f, const void* like, const CallbackSettings& s) {
  return FnRef(new api::CallbackFn(f, like, s));
}
}  // namespace detail

namespace debug {

void print_arrays(const std::string& format, const std::vector<Array>& args) {
  const std::vector<std::string> parts = api::format_parts("debug::print", format, args.size());
  bind_debug_callback(
      [parts](const std::vector<Array>& x) {
        std::fputs((api::formatted(parts, x) + '\n').c_str(), stdout);
        std::fflush(stdout);
      },
      false, "print", args);
}

}  // namespace debug

}  // namespace cotan
