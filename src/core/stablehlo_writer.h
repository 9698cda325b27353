// The text of StableHLO, in MLIR's generic form: what rules write with. The cost is linear in the text.
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>

#include "core/stablehlo_rule.h"
#include "cotan/function_ref.h"

namespace cotan {

std::string hlo_text(const HloType&);           // tensor<4x3xf32>
std::string hlo_element(DType);                 // f32, ui8, complex<f32>
std::string hlo_number(const HostScalar&);      // as in dense<...>; NaN and infinities by their bits
std::string hlo_ints(const IntList&);           // array<i64: 0, 1>
std::string hlo_list(const IntList&);           // [0, 1]
std::string hlo_symbol(std::string_view name);  // of a function: letters, digits and _ only

// One function. Values are named as they are made.
class HloWriter {
 public:
  using Operands = std::span<const HloValue>;
  using OperandList = std::initializer_list<HloValue>;

  // --- the function ---------------------------------------------------------------------------------------------------------
  HloValues begin_function(std::string_view visibility, const std::string& name, std::span<const HloType> arguments,
                           std::span<const HloType> results);
  void end_function(Operands results);
  std::string take_text() { return std::move(text_); }

  // --- operations; attributes as they stand in {...} ------------------------------------------------------------------------
  HloValue op(const char* name, Operands, const HloType& result, std::string_view attributes = {});
  HloValue op(const char* name, OperandList l, const HloType& result, std::string_view attributes = {}) {
    return op(name, Operands(l.begin(), l.size()), result, attributes);
  }
  HloValues call(const std::string& function, Operands, std::span<const HloType> results);

  // Of several results, or with regions, which get arguments of these types and append what they return.
  using Body = FunctionRef<void(Operands arguments, HloValues& results)>;
  struct Region {
    std::span<const HloType> arguments;
    Body body;
  };
  HloValues op_with_regions(const char* name, Operands, std::span<const Region>, std::span<const HloType> results,
                            std::string_view attributes = {});

  // --- constants --------------------------------------------------------------------------------------------------------------
  HloValue constant(const HloType&, const HostScalar&);  // the same everywhere
  HloValue constant(const HloType&, double);             // complex: the real part
  HloValue dense(const HloType&, const void* elements);  // row-major

  // --- frequent operations ------------------------------------------------------------------------------------------------------
  HloValue unary(const char* name, const HloValue& x) { return op(name, {x}, x.type); }
  HloValue binary(const char* name, const HloValue& x, const HloValue& y) { return op(name, {x, y}, x.type); }
  HloValue compare(const HloValue& x, const HloValue& y, const char* direction, bool total_order = false);
  HloValue select(const HloValue& which, const HloValue& if_true, const HloValue& if_false);
  HloValue convert(const HloValue&, DType);  // as convert_element_type
  HloValue broadcast(const HloValue&, const Shape&, const IntList& dimensions);
  HloValue broadcast_to(const HloValue&, const Shape&);  // as elementwise operands: scalars, and sizes of 1
  HloValue reshape(const HloValue&, const Shape&);
  HloValue slice(const HloValue&, const IntList& start, const IntList& limit, const IntList& strides);
  HloValue concatenate(Operands, int dimension);
  HloValue iota(const HloType&, int dimension);

 private:
  void line() { text_.append(static_cast<std::size_t>(2 * depth_), ' '); }
  std::uint32_t begin_op(const char* name, Operands, std::size_t results);
  void end_op(Operands, std::span<const HloType> results, std::string_view attributes);
  void put(const HloValue&);
  void put(const HloType&);
  void put_values(Operands);
  void put_types(Operands);
  void put_region(const Region&);
  void put_return(const char* name, Operands);
  HloValue constant_of(const HloType&, std::string_view elements);

  std::string text_;
  int depth_ = 1;
  std::uint32_t next_ = 0;
};

}  // namespace cotan
