// ufunc objects: reductions of numpy's elementwise functions.
#include "cotan/numpy_ufunc.h"

#include <cmath>

#include "api/function_table.h"
#include "cotan/lax_sort.h"
#include "numpy/reduce_common.h"
#include "numpy/vectorize.h"
#include "ops/sorting.h"

namespace cotan::numpy {

namespace detail {
// A reduction over axes of x, which `where` and `initial` do not concern.
using UfuncReduce = Array (*)(const Array& x, const Axes&, const UfuncReduceOptions&);
struct UfuncRecord {
  const char* name;
  Binary binary;
  Unary unary;
  double identity;
  bool has_identity, logical;  // logical: operands are taken for bools
  UfuncReduce reduce;          // null: element by element
};
}  // namespace detail

namespace {

using detail::UfuncRecord;

SumOptions sum_options(const UfuncReduceOptions& o) {
  return {.dtype = o.dtype, .keepdims = o.keepdims, .initial = o.initial, .where = o.where};
}
Array cast(const Array& x, const std::optional<DType>& d) { return d ? to_dtype(x, canonical_dtype(*d), false) : x; }

// Where and initial of a reduction that has a neutral element.
template <Array (*F)(const Array&, const IntList&)>
Array reduce_with(const Array& x, const Axes& axis, const UfuncReduceOptions& o, double neutral, Binary f) {
  const IntList axes = reduced_axes("reduce", axis, x.ndim());
  const Array v = masked(x, o.where, ops::scalar(x.dtype(), neutral));
  const Array r = with_kept(F(v, axes), axes, o.keepdims);
  return o.initial.has_value() ? f(r, to_dtype(o.initial, r.dtype(), false)) : r;
}
template <Array (*F)(const Array&, const Axes&, const LogicalOptions&)>
Array reduce_logical(const Array& x, const Axes& axis, const UfuncReduceOptions& o, Binary f) {
  const Array r = F(x, axis, {.keepdims = o.keepdims, .where = o.where});
  return o.initial.has_value() ? f(r, as_bool(o.initial)) : r;
}
void check_bits(const Array& x) {
  if (!is_integer(x.dtype()) && !is_bool(x))
    throw ValueError("integer argument required; got dtype=" + std::string(dtype_name(x.dtype())));
}

Array reduce_add(const Array& x, const Axes& axis, const UfuncReduceOptions& o) { return sum(x, axis, sum_options(o)); }
Array reduce_multiply(const Array& x, const Axes& axis, const UfuncReduceOptions& o) {
  return prod(x, axis, sum_options(o));
}
Array reduce_maximum(const Array& x, const Axes& axis, const UfuncReduceOptions& o) {
  return max(cast(x, o.dtype), axis, {.keepdims = o.keepdims, .initial = o.initial, .where = o.where});
}
Array reduce_minimum(const Array& x, const Axes& axis, const UfuncReduceOptions& o) {
  return min(cast(x, o.dtype), axis, {.keepdims = o.keepdims, .initial = o.initial, .where = o.where});
}
Array reduce_logical_and(const Array& x, const Axes& axis, const UfuncReduceOptions& o) {
  return reduce_logical<all>(x, axis, o, logical_and);
}
Array reduce_logical_or(const Array& x, const Axes& axis, const UfuncReduceOptions& o) {
  return reduce_logical<any>(x, axis, o, logical_or);
}
Array reduce_logical_xor(const Array& x, const Axes& axis, const UfuncReduceOptions& o) {
  return reduce_with<ops::reduce_xor>(as_bool(x), axis, o, 0, logical_xor);
}
Array reduce_bitwise_and(const Array& x, const Axes& axis, const UfuncReduceOptions& o) {
  const Array v = cast(x, o.dtype);
  check_bits(v);
  return reduce_with<ops::reduce_and>(v, axis, o, is_bool(v) ? 1 : -1, bitwise_and);
}
Array reduce_bitwise_or(const Array& x, const Axes& axis, const UfuncReduceOptions& o) {
  const Array v = cast(x, o.dtype);
  check_bits(v);
  return reduce_with<ops::reduce_or>(v, axis, o, 0, bitwise_or);
}
Array reduce_bitwise_xor(const Array& x, const Axes& axis, const UfuncReduceOptions& o) {
  const Array v = cast(x, o.dtype);
  check_bits(v);
  return reduce_with<ops::reduce_xor>(v, axis, o, 0, bitwise_xor);
}

// log(sum(base^x)) about the largest element, of which the derivative needs nothing.
template <Unary Exp, Unary Log>
Array log_of_sum(const Array& a, const Axes& axis, const UfuncReduceOptions& o, Binary f) {
  const Array x = promote_inexact(cast(a, o.dtype));
  const IntList axes = reduced_axes("reduce", axis, x.ndim());
  const Array v = masked(x, o.where, ops::scalar(x.dtype(), -INFINITY));
  Array shift = ops::scalar(real_dtype(v.dtype()), 0);
  if (count_over(v.shape(), axes) > 0) {
    const Array largest = ops::expand_dims(ops::reduce_max(real(v), axes), axes);
    shift = ops::stop_gradient(where(isfinite(largest), largest, shift));
  }
  const Array total = Log(sum(Exp(subtract(v, shift)), axis, {.keepdims = true}));
  const Array r = ops::reshape(add(total, shift), with_kept(ops::reduce_sum(real(v), axes), axes, o.keepdims).shape());
  return o.initial.has_value() ? f(r, to_dtype(o.initial, r.dtype(), false)) : r;
}
Array reduce_logaddexp(const Array& x, const Axes& axis, const UfuncReduceOptions& o) {
  return log_of_sum<exp, log>(x, axis, o, logaddexp);
}
Array reduce_logaddexp2(const Array& x, const Axes& axis, const UfuncReduceOptions& o) {
  return log_of_sum<exp2, log2>(x, axis, o, logaddexp2);
}

constexpr UfuncRecord records[] = {
    {"add", add, nullptr, 0, true, false, reduce_add},
    {"multiply", multiply, nullptr, 1, true, false, reduce_multiply},
    {"maximum", maximum, nullptr, 0, false, false, reduce_maximum},
    {"minimum", minimum, nullptr, 0, false, false, reduce_minimum},
    {"logical_and", logical_and, nullptr, 1, true, true, reduce_logical_and},
    {"logical_or", logical_or, nullptr, 0, true, true, reduce_logical_or},
    {"logical_xor", logical_xor, nullptr, 0, true, true, reduce_logical_xor},
    {"bitwise_and", bitwise_and, nullptr, -1, true, false, reduce_bitwise_and},
    {"bitwise_or", bitwise_or, nullptr, 0, true, false, reduce_bitwise_or},
    {"bitwise_xor", bitwise_xor, nullptr, 0, true, false, reduce_bitwise_xor},
    {"logaddexp", logaddexp, nullptr, -INFINITY, true, false, reduce_logaddexp},
    {"logaddexp2", logaddexp2, nullptr, -INFINITY, true, false, reduce_logaddexp2},
    {"subtract", subtract, nullptr, 0, false, false, nullptr},
    {"negative", nullptr, negative, 0, false, false, nullptr},
};
const UfuncRecord* find_record(Binary b, Unary u) {
  for (const UfuncRecord& r : records)
    if ((b && r.binary == b) || (u && r.unary == u)) return &r;
  return nullptr;
}

Array identity_of(const UfuncRecord* r) {
  if (!r || !r->has_identity) return {};
  if (r->logical) return r->identity != 0;
  return std::isfinite(r->identity) ? Array(static_cast<int>(r->identity)) : Array(r->identity);
}

Array row(const Array& x, int axis, std::int64_t i) {
  return ops::squeeze(ops::slice_in_dim(x, i, i + 1, 1, axis), {axis});
}

}  // namespace

ufunc::ufunc(Binary f) : nin(2), nargs(2), record_(find_record(f, nullptr)), f_(f) { identity = identity_of(record_); }
ufunc::ufunc(Unary f) : nin(1), nargs(1), record_(find_record(nullptr, f)), f_(f) {}
ufunc::ufunc(const detail::OfArrays& f, int inputs, const Array& first)
    : nin(inputs),
      nargs(inputs),
      identity(first),
      f_([f](const Arrays& x) { return vectorized([&](const Arrays& v) { return Arrays{f(v)}; }, x, {})[0]; }) {}

const char* ufunc::name() const { return record_ ? record_->name : "ufunc"; }

void ufunc::check_binary(const char* method) const {
  if (nin != 2 || nout != 1)
    throw ValueError(std::string(method) + " is only supported for ufuncs of two operands, got " + name());
}
Array ufunc::operator()(const Arrays& x) const {
  if (std::cmp_not_equal(x.size(), nin))
    throw TypeError(std::string(name()) + " takes " + std::to_string(nin) + " operands, got " +
                    std::to_string(x.size()));
  return f_(x);
}
Array ufunc::call2(const Array& x, const Array& y) const { return f_({x, y}); }

namespace {

// The elements in order: the start, if there is one, and the positions along the axis.
class Sequence {
 public:
  Sequence(const ufunc& f, const Array& a, const Axes& axis, const UfuncReduceOptions& o)
      : f_(f), keepdims_(o.keepdims), rank_(a.ndim()) {
    if (!axis.all() && axis.list().length() != 1)
      throw NotImplementedError(std::string(f.name()) + ".reduce: several axes, got " + axis.list().str());
    x_ = cast(a, o.dtype);
    if (axis.all()) x_ = ops::reshape(x_, Shape(x_.size()));
    axis_ = axis.all() ? 0 : canonical_axis(f.name(), axis.list()[0], a.ndim());
    all_ = axis.all();
    start_ = o.initial.has_value() ? o.initial : f.identity;
    if (o.where.has_value()) {
      check_mask("reduce", o.where);
      if (!start_.has_value())
        throw ValueError("reduction operation '" + std::string(f.name()) +
                         "' does not have an identity, so to use a where mask one has to specify 'initial'.");
      mask_ = broadcast_to(o.where, a.shape());
      if (all_) mask_ = ops::reshape(mask_, x_.shape());
    }
    if (length() == 0 && !start_.has_value())
      throw ValueError("zero-size array to reduction operation " + std::string(f.name()) + " which has no identity");
  }
  std::int64_t length() const { return x_.shape()[axis_]; }
  Array reduce() const {
    Shape shape = x_.shape();
    shape.erase(axis_);
    const DType d = canonical_dtype(f_(Arrays{zeros({}, x_.dtype()), zeros({}, x_.dtype())}).dtype());
    Array r =
        start_.has_value() ? broadcast_to(to_dtype(start_, d, false), shape) : to_dtype(row(x_, axis_, 0), d, false);
    for (std::int64_t i = start_.has_value() ? 0 : 1; i < length(); ++i) {
      const Array next = to_dtype(f_(r, row(x_, axis_, i)), d, false);
      r = mask_.has_value() ? where(row(mask_, axis_, i), next, r) : next;
    }
    return with_kept(r, all_ ? IntList::range(rank_) : IntList{axis_}, keepdims_);
  }

