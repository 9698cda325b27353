// Stackless tracing. A thread has one current trace (none: operations are evaluated at once). Binding a primitive hands it
// to the current trace, which runs its rule in its parent. Values of other traces are constants to it.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/intrusive.h"
#include "base/small_vec.h"
#include "core/params.h"
#include "core/tangent.h"
#include "cotan/array.h"

namespace cotan {

struct Primitive;
using ArrayVec = SmallVec<Array, 2>;

struct Trace : RefCounted {
  Ref<Trace> parent;  // null: evaluation
  bool alive = true;  // false once the transformation's function has returned
  int depth = 1;      // of traces one in another, this one included
  // Applies the primitive; appends its outputs to `out`.
  virtual void process(const Primitive&, const ParamsRef&, std::span<const Array> in, ArrayVec& out) = 0;
  virtual const char* kind_name() const = 0;  // for messages: "JvpTrace"
  virtual const char* misuse() const {
    return nullptr;
  }  // what to say of an operation on its values; null: they escaped
};

struct Tracer : detail::Node {
  Ref<Trace> trace;
  Tracer(detail::NodeKind k, Trace* t, Aval a) : trace(t) {
    kind = k;
    aval = std::move(a);
  }
  virtual ~Tracer();
  // The concrete value beneath, where there is one: so that a branch on a primal works under grad. Null otherwise.
  virtual const Array* beneath() const { return nullptr; }
};

// The concrete value of an Array, its own or that of a primal beneath; null where there is none.
const Array* concrete_value(const Array& a);
inline bool is_concrete(const Array& a) { return a.has_value() && a.node()->kind == detail::NodeKind::concrete; }
inline const Tracer* as_tracer(const Array& a) {
  return is_concrete(a) ? nullptr : static_cast<const Tracer*>(a.node());
}

struct AxisFrame {  // a named axis that psum, axis_index, ... may use
  std::string name;
  std::int64_t size;
};

// The tracing context of this thread: the current trace, and the named axes in scope, innermost last.
namespace detail {
inline constinit thread_local Trace* current_trace = nullptr;
}
inline Trace* current_trace() { return detail::current_trace; }
std::vector<AxisFrame>& axis_environment();
const AxisFrame& find_axis(const std::string& name);  // NameError: no such axis

// Makes a trace current for a scope; the trace before it comes back however the scope ends.
class CurrentTrace {
 public:
  explicit CurrentTrace(Trace* t) : before_(std::exchange(detail::current_trace, t)) {}
  ~CurrentTrace() { detail::current_trace = before_; }
  CurrentTrace(const CurrentTrace&) = delete;
  CurrentTrace& operator=(const CurrentTrace&) = delete;

 private:
  Trace* before_;
};

// Puts a new trace inside the current one. RuntimeError when they are nested so deep that rules, which run in the parent,
// would overflow the stack.
inline constexpr int max_trace_depth = 400;
void nest(Trace&);

// The life of a new trace: its tracers are escaped ones once this goes.
template <class T> class TraceLife {
 public:
  template <class... A> explicit TraceLife(A&&... a) : trace_(new T(std::forward<A>(a)...)) { nest(*trace_); }
  ~TraceLife() { trace_->alive = false; }
  T* operator->() const { return trace_.get(); }
  T* get() const { return trace_.get(); }

 private:
  Ref<T> trace_;
};

class AxisScope {
 public:
  AxisScope(std::string name, std::int64_t size);  // an empty name binds nothing
  ~AxisScope();
  AxisScope(const AxisScope&) = delete;
  AxisScope& operator=(const AxisScope&) = delete;

 private:
  bool bound_;
};

// Throws UnexpectedTracerError if the value's trace has ended, ValueError if it was never given a value.
void check_usable(const Array&);

// The return address of the outermost library call that a user's code is in; errors and equations refer to it.
struct ApiCall {
  explicit ApiCall(const void* return_address);
  ~ApiCall();
  static const void* current();

 private:
  bool outermost_;
};
#define COTAN_API ::cotan::ApiCall cotan_api_call_(__builtin_return_address(0))

}  // namespace cotan
