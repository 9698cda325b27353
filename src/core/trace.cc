#include "core/trace.h"

#include "core/primitive.h"

namespace cotan {

Tracer::~Tracer() = default;
ConcreteNode::~ConcreteNode() = default;

namespace detail {
void destroy(Node* n) noexcept {
  if (n->kind == NodeKind::concrete) delete static_cast<ConcreteNode*>(n);
  else delete static_cast<Tracer*>(n);
}
void fail_empty_array() { throw ValueError("an Array that was never given a value was used"); }
}  // namespace detail

std::vector<AxisFrame>& axis_environment() {
  thread_local std::vector<AxisFrame> axes;
  return axes;
}

const AxisFrame& find_axis(const std::string& name) {
  const auto& axes = axis_environment();
  for (auto it = axes.rbegin(); it != axes.rend(); ++it)
    if (it->name == name) return *it;
  throw NameError("Found an unbound axis name: " + name +
                  ". To fix this, please call the function under vmap(..., {.axis_name = \"" + name + "\"}).");
}

AxisScope::AxisScope(std::string name, std::int64_t size) : bound_(!name.empty()) {
  if (bound_) axis_environment().push_back({std::move(name), size});
}
AxisScope::~AxisScope() {
  if (bound_) axis_environment().pop_back();
}

void nest(Trace& t) {
  t.parent = Ref<Trace>(current_trace());
  if (!t.parent) return;
  t.depth = t.parent->depth + 1;
  if (t.depth > max_trace_depth)
    throw RuntimeError("transformations are nested more than " + std::to_string(max_trace_depth) +
                       " deep\nA function that transforms itself has to stop at some depth.");
}

void check_usable(const Array& a) {
  if (!a.has_value()) detail::fail_empty_array();
  const Tracer* t = as_tracer(a);
  if (!t || t->trace->alive) return;
  if (const char* why = t->trace->misuse()) throw TypeError(why + (" Its type is " + a.aval().str() + "."));
  throw UnexpectedTracerError(
      "Encountered an unexpected tracer. A function transformed by cotan had a side effect, allowing for a reference "
      "to an intermediate value with type " +
      a.aval().str() + " wrapped in a " + t->trace->kind_name() +
      " to escape the scope of the transformation.\nReturn the value from the function instead of storing it "
      "in a variable outside.");
}

namespace {
constinit thread_local const void* user_call = nullptr;
}
ApiCall::ApiCall(const void* return_address) : outermost_(user_call == nullptr) {
  if (outermost_) user_call = return_address;
}
ApiCall::~ApiCall() {
  if (outermost_) user_call = nullptr;
}
const void* ApiCall::current() { return user_call; }

}  // namespace cotan
