// Programs as Python sees them: their equations with parameters as Python's values, and equations made from such.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "array.h"
#include "compiler/stablehlo/module.h"
#include "core/jaxpr.h"
#include "core/params_ops.h"
#include "core/primitive.h"
#include "core/print.h"
#include "cotan/jit.h"
#include "dtype.h"
#include "transforms.h"
#include "values.h"

namespace cotan::python {
namespace {

// The fields of parameters as a dict. A struct with a name is the class of cotan.lax, one without a tuple.
class ToDict final : FieldSink {
 public:
  static nb::dict of(const ParamsBase* params) {
    ToDict sink;
    sink.open_.push_back({});
    if (params) params->ops->send(*params, sink);
    nb::dict result;
    for (std::size_t i = 0; i < sink.open_[0].names.size(); ++i)
      result[nb::str(sink.open_[0].names[i])] = sink.open_[0].values[i];
    return result;
  }

 private:
  struct Open {
    const char* struct_name = nullptr;
    std::vector<const char*> names;
    std::vector<nb::object> values;
  };
  void add(nb::object o) { open_.back().values.push_back(std::move(o)); }
  void name(const char* n) override { open_.back().names.push_back(n); }
  void none() override { add(nb::none()); }
  void boolean(bool v) override { add(nb::bool_(v)); }
  void integer(std::int64_t v) override { add(nb::int_(v)); }
  void real(double v) override { add(nb::float_(v)); }
  void dtype(DType v) override { add(dtype_object(v)); }
  void ints(const IntList& v) override { add(tuple_of(Shape(v))); }
  void string(const std::string& v) override { add(nb::str(v.data(), v.size())); }
  void enumerator(std::size_t v, EnumNames names) override { add(nb::str(names[v])); }
  void jaxpr(const ClosedJaxpr& j) override {
    if (j.has_value()) add(nb::cast(j));
    else add(nb::none());
  }
  void callable(const CallableRef& c) override { add(nb::cast(std::const_pointer_cast<Callable>(c))); }
  void begin_list(std::size_t) override { open_.push_back({}); }
  void end_list() override { close(); }
  void begin_struct(const char* n) override { open_.push_back({n, {}, {}}); }
  void end_struct() override { close(); }
  void close() {
    const Open done = std::move(open_.back());
    open_.pop_back();
    if (done.struct_name) {
      nb::dict fields;
      for (std::size_t i = 0; i < done.names.size(); ++i) fields[nb::str(done.names[i])] = done.values[i];
      const nb::object make = imported("cotan.lax", done.struct_name);
      add(checked(PyObject_Call(make.ptr(), nb::tuple().ptr(), fields.ptr())));
      return;
    }
    nb::list items;
    for (const nb::object& o : done.values) items.append(o);
    add(nb::tuple(items));
  }
  std::vector<Open> open_;
};

// Reads the fields of parameters from a dict.
class FromDict final : public ParamsParser {
 public:
  FromDict(std::string primitive, nb::dict params) : primitive_(std::move(primitive)), params_(std::move(params)) {}

  static ParamsRef params_of(const Primitive& p, nb::dict given) {
    FromDict reader(p.name, given);
    ParamsRef result;
    if (p.params) result = ParamsRef(p.params->parse(reader));
    for (auto [key, value] : given)
      if (!value.is_none() && !reader.known_.contains(key))  // what JAX has beside is None by default
        throw TypeError("the primitive " + reader.primitive_ + " has no parameter " + repr_of(key));
    return result;
  }

