#include "scipy/common.h"

namespace cotan::scipy {

Arrays inexact(const char* function, std::initializer_list<Array> operands, Complex complex) {
  LatticeType type{};
  bool first = true;
  int ndim = 0;
  std::vector<Shape> shapes;
  for (const Array& x : operands) {
    if (is_key(x.dtype()) || x.dtype() == DType::float0)
      throw TypeError(std::string(function) + " does not accept dtype " + dtype_name(x.dtype()) + ", got " +
                      x.aval().str());
    if (is_complex(x.dtype()) && complex == Complex::refused)
      throw ValueError(std::string(function) + " does not support complex-valued inputs, got " + x.aval().str());
    const LatticeType t{x.dtype(), x.weak_type()};
    type = first ? t : promote_types(type, t);
    first = false;
    ndim = std::max(ndim, x.ndim());
    shapes.push_back(x.shape());
  }
  try {
    numpy::broadcast_shapes(function, shapes);
  } catch (const ValueError& e) { throw TypeError(e.message()); }
  const DType d = canonical_dtype(to_inexact_dtype(type.dtype));
  Arrays out;
  for (const Array& x : operands) {
    const Array even = x.ndim() == 0 || x.ndim() == ndim ? x : ops::expand_dims(x, IntList::range(ndim - x.ndim()));
    out.push_back(to_dtype(even, d, type.weak));
  }
  return out;
}

Arrays real_operands(const char* function, std::initializer_list<Array> operands) {
  for (const Array& x : operands)
    if (is_complex(x.dtype()))
      throw TypeError(std::string(function) + " does not accept complex operands, got " + x.aval().str());
  return inexact(function, operands);
}

void check_broadcast(const char* function, std::initializer_list<Array> operands) {
  std::vector<Shape> shapes;
  for (const Array& x : operands) shapes.push_back(x.shape());
  numpy::broadcast_shapes(function, shapes);
}

void check_single_or_double(const char* function, const Array& x) {
  if (x.dtype() != DType::float32 && x.dtype() != DType::float64)
    throw TypeError(std::string(function) + " takes float32 or float64, got " + x.aval().str());
}

}  // namespace cotan::scipy
