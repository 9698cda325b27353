// Golden calls of public functions: tests/golden/functions.py describes the files.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "api/function_table.h"
#include "unit/functions/golden_support.h"

namespace cotan::golden {

using Arrays = std::vector<Array>;

struct GoldenCall {
  int line = 0;
  bool x64 = false;
  std::string name;          // "numpy.sum"
  std::vector<int> argnums;  // of a derivative; empty: the value is asked for
  int order = 0;
  std::string positional, keywords, result;  // as text: their dtypes depend on x64
  std::string then;                          // arguments for what the call gives, a function; empty: it is asked itself
};

struct GoldenFile {
  explicit GoldenFile(const std::string& path);
  table::Value value(std::string_view text) const;  // with the file's definitions
  Tolerance tolerance(const std::string& name) const;

  std::vector<GoldenCall> calls;
  std::map<std::string, std::string, std::less<>> definitions;
  std::map<std::string, Tolerance> tolerances;
  std::set<std::string> eager;
  std::map<std::string, std::string> without;  // functions without cases, and why
};

std::vector<std::string> golden_areas();  // the AREA of each tests/golden/functions_AREA.txt
std::string golden_path(const std::string& area);

// The Arrays of a value, in order, and the value with others in their place.
Arrays arrays_of(const table::Value&);
table::Value with_arrays(const table::Value&, const Arrays&);

// "" when they are equal: types, shapes, weak types, names apart; numbers within the tolerance.
std::string difference(const table::Value& got, const table::Value& want, Tolerance);

}  // namespace cotan::golden
