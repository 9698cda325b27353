// The transformations over flat functions: lists of Arrays in, lists of Arrays out. api/ adds pytrees, argnums and checks
// of what users give; here everything fits already.
#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "core/tangent.h"
#include "cotan/jaxpr.h"

namespace cotan {

using Arrays = std::vector<Array>;
using Tangents = std::vector<Tangent>;
using FlatFn = std::function<Arrays(const Arrays&)>;

// Forward mode: f and its derivative along `tangents`. Tangents of integer inputs are zeros of dtype float0.
struct JvpResult {
  Arrays primals;
  Tangents tangents;
};
JvpResult flat_jvp(const FlatFn& f, const Arrays& primals, const Tangents& tangents);

// A linear function as a jaxpr: its inputs are the tangents of the inputs of f (float0 ones left out: see `wrt`), its
// constants the residuals. Copies share it.
class Linear {
 public:
  Linear(ClosedJaxpr jaxpr, std::vector<Aval> in, std::vector<Aval> out, std::vector<int> out_index);
  Tangents apply(const Tangents& in) const;                  // forward: the jvp
  Tangents transpose(const Tangents& cotangents) const;      // backward: the vjp
  const std::vector<Aval>& in_avals() const { return in_; }  // of the tangents
  const std::vector<Aval>& out_avals() const { return out_; }
  const ClosedJaxpr& jaxpr() const { return jaxpr_; }
  Linear with_residuals(Arrays) const;  // the same function of others

 private:
  ClosedJaxpr jaxpr_;
  std::vector<Aval> in_, out_;
  std::vector<int> out_index_;  // per output: its position among the jaxpr's outputs; -1: zero
};
struct LinearizeResult {
  Arrays primals;
  Linear linear;
};
// f at `primals`, and its derivative there. Inputs of non-inexact dtype have float0 tangents.
LinearizeResult flat_linearize(const FlatFn& f, const Arrays& primals);

// The transpose of a function that is linear in its arguments, traced at the given avals.
Linear flat_linear_jaxpr(const FlatFn& f, const std::vector<Aval>& in);

// vmap. An axis counts from the front and is not negative; no_axis: the argument is shared, or the output does not vary.
// `tag`: of the vmap whose tracers are this one's too (see BatchTrace).
inline constexpr int no_axis = std::numeric_limits<int>::min();
struct BatchedOutput {
  Array value;
  int axis;
};
std::vector<BatchedOutput> flat_vmap(const FlatFn& f, const Arrays& args, const std::vector<int>& in_axes,
                                     std::int64_t axis_size, const std::string& axis_name, std::uint64_t tag = 0);
// The value with its batch axis at `to`, made by broadcasting where the output does not vary.
Array with_batch_axis(const BatchedOutput& out, int to, std::int64_t axis_size);

// Records f at the given avals. Arrays and tracers that f captures become constants. `debug_names`: for messages.
ClosedJaxpr flat_make_jaxpr(const FlatFn& f, const std::vector<Aval>& in);

}  // namespace cotan
