// What numpy's reductions share: axes, masks, accumulators.
#pragma once
#include "numpy/common.h"

namespace cotan::numpy {

using ReduceOp = Array (*)(const Array&, const IntList&);

void check_number_operand(const char* function, const Array&);      // TypeError for keys and float0
void check_mask(const char* function, const Array& where);          // ValueError unless bool
IntList reduced_axes(const char* function, const Axes&, int ndim);  // sorted
// IndexError for axes that are out of range: what JAX raises where it looks up the size of an axis first.
void check_indexable(const char* function, const Axes&, int ndim);
std::int64_t count_over(const Shape&, const IntList& axes);  // at most the largest int64
inline Array with_kept(const Array& x, const IntList& axes, bool keepdims) {
  return keepdims ? ops::expand_dims(x, axes) : x;
}
inline Array as_bool(const Array& x) { return to_dtype(x, DType::bool_, false); }
Array count_of(DType, std::int64_t n);     // n as a 0-d array
Array extreme_value(DType, bool highest);  // 0-d: infinite, or the limit of an integer type
DType accumulator(DType);                  // float32 for 16-bit floats
DType sum_dtype(DType);                    // that integers of the type are added in
// x in dtype d; bools become numbers of the default integer type on the way, as JAX stages it.
Array widened(const Array& x, DType d);
// x where `where` (not given: everywhere) and `otherwise` elsewhere.
Array masked(const Array& x, const Array& where, const Array& otherwise);
std::uint64_t static_key(const IntList& axes, std::initializer_list<std::uint64_t> more);
inline std::uint64_t dtype_key(const std::optional<DType>& d) { return d ? static_cast<std::uint64_t>(*d) + 1 : 0; }

// Optional operands of named_jit: those that are given, in order.
class OptionalOperands {
 public:
  void add(const Array& a) {
    given_ = given_ << 1 | a.has_value();
    if (a.has_value()) arrays_.push_back(a);
  }
  const Arrays& arrays() const { return arrays_; }
  std::uint64_t key() const { return given_; }
  // Of the traced arguments: the next operand; no value when it was not given. Call as often as add, in its order.
  class Reader {
   public:
    Reader(const OptionalOperands& o, const Arrays& traced) : given_(o.given_), traced_(traced) {
      for (std::uint64_t g = given_; g > 1; g >>= 1) ++left_;
    }
    Array next() { return given_ >> --left_ & 1 ? traced_[at_++] : Array(); }

   private:
    std::uint64_t given_;
    const Arrays& traced_;
    int left_ = 0;
    std::size_t at_ = 0;
  };

 private:
  Arrays arrays_;
  std::uint64_t given_ = 1;  // a leading 1, then a bit for each operand
};

}  // namespace cotan::numpy
