// numpy's functions that turn and shift arrays.
#include <algorithm>

#include "api/function_table.h"
#include "cotan/lax.h"
#include "numpy/common.h"

namespace cotan::numpy {

namespace {

// By known numbers of places: two slices change places along each axis.
Array roll_static(const Array& x, const IntList& shifts, const IntList& axes) {
  Array r = x;
  for (int i = 0; i < axes.length(); ++i) {
    const std::int64_t axis = axes[i], n = r.shape()[axis];
    if (n == 0) continue;
    const std::int64_t cut = (n - shifts[i] % n) % n;
    IntList first = IntList::filled(r.ndim(), 0), last = r.shape();
    const IntList strides = IntList::filled(r.ndim(), 1);
    first[axis] = cut;
    const Array tail = ops::slice(r, first, last, strides);
    first[axis] = 0, last[axis] = cut;
    const Array parts[] = {tail, ops::slice(r, first, last, strides)};
    r = ops::concatenate(parts, static_cast<int>(axis));
  }
  return r;
}

// By numbers that are known when the program runs: a window over two copies.
Array roll_dynamic(const Array& x, const Array& shift, const IntList& axes) {
  Array r = x;
  const Array shifts = shift.ndim() == 0 ? ops::expand_dims(shift, {0}) : shift;
  for (int i = 0; i < axes.length(); ++i) {
    const std::int64_t n = r.shape()[axes[i]], at = shifts.size() == 1 ? 0 : i;
    if (n == 0) continue;
    const Array places = ops::squeeze(ops::slice(shifts, {at}, {at + 1}, IntList{1}), {0});
    const Array size = ops::max(ops::scalar_int(places.dtype(), n), ops::scalar_int(places.dtype(), 1));
    const Array rest = remainder(places, size);
    const Array twice[] = {r, r};
    const Array doubled = ops::concatenate(twice, static_cast<int>(axes[i]));
    std::vector<Array> starts(static_cast<std::size_t>(r.ndim()), Array(0));
    starts[static_cast<std::size_t>(axes[i])] = ops::sub(ops::scalar_int(places.dtype(), n), rest);
    r = lax::dynamic_slice(doubled, starts, r.shape());
  }
  return r;
}

IntList known_integers(const Array& x) {
  CurrentTrace evaluation(nullptr);
  const Array whole = to_dtype(x, DType::int64, false);
  const auto* p = static_cast<const std::int64_t*>(bytes_of(whole));
  return {p, static_cast<std::size_t>(whole.size())};
}

IntList turned_axes(const Array& m, const Axes& axes) {
  if (m.ndim() < 2)
    throw ValueError("rot90 requires its first argument to have at least two dimensions, got " + m.aval().str());
  if (axes.all() || axes.list().length() != 2) throw ValueError("rot90: axes must be two integers");
  const IntList a = listed_axes("rot90", axes.list(), m.ndim());
  if (a[0] == a[1]) throw ValueError("rot90: axes must be different, got " + axes.list().str());
  return a;
}

// First and last + 1 of the positions along an axis where some element is not 0; equal for none.
std::pair<std::int64_t, std::int64_t> nonzero_range(const unsigned char* nonzero, const Shape& shape, int axis) {
  std::int64_t inner = 1, first = shape[axis], last = 0;
  for (int i = axis + 1; i < shape.ndim(); ++i) inner *= shape[i];
  for (std::int64_t i = 0; i < shape.size(); ++i) {
    if (!nonzero[i]) continue;
    const std::int64_t place = i / inner % shape[axis];
    first = std::min(first, place), last = std::max(last, place + 1);
  }
  return first < last ? std::pair(first, last) : std::pair(std::int64_t{0}, std::int64_t{0});
}

}  // namespace

Array flip(const Array& x, const Axes& axis) {
  COTAN_API;
  const IntList axes = axis.all() ? IntList::range(x.ndim()) : listed_axes("flip", axis.list(), x.ndim());
  return named_jit(
      "_flip", [&](const Arrays& a) { return Arrays{ops::rev(a[0], axes)}; }, {x}, list_key(axes))[0];
}
Array fliplr(const Array& x) {
  COTAN_API;
  return flip(x, 1);
}
Array flipud(const Array& x) {
  COTAN_API;
  return flip(x, 0);
}

Array rot90(const Array& m, int k, const Axes& axes) {
  COTAN_API;
  const IntList a = turned_axes(m, axes);
  const int turns = (k % 4 + 4) % 4;
  return named_jit(
      "rot90",
      [&](const Arrays& v) {
        if (turns == 0) return Arrays{v[0]};
        if (turns == 2) return Arrays{flip(flip(v[0], a[0]), a[1])};
        IntList swapped = IntList::range(m.ndim());
        std::swap(swapped[a[0]], swapped[a[1]]);
        if (turns == 1) return Arrays{ops::transpose(flip(v[0], a[1]), swapped)};
        return Arrays{flip(ops::transpose(v[0], swapped), a[1])};
      },
      {m}, combine_key(list_key(a), static_cast<std::uint64_t>(turns)))[0];
}

Array roll(const Array& x, const Array& by, const Axes& axis) {
  COTAN_API;
  const Array shift = is_integer(by.dtype()) ? by : to_dtype(by, default_int_dtype(), false);
  const bool whole = axis.all();
  if (shift.ndim() > 1 || (whole && shift.ndim() == 1 && shift.size() == 0))
    throw ValueError("roll: shift must be a number or a list of numbers, got " + shift.aval().str());
  const Array v = whole ? ravel(x) : x;
  IntList axes = whole ? IntList{0} : listed_axes("roll", axis.list(), x.ndim());
  const int n = shift.ndim() == 0 ? 1 : static_cast<int>(shift.size());
  if (axes.length() == 1 && n > 1) axes = IntList::filled(n, axes[0]);
  if (n != 1 && n != axes.length())
    throw ValueError("roll: shift and axis must have as many entries, got " + std::to_string(n) + " and " +
                     std::to_string(axes.length()));
  Array r;
  if (is_concrete(shift)) {
    IntList shifts = known_integers(shift);
    if (shifts.length() == 1) shifts = IntList::filled(axes.length(), shifts[0]);
    r = named_jit(
        "_roll_static", [&](const Arrays& a) { return Arrays{roll_static(a[0], shifts, axes)}; }, {v},
        combine_key(list_key(axes), list_key(shifts)))[0];
  } else {
    r = named_jit(
        "_roll_dynamic", [&](const Arrays& a) { return Arrays{roll_dynamic(a[0], a[1], axes)}; }, {v, shift},
        list_key(axes))[0];
  }
  return whole ? ops::reshape(r, x.shape()) : r;
}

Array trim_zeros(const Array& x, std::string_view trim, const Axes& axis) {
  COTAN_API;
  const IntList axes = axis.all() ? IntList::range(x.ndim()) : canonical_axes("trim_zeros", axis.list(), x.ndim());
  const Array* known = concrete_value(x);
  if (!known)
    throw ConcretizationTypeError(
        "Abstract tracer value encountered where concrete value is expected: " + x.aval().str() +
        "\ntrim_zeros makes a shape of values: call it outside of the traced program.");
  Array nonzero;
  {
    CurrentTrace evaluation(nullptr);
    nonzero = to_bool(*known);
  }
  const bool front = trim.find_first_of("fF") != trim.npos, back = trim.find_first_of("bB") != trim.npos;
  IntList first = IntList::filled(x.ndim(), 0), last = x.shape();
  for (std::int64_t a : axes) {
    const auto [begin, end] =
        nonzero_range(static_cast<const unsigned char*>(bytes_of(nonzero)), x.shape(), static_cast<int>(a));
    if (begin == end && (front || back)) first[a] = last[a] = 0;
    else {
      if (front) first[a] = begin;
      if (back) last[a] = end;
    }
  }
  return ops::slice(x, first, last);
}

namespace {
// Python's integers of any size, and lists of them, reach their axis modulo its size.
Array roll_call(const Array& a, const table::Value& shift, const Axes& axis) {
  const table::Place place{"roll", "shift"};
  if (shift.get<Array>()) return roll(a, *shift.get<Array>(), axis);
  if (shift.get<double>()) return roll(a, *shift.get<double>(), axis);
  const IntList shifts = table::to_integers(shift, place);
  std::vector<std::int32_t> turns;
  for (int i = 0; i < shifts.length(); ++i) {
    const int n = axis.all() ? 1 : axis.list().length();
    const std::int64_t at = n == 0 ? 0 : axis.all() ? 0 : axis.list()[std::min(i, n - 1)];
    const bool known = !axis.all() && n == shifts.length();
    const std::int64_t period = axis.all() ? a.size()
                                : known    ? a.shape()[canonical_axis("roll", at, a.ndim())]
                                           : a.size();
    turns.push_back(static_cast<std::int32_t>(period ? shifts[i] % period : 0));
  }
  return roll(a, shift.is_sequence() ? array(turns) : Array(turns[0]), axis);
}
}  // namespace

const FunctionTable rolling_table{
    "numpy",
    {
        function<flip>("flip(m, axis=None)", "The order of elements reversed along axes, or all."),
        function<fliplr>("fliplr(m)", "flip along axis 1."),
        function<flipud>("flipud(m)", "flip along axis 0."),
        function<rot90>("rot90(m, k=1, axes=(0, 1))",
                        "Turned by k right angles in the plane of two axes, from the first to the second."),
        function<roll_call>("roll(a, shift, axis=None)",
                            "Shifted along axes (none: of the flattened array); what leaves enters at the other end."),
        function<trim_zeros>("trim_zeros(filt, trim='fb', axis=None)",
                             "Without zeros at the front and back along axes, or all. Not of traced values."),
    }};

}  // namespace cotan::numpy
