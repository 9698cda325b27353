#include "kernel/plan.h"

#include <algorithm>
#include <cstring>

#include "kernel/text.h"

namespace cotan::kernel {

namespace {
int add(Plan* p, BufferKind kind, int position, std::int64_t bytes) {
  p->buffers.push_back({kind, position, bytes});
  return static_cast<int>(p->buffers.size()) - 1;
}
int count(const Plan& p, BufferKind kind) {
  return static_cast<int>(
      std::count_if(p.buffers.begin(), p.buffers.end(), [&](const BufferInfo& b) { return b.kind == kind; }));
}
}  // namespace

int Plan::add_input(std::int64_t bytes) { return add(this, BufferKind::input, input_count(), bytes); }
int Plan::add_output(std::int64_t bytes) { return add(this, BufferKind::output, output_count(), bytes); }
int Plan::add_temporary(std::int64_t bytes) { return add(this, BufferKind::temporary, 0, bytes); }
int Plan::add_constant(DType d, const void* element) {
  const auto bytes = static_cast<std::int64_t>(item_size(d));
  std::memcpy(constants.emplace_back().data(), element, static_cast<std::size_t>(bytes));
  return add(this, BufferKind::constant, static_cast<int>(constants.size()) - 1, bytes);
}
int Plan::input_count() const { return count(*this, BufferKind::input); }
int Plan::output_count() const { return count(*this, BufferKind::output); }

namespace {
void reads(const Program& p, std::vector<int>* r) {
  const auto starts = [&](const Starts& all) {
    for (const Start& t : all) r->push_back(t.buffer);
  };
  for (const Source& s : p.sources) {
    if (s.kind == SourceKind::memory) r->push_back(s.buffer);
    starts(s.starts);
  }
  for (const Store& s : p.stores) starts(s.starts);
}
void reads(const LibraryCall& c, std::vector<int>* r) {
  for (const BufferRef& b : c.inputs) r->push_back(b.buffer);
}
void reads(const EquationCall& c, std::vector<int>* r) { *r = c.inputs; }

void writes(const Program& p, std::vector<int>* r) {
  for (const Store& s : p.stores) r->push_back(s.buffer);
  if (p.reduction) r->push_back(p.reduction->buffer);
}
void writes(const LibraryCall& c, std::vector<int>* r) {
  for (const BufferRef& b : c.outputs)
    if (b.buffer >= 0) r->push_back(b.buffer);
}
void writes(const EquationCall& c, std::vector<int>* r) { *r = c.outputs; }

void drop_local(const Blocks& c, std::vector<int>* r) {
  std::erase_if(*r, [&](int b) {
    return std::any_of(c.buffers.begin(), c.buffers.end(),
                       [&](const Blocks::Row& x) { return x.buffer == b && x.local; });
  });
}
void reads(const Blocks& c, std::vector<int>* r) {
  for (const auto& step : c.steps) std::visit([&](const auto& s) { reads(s, r); }, step);
  drop_local(c, r);
}
void writes(const Blocks& c, std::vector<int>* r) {
  for (const auto& step : c.steps) std::visit([&](const auto& s) { writes(s, r); }, step);
  drop_local(c, r);
}
}  // namespace

std::vector<int> reads_of(const Step& step) {
  std::vector<int> r;
  std::visit([&](const auto& s) { reads(s, &r); }, step);
  return r;
}

std::vector<int> writes_of(const Step& step) {
  std::vector<int> r;
  std::visit([&](const auto& s) { writes(s, &r); }, step);
  return r;
}

void drop_unused_buffers(Plan* plan) {
  std::vector<int> place(plan->buffers.size(), -1);
  const auto each = [&](auto f) {
    for (Step& s : plan->steps) std::visit([&](auto& step) { each_buffer(step, f); }, s);
  };
  each([&](int& b) { place[static_cast<std::size_t>(b)] = 0; });
  std::vector<BufferInfo> kept;
  for (std::size_t b = 0; b < place.size(); ++b) {
    const BufferKind kind = plan->buffers[b].kind;
    if (place[b] < 0 && kind != BufferKind::input && kind != BufferKind::output) continue;
    place[b] = static_cast<int>(kept.size());
    kept.push_back(plan->buffers[b]);
  }
  plan->buffers = std::move(kept);
  each([&](int& b) { b = place[static_cast<std::size_t>(b)]; });
}

void append(Plan* plan, Program program, std::span<const int> buffers) {
  each_buffer(program, [&](int& b) { b = buffers[static_cast<std::size_t>(b)]; });
  plan->steps.emplace_back(std::move(program));
}

namespace {

const char* kind_name(BufferKind k) {
  constexpr const char* names[] = {"input", "output", "temporary", "constant"};
  return names[static_cast<int>(k)];
}

// Which buffers hold something yet, and what each step does to that.
class PlanVerifier {
 public:
  explicit PlanVerifier(const Plan& p) : p_(p), written_(p.buffers.size()) {}

