// numpy's products: each is one dot_general.
#include "numpy/products.h"

#include "api/function_table.h"
#include "numpy/slices.h"

namespace cotan::numpy {

ProductType product_type(const char* function, std::span<const Array> operands, const std::optional<DType>& preferred) {
  std::vector<LatticeType> types;
  for (const Array& a : operands) {
    if (is_key(a.dtype()) || a.dtype() == DType::float0)
      throw TypeError(std::string(function) + " does not accept dtype " + dtype_name(a.dtype()) + ", got " +
                      a.aval().str());
    types.push_back({a.dtype(), a.weak_type()});
  }
  if (preferred) return {canonical_dtype(*preferred), false};
  const LatticeType t = promote_types(types);
  return {canonical_dtype(t.dtype), t.weak};
}

namespace {

Shape sizes_of(const Shape& shape, const IntList& dims) {
  Shape r;
  for (std::int64_t d : dims) r.push_back(shape[d]);
  return r;
}

// The product in the operands' common type. The operands keep theirs. Sizes are compared here, so that a message shows the
// shapes that the user's function sees, not those of a batch.
Array product(const char* function, const Array& x, const Array& y, const ops::DotDimensionNumbers& d,
              const ProductOptions& o) {
  const Array operands[] = {x, y};
  const ProductType t = product_type(function, operands, o.preferred_element_type);
  const Shape left = sizes_of(x.shape(), d.lhs_contract), right = sizes_of(y.shape(), d.rhs_contract);
  if (!(left == right))
    throw TypeError(std::string(function) + " requires contracting dimensions to have the same shape, got " +
                    left.str() + " and " + right.str() + ": the operands' shapes are " + x.shape().str() + " and " +
                    y.shape().str() + ".");
  return to_dtype(ops::dot_general(x, y, d, t.dtype, o.precision), t.dtype, t.weak);
}

// How the batch dimensions of two operands meet: sizes of 1 are squeezed out of their operand, unless both have them, and
// the result is put in order afterwards. After them stand the core dimensions, one or two of each operand: (n, k) or (k) of
// the left one, (k, m) or (k) of the right one.
struct BatchedPlan {
  IntList squeeze_x, squeeze_y;  // of the operands
  IntList batch_x, batch_y;      // of the squeezed operands
  IntList permutation;           // of dot_general's result
  IntList ones;                  // dimensions of the result that both operands lacked
};

BatchedPlan plan_batched(const char* function, const Shape& x, int core_x, const Shape& y, int core_y) {
  BatchedPlan p;
  const int nx = x.ndim() - core_x, ny = y.ndim() - core_y, n = std::max(nx, ny);
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
      throw ValueError(std::string(function) + ": Incompatible shapes for broadcasting: shapes=[" + x.str() + ", " +
                       y.str() + "]");
    }
  }
  if (core_x > 1) from_x.push_back(n);
  if (core_y > 1) from_y.push_back(n + 1);
  IntList order = from_batch;  // the result dimension of each dimension of dot_general's
  for (std::int64_t d : from_x) order.push_back(d);
  for (std::int64_t d : from_y) order.push_back(d);
  for (int d = 0; d < n + 2; ++d)
    for (int i = 0; i < order.length(); ++i)
      if (order[i] == d) p.permutation.push_back(i);
  return p;
}

Array batched_product(const char* function, const Array& x, int core_x, const Array& y, int core_y,
                      const ProductOptions& o) {
  const std::int64_t kx = x.shape()[x.ndim() - 1], ky = y.shape()[y.ndim() - core_y];
  if (kx != ky)
    throw TypeError(std::string(function) + " requires contracting dimensions to have the same shape, got (" +
                    std::to_string(kx) + ",) and (" + std::to_string(ky) + ",): the operands' shapes are " +
                    x.shape().str() + " and " + y.shape().str() + ".");
  const BatchedPlan p = plan_batched(function, x.shape(), core_x, y.shape(), core_y);
  const Array a = ops::squeeze(x, p.squeeze_x), b = ops::squeeze(y, p.squeeze_y);
  const Array r = product(function, a, b, {{a.ndim() - 1}, {b.ndim() - core_y}, p.batch_x, p.batch_y}, o);
  return ops::expand_dims(ops::transpose(r, p.permutation), p.ones);
}

