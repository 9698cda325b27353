// Every float32 bit pattern through the tile functions of one argument, against float64 libm.
//
//   exhaustive_f32 [--stride N] [--state FILE] [FUNCTION...]     all functions when none is named
//   exhaustive_f32 --list                                        the names
//
// Prints the largest error in ulp and where it stands, and fails when a function exceeds the bound of the unit tests. With
// --state the progress is written after each 256th part, and a later run goes on from there.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "unit/elementary/elementary_support.h"

namespace {

using namespace cotan;
using namespace cotan::test;

struct Progress {
  unsigned next = 0;  // the next of 256 parts
  double worst = 0;
  std::uint32_t at = 0;
};

std::map<std::string, Progress> read_state(const std::string& file) {
  std::map<std::string, Progress> state;
  std::ifstream in(file);
  std::string name;
  Progress p;
  while (in >> name >> p.next >> p.worst >> p.at) state[name] = p;
  return state;
}
void write_state(const std::string& file, const std::map<std::string, Progress>& state) {
  if (file.empty()) return;
  std::ostringstream text;
  text.precision(17);
  for (const auto& [name, p] : state) text << name << ' ' << p.next << ' ' << p.worst << ' ' << p.at << '\n';
  std::ofstream(file + ".new") << text.str();
  std::rename((file + ".new").c_str(), file.c_str());
}

void run_part(const Unary& f, unsigned part, unsigned stride, Progress& p) {
  constexpr std::uint32_t part_size = 1u << 24;
  const kernel::TileRegistry& tiles = elementary_tiles(available_isas().back());
  std::vector<float> x;
  for (std::uint32_t first = 0; first < part_size; first += 1u << 16) {
    x.clear();
    for (std::uint32_t i = 0; i < 1u << 16; i += stride)
      x.push_back(std::bit_cast<float>(part * part_size + first + i));
    const std::vector<float> y = evaluate(tiles, f.name, float32, x);
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (std::isnan(x[i]) && std::isnan(y[i])) continue;
      const double exact = f.reference(static_cast<double>(x[i]));
      if (exact == static_cast<double>(y[i]) && exact != 0) continue;
      const double e = ulp_error<float>(y[i], exact);
      if (e > p.worst) p.worst = e, p.at = std::bit_cast<std::uint32_t>(x[i]);
    }
  }
  p.next = part + 1;
}

}  // namespace

int main(int argc, char** argv) {
  unsigned stride = 1;
  std::string file;
  std::vector<std::string> names;
  for (int i = 1; i < argc; ++i) {
    const std::string a = argv[i];
    if (a == "--list") {
      for (const Unary& f : unary_functions()) std::printf("%s\n", f.name);
      return 0;
    }
    if (a == "--stride" && i + 1 < argc) {
      stride = static_cast<unsigned>(std::max(1, std::atoi(argv[++i])));
    } else if (a == "--state" && i + 1 < argc) {
      file = argv[++i];
    } else {
      names.push_back(a);
    }
  }
  std::map<std::string, Progress> state = file.empty() ? std::map<std::string, Progress>() : read_state(file);
  bool good = true;
  for (const Unary& f : unary_functions()) {
    if (!names.empty() && std::find(names.begin(), names.end(), f.name) == names.end()) continue;
    Progress& p = state[f.name];
    while (p.next < 256) {
      run_part(f, p.next, stride, p);
      write_state(file, state);
    }
    const bool kept = p.worst <= f.bound32;
    good = good && kept;
    std::printf("%-9s %.4f ulp at %a (0x%08" PRIx32 "), bound %g%s\n", f.name, p.worst,
                static_cast<double>(std::bit_cast<float>(p.at)), p.at, f.bound32, kept ? "" : "  EXCEEDED");
    std::fflush(stdout);
  }
  return good ? 0 : 1;
}
