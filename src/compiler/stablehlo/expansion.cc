// Programs of primitives that have no operation in StableHLO.
#include "compiler/stablehlo/functions.h"
#include "core/jaxpr_trace.h"

namespace cotan::stablehlo {

bool moves_keys(const Primitive& p, std::span<const Aval> in) {
  if (p.kind == Kind::opaque || p.kind == Kind::call || !p.batching) return false;
  for (const Aval& a : in)
    if (is_key(a.dtype)) return true;
  return false;
}

namespace {

// The words of each key are a batch of examples, all of which are moved alike: the rule of batching says how.
void move_words(const Primitive& p, const ParamsRef& params, std::span<const Aval> in, std::span<const Array> args,
                ArrayVec& out, DimVec& out_dims) {
  DimVec dims;
  std::int64_t words = 0;
  for (const Aval& a : in) {
    dims.push_back(is_key(a.dtype) ? a.ndim() : not_mapped);
    if (is_key(a.dtype)) words = HloType(a).shape.back();
  }
  const std::string unnamed;
  p.batching.function()({{p, params}, args, dims, words, unnamed}, out, out_dims);
}

}  // namespace

ExpandedProgram expanded_program(const Primitive& p, const ParamsRef& params, std::span<const Aval> in) {
  const bool words = moves_keys(p, in);
  TraceLife<JaxprTrace> trace;
  ArrayVec args, out;
  DimVec word_dims;
  for (const Aval& a : in) {
    const HloType t(a);
    args.push_back(trace->new_input(words ? Aval{t.shape, t.dtype, false} : a));
  }
  {
    CurrentTrace current(trace.get());
    if (words) move_words(p, params, in, args, out, word_dims);
    else out.push_back(p.stablehlo.expand()({p, params}, args));
  }
  return {trace->finish(out), std::move(word_dims)};
}

}  // namespace cotan::stablehlo
