// How an equation is written as StableHLO: the field `stablehlo` of a primitive's record.
#pragma once
#include "core/rules.h"

namespace cotan {

class HloWriter;  // core/stablehlo_writer.h

// The type of a tensor. Keys are their words, uint32 in a last dimension; float0 is bool.
struct HloType {
  Shape shape;
  DType dtype = DType::float32;
  HloType() = default;
  HloType(Shape s, DType d) : shape(std::move(s)), dtype(d) {}
  explicit HloType(const Aval&);
};
// A value of the function that is being written.
struct HloValue {
  HloType type;
  std::uint32_t id = 0;
  std::int32_t result = -1;  // of an operation that has several
};
using HloValues = SmallVec<HloValue, 2>;

struct HloIn : EqnContext {
  std::span<const Aval> in, out;
  std::span<const HloValue> operands;
};
// Writes operations; appends the equation's results.
using HloEmit = void(const HloIn&, HloWriter&, HloValues& results);
// The one result by simpler primitives. It is traced once for each type of operands and written as a function.
using HloExpand = Array(const EqnContext&, std::span<const Array> in);

// An elementwise primitive's operation by its name, a rule that writes or expands, or the statement that there is none and why.
class HloRule {
 public:
  constexpr HloRule() = default;
  constexpr HloRule(const char* operation) : operation_(operation) {}
  template <class L>
  requires std::is_convertible_v<L, HloEmit*>
  constexpr HloRule(L rule) : emit_(rule) {}
  template <class L>
  requires std::is_convertible_v<L, HloExpand*>
  constexpr HloRule(L rule) : expand_(rule) {}
  constexpr HloRule(NoRule absence) : reason_(absence.reason) {}

  constexpr bool is_set() const { return operation_ || emit_ || expand_ || reason_; }
  const char* operation() const { return operation_; }
  HloEmit* emit() const { return emit_; }
  HloExpand* expand() const { return expand_; }
  const char* reason() const { return reason_; }  // why there is none

 private:
  const char* operation_ = nullptr;
  HloEmit* emit_ = nullptr;
  HloExpand* expand_ = nullptr;
  const char* reason_ = nullptr;
};

}  // namespace cotan
