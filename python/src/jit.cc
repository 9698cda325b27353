// jit of Python functions: the call, from arguments to results, without Python code once a program is there.
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "api/donation.h"
#include "array.h"
#include "base/user_location.h"
#include "cotan/config.h"
#include "cotan/jit.h"
#include "jit_programs.h"
#include "transforms.h"
#include "tree.h"

namespace cotan::python {
namespace {

struct JitObject {
  PyObject_HEAD vectorcallfunc call;
  PyObject* fun;
  PyObject* dict;
  PyObject* weak_references;
  std::shared_ptr<Cache>* cache;
  std::vector<int>* static_argnums;          // sorted; negative ones count from the end
  std::vector<nb::object>* static_argnames;  // interned
  std::vector<int>* donate_argnums;          // as static_argnums
  std::vector<nb::object>* donate_argnames;
  std::string* name;
};
PyTypeObject* jit_type;
JitObject* as_jit(PyObject* o) { return reinterpret_cast<JitObject*>(o); }

bool is_among(const std::vector<int>& numbers, Py_ssize_t i, Py_ssize_t n) {
  for (const int s : numbers)
    if (s == i || s + n == i) return true;
  return false;
}
bool is_among(const std::vector<nb::object>& names, PyObject* name) {
  for (const nb::object& s : names) {
    if (s.ptr() == name) return true;
    const int r = PyUnicode_Compare(s.ptr(), name);
    if (r == -1 && PyErr_Occurred()) throw nb::python_error();
    if (r == 0) return true;
  }
  return false;
}

// One call's arguments: leaves as Arrays, and the key.
struct Call {
  Leaves leaves;
  Arrays arrays;
  CallKey key;
  Py_ssize_t positional = 0;
  std::vector<std::size_t> donated;  // leaves

  void add_donated(std::size_t first) {
    for (std::size_t i = first; i < leaves.size(); ++i) donated.push_back(i);
  }
  void add_static(nb::object place, PyObject* value) {
    const Py_hash_t h = PyObject_Hash(value);
    if (h == -1) {
      PyErr_Clear();
      throw ValueError(
          "Non-hashable static arguments are used in a jitted function: static arguments must be hashable and "
          "comparable, got " +
          repr_of(nb::handle(value)) + " for " + repr_of(place));
    }
    key.hash = key.hash * 1000003 ^ static_cast<std::size_t>(h);
    key.statics.emplace_back(std::move(place), nb::borrow(value));
  }
};

void add_keywords(const JitObject& j, PyObject* const* values, PyObject* names, Call& c, int* trees) {
  const Py_ssize_t n = names ? PyTuple_GET_SIZE(names) : 0;
  nb::list dynamic;
  std::vector<std::pair<std::string, Py_ssize_t>> order;
  for (Py_ssize_t i = 0; i < n; ++i) order.emplace_back(text_of(PyTuple_GET_ITEM(names, i)), i);
  std::sort(order.begin(), order.end());
  int count = 0;
  for (const auto& [text, i] : order) {
    PyObject* name = PyTuple_GET_ITEM(names, i);
    if (is_among(*j.static_argnames, name)) {
      c.add_static(nb::borrow(name), values[i]);
      continue;
    }
    const std::size_t first = c.leaves.size();
    flatten(values[i], c.leaves, &c.key.nodes);
    if (is_among(*j.donate_argnames, name)) c.add_donated(first);
    dynamic.append(nb::handle(name));
    ++count;
  }
  close_node(c.key.nodes, NodeKind::dict, count, dynamic);
  ++*trees;
}

Call read_call(const JitObject& j, PyObject* const* args, Py_ssize_t n, PyObject* names) {
  Call c;
  c.positional = n;
  int dynamic = 0;
  for (Py_ssize_t i = 0; i < n; ++i) {
    if (!j.static_argnums->empty() && is_among(*j.static_argnums, i, n)) {
      c.add_static(nb::int_(static_cast<std::int64_t>(i)), args[i]);
    } else {
      const std::size_t first = c.leaves.size();
      flatten(args[i], c.leaves, &c.key.nodes);
      if (!j.donate_argnums->empty() && is_among(*j.donate_argnums, i, n)) c.add_donated(first);
      ++dynamic;
    }
  }
  int trees = dynamic;
  add_keywords(j, args + n, names, c, &trees);
  close_node(c.key.nodes, NodeKind::tuple, trees);
  c.arrays.reserve(c.leaves.size());
  for (const nb::object& leaf : c.leaves) {
    Array a;
    if (!array_from(leaf.ptr(), &a))
      throw TypeError("Cannot interpret value of type " +
                      repr_of(nb::handle(reinterpret_cast<PyObject*>(Py_TYPE(leaf.ptr())))) +
                      " as an abstract array: the arguments of a jitted function are arrays, numbers and pytrees of "
                      "them\nOther values can be static arguments: see static_argnums and static_argnames.");
    c.key.hash = c.key.hash * 1000003 ^
                 (static_cast<std::size_t>(a.dtype()) * 64 + static_cast<std::size_t>(a.ndim()) * 2 + a.weak_type());
    for (const std::int64_t d : a.shape()) c.key.hash = c.key.hash * 31 + static_cast<std::size_t>(d);
    c.arrays.push_back(std::move(a));
  }
  c.key.context = context_key();
  c.key.hash ^= hash_nodes(c.key.nodes) + static_cast<std::size_t>(n);
  return c;
}

// fun with its dynamic arguments as Arrays; what it returned is kept as a tree.
struct Traced {
  const JitObject& j;
  const Call& c;
  TreeDef result;

