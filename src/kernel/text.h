// Reading and writing the pieces that the text forms of programs and plans share.
#pragma once
#include <cctype>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "kernel/program.h"

namespace cotan::kernel {

// A cursor over text. After the first mistake every read fails, and error() says what was expected where.
class TextReader {
 public:
  explicit TextReader(std::string_view text) : text_(text) {}

  bool ok() const { return error_.empty(); }
  const std::string& error() const { return error_; }
  void fail(const std::string& what) {
    if (!ok()) return;
    int line = 1;
    for (std::size_t i = 0; i < at_; ++i) line += text_[i] == '\n';
    error_ = "line " + std::to_string(line) + ": " + what;
  }
  bool at_end() { return skip(), at_ == text_.size(); }
  bool peek(std::string_view s) { return skip(), text_.substr(at_, s.size()) == s; }
  bool accept(std::string_view s) {
    if (!ok() || !peek(s)) return false;
    at_ += s.size();
    return true;
  }
  void expect(std::string_view s) {
    if (!accept(s)) fail("expected '" + std::string(s) + "'");
  }
  // Letters, digits, and the characters that dtype names use.
  std::string_view word() {
    skip();
    const std::size_t start = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_' ||
                                  text_[at_] == '<' || text_[at_] == '>'))
      ++at_;
    if (start == at_) fail("expected a word");
    return text_.substr(start, at_ - start);
  }
  bool peek_word(std::string_view w) {
    const std::size_t here = at_;
    skip();
    const std::size_t start = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) ++at_;
    const bool same = text_.substr(start, at_ - start) == w;
    at_ = here;
    return same;
  }
  std::int64_t number() {
    skip();
    if (at_ < text_.size() && text_[at_] == '+') ++at_;
    std::int64_t v = 0;
    const auto r = std::from_chars(text_.data() + at_, text_.data() + text_.size(), v);
    if (r.ec != std::errc()) return fail("expected a number"), 0;
    at_ = static_cast<std::size_t>(r.ptr - text_.data());
    return v;
  }
  int index(char prefix) {  // "b3"
    expect(std::string_view(&prefix, 1));
    const std::int64_t v = ok() ? number() : 0;
    if (v < 0 || v > 0x7fffffff) fail("a number out of range");
    return static_cast<int>(v);
  }
  DType dtype() {
    const std::string_view w = word();
    DType d = DType::float32;
    if (ok() && !dtype_from_name(w.data(), w.size(), &d)) fail("no dtype '" + std::string(w) + "'");
    return d;
  }
  template <class List> List list() {
    List out;
    expect("[");
    if (accept("]")) return out;
    do out.push_back(static_cast<std::remove_cvref_t<decltype(out[0])>>(number()));
    while (ok() && accept(","));
    expect("]");
    return out;
  }

 private:
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  std::string_view text_;
  std::size_t at_ = 0;
  std::string error_;
};

template <class List> std::string list_text(const List& list) {
  std::string s = "[";
  for (auto v : list) s += (s.size() > 1 ? ", " : "") + std::to_string(v);
  return s + "]";
}

inline std::string offset_text(std::int64_t v) { return (v < 0 ? "" : "+") + std::to_string(v); }

// Reads from "program" to "end".
Program read_program(TextReader& in);

}  // namespace cotan::kernel
