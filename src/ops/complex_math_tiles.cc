// Tile functions of the complex elementary functions: loops over the host functions, the same for every instruction set.
#include <algorithm>
#include <type_traits>

#include "kernel/tile.h"
#include "ops/complex_host.h"
#include "ops/tile_list.h"

namespace cotan::ops {
namespace {

using kernel::Complex;
using kernel::Ins;
using Wide = kernel::Complex128;

template <class T> Wide widen(Complex<T> z) { return {z.re, z.im}; }
template <class T> Complex<T> narrow(Wide z) { return {static_cast<T>(z.re), static_cast<T>(z.im)}; }
template <class T> const Complex<T>* operand(void* const* regs, unsigned r) {
  return static_cast<const Complex<T>*>(regs[r]);
}

template <class T, Wide (*f)(Wide)> void unary(void* const* regs, const Ins* ins, std::size_t n) {
  auto* dst = static_cast<Complex<T>*>(regs[ins->dst]);
  const Complex<T>* x = operand<T>(regs, ins->a);
  if (ins->step_a == 0 && n != 0) {
    std::fill_n(dst, n, narrow<T>(f(widen(*x))));
    return;
  }
  for (std::size_t i = 0; i < n; ++i) dst[i] = narrow<T>(f(widen(x[i])));
}
template <class T, Wide (*f)(Wide, Wide)> void binary(void* const* regs, const Ins* ins, std::size_t n) {
  auto* dst = static_cast<Complex<T>*>(regs[ins->dst]);
  const Complex<T>*x = operand<T>(regs, ins->a), *y = operand<T>(regs, ins->b);
  const std::size_t step_x = ins->step_a, step_y = ins->step_b;
  for (std::size_t i = 0; i < n; ++i) dst[i] = narrow<T>(f(widen(x[i * step_x]), widen(y[i * step_y])));
}

}  // namespace

void register_complex_math_tiles(kernel::TileRegistry& r) {
#define COTAN_ADD(f)                              \
  r.add(#f, 1, complex64, unary<float, host::f>); \
  r.add(#f, 1, complex128, unary<double, host::f>);
  COTAN_COMPLEX_UNARY(COTAN_ADD)
#undef COTAN_ADD
  r.add("pow", 2, complex64, binary<float, host::pow>);
  r.add("pow", 2, complex128, binary<double, host::pow>);
}

}  // namespace cotan::ops
