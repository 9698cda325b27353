#include "digits_data.h"

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>

namespace {

constexpr std::size_t digit_count = 1797, pixel_count = 64;
constexpr int max_pixel = 16, max_label = 9;
constexpr std::string_view header_start = "cotan-digits 1 count 1797 pixels 64 max 16 fnv1a64 ";

[[noreturn]] void fail(const std::string& path, std::size_t line, const std::string& problem) {
  throw std::runtime_error(path + ":" + std::to_string(line) + ": " + problem);
}

std::uint64_t fnv1a64(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return hash;
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path + ": cannot open the file of handwritten digits");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (file.bad()) throw std::runtime_error(path + ": cannot read the file of handwritten digits");
  return text;
}

// Cuts the first line off `text`; every line, the last one too, ends with a newline.
std::string_view take_line(std::string_view& text, const std::string& path, std::size_t number) {
  const std::size_t end = text.find('\n');
  if (end == text.npos)
    fail(path, number, text.empty() ? "the file ends before this line" : "the file ends inside this line");
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 1);
  return line;
}

// The checksum that the header promises.
std::uint64_t parse_header(std::string_view line, const std::string& path) {
  if (!line.starts_with(header_start)) fail(path, 1, "the header is not '" + std::string(header_start) + "CHECKSUM'");
  line.remove_prefix(header_start.size());
  std::uint64_t sum = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), sum, 16);
  if (error != std::errc() || end != line.data() + line.size() || line.size() != 16) {
    fail(path, 1, "the checksum is not 16 hexadecimal figures");
  }
  return sum;
}

// One number of a line, which starts at `at`; every number but the first has one space before it.
int take_number(const char*& at, const char* end, std::size_t index, const std::string& path, std::size_t line) {
  const bool is_label = index == pixel_count;
  const int limit = is_label ? max_label : max_pixel;
  const std::string what = is_label ? "the label" : "pixel " + std::to_string(index);
  if (at == end) fail(path, line, "the line ends before " + what);
  if (index > 0) {
    if (*at != ' ') fail(path, line, "no space before " + what);
    ++at;
  }
  int value = -1;
  const auto [next, error] = std::from_chars(at, end, value);
  if (error == std::errc::invalid_argument) fail(path, line, what + " is not a whole number");
  if (error != std::errc() || value < 0 || value > limit) {
    fail(path, line, what + " is " + std::string(at, next) + ", not in 0 to " + std::to_string(limit));
  }
  at = next;
  return value;
}

}  // namespace

std::string default_digits_path() { return COTAN_EXAMPLES_DATA "/digits.txt"; }

Digits load_digits(const std::string& path) {
  const std::string file = read_file(path);
  std::string_view text = file;
  const std::uint64_t promised = parse_header(take_line(text, path, 1), path);
  const std::uint64_t sum = fnv1a64(text);

  Digits digits{digit_count, {}, {}};
  digits.pixels.reserve(digit_count * pixel_count);
  digits.labels.reserve(digit_count);
  for (std::size_t digit = 0; digit < digit_count; ++digit) {
    const std::size_t number = digit + 2;
    const std::string_view line = take_line(text, path, number);
    const char *at = line.data(), *end = at + line.size();
    for (std::size_t i = 0; i < pixel_count; ++i) {
      digits.pixels.push_back(static_cast<float>(take_number(at, end, i, path, number)) / float{max_pixel});
    }
    digits.labels.push_back(take_number(at, end, pixel_count, path, number));
    if (at != end) fail(path, number, "something follows the label");
  }
  if (!text.empty())
    fail(path, digit_count + 2, "something follows the last of " + std::to_string(digit_count) + " digits");
  if (sum != promised) {
    char got[17];
    std::snprintf(got, sizeof got, "%016llx", static_cast<unsigned long long>(sum));
    fail(path, 1,
         "the checksum of the digits is " + std::string(got) +
             ", not the one that the header gives: the file is damaged");
  }
  return digits;
}
