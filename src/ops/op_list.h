// The list of first-order primitives: one line a family. A family's file defines `register_<family>`.
#pragma once

namespace cotan::ops {

void register_arithmetic();
void register_elementary();
void register_special();
void register_special_more();
void register_special_hyper();
void register_compare_and_bits();
void register_convert();
void register_select();
void register_structural();
void register_slicing();
void register_dynamic_slicing();
void register_reductions();
void register_sorting();
void register_cumulative();
void register_width();
void register_dot();
void register_gather();
void register_random();
void register_collectives();

inline void register_all() {
  register_arithmetic();
  register_elementary();
  register_special();
  register_special_more();
  register_special_hyper();
  register_compare_and_bits();
  register_convert();
  register_select();
  register_structural();
  register_slicing();
  register_dynamic_slicing();
  register_reductions();
  register_sorting();
  register_cumulative();
  register_width();
  register_dot();
  register_gather();
  register_random();
  register_collectives();
}

}  // namespace cotan::ops
