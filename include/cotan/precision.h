// How exactly products are formed where a machine offers a choice. On CPU there is none: kept in programs, without effect.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "cotan/number.h"

namespace cotan {

// none; one of "default" ("fastest", "bfloat16"), "high" ("bfloat16_3x", "tensorfloat32"), "highest" ("float32"), for both
// operands or one for each, {"high", "highest"}; or an algorithm, as "F32_F32_F32". ValueError for other words, NotImplementedError
// for algorithms of other machines.
class Precision {
 public:
  using may_be_omitted = void;
  Precision() = default;
  Precision(none_t) {}
  Precision(std::string_view word);
  Precision(const char* word) : Precision(std::string_view(word)) {}
  Precision(std::initializer_list<std::string_view> lhs_and_rhs);

  bool given() const { return lhs_ != 0; }
  // 0 where not given; 1, 2, 3: DEFAULT, HIGH, HIGHEST; more: an algorithm, the same number for both.
  int lhs() const { return lhs_; }
  int rhs() const { return rhs_; }
  friend bool operator==(const Precision&, const Precision&) = default;

 private:
  std::uint8_t lhs_ = 0, rhs_ = 0;
};

}  // namespace cotan
