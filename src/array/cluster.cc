#include "array/cluster.h"

#include <algorithm>
#include <utility>

#include "array/executable.h"
#include "core/jaxpr_utils.h"

namespace cotan {

namespace {

using kernel::Dims;
using kernel::Program;
using kernel::Value;
using kernel::ValueKind;

constexpr std::size_t most_instructions = 32, most_values = 64;  // so that tiles stay long: their slots share L1

class Builder {
 public:
  Builder(const Jaxpr& j, const Shape& shape) : j_(j) {
    program_.extents = shape;
    row_major_ = kernel::row_major_strides(shape);
  }

  // False, and nothing is added, where the equation does not fit.
  bool add(const JaxprEqn& e) {
    if (made_.size() == most_values || !may_belong(e)) return false;
    std::optional<Program> p = program_of(e);
    if (!p || program_.instructions.size() + p->instructions.size() > most_instructions) return false;
    for (const kernel::Source& s : p->sources)
      if (!readable(s, j_.inputs(e))) return false;
    join(*p, e);
    return true;
  }

  Cluster finish(std::uint32_t end, const std::vector<std::uint32_t>& last_use) {
    Cluster c;
    for (const auto& [v, value] : made_) {
      const std::uint32_t last = last_use[v.id];
      if (last == never_used || last < end) continue;
      const auto buffer = static_cast<int>(operands_.size() + c.results.size());
      program_.stores.push_back({value, buffer, 0, row_major_});
      c.results.push_back(v);
    }
    c.operands = std::move(operands_);
    c.program = std::move(program_);
    return c;
  }

 private:
  bool may_belong(const JaxprEqn& e) const {
    if (e.outputs != 1 || !(j_.aval(j_.outputs(e)[0].var()).shape == program_.extents)) return false;
    if (e.primitive->kind == Kind::elementwise) return true;
    return e.primitive->kind == Kind::structural && e.inputs == 1 && j_.aval(j_.inputs(e)[0]).ndim() == 0;
  }

  // The one program that computes the equation, over these loops.
  std::optional<Program> program_of(const JaxprEqn& e) const {
    SmallVec<Aval, 4> in;
    for (Atom a : j_.inputs(e)) in.push_back(j_.aval(a));
    const Aval out[] = {j_.aval(j_.outputs(e)[0].var())};
    kernel::Plan plan = plan_of_equation({*e.primitive, e.params}, in, out);
    if (plan.steps.size() != 1 || plan.buffers.size() != in.size() + 1) return std::nullopt;
    auto* p = std::get_if<Program>(&plan.steps[0]);
    if (!p || p->reduction || p->stores.size() != 1 || !over_these_loops(p)) return std::nullopt;
    const kernel::Store& s = p->stores[0];
    if (s.offset != 0 || !row_major(s.strides)) return std::nullopt;
    return std::move(*p);
  }

  // A program over the elements in one loop becomes one over all loops.
  bool over_these_loops(Program* p) const {
    if (p->extents == program_.extents) return true;
    std::int64_t n = 1;
    for (std::int64_t extent : program_.extents) n *= extent;
    if (p->extents.length() != 1 || p->extents[0] != n) return false;
    bool fits = true;
    const auto spread = [&](Dims* strides) {
      fits &= (*strides)[0] == 0 || (*strides)[0] == 1;
      *strides = (*strides)[0] == 0 ? Dims::filled(program_.extents.length(), 0) : row_major_;
    };
    for (kernel::Source& s : p->sources) spread(&s.strides);
    for (kernel::Store& s : p->stores) spread(&s.strides);
    p->extents = program_.extents;
    return fits;
  }

  bool row_major(const Dims& strides) const {
    for (int i = 0; i < strides.length(); ++i)
      if (program_.extents[i] != 1 && strides[i] != row_major_[i]) return false;
    return true;
  }