  std::string run() {
    std::vector<std::int64_t> bytes;
    for (std::size_t i = 0; i < p_.buffers.size(); ++i) {
      bytes.push_back(p_.buffers[i].bytes);
      written_[i] = p_.buffers[i].kind == BufferKind::input || p_.buffers[i].kind == BufferKind::constant;
      if (p_.buffers[i].bytes < 0) return "b" + std::to_string(i) + ": negative size";
    }
    for (std::size_t i = 0; i < p_.steps.size(); ++i) {
      const std::string why = std::visit([&](const auto& s) { return step(s, bytes); }, p_.steps[i]);
      if (!why.empty()) return "step " + std::to_string(i) + ": " + why;
    }
    for (std::size_t i = 0; i < p_.buffers.size(); ++i)
      if (!written_[i] && p_.buffers[i].bytes > 0 && p_.buffers[i].kind == BufferKind::output)
        return "output b" + std::to_string(i) + " is never written";
    return {};
  }

 private:
  std::string read(int b) const {
    const auto i = static_cast<std::size_t>(b);
    return written_[i] || p_.buffers[i].bytes == 0 ? "" : "b" + std::to_string(b) + " is read before it is written";
  }
  std::string write(int b) {
    const auto i = static_cast<std::size_t>(b);
    if (p_.buffers[i].kind == BufferKind::input || p_.buffers[i].kind == BufferKind::constant)
      return std::string(kind_name(p_.buffers[i].kind)) + " b" + std::to_string(b) + " is written";
    written_[i] = true;
    return {};
  }

  std::string step(const Program& p, const std::vector<std::int64_t>& bytes) {
    std::string why = cotan::kernel::verify(p, bytes);
    std::vector<int> from;
    if (why.empty() && p.iterations() > 0) reads(p, &from);
    for (int b : from)
      if (why.empty()) why = read(b);
    for (const Store& s : p.stores)
      if (why.empty()) why = write(s.buffer);
    if (why.empty() && p.reduction) why = write(p.reduction->buffer);
    return why;
  }

  std::string step(const LibraryCall& c, const std::vector<std::int64_t>&) {
    if (static_cast<int>(c.op) >= library_op_count) return "no such library operation";
    std::string why;
    const auto in_range = [&](const BufferRef& r) {
      return r.buffer >= 0 && r.buffer < static_cast<int>(p_.buffers.size()) && r.offset >= 0;
    };
    for (const BufferRef& r : c.inputs)
      if (why.empty()) why = in_range(r) ? read(r.buffer) : "no buffer b" + std::to_string(r.buffer);
    for (const BufferRef& r : c.outputs)
      if (why.empty() && (r.buffer >= 0 || !may_omit_outputs(c.op)))
        why = in_range(r) ? write(r.buffer) : "no buffer b" + std::to_string(r.buffer);
    return why;
  }

