// Reads and updates at drawn index expressions against JAX; the same under jit, where the index arrays are traced.
#include <gtest/gtest.h>

#include "functions/golden_file.h"
#include "numpy/indexing.h"

namespace cotan::golden {
namespace {

using table::Value;

std::vector<Index> index_of(const Value& v) {
  std::vector<Index> out;
  for (const Value& e : v.items()) {
    if (e.is_none()) out.push_back(newaxis);
    else if (const auto* b = e.get<bool>()) out.push_back(Index(*b));
    else if (const auto* i = e.get<std::int64_t>()) out.push_back(Index(*i));
    else if (const auto* s = e.get<slice>()) out.push_back(Index(*s));
    else if (const auto* a = e.get<Array>()) out.push_back(Index(*a));
    else out.push_back(Index(ellipsis));
  }
  return out;
}

Array evaluate(const std::string& op, const Value& arguments, const Value& keywords) {
  const Array x = *arguments.items()[0].get<Array>();
  const std::vector<Index> index = index_of(arguments.items()[1]);
  AtGetOptions get;
  AtSetOptions set;
  for (const auto& [name, v] : keywords.entries()) {
    if (name == "mode") set.mode = get.mode = *v.get<std::string>();
    if (name == "wrap_negative_indices") set.wrap_negative_indices = get.wrap_negative_indices = *v.get<bool>();
    if (name == "fill_value") get.fill_value = table::to_array(v, {"get", "fill_value"});
  }
  if (op == "get") return numpy::get_at(x, index, get);
  static const std::map<std::string, numpy::Update> updates{
      {"set", numpy::Update::set},           {"add", numpy::Update::add},       {"subtract", numpy::Update::subtract},
      {"multiply", numpy::Update::multiply}, {"divide", numpy::Update::divide}, {"power", numpy::Update::power},
      {"min", numpy::Update::min},           {"max", numpy::Update::max}};
  return numpy::update_at(updates.at(op), x, index, table::to_array(arguments.items()[2], {"at", "value"}), set);
}

std::string check(const std::vector<std::string>& fields) {
  const Value arguments = table::parse_value(fields[1]), keywords = table::parse_value(fields[2]);
  Value got;
  const std::string error = error_class([&] { got = evaluate(fields[0], arguments, keywords); });
  if (fields[3].starts_with('!'))
    return error == fields[3].substr(1) ? "" : error == "none" ? "no error but " + got.str() : error;
  if (error != "none") return error;
  if (std::string d = difference(got, table::parse_value(fields[3]), {2, 0}); !d.empty()) return d;
  Arrays in, concrete;
  bool masks = false;
  for (const Array& a : arrays_of(arguments)) in.push_back(a);
  for (const Value& e : arguments.items()[1].items())
    if (const auto* a = e.get<Array>()) masks |= a->dtype() == DType::bool_;
  if (masks) return "";
  const Array jitted =
      jit([&](const Arrays& x) { return evaluate(fields[0], with_arrays(arguments, x), keywords); })(in);
  const std::string d = difference(Value(jitted), got, {0, 0});
  return d.empty() ? "" : "under jit: " + d;
}

TEST(IndexExpressions, EqualJax) {
  std::ifstream in(COTAN_SOURCE_DIR "/tests/golden/index_values.txt");
  ASSERT_TRUE(in);
  int number = 0, failures = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    std::string wrong;
    try {
      wrong = check(split(line, '\t'));
    } catch (const Error& e) { wrong = std::string("an error: ") + e.what(); }
    if (!wrong.empty() && ++failures <= 30)
      ADD_FAILURE() << "index_values.txt:" << number << ": " << line << "\n  " << wrong;
  }
  EXPECT_EQ(failures, 0) << "of " << number;
}

}  // namespace
}  // namespace cotan::golden
