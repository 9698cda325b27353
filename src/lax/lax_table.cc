// Lines of the function table for lax.cc.
#include "api/function_table.h"
#include "cotan/lax.h"
#include "lax/listed.h"

namespace cotan::table {

template <> struct FromValue<lax::RoundingMethod> {
  static lax::RoundingMethod get(const Value& v, const Place& p) {
    if (const std::int64_t* i = v.get<std::int64_t>(); i && (*i == 0 || *i == 1))
      return static_cast<lax::RoundingMethod>(*i);
    const std::string* s = v.get<std::string>();
    if (s && *s == "AWAY_FROM_ZERO") return lax::RoundingMethod::away_from_zero;
    if (s && *s == "TO_NEAREST_EVEN") return lax::RoundingMethod::to_nearest_even;
    throw ValueError(std::string(p.function) + ": " + p.parameter + " must be AWAY_FROM_ZERO or TO_NEAREST_EVEN, got " +
                     v.str());
  }
};
template <> struct FromValue<lax::PadDimension> {
  static lax::PadDimension get(const Value& v, const Place& p) {
    const IntList l = to_integers(v, p);
    if (l.length() != 3)
      throw ValueError(std::string(p.function) + ": " + p.parameter +
                       " must hold (low, high, interior) for each dimension, got " + v.str());
    return {l[0], l[1], l[2]};
  }
};

}  // namespace cotan::table

