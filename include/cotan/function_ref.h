// A parameter that is anything callable, without the cost of <functional>: valid while the call lasts that it is given to.
#pragma once
#include <type_traits>

namespace cotan {

template <class Signature> class FunctionRef;
template <class R, class... A> class FunctionRef<R(A...)> {
 public:
  template <class F>
  requires(!std::is_same_v<F, FunctionRef> && std::is_invocable_r_v<R, const F&, A...>) FunctionRef(const F& f) {
    if constexpr (std::is_function_v<F>) {
      target_.function = reinterpret_cast<void (*)()>(&f);
      call_ = [](Target t, A... a) -> R { return reinterpret_cast<F*>(t.function)(a...); };
    } else {
      target_.object = &f;
      call_ = [](Target t, A... a) -> R { return (*static_cast<const F*>(t.object))(a...); };
    }
  }
  R operator()(A... a) const { return call_(target_, a...); }

 private:
  union Target {
    const void* object;
    void (*function)();
  };
  Target target_;
  R (*call_)(Target, A...);
};

}  // namespace cotan
