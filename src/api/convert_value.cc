#include "api/convert_value.h"

#include <algorithm>

#include "tree/flatten.h"

namespace cotan::table {

void Place::fail(const char* expected, const Value& got) const {
  throw TypeError(std::string(function) + ": " + parameter + " must be " + expected + ", got " + got.str() + " (" +
                  got.type_name() + ")");
}

Array to_array(const Value& v, const Place& p) {
  if (const Array* a = v.get<Array>()) return *a;
  if (const bool* b = v.get<bool>()) return *b;
  if (const std::int64_t* i = v.get<std::int64_t>()) return *i;
  if (const std::uint64_t* i = v.get<std::uint64_t>()) return *i;
  if (const double* d = v.get<double>()) return *d;
  if (const std::complex<double>* c = v.get<std::complex<double>>()) return *c;
  if (v.is_none() && p.may_be_none) return {};
  p.fail("an Array or a number", v);
}

std::int64_t to_integer(const Value& v, const Place& p) {
  if (const std::int64_t* i = v.get<std::int64_t>()) return *i;
  if (const bool* b = v.get<bool>()) return *b;
  if (v.get<std::uint64_t>())
    throw OverflowError(std::string(p.function) + ": " + p.parameter + "=" + v.str() + " is too large");
  const Array* a = v.get<Array>();
  if (!a || !(is_integer(a->dtype()) || a->dtype() == DType::bool_) || a->ndim() != 0) p.fail("an integer", v);
  try {
    return a->item<std::int64_t>();
  } catch (const ConcretizationTypeError&) {
    throw TracerIntegerConversionError(std::string(p.function) + ": " + p.parameter + " must be known, got " +
                                       a->str() +
                                       "\nIn a traced function it is to be a parameter that holds no Array.");
  }
}

double to_double(const Value& v, const Place& p) {
  if (const double* d = v.get<double>()) return *d;
  if (const std::int64_t* i = v.get<std::int64_t>()) return static_cast<double>(*i);
  if (const bool* b = v.get<bool>()) return *b;
  const Array* a = v.get<Array>();
  if (!a || is_complex(a->dtype())) p.fail("a number", v);
  return a->item<double>();
}

bool to_bool(const Value& v, const Place& p) {
  if (const bool* b = v.get<bool>()) return *b;
  if (const std::int64_t* i = v.get<std::int64_t>()) return *i != 0;
  if (const Array* a = v.get<Array>()) return static_cast<bool>(*a);
  p.fail("True or False", v);
}

DType to_dtype(const Value& v, const Place& p) {
  if (const DType* d = v.get<DType>()) return *d;
  const std::string* s = v.get<std::string>();
  DType d;
  if (s && dtype_from_name(s->data(), s->size(), &d)) return d;
  if (v.is_none()) throw ValueError(std::string(p.function) + ": " + p.parameter + " must be a dtype, got None");
  p.fail("a dtype", v);
}

const std::string& to_string(const Value& v, const Place& p) {
  const std::string* s = v.get<std::string>();
  if (!s) p.fail("a string", v);
  return *s;
}

Value::Items to_items(const Value& v, const Place& p) {
  if (v.is_sequence()) return v.items();
  const Array* a = v.get<Array>();
  if (!a) p.fail("a sequence", v);
  if (a->ndim() == 0) p.fail("a sequence, not a 0-d Array", v);
  Value::Items rows;
  for (std::int64_t i = 0; i < a->shape()[0]; ++i) rows.push_back((*a)(i));
  return rows;
}

IntList to_integers(const Value& v, const Place& p) {
  const Array* a = v.get<Array>();
  if (!v.is_sequence() && !(a && a->ndim() > 0)) return {to_integer(v, p)};
  IntList r;
  for (const Value& item : to_items(v, p)) r.push_back(to_integer(item, p));
  return r;
}

Value to_value(const IntList& l) {
  Value::Items items;
  for (std::int64_t i : l) items.push_back(i);
  return Value::tuple(static_cast<Value::Items&&>(items));
}

std::vector<const Value*> field_values(const Value& v, const Place& p, const char* const* fields, std::size_t count) {
  std::vector<const Value*> values(count, nullptr);
  const std::vector<std::string> names = names_of(fields, count);
  const auto put = [&](const std::string& name, const Value& value) {
    const auto at = std::ranges::find(names, name);
    if (at == names.end()) p.fail("of other fields", v);
    values[static_cast<std::size_t>(at - names.begin())] = &value;
  };
  if (v.is_dict()) {
    for (const auto& [name, value] : v.entries()) put(name, value);
    return values;
  }
  if (!v.is_sequence() || v.items().size() > count) p.fail("a sequence or a dict", v);
  for (std::size_t i = 0; i < v.items().size(); ++i) put(v.names().empty() ? names[i] : v.names()[i], v.items()[i]);
  return values;
}

std::vector<std::string> names_of(const char* const* fields, std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.emplace_back(tree::field_name(fields[i]));
  for (std::string& name : names)
    if (name.ends_with('_')) name.pop_back();
  return names;
}

Precision FromValue<Precision>::get(const Value& v, const Place& p) {
  if (v.is_none()) return {};
  if (const std::string* word = v.get<std::string>()) return std::string_view(*word);
  const auto word = [&](std::size_t i) { return v.items()[i].get<std::string>(); };
  if (v.is_sequence() && v.items().size() == 2 && word(0) && word(1)) return {*word(0), *word(1)};
  throw ValueError(std::string(p.function) + ": precision must be a word, or one for each operand, got " + v.str());
}

}  // namespace cotan::table
