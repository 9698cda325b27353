#include "compiler/passes/to_plan.h"

#include <unordered_map>

#include "compiler/equation_plan.h"
#include "core/primitive.h"

namespace cotan {

namespace {

class Scheduler {
 public:
  explicit Scheduler(const Jaxpr& j) : j_(j), root_(j.vars.size()), buffer_(j.vars.size(), -1) {}

  ProgramPlan run() {
    for (Var v : j_.invars) {
      root_[v.id] = v.id;
      buffer_[v.id] = add_buffer(kernel::BufferKind::input, inputs_++, j_.aval(v));
    }
    for (const JaxprEqn& e : j_.eqns) find_roots(e);
    for (Atom a : j_.outvars) add_result(a);
    for (const JaxprEqn& e : j_.eqns)
      if (!is_view(e)) add_steps(e);
    for (const auto& [literal, buffer] : literal_outputs_) fill(literal, buffer);
    return std::move(to_);
  }

 private:
  bool is_view(const JaxprEqn& e) const {
    const auto rule = e.primitive->keeps_elements;
    if (!rule || !rule({*e.primitive, e.params}) || j_.inputs(e)[0].is_literal()) return false;
    return j_.aval(j_.inputs(e)[0]).size() == j_.aval(j_.outputs(e)[0]).size();
  }

  void find_roots(const JaxprEqn& e) {
    const bool view = is_view(e);
    for (Atom a : j_.outputs(e)) root_[a.var().id] = view ? root_[j_.inputs(e)[0].var().id] : a.var().id;
  }

  int add_buffer(kernel::BufferKind kind, int position, const Aval& a) {
    to_.plan.buffers.push_back({kind, position, checked_bytes(a)});
    return static_cast<int>(to_.plan.buffers.size()) - 1;
  }
  int add_output(const Aval& a) {
    to_.outputs.push_back(a);
    return add_buffer(kernel::BufferKind::output, static_cast<int>(to_.outputs.size()) - 1, a);
  }

  void add_result(Atom a) {
    ProgramPlan::Result r{-1, -1, j_.aval(a)};
    int buffer;
    if (a.is_literal()) {
      buffer = add_output(r.aval);
      literal_outputs_.emplace_back(a, buffer);
    } else {
      const std::uint32_t root = root_[a.var().id];
      if (buffer_[root] < 0) buffer_[root] = add_output(j_.vars[root]);
      buffer = buffer_[root];
    }
    const kernel::BufferInfo& b = to_.plan.buffers[static_cast<std::size_t>(buffer)];
    (b.kind == kernel::BufferKind::input ? r.input : r.output) = b.position;
    to_.results.push_back(std::move(r));
  }

  void fill(Atom literal, int output) {
    const kernel::Constant c = constant(literal);
    const int buffers[] = {output};
    kernel::append(&to_.plan, kernel::fill_program(c.dtype, 1, c.value.data()), buffers);
  }
  kernel::Constant constant(Atom literal) const {
    const HostScalar& number = j_.literals[literal.literal_index()].value;
    kernel::Constant c{number.dtype};
    number.store(c.value.data());
    return c;
  }

  int buffer_of(Atom a) {
    if (!a.is_literal()) return buffer_[root_[a.var().id]];
    const auto [it, fresh] = constants_.try_emplace(a.literal_index(), 0);
    if (fresh) {
      const kernel::Constant c = constant(a);
      it->second = to_.plan.add_constant(c.dtype, c.value.data());
    }
    return it->second;
  }
  int result_buffer(Var v) {
    int& b = buffer_[v.id];
    if (b < 0) b = add_buffer(kernel::BufferKind::temporary, 0, j_.aval(v));
    return b;
  }

  void add_steps(const JaxprEqn& e) {
    SmallVec<Aval, 4> in;
    AvalVec out;
    std::vector<int> buffers;
    for (Atom a : j_.inputs(e)) {
      in.push_back(j_.aval(a));
      buffers.push_back(buffer_of(a));
    }
    for (Atom a : j_.outputs(e)) {
      out.push_back(j_.aval(a));
      buffers.push_back(result_buffer(a.var()));
    }
    if (e.primitive->regions || (e.primitive->run && !e.primitive->emit)) {
      const auto middle = buffers.begin() + static_cast<std::ptrdiff_t>(in.size());
      auto equation = std::make_shared<const PlannedEquation>(
          PlannedEquation{*e.primitive, e.params, AvalVec(std::span<const Aval>(in.data(), in.size())), out});
      to_.plan.steps.push_back(kernel::EquationCall{
          e.primitive->name, std::move(equation), {buffers.begin(), middle}, {middle, buffers.end()}, {}});
      return;
    }
    kernel::Plan plan = plan_of_equation({*e.primitive, e.params}, in, out);
    for (std::size_t b = buffers.size(); b < plan.buffers.size(); ++b)
      buffers.push_back(to_.plan.add_temporary(plan.buffers[b].bytes));
    for (kernel::Step& step : plan.steps) {
      std::visit([&](auto& s) { kernel::each_buffer(s, [&](int& b) { b = buffers[static_cast<std::size_t>(b)]; }); },
                 step);
      to_.plan.steps.push_back(std::move(step));
    }
  }

  const Jaxpr& j_;
  ProgramPlan to_;
  int inputs_ = 0;
  std::vector<std::uint32_t> root_;  // of a variable: the one whose elements it has
  std::vector<int> buffer_;          // of a root; -1: none yet
  std::unordered_map<std::uint32_t, int> constants_;
  std::vector<std::pair<Atom, int>> literal_outputs_;
};

}  // namespace

ProgramPlan to_plan(const Jaxpr& j) { return Scheduler(j).run(); }

}  // namespace cotan
