// Conversions to integers and bool, by auto-vectorised loops.
#include "kernel/simd_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/convert_int_tiles.cc"
#include "hwy/foreach_target.h"
#include <limits>

#include "kernel/tile_loops-inl.h"
#include "ops/tile_list.h"

HWY_BEFORE_NAMESPACE();
namespace cotan::ops::convert_int_tiles {
namespace HWY_NAMESPACE {
namespace loops = kernel::HWY_NAMESPACE;

namespace rules {
#include "ops/convert_rules.h"
}
using rules::Bool;
using rules::Complex;

template <class To> struct Convert {
  static constexpr int arity = 1;
  template <class From> static COTAN_RULE To run(From x) { return rules::convert<To>(x); }
};

template <class To, class From, class Key> void add(kernel::TileRegistry& r, Key) {
  r.add_convert(kernel::dtype_of<Key>, kernel::dtype_of<To>, loops::run_plain<To, From, Convert<To>>);
}
// Wrapping to a signed type is wrapping to the unsigned type of its width.
template <class Signed, class From, class Key> void add_both(kernel::TileRegistry& r, Key key) {
  using To = std::make_unsigned_t<Signed>;
  r.add_convert(kernel::dtype_of<Key>, kernel::dtype_of<Signed>, loops::run_plain<To, From, Convert<To>>);
  add<To, From>(r, key);
}
// From an integer. Where nothing is widened the source's sign does not matter either.
template <class From> void add_from_int(kernel::TileRegistry& r) {
  using U = std::make_unsigned_t<From>;
  add_both<std::int8_t, U>(r, From{});
  add_both<std::int16_t, std::conditional_t<(sizeof(From) >= 2), U, From>>(r, From{});
  add_both<std::int32_t, std::conditional_t<(sizeof(From) >= 4), U, From>>(r, From{});
  add_both<std::int64_t, std::conditional_t<(sizeof(From) >= 8), U, From>>(r, From{});
  add<Bool, U>(r, From{});
}
template <class From> void add_from_float(kernel::TileRegistry& r) {
  const From key{};
  add<std::int8_t, From>(r, key), add<std::int16_t, From>(r, key), add<std::int32_t, From>(r, key),
      add<std::int64_t, From>(r, key);
  add<std::uint8_t, From>(r, key), add<std::uint16_t, From>(r, key), add<std::uint32_t, From>(r, key),
      add<std::uint64_t, From>(r, key);
  add<Bool, From>(r, key);
}

void add_tiles(kernel::TileRegistry& r) {
  add_from_int<std::int8_t>(r), add_from_int<std::int16_t>(r), add_from_int<std::int32_t>(r),
      add_from_int<std::int64_t>(r);
  add_from_int<std::uint8_t>(r), add_from_int<std::uint16_t>(r), add_from_int<std::uint32_t>(r),
      add_from_int<std::uint64_t>(r);
  const Bool key{};
  add_both<std::int8_t, std::uint8_t>(r, key), add_both<std::int16_t, std::uint8_t>(r, key);
  add_both<std::int32_t, std::uint8_t>(r, key), add_both<std::int64_t, std::uint8_t>(r, key);
  add<Bool, std::uint8_t>(r, key);
  add_from_float<BFloat16>(r), add_from_float<Float16>(r), add_from_float<float>(r), add_from_float<double>(r);
  add_from_float<Complex<float>>(r), add_from_float<Complex<double>>(r);
}

}  // namespace HWY_NAMESPACE
}  // namespace cotan::ops::convert_int_tiles
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cotan::ops {
void register_convert_int_tiles(kernel::TileRegistry& r) {
  using namespace convert_int_tiles;
  COTAN_DISPATCH(r.isa(), add_tiles, r);
}
}  // namespace cotan::ops
#endif
