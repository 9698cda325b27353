// The families of tile functions. A family is one `x_tiles.cc`; it is added by a line in each of the two lists.
#pragma once
#include "kernel/tile.h"

namespace cotan::ops {

void register_arith_tiles(
    kernel::TileRegistry&);  // add sub mul div max min neg abs sign floor ceil round sqrt ... of floats
void register_arith_int_tiles(kernel::TileRegistry&);      // the same of integers; div and rem guarded
void register_arith_complex_tiles(kernel::TileRegistry&);  // the same of complex numbers; real imag conj complex
void register_pair_tiles(kernel::TileRegistry&);           // two of add sub mul in one
void register_rem_tiles(kernel::TileRegistry&);            // rem of floats
void register_bits_tiles(kernel::TileRegistry&);           // and or xor not, shifts, population_count clz
void register_width_tiles(kernel::TileRegistry&);          // nextafter reduce_precision mulhi
void register_compare_tiles(kernel::TileRegistry&);        // eq ne lt le gt ge, eq_to le_to lt_to, is_finite
void register_convert_int_tiles(kernel::TileRegistry&);    // from any of the 15 types to bool and integers
void register_convert_float_tiles(kernel::TileRegistry&);  // and to floating and complex types
void register_reduce_tiles(kernel::TileRegistry&);         // reduce_*
void register_argmax_tiles(kernel::TileRegistry&);         // argmax argmin
void register_select_tiles(kernel::TileRegistry&);         // select copy fill

// The elementary functions (elementary_rules.h).
void register_trig_tiles(kernel::TileRegistry&);          // sin cos tan
void register_exp_log_tiles(kernel::TileRegistry&);       // exp exp2 expm1 log log1p logistic
void register_hyperbolic_tiles(kernel::TileRegistry&);    // sinh cosh tanh asinh acosh atanh
void register_power_tiles(kernel::TileRegistry&);         // pow rsqrt cbrt
void register_inverse_tiles(kernel::TileRegistry&);       // asin acos atan atan2 erf_inv
void register_complex_math_tiles(kernel::TileRegistry&);  // those of complex numbers
void register_special_tiles(kernel::TileRegistry&);       // erf erfc bessel_i0e bessel_i1e
void register_special_loop_tiles(kernel::TileRegistry&);  // the gamma and beta functions and their kin
void register_random_tiles(kernel::TileRegistry&);        // threefry2x32

inline void register_all_tiles(kernel::TileRegistry& r) {
  r.weigh(1);
  register_arith_tiles(r);
  register_arith_int_tiles(r);
  register_arith_complex_tiles(r);
  register_pair_tiles(r);
  register_rem_tiles(r);
  register_bits_tiles(r);
  register_width_tiles(r);
  register_compare_tiles(r);
  register_convert_int_tiles(r);
  register_convert_float_tiles(r);
  register_reduce_tiles(r);
  register_argmax_tiles(r);
  register_select_tiles(r);
  r.weigh(20);
  register_trig_tiles(r);
  register_exp_log_tiles(r);
  register_hyperbolic_tiles(r);
  register_power_tiles(r);
  register_inverse_tiles(r);
  register_complex_math_tiles(r);
  register_special_tiles(r);
  register_special_loop_tiles(r);
  register_random_tiles(r);
}

// Lets kernel::tiles() find the families; called before its first use.
inline void install_tiles() { kernel::set_tile_families(register_all_tiles); }

}  // namespace cotan::ops
