// Functions with derivative rules, on lists of arrays. Pytrees are the package's.
#include "control/custom.h"

#include <nanobind/stl/string.h>

#include "array.h"
#include "control/custom_vmap.h"
#include "control/implicit.h"
#include "control/linear_call.h"
#include "handle.h"
#include "numpy_arrays.h"
#include "scipy/ode.h"
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

nb::list list_of_flags(const Bits& flags) {
  nb::list r;
  for (bool b : flags) r.append(nb::bool_(b));
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
    const nb::object pair = call(rule.get(), list_of(primals), list_with_none(tangents, symbolic));
    JvpResult out;
    out.primals = arrays_from(nb::object(pair[0]), "a derivative rule");
    out.tangents = tangents_of(nb::object(pair[1]), tangent_avals(out.primals));
    return out;
  };
  return list_of(bind_custom_jvp(name, flat_function(std::move(f)), std::move(r), arrays_from(args, name.c_str())));
}

// The shapes are those of the trace that the rule runs in, which differ under vmap from those of the call: the rule gives them back.
BackwardRule backward_rule(const Handle& backward, const Handle& made, bool symbolic) {
  return [backward, made, symbolic](const Arrays& residuals, const Tangents& cotangents) {
    Tangents out;
    for (nb::handle o : call(backward.get(), made.get(), list_of(residuals), list_with_none(cotangents, symbolic))) {
      if (is_array(o.ptr())) out.push_back(Tangent(array_of(o.ptr())));
      else out.push_back(Tangent::zero(tangent_aval(aval_from(o))));  // a zero: the primal's type
    }
    return out;
  };
}

// The backward rule takes what the forward rule returned as the third beside residuals and cotangents.
nb::list bind_vjp(const std::string& name, nb::object f, nb::object forward, nb::object backward, nb::handle args,
                  bool symbolic, const std::string& forward_name, const std::string& backward_name) {
  CustomVjpRule r;
  r.symbolic_zeros = symbolic;
  r.forward_name = forward_name;
  r.backward_name = backward_name;
  r.forward = [forward = Handle(std::move(forward)), backward = Handle(std::move(backward)), symbolic](
                  const Arrays& primals, const Bits& perturbed) {
    const nb::object made = call(forward.get(), list_of(primals), list_of_flags(perturbed));
    return ForwardResult{arrays_from(nb::object(made[0]), "a forward rule"),
                         arrays_from(nb::object(made[1]), "a forward rule"),
                         backward_rule(backward, Handle(nb::object(made[2])), symbolic)};
  };
  const Arrays in = arrays_from(args, name.c_str());
  return list_of(bind_custom_vjp(name, flat_function(std::move(f)), std::move(r), in));
}

// Of a Python function of (function, list): the function is one of lists.
Solver solver_from(nb::object f) {
  if (f.is_none()) return nullptr;
  return [f = Handle(std::move(f))](const FlatFn& g, const Arrays& x) {
    const nb::object inner =
        nb::cpp_function([g](nb::handle list) { return list_of(g(arrays_from(list, "the function"))); });
    return arrays_from(call(f.get(), inner, list_of(x)), "a solver");
  };
}

void add_solvers(nb::module_& m) {
  m.def("custom_root", [](nb::object f, nb::handle guess, nb::object solve, nb::object tangent_solve) {
    return list_of(flat_custom_root(flat_function(std::move(f)), arrays_from(guess, "custom_root"),
                                    solver_from(std::move(solve)), solver_from(std::move(tangent_solve))));
  });
  m.def(
      "custom_linear_solve",
      [](nb::object matvec, nb::handle b, nb::object solve, nb::object transpose_solve, bool symmetric) {
        return list_of(flat_custom_linear_solve(flat_function(std::move(matvec)), arrays_from(b, "custom_linear_solve"),
                                                solver_from(std::move(solve)), solver_from(std::move(transpose_solve)),
                                                symmetric));
      },
      nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg());
  m.def("odeint",
        [](nb::object f, nb::handle y0, nb::handle times, double rtol, double atol, double mxstep, double hmax) {
          return list_of(flat_odeint(flat_function(std::move(f)), arrays_from(y0, "odeint"),
                                     to_array(times.ptr(), "odeint"), {rtol, atol, mxstep, hmax}));
        });
}

}  // namespace

void add_custom(nb::module_& m) {
  add_solvers(m);
  m.def("custom_jvp", &bind_jvp);
  m.def("custom_vjp", &bind_vjp);
  m.def("linear_call", [](nb::object f, nb::object transpose, nb::handle residuals, nb::handle operands) {
    return list_of(bind_linear_call(flat_function(std::move(f)), flat_function(std::move(transpose)),
                                    arrays_from(residuals, "linear_call"), arrays_from(operands, "linear_call")));
  });
  m.def("custom_vmap",
        [](const std::string& name, nb::object f, nb::object rule, const std::string& rule_name, nb::handle args) {
          VmapRule r = [rule = Handle(std::move(rule))](std::int64_t size, const Bits& batched, const Arrays& xs) {
            const nb::object pair = call(rule.get(), nb::int_(size), list_of_flags(batched), list_of(xs));
            BatchedResults out;
            out.results = arrays_from(nb::object(pair[0]), "a batching rule");
            for (nb::handle b : nb::object(pair[1])) out.batched.push_back(nb::cast<bool>(b));
            return out;
          };
          return list_of(
              bind_custom_vmap(flat_function(std::move(f)), std::move(r), rule_name, arrays_from(args, name.c_str())));
        });
}

}  // namespace cotan::python
