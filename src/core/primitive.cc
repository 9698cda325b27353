#include "core/primitive.h"

#include <cstdio>
#include <cstdlib>
#include <map>

#include "core/simplify.h"
#include "core/typecheck.h"
#include "cotan/config.h"

namespace cotan {

namespace {
EvaluationHook& hook() {
  static EvaluationHook h{};
  return h;
}
std::map<std::string, const Primitive*>& registry() {
  static std::map<std::string, const Primitive*> r;
  return r;
}

// What a record lacks, or null. An omission is an error here, not at the first use of the missing rule.
const char* gap(const Primitive& p) {
  const bool elementwise = p.kind == Kind::elementwise;
  if (!p.name || !p.doc) return "a name or a doc";
  if (!p.abstract_eval && !(elementwise && !p.dtypes.empty())) return "abstract_eval (or, if elementwise, dtypes)";
  const bool terms = p.jvp_terms[0] || p.jvp_terms[1] || p.jvp_terms[2];
  if (!p.jvp.is_set() && !terms) return "jvp: a rule, terms, zero_derivative or not_differentiable(reason)";
  if (!p.transpose.is_set()) return "transpose: a rule or not_linear";
  if (!p.batching.is_set() && !elementwise) return "batching";
  if (!p.tile && !p.emit && !p.regions && !p.run) return "tile, emit, regions or run";
  if (!p.stablehlo.is_set() && !p.regions) return "stablehlo: a rule, the name of an operation, or NoRule";
  if (!p.samples && !(elementwise && !p.dtypes.empty() && !p.params)) return "samples";
  return nullptr;
}
}  // namespace

void install_evaluation_hook(const EvaluationHook& h) { hook() = h; }
const EvaluationHook& evaluation_hook() { return hook(); }

namespace {
constinit Repeat repeat = nullptr;
}  // namespace

void install_repeat(Repeat r) { repeat = r; }
Repeat repeated_scalar() { return repeat; }

void register_primitive(const Primitive& p) {
  const char* missing = gap(p);
  if (missing || !registry().emplace(p.name, &p).second) {
    std::fprintf(stderr, "cotan: primitive %s: %s%s\n", p.name, missing ? "lacks " : "registered twice",
                 missing ? missing : "");
    std::abort();
  }
}
const Primitive* find_primitive(const std::string& name) {
  auto it = registry().find(name);
  return it == registry().end() ? nullptr : it->second;
}
std::vector<const Primitive*> all_primitives() {
  std::vector<const Primitive*> v;
  for (const auto& [name, p] : registry()) v.push_back(p);
  return v;
}

namespace {
// The rarely needed second half of bind: which operand can't be used, and why.
[[gnu::noinline]] void check_operands(std::span<const Array> in, bool evaluating) {
  for (const Array& a : in) check_usable(a);
  if (!evaluating) return;
  for (const Array& a : in)
    if (!is_concrete(a))
      throw UnexpectedTracerError(
          "Encountered an unexpected tracer: a value with type " + a.aval().str() +
          " belongs to a transformation that is not running here (of another thread, or of an outer function).");
}
}  // namespace

void Primitive::bind(const ParamsRef& p, std::span<const Array> in, ArrayVec& out) const {
  Trace* trace = current_trace();
  bool plain = true;
  for (const Array& a : in) plain &= is_concrete(a);
  if (!plain) check_operands(in, trace == nullptr);
  if (trace) trace->process(*this, p, in, out);
  else hook().evaluate(*this, p, in, out);
}

Array Primitive::bind1(const ParamsRef& p, std::span<const Array> in) const {
  ArrayVec out;
  bind(p, in, out);
  return std::move(out[0]);
}

namespace {
std::string shape_list(std::span<const Aval> in) {
  std::string s;
  for (const Aval& a : in) s += (s.empty() ? "" : ", ") + a.shape.str();
  return s;
}
std::string dtype_list(std::span<const Aval> in) {
  std::string s;
  for (const Aval& a : in) s += (s.empty() ? "" : ", ") + std::string(dtype_name(a.dtype));
  return s;
}
}  // namespace

Shape elementwise_shape(const char* name, std::span<const Aval> in) {
  const Shape* best = nullptr;
  for (const Aval& a : in)
    if (a.ndim() > 0 || !best)
      if (!best || best->ndim() == 0 || a.ndim() > best->ndim()) best = &a.shape;
  Shape out = *best;
  for (const Aval& a : in) {
    if (a.ndim() == 0) continue;  // a scalar goes with every shape
    if (a.ndim() != out.ndim())
      throw TypeError(std::string(name) + ": arrays must have the same number of dimensions, got shapes " +
                      shape_list(in));
    for (int i = 0; i < out.ndim(); ++i) {
      if (a.shape[i] == out[i] || a.shape[i] == 1) continue;
      if (out[i] != 1)
        throw TypeError(std::string(name) + " got incompatible shapes for broadcasting: " + shape_list(in) + ".");
      out[i] = a.shape[i];
    }
  }
  return out;
}

void check_same_dtypes(const char* name, std::span<const Aval> in) {
  for (const Aval& a : in)
    if (a.dtype != in[0].dtype)
      throw TypeError("lax." + std::string(name) + " requires arguments to have the same dtypes, got " +
                      dtype_list(in) + ". (Tip: the function of numpy of that name promotes types.)");
}

void check_dtype(const char* name, DTypeSet set, const Aval& a) {
  if (!set.contains(a.dtype))
    throw TypeError(std::string(name) + " does not accept dtype " + dtype_name(a.dtype) +
                    ". Accepted dtypes are subtypes of " + set.str() + ".");
}

std::string DTypeSet::str() const {
  std::string s;
  auto add = [&](const char* name) { s += (s.empty() ? "" : ", ") + std::string(name); };
  if (contains(DType::float32)) add("floating");
  if (contains(DType::complex64)) add("complexfloating");
  if (contains(DType::int32)) add("signedinteger");
  if (contains(DType::uint32)) add("unsignedinteger");
  if (contains(DType::bool_)) add("bool");
  return s;
}

const ClosedJaxpr* called_program(const Primitive& p, const ParamsRef& params) {
  if (!p.regions) return nullptr;
  const Regions r = p.regions({p, params});
  return r.kind == RegionKind::call && !r.programs.empty() ? r.programs[0] : nullptr;
}

void infer(const Primitive& p, const ParamsRef& params, std::span<const Aval> in, AvalVec& out) {
  if (p.operands >= 0 && static_cast<int>(in.size()) != p.operands)
    throw TypeError(std::string(p.name) + " takes " + std::to_string(p.operands) + " operands, got " +
                    std::to_string(in.size()));
  if (p.abstract_eval) return p.abstract_eval({{p, params}, in}, out);
  for (const Aval& a : in) check_dtype(p.name, p.dtypes, a);
  check_same_dtypes(p.name, in);
  bool weak = true;
  for (const Aval& a : in) weak &= a.weak_type;
  out.push_back({elementwise_shape(p.name, in), in[0].dtype, weak});
}

}  // namespace cotan
