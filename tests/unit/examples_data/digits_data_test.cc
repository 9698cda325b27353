#include "digits_data.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace {

std::string read_all(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// What load_digits says of a file with this text.
std::string problem_of(const std::string& text) {
  const auto path = std::filesystem::temp_directory_path() / ("cotan_digits_" + std::to_string(getpid()));
  std::ofstream(path, std::ios::binary) << text;
  std::string problem = "none";
  try {
    load_digits(path);
  } catch (const std::runtime_error& error) {
    problem = error.what();
    EXPECT_EQ(problem.find(path.string() + ":"), 0u) << problem;
    problem = problem.substr(path.string().size() + 1);
  }
  std::filesystem::remove(path);
  return problem;
}

// The text with one line replaced; lines count from 1.
std::string with_line(std::string text, int number, const std::string& line) {
  std::size_t start = 0;
  for (int i = 1; i < number; ++i) start = text.find('\n', start) + 1;
  return text.replace(start, text.find('\n', start) - start, line);
}

std::string numbers(int count, const std::string& value) {
  std::string line = value;
  for (int i = 1; i < count; ++i) line += " " + value;
  return line;
}

TEST(Digits, AreThoseOfTheSet) {
  const Digits digits = load_digits();
  ASSERT_EQ(digits.count, 1797u);
  ASSERT_EQ(digits.pixels.size(), 1797u * 64u);
  ASSERT_EQ(digits.labels.size(), 1797u);
  std::array<int, 10> each{};
  for (const int label : digits.labels) ++each.at(static_cast<std::size_t>(label));
  EXPECT_EQ(each, (std::array<int, 10>{178, 182, 177, 183, 181, 182, 181, 179, 174, 180}));
  double total = 0;
  for (const float pixel : digits.pixels) {
    ASSERT_TRUE(pixel >= 0 && pixel <= 1);
    total += static_cast<double>(pixel) * 16;
  }
  EXPECT_EQ(total, 561718.0);
  EXPECT_EQ(digits.pixels[2], 5.0f / 16.0f);
  EXPECT_EQ(digits.labels[0], 0);
  EXPECT_EQ(digits.labels[1796], 8);
}

TEST(Digits, MissingFile) {
  try {
    load_digits("/nowhere/digits.txt");
    FAIL() << "no error";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "/nowhere/digits.txt: cannot open the file of handwritten digits");
  }
}

TEST(Digits, DamagedHeader) {
  const std::string good = read_all(default_digits_path());
  EXPECT_EQ(problem_of(""), "1: the file ends before this line");
  EXPECT_EQ(problem_of("cotan"), "1: the file ends inside this line");
  EXPECT_EQ(problem_of("x" + good).find("1: the header is not 'cotan-digits 1 count 1797"), 0u);
  const std::string start = good.substr(0, good.find("fnv1a64 ") + 8);
  EXPECT_EQ(problem_of(with_line(good, 1, start)), "1: the checksum is not 16 hexadecimal figures");
  EXPECT_EQ(problem_of(with_line(good, 1, start + "02e7b0ff9fc87bcx")),
            "1: the checksum is not 16 hexadecimal figures");
  EXPECT_EQ(
      problem_of(with_line(good, 1, start + "02e7b0ff9fc87bc6")),
      "1: the checksum of the digits is 02e7b0ff9fc87bc5, not the one that the header gives: the file is damaged");
}

TEST(Digits, DamagedLine) {
  const std::string good = read_all(default_digits_path());
  EXPECT_EQ(problem_of(with_line(good, 5, "")), "5: the line ends before pixel 0");
  EXPECT_EQ(problem_of(with_line(good, 5, numbers(64, "1"))), "5: the line ends before the label");
  EXPECT_EQ(problem_of(with_line(good, 5, numbers(66, "1"))), "5: something follows the label");
  EXPECT_EQ(problem_of(with_line(good, 5, numbers(65, "1") + "\r")), "5: something follows the label");
  EXPECT_EQ(problem_of(with_line(good, 7, "x")), "7: pixel 0 is not a whole number");
  EXPECT_EQ(problem_of(with_line(good, 7, "1  1")), "7: pixel 1 is not a whole number");
  EXPECT_EQ(problem_of(with_line(good, 7, "1,1")), "7: no space before pixel 1");
  EXPECT_EQ(problem_of(with_line(good, 7, "17")), "7: pixel 0 is 17, not in 0 to 16");
  EXPECT_EQ(problem_of(with_line(good, 7, "-1")), "7: pixel 0 is -1, not in 0 to 16");
  EXPECT_EQ(problem_of(with_line(good, 7, "99999999999")), "7: pixel 0 is 99999999999, not in 0 to 16");
  EXPECT_EQ(problem_of(with_line(good, 1798, numbers(65, "10"))), "1798: the label is 10, not in 0 to 9");
  // Right in every range, and yet not the digits of the set.
  EXPECT_NE(problem_of(with_line(good, 9, numbers(65, "1"))).find("the file is damaged"), std::string::npos);
}

TEST(Digits, CutOrLengthened) {
  const std::string good = read_all(default_digits_path());
  EXPECT_EQ(problem_of(good), "none");
  EXPECT_EQ(problem_of(good.substr(0, good.size() - 1)), "1798: the file ends inside this line");
  EXPECT_EQ(problem_of(good.substr(0, good.rfind('\n', good.size() - 2) + 1)), "1798: the file ends before this line");
  EXPECT_EQ(problem_of(good + "\n"), "1799: something follows the last of 1797 digits");
  EXPECT_EQ(problem_of(std::string(1000, '\0')), "1: the file ends inside this line");
}

}  // namespace