  // A block of programs: each is checked on the memory of one block.
  std::string step(const Blocks& c, const std::vector<std::int64_t>& bytes) {
    if (c.block < 1 || c.rows < c.block) return "a block has at least one row and at most all";
    std::vector<std::int64_t> block_bytes = bytes;
    for (const Blocks::Row& r : c.buffers) {
      if (r.buffer < 0 || r.buffer >= static_cast<int>(bytes.size())) return "no buffer b" + std::to_string(r.buffer);
      auto& n = block_bytes[static_cast<std::size_t>(r.buffer)];
      // Of the last row, what programs reach must be there: rows may have gaps between them.
      if (r.bytes < 0 || n < (r.local ? c.block : c.rows - 1) * r.bytes)
        return "rows reach outside b" + std::to_string(r.buffer);
      n -= (r.local ? 0 : c.rows - c.block) * r.bytes;
    }
    std::string why;
    for (const auto& part : c.steps) {
      const auto* p = std::get_if<Program>(&part);
      if (p && (p->extents.empty() || p->extents[0] != c.block)) return "the outermost loop is not that of the block";
      if (why.empty()) why = std::visit([&](const auto& s) { return step(s, block_bytes); }, part);
    }
    return why;
  }

  std::string step(const EquationCall& c, const std::vector<std::int64_t>&) {
    const auto exists = [&](int b) { return b >= 0 && b < static_cast<int>(p_.buffers.size()); };
    std::string why;
    for (int b : c.inputs)
      if (why.empty()) why = exists(b) ? read(b) : "no buffer b" + std::to_string(b);
    for (int b : c.outputs)
      if (why.empty()) why = exists(b) ? write(b) : "no buffer b" + std::to_string(b);
    return why;
  }

