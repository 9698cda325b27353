// Tile functions that loop over special_host.h, element by element. They exist once, not per instruction set: the bits are the host
// functions'. float32 is computed in double, 16-bit floats through float32.
#include "kernel/half_bits.h"
#include "kernel/tile.h"
#include "kernel/tile_types.h"
#include "ops/special_host.h"
#include "ops/tile_list.h"

namespace cotan::ops {
namespace {

using kernel::Ins;

template <class T> double widened(T x) {
  if constexpr (sizeof(T) == 2) return static_cast<double>(kernel::half_to_float(x));
  else return static_cast<double>(x);
}
template <class T> void narrow(double y, T* out) {
  if constexpr (sizeof(T) == 2) kernel::float_to_half(static_cast<float>(y), out);
  else *out = static_cast<T>(y);
}

template <class T, std::size_t arity, class F> void loop(F f, void* const* regs, const Ins* ins, std::size_t n) {
  const std::uint16_t source[3] = {ins->a, ins->b, ins->c};
  const std::uint8_t steps[3] = {ins->step_a, ins->step_b, ins->step_c};
  const T* p[arity];
  std::size_t step[arity];
  for (std::size_t j = 0; j < arity; ++j) {
    p[j] = static_cast<const T*>(regs[source[j]]);
    step[j] = steps[j];
  }
  T* dst = static_cast<T*>(regs[ins->dst]);
  for (std::size_t i = 0; i < n; ++i) {
    double y;
    if constexpr (arity == 1) y = f(widened(p[0][i * step[0]]));
    if constexpr (arity == 2) y = f(widened(p[0][i * step[0]]), widened(p[1][i * step[1]]));
    if constexpr (arity == 3) y = f(widened(p[0][i * step[0]]), widened(p[1][i * step[1]]), widened(p[2][i * step[2]]));
    narrow(y, dst + i);
  }
}
template <class... X> constexpr std::size_t arity_of(double (*)(X...)) { return sizeof...(X); }
template <class T, auto f> void tile(void* const* regs, const Ins* ins, std::size_t n) {
  loop<T, arity_of(f)>([](auto... x) { return f(x...); }, regs, ins, n);
}

template <class T, class F> void complex_loop(F f, void* const* regs, const Ins* ins, std::size_t n) {
  const T* x = static_cast<const T*>(regs[ins->a]);
  T* dst = static_cast<T*>(regs[ins->dst]);
  for (std::size_t i = 0; i < n; ++i) {
    const T z = x[ins->step_a ? i : 0];
    const host::ComplexValue w = f(host::ComplexValue{z.re, z.im});
    dst[i].re = static_cast<decltype(z.re)>(w.re);
    dst[i].im = static_cast<decltype(z.re)>(w.im);
  }
}
using ComplexFunction = host::ComplexValue (*)(host::ComplexValue);
template <class T, ComplexFunction f> void complex_tile(void* const* regs, const Ins* ins, std::size_t n) {
  complex_loop<T>([](host::ComplexValue z) { return f(z); }, regs, ins, n);
}
template <class T> void complex_polygamma_tile(void* const* regs, const Ins* ins, std::size_t n) {
  const int m = static_cast<int>(ins->aux);
  complex_loop<T>([m](host::ComplexValue z) { return host::polygamma(m, z); }, regs, ins, n);
}

// The operands by which a derivative is taken, as special_hyper.cc packs them.
struct OperandPair {
  int first, second;
};
OperandPair operand_pair(std::uint32_t aux) { return {static_cast<int>(aux & 255), static_cast<int>(aux >> 8) - 1}; }

template <class T> void zeta_grad_tile(void* const* regs, const Ins* ins, std::size_t n) {
  const int order = static_cast<int>(ins->aux);
  loop<T, 2>([order](double s, double q) { return host::zeta_grad_x(order, s, q); }, regs, ins, n);
}
template <class T> void hyp1f1_grad_tile(void* const* regs, const Ins* ins, std::size_t n) {
  const OperandPair by = operand_pair(ins->aux);
  loop<T, 3>([by](double a, double b, double x) { return host::hyp1f1_grad(by.first, by.second, a, b, x); }, regs, ins,
             n);
}

// Four operands as two complex numbers, a + bi and c + xi, since an instruction has no more than three.
template <bool grad> void hyp2f1_tile(void* const* regs, const Ins* ins, std::size_t n) {
  using T = kernel::Complex128;
  const T *left = static_cast<const T*>(regs[ins->a]), *right = static_cast<const T*>(regs[ins->b]);
  const OperandPair by = operand_pair(ins->aux);
  T* dst = static_cast<T*>(regs[ins->dst]);
  for (std::size_t i = 0; i < n; ++i) {
    const T u = left[ins->step_a ? i : 0], v = right[ins->step_b ? i : 0];
    if constexpr (grad) dst[i] = {host::hyp2f1_grad(by.first, by.second, u.re, u.im, v.re, v.im), 0};
    else dst[i] = {host::hyp2f1(u.re, u.im, v.re, v.im), 0};
  }
}

template <auto f> void add(kernel::TileRegistry& r, const char* name, int arity) {
  r.add(name, arity, DType::float32, tile<float, f>);
  r.add(name, arity, DType::float64, tile<double, f>);
  r.add(name, arity, DType::bfloat16, tile<BFloat16, f>);
  r.add(name, arity, DType::float16, tile<Float16, f>);
}
template <ComplexFunction f> void add_complex(kernel::TileRegistry& r, const char* name) {
  r.add(name, 1, DType::complex64, complex_tile<kernel::Complex64, f>);
  r.add(name, 1, DType::complex128, complex_tile<kernel::Complex128, f>);
}
// For a function template of the element type.
#define COTAN_EACH_FLOAT(r, name, arity, fn)         \
  r.add(name, arity, DType::float32, fn<float>);     \
  r.add(name, arity, DType::float64, fn<double>);    \
  r.add(name, arity, DType::bfloat16, fn<BFloat16>); \
  r.add(name, arity, DType::float16, fn<Float16>)

}  // namespace

void register_special_loop_tiles(kernel::TileRegistry& r) {
  add<host::lgamma>(r, "lgamma", 1);
  add<host::digamma>(r, "digamma", 1);
  add<host::zeta>(r, "zeta", 2);
  add<static_cast<double (*)(double, double)>(host::polygamma)>(r, "polygamma", 2);
  add<host::igamma>(r, "igamma", 2);
  add<host::igammac>(r, "igammac", 2);
  add<host::igamma_grad_a>(r, "igamma_grad_a", 2);
  add<host::random_gamma_grad>(r, "random_gamma_grad", 2);
  add<host::gamma_density>(r, "gamma_density", 2);
  add<host::betainc>(r, "regularized_incomplete_beta", 3);
  add<host::beta_density>(r, "beta_density", 3);
  add<host::log_gamma_density>(r, "log_gamma_density", 2);
  add<host::log_beta_density>(r, "log_beta_density", 3);
  add<static_cast<double (*)(double)>(host::gamma)>(r, "gamma", 1);
  add<host::betaln>(r, "betaln", 2);
  add<host::poch>(r, "poch", 2);
  add<host::ndtri>(r, "ndtri", 1);
  add<host::log_ndtr>(r, "log_ndtr", 1);
  add<host::erfcx>(r, "erfcx", 1);
  add<host::dawsn>(r, "dawsn", 1);
  add<host::expn>(r, "expn", 2);
  add<host::expi>(r, "expi", 1);
  add<host::sine_integral>(r, "sine_integral", 1);
  add<host::cosine_integral>(r, "cosine_integral", 1);
  add<host::fresnel_sine>(r, "fresnel_sine", 1);
  add<host::fresnel_cosine>(r, "fresnel_cosine", 1);
  add<host::spence>(r, "spence", 1);
  add<host::owens_t>(r, "owens_t", 2);
  add<host::bessel_jn>(r, "bessel_jn", 2);
  add<host::sph_legendre>(r, "sph_legendre", 3);
  add<host::hyp1f1>(r, "hyp1f1", 3);
  add_complex<host::wofz>(r, "wofz");
  add_complex<host::loggamma>(r, "loggamma");
  add_complex<host::gamma>(r, "complex_gamma");
  r.add("complex_polygamma", 1, DType::complex64, complex_polygamma_tile<kernel::Complex64>);
  r.add("complex_polygamma", 1, DType::complex128, complex_polygamma_tile<kernel::Complex128>);
  r.add("hyp2f1", 2, DType::complex128, hyp2f1_tile<false>);
  r.add("hyp2f1_grad", 2, DType::complex128, hyp2f1_tile<true>);
  COTAN_EACH_FLOAT(r, "zeta_grad_x", 2, zeta_grad_tile);
  COTAN_EACH_FLOAT(r, "hyp1f1_grad", 3, hyp1f1_grad_tile);
}

}  // namespace cotan::ops
