// Functions with derivative rules, on lists of arrays. Pytrees are the package's.
#include "control/custom.h"

#include <nanobind/stl/string.h>

#include "array.h"
#include "control/custom_vmap.h"
#include "control/linear_call.h"
#include "handle.h"
#include "numpy_arrays.h"
#include "transforms.h"

namespace cotan::python {

namespace {

// Zeros that a rule takes as such are None.
nb::list list_with_none(const Tangents& ts, bool symbolic) {
  nb::list r;
  for (const Tangent& t : ts) {
    if (t.is_zero() && symbolic) r.append(nb::none());
    else if (t.is_zero()) r.append(nb::steal(float0_array(t.aval().shape)));
    else r.append(wrapped(t.value()));
  }
  return r;
}

Tangents tangents_of(nb::handle list, const std::vector<Aval>& want) {
  Tangents r;
  for (nb::handle o : list) {
    if (o.is_none() || want.at(r.size()).dtype == DType::float0) r.push_back(Tangent::zero(want.at(r.size())));
    else r.push_back(Tangent(to_array(o.ptr(), "a derivative rule")));
  }
  return r;
}

std::vector<Aval> tangent_avals(const Arrays& xs) {
  std::vector<Aval> v;
  for (const Array& x : xs) v.push_back(tangent_aval(x.aval()));
  return v;
}

nb::list bind_jvp(const std::string& name, nb::object f, nb::object rule, nb::handle args, bool symbolic,
                  const std::string& rule_name) {
  CustomJvpRule r;
  r.symbolic_zeros = symbolic;
  r.name = rule_name;
  r.jvp = [rule = Handle(std::move(rule)), symbolic](const Arrays& primals, const Tangents& tangents) {
    const nb::object pair = rule.get()(list_of(primals), list_with_none(tangents, symbolic));
    JvpResult out;
    out.primals = arrays_from(nb::object(pair[0]), "a derivative rule");
    out.tangents = tangents_of(nb::object(pair[1]), tangent_avals(out.primals));
    return out;
  };
  return list_of(bind_custom_jvp(name, flat_function(std::move(f)), std::move(r), arrays_from(args, name.c_str())));
}

nb::list bind_vjp(const std::string& name, nb::object f, nb::object forward, nb::object backward, nb::handle args,
                  bool symbolic, const std::string& forward_name, const std::string& backward_name) {
  CustomVjpRule r;
  r.symbolic_zeros = symbolic;
  r.forward_name = forward_name;
  r.backward_name = backward_name;
  r.forward = [forward = Handle(std::move(forward))](const Arrays& primals, const Bits& perturbed) {
    nb::list flags;
    for (bool b : perturbed) flags.append(nb::bool_(b));
    const nb::object pair = forward.get()(list_of(primals), flags);
    return ForwardResult{arrays_from(nb::object(pair[0]), "a forward rule"),
                         arrays_from(nb::object(pair[1]), "a forward rule")};
  };
  const Arrays in = arrays_from(args, name.c_str());
  // The shapes are those of the trace that the rule runs in, which differ from these under vmap: the rule gives them back.
  r.backward = [backward = Handle(std::move(backward)), symbolic](const Arrays& residuals, const Tangents& cotangents) {
    Tangents out;
    for (nb::handle o : backward.get()(list_of(residuals), list_with_none(cotangents, symbolic))) {
      if (is_array(o.ptr())) out.push_back(Tangent(array_of(o.ptr())));
      else out.push_back(Tangent::zero(tangent_aval(aval_from(o))));  // a zero: the primal's type
    }
    return out;
  };
  return list_of(bind_custom_vjp(name, flat_function(std::move(f)), std::move(r), in));
}

}  // namespace

void add_custom(nb::module_& m) {
  m.def("custom_jvp", &bind_jvp);
  m.def("custom_vjp", &bind_vjp);
  m.def("linear_call", [](nb::object f, nb::object transpose, nb::handle residuals, nb::handle operands) {
    return list_of(bind_linear_call(flat_function(std::move(f)), flat_function(std::move(transpose)),
                                    arrays_from(residuals, "linear_call"), arrays_from(operands, "linear_call")));
  });
  m.def("custom_vmap",
        [](const std::string& name, nb::object f, nb::object rule, const std::string& rule_name, nb::handle args) {
          VmapRule r = [rule = Handle(std::move(rule))](std::int64_t size, const Bits& batched, const Arrays& xs) {
            nb::list flags;
            for (bool b : batched) flags.append(nb::bool_(b));
            const nb::object pair = rule.get()(size, flags, list_of(xs));
            BatchedResults out;
            out.results = arrays_from(nb::object(pair[0]), "a batching rule");
            for (nb::handle b : nb::object(pair[1])) out.batched.push_back(nb::cast<bool>(b));
            return out;
          };
          return list_of(bind_custom_vmap(name, flat_function(std::move(f)), std::move(r), rule_name,
                                          arrays_from(args, name.c_str())));
        });
}

}  // namespace cotan::python
