#include "transforms/batching.h"

#include <atomic>

#include "ops/common.h"
#include "transforms/flat.h"

namespace cotan {

namespace {
Aval without_axis(const Aval& a, int dim) {
  Aval r = a;
  r.shape.erase(dim);
  return r;
}
}  // namespace

BatchTracer::BatchTracer(Trace* t, Array v, int d)
    : Tracer(detail::NodeKind::batch, t, without_axis(v.aval(), d)), value(std::move(v)), dim(d) {}

Array BatchTrace::wrap(const Array& value, int dim) {
  return dim == not_mapped ? value : Array(new BatchTracer(this, value, dim));
}

BatchTrace::BatchTrace(std::int64_t size, std::string name, std::uint64_t its_tag)
    : axis_size(size), axis_name(std::move(name)), tag(its_tag) {
  static std::atomic<std::uint64_t> last{0};
  if (tag == 0) tag = ++last;
}

const BatchTracer* BatchTrace::own(const Array& a) const {
  const Tracer* t = as_tracer(a);
  if (!t || t->kind != detail::NodeKind::batch) return nullptr;
  return static_cast<const BatchTrace&>(*t->trace).tag == tag ? static_cast<const BatchTracer*>(t) : nullptr;
}

void BatchTrace::process(const Primitive& p, const ParamsRef& params, std::span<const Array> in, ArrayVec& out) {
  CurrentTrace current(parent.get());
  ArrayVec values;
  DimVec dims;
  bool any = p.names_axis && p.names_axis({p, params}, axis_name);
  for (const Array& a : in) {
    const BatchTracer* t = own(a);
    any |= t != nullptr;
    values.push_back(t ? t->value : a);
    dims.push_back(t ? t->dim : not_mapped);
  }
  if (!any) return p.bind(params, values, out);
  ArrayVec results;
  DimVec result_dims;
  apply_batching({{p, params}, values, dims, axis_size, axis_name, tag}, results, result_dims);
  for (std::size_t i = 0; i < results.size(); ++i) out.push_back(wrap(results[i], result_dims[i]));
}

void apply_batching(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  const Primitive& p = in.primitive;
  if (p.batching) return p.batching.function()(in, out, out_dims);
  if (p.batching.is_set())
    throw NotImplementedError("Batching rule for '" + std::string(p.name) +
                              "' not implemented: " + p.batching.reason());
  ops::batch_elementwise(in, out, out_dims);
}

std::vector<BatchedOutput> flat_vmap(const FlatFn& f, const Arrays& args, const std::vector<int>& in_axes,
                                     std::int64_t axis_size, const std::string& axis_name, std::uint64_t tag) {
  TraceLife<BatchTrace> trace(axis_size, axis_name, tag);
  Arrays in;
  for (std::size_t i = 0; i < args.size(); ++i)
    in.push_back(trace->wrap(args[i], in_axes[i] == no_axis ? not_mapped : in_axes[i]));
  Arrays out;
  {
    CurrentTrace current(trace.get());
    AxisScope axis(axis_name, axis_size);
    out = f(in);
  }
  std::vector<BatchedOutput> r;
  for (const Array& a : out) {
    check_usable(a);
    const BatchTracer* t = trace->own(a);
    r.push_back(t ? BatchedOutput{t->value, t->dim} : BatchedOutput{a, no_axis});
  }
  return r;
}

Array with_batch_axis(const BatchedOutput& out, int to, std::int64_t axis_size) {
  if (out.value.dtype() == DType::float0) {  // has no elements to move
    Shape shape = out.value.shape();
    if (out.axis != no_axis) shape.erase(out.axis);
    shape.insert(to, axis_size);
    return ops::zeros_of({shape, DType::float0});
  }
  if (out.axis != no_axis) return ops::move_axis(out.value, out.axis, to);
  return ops::move_axis(ops::with_batch_front(out.value, not_mapped, axis_size), 0, to);
}

}  // namespace cotan
