// Settings.
#include "cotan/config.h"

#include <nanobind/stl/unique_ptr.h>

#include <memory>

#include "common.h"

namespace cotan::python {
namespace {

config::Flag flag_named(const std::string& name) {
  for (int i = 0; i < static_cast<int>(config::Flag::count_); ++i)
    if (name == config::name(static_cast<config::Flag>(i))) return static_cast<config::Flag>(i);
  throw ValueError("there is no setting " + name);
}

}  // namespace

void add_config(nb::module_& m) {
  m.def("config_get", [](nb::handle name) { return config::get(flag_named(text_of(name.ptr()))); });
  m.def("config_set", [](nb::handle name, bool on) { config::set(flag_named(text_of(name.ptr())), on); });
  m.def("config_names", [] {
    nb::list r;
    for (int i = 0; i < static_cast<int>(config::Flag::count_); ++i)
      r.append(config::name(static_cast<config::Flag>(i)));
    return r;
  });
  // A setting of this thread, until it is popped: the last pushed first.
  nb::class_<config::Scoped>(m, "ScopedSetting");
  m.def("config_push",
        [](nb::handle name, bool on) { return std::make_unique<config::Scoped>(flag_named(text_of(name.ptr())), on); });
  m.def("num_threads", [] { return num_threads(); });
  m.def("set_num_threads", [](int n) { set_num_threads(n); });
  nb::class_<ScopedNumThreads>(m, "ScopedNumThreads");
  m.def("num_threads_push", [](int n) { return std::make_unique<ScopedNumThreads>(n); });
}

}  // namespace cotan::python
