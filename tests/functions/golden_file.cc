#include "functions/golden_file.h"

#include <filesystem>

namespace cotan::golden {
namespace {

using table::Value;

GoldenCall parse_call(const std::string& line) {
  std::vector<std::string> fields = split(line, '\t');
  if (fields.size() < 4 || fields.size() > 5) throw ValueError("golden: " + line);
  GoldenCall c;
  c.name = fields[0];
  if (c.name.starts_with("vjp ")) {
    const std::vector<std::string> words = split(c.name, ' ');
    for (std::int64_t i : integers(words.at(1))) c.argnums.push_back(static_cast<int>(i));
    c.order = std::stoi(words.at(2));
    c.name = words.at(3);
  }
  c.positional = fields[1], c.keywords = fields[2], c.result = fields.back();
  if (fields.size() == 5) c.then = fields[3];
  return c;
}

Value rebuild(const Value& v, const Arrays& arrays, std::size_t& next) {
  if (v.get<Array>()) return arrays[next++];
  if (v.is_sequence()) {
    Value::Items items;
    for (const Value& item : v.items()) items.push_back(rebuild(item, arrays, next));
    return v.is_list() ? Value::list(std::move(items)) : Value::tuple(std::move(items), v.names());
  }
  if (v.is_dict()) {
    Value::Entries entries;
    for (const auto& [key, value] : v.entries()) entries.emplace_back(key, rebuild(value, arrays, next));
    return Value::dict(std::move(entries));
  }
  return v;
}

void collect(const Value& v, Arrays& out) {
  if (const Array* a = v.get<Array>(); a && a->has_value()) out.push_back(*a);
  if (v.is_sequence())
    for (const Value& item : v.items()) collect(item, out);
  if (v.is_dict())
    for (const auto& entry : v.entries()) collect(entry.second, out);
}

bool is_number(const Value& v) { return v.get<double>() || v.get<std::complex<double>>(); }
HostScalar number(const Value& v) {
  return v.get<double>() ? HostScalar(*v.get<double>()) : HostScalar(*v.get<std::complex<double>>());
}

Golden elements(const Array& a) {
  Golden g{a.aval(), {}};
  for (std::int64_t i = 0; i < a.size(); ++i)
    g.values.push_back(HostScalar::load(
        a.dtype(), static_cast<const char*>(a.data()) + static_cast<std::size_t>(i) * item_size(a.dtype())));
  return g;
}

}  // namespace

GoldenFile::GoldenFile(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw ValueError("golden: no file " + path);
  bool x64 = false;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    std::istringstream words(line);
    std::string first, name, rest;
    words >> first;
    if (line == "x64") {
      x64 = true;
    } else if (first.starts_with('$')) {
      definitions[first.substr(1)] = line.substr(line.find(" = ") + 3);
    } else if (first == "~") {
      Tolerance t;
      words >> name >> t.ulps >> t.absolute_ulps;
      tolerances[name] = t;
    } else if (first == "eager") {
      words >> name;
      eager.insert(name);
    } else if (first == "without") {
      words >> name;
      std::getline(words, rest);
      without[name] = rest;
    } else {
      calls.push_back(parse_call(line));
      calls.back().x64 = x64;
      calls.back().line = number;
    }
  }
}

Value GoldenFile::value(std::string_view text) const {
  return table::parse_value(text, [&](std::string_view id) -> Value {
    if (id.starts_with('@')) {
      const table::Function* f = table::find_function(id.substr(1));
      if (!f) throw ValueError("golden: no function " + std::string(id));
      return Value::Function{[f](const Value::Items& arguments) { return (*f)({arguments, {}}); }, f->full_name()};
    }
    const auto at = definitions.find(id);
    if (at == definitions.end()) throw ValueError("golden: $" + std::string(id) + " is not defined");
    return table::parse_value(at->second);
  });
}

Tolerance GoldenFile::tolerance(const std::string& name) const {
  const auto at = tolerances.find(name);
  return at == tolerances.end() ? Tolerance{2, 0} : at->second;
}

std::vector<std::string> golden_areas() {
  std::vector<std::string> areas;
  for (const auto& entry : std::filesystem::directory_iterator(COTAN_SOURCE_DIR "/tests/golden")) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("functions_") && name.ends_with(".txt")) areas.push_back(name.substr(10, name.size() - 14));
  }
  std::sort(areas.begin(), areas.end());
  return areas;
}
std::string golden_path(const std::string& area) { return COTAN_SOURCE_DIR "/tests/golden/functions_" + area + ".txt"; }

Arrays arrays_of(const Value& v) {
  Arrays out;
  collect(v, out);
  return out;
}
Value with_arrays(const Value& v, const Arrays& arrays) {
  std::size_t next = 0;
  return rebuild(v, arrays, next);
}

std::string difference(const Value& got, const Value& want, Tolerance t) {
  if (want.is_sequence() && got.is_sequence()) {
    if (want.items().size() != got.items().size())
      return std::to_string(got.items().size()) + " results, expected " + std::to_string(want.items().size());
    for (std::size_t i = 0; i < want.items().size(); ++i)
      if (const std::string d = difference(got.items()[i], want.items()[i], t); !d.empty())
        return "result " + std::to_string(i) + ": " + d;
    return "";
  }
  if (want.get<Array>() && got.get<Array>()) return difference(*got.get<Array>(), elements(*want.get<Array>()), t);
  if (is_number(want) && is_number(got) && close(number(got), number(want), t)) return "";
  return got.same(want) ? "" : got.str() + ", expected " + want.str();
}

}  // namespace cotan::golden
