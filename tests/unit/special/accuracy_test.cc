// The special functions against mpmath over their domains (tests/golden/special.py), in ulp of float64 and float32; the bounds are
// those of the primitives' docs.
#include <cmath>
#include <fstream>
#include <sstream>

#include "unit/primitives/primitive_support.h"

namespace cotan {
namespace {

struct Part {
  std::string name, where;
  double bound64, bound32, floor;
  std::vector<std::vector<double>> arguments;  // of each point
  std::vector<long double> values;
};

std::vector<Part> parts() {
  std::ifstream in(COTAN_SOURCE_DIR "/tests/golden/special.txt");
  std::vector<Part> all;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string word;
    if (line.starts_with('~')) {
      Part p;
      words >> word >> p.name >> p.where >> p.bound64 >> p.bound32 >> p.floor;
      all.push_back(p);
      continue;
    }
    std::vector<std::string> fields;
    while (words >> word) fields.push_back(word);
    all.back().values.push_back(std::strtold(fields.back().c_str(), nullptr));
    fields.pop_back();
    all.back().arguments.emplace_back();
    for (const std::string& f : fields) all.back().arguments.back().push_back(std::strtod(f.c_str(), nullptr));
  }
  return all;
}

// In units of the last place of T at `exact`, or at `floor` where that is larger.
template <class T> double ulps(T got, long double exact, double floor) {
  using Limits = std::numeric_limits<T>;
  if (std::fabs(exact) > static_cast<long double>(Limits::max())) return std::isinf(got) ? 0 : INFINITY;
  if (!std::isfinite(got)) return INFINITY;
  const int exponent = std::ilogb(std::max<long double>({std::fabs(exact), floor, Limits::min()}));
  return static_cast<double>(std::fabs(static_cast<long double>(got) - exact) /
                             std::ldexp(1.0L, exponent - Limits::digits + 1));
}

template <class T> void check(const Part& part, double bound) {
  std::vector<std::size_t> points;
  for (std::size_t i = 0; i < part.values.size(); ++i) {
    bool exact = true;
    for (double x : part.arguments[i]) exact &= static_cast<double>(static_cast<T>(x)) == x;
    if (exact) points.push_back(i);
  }
  std::vector<Array> operands;
  for (std::size_t j = 0; j < part.arguments[0].size(); ++j) {
    std::vector<T> column;
    for (std::size_t i : points) column.push_back(static_cast<T>(part.arguments[i][j]));
    operands.push_back(primitive_test::vector(column));
  }
  const std::vector<T> got = primitive_test::elements<T>(find_primitive(part.name)->bind1({}, operands));
  double worst = 0;
  std::size_t at = 0;
  for (std::size_t k = 0; k < points.size(); ++k)
    if (const double e = ulps(got[k], part.values[points[k]], part.floor); !(e <= worst)) worst = e, at = points[k];
  std::ostringstream where;
  for (double x : part.arguments[at]) where << " " << std::hexfloat << x << std::defaultfloat << " (" << x << ")";
  EXPECT_LE(worst, bound) << part.name << " (" << part.where << ") in " << 8 * sizeof(T) << " bits at" << where.str();
  testing::Test::RecordProperty(part.name + "_" + part.where + std::to_string(8 * sizeof(T)), std::to_string(worst));
  if (std::getenv("COTAN_PRINT_ULPS"))
    std::printf("%s %s %zu: %.3g\n", part.name.c_str(), part.where.c_str(), 8 * sizeof(T), worst);
}

TEST(SpecialAccuracy, WithinTheBoundsOfTheDocs) {
  const std::vector<Part> all = parts();
  EXPECT_GE(all.size(), 30u);
  for (const Part& p : all) {
    check<double>(p, p.bound64);
    check<float>(p, p.bound32);
  }
}

}  // namespace
}  // namespace cotan
