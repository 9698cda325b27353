// numpy's products: each is one dot_general.
#include "numpy/common.h"

namespace cotan::numpy {

namespace {

// The product in the operands' common type. The operands keep theirs.
Array product(const char* function, const Array& x, const Array& y, const ops::DotDimensionNumbers& d) {
  for (const Array* a : {&x, &y})
    if (is_key(a->dtype()) || a->dtype() == DType::float0)
      throw TypeError(std::string(function) + " does not accept dtype " + dtype_name(a->dtype()) + ", got " +
                      a->aval().str());
  const LatticeType t = promote_types({x.dtype(), x.weak_type()}, {y.dtype(), y.weak_type()});
  const DType result = canonical_dtype(t.dtype);
  return to_dtype(ops::dot_general(x, y, d, result), result, t.weak);
}

// How the leading dimensions of matmul's operands meet: sizes of 1 are squeezed out of their operand, unless both have
// them, and the result is put in order afterwards.
struct MatmulPlan {
  IntList squeeze_x, squeeze_y;  // of the operands
  IntList batch_x, batch_y;      // of the squeezed operands
  IntList permutation;           // of dot_general's result
  IntList ones;                  // dimensions of the result that both operands lacked
};

MatmulPlan plan_matmul(const Shape& x, const Shape& y) {
  MatmulPlan p;
  const int nx = std::max(x.ndim() - 2, 0), ny = std::max(y.ndim() - 2, 0), n = std::max(nx, ny);
  IntList from_batch, from_x, from_y;  // result dimensions, in dot_general's order of each group
  int at_x = 0, at_y = 0;              // positions in the squeezed operands
  for (int i = 0; i < n; ++i) {
    const int ix = i - (n - nx), iy = i - (n - ny);
    const bool one_x = ix < 0 || x[ix] == 1, one_y = iy < 0 || y[iy] == 1;
    if (ix >= 0 && one_x) p.squeeze_x.push_back(ix);
    if (iy >= 0 && one_y) p.squeeze_y.push_back(iy);
    if (one_x && one_y) {
      p.ones.push_back(i);
    } else if (one_x) {
      from_y.push_back(i), ++at_y;
    } else if (one_y) {
      from_x.push_back(i), ++at_x;
    } else if (x[ix] == y[iy]) {
      p.batch_x.push_back(at_x++), p.batch_y.push_back(at_y++), from_batch.push_back(i);
    } else {
      throw ValueError("matmul: Incompatible shapes for broadcasting: shapes=[" + x.str() + ", " + y.str() + "]");
    }
  }
  if (x.ndim() > 1) from_x.push_back(n);
  if (y.ndim() > 1) from_y.push_back(n + 1);
  IntList order = from_batch;  // the result dimension of each dimension of dot_general's
  for (std::int64_t d : from_x) order.push_back(d);
  for (std::int64_t d : from_y) order.push_back(d);
  for (int d = 0; d < n + 2; ++d)
    for (int i = 0; i < order.length(); ++i)
      if (order[i] == d) p.permutation.push_back(i);
  return p;
}

}  // namespace

Array dot(const Array& x, const Array& y) {
  COTAN_API;
  if (x.ndim() == 0 || y.ndim() == 0) return product("dot", x, y, {});
  return product("dot", x, y, {{x.ndim() - 1}, {std::max(y.ndim() - 2, 0)}, {}, {}});
}

Array matmul(const Array& x, const Array& y) {
  COTAN_API;
  for (int i = 0; i < 2; ++i)
    if ((i ? y : x).ndim() == 0)
      throw ValueError("matmul input operand " + std::to_string(i) + " must have ndim at least 1, but it has ndim 0");
  const MatmulPlan p = plan_matmul(x.shape(), y.shape());
  const Array a = ops::squeeze(x, p.squeeze_x), b = ops::squeeze(y, p.squeeze_y);
  Array r =
      product("matmul", a, b, {{a.ndim() - 1}, {std::max(b.ndim() - (y.ndim() > 1 ? 2 : 1), 0)}, p.batch_x, p.batch_y});
  return ops::expand_dims(ops::transpose(r, p.permutation), p.ones);
}

Array vdot(const Array& x, const Array& y) {
  COTAN_API;
  const Array a = ravel(conj(x)), b = ravel(y);
  return dot(a, b);
}

Array inner(const Array& x, const Array& y) {
  COTAN_API;
  if (x.ndim() == 0 || y.ndim() == 0) return multiply(x, y);
  return product("inner", x, y, {{x.ndim() - 1}, {y.ndim() - 1}, {}, {}});
}

Array outer(const Array& x, const Array& y) {
  COTAN_API;
  const Array a = ops::expand_dims(ravel(x), {1}), b = ops::expand_dims(ravel(y), {0});
  return multiply(a, b);
}

Array tensordot(const Array& x, const Array& y, int axes) {
  COTAN_API;
  if (axes < 0) throw ValueError("tensordot: axes must not be negative, got " + std::to_string(axes));
  if (axes > std::min(x.ndim(), y.ndim()))
    throw TypeError("Number of tensordot axes (axes " + std::to_string(axes) + ") exceeds input ranks (" +
                    x.shape().str() + " and " + y.shape().str() + ")");
  ops::DotDimensionNumbers d;
  for (int i = 0; i < axes; ++i) d.lhs_contract.push_back(x.ndim() - axes + i), d.rhs_contract.push_back(i);
  return product("tensordot", x, y, d);
}

}  // namespace cotan::numpy