 private:
  struct Sequence {
    nb::object items;  // a tuple; of a struct with names its object
    std::size_t next = 0;
    bool named = false;
  };
  [[noreturn]] void fail(const char* expected) const {
    throw TypeError("the primitive " + primitive_ + " needs " + expected + " as parameter " + name_ + ", got " +
                    (current_.is_valid() ? repr_of(current_) : "nothing"));
  }
  const nb::object& value(const char* expected) {
    if (!current_.is_valid()) fail(expected);
    return current_;
  }
  void name(const char* n) override {
    name_ = n;
    if (open_.empty()) {
      const nb::str key(n);
      known_.add(key);
      current_ = params_.contains(key) ? nb::object(params_[key]) : nb::object();
    } else if (Sequence& s = open_.back(); s.named) {
      current_ = nb::getattr(s.items, n, nb::object());
    } else {
      next_item();
    }
  }
  bool none() override { return !current_.is_valid() || current_.is_none(); }
  bool boolean() override {
    if (!PyBool_Check(value("a bool").ptr())) fail("a bool");
    return current_.ptr() == Py_True;
  }
  std::int64_t integer(std::int64_t low, std::int64_t high) override {
    if (!PyIndex_Check(value("an integer").ptr())) fail("an integer");
    const Py_ssize_t i = PyNumber_AsSsize_t(current_.ptr(), PyExc_OverflowError);
    if (i == -1 && PyErr_Occurred()) throw nb::python_error();
    if (i < low || i > high) fail("a smaller integer");
    return i;
  }
  double real() override {
    const double d = PyFloat_AsDouble(value("a number").ptr());
    if (d == -1 && PyErr_Occurred()) throw nb::python_error();
    return d;
  }
  DType dtype() override { return to_dtype(value("a dtype"), name_.c_str()); }
  IntList ints() override {
    IntList r;
    for (nb::handle i : checked(PySequence_Tuple(value("a tuple of integers").ptr()))) {
      const Py_ssize_t n = PyNumber_AsSsize_t(i.ptr(), PyExc_OverflowError);
      if (n == -1 && PyErr_Occurred()) throw nb::python_error();
      r.push_back(n);
    }
    return r;
  }
  std::string string() override { return text_of(value("a string").ptr()); }
  std::size_t enumerator(EnumNames names) override {
    nb::object o = value("a name");
    if (!PyUnicode_Check(o.ptr())) o = nb::getattr(o, "name", o);  // an enum of cotan.lax
    const std::string got = str_of(o);
    for (std::size_t i = 0; i < names.size(); ++i)
      if (got == names[i]) return i;
    fail("one of the names that its text shows");
  }
  ClosedJaxpr jaxpr() override {
    if (none()) return {};
    if (!nb::isinstance<ClosedJaxpr>(current_)) fail("a ClosedJaxpr");
    return nb::cast<const ClosedJaxpr&>(current_);
  }
  CallableRef callable() override {
    if (!nb::isinstance<Callable>(value("a function that a program holds"))) fail("a function that a program holds");
    return nb::cast<std::shared_ptr<Callable>>(current_);
  }
  void begin_list() override { open(false); }
  bool next_item() override {
    Sequence& s = open_.back();
    if (std::cmp_greater_equal(s.next, PyTuple_GET_SIZE(s.items.ptr()))) {
      open_.pop_back();
      return false;
    }
    current_ = nb::borrow(PyTuple_GET_ITEM(s.items.ptr(), static_cast<Py_ssize_t>(s.next++)));
    return true;
  }
  void begin_struct(const char* n) override { open(n != nullptr); }
  void end_struct() override { open_.pop_back(); }
  void open(bool named) {
    const nb::object given = value("a tuple");
    open_.push_back({named ? given : checked(PySequence_Tuple(given.ptr())), 0, named});
  }

