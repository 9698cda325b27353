// Reductions by segment: scatters into an array of the operation's identities.
#include "cotan/segment.h"

#include <algorithm>
#include <limits>

#include "api/function_table.h"
#include "numpy/indexing.h"

namespace cotan::segment {

namespace {

using numpy::Update;

struct Reduction {
  const char* name;
  Update update;
  HostScalar (*identity)(DType);
  Array (*reduce)(const Array&, const IntList& axes);
};

HostScalar extreme(DType d, bool highest) {
  if (is_inexact(d)) {
    const double infinity = std::numeric_limits<double>::infinity();
    return HostScalar(highest ? infinity : -infinity, d);
  }
  if (d == DType::bool_) return HostScalar(highest);
  const int bits = static_cast<int>(item_size(d)) * 8;
  if (is_signed_integer(d))
    return HostScalar(
        (highest ? std::numeric_limits<std::int64_t>::max() : std::numeric_limits<std::int64_t>::min()) >> (64 - bits),
        d);
  return HostScalar(highest ? ~std::uint64_t{0} >> (64 - bits) : std::uint64_t{0}, d);
}

constexpr Reduction sum{"segment_sum", Update::add, [](DType d) { return HostScalar(0, d); }, ops::reduce_sum};
constexpr Reduction prod{"segment_prod", Update::multiply, [](DType d) { return HostScalar(1, d); }, ops::reduce_prod};
constexpr Reduction highest{"segment_max", Update::max, [](DType d) { return extreme(d, false); }, ops::reduce_max};
constexpr Reduction lowest{"segment_min", Update::min, [](DType d) { return extreme(d, true); }, ops::reduce_min};

std::int64_t segment_count(const Reduction& r, const Array& ids, std::optional<std::int64_t> given) {
  if (given) {
    if (*given < 0)
      throw ValueError(std::string(r.name) + ": num_segments must be non-negative, got " + std::to_string(*given));
    return *given;
  }
  if (!is_concrete(ids))
    throw ConcretizationTypeError(
        std::string(r.name) + ": `num_segments` must be given where segment_ids are traced; got " + ids.aval().str());
  if (ids.size() == 0) throw ValueError("zero-size array to reduction operation max which has no identity");
  std::int64_t top = std::numeric_limits<std::int64_t>::min();
  const auto item = static_cast<std::int64_t>(item_size(ids.dtype()));
  for (std::int64_t i = 0; i < ids.size(); ++i)
    top = std::max(top, HostScalar::load(ids.dtype(), static_cast<const char*>(bytes_of(ids)) + i * item).as_int64());
  return std::max<std::int64_t>(top + 1, 0);
}

Array scattered(const Reduction& r, const Array& data, const Array& ids, std::int64_t count, const SegmentOptions& o) {
  Shape shape{count};
  for (int i = 1; i < data.ndim(); ++i) shape.push_back(data.shape()[i]);
  const HostScalar identity = r.identity(data.dtype());
  const Array one = evaluation_hook().from_bytes({Shape(), data.dtype(), false}, identity.bytes);
  one.node()->plain_number = true;
  const Index at[] = {Index(ids)};
  AtSetOptions options{o.indices_are_sorted, o.unique_indices, o.mode, false};
  return numpy::update_at(r.update, ops::broadcast_in_dim(one, shape, {}), at, data, options);
}

Array reduced(const Reduction& r, const Array& data, const Array& ids, std::optional<std::int64_t> num_segments,
              const SegmentOptions& o) {
  if (!is_integer(ids.dtype()))
    throw TypeError(std::string(r.name) + ": segment_ids must be integers, got " + ids.aval().str());
  const std::int64_t count = segment_count(r, ids, num_segments);
  bool fits = ids.ndim() <= data.ndim();
  for (int i = 0; fits && i < ids.ndim(); ++i) fits = ids.shape()[i] == data.shape()[i];
  if (!fits && data.size() != 1)
    throw ValueError(std::string(r.name) + ": the first axes of data must be those of segment_ids, got " +
                     data.aval().str() + " and " + ids.aval().str());
  if (!o.bucket_size || ids.ndim() != 1 || ids.size() == 0) return scattered(r, data, ids, count, o);
  if (*o.bucket_size <= 0)
    throw ValueError(std::string(r.name) + ": bucket_size must be positive, got " + std::to_string(*o.bucket_size));
  std::vector<Array> buckets;
  for (std::int64_t start = 0; start < ids.size(); start += *o.bucket_size) {
    const std::int64_t stop = std::min(start + *o.bucket_size, ids.size());
    buckets.push_back(
        scattered(r, ops::slice_in_dim(data, start, stop, 1, 0), ops::slice_in_dim(ids, start, stop, 1, 0), count, o));
  }
  return r.reduce(ops::stack(buckets, 0), {0});
}

}  // namespace

#define COTAN_SEGMENT(NAME, KIND)                                                                                      \
  Array NAME(const Array& data, const Array& ids, std::optional<std::int64_t> num_segments, const SegmentOptions& o) { \
    COTAN_API;                                                                                                         \
    return reduced(KIND, data, ids, num_segments, o);                                                                  \
  }
COTAN_SEGMENT(segment_sum, sum)
COTAN_SEGMENT(segment_prod, prod)
COTAN_SEGMENT(segment_max, highest)
COTAN_SEGMENT(segment_min, lowest)
#undef COTAN_SEGMENT

#define COTAN_SIGNATURE(NAME)                                                                                     \
#NAME                                                                                                           \
      "(data, segment_ids, num_segments=None, indices_are_sorted=False, unique_indices=False, bucket_size=None, " \
      "mode=None, out_sharding=None)"
const FunctionTable segment_table{
    "ops",
    {
        function<segment_sum>(COTAN_SIGNATURE(segment_sum), "Sums of rows by segment."),
        function<segment_prod>(COTAN_SIGNATURE(segment_prod), "Products of rows by segment."),
        function<segment_max>(COTAN_SIGNATURE(segment_max), "The largest of rows by segment."),
        function<segment_min>(COTAN_SIGNATURE(segment_min), "The smallest of rows by segment."),
    }};
#undef COTAN_SIGNATURE

}  // namespace cotan::segment
