#include "core/text_reader.h"

#include <charconv>

namespace cotan {
namespace {

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
bool is_word_char(char c) {
  return c == '_' || c == '.' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
int hex_digit(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; }

}  // namespace

void TextReader::skip_space() {
  while (at_ < text_.size() && is_space(text_[at_])) ++at_;
}

bool TextReader::at_end() {
  skip_space();
  return at_ == text_.size();
}

char TextReader::peek() { return at_end() ? '\0' : text_[at_]; }

bool TextReader::accept(std::string_view p) {
  skip_space();
  if (text_.substr(at_, p.size()) != p) return false;
  at_ += p.size();
  return true;
}

void TextReader::expect(std::string_view p) {
  if (!accept(p)) unexpected('\'' + std::string(p) + '\'');
}

bool TextReader::accept_word(std::string_view w) {
  skip_space();
  std::size_t end = at_;
  while (end < text_.size() && is_word_char(text_[end])) ++end;
  if (text_.substr(at_, end - at_) != w) return false;
  at_ = end;
  return true;
}

std::string_view TextReader::word() {
  skip_space();
  const std::size_t start = at_;
  while (at_ < text_.size() && is_word_char(text_[at_])) ++at_;
  if (at_ == start) unexpected("a name");
  return text_.substr(start, at_ - start);
}

std::string_view TextReader::until(std::string_view stops) {
  skip_space();
  const std::size_t start = at_;
  for (int depth = 0; at_ < text_.size() && !is_space(text_[at_]); ++at_) {
    const char c = text_[at_];
    if (depth == 0 && stops.find(c) != std::string_view::npos) break;
    depth += c == '(' ? 1 : c == ')' && depth > 0 ? -1 : 0;
  }
  if (at_ == start) unexpected("a value");
  return text_.substr(start, at_ - start);
}

std::int64_t TextReader::integer(std::int64_t low, std::int64_t high) {
  skip_space();
  std::int64_t v = 0;
  const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), v);
  if (error == std::errc::invalid_argument) unexpected("an integer");
  if (error != std::errc() || v < low || v > high) {
    fail("the integer is not between " + std::to_string(low) + " and " + std::to_string(high));
  }
  at_ = static_cast<std::size_t>(end - text_.data());
  return v;
}

std::string TextReader::quoted() {
  skip_space();
  const std::size_t start = at_;
  expect("\"");
  std::string out;
  for (;; ++at_) {
    if (at_ == text_.size()) fail_at(start, "the string does not end");
    const char c = text_[at_];
    if (c == '"') break;
    if (c != '\\') {
      out += c;
      continue;
    }
    const std::string_view e = text_.substr(at_, 4);
    if (e.size() >= 2 && (e[1] == '"' || e[1] == '\\')) {
      out += e[1];
      at_ += 1;
    } else if (e.size() == 4 && e[1] == 'x' && hex_digit(e[2]) >= 0 && hex_digit(e[3]) >= 0) {
      out += static_cast<char>(hex_digit(e[2]) * 16 + hex_digit(e[3]));
      at_ += 3;
    } else {
      fail("expected \\\", \\\\ or \\x and two hexadecimal digits");
    }
  }
  ++at_;
  return out;
}

void TextReader::unexpected(const std::string& wanted) {
  const char next = peek();
  fail("expected " + wanted + ", got " + (next ? '\'' + std::string(1, next) + '\'' : "the end of the text"));
}

void TextReader::fail_at(std::size_t position, const std::string& what) const {
  std::size_t line = 1, column = 1;
  for (std::size_t i = 0; i < position; ++i) {
    ++column;
    if (text_[i] != '\n') continue;
    ++line;
    column = 1;
  }
  throw ValueError("parse_jaxpr: line " + std::to_string(line) + ", column " + std::to_string(column) + ": " + what);
}

}  // namespace cotan
