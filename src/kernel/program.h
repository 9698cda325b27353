// The kernel IR: a Program is one loop nest that the tile VM runs. Plain data; nothing in it points into buffers.
//
// A program reads arrays (and index ramps), applies tile instructions to them, and stores values, or reduces one value over
// some of its loops. Values are named by what makes them: s0 (a source), c0 (a constant), t0 (an instruction). Its text form,
// one item a line, is what `to_text` prints and `parse_program` reads:
//
//   program [8, 128]
//     s0 = memory b0 f32 +0 [128, 1]
//     c0 = constant f32 0000803f
//     t0 = mul f32 (s0, c0) -> f32
//     t1 = convert f32 (t0) -> f16
//     store t1 b1 +0 [128, 1]
//     alias b1 b0
//   end
//
// An access whose place is known at run time only ends in its starts: "at (b2 i32 <= 7 * 128)".
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cotan/dtype.h"
#include "cotan/shape.h"
#include "kernel/tile.h"

namespace cotan::kernel {

inline constexpr int max_loops = 64;
using Dims = IntList;  // extents or strides, one per loop; strides count elements and may be 0 or negative

enum class ValueKind : std::uint8_t { source, constant, instruction };
struct Value {
  ValueKind kind = ValueKind::source;
  std::int32_t index = -1;  // within its kind; -1: no value
  bool valid() const { return index >= 0; }
  bool operator==(const Value&) const = default;
};

// Added to an offset at run time: the integer that `buffer` begins with, plus `wrap` where it is below 0, clamped to [0, limit],
// times `stride`.
struct Start {
  int buffer = -1;
  DType dtype = DType::int32;
  std::int64_t limit = 0, stride = 0, wrap = 0;
  bool operator==(const Start&) const = default;
};
using Starts = std::vector<Start>;

// Memory: the element at offset + sum(index[l] * strides[l]) of the buffer. Iota: that number itself, converted to dtype.
enum class SourceKind : std::uint8_t { memory, iota };
struct Source {
  SourceKind kind = SourceKind::memory;
  int buffer = -1;  // -1 for iota
  DType dtype = DType::float32;
  std::int64_t offset = 0;
  Dims strides;
  Starts starts = {};
};

struct Constant {
  DType dtype = DType::float32;
  alignas(16) std::array<std::byte, 16> value{};  // the first item_size(dtype) bytes count
};

struct Instruction {
  const TileOp* op = nullptr;       // null: a conversion from `type` to `result`
  DType type = DType::float32;      // the type the operation is keyed by
  DType result = DType::float32;    // the type of the value it makes
  std::array<Value, 3> operands{};  // as many as the arity; the rest not valid()
  std::uint32_t aux = 0;
};

struct Store {
  Value value;
  int buffer = -1;
  std::int64_t offset = 0;
  Dims strides;
  Starts starts = {};
};

enum class Combiner : std::uint8_t { sum, prod, max, min, bit_and, bit_or, bit_xor, argmax, argmin };
inline constexpr int combiner_count = 9;
constexpr bool is_arg(Combiner c) { return c == Combiner::argmax || c == Combiner::argmin; }
const char* combiner_name(Combiner);

// By rows or by columns (see reduce.h): as extents and loops say, or, in a program that computes a part of the results, as
// those of the whole say.
enum class Order : std::uint8_t { of_extents, rows, columns };

// Combines `value` over `loops`, in an order that depends on extents, loops and dtype alone (see reduce.h). NaN wins max, min,
// argmax and argmin; the first of equal elements wins argmax. 16-bit floats are summed and multiplied in float32, rounded once.
// Over no element the result is the combiner's identity (argmax: 0).
struct Reduction {
  Combiner combiner = Combiner::sum;
  Value value;
  std::vector<int> loops;         // ascending; argmax numbers the elements of all of them in row-major order
  DType result = DType::float32;  // the value's type; for argmax and argmin the index type
  int buffer = -1;
  std::int64_t offset = 0;
  Dims strides;  // of the result, one per loop of the program; those of `loops` are ignored
  Order order = Order::of_extents;
};

// Buffer `output` may be the same memory as buffer `input`: every access to either is at the same place in every iteration.
struct Alias {
  int output = -1, input = -1;
};

struct Program {
  Dims extents;  // of the loops, outermost first; none: one iteration; one that is 0: none
  std::vector<Source> sources;
  std::vector<Constant> constants;
  std::vector<Instruction> instructions;  // each uses earlier ones only
  std::vector<Store> stores;
  std::optional<Reduction> reduction;  // either this or stores
  std::vector<Alias> aliases;

