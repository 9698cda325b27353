// vmap: runs a function once for a whole axis of its arguments.
#pragma once
#include "core/primitive.h"

namespace cotan {

struct BatchTracer final : Tracer {
  Array value;
  int dim;  // where value has the batch axis
  BatchTracer(Trace* t, Array v, int d);
};

// Traces of one tag share their tracers. A user's function that a rule holds runs below the vmap that it was called in, in a trace
// of its own: with the tag of that vmap's, what it captures of it has a batch axis there too.
class BatchTrace final : public Trace {
 public:
  BatchTrace(std::int64_t size, std::string name, std::uint64_t its_tag);  // 0: a new tag
  std::int64_t axis_size;
  std::string axis_name;
  std::uint64_t tag;

  Array wrap(const Array& value, int dim);  // the value itself when not_mapped
  void process(const Primitive&, const ParamsRef&, std::span<const Array> in, ArrayVec& out) override;
  const char* kind_name() const override { return "BatchTracer"; }
  const BatchTracer* own(const Array& a) const;
};

// The primitive's batching rule in the current trace; elementwise ones have theirs by kind.
void apply_batching(const BatchIn&, ArrayVec& out, DimVec& out_dims);

}  // namespace cotan
