#include "unit/core/test_primitives.h"

#include <cstring>

namespace cotan {
int detail::initialise() { return 0; }  // api/ has the one that registers the library's primitives
}  // namespace cotan

namespace cotan::test {
namespace {

constexpr DTypeSet numbers = {DType::int32, DType::float32, DType::float64, DType::complex64, DType::bfloat16};

struct OwnedBytes final : ConcreteNode {
  explicit OwnedBytes(const Aval& a, const void* from)
      : bytes(static_cast<std::size_t>(a.size()) * item_size(a.dtype)) {
    aval = a;
    if (!bytes.empty()) std::memcpy(bytes.data(), from, bytes.size());
    data = bytes.empty() ? static_cast<const void*>(this) : bytes.data();  // null: deleted
  }
  std::vector<unsigned char> bytes;
};
Array from_bytes(const Aval& a, const void* bytes) { return Array(new OwnedBytes(a, bytes)); }

// An opaque primitive that only its type matters of.
Primitive named(const char* name, int operands, int results, const ParamsOps* params, AbstractRule* abstract_eval,
                EffectsRule* effects = nullptr) {
  return {.name = name,
          .doc = "for tests",
          .operands = operands,
          .results = results,
          .params = params,
          .abstract_eval = abstract_eval,
          .jvp = zero_derivative,
          .transpose = not_linear,
          .batching = not_linear,
          .effects = effects,
          .run = [](const EqnContext&, std::span<const Array>, ArrayVec&) {},
          .stablehlo = NoRule{"for tests"},
          .samples = [] { return std::vector<Sample>(); }};
}

void same_type(const AbstractIn& a, AvalVec& out) {
  check_same_dtypes(a.primitive.name, a.in);
  bool weak = true;
  for (const Aval& x : a.in) weak &= x.weak_type;
  out.push_back({elementwise_shape(a.primitive.name, a.in), a.in[0].dtype, weak});
}
void outputs_of(const ClosedJaxpr& j, AvalVec& out) {
  if (!j.has_value()) throw ValueError("there is no program to call");
  for (const Aval& a : j.out_avals()) out.push_back(a);
}
void call_types(const AbstractIn& a, AvalVec& out) { outputs_of(a.params<CallParams>().jaxpr, out); }
void cond_types(const AbstractIn& a, AvalVec& out) {
  const CondParams& p = a.params<CondParams>();
  if (p.branches.empty()) throw ValueError("cond needs branches");
  outputs_of(p.branches[0], out);
}
void concatenate_types(const AbstractIn& a, AvalVec& out) {
  if (a.in.empty() || a.in[0].ndim() == 0) throw TypeError("concatenate needs arrays");
  Aval r = a.in[0].strong();
  for (const Aval& x : a.in.subspan(1)) r.shape[0] += x.ndim() ? x.shape[0] : 0;
  out.push_back(r);
}
void broadcast_types(const AbstractIn& a, AvalVec& out) {
  out.push_back(a.in[0].strong().with_shape(a.params<BroadcastParams>().shape));
}
void iota_types(const AbstractIn& a, AvalVec& out) {
  out.push_back({a.params<IotaParams>().shape, a.params<IotaParams>().dtype, false});
}
void top_types(const AbstractIn& a, AvalVec& out) {
  out.push_back(a.in[0]);
  out.push_back(a.in[0].with_dtype(DType::int32));
}

}  // namespace

const Primitive add = named("add", 2, 1, nullptr, same_type);
const Primitive sin = named("sin", 1, 1, nullptr, same_type);
const Primitive cos = named("cos", 1, 1, nullptr, same_type);
const Primitive every = named("every", 1, 1, &params_ops<EveryParams>, same_type);
const Primitive jit = named("jit", -1, -1, &params_ops<CallParams>, call_types);
const Primitive cond = named("cond", -1, -1, &params_ops<CondParams>, cond_types);
const Primitive concatenate = named("concatenate", -1, 1, &params_ops<AxisParams>, concatenate_types);
const Primitive broadcast_in_dim = named("broadcast_in_dim", 1, 1, &params_ops<BroadcastParams>, broadcast_types);
const Primitive iota = named("iota", 0, 1, &params_ops<IotaParams>, iota_types);
const Primitive top = named("top_k", 1, 2, &params_ops<AxisParams>, top_types);
const Primitive shout = named(
    "shout", 1, 0, nullptr, [](const AbstractIn&, AvalVec&) {}, [](const EqnContext&) { return Effects{2}; });

void set_up() {
  static const bool once = [] {
    for (const Primitive* p :
         {&add, &sin, &cos, &every, &jit, &cond, &concatenate, &broadcast_in_dim, &iota, &top, &shout}) {
      register_primitive(*p);
    }
    if (!evaluation_hook().from_bytes) install_evaluation_hook({.evaluate = nullptr, .from_bytes = from_bytes});
    return true;
  }();
  (void)once;
}

Array floats(const Shape& s, const std::vector<float>& v) {
  set_up();
  return evaluation_hook().from_bytes({s, DType::float32, false}, v.data());
}

}  // namespace cotan::test
