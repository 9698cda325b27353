// Reads a text character by character and knows where it is.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "cotan/errors.h"

namespace cotan {

class TextReader {
 public:
  explicit TextReader(std::string_view text) : text_(text) {}

  void skip_space();
  bool at_end();
  char peek();                                // the next character that is no space; 0 at the end
  bool accept(std::string_view punctuation);  // reads it if it is next
  void expect(std::string_view punctuation);
  bool accept_word(std::string_view);  // a whole word
  std::string_view word();             // letters, digits, '_' and '.'; not empty
  std::string_view until(
      std::string_view stops);  // up to the first of these outside of (), a space or the end; not empty
  std::int64_t integer(std::int64_t low, std::int64_t high);
  std::string quoted();

  std::size_t position() const { return at_; }
  // Throws ValueError with the line and column of a position, by default the current one.
  [[noreturn]] void fail(const std::string& what) const { fail_at(at_, what); }
  [[noreturn]] void fail_at(std::size_t position, const std::string& what) const;

 private:
  [[noreturn]] void unexpected(const std::string& wanted);
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace cotan
