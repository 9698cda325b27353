// jit, make_jaxpr, eval_shape: a function traced into a program.
#pragma once
#include "cotan/fn.h"
#include "cotan/jaxpr.h"

namespace cotan {

struct JitOptions {
  const char* name = nullptr;  // in printed jaxprs; else the function's own
  int num_threads = 0;  // a call, outside other jitted functions, uses at most so many; 0: as many as num_threads()
  // Parameters (from 0) whose Arrays a call gives up, each for a result of its shape and dtype, which is written over it where the
  // program allows; explain() says which are not. Outside of other transformations such an Array is deleted: RuntimeError when it is
  // used. One whose elements others share, copies of the Array included, is copied first and stays.
  std::vector<int> donate_argnums = {};
};

namespace detail {
class JitCache;
class JitCacheRef {  // what was traced for functions without an identity
 public:
  JitCacheRef();
  JitCacheRef(const JitCacheRef&) noexcept;
  JitCacheRef& operator=(const JitCacheRef&) = delete;
  ~JitCacheRef();
  JitCache& operator*() const { return *p_; }

 private:
  JitCache* p_;
};
FnRef make_jit(const FnRef&, const JitCacheRef&, const JitOptions&);
int jit_cache_size(const FnBase&);
void jit_clear_cache(FnBase&);
std::string jit_explain(const FnBase&);
ClosedJaxpr run_make_jaxpr(FnBase&, const void* const* args);
void run_eval_shape(FnBase&, const void* const* args, void* out);
}  // namespace detail

// A compiled function. It is traced once for each combination of tree structure, static values, shapes, dtypes and weak types
// of the arguments, of the settings that are part of the trace key, and of the axis names in scope. Copies share what was
// traced; so do all jits of one function or captureless lambda, also through grad and vmap. Arrays that the function
// captures are constants of the trace. Calls from several threads are safe if the function may be called from any of them.
template <class Sig> class Jit;
template <class R, class... D> class Jit<R(D...)> : public Fn<R(D...)> {
 public:
  explicit Jit(detail::FnRef f) : Fn<R(D...)>(std::move(f)) {}
  int cache_size() const { return detail::jit_cache_size(*this->ref()); }
  void clear_cache() const { detail::jit_clear_cache(*this->ref()); }
  // Text for people: what was traced (as far as it is kept), from which line of the caller's, why again — which argument differed,
  // from what to what —, and what the program costs, its dearest equations first.
  std::string explain() const { return detail::jit_explain(*this->ref()); }
};
// Forgets everything that was traced, by any jit.
void clear_caches();

namespace detail {
template <class R, class... D> struct SigOf<Jit<R(D...)>> : Known<R, D...> {};

struct JitTransform {
  JitCacheRef cache;
  JitOptions options;
  template <class R, class... D> auto operator()(const Fn<R(D...)>& f) const {
    return Jit<R(D...)>(make_jit(f.ref(), cache, options));
  }
};

// A function of the arguments of f that gives something other than its result.
template <class Out, class Sig> class Inspect;
template <class Out, class R, class... D> class Inspect<Out, R(D...)> {
 public:
  using Run = Out (*)(FnBase&, const void* const*);
  Inspect(Fn<R(D...)> f, Run run) : f_(std::move(f)), run_(run) {}
  Out operator()(const std::type_identity_t<D>&... a) const {
    const void* args[] = {&a..., nullptr};
    return run_(*f_.ref(), args);
  }
  template <class... A>
  requires(!std::is_invocable_v<R (*)(const D&...), const A&...>) Out operator()(const A&...) const {
    check_args(List<D...>{}, List<A...>{});
    std::terminate();  // never built
  }

 private:
  Fn<R(D...)> f_;
  Run run_;
};
struct MakeJaxprTransform {
  template <class R, class... D> auto operator()(const Fn<R(D...)>& f) const {
    return Inspect<ClosedJaxpr, R(D...)>(f, &run_make_jaxpr);
  }
};
struct EvalShapeTransform {
  template <class R, class... D> auto operator()(const Fn<R(D...)>& f) const {
    return Inspect<R, R(D...)>(f, [](FnBase& g, const void* const* args) {
      Slot<R> out;
      run_eval_shape(g, args, &out.value);
      return out.take();
    });
  }
};
}  // namespace detail

// TracerBoolConversionError and its kin when f needs the value of a traced Array.
template <class F> auto jit(F f, const JitOptions& o = {}) {
  return detail::transform(std::move(f), detail::JitTransform{{}, o});
}

// make_jaxpr(f)(args...): the program that f is for such arguments, a ClosedJaxpr. Nothing is computed.
template <class F> auto make_jaxpr(F f) { return detail::transform(std::move(f), detail::MakeJaxprTransform{}); }

// An Array that has a shape and a dtype but no elements, to be an argument of eval_shape, make_jaxpr or linear_transpose.
// TypeError when it is computed with.
Array abstract_array(const Shape&, DType = float32);

// eval_shape(f)(args...): what f would return, made of abstract arrays. Nothing is computed.
template <class F> auto eval_shape(F f) { return detail::transform(std::move(f), detail::EvalShapeTransform{}); }

}  // namespace cotan
