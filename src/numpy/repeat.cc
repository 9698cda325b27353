// numpy.repeat: by broadcasting where every element is repeated as often, else by a gather.
#include <algorithm>

#include "api/function_table.h"
#include "numpy/indexing.h"

namespace cotan::numpy {

namespace {

std::int64_t product(std::int64_t size, std::int64_t repeats) {
  std::int64_t n = 0;
  if (__builtin_mul_overflow(size, repeats, &n))
    throw ValueError("repeat: " + std::to_string(size) + " times " + std::to_string(repeats) +
                     " elements are too many");
  return n;
}

Array repeat_evenly(const Array& v, std::int64_t repeats, int a) {
  if (repeats < 0) throw TypeError("repeat: repeats must be nonnegative, got " + std::to_string(repeats));
  Shape wide = v.shape(), shape = v.shape();
  wide.insert(a + 1, repeats);
  shape[a] = product(shape[a], repeats);
  IntList dims = IntList::range(wide.ndim());
  dims.erase(a + 1);
  return ops::reshape(ops::broadcast_in_dim(v, wide, dims), shape);
}

// Which element stands at each place of a result of `total`: that whose first place is the last one up to there.
Array sources(const Array& repeats, std::int64_t n, std::int64_t total) {
  const DType d = DType::int32;
  Array counts = to_dtype(ops::reshape(repeats, Shape(repeats.size())), d, false);
  if (counts.size() == 1) counts = ops::broadcast_in_dim(ops::reshape(counts, Shape{}), Shape(n), {});
  const Array first = ops::sub(running_sum(counts), counts);
  const Array here = ops::scatter(ops::scatter_add_p, ops::full({Shape(total), d}, 0), ops::reshape(first, {n, 1}),
                                  ops::full({Shape(n), d}, 1), {{}, {0}, {0}, {}, {}});
  return ops::sub(running_sum(here), ops::scalar_int(d, 1));
}

std::int64_t total_of(const Array& repeats, std::int64_t n) {
  std::int64_t total = 0;
  const auto item = static_cast<std::int64_t>(item_size(repeats.dtype()));
  for (std::int64_t i = 0; i < repeats.size(); ++i) {
    const std::int64_t r =
        HostScalar::load(repeats.dtype(), static_cast<const char*>(bytes_of(repeats)) + i * item).as_int64();
    if (r < 0) throw ValueError("repeat: repeats may not contain negative values, got " + std::to_string(r));
    total += r;
  }
  return repeats.size() == 1 ? product(n, total) : total;
}

}  // namespace

Array repeat(const Array& x, const Array& repeats, const Axes& axis, const RepeatOptions& o) {
  COTAN_API;
  const bool nothing = o.total_repeat_length == 0;  // whatever the repeats are
  if (!nothing && !is_integer(repeats.dtype()) && !is_bool(repeats))
    throw TypeError("repeat: repeats must be integers, got " + repeats.aval().str());
  if (!axis.all() && axis.list().length() != 1)
    throw TypeError("repeat: axis must be one integer or none, got " + axis.list().str());
  const bool flat = axis.all() || x.ndim() == 0;
  const bool known = is_concrete(repeats), even = known && repeats.size() == 1 && !o.total_repeat_length;
  if (!axis.all() && x.ndim() == 0) {
    canonical_axis("repeat", axis.list()[0], 1);
    const std::int64_t r = even ? HostScalar::load(repeats.dtype(), bytes_of(repeats)).as_int64() : -1;
    if (r >= 0) return ops::broadcast_in_dim(x, Shape(r), {});
  }
  const Array v = flat ? ops::reshape(x, Shape(x.size())) : x;
  const int a = flat ? 0 : canonical_axis("repeat", axis.list()[0], v.ndim());
  const std::int64_t n = v.shape()[a];
  if (repeats.size() != 1 && repeats.size() != n)
    throw ValueError("repeat: one number or " + std::to_string(n) + " repeats are expected, got " +
                     repeats.aval().str());
  if (even) return repeat_evenly(v, HostScalar::load(repeats.dtype(), bytes_of(repeats)).as_int64(), a);
  if (!known && !o.total_repeat_length)
    throw ConcretizationTypeError("repeat: where repeats are traced, total_repeat_length must be given; got " +
                                  repeats.aval().str());
  const std::int64_t total = o.total_repeat_length ? *o.total_repeat_length : total_of(repeats, n);
  if (total < 0) throw TypeError("repeat: total_repeat_length must be nonnegative, got " + std::to_string(total));
  if (n == 0) return v;
  return ops::take_axis(v, sources(repeats, n, total), a, {true, false, ops::GatherScatterMode::clip});
}

const FunctionTable repeat_table{
    "numpy",
    {
        function<repeat>("repeat(a, repeats, axis=None, *, total_repeat_length=None, out_sharding=None)",
                         "Each element repeated."),
    }};

}  // namespace cotan::numpy
