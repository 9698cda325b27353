// Pytrees as the package calls them.
#include <nanobind/stl/string.h>

#include "tree.h"

namespace cotan::python {

namespace {

nb::object map(nb::args args, nb::kwargs options) {
  if (args.size() < 2) throw TypeError("tree_map() needs a function and a tree");
  nb::handle is_leaf;
  for (auto [key, value] : options) {
    if (text_of(key.ptr()) != "is_leaf")
      throw TypeError("tree_map() got an unexpected keyword argument '" + text_of(key.ptr()) + "'");
    is_leaf = value;
  }
  Leaves leaves;
  TreeDef def;
  flatten(args[1], leaves, &def.nodes, is_leaf);
  const std::size_t n = leaves.size(), trees = args.size() - 1;
  std::vector<Leaves> others(trees);
  for (std::size_t t = 1; t < trees; ++t) def.flatten_up_to(args[t + 1], others[t]);
  std::vector<PyObject*> row(trees + 1);
  for (std::size_t i = 0; i < n; ++i) {
    row[1] = leaves[i].ptr();
    for (std::size_t t = 1; t < trees; ++t) row[t + 1] = others[t][i].ptr();
    leaves[i] = checked(call_python([&] {
      return PyObject_Vectorcall(nb::handle(args[0]).ptr(), row.data() + 1, trees | PY_VECTORCALL_ARGUMENTS_OFFSET,
                                 nullptr);
    }));
  }
  return def.unflatten(leaves.data(), n);
}

nb::list to_list(const Leaves& leaves) {
  nb::list r;
  for (const nb::object& o : leaves) r.append(o);
  return r;
}
Leaves from_iterable(nb::handle o) {
  Leaves r;
  const nb::object fast = checked(PySequence_Fast(o.ptr(), "leaves must be iterable"));
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(fast.ptr()); ++i)
    r.push_back(nb::borrow(PySequence_Fast_GET_ITEM(fast.ptr(), i)));
  return r;
}

// This structure with others in place of its leaves.
TreeDef compose(const TreeDef& outer, const std::vector<const TreeDef*>& inner) {
  TreeDef r;
  std::size_t next = 0;
  for (const TreeNode& n : outer.nodes) {
    if (n.kind == NodeKind::leaf) {
      const auto& nodes = inner[next++]->nodes;
      r.nodes.insert(r.nodes.end(), nodes.begin(), nodes.end());
    } else {
      close_node(r.nodes, n.kind, n.arity, n.data, n.custom);
    }
  }
  return r;
}

void add_structure(nb::module_& m) {
  nb::class_<TreeDef>(m, "PyTreeDef")
      .def_prop_ro("num_leaves", &TreeDef::leaf_count)
      .def_prop_ro("num_nodes", [](const TreeDef& d) { return d.nodes.size(); })
      .def("__repr__", &TreeDef::str)
      .def(
          "__eq__",
          [](const TreeDef& a, nb::handle b) {
            return nb::isinstance<TreeDef>(b) && a.equal(nb::cast<const TreeDef&>(b));
          },
          nb::arg("other").none())
      .def("__hash__", &TreeDef::hash)
      .def("unflatten",
           [](const TreeDef& d, nb::handle leaves) {
             const Leaves l = from_iterable(leaves);
             return d.unflatten(l.data(), l.size());
           })
      .def(
          "flatten_up_to",
          [](const TreeDef& d, nb::handle tree) {
            Leaves out;
            d.flatten_up_to(tree, out);
            return to_list(out);
          },
          nb::arg("tree").none())
      .def("children",
           [](const TreeDef& d) {
             nb::list r;
             for (int i = 0; i < d.nodes.back().arity; ++i) r.append(d.child(i));
             return r;
           })
      .def("is_leaf", [](const TreeDef& d) { return d.nodes.size() == 1 && d.nodes[0].kind == NodeKind::leaf; })
      .def(
          "node_data",
          [](const TreeDef& d) -> nb::object {
            const TreeNode& n = d.nodes.back();
            if (n.kind == NodeKind::leaf) return nb::none();
            static PyTypeObject* const types[] = {nullptr, Py_TYPE(Py_None), &PyTuple_Type, &PyList_Type, &PyDict_Type};
            const nb::object data = !n.data.is_valid()         ? nb::object(nb::none())
                                    : n.kind == NodeKind::dict ? checked(PySequence_List(n.data.ptr()))
                                                               : n.data;  // of the shared list a copy
            if (n.kind == NodeKind::custom) return nb::make_tuple(n.custom->type, data);
            if (n.kind == NodeKind::named_tuple) return nb::make_tuple(data, data);
            if (n.kind == NodeKind::ordered_dict) return nb::make_tuple(imported("collections", "OrderedDict"), data);
            if (n.kind == NodeKind::default_dict) return nb::make_tuple(imported("collections", "defaultdict"), data);
            return nb::make_tuple(nb::handle(reinterpret_cast<PyObject*>(types[static_cast<int>(n.kind)])), data);
          })
      .def("compose",
           [](const TreeDef& outer, const TreeDef& inner) {
             return compose(outer, std::vector<const TreeDef*>(static_cast<std::size_t>(outer.leaf_count()), &inner));
           })
      .def("__reduce__", [](const TreeDef& d) {
        // A tree with its own structure: leaves are numbers.
        nb::list numbers;
        for (int i = 0; i < d.leaf_count(); ++i) numbers.append(i);
        const Leaves l = from_iterable(numbers);
        return nb::make_tuple(imported("cotan._values", "tree_of"), nb::make_tuple(d.unflatten(l.data(), l.size())));
      });
}

}  // namespace

