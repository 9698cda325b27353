#include "kernel/plan.h"

#include <algorithm>

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
int Plan::input_count() const { return count(*this, BufferKind::input); }
int Plan::output_count() const { return count(*this, BufferKind::output); }

void append(Plan* plan, Program program, std::span<const int> buffers) {
  const auto rename = [&](int& b) { b = buffers[static_cast<std::size_t>(b)]; };
  for (Source& s : program.sources)
    if (s.kind == SourceKind::memory) rename(s.buffer);
  for (Store& s : program.stores) rename(s.buffer);
  if (program.reduction) rename(program.reduction->buffer);
  for (Alias& a : program.aliases) rename(a.output), rename(a.input);
  plan->steps.emplace_back(std::move(program));
}

namespace {

// Which buffers hold something yet, and what each step does to that.
class PlanVerifier {
 public:
  explicit PlanVerifier(const Plan& p) : p_(p), written_(p.buffers.size()) {}

  std::string run() {
    std::vector<std::int64_t> bytes;
    for (std::size_t i = 0; i < p_.buffers.size(); ++i) {
      bytes.push_back(p_.buffers[i].bytes);
      written_[i] = p_.buffers[i].kind == BufferKind::input;
      if (p_.buffers[i].bytes < 0) return "b" + std::to_string(i) + ": negative size";
    }
    for (std::size_t i = 0; i < p_.steps.size(); ++i) {
      const std::string why = std::holds_alternative<Program>(p_.steps[i]) ? step(std::get<Program>(p_.steps[i]), bytes)
                                                                           : step(std::get<LibraryCall>(p_.steps[i]));
      if (!why.empty()) return "step " + std::to_string(i) + ": " + why;
    }
    for (std::size_t i = 0; i < p_.buffers.size(); ++i)
      if (!written_[i] && p_.buffers[i].bytes > 0 && p_.buffers[i].kind == BufferKind::output)
        return "output b" + std::to_string(i) + " is never written";
    for (const Donation& d : p_.donations)
      if (d.output < 0 || d.output >= p_.output_count() || d.input < 0 || d.input >= p_.input_count())
        return "a donation that names nothing";
    return {};
  }

 private:
  std::string read(int b) const {
    const auto i = static_cast<std::size_t>(b);
    return written_[i] || p_.buffers[i].bytes == 0 ? "" : "b" + std::to_string(b) + " is read before it is written";
  }
  std::string write(int b) {
    const auto i = static_cast<std::size_t>(b);
    if (p_.buffers[i].kind == BufferKind::input) return "input b" + std::to_string(b) + " is written";
    written_[i] = true;
    return {};
  }

  std::string step(const Program& p, const std::vector<std::int64_t>& bytes) {
    std::string why = cotan::kernel::verify(p, bytes);
    for (const Source& s : p.sources)
      if (why.empty() && s.kind == SourceKind::memory && p.iterations() > 0) why = read(s.buffer);
    for (const Store& s : p.stores)
      if (why.empty()) why = write(s.buffer);
    if (why.empty() && p.reduction) why = write(p.reduction->buffer);
    return why;
  }

  std::string step(const LibraryCall& c) {
    if (static_cast<int>(c.op) >= library_op_count) return "no such library operation";
    std::string why;
    const auto in_range = [&](const BufferRef& r) {
      return r.buffer >= 0 && r.buffer < static_cast<int>(p_.buffers.size()) && r.offset >= 0;
    };
    for (const BufferRef& r : c.inputs)
      if (why.empty()) why = in_range(r) ? read(r.buffer) : "no buffer b" + std::to_string(r.buffer);
    for (const BufferRef& r : c.outputs)
      if (why.empty()) why = in_range(r) ? write(r.buffer) : "no buffer b" + std::to_string(r.buffer);
    return why;
  }

  const Plan& p_;
  std::vector<bool> written_;
};

const char* kind_name(BufferKind k) {
  return k == BufferKind::input ? "input" : k == BufferKind::output ? "output" : "temporary";
}

std::string refs_text(const std::vector<BufferRef>& refs) {
  std::string s = "(";
  for (const BufferRef& r : refs)
    s += (s.size() > 1 ? ", b" : "b") + std::to_string(r.buffer) + " " + dtype_short_name(r.dtype) + " " +
         offset_text(r.offset);
  return s + ")";
}

}  // namespace

std::string verify(const Plan& p) { return PlanVerifier(p).run(); }

std::string to_text(const Plan& p) {
  std::string s = "plan\n";
  for (std::size_t i = 0; i < p.buffers.size(); ++i) {
    const BufferInfo& b = p.buffers[i];
    s += "b" + std::to_string(i) + " " + kind_name(b.kind) + " " + std::to_string(b.position) + " " +
         std::to_string(b.bytes) + "\n";
  }
  for (const Donation& d : p.donations)
    s += "donation " + std::to_string(d.output) + " " + std::to_string(d.input) + "\n";
  for (const Step& step : p.steps) {
    if (const Program* program = std::get_if<Program>(&step)) {
      s += to_text(*program);
    } else {
      const LibraryCall& c = std::get<LibraryCall>(step);
      s += std::string("call ") + library_op_name(c.op) + " " + refs_text(c.inputs) + " -> " + refs_text(c.outputs) +
           " params " + list_text(c.params) + "\n";
    }
  }
  return s + "end\n";
}

namespace {

std::vector<BufferRef> read_refs(TextReader& in) {
  std::vector<BufferRef> refs;
  in.expect("(");
  if (in.accept(")")) return refs;
  do {
    BufferRef r;
    r.buffer = in.index('b');
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

void read_buffer(TextReader& in, Plan& p) {
  if (in.index('b') != static_cast<int>(p.buffers.size())) in.fail("buffers are numbered in order");
  const std::string_view kind = in.word();
  BufferInfo b;
  if (kind == "input") b.kind = BufferKind::input;
  else if (kind == "output") b.kind = BufferKind::output;
  else if (kind != "temporary") in.fail("a buffer is input, output or temporary");
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
    else if (in.accept("call")) p.steps.emplace_back(read_call(in));
    else if (in.accept("donation")) {
      Donation d;
      d.output = static_cast<int>(in.number());
      d.input = static_cast<int>(in.number());
      p.donations.push_back(d);
    } else read_buffer(in, p);
  }
  in.expect("end");
  if (in.ok() && !in.at_end()) in.fail("text after the plan");
  *error = in.error();
  if (in.ok()) *out = std::move(p);
  return in.ok();
}

}  // namespace cotan::kernel