  DType dtype_of(Value) const;
  std::int64_t iterations() const;
};

// Empty when the program is well formed and, given the bytes of each buffer, touches nothing outside; else what is wrong.
std::string verify(const Program&, std::span<const std::int64_t> buffer_bytes);
// Whether buffer `output` may be given the memory of buffer `input` (to be recorded in aliases).
bool may_alias(const Program&, int output, int input);

std::string to_text(const Program&);
// False, and *error says why, when the text is not a program.
bool parse_program(std::string_view text, Program* out, std::string* error);

Dims row_major_strides(const Dims& extents);

// Strides that read a row-major array of shape `from` at every position of one of shape `to`: scalars, and sizes of 1, are
// repeated.
Dims broadcast_strides(const IntList& from, const IntList& to);

// Builds a Program value by value. Mistakes (an unknown operation, a dtype it lacks) abort: callers choose operations by dtype first.
class ProgramBuilder {
 public:
  explicit ProgramBuilder(Dims extents);
  Value memory(int buffer, DType, Dims strides, std::int64_t offset = 0, Starts = {});
  Value contiguous(int buffer, DType);  // row-major over all loops
  Value scalar(int buffer, DType);      // one element for all iterations
  Value iota(DType, Dims strides, std::int64_t offset = 0);
  Value constant(DType, const void* value);  // item_size bytes
  template <class T> Value constant_of(DType dtype, T value) {
    static_assert(sizeof(T) <= 16);
    return constant(dtype, &value);
  }
  // `type` keys the operation (for select: the type of the cases); the result is bool for predicates, else `type`, unless said.
  Value apply(const char* op, DType type, std::initializer_list<Value> operands, std::uint32_t aux = 0);
  Value apply_to(const char* op, DType type, DType result, std::span<const Value> operands, std::uint32_t aux = 0);
  Value convert(Value, DType to);  // the value itself when it has that type
  DType dtype_of(Value v) const { return program_.dtype_of(v); }
  void store(Value, int buffer, Dims strides, std::int64_t offset = 0, Starts = {});
  void store_contiguous(Value, int buffer);
  // The result is row-major over the remaining loops.
  void reduce(Combiner, Value, std::vector<int> loops, int buffer, DType result);
  Program finish();

 private:
  Program program_;
};

// Common forms. Inputs are buffers 0, 1, 2 in order; the output is the buffer after them.
// One operation over n contiguous elements; bit i of scalar_mask: operand i is a single element.
Program elementwise_program(const char* op, DType type, DType result, std::int64_t n,
                            std::span<const DType> operand_types, unsigned scalar_mask = 0, std::uint32_t aux = 0);
Program convert_program(DType from, DType to, std::int64_t n);
// Writes the row-major array of `extents` whose element at an index is input[offset + index . strides]:
// broadcast (stride 0), transpose, slice, reverse (negative strides).
Program copy_program(DType, Dims extents, Dims input_strides, std::int64_t offset = 0);
// Copies a row-major array of `extents` into a larger output at offset + index . strides (concatenate, pad, update_slice).
Program place_program(DType, Dims extents, Dims output_strides, std::int64_t offset);
Program fill_program(DType, std::int64_t n, const void* value);  // output is buffer 0
Program iota_program(DType, Dims extents, int dimension);        // output is buffer 0
// Reduces a row-major array of `extents` over `axes`.
Program reduce_program(Combiner, DType, DType result, Dims extents, std::vector<int> axes);

}  // namespace cotan::kernel
