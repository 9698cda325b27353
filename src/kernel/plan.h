// A Plan is the schedule of a computation: tile programs and library calls over numbered buffers. Plain data.
//
//   plan
//   b0 input 0 4096
//   b1 output 0 4096
//   b2 temporary 0 64
//   donation 0 0
//   program [1024]
//     ...
//   end
//   call dot (b0 f32 +0, b1 f32 +0) -> (b2 f32 +0) params [1, 2, 3]
//   end
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "kernel/library_op.h"
#include "kernel/program.h"

namespace cotan::kernel {

enum class BufferKind : std::uint8_t { input, output, temporary };
struct BufferInfo {
  BufferKind kind = BufferKind::temporary;
  int position = 0;  // among inputs or among outputs; 0 for temporaries
  std::int64_t bytes = 0;
};

struct BufferRef {
  int buffer = -1;
  DType dtype = DType::float32;
  std::int64_t offset = 0;  // elements
};

struct LibraryCall {
  LibraryOp op = LibraryOp::dot;
  std::vector<BufferRef> inputs, outputs;
  std::vector<std::int64_t> params;  // as the operation's own struct encodes them
};

using Step = std::variant<Program, LibraryCall>;

// Output at position `output` may take the memory of the input at position `input`, if the caller gives it up.
struct Donation {
  int output = -1, input = -1;
};

struct Plan {
  std::vector<BufferInfo> buffers;
  std::vector<Step> steps;  // in order
  std::vector<Donation> donations;

  int add_input(std::int64_t bytes);  // the number of the new buffer
  int add_output(std::int64_t bytes);
  int add_temporary(std::int64_t bytes);
  int input_count() const;
  int output_count() const;
};

// Adds `program` with its buffer i renamed to buffers[i].
void append(Plan*, Program program, std::span<const int> buffers);

std::string verify(
    const Plan&);  // empty when well formed: every buffer read was given or written before, all in bounds
std::string to_text(const Plan&);
bool parse_plan(std::string_view text, Plan* out, std::string* error);

}  // namespace cotan::kernel
