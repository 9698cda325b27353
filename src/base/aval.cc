#include "cotan/aval.h"

namespace cotan {

std::string Aval::str() const {
  std::string s = dtype_short_name(dtype);
  s += '[';
  for (int i = 0; i < ndim(); ++i) {
    if (i) s += ',';
    s += std::to_string(shape[i]);
  }
  return s + ']';
}

Aval tangent_aval(const Aval& a) { return {a.shape, tangent_dtype(a.dtype), a.weak_type && is_inexact(a.dtype)}; }

}  // namespace cotan
