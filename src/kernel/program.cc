#include "kernel/program.h"

#include <algorithm>

#include "kernel/reduce.h"

namespace cotan::kernel {

const char* combiner_name(Combiner c) {
  constexpr const char* names[combiner_count] = {"sum", "prod", "max", "min", "and", "or", "xor", "argmax", "argmin"};
  return names[static_cast<int>(c)];
}

DType Program::dtype_of(Value v) const {
  const auto i = static_cast<std::size_t>(v.index);
  switch (v.kind) {
    case ValueKind::source: return sources[i].dtype;
    case ValueKind::constant: return constants[i].dtype;
    case ValueKind::instruction: return instructions[i].result;
  }
  return DType::float0;
}

std::int64_t Program::iterations() const { return extents.product(); }

Dims row_major_strides(const Dims& extents) {
  Dims strides = Dims::filled(extents.length(), 1);
  if (extents.contains(0)) return strides;  // no element; the other extents may be too large to multiply
  for (int l = extents.length() - 2; l >= 0; --l)
    strides[l] = strides[l + 1] * std::max<std::int64_t>(extents[l + 1], 1);
  return strides;
}

namespace {

// The checks of one program; the first complaint is kept.
class Verifier {
 public:
  Verifier(const Program& p, std::span<const std::int64_t> bytes) : p_(p), bytes_(bytes) {}

  std::string run() {
    if (p_.extents.length() > max_loops) return "more than 64 loops";
    for (std::int64_t e : p_.extents)
      if (e < 0) return "a negative extent";
    for (std::size_t i = 0; i < p_.sources.size() && ok(); ++i) check_source(p_.sources[i], i);
    for (std::size_t i = 0; i < p_.instructions.size() && ok(); ++i) check_instruction(p_.instructions[i], i);
    for (const Store& s : p_.stores)
      if (ok()) check_store(s);
    if (ok() && p_.reduction) check_reduction(*p_.reduction);
    if (ok() && p_.reduction && !p_.stores.empty()) fail("both stores and a reduction");
    if (ok() && !p_.reduction && p_.stores.empty()) fail("no store and no reduction");
    for (const Alias& a : p_.aliases)
      if (ok() && !may_alias(p_, a.output, a.input))
        fail("b" + std::to_string(a.output) + " cannot take the memory of b" + std::to_string(a.input));
    return error_;
  }

 private:
  bool ok() const { return error_.empty(); }
  void fail(std::string why) {
    if (ok()) error_ = std::move(why);
  }

  void check_source(const Source& s, std::size_t i) {
    const std::string who = "s" + std::to_string(i);
    check_starts(who, s.starts);
    if (!ok()) return;
    if (s.kind == SourceKind::memory) return check_access(who, s.buffer, s.dtype, s.offset, s.strides, 0, s.starts);
    if (s.buffer != -1) fail(who + ": an iota has no buffer");
    if (s.strides.length() != p_.extents.length()) fail(who + ": one stride per loop is needed");
    if (item_size(s.dtype) == 0 || is_key(s.dtype)) fail(who + ": no iota of this type");
  }

  void check_instruction(const Instruction& in, std::size_t i) {
    const std::string who = "t" + std::to_string(i);
    if (in.op == nullptr) {
      if (tiles().convert_fn(in.type, in.result) == nullptr) fail(who + ": no such conversion");
    } else if (in.op->fn[static_cast<int>(in.type)] == nullptr) {
      fail(who + ": " + in.op->name + " does not exist for " + dtype_name(in.type));
    }
    const int arity = in.op == nullptr ? 1 : in.op->arity;
    for (int k = 0; k < 3 && ok(); ++k) {
      const Value v = in.operands[static_cast<std::size_t>(k)];
      if (k >= arity) {
        if (v.valid()) fail(who + ": more operands than the operation takes");
        continue;
      }
      if (!defined(v, static_cast<std::int32_t>(i)))
        return fail(who + ": operand " + std::to_string(k) + " is not defined before it is used");
      check_operand_type(in, who, k, p_.dtype_of(v));
    }
    if (ok() && in.op != nullptr && in.op->predicate && in.result != DType::bool_)
      fail(who + ": a predicate's result is bool");
  }

  // One operand at least has the type that keys the operation; the others may be bool (a mask), real parts, or integers (a count).
  void check_operand_type(const Instruction& in, const std::string& who, int k, DType d) {
    if (in.op == nullptr ? d == in.type : d == in.type || d == DType::bool_) return;
    if (in.op != nullptr && k > 0 && (is_integer(d) || d == real_dtype(in.type))) return;
    fail(who + ": operand " + std::to_string(k) + " is " + dtype_name(d) + ", not " + dtype_name(in.type));
  }

  bool defined(Value v, std::int32_t before) const {
    if (!v.valid()) return false;
    switch (v.kind) {
      case ValueKind::source: return v.index < static_cast<std::int32_t>(p_.sources.size());
      case ValueKind::constant: return v.index < static_cast<std::int32_t>(p_.constants.size());
      case ValueKind::instruction: return v.index < before;
    }
    return false;
  }

