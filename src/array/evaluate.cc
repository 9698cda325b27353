// Evaluation of one equation on concrete arrays: elementwise operations go straight to their tile function; everything
// else goes through a plan, made once per primitive, parameters and operand types.
#include <cstring>

#include "array/debug_values.h"
#include "array/executable.h"
#include "array/host_array.h"
#include "array/plan_cache.h"
#include "kernel/vm.h"

namespace cotan {

namespace {

// --- elementwise: no plan -------------------------------------------------------------------------------------------------
void run_direct(kernel::TileFn fn, const Primitive& p, const ParamsRef& params, std::span<const Array> in,
                HostArray* out) {
  kernel::ElementwiseOperand operands[max_direct_operands];
  for (std::size_t i = 0; i < in.size(); ++i) {
    const Aval& a = in[i].aval();
    operands[i] = {bytes_of(in[i]), a.ndim() == 0 && out->aval.ndim() != 0,
                   static_cast<std::uint8_t>(item_size(a.dtype))};
  }
  const std::uint32_t aux = p.tile_aux ? p.tile_aux({p, params}) : 0;
  kernel::run_elementwise(fn, static_cast<std::size_t>(out->aval.size()), out->elements(),
                          static_cast<std::uint8_t>(item_size(out->aval.dtype)), operands, static_cast<int>(in.size()),
                          aux);
}

// The type of the result of the commonest case, without the checks of infer: false where it is not that case.
bool quick_aval(const Primitive& p, std::span<const Array> in, Aval* out) {
  if (p.abstract_eval || p.kind != Kind::elementwise || in.empty()) return false;
  const Aval& a = in[0].aval();
  if (!p.dtypes.contains(a.dtype)) return false;
  if (in.size() == 2) {
    const Aval& b = in[1].aval();
    if (a.dtype != b.dtype) return false;
    if (!(a.shape == b.shape) && a.ndim() != 0 && b.ndim() != 0) return false;
    *out = {a.ndim() ? a.shape : b.shape, a.dtype, a.weak_type && b.weak_type};
    return true;
  }
  if (in.size() > 2) return false;
  *out = a;
  return true;
}

void run_planned(const Primitive& p, const ParamsRef& params, std::span<const Array> in, ArrayVec& out) {
  SmallVec<Aval, 4> in_avals;
  for (const Array& a : in) in_avals.push_back(a.aval());
  AvalVec out_avals;
  infer(p, params, in_avals, out_avals);
  // No bytes move: the result shares the operand's memory.
  if (p.keeps_elements && p.keeps_elements({p, params}) && out_avals[0].size() == in[0].size())
    return out.push_back(Array(HostArray::view(out_avals[0], in[0])));
  SmallVec<const void*, 4> inputs;
  for (const Array& a : in) inputs.push_back(bytes_of(a));
  SmallVec<void*, 2> outputs;
  for (const Aval& a : out_avals) {
    HostArray* h = HostArray::make(a);
    out.push_back(Array(h));
    outputs.push_back(h->elements());
  }
  if (out_avals.size() == 1) {
    Array& result = out[out.size() - 1];
    if (kernel::TileFn fn = direct_tile(p, in_avals, out_avals[0]))
      return run_direct(fn, p, params, in, static_cast<HostArray*>(result.node()));
  }
  cached_plan(p, params, in_avals, out_avals)->run(inputs, outputs);
}

void evaluate_now(const Primitive& p, const ParamsRef& params, std::span<const Array> in, ArrayVec& out) {
  Aval aval;
  if (quick_aval(p, in, &aval)) {
    if (kernel::TileFn fn = p.tile ? tile_op(p)->fn[static_cast<int>(in[0].dtype())] : nullptr) {
      HostArray* h = HostArray::make(aval);
      out.push_back(Array(h));
      return run_direct(fn, p, params, in, h);
    }
  }
  if (const ClosedJaxpr* called = called_program(p, params)) return run_called(*called, in, out);
  if (p.run) return p.run({p, params}, in, out);
  if (p.regions) return run_regions({p, params}, in, out);
  run_planned(p, params, in, out);
}

void evaluate(const Primitive& p, const ParamsRef& params, std::span<const Array> in, ArrayVec& out) {
  const std::size_t before = out.size();
  evaluate_now(p, params, in, out);
  if (debugs_values()) check_values({p, params}, in, std::span<const Array>(out.data() + before, out.size() - before));
}

Array from_bytes(const Aval& a, const void* bytes) {
  HostArray* h = HostArray::make(a);
  if (h->bytes()) std::memcpy(h->elements(), bytes, h->bytes());
  return Array(h);
}

}  // namespace

void install_host_evaluation() { install_evaluation_hook({evaluate, from_bytes}); }

}  // namespace cotan
