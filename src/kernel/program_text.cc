#include <cstdio>
#include <cstring>

#include "kernel/text.h"

namespace cotan::kernel {

namespace {

std::string value_text(Value v) {
  const char prefix = v.kind == ValueKind::source ? 's' : v.kind == ValueKind::constant ? 'c' : 't';
  return prefix + std::to_string(v.index);
}

std::string bytes_text(const Constant& c) {
  std::string s;
  char two[3];
  for (std::size_t i = 0; i < item_size(c.dtype); ++i) {
    std::snprintf(two, sizeof two, "%02x", static_cast<unsigned>(c.value[i]));
    s += two;
  }
  return s;
}

std::string starts_text(const Starts& starts) {
  if (starts.empty()) return {};
  std::string s = " at (";
  for (const Start& t : starts)
    s += (&t == starts.data() ? "b" : ", b") + std::to_string(t.buffer) + " " + dtype_short_name(t.dtype) +
         (t.wrap == 0 ? "" : " wrap " + std::to_string(t.wrap)) + " <= " + std::to_string(t.limit) + " * " +
         std::to_string(t.stride);
  return s + ")";
}

std::string source_text(const Source& s) {
  const std::string place = std::string(dtype_short_name(s.dtype)) + " " + offset_text(s.offset) + " " +
                            list_text(s.strides) + starts_text(s.starts);
  return s.kind == SourceKind::iota ? "iota " + place : "memory b" + std::to_string(s.buffer) + " " + place;
}

std::string instruction_text(const Instruction& in) {
  std::string s = std::string(in.op == nullptr ? "convert" : in.op->name) + " " + dtype_short_name(in.type) + " (";
  for (std::size_t k = 0; k < 3 && in.operands[k].valid(); ++k) s += (k > 0 ? ", " : "") + value_text(in.operands[k]);
  s += std::string(") -> ") + dtype_short_name(in.result);
  return in.aux == 0 ? s : s + " aux " + std::to_string(in.aux);
}

std::string reduction_text(const Reduction& r) {
  return std::string("reduce ") + combiner_name(r.combiner) + " " + value_text(r.value) + " over " +
         list_text(r.loops) + " b" + std::to_string(r.buffer) + " " + dtype_short_name(r.result) + " " +
         offset_text(r.offset) + " " + list_text(r.strides) +
         (r.order == Order::of_extents ? ""
          : r.order == Order::rows     ? " by_rows"
                                       : " by_columns");
}

}  // namespace

std::string to_text(const Program& p) {
  std::string s = "program " + list_text(p.extents) + "\n";
  const auto line = [&](const std::string& l) { s += "  " + l + "\n"; };
  for (std::size_t i = 0; i < p.sources.size(); ++i) line("s" + std::to_string(i) + " = " + source_text(p.sources[i]));
  for (std::size_t i = 0; i < p.constants.size(); ++i)
    line("c" + std::to_string(i) + " = constant " + dtype_short_name(p.constants[i].dtype) + " " +
         bytes_text(p.constants[i]));
  for (std::size_t i = 0; i < p.instructions.size(); ++i)
    line("t" + std::to_string(i) + " = " + instruction_text(p.instructions[i]));
  for (const Store& t : p.stores)
    line("store " + value_text(t.value) + " b" + std::to_string(t.buffer) + " " + offset_text(t.offset) + " " +
         list_text(t.strides) + starts_text(t.starts));
  if (p.reduction) line(reduction_text(*p.reduction));
  for (const Alias& a : p.aliases) line("alias b" + std::to_string(a.output) + " b" + std::to_string(a.input));
  return s + "end\n";
}

namespace {

Value read_value(TextReader& in) {
  Value v;
  if (in.peek("s")) v.kind = ValueKind::source, v.index = in.index('s');
  else if (in.peek("c")) v.kind = ValueKind::constant, v.index = in.index('c');
  else v.kind = ValueKind::instruction, v.index = in.index('t');
  return v;
}

Starts read_starts(TextReader& in) {
  Starts starts;
  if (!in.peek_word("at")) return starts;
  in.expect("at");
  in.expect("(");
  do {
    Start t;
    t.buffer = in.index('b');
    t.dtype = in.dtype();
    if (in.accept("wrap")) t.wrap = in.number();
    in.expect("<=");
    t.limit = in.number();
    in.expect("*");
    t.stride = in.number();
    starts.push_back(t);
  } while (in.ok() && in.accept(","));
  in.expect(")");
  return starts;
}

void read_source(TextReader& in, Program& p) {
  Source s;
  if (in.accept("iota")) s.kind = SourceKind::iota;
  else in.expect("memory"), s.buffer = in.index('b');
  s.dtype = in.dtype();
  s.offset = in.number();
  s.strides = in.list<Dims>();
  s.starts = read_starts(in);
  p.sources.push_back(std::move(s));
}

void read_constant(TextReader& in, Program& p) {
  Constant c;
  in.expect("constant");
  c.dtype = in.dtype();
  const std::string_view digits = in.word();
  if (digits.size() != 2 * item_size(c.dtype)) in.fail("a constant needs two digits per byte");
  for (std::size_t i = 0; in.ok() && i < item_size(c.dtype); ++i) {
    unsigned byte = 0;
    const auto r = std::from_chars(digits.data() + 2 * i, digits.data() + 2 * i + 2, byte, 16);
    if (r.ptr != digits.data() + 2 * i + 2) in.fail("a constant is hexadecimal digits");
    c.value[i] = static_cast<std::byte>(byte);
  }
  p.constants.push_back(c);
}

void read_instruction(TextReader& in, Program& p) {
  Instruction i;
  const std::string name(in.word());
  if (name != "convert" && (i.op = tiles().find(name.c_str())) == nullptr) in.fail("no tile operation '" + name + "'");
  i.type = in.dtype();
  in.expect("(");
  std::size_t k = 0;
  do {
    if (k == 3) return in.fail("too many operands");
    i.operands[k++] = read_value(in);
  } while (in.ok() && in.accept(","));
  in.expect(")");
  in.expect("->");
  i.result = in.dtype();
  if (in.peek_word("aux")) in.expect("aux"), i.aux = static_cast<std::uint32_t>(in.number());
  p.instructions.push_back(i);
}

// "s0 = ...": the number must be the next of its kind.
template <class List> void read_definition(TextReader& in, char prefix, const List& list) {
  if (in.index(prefix) != static_cast<int>(list.size())) in.fail("values are numbered in order");
  in.expect("=");
}

void read_store(TextReader& in, Program& p) {
  Store s;
  s.value = read_value(in);
  s.buffer = in.index('b');
  s.offset = in.number();
  s.strides = in.list<Dims>();
  s.starts = read_starts(in);
  p.stores.push_back(std::move(s));
}

void read_reduction(TextReader& in, Program& p) {
  Reduction r;
  const std::string_view name = in.word();
  int c = 0;
  while (c < combiner_count && name != combiner_name(static_cast<Combiner>(c))) ++c;
  if (c == combiner_count) return in.fail("no combiner '" + std::string(name) + "'");
  if (p.reduction) return in.fail("a second reduction");
  r.combiner = static_cast<Combiner>(c);
  r.value = read_value(in);
  in.expect("over");
  r.loops = in.list<std::vector<int>>();
  r.buffer = in.index('b');
  r.result = in.dtype();
  r.offset = in.number();
  r.strides = in.list<Dims>();
  if (in.accept("by_rows")) r.order = Order::rows;
  else if (in.accept("by_columns")) r.order = Order::columns;
  p.reduction = std::move(r);
}

}  // namespace

Program read_program(TextReader& in) {
  Program p;
  in.expect("program");
  p.extents = in.list<Dims>();
  while (in.ok() && !in.peek_word("end")) {
    if (in.peek_word("store")) in.expect("store"), read_store(in, p);
    else if (in.peek_word("reduce")) in.expect("reduce"), read_reduction(in, p);
    else if (in.accept("alias")) {
      Alias a;
      a.output = in.index('b');
      a.input = in.index('b');
      p.aliases.push_back(a);
    } else if (in.peek("s")) read_definition(in, 's', p.sources), read_source(in, p);
    else if (in.peek("c")) read_definition(in, 'c', p.constants), read_constant(in, p);
    else if (in.peek("t")) read_definition(in, 't', p.instructions), read_instruction(in, p);
    else in.fail("expected a definition, store, reduce, alias or end");
  }
  in.expect("end");
  return p;
}

bool parse_program(std::string_view text, Program* out, std::string* error) {
  TextReader in(text);
  Program p = read_program(in);
  if (in.ok() && !in.at_end()) in.fail("text after the program");
  *error = in.error();
  if (in.ok()) *out = std::move(p);
  return in.ok();
}

}  // namespace cotan::kernel
