// Structured control flow on lists of arrays. Pytrees are the package's.
#include "control/control_flow.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "array.h"
#include "control/bounded.h"
#include "control/map.h"
#include "transforms.h"

namespace cotan::python {

namespace {

// What a Python function says of leaf i.
std::function<std::string(std::size_t)> text_of_leaf(nb::object f) {
  return [f = std::move(f)](std::size_t i) { return text_of(f(i).ptr()); };
}

ControlNames branch_names(nb::object name, nb::object check) {
  ControlNames n;
  n.result = text_of_leaf(std::move(name));
  n.check_branches = [check = std::move(check)] { check(); };
  return n;
}
ControlNames loop_names(nb::object name) {
  ControlNames n;
  n.carry = text_of_leaf(std::move(name));
  return n;
}

}  // namespace

void add_control(nb::module_& m) {
  m.def("cond", [](nb::handle predicate, nb::object on_true, nb::object on_false, nb::handle operands, nb::object name,
                   nb::object checks) {
    return list_of(flat_cond(to_array(predicate.ptr(), "cond"), flat_function(on_true), flat_function(on_false),
                             arrays_from(operands, "cond"), branch_names(name, checks)));
  });
  m.def("switch", [](nb::handle index, nb::handle branches, nb::handle operands, nb::object name, nb::object checks) {
    std::vector<FlatFn> fns;
    for (nb::handle f : branches) fns.push_back(flat_function(nb::borrow(f)));
    return list_of(
        flat_switch(to_array(index.ptr(), "switch"), fns, arrays_from(operands, "switch"), branch_names(name, checks)));
  });
  m.def(
      "while_loop",
      [](nb::object condition, nb::object body, nb::handle init, nb::object name, std::optional<std::int64_t> max_steps,
         bool checkpoint) {
        const FlatFn goes_on = flat_function(condition), step = flat_function(body);
        const Arrays start = arrays_from(init, "while_loop");
        if (!max_steps) return list_of(flat_while(goes_on, step, start, loop_names(name)));
        return list_of(flat_bounded_while(goes_on, step, start, *max_steps, checkpoint, loop_names(name)));
      },
      nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg());
  m.def("fori_loop",
        [](nb::handle lower, nb::handle upper, nb::object body, nb::handle init, std::int64_t unroll, nb::object name) {
          return list_of(flat_fori(to_array(lower.ptr(), "fori_loop"), to_array(upper.ptr(), "fori_loop"),
                                   flat_function(body), arrays_from(init, "fori_loop"), unroll, loop_names(name)));
        });
  m.def(
      "scan",
      [](nb::object body, nb::handle init, nb::handle xs, std::optional<std::int64_t> length, bool reverse,
         std::int64_t unroll, nb::object name, bool checkpoint) {
        const auto scan = checkpoint ? flat_checkpointed_scan : flat_scan;
        return list_of(scan(flat_function(body), arrays_from(init, "scan"), arrays_from(xs, "scan"),
                            {length, reverse, unroll}, loop_names(name)));
      },
      nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg(), nb::arg(), nb::arg(), nb::arg());
  m.def("map", [](nb::object f, nb::handle xs, std::int64_t batch_size) {
    return list_of(flat_map(flat_function(f), arrays_from(xs, "map"), batch_size));
  });
}

}  // namespace cotan::python