  const Plan& p_;
  std::vector<bool> written_;
};

std::string refs_text(const std::vector<BufferRef>& refs) {
  std::string s = "(";
  for (const BufferRef& r : refs)
    s += (s.size() > 1 ? ", " : "") + (r.buffer < 0 ? "none" : "b" + std::to_string(r.buffer)) + " " +
         dtype_short_name(r.dtype) + " " + offset_text(r.offset);
  return s + ")";
}
std::string buffers_text(const std::vector<int>& buffers) {
  std::string s = "(";
  for (int b : buffers) s += (s.size() > 1 ? ", b" : "b") + std::to_string(b);
  return s + ")";
}
std::string hex(const std::byte* bytes, std::int64_t n) {
  constexpr const char* digits = "0123456789abcdef";
  std::string s;
  for (std::int64_t i = 0; i < n; ++i) {
    s += digits[std::to_integer<int>(bytes[i] >> 4)];
    s += digits[std::to_integer<int>(bytes[i] & std::byte{15})];
  }
  return s;
}

std::string step_text(const Program& p) { return to_text(p); }
std::string step_text(const LibraryCall& c) {
  return std::string("call ") + library_op_name(c.op) + " " + refs_text(c.inputs) + " -> " + refs_text(c.outputs) +
         " params " + list_text(c.params) + "\n";
}
std::string step_text(const Blocks& c) {
  std::string s = "blocks " + std::to_string(c.rows) + " by " + std::to_string(c.block) + " (";
  for (const Blocks::Row& r : c.buffers)
    s += (&r == c.buffers.data() ? "b" : ", b") + std::to_string(r.buffer) + (r.local ? " local " : " row ") +
         std::to_string(r.bytes);
  s += ")\n";
  for (const auto& part : c.steps) s += std::visit([](const auto& x) { return step_text(x); }, part);
  return s + "end\n";
}
std::string step_text(const EquationCall& c) {
  return std::string("equation ") + c.name + " " + buffers_text(c.inputs) + " -> " + buffers_text(c.outputs) + "\n";
}

}  // namespace

std::string verify(const Plan& p) { return PlanVerifier(p).run(); }

std::string to_text(const Plan& p) {
  std::string s = "plan\n";
  for (std::size_t i = 0; i < p.buffers.size(); ++i) {
    const BufferInfo& b = p.buffers[i];
    s += "b" + std::to_string(i) + " " + kind_name(b.kind) + " ";
    if (b.kind == BufferKind::constant)
      s += std::to_string(b.bytes) + " " + hex(p.constants[static_cast<std::size_t>(b.position)].data(), b.bytes);
    else s += std::to_string(b.position) + " " + std::to_string(b.bytes);
    s += "\n";
  }
  for (const Step& step : p.steps) s += std::visit([](const auto& x) { return step_text(x); }, step);
  return s + "end\n";
}

namespace {

std::vector<BufferRef> read_refs(TextReader& in) {
  std::vector<BufferRef> refs;
  in.expect("(");
  if (in.accept(")")) return refs;
  do {
    BufferRef r;
    if (!in.accept("none")) r.buffer = in.index('b');
    r.dtype = in.dtype();
    r.offset = in.number();
    refs.push_back(r);
  } while (in.ok() && in.accept(","));
  in.expect(")");
  return refs;
}

LibraryCall read_call(TextReader& in) {
  LibraryCall c;
  const std::string_view name = in.word();
  int op = 0;
  while (op < library_op_count && name != library_op_name(static_cast<LibraryOp>(op))) ++op;
  if (op == library_op_count) in.fail("no library operation '" + std::string(name) + "'");
  c.op = static_cast<LibraryOp>(op);
  c.inputs = read_refs(in);
  in.expect("->");
  c.outputs = read_refs(in);
  in.expect("params");
  c.params = in.list<std::vector<std::int64_t>>();
  return c;
}

Blocks read_blocks(TextReader& in) {
  Blocks c;
  c.rows = in.number();
  in.expect("by");
  c.block = in.number();
  in.expect("(");
  if (!in.accept(")")) {
    do {
      Blocks::Row r;
      r.buffer = in.index('b');
      r.local = in.accept("local");
      if (!r.local) in.expect("row");
      r.bytes = in.number();
      c.buffers.push_back(r);
    } while (in.ok() && in.accept(","));
    in.expect(")");
  }
  while (in.ok() && !in.accept("end"))
    if (in.accept("call")) c.steps.emplace_back(read_call(in));
    else c.steps.emplace_back(read_program(in));
  return c;
}

void read_constant(TextReader& in, Plan& p) {
  const std::int64_t bytes = in.number();
  const std::string_view digits = in.word();
  if (bytes < 0 || bytes > 16 || digits.size() != 2 * static_cast<std::size_t>(bytes))
    return in.fail("a constant has two digits for each of up to 16 bytes");
  std::array<std::byte, 16>& element = p.constants.emplace_back();
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const auto digit = std::string_view("0123456789abcdef").find(digits[i]);
    if (digit == std::string_view::npos) return in.fail("expected hexadecimal digits");
    element[i / 2] |= std::byte(digit << (i % 2 == 0 ? 4 : 0));
  }
  p.buffers.push_back({BufferKind::constant, static_cast<int>(p.constants.size()) - 1, bytes});
}

void read_buffer(TextReader& in, Plan& p) {
  if (in.index('b') != static_cast<int>(p.buffers.size())) in.fail("buffers are numbered in order");
  const std::string_view kind = in.word();
  BufferInfo b;
  if (kind == "input") b.kind = BufferKind::input;
  else if (kind == "output") b.kind = BufferKind::output;
  else if (kind == "constant") return read_constant(in, p);
  else if (kind != "temporary") in.fail("a buffer is input, output, temporary or constant");
  b.position = static_cast<int>(in.number());
  b.bytes = in.number();
  p.buffers.push_back(b);
}

}  // namespace

bool parse_plan(std::string_view text, Plan* out, std::string* error) {
  TextReader in(text);
  Plan p;
  in.expect("plan");
  while (in.ok() && !in.peek_word("end")) {
    if (in.peek_word("program")) p.steps.emplace_back(read_program(in));
    else if (in.peek_word("equation")) in.fail("an equation has no text form that can be read");
    else if (in.accept("blocks")) p.steps.emplace_back(read_blocks(in));
    else if (in.accept("call")) p.steps.emplace_back(read_call(in));
    else read_buffer(in, p);
  }
  in.expect("end");
  if (in.ok() && !in.at_end()) in.fail("text after the plan");
  *error = in.error();
  if (in.ok()) *out = std::move(p);
  return in.ok();
}

}  // namespace cotan::kernel
