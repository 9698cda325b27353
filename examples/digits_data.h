// The 1,797 handwritten digits of examples/data/digits.txt.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

struct Digits {
  std::size_t count = 0;
  std::vector<float> pixels;  // count x 64, row by row an 8 x 8 picture, 0 (paper) to 1 (ink)
  std::vector<int> labels;    // count digits, 0 to 9
};

// The file that stands in this repository.
std::string default_digits_path();

// Reads and verifies a file of the form that examples/data/README.md describes. Throws std::runtime_error, which names
// the file, the line and the problem, if it is missing or damaged in any way.
Digits load_digits(const std::string& path = default_digits_path());