void add_trees(nb::module_& m) {
  add_structure(m);
  const auto flat = [](nb::handle tree, nb::handle is_leaf) {
    Leaves leaves;
    TreeDef def;
    flatten(tree, leaves, &def.nodes, is_leaf);
    return nb::make_tuple(to_list(leaves), std::move(def));
  };
  m.def("tree_flatten", flat, nb::arg("tree").none(), nb::arg("is_leaf") = nb::none());
  m.def(
      "tree_leaves",
      [](nb::handle tree, nb::handle is_leaf) {
        Leaves leaves;
        flatten(tree, leaves, nullptr, is_leaf);
        return to_list(leaves);
      },
      nb::arg("tree").none(), nb::arg("is_leaf") = nb::none());
  m.def(
      "tree_structure",
      [](nb::handle tree, nb::handle is_leaf) {
        Leaves leaves;
        TreeDef def;
        flatten(tree, leaves, &def.nodes, is_leaf);
        return def;
      },
      nb::arg("tree").none(), nb::arg("is_leaf") = nb::none());
  m.def(
      "tree_unflatten",
      [](const TreeDef& d, nb::handle leaves) {
        const Leaves l = from_iterable(leaves);
        return d.unflatten(l.data(), l.size());
      },
      nb::arg("treedef"), nb::arg("leaves"));
  m.def("tree_map", &map);
  m.def("tree_one_level", &one_level, nb::arg("tree").none());
  m.def("tree_compose_each", [](const TreeDef& outer, nb::list inner) {
    std::vector<const TreeDef*> defs;
    for (nb::handle d : inner) defs.push_back(&nb::cast<const TreeDef&>(d));
    if (std::cmp_not_equal(defs.size(), outer.leaf_count())) throw ValueError("one structure for each leaf is needed");
    return compose(outer, defs);
  });
  m.def(
      "register_pytree_node",
      [](nb::handle type, nb::handle to, nb::handle from, nb::handle keys) { register_type(type, to, from, keys); },
      nb::arg("nodetype"), nb::arg("flatten_func"), nb::arg("unflatten_func"),
      nb::arg("flatten_with_keys_func") = nb::none());
  m.def("is_registered", [](nb::handle type) { return is_registered(type); });
}

}  // namespace cotan::python
