#include "control/reduce.h"

#include <algorithm>

#include "core/interpret.h"
#include "core/jaxpr.h"
#include "core/params_ops.h"
#include "ops/common.h"
#include "ops/structural.h"
#include "ops/structural_checks.h"

namespace cotan {

namespace {

// jaxpr: the computation, of scalars. program: the same over the operands, which follows from it.
struct ReduceParams {
  IntList dimensions;
  ClosedJaxpr jaxpr, program;
  template <class S, class V> static void fields(S& s, V& v) {
    v("dimensions", s.dimensions), v("jaxpr", s.jaxpr), v("program", s.program);
  }
  void pretty(PrettyParams& p) const { p.field("dimensions", dimensions), p.field("jaxpr", jaxpr); }
};

Arrays list(const ArrayVec& v) { return {v.begin(), v.end()}; }

Shape kept_shape(const Shape& shape, const IntList& dimensions) {
  Shape r;
  for (int i = 0; i < shape.ndim(); ++i)
    if (!dimensions.contains(i)) r.push_back(shape[i]);
  return r;
}

void check_program(const Jaxpr& j, std::span<const Aval> operands, std::span<const Aval> inits) {
  const std::size_t n = operands.size();
  if (!j.constvars.empty() || j.invars.size() != 2 * n || j.outvars.size() != n)
    throw TypeError("reduce: the computation must take " + std::to_string(2 * n) + " scalars and give " +
                    std::to_string(n) + ", without constants; it takes " + std::to_string(j.invars.size()) +
                    " and gives " + std::to_string(j.outvars.size()));
  for (std::size_t i = 0; i < n; ++i) {
    const Aval want{Shape(), operands[i].dtype, false}, out = j.aval(j.outvars[i]);
    if (inits[i].ndim() != 0) throw ValueError("reduce found non-scalar initial value: " + inits[i].shape.str());
    if (inits[i].dtype != want.dtype)
      throw TypeError("reduce: the initial value must have the dtype of its operand, got " + inits[i].str() + " for " +
                      operands[i].str());
    if (!(out.shape == want.shape) || out.dtype != want.dtype)
      throw ValueError("reduce: the computation must give what it takes, got " + out.str() + " for " + want.str());
  }
}

void reduce_avals(const AbstractIn& in, AvalVec& out) {
  const auto& p = in.params<ReduceParams>();
  const std::size_t n = in.in.size() / 2;
  if (n == 0 || in.in.size() % 2) throw ValueError("reduce takes operands and an initial value for each");
  const auto operands = in.in.first(n), inits = in.in.subspan(n);
  for (const Aval& a : operands)
    if (!(a.shape == operands[0].shape))
      throw TypeError("reduce: operands must have one shape, got " + a.shape.str() + " and " + operands[0].shape.str());
  if (!ops::distinct(p.dimensions)) throw ValueError("duplicate value in 'axes' of reduction: " + p.dimensions.str());
  for (std::int64_t d : p.dimensions)
    if (d < 0 || d >= operands[0].ndim())
      throw ValueError("reduction axes " + p.dimensions.str() + " contains out-of-bounds indices for " +
                       operands[0].str() + ".");
  check_program(p.jaxpr.jaxpr(), operands, inits);
  for (const Aval& a : operands) out.push_back({kept_shape(a.shape, p.dimensions), a.dtype, false});
}

// The computation over arrays of one size, element by element; `before` may be scalars.
Arrays combine(const Jaxpr& j, const Arrays& before, const Arrays& after) {
  const std::int64_t size = after[0].size();
  Arrays args, results;
  std::vector<int> axes;
  for (const Arrays* side : {&before, &after})
    for (const Array& x : *side) {
      axes.push_back(x.ndim() == 0 && side == &before ? no_axis : 0);
      args.push_back(axes.back() == no_axis ? x : ops::reshape(x, Shape(size)));
    }
  const auto out = flat_vmap(
      [&](const Arrays& x) {
        ArrayVec r;
        interpret(j, {}, x, r);
        return list(r);
      },
      args, axes, size, "");
  for (const BatchedOutput& r : out) results.push_back(ops::reshape(with_batch_axis(r, 0, size), after[0].shape()));
  return results;
}

Arrays rows(const Arrays& xs, std::int64_t first, std::int64_t last, std::int64_t step) {
  Arrays r;
  for (const Array& x : xs) r.push_back(ops::slice_in_dim(x, first, last, step, 0));
  return r;
}

// Neighbours are combined until one is left, which keeps the order of the elements.
Arrays run(const ReduceParams& p, const Arrays& args) {
  const std::size_t count = args.size() / 2;
  const auto half = args.begin() + static_cast<std::ptrdiff_t>(count);
  const Arrays operands(args.begin(), half), inits(half, args.end());
  const Jaxpr& j = p.jaxpr.jaxpr();
  const Shape& shape = operands[0].shape();
  const Shape kept = kept_shape(shape, p.dimensions);
  std::int64_t n = 1;
  IntList order = p.dimensions;
  for (std::int64_t d : p.dimensions) n *= shape[d];
  for (int i = 0; i < shape.ndim(); ++i)
    if (!p.dimensions.contains(i)) order.push_back(i);
  Arrays x;
  if (n == 0 || kept.size() == 0) {
    for (const Array& init : inits) x.push_back(ops::broadcast_to_shape(init, kept));
    return x;
  }
  for (const Array& a : operands) x.push_back(ops::reshape(ops::transpose(a, order), Shape{n, kept.size()}));
  for (; n > 1; n = (n + 1) / 2) {
    Arrays r = combine(j, rows(x, 0, n - n % 2, 2), rows(x, 1, n, 2));
    if (n % 2) {
      const Arrays last = rows(x, n - 1, n, 1);
      for (std::size_t i = 0; i < count; ++i) {
        const Array both[] = {r[i], last[i]};
        r[i] = ops::concatenate(both, 0);
      }
    }
    x = r;
  }
  x = combine(j, inits, x);
  for (Array& a : x) a = ops::reshape(a, kept);
  return x;
}

void reduce_jvp(const JvpIn& in, ArrayVec& out, TangentVec& tangents_out) {
  const auto& p = in.params<ReduceParams>();
  const JvpResult r = flat_jvp([&](const Arrays& x) { return run(p, x); }, Arrays(in.primals.begin(), in.primals.end()),
                               Tangents(in.tangents.begin(), in.tangents.end()));
  for (const Array& a : r.primals) out.push_back(a);
  for (const Tangent& t : r.tangents) tangents_out.push_back(t);
}

void reduce_batching(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  const auto& p = in.params<ReduceParams>();
  std::vector<int> axes;
  for (int d : in.dims) axes.push_back(d == not_mapped ? no_axis : d);
  const auto r = flat_vmap([&](const Arrays& x) { return run(p, x); }, Arrays(in.args.begin(), in.args.end()), axes,
                           in.axis_size, in.axis_name);
  for (const BatchedOutput& b : r) {
    out.push_back(b.value);
    out_dims.push_back(b.axis == no_axis ? not_mapped : b.axis);
  }
}

}  // namespace

constinit const Primitive reduce_p{
    .name = "reduce",
    .doc =
        "The operands, of one shape, combined over `dimensions` by an associative computation of scalars; the initial "
        "values come "
        "first. Neighbours are combined first, so that the depth is the logarithm of the number of elements.",
    .kind = Kind::call,
    .operands = -1,
    .results = -1,
    .params = &params_ops<ReduceParams>,
    .abstract_eval = reduce_avals,
    .jvp = reduce_jvp,
    .transpose = not_linear,
    .batching = reduce_batching,
    .regions = [](const EqnContext& c) { return Regions{.programs = {&c.params<ReduceParams>().program}}; },
    .samples = [] { return std::vector<Sample>(); }};

Arrays bind_reduce(const Arrays& operands, const Arrays& init_values, const ClosedJaxpr& jaxpr,
                   const IntList& dimensions) {
  ArrayVec in, out;
  for (const Array& a : operands) in.push_back(a);
  for (const Array& a : init_values) in.push_back(a);
  ReduceParams p{dimensions, jaxpr, {}};
  AvalVec avals, unused;
  for (const Array& a : in) avals.push_back(a.aval());
  reduce_avals({{reduce_p, make_params(p)}, avals}, unused);
  p.program =
      flat_make_jaxpr([&](const Arrays& x) { return run(p, x); }, std::vector<Aval>(avals.begin(), avals.end()));
  reduce_p.bind(make_params(std::move(p)), in, out);
  return list(out);
}

}  // namespace cotan
