// numpy's functions that take functions.
#include "cotan/numpy_callables.h"

#include "api/function_table.h"
#include "cotan/vmap.h"
#include "numpy/common.h"
#include "numpy/vectorize.h"

namespace cotan::numpy {

Array apply_along_axis(const Fn<Array(Array)>& func1d, int axis, const Array& arr) {
  COTAN_API;
  const int at = canonical_axis("apply_along_axis", axis, arr.ndim());
  const FlatFn f = [&](const Arrays& x) { return Arrays{func1d(x[0])}; };
  // From the innermost: the axes after `at` are mapped to the end of the result, those before it to the front.
  const std::function<Array(const Array&, int, int)> level = [&](const Array& x, int before, int after) -> Array {
    if (before == 0 && after == 0) return f({x})[0];
    const bool front = before > 0;
    const std::int64_t size = x.shape()[front ? 0 : x.ndim() - 1];
    const auto out = flat_vmap(
        [&](const Arrays& y) { return Arrays{level(y[0], front ? before - 1 : 0, front ? after : after - 1)}; }, {x},
        {front ? 0 : x.ndim() - 1}, size, "");
    return with_batch_axis(out[0], front ? 0 : out[0].value.ndim() - (out[0].axis == no_axis ? 0 : 1), size);
  };
  return level(arr, at, arr.ndim() - at - 1);
}

Array apply_over_axes(const Fn<Array(Array, int)>& func, const Array& a, const Axes& axes) {
  COTAN_API;
  Array x = a;
  for (std::int64_t axis : axes.all() ? IntList::range(a.ndim()) : axes.list()) {
    const int at = canonical_axis("apply_over_axes", axis, a.ndim());
    const Array y = func(x, at);
    if (y.ndim() == x.ndim()) x = y;
    else if (y.ndim() == x.ndim() - 1) x = ops::expand_dims(y, {at});
    else
      throw ValueError("apply_over_axes: the function is not returning an array of the correct shape: it was given " +
                       x.aval().str() + " and axis " + std::to_string(at) + ", and returned " + y.aval().str());
  }
  return x;
}

Array fromfunction(const detail::OfArrays& function, const Shape& shape, const FromfunctionOptions& o) {
  COTAN_API;
  const DType d = canonical_dtype(o.dtype);
  Arrays coordinates;
  for (std::int64_t n : shape) coordinates.push_back(arange(n).astype(d));
  std::function<Array(int, const Arrays&)> level = [&](int k, const Arrays& at) -> Array {
    if (k == shape.ndim()) return function(at);
    const auto inner = [&](const Arrays& i) {
      Arrays next = at;
      next.push_back(i[0]);
      return Arrays{level(k + 1, next)};
    };
    return with_batch_axis(flat_vmap(inner, {coordinates[static_cast<std::size_t>(k)]}, {0}, shape[k], "")[0], 0,
                           shape[k]);
  };
  return level(0, {});
}

Array piecewise(const Array& x, const std::vector<Array>& condlist, const std::vector<Piece>& funclist) {
  COTAN_API;
  const std::size_t n = condlist.size();
  if (n == 0) throw ValueError("piecewise: there is no condition");
  if (funclist.size() != n && funclist.size() != n + 1)
    throw ValueError("piecewise: with " + std::to_string(n) + " conditions, either " + std::to_string(n) + " or " +
                     std::to_string(n + 1) + " functions are expected; got " + std::to_string(funclist.size()));
  const DType d = canonical_dtype(x.dtype());
  const auto value = [&](const Piece& p) {
    const FlatFn f = [&](const Arrays& v) { return Arrays{to_dtype(p(v[0]), d, false)}; };
    return vectorized(f, {to_dtype(x, d, false)}, {})[0];
  };
  Array out = funclist.size() > n ? value(funclist[n]) : value(Piece(0));
  for (std::size_t i = 0; i < n; ++i) out = where(condlist[i], value(funclist[i]), out);
  return to_dtype(out, d, false);
}

namespace {

using table::Call;
using table::Value;

Value::Function function_of(const Call& call, const char* parameter) {
  const Value::Function* f = call[parameter].get<Value::Function>();
  if (!f) call.place(parameter).fail("a function", call[parameter]);
  return *f;
}
Array array_of(const Value& v) { return table::to_array(v, {"a function that is called", "its result"}); }

Value vectorize_values(const Call& call) {
  const Value::Function f = function_of(call, "pyfunc");
  const std::string signature = call["signature"].is_none() ? "" : call.get<std::string>("signature");
  IntList excluded;
  if (call.given("excluded")) excluded = call.get<IntList>("excluded");
  const CoreAxes core = CoreAxes::parse(signature);
  return Value::Function{[f, core, excluded](const Value::Items& items) -> Value {
    Arrays mapped;
    for (std::size_t i = 0; i < items.size(); ++i)
      if (!excluded.contains(static_cast<std::int64_t>(i))) mapped.push_back(array_of(items[i]));
    Value shape_of_result;
    const FlatFn flat = [&](const Arrays& x) {
      Value::Items all = items;
      std::size_t next = 0;
      for (std::size_t i = 0; i < all.size(); ++i)
        if (!excluded.contains(static_cast<std::int64_t>(i))) all[i] = x[next++];
      shape_of_result = f(all);
      Arrays out;
      if (!shape_of_result.is_sequence()) return Arrays{array_of(shape_of_result)};
      for (const Value& v : shape_of_result.items()) out.push_back(array_of(v));
      return out;
    };
    const Arrays out = vectorized(flat, mapped, core);
    if (!shape_of_result.is_sequence()) return out[0];
    return Value::tuple(Value::Items(out.begin(), out.end()));
  }};
}

Array apply_along_axis_values(const Call& call) {
  const Value::Function f = function_of(call, "func1d");
  const Value::Items more = call["args"].items();
  return apply_along_axis(
      [f, more](const Array& x) {
        Value::Items all{x};
        all.insert(all.end(), more.begin(), more.end());
        return array_of(f(all));
      },
      call.get<int>("axis"), call.get<Array>("arr"));
}

Array apply_over_axes_values(const Call& call) {
  const Value::Function f = function_of(call, "func");
  if (!call["axes"].is_sequence()) call.place("axes").fail("a sequence", call["axes"]);
  return apply_over_axes(
      [f](const Array& x, int axis) {
        return array_of(f({x, axis}));
      },
      call.get<Array>("a"), call.get<Axes>("axes"));
}

Array fromfunction_values(const Call& call) {
  const Value::Function f = function_of(call, "function");
  return fromfunction([f](const std::vector<Array>& x) { return array_of(f(Value::Items(x.begin(), x.end()))); },
                      call.get<Shape>("shape"), {.dtype = call.get<DType>("dtype")});
}

Array piecewise_values(const Call& call) {
  std::vector<Piece> pieces;
  const Value::Items more = call["args"].items();
  for (const Value& v : table::to_items(call["funclist"], call.place("funclist"))) {
    const Value::Function* f = v.get<Value::Function>();
    if (!f) {
      pieces.emplace_back(table::to_array(v, call.place("funclist")));
      continue;
    }
    pieces.emplace_back([f = *f, more](const Array& x) {
      Value::Items all{x};
      all.insert(all.end(), more.begin(), more.end());
      return array_of(f(all));
    });
  }
  return piecewise(call.get<Array>("x"), call.get<std::vector<Array>>("condlist"), pieces);
}

}  // namespace

const FunctionTable callables_table{
    "numpy",
    {
        function<vectorize_values>("vectorize(pyfunc, *, excluded=frozenset(), signature=None)",
                                   "The function over the leading axes of its arguments, which broadcast."),
        function<apply_along_axis_values>("apply_along_axis(func1d, axis, arr, *args, **kwargs)",
                                          "The function of each vector along an axis."),
        function<apply_over_axes_values>("apply_over_axes(func, a, axes)",
                                         "The function over one axis after the other."),
        function<fromfunction_values>("fromfunction(function, shape, *, dtype=<class 'float'>, **kwargs)",
                                      "The function of the coordinates of each element."),
        function<piecewise_values>("piecewise(x, condlist, funclist, *args, **kw)",
                                   "For each element the function of the last condition that holds."),
    }};

}  // namespace cotan::numpy
