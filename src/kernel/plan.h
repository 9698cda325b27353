// A Plan is the schedule of a computation: tile programs and library calls over numbered buffers. Plain data.
//
//   plan
//   b0 input 0 4096
//   b1 output 0 4096
//   b2 temporary 0 64
//   b3 constant 4 0000803f
//   program [1024]
//     ...
//   end
//   call dot (b0 f32 +0, b1 f32 +0) -> (b2 f32 +0) params [1, 2, 3]
//   end
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "kernel/library_op.h"
#include "kernel/program.h"

namespace cotan::kernel {

enum class BufferKind : std::uint8_t { input, output, temporary, constant };
struct BufferInfo {
  BufferKind kind = BufferKind::temporary;
  int position = 0;  // among inputs, outputs or constants; 0 for temporaries
  std::int64_t bytes = 0;
};

struct BufferRef {
  int buffer = -1;  // -1: an output that is not wanted
  DType dtype = DType::float32;
  std::int64_t offset = 0;  // elements
};

struct LibraryCall {
  LibraryOp op = LibraryOp::dot;
  std::vector<BufferRef> inputs, outputs;
  std::vector<std::int64_t> params;  // as the operation's own struct encodes them
};

// Programs over the same outermost loop, and gathers along it, run a block of its rows at a time, so that what one hands to the next
// stays in cache. Each row reads and writes its own rows of `buffers`; what they read of others is the same for all rows.
struct Blocks {
  struct Row {
    int buffer = -1;
    std::int64_t bytes = 0;  // from one row to the next
    bool local = false;      // its rows are needed within the block only: there is memory for one block
  };
  std::int64_t rows = 0, block = 0;
  std::vector<Row> buffers;
  std::vector<std::variant<Program, LibraryCall>> steps;  // their outermost loop has `block` rows
};

// An equation that runs other programs or a user's function: what it is, only the layers above know.
struct EquationCall {
  const char* name = "";
  std::shared_ptr<const void> equation;
  std::vector<int> inputs, outputs;  // buffers
  std::vector<Alias> aliases;        // positions: an output that may be the same memory as an input
};

using Step = std::variant<Program, LibraryCall, EquationCall, Blocks>;

struct Plan {
  std::vector<BufferInfo> buffers;
  std::vector<Step> steps;                           // in order
  std::vector<std::array<std::byte, 16>> constants;  // the elements in buffers that are constants

  int add_input(std::int64_t bytes);  // the number of the new buffer
  int add_output(std::int64_t bytes);
  int add_temporary(std::int64_t bytes);
  int add_constant(DType, const void* element);
  int input_count() const;
  int output_count() const;
};

// Calls f(int&) with every buffer that the step names.
template <class F> void each_buffer(Program& p, F f) {
  for (Source& s : p.sources) {
    if (s.kind == SourceKind::memory) f(s.buffer);
    for (Start& t : s.starts) f(t.buffer);
  }
  for (Store& s : p.stores) {
    f(s.buffer);
    for (Start& t : s.starts) f(t.buffer);
  }
  if (p.reduction) f(p.reduction->buffer);
  for (Alias& a : p.aliases) f(a.output), f(a.input);
}
template <class F> void each_buffer(LibraryCall& c, F f) {
  for (BufferRef& r : c.inputs) f(r.buffer);
  for (BufferRef& r : c.outputs)
    if (r.buffer >= 0) f(r.buffer);
}
template <class F> void each_buffer(Blocks& c, F f) {
  for (Blocks::Row& r : c.buffers) f(r.buffer);
  for (auto& step : c.steps) std::visit([&](auto& s) { each_buffer(s, f); }, step);
}
template <class F> void each_buffer(EquationCall& c, F f) {
  for (int& b : c.inputs) f(b);
  for (int& b : c.outputs) f(b);
}

// The buffers that a step reads, and those that it writes, but for what is local to blocks; a library call may read what it
// writes. Repeated where it is so.
std::vector<int> reads_of(const Step&);
std::vector<int> writes_of(const Step&);

// Whether the step may write buffer `to` over buffer `from`, which it reads and nothing needs afterwards.
bool may_write_over(const Step&, int to, int from);

// Takes out the temporaries and constants that no step names.
void drop_unused_buffers(Plan*);

// Adds `program` with its buffer i renamed to buffers[i].
void append(Plan*, Program program, std::span<const int> buffers);

std::string verify(
    const Plan&);  // empty when well formed: every buffer read was given or written before, all in bounds
std::string to_text(const Plan&);
bool parse_plan(std::string_view text, Plan* out, std::string* error);

}  // namespace cotan::kernel
