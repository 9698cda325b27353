// Arrays from bytes and text.
#include <charconv>
#include <cctype>

#include "api/function_table.h"
#include "base/host_scalar.h"
#include "cotan/numpy_files.h"
#include "numpy/common.h"

namespace cotan::numpy {

Array frombuffer(std::string_view buffer, DType dtype, std::int64_t count, std::int64_t offset) {
  COTAN_API;
  if (is_key(dtype) || dtype == DType::float0)
    throw TypeError(std::string("frombuffer: dtype must be of numbers, got ") + dtype_name(dtype));
  const std::size_t width = item_size(dtype);
  if (offset < 0 || std::cmp_greater(offset, buffer.size()))
    throw ValueError("frombuffer: offset must be between 0 and the buffer's length " + std::to_string(buffer.size()) +
                     ", got " + std::to_string(offset));
  const std::string_view rest = buffer.substr(static_cast<std::size_t>(offset));
  if (count < 0 && rest.size() % width != 0)
    throw ValueError("frombuffer: the buffer's size must be a multiple of that of an element, got " +
                     std::to_string(rest.size()) + " bytes for " + dtype_name(dtype));
  const std::size_t n = count < 0 ? rest.size() / width : static_cast<std::size_t>(count);
  if (n > rest.size() / width)
    throw ValueError("frombuffer: the buffer has " + std::to_string(rest.size()) + " bytes, fewer than " +
                     std::to_string(count) + " elements of " + dtype_name(dtype));
  std::string bytes(rest.substr(0, n * width));
  if (dtype == DType::bool_)
    for (char& b : bytes) b = b != 0;
  return detail::from_host(bytes.data(), dtype, Shape(n), std::nullopt, {});
}

namespace {

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

// Reads numbers one after the other.
class NumberText {
 public:
  explicit NumberText(std::string_view text) : whole_(text), text_(text) {}
  bool at_end() {
    skip_space();
    return text_.empty();
  }
  HostScalar number(DType d) {
    skip_space();
    if (is_integer(d))
      return is_unsigned_integer(d) && text_.substr(0, 1) != "-" ? read<std::uint64_t>() : read<std::int64_t>();
    const double real = read<double>().as_double();
    if (!is_complex(d)) return HostScalar(real);
    return HostScalar(imaginary(real));
  }
  // A character of sep; a space is any white space.
  void separator(std::string_view sep) {
    for (char c : sep) {
      if (is_space(c)) skip_space();
      else if (skip_space(); text_.starts_with(c)) text_.remove_prefix(1);
      else fail();
    }
  }
  [[noreturn]] void fail() const {
    throw ValueError("fromstring: the text could not be read to its end, at '" + std::string(text_.substr(0, 20)) +
                     "' of '" + std::string(whole_.substr(0, 40)) + "'");
  }

 private:
  void skip_space() {
    while (!text_.empty() && is_space(text_[0])) text_.remove_prefix(1);
  }
  template <class T> HostScalar read() {
    const bool plus = text_.starts_with('+') && !text_.starts_with("+-");
    const char *first = text_.data() + plus, *last = text_.data() + text_.size();
    T v{};
    const auto [end, error] = std::from_chars(first, last, v);
    if (error == std::errc::result_out_of_range && std::is_integral_v<T>)
      throw OverflowError("fromstring: an integer is too large, at '" + std::string(text_.substr(0, 30)) + "'");
    if (error == std::errc::invalid_argument) fail();
    if constexpr (std::is_floating_point_v<T>)
      if (error == std::errc::result_out_of_range) v = out_of_range(std::string_view(first, end));
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    return HostScalar(v);
  }
  // Beyond the largest double, or closer to 0 than the smallest: HostScalar's reader rounds these.
  static double out_of_range(std::string_view number) { return HostScalar::parse(number, DType::float64).as_double(); }
  // What may follow the real part: 2+3j; or j itself.
  std::complex<double> imaginary(double real) {
    if (text_.starts_with('j')) {
      text_.remove_prefix(1);
      return {0, real};
    }
    if (!text_.starts_with('+') && !text_.starts_with('-')) return real;
    const double imag = read<double>().as_double();
    if (!text_.starts_with('j')) fail();
    text_.remove_prefix(1);
    return {real, imag};
  }
  std::string_view whole_, text_;
};

void check_fits(const HostScalar& v, DType d) {
  const HostScalar r = v.convert(d);
  if (r.convert(v.dtype) == v && !(is_unsigned_integer(d) && is_signed_integer(v.dtype) && v.as_int64() < 0)) return;
  throw OverflowError("fromstring: the integer " + v.str() + " is out of the range of " + dtype_name(d));
}

}  // namespace

Array fromstring(std::string_view string, DType dtype, std::int64_t count, const FromstringOptions& o) {
  COTAN_API;
  if (is_key(dtype) || dtype == DType::float0)
    throw TypeError(std::string("fromstring: dtype must be of numbers, got ") + dtype_name(dtype));
  if (o.sep.empty()) throw ValueError("fromstring: sep must not be empty; frombuffer reads binary data");
  NumberText text(string);
  const DType d = canonical_dtype(dtype);
  std::string bytes;
  std::int64_t n = 0;
  while ((count < 0 || n < count) && !text.at_end()) {
    const HostScalar v = text.number(d);
    if (is_integer(d)) check_fits(v, d);
    bytes.resize(bytes.size() + item_size(d));
    v.convert(d).store(bytes.data() + bytes.size() - item_size(d));
    ++n;
    if (n != count && !text.at_end()) text.separator(o.sep);
  }
  if (n < count)
    throw ValueError("fromstring: the text has " + std::to_string(n) +
                     " numbers, fewer than count=" + std::to_string(count));
  return evaluation_hook().from_bytes({Shape(n), d, false}, bytes.data());
}

namespace {

using table::Call;
using table::Value;

Value not_pure(const Call& c) {
  throw NotImplementedError(std::string("numpy.") + c.function() +
                            ": what reads from a file or an iterator may give another result each time it is traced; "
                            "read it first and make an array of that");
}
bool iterable(const Value& y) {
  if (const Array* a = y.get<Array>()) return a->ndim() > 0;
  return y.is_sequence() || y.is_dict() || y.get<std::string>();
}

}  // namespace

const FunctionTable from_text_table{
    "numpy",
    {
        function<frombuffer>("frombuffer(buffer, dtype=<class 'float'>, count=-1, offset=0)",
                             "The elements whose bytes stand in a buffer."),
        function<fromstring>("fromstring(string, dtype=<class 'float'>, count=-1, *, sep)", "The numbers of a text."),
        function<not_pure>("fromfile(*args, **kwargs)", "Not there: reading is no pure function."),
        function<not_pure>("fromiter(*args, **kwargs)", "Not there: an iterator is used up when it is traced."),
        function<iterable>("iterable(y)",
                           "Whether y can be iterated over: a sequence, a dict, a text, an Array with axes."),
    }};

}  // namespace cotan::numpy
