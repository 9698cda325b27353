// The flat transformations. Pytrees, argnums and the like are the package's.
#include "transforms.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "array.h"
#include "base/promotion.h"
#include "core/jaxpr.h"
#include "cotan/jit.h"
#include "dtype.h"
#include "handle.h"
#include "numpy_arrays.h"
#include "ops/common.h"
#include "ops/elementwise.h"

namespace cotan::python {

FlatFn flat_function(nb::object f) {
  return
      [f = Handle(std::move(f))](const Arrays& in) { return arrays_from(call(f.get(), list_of(in)), "the function"); };
}

nb::object aval_object(const Aval& a) {
  return imported("cotan.core", "ShapedArray")(tuple_of(a.shape), dtype_object(a.dtype), a.weak_type);
}

Aval aval_from(nb::handle o) {
  if (is_array(o.ptr())) return aval_in(o.ptr());
  const nb::object shape = nb::getattr(o, "shape", nb::none()), dtype = nb::getattr(o, "dtype", nb::none());
  if (shape.is_none() || dtype.is_none()) return to_array(o.ptr(), "the function").aval();
  const nb::object weak = nb::getattr(o, "weak_type", nb::bool_(false));
  const int weakly = PyObject_IsTrue(weak.ptr());
  check(weakly);
  return {shape_from(shape), canonical_dtype(to_dtype(dtype, "an abstract value")), weakly == 1};
}

nb::list list_of_avals(const std::vector<Aval>& avals) {
  nb::list r;
  for (const Aval& a : avals) r.append(aval_object(a));
  return r;
}

namespace {

// Tangents of these avals; None is a zero, and so is a NumPy array of float0.
Tangents tangents_from(nb::handle list, const std::vector<Aval>& avals) {
  Tangents r;
  for (nb::handle o : list) {
    if (r.size() == avals.size()) throw ValueError("more tangents than values");
    const Aval& want = avals[r.size()];
    if (o.is_none() || want.dtype == DType::float0) r.push_back(Tangent::zero(want));
    else r.push_back(Tangent(to_array(o.ptr(), "the derivative")));
  }
  if (r.size() != avals.size()) throw ValueError("fewer tangents than values");
  return r;
}
nb::list list_of_tangents(const Tangents& tangents) {
  nb::list r;
  for (const Tangent& t : tangents) {
    if (t.aval().dtype == DType::float0) r.append(nb::steal(float0_array(t.aval().shape)));
    else r.append(wrapped(t.is_zero() ? ops::zeros_of(t.aval()) : t.value()));
  }
  return r;
}

std::vector<Aval> avals_from(nb::handle list) {
  std::vector<Aval> r;
  for (nb::handle o : list) r.push_back(aval_from(o));
  return r;
}

nb::object jvp(nb::object f, nb::handle primals, nb::handle tangents) {
  const Arrays at = arrays_from(primals, "jvp");
  std::vector<Aval> avals;
  for (const Array& a : at) avals.push_back(tangent_aval(a.aval()));
  const JvpResult r = flat_jvp(flat_function(std::move(f)), at, tangents_from(tangents, avals));
  return nb::make_tuple(list_of(r.primals), list_of_tangents(r.tangents));
}

nb::object linearize(nb::object f, nb::handle primals) {
  LinearizeResult r = flat_linearize(flat_function(std::move(f)), arrays_from(primals, "linearize"));
  return nb::make_tuple(list_of(r.primals), std::move(r.linear));
}

// (value, axis) for each result; axis None: it does not vary.
nb::list vmap(nb::object f, nb::handle args, nb::handle axes, std::int64_t size, const std::string& name) {
  std::vector<int> in_axes;
  for (nb::handle a : axes) in_axes.push_back(a.is_none() ? no_axis : nb::cast<int>(a));
  nb::list r;
  for (const BatchedOutput& o : flat_vmap(flat_function(std::move(f)), arrays_from(args, "vmap"), in_axes, size, name))
    r.append(
        nb::make_tuple(wrapped(o.value), o.axis == no_axis ? nb::object(nb::none()) : nb::object(nb::int_(o.axis))));
  return r;
}

// Named axes in scope inside `with`.
struct AxisScopes {
  AxisScopes() = default;
  AxisScopes(const AxisScopes&) = delete;
  std::vector<std::pair<std::string, std::int64_t>> pending;
  std::vector<std::unique_ptr<AxisScope>> open;
  void enter() {
    for (const auto& [name, size] : pending) open.push_back(std::make_unique<AxisScope>(name, size));
  }
  void exit() {
    while (!open.empty()) open.pop_back();
  }
};

// Evaluation whatever the current trace, inside `with`.
struct EvaluationScope {
  EvaluationScope() = default;
  EvaluationScope(const EvaluationScope&) = delete;
  std::vector<std::unique_ptr<CurrentTrace>> open;
};

void add_scopes(nb::module_& m) {
  nb::class_<EvaluationScope>(m, "EvaluationScope")
      .def("__enter__", [](EvaluationScope& s) { s.open.push_back(std::make_unique<CurrentTrace>(nullptr)); })
      .def("__exit__", [](EvaluationScope& s, nb::args) { s.open.pop_back(); });
  m.def("evaluation_scope", [] { return std::make_unique<EvaluationScope>(); });
  nb::class_<AxisScopes>(m, "AxisScopes")
      .def("__enter__", &AxisScopes::enter)
      .def("__exit__", [](AxisScopes& s, nb::args) { s.exit(); });
}

}  // namespace

void add_transforms(nb::module_& m) {
  nb::class_<Linear>(m, "Linear")
      .def("apply",
           [](const Linear& l, nb::handle tangents) {
             return list_of_tangents(l.apply(tangents_from(tangents, l.in_avals())));
           })
      .def("transpose",
           [](const Linear& l, nb::handle cotangents) {
             return list_of_tangents(l.transpose(tangents_from(cotangents, l.out_avals())));
           })
      .def_prop_ro("residuals", [](const Linear& l) { return list_of(l.jaxpr().consts()); })
      .def("without_residuals",  // to be given others: it holds none of its own
           [](const Linear& l) { return l.with_residuals(Arrays(l.jaxpr().consts().size())); })
      .def("with_residuals",
           [](const Linear& l, nb::handle residuals) { return l.with_residuals(arrays_from(residuals, "vjp")); })
      .def_prop_ro("in_avals", [](const Linear& l) { return list_of_avals(l.in_avals()); })
      .def_prop_ro("out_avals", [](const Linear& l) { return list_of_avals(l.out_avals()); })
      .def_prop_ro("jaxpr", [](const Linear& l) { return l.jaxpr(); });
  add_scopes(m);
  m.def("make_jaxpr", [](nb::object f, nb::handle avals, nb::handle original) {
    const TracingScope scope(original, "make_jaxpr");
    return flat_make_jaxpr(flat_function(std::move(f)), avals_from(avals));
  });
  m.def("jvp", &jvp);
  m.def("linearize", &linearize);
  m.def("linear_jaxpr", [](nb::object f, nb::handle avals) {
    return flat_linear_jaxpr(flat_function(std::move(f)), avals_from(avals));
  });
  m.def("vmap", &vmap);
  m.def(
      "with_batch_axis",
      [](nb::handle value, nb::handle axis, int to, std::int64_t size) {
        return wrapped(
            with_batch_axis({array_of(value.ptr()), axis.is_none() ? no_axis : nb::cast<int>(axis)}, to, size));
      },
      nb::arg("value"), nb::arg("axis").none(), nb::arg("to"), nb::arg("size"));
  m.def("convert", [](nb::handle x, nb::handle dtype, bool weak_type) {
    return wrapped(ops::convert_element_type(array_of(x.ptr()), to_dtype(dtype, "convert"), weak_type));
  });
  m.def("axis_size", [](nb::handle name) { return find_axis(text_of(name.ptr())).size; });
  m.def("one_like", [](nb::handle o) { return wrapped(ops::full(array_of(o.ptr()).aval(), 1)); });
  m.def("axis_scopes", [](nb::handle axes) {
    auto scopes = std::make_unique<AxisScopes>();
    for (nb::handle a : axes)
      scopes->pending.emplace_back(text_of(nb::object(a[0]).ptr()), nb::cast<std::int64_t>(nb::object(a[1])));
    return scopes;
  });
  m.def("aval_of", [](nb::handle o) { return aval_object(aval_from(o)); });
  m.def("tangent_aval_of", [](nb::handle o) { return aval_object(tangent_aval(aval_from(o))); });
  // A program with other values for its constants.
  m.def("eval_with_consts", [](const ClosedJaxpr& j, nb::handle consts, nb::handle args) {
    return list_of(
        eval_jaxpr(close_jaxpr(share(j), arrays_from(consts, "eval_jaxpr")), arrays_from(args, "eval_jaxpr")));
  });
  m.def("to_array", [](nb::handle o, const char* function) { return wrapped(to_array(o.ptr(), function)); });
  m.def(
      "is_valid",
      [](nb::handle o) {
        Array a;
        return array_from(o.ptr(), &a);
      },
      nb::arg("value").none());
  m.def(
      "is_concrete", [](nb::handle o) { return Py_TYPE(o.ptr()) == concrete_type; }, nb::arg("value").none());
}

}  // namespace cotan::python
