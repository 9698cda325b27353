#include "derived/golden.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

#include "core/interpret.h"
#include "core/jaxpr.h"
#include "derived/checks.h"
#include "derived/samplers.h"

namespace cotan::derived {

std::string hex_of(const Array& x) {
  static const char digits[] = "0123456789abcdef";
  const auto* bytes = static_cast<const unsigned char*>(bytes_of(x));
  const std::size_t n = static_cast<std::size_t>(x.size()) * item_size(x.dtype());
  std::string s;
  for (std::size_t i = 0; i < n; ++i) s += {digits[bytes[i] >> 4], digits[bytes[i] & 15]};
  return n ? s : "-";
}

Array array_of_hex(const Aval& a, const std::string& hex) {
  const std::size_t n = static_cast<std::size_t>(a.size()) * item_size(a.dtype);
  if (hex.size() != (n ? 2 * n : 1)) throw std::runtime_error("golden file: " + hex + " is no " + a.str());
  std::vector<unsigned char> bytes(n + 1);
  for (std::size_t i = 0; i < n; ++i)
    bytes[i] = static_cast<unsigned char>(std::stoi(hex.substr(2 * i, 2), nullptr, 16));
  return evaluation_hook().from_bytes(a, bytes.data());
}

std::string golden_input(const ClosedJaxpr& program, const Arrays& in) {
  std::string s = "program ";
  for (char c : program.to_text()) s += c == '\n' ? ' ' : c;
  for (const Array& a : in) s += "\nin " + hex_of(a);
  return s + '\n';
}

namespace {
void read_programs(std::istream& in, std::vector<GoldenProgram>& out) {
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    if (kind == "program") out.push_back({line.substr(8), {}, {}});
    else if (kind == "in") words >> out.back().in.emplace_back();
    else if (kind == "out") {
      GoldenResult& r = out.back().out.emplace_back();
      words >> r.hex >> r.ulps >> r.scale;
    }
  }
}
}  // namespace

const std::vector<GoldenProgram>& golden_programs(const std::string& stem) {
  static std::map<std::string, std::vector<GoldenProgram>> read;
  auto [it, fresh] = read.try_emplace(stem);
  if (!fresh) return it->second;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(COTAN_SOURCE_DIR "/tests/golden")) {
    const std::string name = entry.path().filename().string();
    if (name == stem + ".txt" || (name.starts_with(stem + "_") && name.ends_with(".txt")))
      files.push_back(entry.path());
  }
  if (files.empty()) throw std::runtime_error("no golden file " + stem + ".txt");
  std::sort(files.begin(), files.end());
  for (const std::filesystem::path& file : files) {
    std::ifstream in(file);
    read_programs(in, it->second);
  }
  return it->second;
}

Arrays golden_operands(const GoldenProgram& g, const ClosedJaxpr& program) {
  Arrays x;
  const std::vector<Aval> avals = program.in_avals();
  for (std::size_t i = 0; i < avals.size(); ++i) x.push_back(array_of_hex(avals[i], g.in.at(i)));
  return x;
}

namespace {
std::string element_difference(const Array& got, const Array& want, const GoldenResult& r) {
  const double allowed = r.ulps * epsilon_of(want.dtype());
  if (std::string d = difference(got, want, allowed, allowed * r.scale); !d.empty()) return d;
  if (r.scale > 1e-4 || !is_floating(want.dtype())) return "";
  const Numbers g = numbers_of(got), w = numbers_of(want);
  for (std::size_t i = 0; i < g.size(); ++i)
    if (w[i] == 0.0 && std::signbit(g[i].real()) != std::signbit(w[i].real()))
      return "element " + std::to_string(i) + ": a zero has the wrong sign";
  return "";
}
}  // namespace

std::string difference_from(const GoldenProgram& g, const Arrays& got) {
  if (got.size() != g.out.size()) return "another number of results";
  for (std::size_t i = 0; i < got.size(); ++i) {
    const Array want = array_of_hex(got[i].aval(), g.out[i].hex);
    if (std::string d = element_difference(got[i], want, g.out[i]); !d.empty())
      return "result " + std::to_string(i) + ": " + d;
  }
  return "";
}

// Programs of one equation, of this primitive; a mutant takes the place of the primitive of its name.
std::string check_values(const Primitive& p) {
  static std::map<std::string, std::vector<std::pair<const GoldenProgram*, ClosedJaxpr>>> by_name;
  if (by_name.empty())
    for (const GoldenProgram& g : golden_programs("op_values")) {
      ClosedJaxpr program = parse_jaxpr(g.program);
      by_name[program.jaxpr().eqns.at(0).primitive->name].emplace_back(&g, program);
    }
  const std::string name = p.name;
  if (is_drawn(p)) {
    for (const Case& c : cases_of(p))
      if (std::string d = check_drawn_values(c); !d.empty()) return c.str() + ": " + d;
    return "";
  }
  if (by_name[name].empty() && !cases_of(p).empty()) return "no golden values: see tests/golden/programs.py";
  for (const auto& [g, program] : by_name[p.name]) {
    ArrayVec out;
    p.bind(program.jaxpr().eqns[0].params, golden_operands(*g, program), out);
    if (std::string d = difference_from(*g, {out.begin(), out.end()}); !d.empty()) return g->program + ": " + d;
  }
  return "";
}

}  // namespace cotan::derived
