#include "api/function_table.h"

#include <algorithm>

#include "tree/flatten.h"

namespace cotan::table {
namespace {

const AnyFunctionTable*& first_table() {
  static const AnyFunctionTable* first = nullptr;
  return first;
}

std::vector<std::string> words(std::string_view s) {
  std::vector<std::string> r;
  for (std::size_t from = 0; (from = s.find_first_not_of(' ', from)) != s.npos;) {
    const std::size_t to = std::min(s.find(' ', from), s.size());
    r.emplace_back(s.substr(from, to - from));
    from = to;
  }
  return r;
}

// The signature's name of an options field: its own, or without the underscore that C++ keywords need.
std::string parameter_of(const Signature& s, std::string_view field) {
  if (s.index(field) < 0 && field.ends_with('_')) field.remove_suffix(1);
  return std::string(field);
}

std::vector<std::string> options_of(const FunctionRecord& r, const Signature& s) {
  std::vector<std::string> names;
  for (const char* const* f = r.fields; f && *f; ++f) names.push_back(parameter_of(s, tree::field_name(*f)));
  return names;
}

// The first names of the signature; what follows *args falls on it too.
std::vector<std::string> first_names(const Signature& s, int count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; static_cast<int>(names.size()) < count && i < s.parameters.size(); ++i) {
    names.push_back(s.parameters[i].name);
    while (s.parameters[i].kind == Parameter::Kind::many && static_cast<int>(names.size()) < count)
      names.push_back(s.parameters[i].name);
  }
  return names;
}

Function read(const char* module, const FunctionRecord& r) {
  Function f{module, Signature::parse(r.signature), {}, {}, {}, &r};
  if (r.positional < 0) return f;
  f.positional = r.names ? words(r.names) : first_names(f.signature, r.positional);
  f.options = options_of(r, f.signature);
  for (const Parameter& p : f.signature.parameters)
    if (std::ranges::count(f.positional, p.name) == 0 && std::ranges::count(f.options, p.name) == 0)
      f.lacking.push_back(p.name);
  return f;
}

void refuse_lacking(const Function& f, const std::vector<std::optional<Value>>& bound) {
  for (const std::string& name : f.lacking) {
    const auto i = static_cast<std::size_t>(f.signature.index(name));
    const Parameter& p = f.signature.parameters[i];
    if (!bound[i]) continue;
    const bool nothing = (p.kind == Parameter::Kind::many && bound[i]->items().empty()) ||
                         (p.kind == Parameter::Kind::keywords && bound[i]->entries().empty());
    if (!nothing && !(p.otherwise && p.otherwise->same(*bound[i])))
      throw NotImplementedError(f.full_name() + ": the parameter " + name + " is not there, got " + bound[i]->str());
  }
}

}  // namespace

AnyFunctionTable::AnyFunctionTable(const char* m, const FunctionRecord* r, std::size_t n)
    : module(m), records(r), count(n), next(first_table()) {
  first_table() = this;
}

Place Call::place(const char* parameter) const {
  const int i = signature_.index(parameter);
  const bool may_be_none = i >= 0 && signature_.parameters[static_cast<std::size_t>(i)].otherwise &&
                           signature_.parameters[static_cast<std::size_t>(i)].otherwise->is_none();
  return {function_, parameter, may_be_none};
}

const Value& Call::operator[](std::string_view parameter) const {
  const int i = signature_.index(parameter);
  if (i < 0) throw ValueError(std::string(function_) + " has no parameter " + std::string(parameter));
  const auto at = static_cast<std::size_t>(i);
  if (bound_[at]) return *bound_[at];
  static const Value nothing;
  return signature_.parameters[at].otherwise ? *signature_.parameters[at].otherwise : nothing;
}

bool Call::given(std::string_view parameter) const {
  const int i = signature_.index(parameter);
  return i >= 0 && bound_[static_cast<std::size_t>(i)];
}

const Value& Call::positional(std::size_t i, bool whole, Place* where) const {
  const std::string& name = positional_[i];
  *where = place(name.c_str());
  const Value& v = (*this)[name];
  if (whole || signature_.parameters[static_cast<std::size_t>(signature_.index(name))].kind != Parameter::Kind::many)
    return v;
  const auto first = static_cast<std::size_t>(std::ranges::find(positional_, name) - positional_.begin());
  if (i - first >= v.items().size()) throw TypeError(std::string(function_) + "() takes one positional argument");
  return v.items()[i - first];
}

const Value* Call::option(const char* field, Place* where) const {
  const std::string name = parameter_of(signature_, tree::field_name(field));
  const int i = signature_.index(name);
  if (i < 0 || !bound_[static_cast<std::size_t>(i)]) return nullptr;
  *where = place(signature_.parameters[static_cast<std::size_t>(i)].name.c_str());
  return &*bound_[static_cast<std::size_t>(i)];
}

namespace {

// Where several C++ parameters fall on *args, each takes one.
void check_many(const Function& f, const std::vector<std::optional<Value>>& bound) {
  for (std::size_t i = 0; i < bound.size(); ++i) {
    const Parameter& p = f.signature.parameters[i];
    const std::ptrdiff_t count = p.kind == Parameter::Kind::many ? std::ranges::count(f.positional, p.name) : 0;
    if (count > 1 && std::cmp_not_equal(bound[i]->items().size(), count))
      throw TypeError(f.signature.name + "() takes " + std::to_string(count) + " positional arguments but " +
                      std::to_string(bound[i]->items().size()) + " were given");
  }
}

}  // namespace

Value Function::operator()(const Arguments& arguments) const {
  const std::vector<std::optional<Value>> bound = bind_arguments(signature, arguments);
  check_many(*this, bound);
  refuse_lacking(*this, bound);
  return record->call(Call(signature.name.c_str(), signature, bound, positional));
}

const std::vector<Function>& all_functions() {
  static const std::vector<Function> all = [] {
    std::vector<Function> r;
    for (const AnyFunctionTable* t = first_table(); t; t = t->next)
      for (std::size_t i = 0; i < t->count; ++i) r.push_back(read(t->module, t->records[i]));
    std::ranges::sort(r, {}, &Function::full_name);
    return r;
  }();
  return all;
}

const Function* find_function(std::string_view full_name) {
  const auto& all = all_functions();
  const auto at = std::ranges::lower_bound(all, std::string(full_name), {}, &Function::full_name);
  return at != all.end() && at->full_name() == full_name ? &*at : nullptr;
}

}  // namespace cotan::table
