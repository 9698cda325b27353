// Lays text out in lines: a group whose text fits on the line is written on one, and at the breaks of one that does not fit
// new lines begin. A break belongs to the innermost group around it; outside of all groups it is a new line.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cotan {

class Layout {
 public:
  void text(std::string_view);
  void brk(std::string_view when_flat = " ");
  void begin_group();
  void end_group();
  void begin_nest(int indent);  // adds to the indentation of lines begun before end_nest
  void end_nest();

  // Groups are judged by their own text only: what follows one on its line may run over the width.
  std::string str(int width = 80) const;

 private:
  enum class Kind : std::uint8_t { text, brk, begin_group, end_group, begin_nest, end_nest };
  struct Token {
    Kind kind;
    std::uint32_t size;  // of the text; of a nest: the indentation
    std::size_t start;
  };
  void add(Kind, std::string_view);
  bool fits(std::size_t group, std::int64_t room) const;
  std::vector<Token> tokens_;
  std::string texts_;
};

}  // namespace cotan