Array conjugated(const Array& x) { return is_complex(x.dtype()) ? conj(x) : x; }

}  // namespace

Array dot(const Array& x, const Array& y, const ProductOptions& o) {
  COTAN_API;
  if (x.ndim() == 0 || y.ndim() == 0) return product("dot", x, y, {}, o);
  return product("dot", x, y, {{x.ndim() - 1}, {std::max(y.ndim() - 2, 0)}, {}, {}}, o);
}

Array matmul(const Array& x, const Array& y, const ProductOptions& o) {
  COTAN_API;
  for (int i = 0; i < 2; ++i)
    if ((i ? y : x).ndim() == 0)
      throw ValueError("matmul input operand " + std::to_string(i) + " must have ndim at least 1, but it has ndim 0");
  return batched_product("matmul", x, std::min(x.ndim(), 2), y, std::min(y.ndim(), 2), o);
}

Array vdot(const Array& x, const Array& y, const ProductOptions& o) {
  COTAN_API;
  const Array a = ravel(conj(x)), b = ravel(y);
  return dot(a, b, o);
}

Array inner(const Array& x, const Array& y, const ProductOptions& o) {
  COTAN_API;
  if (x.ndim() > 0 && y.ndim() > 0) return product("inner", x, y, {{x.ndim() - 1}, {y.ndim() - 1}, {}, {}}, o);
  if (!o.preferred_element_type) return multiply(x, y);
  const DType d = canonical_dtype(*o.preferred_element_type);
  const Array a = to_dtype(x, d, false), b = to_dtype(y, d, false);
  return multiply(a, b);
}

Array outer(const Array& x, const Array& y) {
  COTAN_API;
  const Array a = ops::expand_dims(ravel(x), {1}), b = ops::expand_dims(ravel(y), {0});
  return multiply(a, b);
}

Array vecdot(const Array& x, const Array& y, const VecdotOptions& o) {
  COTAN_API;
  for (const Array* a : {&x, &y})
    if (o.axis < -a->ndim() || o.axis >= a->ndim())
      throw IndexError("vecdot: axis " + std::to_string(o.axis) + " is out of bounds for array of dimension " +
                       std::to_string(a->ndim()));
  const int ax = canonical_axis("vecdot", o.axis, x.ndim()), ay = canonical_axis("vecdot", o.axis, y.ndim());
  if (x.shape()[ax] != y.shape()[ay])
    throw ValueError("vecdot: axes must match; got shapes " + x.shape().str() + " and " + y.shape().str() +
                     " with axis=" + std::to_string(o.axis));
  const Array a = ops::move_axis(x, ax, x.ndim() - 1), b = ops::move_axis(y, ay, y.ndim() - 1);
  return batched_product("vecdot", conjugated(a), 1, b, 1,
                         {.precision = o.precision, .preferred_element_type = o.preferred_element_type});
}

namespace {
// As batched_product, with the errors of functions that are given by a signature.
Array by_signature(const char* function, const char* signature, const Array& x, int core_x, const Array& y,
                   int core_y) {
  const std::string got = ", got shapes " + x.shape().str() + " and " + y.shape().str();
  if (x.ndim() < core_x || y.ndim() < core_y)
    throw ValueError(std::string(function) + ": operands need the dimensions of " + signature + got);
  if (x.shape()[x.ndim() - 1] != y.shape()[y.ndim() - core_y])
    throw ValueError(std::string(function) + ": sizes do not fit " + signature + got);
  return named_jit(
      function,
      [&](const Arrays& a) {
        return Arrays{batched_product(function, core_x == 1 ? conjugated(a[0]) : a[0], core_x, a[1], core_y, {})};
      },
      {x, y})[0];
}
}  // namespace

Array matvec(const Array& x, const Array& y) {
  COTAN_API;
  return by_signature("matvec", "(n,m),(m)->(n)", x, 2, y, 1);
}
Array vecmat(const Array& x, const Array& y) {
  COTAN_API;
  return by_signature("vecmat", "(n),(n,m)->(m)", x, 1, y, 2);
}

