// Callbacks and checkpoints, on lists of arrays. Pytrees are the package's.
#include <nanobind/stl/string.h>

#include "array.h"
#include "base/user_location.h"
#include "control/callback.h"
#include "control/checkpoint.h"
#include "core/jaxpr.h"
#include "handle.h"
#include "transforms.h"

namespace cotan::python {

namespace {

std::vector<Aval> avals_of_list(nb::handle list) {
  std::vector<Aval> r;
  for (nb::handle o : list) r.push_back(aval_from(o));
  return r;
}

// Programs may run without the GIL.
HostFn host_function(nb::object f) {
  return [f = Handle(std::move(f))](const Arrays& in) {
    const nb::gil_scoped_acquire gil;
    return arrays_from(call(f.get(), list_of(in)), "a callback");
  };
}

VmapMethod method_named(const std::string& name) {
  if (name == "sequential" || name == "sequential_unrolled") return VmapMethod::sequential;
  if (name == "expand_dims") return VmapMethod::expand_dims;
  if (name == "broadcast_all") return VmapMethod::broadcast_all;
  if (name == "legacy_vectorized") return VmapMethod::legacy_vectorized;
  return VmapMethod::unsupported;
}

// A policy asks of each equation: its primitive's name, its parameters where it is a name or a product.
CheckpointPolicyRef policy_from(nb::object policy, const std::string& name) {
  if (policy.is_none()) return nullptr;
  return std::make_shared<SavePolicy>(name, [policy = Handle(std::move(policy))](const Jaxpr& j, const JaxprEqn& e) {
    return nb::cast<bool>(call(policy.get(), equation_object(j, e)));
  });
}

}  // namespace

void add_callbacks(nb::module_& m) {
  m.def("pure_callback",
        [](nb::object f, nb::handle results, const std::string& method, const std::string& name, nb::handle args) {
          return list_of(bind_pure_callback(host_function(std::move(f)), avals_of_list(results),
                                            {name, method_named(method)}, arrays_from(args, "pure_callback")));
        });
  m.def("io_callback", [](nb::object f, nb::handle results, bool ordered, const std::string& name, nb::handle args) {
    return list_of(bind_io_callback(host_function(std::move(f)), avals_of_list(results), ordered, name,
                                    arrays_from(args, "io_callback")));
  });
  m.def("debug_callback", [](nb::object f, bool ordered, const std::string& name, nb::handle args) {
    const Handle kept(std::move(f));
    bind_debug_callback(
        [kept](const Arrays& in) {
          const nb::gil_scoped_acquire gil;
          call(kept.get(), list_of(in));
        },
        ordered, name, arrays_from(args, "debug.callback"));
  });
  m.def(
      "checkpoint",
      [](nb::object f, nb::object policy, const std::string& policy_name, bool prevent_cse, nb::handle args) {
        return list_of(bind_checkpoint(flat_function(std::move(f)), policy_from(std::move(policy), policy_name),
                                       prevent_cse, arrays_from(args, "checkpoint")));
      },
      nb::arg(), nb::arg().none(), nb::arg(), nb::arg(), nb::arg());
  m.def("checkpoint_name", [](nb::handle x, const std::string& name) {
    return wrapped(bind_checkpoint_name(to_array(x.ptr(), "checkpoint_name"), name));
  });
  // (type, argument or None, name, primitive, line) of what is kept.
  m.def("saved_residuals", [](nb::object f, nb::handle avals) {
    nb::list r;
    for (const SavedResidual& s : saved_residuals(flat_function(std::move(f)), avals_of_list(avals)))
      r.append(nb::make_tuple(aval_object(s.aval),
                              s.argument < 0 ? nb::object(nb::none()) : nb::object(nb::int_(s.argument)), s.name,
                              s.made_by, line_of_position(s.source)));
    return r;
  });
}

}  // namespace cotan::python
