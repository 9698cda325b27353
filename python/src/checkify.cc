// checkify, on lists of arrays. Pytrees and the classes of errors are the package's.
#include "control/checkify.h"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "array.h"
#include "base/user_location.h"
#include "handle.h"
#include "transforms.h"

namespace cotan::python {

namespace {

// What an error value consists of beside its arrays.
struct Sites {
  std::shared_ptr<const CheckSites> sites;
};

ErrorValue error_from(const Sites& s, nb::handle arrays) {
  Arrays all = arrays_from(arrays, "checkify");
  ErrorValue e{Array(), {}, s.sites};
  if (all.empty()) return e;
  e.code = all[0];
  e.values.assign(all.begin() + 1, all.end());
  return e;
}

nb::object checkify(nb::object f, unsigned kinds) {
  const CheckedResults r = flat_checkify(flat_function(std::move(f)), kinds);
  Arrays error;
  if (r.error.code.has_value()) error.push_back(r.error.code);
  error.insert(error.end(), r.error.values.begin(), r.error.values.end());
  return nb::make_tuple(list_of(r.results), list_of(error), Sites{r.error.sites});
}

void add_check(nb::handle failed, nb::object text, const std::string& name, bool debug, nb::handle values) {
  auto message = std::make_shared<const CheckMessage>(name, [f = Handle(std::move(text))](std::span<const Array> v) {
    const nb::gil_scoped_acquire gil;
    return text_of(call(f.get(), list_of(Arrays(v.begin(), v.end()))).ptr());
  });
  bind_check(CheckKind::user, array_of(failed.ptr()), std::move(message), debug, arrays_from(values, "check"));
}

}  // namespace

void add_checkify(nb::module_& m) {
  nb::class_<Sites>(m, "CheckSites")
      // (kind, text, "FILE:LINE") of the first error; None: there is none.
      .def("first",
           [](const Sites& s, nb::handle arrays) -> nb::object {
             const ErrorValue e = error_from(s, arrays);
             const CheckSite* site = first_failed(e);
             if (!site) return nb::none();
             return nb::make_tuple(static_cast<int>(site->kind), error_text(e), line_of_position(site->source));
           })
      .def("check", [](const Sites& s, nb::handle arrays) { bind_check_error(error_from(s, arrays)); })
      .def("__eq__", [](const Sites& a, const Sites& b) { return a.sites == b.sites; })
      .def("__hash__", [](const Sites& s) { return reinterpret_cast<std::uintptr_t>(s.sites.get()); });
  m.def("checkify", &checkify);
  m.def("check", &add_check);
}

}  // namespace cotan::python
