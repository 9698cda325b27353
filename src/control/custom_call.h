// What custom_jvp and custom_vjp have in common. P is the struct of parameters, with `called`.
#pragma once
#include <atomic>

#include "control/custom.h"
#include "control/jit.h"

namespace cotan::custom {

template <class T> const T& as(const CallableRef& c) { return static_cast<const T&>(*c); }

// The function itself until a trace records it, then its program, whose constants are the first operands.
struct Called {
  CallableRef function;
  ClosedJaxpr call_jaxpr;
  int num_consts = 0;
};

template <class P> void call_avals(const AbstractIn& in, AvalVec& out) {
  const Called& c = in.params<P>().called;
  if (c.function) {
    const std::vector<Aval> avals(in.in.begin(), in.in.end());
    for (const Aval& a : flat_make_jaxpr(flat_function_of(c.function), avals).out_avals()) out.push_back(a);
    return;
  }
  const Jaxpr& j = c.call_jaxpr.jaxpr();
  if (j.invars.size() != in.in.size())
    throw TypeError(std::string(in.primitive.name) + ": the program takes " + std::to_string(j.invars.size()) +
                    " operands, got " + std::to_string(in.in.size()));
  for (const Aval& a : out_avals(j)) out.push_back(a);
}

template <class P> Regions call_regions(const EqnContext& c) {
  const Called& called = c.params<P>().called;
  Regions r{.has_rules = true};
  if (called.call_jaxpr.has_value()) r.programs.push_back(&called.call_jaxpr);
  return r;
}

template <class P> void call_run(const EqnContext& c, std::span<const Array> in, ArrayVec& out) {
  for (const Array& a : flat_function_of(c.params<P>().called.function)(Arrays(in.begin(), in.end()))) out.push_back(a);
}

template <class P> Staged call_stage(const EqnContext& c, std::span<const Array> in) {
  P p = c.params<P>();
  Staged s{c.params_ref, ArrayVec(in)};
  if (!p.called.function) return stage_typed(c, in);
  p.called.num_consts = record(flat_function_of(p.called.function), &p.called.call_jaxpr, in, &s.operands);
  p.called.function = nullptr;
  s.params = make_params(std::move(p));
  return s;
}

template <class P> Effects call_effects(const EqnContext& c) {
  const Called& called = c.params<P>().called;
  return called.call_jaxpr.has_value() ? called.call_jaxpr.jaxpr().effects : no_effects;
}

// `rules`: the parameters' rules, without their checks.
template <class P, void (*rules)(P&)>
void call_recall(const EqnContext& c, const ClosedJaxpr& program, std::span<const Array> consts,
                 std::span<const Array> in, ArrayVec& out) {
  P p = c.params<P>();
  p.called = {nullptr, program, p.called.num_consts + static_cast<int>(consts.size())};
  rules(p);
  ArrayVec operands(consts);
  for (const Array& a : in) operands.push_back(a);
  c.primitive.bind(make_params(std::move(p)), operands, out);
}

template <class P> bool call_names_axis(const EqnContext& c, const std::string& axis) {
  return c.params<P>().called.function || regions_name_axis(c, axis);
}

// The arguments proper, behind the constants, which have no derivative.
std::span<const Tangent> own_tangents(const JvpIn& in, int consts);
Tangents with_arrays(Tangents);  // zeros made, but for those of float0

// A call over a batch: the function and its rules, which may capture values of the vmap that the call is in. All they give has its batch
// axis at the front, or nothing has: where no argument has one and the function is not recorded, what runs first finds out.
struct Batch {
  std::vector<int> axes;  // of the arguments
  std::int64_t size;
  std::string name;
  std::uint64_t tag;

  Batch(const BatchIn&, bool is_program);
  Arrays run(const FlatFn& f, const Arrays& args, const std::vector<int>& at) const;
  std::vector<int> axes_without(int consts) const { return {axes.begin() + consts, axes.end()}; }
  int result_axis() const { return *result_ == 0 ? 0 : no_axis; }

 private:
  std::shared_ptr<std::atomic<int>> result_;  // 0: at the front; no_axis; not_known
};
Called batched(const BatchIn&, const Batch&, const Called&, ArrayVec* operands);
void bind_batched(const Batch&, const BatchIn&, ParamsRef, const ArrayVec& operands, ArrayVec& out, DimVec& out_dims);

}  // namespace cotan::custom
