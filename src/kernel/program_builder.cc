#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "kernel/program.h"

namespace cotan::kernel {

namespace {
[[noreturn]] void broken(const char* what, const char* op, DType d) {
  std::fprintf(stderr, "cotan: internal error: kernel program: %s: %s %s\n", what, op, dtype_name(d));
  std::abort();
}
template <class List> Value last_of(ValueKind kind, const List& list) {
  return {kind, static_cast<std::int32_t>(list.size()) - 1};
}
}  // namespace

Dims broadcast_strides(const IntList& from, const IntList& to) {
  Dims strides = IntList::filled(to.length(), 0);
  std::int64_t step = 1;
  for (int i = from.length() - 1; i >= 0; --i) {
    if (from[i] != 1) strides[i] = step;
    step *= from[i];
  }
  return strides;
}

ProgramBuilder::ProgramBuilder(Dims extents) { program_.extents = std::move(extents); }

Value ProgramBuilder::memory(int buffer, DType dtype, Dims strides, std::int64_t offset, Starts starts) {
  program_.sources.push_back({SourceKind::memory, buffer, dtype, offset, std::move(strides), std::move(starts)});
  return last_of(ValueKind::source, program_.sources);
}

Value ProgramBuilder::contiguous(int buffer, DType dtype) {
  return memory(buffer, dtype, row_major_strides(program_.extents));
}

Value ProgramBuilder::scalar(int buffer, DType dtype) {
  return memory(buffer, dtype, Dims::filled(program_.extents.length(), 0));
}

Value ProgramBuilder::iota(DType dtype, Dims strides, std::int64_t offset) {
  program_.sources.push_back({SourceKind::iota, -1, dtype, offset, std::move(strides)});
  return last_of(ValueKind::source, program_.sources);
}

Value ProgramBuilder::constant(DType dtype, const void* value) {
  Constant c;
  c.dtype = dtype;
  std::memcpy(c.value.data(), value, item_size(dtype));
  program_.constants.push_back(c);
  return last_of(ValueKind::constant, program_.constants);
}

Value ProgramBuilder::apply(const char* op, DType type, std::initializer_list<Value> operands, std::uint32_t aux) {
  const TileOp* t = tiles().find(op);
  if (t == nullptr) broken("no such operation", op, type);
  return apply_to(op, type, t->predicate ? DType::bool_ : type, {operands.begin(), operands.size()}, aux);
}

Value ProgramBuilder::apply_to(const char* op, DType type, DType result, std::span<const Value> operands,
                               std::uint32_t aux) {
  const TileOp* t = tiles().find(op);
  if (t == nullptr || t->fn[static_cast<int>(type)] == nullptr) broken("no such operation", op, type);
  if (static_cast<int>(operands.size()) != t->arity) broken("wrong number of operands", op, type);
  Instruction in;
  in.op = t, in.type = type, in.result = result, in.aux = aux;
  std::copy(operands.begin(), operands.end(), in.operands.begin());
  program_.instructions.push_back(in);
  return last_of(ValueKind::instruction, program_.instructions);
}

Value ProgramBuilder::convert(Value v, DType to) {
  const DType from = dtype_of(v);
  if (from == to) return v;
  if (tiles().convert_fn(from, to) == nullptr) broken("no conversion from this type", dtype_name(to), from);
  Instruction in;
  in.type = from, in.result = to, in.operands[0] = v;
  program_.instructions.push_back(in);
  return last_of(ValueKind::instruction, program_.instructions);
}

void ProgramBuilder::store(Value v, int buffer, Dims strides, std::int64_t offset, Starts starts) {
  program_.stores.push_back({v, buffer, offset, std::move(strides), std::move(starts)});
}

void ProgramBuilder::store_contiguous(Value v, int buffer) { store(v, buffer, row_major_strides(program_.extents)); }

void ProgramBuilder::reduce(Combiner combiner, Value v, std::vector<int> loops, int buffer, DType result) {
  std::sort(loops.begin(), loops.end());
  Reduction r;
  r.combiner = combiner, r.value = v, r.result = result, r.buffer = buffer;
  r.strides = Dims::filled(program_.extents.length(), 0);
  std::int64_t stride = 1;
  for (int l = program_.extents.length() - 1; l >= 0; --l) {
    if (std::find(loops.begin(), loops.end(), l) != loops.end()) continue;
    r.strides[l] = stride;
    stride *= std::max<std::int64_t>(program_.extents[l], 1);
  }
  r.loops = std::move(loops);
  program_.reduction = std::move(r);
}

Program ProgramBuilder::finish() { return std::move(program_); }

Program elementwise_program(const char* op, DType type, DType result, std::int64_t n,
                            std::span<const DType> operand_types, unsigned scalar_mask, std::uint32_t aux) {
  ProgramBuilder b({n});
  Value v[3];
  int k = 0;
  for (DType d : operand_types) {
    v[k] = scalar_mask >> k & 1 ? b.scalar(k, d) : b.contiguous(k, d);
    ++k;
  }
  b.store_contiguous(b.apply_to(op, type, result, {v, operand_types.size()}, aux), k);
  return b.finish();
}

Program convert_program(DType from, DType to, std::int64_t n) {
  ProgramBuilder b({n});
  b.store_contiguous(b.convert(b.contiguous(0, from), to), 1);
  return b.finish();
}

Program copy_program(DType dtype, Dims extents, Dims input_strides, std::int64_t offset) {
  ProgramBuilder b(std::move(extents));
  b.store_contiguous(b.memory(0, dtype, std::move(input_strides), offset), 1);
  return b.finish();
}

Program place_program(DType dtype, Dims extents, Dims output_strides, std::int64_t offset) {
  ProgramBuilder b(std::move(extents));
  b.store(b.contiguous(0, dtype), 1, std::move(output_strides), offset);
  return b.finish();
}

Program fill_program(DType dtype, std::int64_t n, const void* value) {
  ProgramBuilder b({n});
  b.store_contiguous(b.constant(dtype, value), 0);
  return b.finish();
}

Program iota_program(DType dtype, Dims extents, int dimension) {
  Dims strides = Dims::filled(extents.length(), 0);
  strides[dimension] = 1;
  ProgramBuilder b(std::move(extents));
  b.store_contiguous(b.iota(dtype, std::move(strides)), 0);
  return b.finish();
}

Program reduce_program(Combiner combiner, DType dtype, DType result, Dims extents, std::vector<int> axes) {
  ProgramBuilder b(std::move(extents));
  b.reduce(combiner, b.contiguous(0, dtype), std::move(axes), 1, result);
  return b.finish();
}

}  // namespace cotan::kernel