  std::string primitive_, name_;
  nb::dict params_;
  nb::set known_;
  nb::object current_;
  std::vector<Sequence> open_;
};

const Primitive& primitive_named(const std::string& name) {
  const Primitive* p = find_primitive(name);
  if (!p) throw NotImplementedError("there is no primitive " + name);
  return *p;
}

// An operand as a number: a variable's from 0, a literal's from -1 down.
nb::int_ atom_number(Atom a) {
  return a.is_literal() ? nb::int_(-1 - static_cast<std::int64_t>(a.literal_index()))
                        : nb::int_(static_cast<std::int64_t>(a.var().id));
}
template <class R> nb::list atom_numbers(const R& atoms) {
  nb::list r;
  for (const Atom a : atoms) r.append(atom_number(a));
  return r;
}

// All of a program: (types of its variables, literals, constvars, invars, outvars, equations as (primitive's name, parameters,
// operands, results, effects)). Which variables are used by nobody is for the package to say.
nb::tuple parts(const ClosedJaxpr& closed) {
  const Jaxpr& j = closed.jaxpr();
  nb::list avals, literals, eqns;
  for (const Aval& a : j.vars) avals.append(aval_object(a));
  const CurrentTrace evaluated(nullptr);
  for (const Literal& l : j.literals) {
    const Array value = evaluation_hook().from_bytes({Shape(), l.value.dtype, l.weak_type}, l.value.bytes);
    literals.append(nb::make_tuple(wrapped(value), aval_object(l.aval())));
  }
  for (const JaxprEqn& e : j.eqns)
    eqns.append(nb::make_tuple(e.primitive->name, ToDict::of(e.params.get()), atom_numbers(j.inputs(e)),
                               atom_numbers(j.outputs(e)), e.effects));
  return nb::make_tuple(avals, literals, atom_numbers(j.constvars), atom_numbers(j.invars), atom_numbers(j.outvars),
                        eqns);
}

Atom atom_from(nb::handle number) {
  const auto i = nb::cast<std::int64_t>(number);
  return i < 0 ? Atom::literal(static_cast<std::uint32_t>(-1 - i)) : Atom(Var{static_cast<std::uint32_t>(i)});
}
std::vector<Var> vars_from(nb::handle numbers) {
  std::vector<Var> r;
  for (nb::handle n : numbers) r.push_back(atom_from(n).var());
  return r;
}

// A program of the form that `parts` gives, without the values of its constants; literals as Arrays.
ClosedJaxpr build(nb::handle avals, nb::handle literals, nb::handle constvars, nb::handle invars, nb::handle outvars,
                  nb::handle eqns) {
  auto j = Ref<Jaxpr>(new Jaxpr);
  for (nb::handle a : avals) j->add_var(aval_from(a));
  for (nb::handle l : literals) {
    const Array a = to_array(l.ptr(), "a literal");
    if (!is_concrete(a) || a.ndim() != 0) throw TypeError("a literal of a program is a number");
    j->add_literal({HostScalar::load(a.dtype(), bytes_of(a)), a.weak_type()});
  }
  j->constvars = vars_from(constvars);
  j->invars = vars_from(invars);
  for (nb::handle e : eqns) {
    const Primitive& p = primitive_named(text_of(nb::object(e[0]).ptr()));
    std::vector<Atom> in;
    for (nb::handle n : nb::object(e[2])) in.push_back(atom_from(n));
    const std::vector<Var> out = vars_from(nb::object(e[3]));
    JaxprEqn& made = j->add_eqn(p, FromDict::params_of(p, nb::cast<nb::dict>(e[1])), in, out);
    made.effects = nb::cast<Effects>(e[4]);
    j->effects |= made.effects;
  }
  for (nb::handle n : outvars) j->outvars.push_back(atom_from(n));
  return {j.release(), {}};
}

nb::list bind(const std::string& name, nb::handle args, nb::dict params) {
  const Primitive& p = primitive_named(name);
  const std::vector<Array> in = arrays_from(args, name.c_str());
  ArrayVec out;
  p.bind(FromDict::params_of(p, std::move(params)), in, out);
  nb::list r;
  for (const Array& a : out) r.append(wrapped(a));
  return r;
}

}  // namespace

nb::object equation_object(const Jaxpr& j, const JaxprEqn& e) {
  nb::list in;
  for (Atom a : j.inputs(e)) in.append(aval_object(j.aval(a)));
  return nb::make_tuple(e.primitive->name, ToDict::of(e.params.get()), in);
}

void add_jaxprs(nb::module_& m) {
  nb::class_<Callable>(m, "Callable").def_ro("name", &Callable::name).def("__repr__", [](const Callable& c) {
    return c.name;
  });
  nb::class_<ClosedJaxpr>(m, "ClosedJaxpr", nb::dynamic_attr())
      .def(nb::new_([](nb::handle jaxpr, nb::handle consts) {
             const nb::object closed = jaxpr.attr("_closed");
             return close_jaxpr(share(nb::cast<const ClosedJaxpr&>(closed)),
                                arrays_from(consts, "a program's constants"));
           }),
           nb::arg("jaxpr"), nb::arg("consts"))
      .def("__str__", &ClosedJaxpr::str)
      .def("__repr__", &ClosedJaxpr::str)
      .def("to_text", &ClosedJaxpr::to_text)
      .def_prop_ro("in_avals", [](const ClosedJaxpr& j) { return list_of_avals(j.in_avals()); })
      .def_prop_ro("out_avals", [](const ClosedJaxpr& j) { return list_of_avals(j.out_avals()); })
      .def_prop_ro("consts", [](const ClosedJaxpr& j) { return list_of(j.consts()); });
  m.def("eval_jaxpr",
        [](const ClosedJaxpr& j, nb::handle args) { return list_of(eval_jaxpr(j, arrays_from(args, "eval_jaxpr"))); });
  m.def("parse_jaxpr", &parse_jaxpr);
  m.def("jaxpr_parts", &parts);
  m.def("jaxpr_build", &build);
  m.def("equation_text",
        [](const ClosedJaxpr& j, std::size_t i) { return pretty_equation(j.jaxpr(), j.jaxpr().eqns.at(i)); });
  m.def("stablehlo_text", &stablehlo_module);
  m.def("bind", &bind);
  m.def("primitive_results", [](const std::string& name) { return primitive_named(name).results; });
  m.def("primitive_names", [] {
    nb::list r;
    for (const Primitive* p : all_primitives()) r.append(p->name);
    return r;
  });
}

}  // namespace cotan::python