 private:
  const ufunc& f_;
  bool keepdims_, all_ = false;
  int rank_, axis_ = 0;
  Array x_, start_, mask_;
};

}  // namespace

Array ufunc::reduce(const Array& a, const Axes& axis, const UfuncReduceOptions& o) const {
  COTAN_API;
  check_binary("reduce");
  check_number_operand("reduce", a);
  if (record_ && record_->logical && o.dtype && *o.dtype != DType::bool_)
    throw TypeError(std::string(name()) + ".reduce: the result is of bools, got dtype " + dtype_name(*o.dtype));
  if (!record_ || !record_->reduce) return Sequence(*this, a, axis, o).reduce();
  if (!axis.all()) canonical_axes(name(), axis.list(), a.ndim());
  if (o.where.has_value() && !identity.has_value() && !o.initial.has_value())
    throw ValueError("reduction operation '" + std::string(name()) +
                     "' does not have an identity, so to use a where mask one has to specify 'initial'.");
  return record_->reduce(a, axis, o);
}

Array ufunc::accumulate(const Array& a, const Axes& axis, const UfuncOptions& o) const {
  COTAN_API;
  check_binary("accumulate");
  check_number_operand("accumulate", a);
  const bool summed = record_ && (record_->binary == Binary(add) || record_->binary == Binary(multiply));
  if (axis.all() && !summed && a.ndim() != 1) throw ValueError("accumulate does not allow multiple axes");
  Array x = cast(a, o.dtype);
  if (axis.all()) x = ops::reshape(x, Shape(x.size()));
  if (summed && is_bool(x)) x = to_dtype(x, default_int_dtype(), false);
  if (record_ && record_->logical) x = as_bool(x);
  if (!axis.all() && axis.list().length() != 1) throw ValueError("accumulate does not allow multiple axes");
  const int at = axis.all() ? 0 : canonical_axis("accumulate", axis.list()[0], x.ndim());
  if (x.shape()[at] == 0) return to_dtype(x, x.dtype(), false);
  if (const Array r = accumulated(x, at); r.has_value()) return to_dtype(r, r.dtype(), false);
  const DType d = canonical_dtype(call2(zeros({}, x.dtype()), zeros({}, x.dtype())).dtype());
  Arrays prefixes{to_dtype(row(x, at, 0), d, false)};
  for (std::int64_t i = 1; i < x.shape()[at]; ++i)
    prefixes.push_back(to_dtype(call2(prefixes.back(), row(x, at, i)), d, false));
  return stack(prefixes, at);
}

// By a primitive or an associative scan; no value where the function is not associative.
Array ufunc::accumulated(const Array& x, int axis) const {
  if (!record_ || !record_->reduce) return {};
  const Binary f = record_->binary;
  if (f == Binary(add)) return ops::cumsum(x, axis);
  if (f == Binary(multiply)) return ops::cumprod(x, axis);
  if (!is_complex(x.dtype()) && !is_bool(x)) {
    if (f == Binary(maximum)) return ops::cummax(x, axis);
    if (f == Binary(minimum)) return ops::cummin(x, axis);
    if (f == Binary(logaddexp)) return ops::cumlogsumexp(promote_inexact(x), axis);
  }
  const bool inexact = record_->reduce == reduce_logaddexp || record_->reduce == reduce_logaddexp2;
  return lax::associative_scan(f, inexact ? promote_inexact(x) : x, false, axis);
}

Array ufunc::reduceat(const Array& a, const Array& indices, int axis, const UfuncOptions& o) const {
  COTAN_API;
  check_binary("reduceat");
  check_number_operand("reduceat", a);
  if (!is_integer(indices.dtype()))
    throw ValueError("reduceat: indices must have an integer type, got " + indices.aval().str());
  if (indices.ndim() != 1) throw ValueError("reduceat: indices must be one-dimensional, got " + indices.aval().str());
  const int at = canonical_axis("reduceat", axis, a.ndim());
  const Array x = record_ && record_->logical ? as_bool(a) : cast(a, o.dtype), known = indices.astype(DType::int32);
  const auto begin = known.span<std::int32_t>();
  Arrays parts;
  for (std::size_t i = 0; i < begin.size(); ++i) {
    const std::int64_t from = begin[i], n = x.shape()[at];
    if (from < 0 || from >= n)
      throw IndexError("reduceat: index " + std::to_string(from) + " is out of bounds for axis " + std::to_string(at) +
                       " with size " + std::to_string(n));
    const std::int64_t to = i + 1 < begin.size() ? begin[i + 1] : n;
    const Array part = ops::slice_in_dim(x, from, from < to ? std::min(to, n) : from + 1, 1, at);
    parts.push_back(
        to_dtype(reduce(part, at, {.dtype = is_bool(x) ? std::nullopt : std::optional(x.dtype())}), x.dtype(), false));
  }
  if (!parts.empty()) return stack(parts, at);
  Shape empty = x.shape();
  empty[at] = 0;
  return zeros(empty, x.dtype());
}

Array ufunc::at(const Array& a, const Index& index, const Array& b) const {
  COTAN_API;
  if (b.has_value() != (nin == 2))
    throw TypeError(std::string(name()) + ".at: a function of " + std::to_string(nin) + " operands was given " +
                    (b.has_value() ? "two" : "one"));
  const IndexedArray place(a, {index});
  const Binary f = record_ ? record_->binary : nullptr;
  if (f == Binary(add)) return place.add(b);
  if (f == Binary(subtract)) return place.subtract(b);
  if (f == Binary(multiply)) return place.multiply(b);
  if (f == Binary(maximum)) return place.max(b);
  if (f == Binary(minimum)) return place.min(b);
  const auto updated = [&](const Array& x, const Array& y) {
    return to_dtype(f_(nin == 2 ? Arrays{x, y} : Arrays{x}), a.dtype(), false);
  };
  if (index.kind != Index::Kind::array || index.array.ndim() == 0) return place.set(updated(place.get(), b));
  const Array taken = place.get(), at = ops::reshape(index.array, Shape(index.array.size()));
  Shape rows = taken.shape();
  const Array all = nin == 2 ? broadcast_to(b, rows) : b;
  for (int k = 1; k < index.array.ndim(); ++k) rows.erase(0);
  rows[0] = index.array.size();
  Array x = a;
  for (std::int64_t k = 0; k < rows[0]; ++k) {
    const Array i = row(at, 0, k);
    x = x.at(i).set(updated(x(i), nin == 2 ? row(ops::reshape(all, rows), 0, k) : b));
  }
  return x;
}

Array ufunc::outer(const Array& A, const Array& B) const {
  COTAN_API;
  check_binary("outer");
  Shape shape = A.shape();
  for (int i = 0; i < B.ndim(); ++i) shape.push_back(1);
  return call2(B.ndim() ? ops::reshape(A, shape) : A, B);
}

ufunc frompyfunc(const detail::OfArrays& func, int nin, int nout, const FrompyfuncOptions& o) {
  if (nin < 0 || nout < 0)
    throw ValueError("frompyfunc: nin and nout must not be negative, got " + std::to_string(nin) + " and " +
                     std::to_string(nout));
  if (nout != 1) throw NotImplementedError("frompyfunc: functions of one result, got nout=" + std::to_string(nout));
  return ufunc(func, nin, o.identity);
}

namespace {

using table::Value;

detail::OfArrays array_function(const Value::Function& f) {
  return [f](const Arrays& x) {
    return table::to_array(f(Value::Items(x.begin(), x.end())), {"frompyfunc", "the function's result"});
  };
}

ufunc to_ufunc(const Value& v) {
  const Value::Function* f = v.get<Value::Function>();
  if (!f) throw TypeError("ufunc: a function was expected, got " + v.str());
  for (const UfuncRecord& r : records)
    if (f->name == std::string("numpy.") + r.name) return r.binary ? ufunc(r.binary) : ufunc(r.unary);
  if (!f->name.empty()) throw TypeError("ufunc: " + f->name + " is no ufunc");
  return frompyfunc(array_function(*f), 2, 1, {});  // a user's, of two operands: its methods ask for no more
}
Array ufunc_reduce(const Value& self, const Array& a, const Axes& axis, const UfuncReduceOptions& o) {
  return to_ufunc(self).reduce(a, axis, o);
}
Array ufunc_accumulate(const Value& self, const Array& a, const Axes& axis, const UfuncOptions& o) {
  return to_ufunc(self).accumulate(a, axis, o);
}
Array ufunc_reduceat(const Value& self, const Array& a, const Array& indices, int axis, const UfuncOptions& o) {
  return to_ufunc(self).reduceat(a, indices, axis, o);
}
Array ufunc_at(const Value& self, const Array& a, const Value& indices, const Value& b, const Value& inplace) {
  if (table::to_bool(inplace, {"at", "inplace"}))
    throw NotImplementedError("ufunc.at: arrays do not change; with inplace=False the result is a new one");
  const Array value = b.is_none() ? Array() : table::to_array(b, {"at", "b"});
  if (const slice* s = indices.get<slice>()) return to_ufunc(self).at(a, *s, value);
  if (const std::int64_t* i = indices.get<std::int64_t>()) return to_ufunc(self).at(a, *i, value);
  if (const Array* i = indices.get<Array>()) return to_ufunc(self).at(a, *i, value);
  throw NotImplementedError("ufunc.at: indices are to be an integer, a slice or an Array, got " + indices.str());
}
Array ufunc_outer(const Value& self, const Array& a, const Array& b) { return to_ufunc(self).outer(a, b); }

Value frompyfunc_values(const Value& func, int nin, int nout, const FrompyfuncOptions& o) {
  const Value::Function* given = func.get<Value::Function>();
  if (!given) throw TypeError("frompyfunc: a function was expected, got " + func.str());
  const ufunc u = frompyfunc(array_function(*given), nin, nout, o);
  return Value::Function{[u](const Value::Items& items) -> Value {
    return u(table::FromValue<Arrays>::get(Value::list(items), {"ufunc", "an operand"}));
  }};
}

}  // namespace

const FunctionTable ufunc_table{
    "numpy.ufunc",
    {
        function<ufunc_reduce>(
            "reduce(self, a, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=None)",
            "The function between all elements along the axes."),
        function<ufunc_accumulate>("accumulate(self, a, axis=0, dtype=None, out=None)",
                                   "The reduction of every prefix."),
        function<ufunc_reduceat>("reduceat(self, a, indices, axis=0, dtype=None, out=None)",
                                 "The reductions of the parts that begin at the indices."),
        function<ufunc_at>("at(self, a, indices, b=None, /, *, inplace=True)",
                           "A new array with the function of the elements at the indices in their place."),
        function<ufunc_outer>("outer(self, A, B, /)", "The function of every pair of elements."),
    }};
const FunctionTable frompyfunc_table{
    "numpy",
    {
        function<frompyfunc_values>("frompyfunc(func, /, nin, nout, *, identity=None)",
                                    "A function of numbers as one of arrays, with a ufunc's methods."),
    }};

}  // namespace cotan::numpy
