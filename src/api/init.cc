// What a program needs before its first operation. No thread is started and nothing is compiled here.
#include "array/host_array.h"
#include "control/jit.h"
#include "ops/op_list.h"
#include "ops/tile_list.h"

namespace cotan::detail {

int initialise() {
  static const bool once = [] {
    ops::install_tiles();
    ops::register_all();
    register_control();
    install_host_evaluation();
    return true;
  }();
  return once;
}

}  // namespace cotan::detail
