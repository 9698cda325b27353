// The extension module: the core as Python objects. The package cotan/ gives them JAX's names.
#include "common.h"

NB_MODULE(_cotan, m) {
  using namespace cotan::python;
  nanobind::set_leak_warnings(false);  // what lives as long as the process is no leak
  add_errors(m);
  add_boundaries(m);
  add_dtypes(m);
  add_arrays(m);
  add_trees(m);
  add_functions(m);
  add_jaxprs(m);
  add_transforms(m);
  add_jit(m);
  add_explain(m);
  add_control(m);
  add_custom(m);
  add_callbacks(m);
  add_checkify(m);
  add_config(m);
  add_dlpack(m);
}
