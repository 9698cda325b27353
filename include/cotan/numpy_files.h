// Arrays from and to files, bytes and text.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cotan/array.h"

namespace cotan::numpy {

// The array in a .npy file (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html), of any byte and memory order;
// void elements of two bytes are bfloat16. 64-bit types are narrowed unless enable_x64 is set. FileNotFoundError, OSError;
// ValueError for what is no such file, is cut short, or holds Python objects; TypeError for elements that are no numbers.
Array load(const std::string& file);
// Writes a .npy file, which gets that suffix if it lacks it. OSError where it cannot; TypeError for keys.
void save(const std::string& file, const Array& arr);

// The arrays of a .npz file, and their names. NotImplementedError for compressed ones.
using NamedArrays = std::vector<std::pair<std::string, Array>>;
NamedArrays load_npz(const std::string& file);
void savez(const std::string& file, const NamedArrays& arrays);
void savez(const std::string& file, const std::vector<Array>& arrays);  // named arr_0, arr_1, ...

// The elements whose bytes stand in the buffer from the offset on: `count` of them, or all if it is negative. ValueError for an offset
// outside, a buffer too small, or one that ends within an element. OverflowError for integers that narrowing does not keep.
Array frombuffer(std::string_view buffer, DType dtype = float64, std::int64_t count = -1, std::int64_t offset = 0);

// The numbers of the text, which `sep` separates; a space in it is any white space, or none. ValueError for what is no number, for
// fewer than `count`, and for an empty sep. OverflowError for an integer that the type does not hold.
struct FromstringOptions {
  using is_options = void;
  std::string_view sep = " ";
};
Array fromstring(std::string_view string, DType dtype = float64, std::int64_t count = -1,
                 const FromstringOptions& = {});

}  // namespace cotan::numpy