namespace {

IntList listed_axes(const IntList& axes, int ndim) {
  IntList r;
  for (std::int64_t a : axes) r.push_back(canonical_axis("tensordot", a, ndim));
  return r;
}

}  // namespace

Array tensordot(const Array& x, const Array& y, const ContractedAxes& axes, const ProductOptions& o) {
  COTAN_API;
  ops::DotDimensionNumbers d;
  if (axes.listed()) {
    if (axes.a().length() != axes.b().length())
      throw TypeError("tensordot requires axes lists to have equal length, got " + axes.a().str() + " and " +
                      axes.b().str() + ".");
    d.lhs_contract = listed_axes(axes.a(), x.ndim()), d.rhs_contract = listed_axes(axes.b(), y.ndim());
    return product("tensordot", x, y, d, o);
  }
  if (axes.count() > std::min(x.ndim(), y.ndim()))
    throw TypeError("Number of tensordot axes (axes " + std::to_string(axes.count()) + ") exceeds input ranks (" +
                    x.shape().str() + " and " + y.shape().str() + ")");
  for (std::int64_t i = 0; i < axes.count(); ++i)
    d.lhs_contract.push_back(x.ndim() - axes.count() + i), d.rhs_contract.push_back(i);
  return product("tensordot", x, y, d, o);
}

namespace {

Array kron_values(const Array& x, const Array& y) {
  const Array operands[] = {x, y};
  const ProductType t = product_type("kron", operands, std::nullopt);
  const int n = std::max(x.ndim(), y.ndim());
  const Array a = ops::expand_dims(to_dtype(x, t.dtype, t.weak), IntList::range(n - x.ndim())),
              b = ops::expand_dims(to_dtype(y, t.dtype, t.weak), IntList::range(n - y.ndim()));
  Shape shape;
  IntList even, odd;
  for (int i = 0; i < n; ++i) {
    even.push_back(2 * i), odd.push_back(2 * i + 1);
    std::int64_t size;
    if (__builtin_mul_overflow(a.shape()[i], b.shape()[i], &size))
      throw ValueError("kron: Maximum allowed size exceeded");
    shape.push_back(size);
  }
  const Array left = ops::expand_dims(a, odd), right = ops::expand_dims(b, even);
  return ops::reshape(ops::mul(left, right), shape);
}

}  // namespace

Array kron(const Array& x, const Array& y) {
  COTAN_API;
  return jitted("kron", [](const Arrays& a) { return kron_values(a[0], a[1]); }, {x, y});
}

namespace {

// Component i of vectors along the last axis.
Array component(const Array& x, std::int64_t i) { return element_of(x, i, x.ndim() - 1); }

void check_batches(const Array& x, const Array& y) {
  for (int i = 2; i <= std::min(x.ndim(), y.ndim()); ++i) {
    const std::int64_t a = x.shape()[x.ndim() - i], b = y.shape()[y.ndim() - i];
    if (a != b && a != 1 && b != 1)
      throw TypeError("cross: vectors of incompatible shapes for broadcasting: " + x.shape().str() + ", " +
                      y.shape().str());
  }
}

Array cross_values(const Array& x, const Array& y) {
  const std::int64_t nx = x.shape()[x.ndim() - 1], ny = y.shape()[y.ndim() - 1];
  const auto minor = [](const Array& a, const Array& b, const Array& c, const Array& d) {  // a d - b c
    const Array left = multiply(a, d), right = multiply(b, c);
    return subtract(left, right);
  };
  if (nx == 2 && ny == 2) {
    const Array x0 = component(x, 0), y1 = component(y, 1), first = multiply(x0, y1);
    const Array x1 = component(x, 1), y0 = component(y, 0), second = multiply(x1, y0);
    return subtract(first, second);
  }
  const auto third = [](const Array& v, const Array& of_plane, std::int64_t n) {
    return n == 3 ? component(v, 2) : ops::full({of_plane.shape(), v.dtype(), false}, 0);
  };
  const Array x0 = component(x, 0), x1 = component(x, 1), x2 = third(x, x0, nx);
  const Array y0 = component(y, 0), y1 = component(y, 1), y2 = third(y, y0, ny);
  const Array c0 = minor(x1, x2, y1, y2), c1 = minor(x2, x0, y2, y0), c2 = minor(x0, x1, y0, y1);
  const Array parts[] = {ops::expand_dims(c0, {0}), ops::expand_dims(c1, {0}), ops::expand_dims(c2, {0})};
  return ops::concatenate(parts, 0);
}

}  // namespace

