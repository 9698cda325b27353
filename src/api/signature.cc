#include "api/signature.h"

#include <algorithm>

namespace cotan::table {
namespace {

using Kind = Parameter::Kind;

// Cut at commas outside of brackets and quotes.
std::vector<std::string> cut(std::string_view text) {
  std::vector<std::string> parts;
  std::string part;
  int depth = 0;
  bool quoted = false;
  for (char c : text) {
    if (c == '\'') quoted = !quoted;
    if (!quoted) depth += c == '(' || c == '[' || c == '<' ? 1 : c == ')' || c == ']' || c == '>' ? -1 : 0;
    if (c == ',' && depth == 0 && !quoted) parts.push_back(part), part.clear();
    else if (c != ' ' || !part.empty()) part += c;
  }
  if (!part.empty()) parts.push_back(part);
  return parts;
}

bool is_name(const std::string& s) {
  return !s.empty() && s.find_first_not_of("_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == s.npos;
}

[[noreturn]] void fail(const Signature& s, const std::string& what) { throw TypeError(s.name + "() " + what); }

std::string quoted_names(const std::vector<std::string>& names) {
  std::string r;
  for (std::size_t i = 0; i < names.size(); ++i)
    r += (i == 0 ? "'" : i + 1 == names.size() ? " and '" : ", '") + names[i] + "'";
  return r;
}

void bind_positional(const Signature& s, const Value::Items& given, std::vector<std::optional<Value>>& bound) {
  std::size_t next = 0, room = 0;
  for (std::size_t i = 0; i < s.parameters.size(); ++i) {
    const Kind kind = s.parameters[i].kind;
    if (kind == Kind::many) {
      bound[i] = Value::tuple(
          Value::Items(given.begin() + static_cast<std::ptrdiff_t>(std::min(next, given.size())), given.end()));
      return;
    }
    if (kind > Kind::many) break;
    ++room;
    if (next < given.size()) bound[i] = given[next++];
  }
  if (next < given.size())
    fail(s,
         "takes " + std::to_string(room) + " positional arguments but " + std::to_string(given.size()) + " were given");
}

void bind_keywords(const Signature& s, const Value::Entries& given, std::vector<std::optional<Value>>& bound) {
  const bool open = !s.parameters.empty() && s.parameters.back().kind == Kind::keywords;
  Value::Entries rest;
  for (const auto& [name, value] : given) {
    const int i = s.index(name);
    const bool taken = i >= 0 && (s.parameters[static_cast<std::size_t>(i)].kind == Kind::either ||
                                  s.parameters[static_cast<std::size_t>(i)].kind == Kind::keyword_only);
    if (taken && bound[static_cast<std::size_t>(i)]) fail(s, "got multiple values for argument '" + name + "'");
    if (taken) bound[static_cast<std::size_t>(i)] = value;
    else if (open) rest.emplace_back(name, value);
    else fail(s, "got an unexpected keyword argument '" + name + "'");
  }
  if (open) bound.back() = Value::dict(rest);
}

}  // namespace

Signature Signature::parse(std::string_view text) {
  Signature s;
  const std::size_t open = text.find('(');
  if (open == text.npos || !text.ends_with(')')) throw ValueError("no signature: " + std::string(text));
  s.name = text.substr(0, open);
  Kind kind = Kind::either;
  for (const std::string& part : cut(text.substr(open + 1, text.size() - open - 2))) {
    if (part == "/") {
      for (Parameter& p : s.parameters) p.kind = Kind::positional_only;
    } else if (part == "*") {
      kind = Kind::keyword_only;
    } else if (part.starts_with("**")) {
      s.parameters.push_back({part.substr(2), Kind::keywords, {}});
    } else if (part.starts_with('*')) {
      s.parameters.push_back({part.substr(1), Kind::many, {}});
      kind = Kind::keyword_only;
    } else {
      const std::size_t equals = part.find('=');
      s.parameters.push_back({part.substr(0, equals), kind, {}});
      if (equals != part.npos) s.parameters.back().otherwise = parse_value(std::string_view(part).substr(equals + 1));
    }
    if (!s.parameters.empty() && !is_name(s.parameters.back().name))
      throw ValueError("no signature: " + std::string(text));
  }
  return s;
}

int Signature::index(std::string_view parameter) const {
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i].name == parameter) return static_cast<int>(i);
  return -1;
}

std::vector<std::optional<Value>> bind_arguments(const Signature& s, const Arguments& given) {
  std::vector<std::optional<Value>> bound(s.parameters.size());
  bind_positional(s, given.positional, bound);
  bind_keywords(s, given.keywords, bound);
  std::vector<std::string> missing;
  for (std::size_t i = 0; i < bound.size(); ++i)
    if (!bound[i] && !s.parameters[i].otherwise && s.parameters[i].kind != Kind::many &&
        s.parameters[i].kind != Kind::keywords)
      missing.push_back(s.parameters[i].name);
  if (!missing.empty())
    fail(s, "missing " + std::to_string(missing.size()) + " required argument" + (missing.size() == 1 ? ": " : "s: ") +
                quoted_names(missing));
  return bound;
}

}  // namespace cotan::table
