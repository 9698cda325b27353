// Conversions to floating and complex types, by auto-vectorised loops.
#include "kernel/simd_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/convert_float_tiles.cc"
#include "hwy/foreach_target.h"
#include <limits>

#include "kernel/tile_loops-inl.h"
#include "ops/tile_list.h"

HWY_BEFORE_NAMESPACE();
namespace cotan::ops::convert_float_tiles {
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

template <class To, class From> void add(kernel::TileRegistry& r) {
  r.add_convert(kernel::dtype_of<From>, kernel::dtype_of<To>, loops::run_plain<To, From, Convert<To>>);
}
template <class To> void add_to(kernel::TileRegistry& r) {
  add<To, std::int8_t>(r), add<To, std::int16_t>(r), add<To, std::int32_t>(r), add<To, std::int64_t>(r);
  add<To, std::uint8_t>(r), add<To, std::uint16_t>(r), add<To, std::uint32_t>(r), add<To, std::uint64_t>(r);
  r.add_convert(DType::bool_, kernel::dtype_of<To>, loops::run_plain<To, std::uint8_t, Convert<To>>);
  add<To, BFloat16>(r), add<To, Float16>(r), add<To, float>(r), add<To, double>(r);
  add<To, Complex<float>>(r), add<To, Complex<double>>(r);
}

void add_tiles(kernel::TileRegistry& r) {
  add_to<BFloat16>(r), add_to<Float16>(r), add_to<float>(r), add_to<double>(r);
  add_to<Complex<float>>(r), add_to<Complex<double>>(r);
}

}  // namespace HWY_NAMESPACE
}  // namespace cotan::ops::convert_float_tiles
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cotan::ops {
void register_convert_float_tiles(kernel::TileRegistry& r) {
  using namespace convert_float_tiles;
  COTAN_DISPATCH(r.isa(), add_tiles, r);
}
}  // namespace cotan::ops
#endif
