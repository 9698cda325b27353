// Keys: making, reading, splitting them.
#include "base/host_scalar.h"
#include "random/common.h"
#include "random/table_values.h"

namespace cotan::random {

namespace {

struct Implementation {
  const char* name;
  DType dtype;
};
constexpr Implementation implementations[] = {
    {"threefry2x32", DType::key_fry}, {"rbg", DType::key_rbg}, {"unsafe_rbg", DType::key_unsafe_rbg}};

DType dtype_of_impl(std::string_view name) {
  if (name.empty()) return DType::key_fry;
  for (const Implementation& i : implementations)
    if (name == i.name) return i.dtype;
  for (const char* other : {"philox2x32", "philox4x32", "threefry4x32"})
    if (name == other) throw NotImplementedError("random: keys of the implementation \"" + std::string(name) + "\"");
  throw ValueError("unrecognized PRNG implementation \"" + std::string(name) +
                   "\", expected \"threefry2x32\", \"rbg\" or \"unsafe_rbg\"");
}
DType dtype_of(const char* function, const KeyOptions& o) {
  if (!o.dtype) return dtype_of_impl(o.impl);
  if (!o.impl.empty()) throw ValueError(std::string(function) + ": cannot specify both impl and dtype");
  if (!is_key(*o.dtype))
    throw TypeError(std::string(function) + ": dtype must be one of keys, got " + dtype_name(*o.dtype));
  return *o.dtype;
}

// uint32[..., n] as keys of n words.
Array wrap(const Array& words, DType key) {
  const std::string wanted = std::to_string(item_size(key) / 4);
  if (words.dtype() != DType::uint32)
    throw TypeError("invalid PRNG key data: expected dtype uint32, got " + words.aval().str() +
                    "\nrandom::key(seed) makes a key.");
  if (words.ndim() == 0 || words.shape().back() != static_cast<std::int64_t>(item_size(key) / 4))
    throw TypeError("invalid PRNG key data: expected a shape that ends with " + wanted + ", got " + words.aval().str());
  return ops::random_wrap(words, key);
}

// What was given as words is given back as words.
Array as_given(const Array& keys, const Array& result) {
  return is_key(keys.dtype()) ? result : ops::random_unwrap(result);
}

Array make_key(const char* function, const Seed& seed, DType impl) {
  if (seed.array().has_value()) {
    const Array& a = seed.array();
    if (a.ndim() != 0)
      throw TypeError(std::string(function) + " accepts a scalar seed, but was given an array of shape " +
                      a.shape().str() + " != (). Use vmap for batching.");
    if (a.dtype() == DType::bool_) return ops::random_seed(to_dtype(a, default_int_dtype(), false), impl);
    if (!is_integer(a.dtype())) throw TypeError("PRNG key seed must be an integer, got " + a.aval().str());
    return ops::random_seed(a, impl);
  }
  const DType d = default_int_dtype();
  const std::int64_t low = d == DType::int32 ? static_cast<std::int32_t>(seed.number()) : seed.number();
  return ops::random_seed(ops::scalar_int(d, low), impl);
}

}  // namespace

Array any_keys(const Array& keys) { return is_key(keys.dtype()) ? keys : wrap(keys, DType::key_fry); }

Array single_key(const char* function, const Array& key) {
  const Array k = any_keys(key);
  if (k.ndim() != 0)
    throw ValueError(std::string(function) + " accepts a single key, but was given a key array of shape " +
                     k.shape().str() + " != (). Use vmap for batching.");
  return k;
}

Array key(const Seed& seed, KeyOptions o) {
  COTAN_API;
  return make_key("key", seed, dtype_of("key", o));
}

Array PRNGKey(const Seed& seed, ImplOptions o) {
  COTAN_API;
  return ops::random_unwrap(make_key("PRNGKey", seed, dtype_of_impl(o.impl)));
}

Array key_data(const Array& keys) {
  COTAN_API;
  return ops::random_unwrap(any_keys(keys));
}

std::string key_impl(const Array& keys) {
  COTAN_API;
  const DType d = any_keys(keys).dtype();
  for (const Implementation& i : implementations)
    if (i.dtype == d) return i.name;
  throw TypeError("key_impl expects keys, got " + keys.aval().str());
}

DType key_dtype(std::string_view impl_spec) {
  COTAN_API;
  return dtype_of_impl(impl_spec);
}

Array wrap_key_data(const Array& data, KeyOptions o) {
  COTAN_API;
  return wrap(data, dtype_of("wrap_key_data", o));
}

Array clone(const Array& keys) {
  COTAN_API;
  return ops::random_clone(keys);
}

Array split(const Array& keys, const Shape& num) {
  COTAN_API;
  check_shape("split", num);
  return as_given(keys, ops::random_split(single_key("split", keys), num));
}

Array fold_in(const Array& keys, const Array& data) {
  COTAN_API;
  const Array k = single_key("fold_in", keys);
  if (data.ndim() != 0)
    throw TypeError("fold_in accepts a scalar, but was given an array of shape " + data.shape().str() +
                    " != (). Use vmap for batching.");
  if (is_concrete(data) && data.node()->plain_number && data.weak_type() && is_integer(data.dtype()) &&
      data.item<std::int64_t>() < 0)
    throw OverflowError("fold_in: the number " + std::to_string(data.item<std::int64_t>()) +
                        " is out of bounds for uint32");
  return as_given(keys, ops::random_fold_in(k, to_dtype(data, DType::uint32, false)));
}

Array bits(const Array& keys, const Shape& shape, std::optional<DType> dtype) {
  COTAN_API;
  const Array k = single_key("bits", keys);
  check_shape("bits", shape);
  const DType d = canonical_dtype(dtype.value_or(DType::uint64));
  if (!is_unsigned_integer(d)) fail_dtype("bits", "an unsigned int", d);
  return ops::random_bits(k, static_cast<int>(8 * item_size(d)), shape);
}

const FunctionTable keys_table{
    "random",
    {
        function<key>("key(seed, *, impl=None, dtype=None)", "A key for a seed."),
        function<PRNGKey>("PRNGKey(seed, *, impl=None)", "The words of a key for a seed."),
        function<key_data>("key_data(keys)", "The words of keys."),
        function<key_impl>("key_impl(keys)", "The name of the implementation of keys."),
        function<key_dtype>("key_dtype(impl_spec=None)", "The dtype of keys of an implementation."),
        function<wrap_key_data>("wrap_key_data(key_bits_array, *, impl=None, dtype=None)", "Words as keys."),
        function<clone>("clone(key)", "The same key, to be used once more."),
        function<split>("split(key, num=2)", "New keys of a key."),
        function<fold_in>("fold_in(key, data)", "A key for a key and a number."),
        function<bits>("bits(key, shape=(), dtype=None, *, out_sharding=None)",
                       "Unsigned integers, uniform in all bits."),
    }};

}  // namespace cotan::random