  // What is made here is read where it is made; from elsewhere, whole arrays and single elements.
  bool readable(const kernel::Source& s, std::span<const Atom> in) const {
    if (s.kind != kernel::SourceKind::memory) return false;
    if (const Value* v = made(in[static_cast<std::size_t>(s.buffer)]))
      return s.offset == 0 && row_major(s.strides) && program_.dtype_of(*v) == s.dtype;
    return row_major(s.strides) || std::all_of(s.strides.begin(), s.strides.end(), [](auto n) { return n == 0; });
  }
  const Value* made(Atom a) const {
    if (a.is_literal()) return nullptr;
    for (const auto& [v, value] : made_)
      if (v == a.var()) return &value;
    return nullptr;
  }

  void join(const Program& p, const JaxprEqn& e) {
    const auto in = j_.inputs(e);
    std::vector<Value> sources;
    for (const kernel::Source& s : p.sources) sources.push_back(value_of(s, in[static_cast<std::size_t>(s.buffer)]));
    const auto constants = static_cast<std::int32_t>(program_.constants.size()),
               instructions = static_cast<std::int32_t>(program_.instructions.size());
    const auto renamed = [&](Value v) -> Value {
      if (!v.valid()) return v;
      if (v.kind == ValueKind::source) return sources[static_cast<std::size_t>(v.index)];
      return {v.kind, v.index + (v.kind == ValueKind::constant ? constants : instructions)};
    };
    program_.constants.insert(program_.constants.end(), p.constants.begin(), p.constants.end());
    for (kernel::Instruction i : p.instructions) {
      for (Value& v : i.operands) v = renamed(v);
      program_.instructions.push_back(i);
    }
    made_.emplace_back(j_.outputs(e)[0].var(), renamed(p.stores[0].value));
  }

  Value value_of(kernel::Source s, Atom a) {
    if (const Value* v = made(a)) return *v;
    if (a.is_literal() && s.offset == 0 && s.dtype == j_.aval(a).dtype)
      return constant(j_.literals[a.literal_index()].value);
    const auto at = std::find(operands_.begin(), operands_.end(), a);
    s.buffer = static_cast<int>(at - operands_.begin());
    if (at == operands_.end()) operands_.push_back(a);
    for (std::size_t i = 0; i < program_.sources.size(); ++i) {
      const kernel::Source& o = program_.sources[i];
      if (o.buffer == s.buffer && o.dtype == s.dtype && o.offset == s.offset && o.strides == s.strides)
        return {ValueKind::source, static_cast<std::int32_t>(i)};
    }
    program_.sources.push_back(std::move(s));
    return {ValueKind::source, static_cast<std::int32_t>(program_.sources.size()) - 1};
  }

  Value constant(const HostScalar& number) {
    kernel::Constant c{number.dtype};
    number.store(c.value.data());
    program_.constants.push_back(c);
    return {ValueKind::constant, static_cast<std::int32_t>(program_.constants.size()) - 1};
  }

  const Jaxpr& j_;
  Program program_;
  Dims row_major_;
  std::vector<Atom> operands_;
  std::vector<std::pair<Var, Value>> made_;
};

}  // namespace

Cluster cluster_at(const Jaxpr& j, std::uint32_t first, const std::vector<std::uint32_t>& last_use) {
  const auto count = static_cast<std::uint32_t>(j.eqns.size());
  const JaxprEqn& e = j.eqns[first];
  if (first + 1 >= count || e.outputs != 1 || j.eqns[first + 1].outputs != 1) return {};
  const Shape& shape = j.aval(j.outputs(e)[0].var()).shape;
  if (Shape(shape).size() == 0 || !(j.aval(j.outputs(j.eqns[first + 1])[0].var()).shape == shape)) return {};
  Builder b(j, shape);
  std::uint32_t end = first;
  while (end < count && b.add(j.eqns[end])) ++end;
  if (end - first < 2) return {};
  Cluster c = b.finish(end, last_use);
  c.equations = c.results.empty() ? 0 : end - first;
  return c;
}

}  // namespace cotan
