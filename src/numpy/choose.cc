// numpy's choices among arrays, and the diagonal's replacement.
#include <algorithm>

#include "api/function_table.h"
#include "cotan/numpy_index.h"
#include "numpy/indexing.h"

namespace cotan::numpy {

namespace {

// All in their common type.
std::vector<Array> promoted_all(const std::vector<Array>& v) {
  std::vector<LatticeType> types;
  for (const Array& a : v) types.push_back({a.dtype(), a.weak_type()});
  const LatticeType t = promote_types(types);
  std::vector<Array> r;
  for (const Array& a : v)
    r.push_back(a.dtype() == t.dtype && a.weak_type() == t.weak ? a : to_dtype(a, t.dtype, t.weak));
  return r;
}

// All in this shape, and `which` among them.
Array chosen(const char* function, const Array& which, std::vector<Array> cases) {
  std::vector<Shape> shapes{which.shape()};
  for (const Array& a : cases) shapes.push_back(a.shape());
  const Shape shape = broadcast_shapes(function, shapes);
  for (Array& a : cases) a = broadcast_to(a, shape);
  return ops::select_n(broadcast_to(which, shape), cases);
}

}  // namespace

Array choose(const Array& a, const std::vector<Array>& choices, const ChooseOptions& o) {
  COTAN_API;
  if (!is_integer(a.dtype())) throw ValueError("`a` array must be integer typed, got " + a.aval().str());
  const auto n = static_cast<std::int64_t>(choices.size());
  Array which = a;
  if (o.mode == "raise") {
    if (!is_concrete(a))
      throw ConcretizationTypeError(
          "choose with mode=\"raise\" needs concrete indices; use mode=\"wrap\" or "
          "mode=\"clip\". Got a traced " +
          a.aval().str());
    for (std::int64_t i = 0; i < a.size(); ++i) {
      const std::int64_t v = HostScalar::load(a.dtype(), static_cast<const char*>(bytes_of(a)) +
                                                             i * static_cast<std::int64_t>(item_size(a.dtype())))
                                 .as_int64();
      if (v < 0 || v >= n) throw ValueError("invalid entry in choice array");
    }
  } else if (o.mode == "wrap") which = remainder(a, Array(n));
  else if (o.mode == "clip") which = clip(a, 0, Array(n - 1));
  else throw ValueError("mode='" + std::string(o.mode) + "' not understood. Must be 'raise', 'wrap', or 'clip'");
  if (n == 0) throw ValueError("choose: there are no choices");
  return chosen("choose", to_dtype(which, DType::int32, false), promoted_all(choices));
}

Array select(const std::vector<Array>& condlist, const std::vector<Array>& choicelist, const Array& default_) {
  COTAN_API;
  if (condlist.size() != choicelist.size())
    throw ValueError("condlist must have length equal to choicelist (" + std::to_string(condlist.size()) + " vs " +
                     std::to_string(choicelist.size()) + ")");
  if (condlist.empty()) throw ValueError("condlist must be non-empty");
  std::vector<Array> cases{default_};
  cases.insert(cases.end(), choicelist.begin(), choicelist.end());
  cases = promoted_all(cases);
  std::vector<Array> conditions;
  std::vector<Shape> shapes;
  for (const Array& c : condlist) conditions.push_back(to_bool(c)), shapes.push_back(c.shape());
  for (const Array& c : cases) shapes.push_back(c.shape());
  const Shape shape = broadcast_shapes("select", shapes);
  Array r = broadcast_to(cases[0], shape);
  for (std::size_t i = conditions.size(); i-- > 0;)
    r = ops::select(broadcast_to(conditions[i], shape), broadcast_to(cases[i + 1], shape), r);
  return r;
}

Array fill_diagonal(const Array& a, const Array& val, const FillDiagonalOptions& o) {
  COTAN_API;
  if (o.inplace) throw NotImplementedError("fill_diagonal: Arrays are immutable, must use inplace=false");
  if (o.wrap) throw NotImplementedError("fill_diagonal: wrap=true is not implemented, must use wrap=false");
  if (a.ndim() < 2) throw ValueError("array must be at least 2-d, got " + a.aval().str());
  const Shape& s = a.shape();
  if (a.ndim() > 2 && std::any_of(s.begin(), s.end(), [&](std::int64_t n) { return n != s[0]; }))
    throw ValueError("All dimensions of input must be of equal length, got " + s.str());
  const std::int64_t n = *std::min_element(s.begin(), s.end());
  if (n == 0) return a;
  const Index along(ops::iota(default_int_dtype(), Shape(n), 0));
  const std::vector<Index> at(static_cast<std::size_t>(a.ndim()), along);
  Array v = val;
  if (v.ndim() != 0) {
    v = ops::reshape(v, Shape(v.size()));
    if (v.size() == 0) throw ValueError("fill_diagonal: there are no values to fill with");
    if (v.size() < n) {
      const std::int64_t times = (n + v.size() - 1) / v.size();
      v = ops::reshape(ops::broadcast_in_dim(v, {times, v.size()}, {1}), Shape(times * v.size()));
    }
    if (v.size() > n) v = ops::slice(v, {0}, {n});
  }
  return update_at(Update::set, a, at, v);
}

const FunctionTable choose_table{"numpy",
                                 {
                                     function<choose>("choose(a, choices, out=None, mode='raise')",
                                                      "From each position, the element of the choice it names."),
                                     function<select>("select(condlist, choicelist, default=0)",
                                                      "The elements of the first choice whose condition holds."),
                                     function<fill_diagonal>("fill_diagonal(a, val, wrap=False, *, inplace=True)",
                                                             "The array with its main diagonal replaced."),
                                 }};

}  // namespace cotan::numpy
