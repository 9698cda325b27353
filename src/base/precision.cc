#include "cotan/precision.h"

#include <iterator>
#include <string>

#include "cotan/errors.h"

namespace cotan {

namespace {

constexpr std::size_t first_algorithm = 4;

std::uint8_t level(std::string_view w) {
  if (w == "default" || w == "fastest" || w == "bfloat16") return 1;
  if (w == "high" || w == "bfloat16_3x" || w == "tensorfloat32") return 2;
  if (w == "highest" || w == "float32") return 3;
  return 0;
}

// Products are formed at least as exactly as the first few of these ask.
constexpr const char* algorithms[] = {"DEFAULT", "F32_F32_F32", "BF16_BF16_F32", "BF16_BF16_F32_X3",
                                      "BF16_BF16_F32_X6"};
constexpr const char* other_algorithms[] = {"ANY_F8_ANY_F8_F32", "ANY_F8_ANY_F8_F32_FAST_ACCUM",
                                            "ANY_F8_ANY_F8_ANY", "ANY_F8_ANY_F8_ANY_FAST_ACCUM",
                                            "F16_F16_F16",       "F16_F16_F32",
                                            "BF16_BF16_BF16",    "BF16_BF16_F32_X9",
                                            "TF32_TF32_F32",     "TF32_TF32_F32_X3",
                                            "F64_F64_F64"};

[[noreturn]] void refuse(std::string_view w) {
  for (const char* name : other_algorithms)
    if (w == name)
      throw NotImplementedError("precision: the algorithm " + std::string(w) + " is not implemented on CPU");
  throw ValueError(
      "precision must be 'default', 'high', 'highest', one of their other names, two of these, or the name of an "
      "algorithm, got '" +
      std::string(w) + "'");
}

}  // namespace

Precision::Precision(std::string_view word) : lhs_(level(word)), rhs_(lhs_) {
  for (std::size_t i = 0; i < std::size(algorithms); ++i)
    if (word == algorithms[i]) lhs_ = rhs_ = static_cast<std::uint8_t>(first_algorithm + i);
  if (lhs_ == 0) refuse(word);
}

Precision::Precision(std::initializer_list<std::string_view> words) {
  if (words.size() == 0) return;
  if (words.size() != 2)
    throw ValueError("precision: a list must have two entries, for lhs and rhs, got " + std::to_string(words.size()));
  const std::string_view *l = words.begin(), *r = l + 1;
  lhs_ = level(*l), rhs_ = level(*r);
  if (lhs_ == 0 || rhs_ == 0) refuse(lhs_ == 0 ? *l : *r);
}

}  // namespace cotan