  Arrays operator()(const Arrays& in) {
    Leaves leaves;
    for (const Array& a : in) leaves.push_back(wrapped(a));
    const TreeDef def{c.key.nodes};
    const nb::object all = def.unflatten(leaves.data(), leaves.size());
    const Py_ssize_t dynamic = PyTuple_GET_SIZE(all.ptr()) - 1;
    nb::object keywords = nb::borrow(PyTuple_GET_ITEM(all.ptr(), dynamic));
    nb::object args = checked(PyTuple_New(c.positional));
    std::size_t s = 0;
    Py_ssize_t next = 0;
    for (Py_ssize_t i = 0; i < c.positional; ++i) {
      const bool fixed = s < c.key.statics.size() && PyLong_Check(c.key.statics[s].first.ptr()) &&
                         PyLong_AsSsize_t(c.key.statics[s].first.ptr()) == i;
      PyTuple_SET_ITEM(args.ptr(), i,
                       Py_NewRef(fixed ? c.key.statics[s++].second.ptr() : PyTuple_GET_ITEM(all.ptr(), next++)));
    }
    for (; s < c.key.statics.size(); ++s)
      check(PyDict_SetItem(keywords.ptr(), c.key.statics[s].first.ptr(), c.key.statics[s].second.ptr()));
    const TracingScope scope(j.fun, "jit");
    const nb::object out = checked(call_python([&] { return PyObject_Call(j.fun, args.ptr(), keywords.ptr()); }));
    Leaves results;
    result.nodes.clear();
    flatten(out, results, &result.nodes);
    Arrays arrays;
    for (const nb::object& o : results) {
      Array a;
      if (!array_from(o.ptr(), &a))
        throw TypeError("the function " + *j.name +
                        " traced for jit must return arrays, numbers and pytrees of them, got a value of type " +
                        Py_TYPE(o.ptr())->tp_name);
      arrays.push_back(std::move(a));
    }
    return arrays;
  }
};

// When a program is made.
void warn_of_donations(const std::vector<std::size_t>& unusable, const Program& p) {
  std::string others;
  for (const std::size_t i : unusable) others += (others.empty() ? "" : ", ") + type_text(p.key.avals[i]);
  if (others.empty()) return;
  const std::string text = "Some donated buffers were not usable: " + others +
                           ".\nA donated array serves a result of its shape and dtype, and each result one array.";
  check(PyErr_WarnEx(PyExc_UserWarning, text.c_str(), 1));
}

// Gives up the donated arrays. ValueError where one of them is given twice.
void delete_donated(const Call& c, const Program& p) {
  const auto is_array = [&](std::size_t i) { return Py_TYPE(c.leaves[i].ptr()) == concrete_type; };
  for (const std::size_t i : p.usable)
    for (std::size_t k = 0; k < c.leaves.size() && is_array(i); ++k)
      if (k != i && c.leaves[k].ptr() == c.leaves[i].ptr())
        throw ValueError("Attempt to donate a buffer which is also used by the same call: flattened arguments " +
                         std::to_string(std::min(i, k)) + " and " + std::to_string(std::max(i, k)) +
                         " are one array. Toy example for this bug: `f(a, donate(a))`.");
  for (const std::size_t i : p.usable)
    if (is_array(i)) delete_array(c.leaves[i].ptr());
}

ProgramRef program_of(const JitObject& j, Call& c) {
  const std::shared_ptr<Cache> cache = *j.cache;
  if (ProgramRef p = cache->find(c.key, c.arrays)) return p;
  for (const Array& a : c.arrays) c.key.avals.push_back(a.aval());
  Traced traced{j, c, {}};
  ClosedJaxpr jaxpr = flat_make_jaxpr([&](const Arrays& in) { return traced(in); }, c.key.avals);
  bool reusable = true;  // a captured tracer is of this call only
  for (const Array& a : jaxpr.consts()) reusable &= is_concrete(a);
  const bool long_running = runs_long(jaxpr.jaxpr());
  static Py_ssize_t serial = 0;
  api::SortedDonations donations = api::sort_donations(jaxpr, c.donated);
  auto p = std::make_shared<const Program>(Program{std::move(c.key), *j.name, std::move(jaxpr),
                                                   std::move(traced.result), long_running, find_user_line(), ++serial,
                                                   c.donated, std::move(donations.usable)});
  warn_of_donations(donations.unusable, *p);
  if (reusable) cache->insert(p);
  return p;
}

PyObject* run(PyObject* self, PyObject* const* args, std::size_t nargsf, PyObject* names) {
  return guarded([&]() -> PyObject* {
    const JitObject& j = *as_jit(self);
    const nb::object alive = nb::borrow(self);
    if (config::get(config::Flag::disable_jit))
      return call_python(
          [&] { return PyObject_Vectorcall(j.fun, args, nargsf & ~PY_VECTORCALL_ARGUMENTS_OFFSET, names); });
    Call c = read_call(j, args, PyVectorcall_NARGS(nargsf), names);
    const ProgramRef p = program_of(j, c);
    const bool traced = current_trace();
    if (!traced && !p->usable.empty()) delete_donated(c, *p);
    Arrays results;
    {
      const WithoutGil free(!traced && p->runs_long);
      results = api::run_jit(p->name, p->jaxpr, std::move(c.arrays), p->usable, 1);
    }
    Leaves leaves;
    leaves.reserve(results.size());
    for (const Array& a : results) leaves.push_back(wrapped(a));
    return p->result.unflatten(leaves.data(), leaves.size()).release().ptr();
  });
}

PyObject* call(PyObject* self, PyObject* const* args, std::size_t nargsf, PyObject* names) {
  PyObject* result = run(self, args, nargsf, names);
  if (!result) hide_frames();
  return result;
}

void dealloc(PyObject* o) {
  JitObject* j = as_jit(o);
  PyObject_GC_UnTrack(o);
  if (j->weak_references) PyObject_ClearWeakRefs(o);
  Py_CLEAR(j->fun);
  Py_CLEAR(j->dict);
  delete j->cache;
  delete j->static_argnums;
  delete j->static_argnames;
  delete j->donate_argnums;
  delete j->donate_argnames;
  delete j->name;
  PyTypeObject* type = Py_TYPE(o);
  type->tp_free(o);
  Py_DECREF(type);
}
int traverse(PyObject* o, visitproc visit, void* arg) {
  Py_VISIT(as_jit(o)->fun);
  Py_VISIT(as_jit(o)->dict);
  Py_VISIT(Py_TYPE(o));
  return 0;
}
int clear(PyObject* o) {
  Py_CLEAR(as_jit(o)->fun);
  Py_CLEAR(as_jit(o)->dict);
  return 0;
}
PyGetSetDef properties[] = {{"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
                            {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(JitObject, call), READONLY, nullptr},
    {"__dictoffset__", T_PYSSIZET, offsetof(JitObject, dict), READONLY, nullptr},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(JitObject, weak_references), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr},
};

JitObject* checked_jit(nb::handle o) {
  if (Py_TYPE(o.ptr()) != jit_type) throw TypeError("a jitted function is needed");
  return as_jit(o.ptr());
}

class SharedCache {  // held by the package: weakly by function
 public:
  std::shared_ptr<Cache> cache = std::make_shared<Cache>();
};

std::unique_ptr<std::vector<int>> numbers_from(nb::handle list) {
  auto numbers = std::make_unique<std::vector<int>>();
  for (nb::handle i : list) numbers->push_back(nb::cast<int>(i));
  return numbers;
}
std::unique_ptr<std::vector<nb::object>> names_from(nb::handle list) {
  auto names = std::make_unique<std::vector<nb::object>>();
  for (nb::handle s : list) {
    PyObject* interned = Py_NewRef(s.ptr());
    PyUnicode_InternInPlace(&interned);
    names->push_back(nb::steal(interned));
  }
  return names;
}

nb::object make_jit(nb::handle fun, const SharedCache& shared, nb::handle static_argnums, nb::handle static_argnames,
                    nb::handle donate_argnums, nb::handle donate_argnames, const char* name) {
  auto numbers = numbers_from(static_argnums), donated_numbers = numbers_from(donate_argnums);
  auto names = names_from(static_argnames), donated_names = names_from(donate_argnames);
  auto* o = PyObject_GC_New(JitObject, jit_type);
  if (!o) throw nb::python_error();
  o->call = call;
  o->fun = Py_NewRef(fun.ptr());
  o->dict = nullptr;
  o->weak_references = nullptr;
  o->cache = new std::shared_ptr<Cache>(shared.cache);
  o->static_argnums = numbers.release();
  o->static_argnames = names.release();
  o->donate_argnums = donated_numbers.release();
  o->donate_argnames = donated_names.release();
  o->name = new std::string(name);
  PyObject_GC_Track(o);
  return nb::steal(reinterpret_cast<PyObject*>(o));
}

// The program of a call: (jaxpr, structure of the results, structure of (args, kwargs), donated leaves).
nb::object trace(nb::handle jitted, nb::tuple args, nb::dict keywords) {
  const JitObject& j = *checked_jit(jitted);
  std::vector<PyObject*> flat;
  for (nb::handle a : args) flat.push_back(a.ptr());
  nb::list names;
  for (auto [key, value] : keywords) {
    names.append(key);
    flat.push_back(value.ptr());
  }
  Call c = read_call(j, flat.data(), static_cast<Py_ssize_t>(args.size()), nb::tuple(names).ptr());
  const ProgramRef p = program_of(j, c);
  return nb::make_tuple(p->jaxpr, p->result, TreeDef{p->key.nodes}, p->donated);
}

}  // namespace

const Cache& cache_of(nb::handle jitted) { return **checked_jit(jitted)->cache; }

void add_jit(nb::module_& m) {
  PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(dealloc)},
                         {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                         {Py_tp_clear, reinterpret_cast<void*>(clear)},
                         {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
                         {Py_tp_descr_get, reinterpret_cast<void*>(bind_to_instance)},
                         {Py_tp_getset, properties},
                         {Py_tp_members, members},
                         {0, nullptr}};
  PyType_Spec spec{"cotan.PjitFunction", sizeof(JitObject), 0,
                   Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR |
                       Py_TPFLAGS_DISALLOW_INSTANTIATION,
                   slots};
  jit_type = reinterpret_cast<PyTypeObject*>(checked(PyType_FromSpec(&spec)).release().ptr());
  m.attr("PjitFunction") = nb::handle(reinterpret_cast<PyObject*>(jit_type));
  nb::class_<SharedCache>(m, "JitCache").def(nb::init<>());
  m.def("make_jit", &make_jit);
  m.def("jit_trace", &trace);
  m.def("jit_cache_size", [](nb::handle o) { return (*checked_jit(o)->cache)->size(); });
  m.def("jit_clear_cache", [](nb::handle o) { (*checked_jit(o)->cache)->clear(); });
  m.def("clear_caches", [] {
    ++cache_epoch;
    clear_caches();
  });
}

}  // namespace cotan::python
