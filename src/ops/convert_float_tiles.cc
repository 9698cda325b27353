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

void widen_halves(void* const* regs, const kernel::Ins* ins, std::size_t n) {
  if (ins->step_a == 0) return loops::run_plain<float, Float16, Convert<float>>(regs, ins, n);
  loops::widen_run(loops::operand<Float16>(regs, ins->a), static_cast<float*>(regs[ins->dst]), n);
}
void narrow_to_halves(void* const* regs, const kernel::Ins* ins, std::size_t n) {
  if (ins->step_a == 0) return loops::run_plain<Float16, float, Convert<Float16>>(regs, ins, n);
  loops::narrow_run(loops::operand<float>(regs, ins->a), static_cast<Float16*>(regs[ins->dst]), n);
}

template <class To, class From> void add(kernel::TileRegistry& r) {
  if constexpr (std::is_same_v<To, float> && std::is_same_v<From, Float16>)
    r.add_convert(DType::float16, DType::float32, widen_halves);
  else if constexpr (std::is_same_v<To, Float16> && std::is_same_v<From, float>)
    r.add_convert(DType::float32, DType::float16, narrow_to_halves);
  else r.add_convert(kernel::dtype_of<From>, kernel::dtype_of<To>, loops::run_plain<To, From, Convert<To>>);
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