namespace cotan::lax {

namespace {
using table::Value;
// f of each Array in nested lists, tuples and dicts.
template <class F> Value each_leaf(const Value& v, const F& f) {
  if (v.is_sequence()) {
    Value::Items items;
    for (const Value& item : v.items()) items.push_back(each_leaf(item, f));
    return v.is_list() ? Value::list(std::move(items)) : Value::tuple(std::move(items), v.names());
  }
  if (v.is_dict()) {
    Value::Entries entries;
    for (const auto& [key, value] : v.entries()) entries.emplace_back(key, each_leaf(value, f));
    return Value::dict(std::move(entries));
  }
  return v.is_none() ? v : f(v);
}
Value stop_gradients(const Value& x) {
  return each_leaf(x, [](const Value& v) { return v.get<Array>() ? Value(stop_gradient(*v.get<Array>())) : v; });
}
Value optimization_barriers(const Value& x) {
  return each_leaf(x, [](const Value& v) {
    return Value(optimization_barrier(table::to_array(v, {"optimization_barrier", "operand"})));
  });
}
using Collective = Array (*)(const Array&, const char*);
Value over_axis(const char* name, Collective f, const Value& x, const char* axis) {
  return each_leaf(x, [&](const Value& v) { return f(table::to_array(v, {name, "x"}), axis); });
}
}  // namespace

const FunctionTable elementwise_table{
    "lax",
    {
        function<neg>("neg(x)", "-x."),
        function<sign>("sign(x)", "-1, 0 or 1; x / |x| for complex numbers."),
        function<abs>("abs(x)", "Absolute value; of a complex number its modulus."),
        function<floor>("floor(x)", "Largest integer that is not above x."),
        function<ceil>("ceil(x)", "Smallest integer that is not below x."),
        function<is_finite>("is_finite(x)", "Whether x is neither infinite nor NaN."),
        function<sqrt>("sqrt(x, *, accuracy=None)", "Square root."),
        function<rsqrt>("rsqrt(x, *, accuracy=None)", "1 / sqrt(x)."),
        function<cbrt>("cbrt(x, *, accuracy=None)", "Cube root of real numbers."),
        function<square>("square(x)", "x * x."),
        function<exp>("exp(x, *, accuracy=None)", "e to the power x."),
        function<exp2>("exp2(x, *, accuracy=None)", "2 to the power x."),
        function<expm1>("expm1(x, *, accuracy=None)", "exp(x) - 1, exact near 0."),
        function<log>("log(x, *, accuracy=None)", "Natural logarithm."),
        function<log1p>("log1p(x, *, accuracy=None)", "log(1 + x), exact near 0."),
        function<logistic>("logistic(x, *, accuracy=None)", "1 / (1 + exp(-x))."),
        function<sin>("sin(x, *, accuracy=None)", "Sine of an angle in radians."),
        function<cos>("cos(x, *, accuracy=None)", "Cosine of an angle in radians."),
        function<tan>("tan(x, *, accuracy=None)", "Tangent of an angle in radians."),
        function<asin>("asin(x)", "Inverse sine, in radians."),
        function<acos>("acos(x)", "Inverse cosine, in radians."),
        function<atan>("atan(x)", "Inverse tangent, in radians."),
        function<sinh>("sinh(x)", "Hyperbolic sine."),
        function<cosh>("cosh(x)", "Hyperbolic cosine."),
        function<tanh>("tanh(x, *, accuracy=None)", "Hyperbolic tangent."),
        function<asinh>("asinh(x)", "Inverse hyperbolic sine."),
        function<acosh>("acosh(x)", "Inverse hyperbolic cosine."),
        function<atanh>("atanh(x)", "Inverse hyperbolic tangent."),
        function<erf_inv>("erf_inv(x)", "Inverse of the error function."),
        function<real>("real(x)", "Real part of complex numbers."),
        function<imag>("imag(x)", "Imaginary part of complex numbers."),
        function<conj>("conj(x)", "Complex conjugate."),
        function<bitwise_not>("bitwise_not(x)", "All bits turned."),
        function<reciprocal>("reciprocal(x)", "1 / x."),
        function<stop_gradients>("stop_gradient(x)", "x itself, a constant to derivatives."),
        function<optimization_barriers>(
            "optimization_barrier(operand, /)",
            "The arrays of `operand` as they are, each a value of its own to the compiler: what is "
            "computed from it is not merged with the same computed before. Of any dtype."),
        function<add>("add(x, y)", "Sum of two arrays of one dtype."),
        function<sub>("sub(x, y)", "Difference of two arrays of one dtype."),
        function<mul>("mul(x, y, *, out_dtype=None)", "Product of two arrays of one dtype."),
        function<div>("div(x, y)", "Quotient, rounded towards 0 for integers."),
        function<rem>("rem(x, y)", "What div leaves: it has the dividend's sign."),
        function<max>("max(x, y)", "Larger of two elements; NaN when one is NaN."),
        function<min>("min(x, y)", "Smaller of two elements; NaN when one is NaN."),
        function<pow>("pow(x, y)", "x to the power y."),
        function<atan2>("atan2(x, y)", "Angle of the point (y, x), in radians from -pi to pi."),
        function<complex>("complex(x, y)", "x + iy of two real arrays."),
        function<eq>("eq(x, y)", "Whether the elements are equal."),
        function<ne>("ne(x, y)", "Whether the elements differ."),
        function<lt>("lt(x, y)", "Whether x < y."),
        function<le>("le(x, y)", "Whether x <= y."),
        function<gt>("gt(x, y)", "Whether x > y."),
        function<ge>("ge(x, y)", "Whether x >= y."),
        function<bitwise_and>("bitwise_and(x, y)", "Bits set in both."),
        function<bitwise_or>("bitwise_or(x, y)", "Bits set in either."),
        function<bitwise_xor>("bitwise_xor(x, y)", "Bits set in exactly one."),
        function<shift_left>("shift_left(x, y)", "Bits moved to the left; 0 for a count outside of the width."),
        function<shift_right_logical>("shift_right_logical(x, y)", "Bits moved to the right, zeros from the left."),
        function<shift_right_arithmetic>("shift_right_arithmetic(x, y)", "Bits moved to the right; the sign stays."),
        function<round>("round(x, rounding_method=<RoundingMethod.AWAY_FROM_ZERO: 0>)",
                        "Nearest integer; ties away from 0, or to even."),
        function<integer_pow>("integer_pow(x, y)", "x to a constant integer power."),
        function<clamp>("clamp(min, x, max)", "x between the bounds."),
        function<select>("select(pred, on_true, on_false)",
                         "Elements of on_true where the predicate holds, of on_false elsewhere."),
        function<select_n>("select_n(which, *cases)", "Elements of the case that `which` names."),
        function<convert_element_type>("convert_element_type(operand, new_dtype)", "The array in another dtype."),
        function<bitcast_convert_type>("bitcast_convert_type(operand, new_dtype)", "The same bits as another dtype."),
    }};

const FunctionTable structure_table{
    "lax",
    {
        function<listed<broadcast_in_dim>>(
            "broadcast_in_dim(operand, shape, broadcast_dimensions, *, out_sharding=None)",
            "The array in a larger shape; its axes become those named."),
        function<listed<broadcast>>("broadcast(operand, sizes, *, out_sharding=None)",
                                    "The array with new leading axes."),
        function<reshape>("reshape(operand, new_sizes, dimensions=None, *, out_sharding=None)",
                          "The same elements in another shape."),
        function<transpose>("transpose(operand, permutation)", "The axes in another order."),
        function<listed<squeeze>>("squeeze(array, dimensions)", "Without axes of size 1."),
        function<listed<expand_dims>>("expand_dims(array, dimensions)", "New axes of size 1."),
        function<listed<slice>>("slice(operand, start_indices, limit_indices, strides=None)",
                                "Part of an array between constant bounds."),
        function<slice_in_dim>("slice_in_dim(operand, start_index, limit_index, stride=1, axis=0)",
                               "Part of an array between constant bounds of one axis."),
        function<concatenate>("concatenate(operands, dimension)", "Arrays joined along an axis."),
        function<pad>("pad(operand, padding_value, padding_config)",
                      "The array with borders, or with elements in between; negative sizes cut."),
        function<listed<rev>>("rev(operand, dimensions)", "The elements in reverse order along the axes."),
        function<iota>("iota(dtype, size)", "0, 1, ... size - 1."),
        function<broadcasted_iota>("broadcasted_iota(dtype, shape, dimension, *, out_sharding=None)",
                                   "0, 1, ... along one axis of a shape."),
        function<dynamic_slice>("dynamic_slice(operand, start_indices, slice_sizes, *, allow_negative_indices=True)",
                                "Part of an array whose starts are computed; they are clamped into it."),
        function<dynamic_update_slice>(
            "dynamic_update_slice(operand, update, start_indices, *, allow_negative_indices=True)",
            "The array with a part of it replaced; its starts are clamped."),
        function<listed<reduce_sum>>("reduce_sum(operand, axes, *, out_sharding=None)", "Sum over the axes."),
        function<listed<reduce_prod>>("reduce_prod(operand, axes)", "Product over the axes."),
        function<listed<reduce_max>>("reduce_max(operand, axes)", "Largest element over the axes."),
        function<listed<reduce_min>>("reduce_min(operand, axes)", "Smallest element over the axes."),
        function<listed<reduce_and>>("reduce_and(operand, axes)",
                                     "Whether all hold, or bits set in all, over the axes."),
        function<listed<reduce_or>>("reduce_or(operand, axes)",
                                    "Whether one holds, or bits set in one, over the axes."),
        function<listed<reduce_xor>>("reduce_xor(operand, axes)", "Parity, bit by bit, over the axes."),
        function<argmax>("argmax(operand, axis, index_dtype)", "Index of the first largest element along an axis."),
        function<argmin>("argmin(operand, axis, index_dtype)", "Index of the first smallest element along an axis."),
        function<[](const Value& x, const char* axis_name) { return over_axis("psum", psum, x, axis_name); }>(
            "psum(x, axis_name, *, axis_index_groups=None)", "Sum over a named axis."),
        function<[](const Value& x, const char* axis_name) { return over_axis("pmax", pmax, x, axis_name); }>(
            "pmax(x, axis_name, *, axis_index_groups=None)", "Largest element over a named axis."),
        function<[](const Value& x, const char* axis_name) { return over_axis("pmin", pmin, x, axis_name); }>(
            "pmin(x, axis_name, *, axis_index_groups=None)", "Smallest element over a named axis."),
        function<axis_index>("axis_index(axis_name)", "Index of this example along a named axis."),
    }};

}  // namespace cotan::lax