Array cross(const Array& x, const Array& y, std::int64_t axisa, std::int64_t axisb, std::int64_t axisc,
            std::optional<std::int64_t> axis) {
  COTAN_API;
  if (axis) axisa = axisb = axisc = *axis;
  const int ax = canonical_axis("cross", axisa, x.ndim()), ay = canonical_axis("cross", axisb, y.ndim());
  for (std::int64_t n : {x.shape()[ax], y.shape()[ay]})
    if (n != 2 && n != 3)
      throw ValueError("cross: vectors must have 2 or 3 elements, got shapes " + x.shape().str() + " and " +
                       y.shape().str() + " with axes " + std::to_string(axisa) + " and " + std::to_string(axisb));
  std::uint64_t key = combine_key(static_cast<std::uint64_t>(ax), static_cast<std::uint64_t>(ay));
  key = combine_key(key, static_cast<std::uint64_t>(axisc));
  return named_jit(
      "cross",
      [&](const Arrays& v) {
        const Array a = ops::move_axis(v[0], ax, x.ndim() - 1), b = ops::move_axis(v[1], ay, y.ndim() - 1);
        check_batches(a, b);
        const Array r = cross_values(a, b);
        if (x.shape()[ax] == 2 && y.shape()[ay] == 2) return Arrays{r};
        return Arrays{ops::move_axis(r, 0, canonical_axis("cross", axisc, r.ndim()))};
      },
      {x, y}, key)[0];
}

}  // namespace cotan::numpy

namespace cotan::table {
template <> struct FromValue<numpy::ContractedAxes> {
  static numpy::ContractedAxes get(const Value& v, const Place& p) {
    if (!v.is_sequence()) return to_integer(v, p);
    const Value::Items& pair = v.items();
    if (pair.size() != 2) p.fail("an int, a pair of ints, or a pair of lists of ints", v);
    if (pair[0].is_sequence() != pair[1].is_sequence()) p.fail("a pair of ints, or a pair of lists of ints", v);
    return {to_integers(pair[0], p), to_integers(pair[1], p)};
  }
};
}  // namespace cotan::table

namespace cotan::numpy {

const FunctionTable products_table{
    "numpy",
    {
        function<dot>("dot(a, b, *, precision=None, preferred_element_type=None, out_sharding=None)",
                      "Product of vectors or matrices: the last axis by the last but one."),
        function<matmul>("matmul(a, b, *, precision=None, preferred_element_type=None, out_sharding=None)",
                         "Products of matrices, whose leading axes broadcast."),
        function<vdot>("vdot(a, b, *, precision=None, preferred_element_type=None)",
                       "Product of flattened arrays, the first one conjugated."),
        function<inner>("inner(a, b, *, precision=None, preferred_element_type=None)", "Product over the last axes."),
        function<outer>("outer(a, b, out=None)", "Products of all pairs of elements."),
        function<vecdot>("vecdot(x1, x2, /, *, axis=-1, precision=None, preferred_element_type=None)",
                         "Products of vectors along an axis, the first ones conjugated."),
        function<matvec>("matvec(x1, x2, /)", "Products of matrices and vectors."),
        function<vecmat>("vecmat(x1, x2, /)", "Products of conjugated vectors and matrices."),
        function<kron>("kron(a, b)", "Kronecker product."),
        function<tensordot>(
            "tensordot(a, b, axes=2, *, precision=None, preferred_element_type=None, out_sharding=None)",
            "Sum of products over axes of both operands."),
        function<cross>("cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None)", "Cross product of vectors."),
    }};

}  // namespace cotan::numpy
