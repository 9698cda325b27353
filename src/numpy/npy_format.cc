#include "numpy/npy_format.h"

#include <algorithm>

#include "api/table_value.h"
#include "cotan/numpy_files.h"
#include "numpy/common.h"

namespace cotan::numpy {

namespace {

constexpr std::string_view magic("\x93NUMPY", 6);
constexpr std::size_t alignment = 64, longest_header = 10000, deepest_header = 32;

[[noreturn]] void fail(const std::string& name, const std::string& what) {
  throw ValueError("load: " + name + " " + what);
}

struct Header {
  std::string descr;
  Shape shape;
  bool fortran = false;
  std::string_view data;
};

std::size_t little_endian(std::string_view bytes) {
  std::size_t n = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) n = n << 8 | static_cast<unsigned char>(bytes[i]);
  return n;
}

// The dict of the header. Its depth is bounded before it is parsed, which recurses.
table::Value dict_of(std::string_view text, const std::string& name) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  std::size_t depth = 0;
  for (char c : text) {
    depth += c == '(' || c == '[' || c == '{';
    if (depth > deepest_header || static_cast<unsigned char>(c) < ' ') fail(name, "has a header that is no dict");
  }
  try {
    return table::parse_value(text);
  } catch (const Error&) { fail(name, "has a header that cannot be read: " + std::string(text.substr(0, 80))); }
}

Shape shape_of(const table::Value& v, const std::string& name) {
  if (!v.is_sequence()) fail(name, "has a header with the shape " + v.str());
  Shape s;
  for (const table::Value& n : v.items()) {
    const std::int64_t* size = n.get<std::int64_t>();
    if (!size || *size < 0) fail(name, "has a header with the shape " + v.str());
    s.push_back(*size);
  }
  return s;
}

Header header_of(std::string_view bytes, const std::string& name) {
  if (bytes.empty()) fail(name, "is empty");
  if (bytes.substr(0, magic.size()) != magic.substr(0, bytes.size()))
    fail(name, "is no .npy file: it does not begin with \\x93NUMPY");
  if (bytes.size() < 12) fail(name, "is cut short: its header is missing");
  const int version = bytes[6];
  if (version < 1 || version > 3)
    fail(name, "is of version " + std::to_string(version) + " of the .npy format, which is not known");
  const std::size_t start = version == 1 ? 10 : 12, length = little_endian(bytes.substr(8, start - 8));
  if (length > longest_header) fail(name, "has a header of " + std::to_string(length) + " bytes, which is too long");
  if (bytes.size() < start + length) fail(name, "is cut short: its header is missing");
  const table::Value dict = dict_of(bytes.substr(start, length), name);
  if (!dict.is_dict()) fail(name, "has a header that is no dict: " + dict.str());
  Header h;
  bool descr = false, order = false, shape = false;
  for (const auto& [key, v] : dict.entries()) {
    if (key == "descr" && v.get<std::string>()) h.descr = *v.get<std::string>(), descr = true;
    if (key == "descr" && v.is_sequence())
      throw TypeError("load: " + name + " holds structured elements, which are no numbers: " + v.str());
    if (key == "fortran_order" && v.get<bool>()) h.fortran = *v.get<bool>(), order = true;
    if (key == "shape") h.shape = shape_of(v, name), shape = true;
  }
  if (!descr || !order || !shape) fail(name, "has a header without descr, fortran_order or shape: " + dict.str());
  h.data = bytes.substr(start + length);
  return h;
}

struct Type {
  const char* name;  // after the byte order
  DType dtype;
};
constexpr Type types[] = {{"b1", DType::bool_},     {"i1", DType::int8},        {"i2", DType::int16},
                          {"i4", DType::int32},     {"i8", DType::int64},       {"u1", DType::uint8},
                          {"u2", DType::uint16},    {"u4", DType::uint32},      {"u8", DType::uint64},
                          {"f2", DType::float16},   {"f4", DType::float32},     {"f8", DType::float64},
                          {"c8", DType::complex64}, {"c16", DType::complex128}, {"V2", DType::bfloat16}};

DType type_of(const std::string& descr, const std::string& name) {
  for (const Type& t : types)
    if (descr.size() > 1 && descr.substr(1) == t.name &&
        std::string_view("<>|=").find(descr[0]) != std::string_view::npos)
      return t.dtype;
  if (descr.substr(0, 2) == "|O") fail(name, "holds Python objects, which are not read");
  throw TypeError("load: " + name + " holds elements of the type '" + descr + "', and only numbers are supported");
}

// Elements as this machine has them: little-endian, and bools of 0 or 1.
std::string native(std::string_view data, const Header& h, DType d) {
  std::string bytes(data);
  if (d == DType::bool_)
    for (char& b : bytes) b = b != 0;
  if (h.descr[0] == '>') {
    const std::size_t part = item_size(d) / (is_complex(d) ? 2 : 1);
    for (std::size_t i = 0; i < bytes.size(); i += part)
      std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(i),
                   bytes.begin() + static_cast<std::ptrdiff_t>(i + part));
  }
  return bytes;
}

}  // namespace

Array array_of_npy(std::string_view bytes, const std::string& name) {
  const Header h = header_of(bytes, name);
  const DType d = type_of(h.descr, name);
  std::size_t size = item_size(d);
  for (std::int64_t n : h.shape)
    if (__builtin_mul_overflow(size, static_cast<std::size_t>(n), &size))
      fail(name, "has a shape that is too large: " + h.shape.str());
  if (h.data.size() < size)
    fail(name, "is cut short: it has " + std::to_string(h.data.size()) + " of the " + std::to_string(size) +
                   " bytes of its elements");
  Shape shape = h.shape;
  if (h.fortran) std::reverse(shape.begin(), shape.end());
  const Array x = detail::from_host(native(h.data.substr(0, size), h, d).data(), d, shape, std::nullopt, {});
  return h.fortran ? transpose(x) : x;
}

std::string npy_of_array(const char* function, const Array& a) {
  std::string descr;
  for (const Type& t : types)
    if (t.dtype == a.dtype()) descr = (item_size(t.dtype) == 1 ? "|" : "<") + std::string(t.name);
  if (descr.empty()) throw TypeError(std::string(function) + ": elements must be numbers, got " + a.aval().str());
  const auto* data = static_cast<const char*>(a.data());
  std::string header = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + a.shape().str() + ", }";
  const std::size_t start = magic.size() + 4;
  header.append(alignment - (start + header.size() + 1) % alignment, ' ');
  header += '\n';
  std::string bytes(magic);
  bytes += {1, 0, static_cast<char>(header.size() & 255), static_cast<char>(header.size() >> 8)};
  return bytes.append(header).append(data, static_cast<std::size_t>(a.size()) * item_size(a.dtype()));
}

}  // namespace cotan::numpy
