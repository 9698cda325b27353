// Calls of C++ functions on values, also from programs that are traced: under jit, grad and vmap, and in loops. They run on the calling
// thread; what they throw ends the computation and comes out of the call.
#pragma once
#include <string>
#include <vector>

#include "cotan/fn.h"

namespace cotan {

// How a batch calls: never (NotImplementedError); one lane after the other; or once, with arrays that lanes share getting a leading axis of
// size 1, getting the batch's axis, or staying as they are.
enum class VmapMethod : std::uint8_t { unsupported, sequential, expand_dims, broadcast_all, legacy_vectorized };

struct PureCallbackOptions {
  VmapMethod vmap_method = VmapMethod::unsupported;
};
struct IoCallbackOptions {
  bool ordered = false;
};

namespace detail {
enum class CallbackKind : std::uint8_t { pure, io, debug };
struct CallbackSettings {
  CallbackKind kind;
  VmapMethod vmap_method = VmapMethod::unsupported;
  bool ordered = false;
};
// like: what the callback returns, of abstract arrays; null for one that is only called.
FnRef make_callback(const FnRef& f, const void* like, const CallbackSettings&);
template <class F, class R, class... A> R call_back(const CallbackSettings& s, F f, const R& like, const A&... args) {
  const auto fn = Fn<R(value_of<A>...)>(std::move(f));
  return Fn<R(value_of<A>...)>(make_callback(fn.ref(), &like, s))(args...);
}
}  // namespace detail

// f(args...), f a function without effects of concrete Arrays and pytrees of them. `like`: what it returns, by shape and dtype, as
// abstract_array makes it. RuntimeError when it returns something else. No derivative: see custom_jvp.
template <class F, class R, class... A>
R pure_callback(F f, const R& like, const PureCallbackOptions& o, const A&... args) {
  return detail::call_back({detail::CallbackKind::pure, o.vmap_method, false}, std::move(f), like, args...);
}

// The same of a function with effects, which is called each time the program comes to it; in order where `ordered`.
template <class F, class R, class... A>
R io_callback(F f, const R& like, const IoCallbackOptions& o, const A&... args) {
  return detail::call_back({detail::CallbackKind::io, VmapMethod::unsupported, o.ordered}, std::move(f), like, args...);
}

namespace debug {
// f(args...) when the values are there; derivatives go by it, a batch calls it for each lane.
template <class F, class... A> void callback(F f, const A&... args) {
  detail::call_back(
      {detail::CallbackKind::debug},
      [f = std::move(f)](const detail::value_of<A>&... x) {
        f(x...);
        return std::vector<Array>();
      },
      std::vector<Array>(), args...);
}
// Prints a line to the standard output: `format` with each {} replaced by an argument. ValueError when their numbers differ.
void print_arrays(const std::string& format, const std::vector<Array>& args);
template <class... A> void print(const std::string& format, const A&... args) {
  print_arrays(format, {Array(args)...});
}
}  // namespace debug

}  // namespace cotan