  void check_store(const Store& s) {
    const std::string who = "store to b" + std::to_string(s.buffer);
    if (!defined(s.value, static_cast<std::int32_t>(p_.instructions.size())))
      return fail(who + ": the value is not defined");
    check_starts(who, s.starts);
    if (ok()) check_access(who, s.buffer, p_.dtype_of(s.value), s.offset, s.strides, 0, s.starts);
    for (int l = 0; l < p_.extents.length() && ok(); ++l)
      if (p_.extents[l] > 1 && s.strides[l] == 0) fail(who + ": writes one element more than once");
  }

  void check_reduction(const Reduction& r) {
    const std::string who = std::string("reduce ") + combiner_name(r.combiner);
    if (!defined(r.value, static_cast<std::int32_t>(p_.instructions.size())))
      return fail(who + ": the value is not defined");
    std::uint64_t mask = 0;
    int last = -1;
    for (int l : r.loops) {
      if (l <= last || l >= p_.extents.length()) return fail(who + ": loops must ascend and exist");
      mask |= std::uint64_t{1} << l;
      last = l;
    }
    const DType d = p_.dtype_of(r.value);
    if (is_arg(r.combiner) ? !is_integer(r.result) : r.result != d)
      fail(who + ": the result cannot be " + dtype_name(r.result));
    if (!reduction_exists(r.combiner, d)) fail(who + ": does not exist for " + dtype_name(d));
    check_access(who, r.buffer, r.result, r.offset, r.strides, mask);
    for (int l = 0; l < p_.extents.length() && ok(); ++l)
      if (!(mask >> l & 1) && p_.extents[l] > 1 && r.strides[l] == 0) fail(who + ": writes one element more than once");
  }

  void check_starts(const std::string& who, const Starts& starts) {
    for (const Start& t : starts) {
      if (!is_integer(t.dtype)) return fail(who + ": a start is an integer, not " + dtype_name(t.dtype));
      if (t.limit < 0 || t.wrap < 0) return fail(who + ": a start with no place");
      if (t.buffer < 0 || t.buffer >= static_cast<int>(bytes_.size()))
        return fail(who + ": no buffer b" + std::to_string(t.buffer));
      if (bytes_[static_cast<std::size_t>(t.buffer)] < static_cast<std::int64_t>(item_size(t.dtype)))
        return fail(who + ": no start in b" + std::to_string(t.buffer));
    }
  }

  // `skip`: loops whose stride does not count.
  void check_access(const std::string& who, int buffer, DType d, std::int64_t offset, const Dims& strides,
                    std::uint64_t skip, const Starts& starts = {}) {
    if (item_size(d) == 0) return fail(who + ": " + dtype_name(d) + " has no bits");
    if (strides.length() != p_.extents.length()) return fail(who + ": one stride per loop is needed");
    if (buffer < 0 || buffer >= static_cast<int>(bytes_.size()))
      return fail(who + ": no buffer b" + std::to_string(buffer));
    std::int64_t low = offset, high = offset;
    bool overflow = false;
    const auto reaches = [&](std::int64_t stride, std::int64_t times) {
      std::int64_t reach = 0;
      std::int64_t& end = stride < 0 ? low : high;
      overflow |= __builtin_mul_overflow(stride, times, &reach) || __builtin_add_overflow(end, reach, &end);
    };
    for (int l = 0; l < p_.extents.length(); ++l) {
      if (skip >> l & 1) continue;
      if (p_.extents[l] == 0) return;
      reaches(strides[l], p_.extents[l] - 1);
    }
    for (const Start& t : starts) reaches(t.stride, t.limit);
    const std::int64_t available = bytes_[static_cast<std::size_t>(buffer)] / static_cast<std::int64_t>(item_size(d));
    if (overflow || low < 0 || high >= available) fail(who + ": reaches outside b" + std::to_string(buffer));
  }

  const Program& p_;
  std::span<const std::int64_t> bytes_;
  std::string error_;
};

}  // namespace

std::string verify(const Program& p, std::span<const std::int64_t> buffer_bytes) {
  return Verifier(p, buffer_bytes).run();
}

bool may_alias(const Program& p, int output, int input) {
  const Store* to = nullptr;
  for (const Store& s : p.stores) {
    if (s.buffer != output) continue;
    if (to != nullptr) return false;
    to = &s;
  }
  if (to == nullptr) return false;
  const auto starts_at = [&](const Starts& starts) {
    return std::any_of(starts.begin(), starts.end(), [&](const Start& t) { return t.buffer == input; });
  };
  const std::size_t item = item_size(p.dtype_of(to->value));
  const std::int64_t n = p.iterations();
  for (const Store& s : p.stores)
    if (starts_at(s.starts)) return false;
  for (const Source& s : p.sources) {
    if (starts_at(s.starts)) return false;
    if (s.kind != SourceKind::memory || s.buffer != input) continue;
    if (item_size(s.dtype) != item || s.offset != to->offset || s.starts != to->starts) return false;
    for (int l = 0; l < p.extents.length(); ++l)
      if (n > 1 && p.extents[l] > 1 && s.strides[l] != to->strides[l]) return false;
  }
  return true;
}

}  // namespace cotan::kernel
