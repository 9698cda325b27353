#include "tree.h"

#include <algorithm>
#include <unordered_map>

#include "array.h"
#include "dict_order.h"

namespace cotan::python {
namespace {

// Types by their address. Never freed: a registered type lives for ever, as in JAX.
std::unordered_map<PyTypeObject*, CustomType>& registry() {
  static auto* const r = new std::unordered_map<PyTypeObject*, CustomType>;
  return *r;
}

PyTypeObject* collections_type(const char* name) {
  return reinterpret_cast<PyTypeObject*>(imported("collections", name).release().ptr());
}
PyTypeObject* ordered_dict_type() {
  static PyTypeObject* const t = collections_type("OrderedDict");
  return t;
}
PyTypeObject* default_dict_type() {
  static PyTypeObject* const t = collections_type("defaultdict");
  return t;
}

bool is_named_tuple(PyObject* o) {
  if (!PyTuple_Check(o) || PyTuple_CheckExact(o)) return false;
  static PyObject* const fields = PyUnicode_InternFromString("_fields");
  return PyObject_HasAttr(reinterpret_cast<PyObject*>(Py_TYPE(o)), fields) == 1;
}

NodeKind kind_of(PyObject* o, const CustomType** custom) {
  PyTypeObject* const type = Py_TYPE(o);
  if (is_array(o) || type == &PyFloat_Type || type == &PyLong_Type) return NodeKind::leaf;
  if (o == Py_None) return NodeKind::none;
  if (type == &PyTuple_Type) return NodeKind::tuple;
  if (type == &PyList_Type) return NodeKind::list;
  if (type == &PyDict_Type) return NodeKind::dict;
  if (const auto it = registry().find(type); it != registry().end()) {
    *custom = &it->second;
    return NodeKind::custom;
  }
  if (type == ordered_dict_type()) return NodeKind::ordered_dict;
  if (type == default_dict_type()) return NodeKind::default_dict;
  return is_named_tuple(o) ? NodeKind::named_tuple : NodeKind::leaf;
}

using Children = std::vector<nb::object>;
void append_items(PyObject* sequence, Children& out) {
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(sequence); ++i)
    out.push_back(nb::borrow(PySequence_Fast_GET_ITEM(sequence, i)));
}
void append_values(PyObject* dict, PyObject* keys, Children& out) {
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(keys); ++i) {
    PyObject* value = PyDict_GetItemWithError(dict, PyList_GET_ITEM(keys, i));
    if (!value) {
      if (PyErr_Occurred()) throw nb::python_error();
      throw ValueError("a dict changed while it was flattened");
    }
    out.push_back(nb::borrow(value));
  }
}

// The children of a container, and its data.
Children children_of(PyObject* o, NodeKind kind, const CustomType* custom, nb::object* data,
                     std::size_t* data_hash = nullptr) {
  Children children;
  switch (kind) {
    case NodeKind::leaf:
    case NodeKind::none: break;
    case NodeKind::tuple:
    case NodeKind::list: append_items(o, children); break;
    case NodeKind::named_tuple:
      append_items(o, children);
      *data = nb::borrow(reinterpret_cast<PyObject*>(Py_TYPE(o)));
      break;
    case NodeKind::dict: {
      const std::shared_ptr<const DictOrder> order = append_sorted(o, children);
      *data = order->sorted;
      if (data_hash) *data_hash = order->hash;
      break;
    }
    case NodeKind::ordered_dict:
      *data = checked(PySequence_List(o));
      append_values(o, data->ptr(), children);
      break;
    case NodeKind::default_dict: {
      const nb::object keys = sorted_keys(o);
      append_values(o, keys.ptr(), children);
      *data = nb::make_tuple(nb::handle(o).attr("default_factory"), keys);
      break;
    }
    case NodeKind::custom: {
      const nb::object pair = custom->flatten(nb::handle(o));
      if (!PyTuple_Check(pair.ptr()) || PyTuple_GET_SIZE(pair.ptr()) != 2)
        throw ValueError("the flatten function of " + repr_of(custom->type) +
                         " must return a pair of children and auxiliary data, got " + repr_of(pair));
      *data = nb::object(pair[1]);
      append_items(
          checked(PySequence_Fast(PyTuple_GET_ITEM(pair.ptr(), 0), "the children of a pytree node must be iterable"))
              .ptr(),
          children);
    }
  }
  return children;
}

nb::object make_dict(nb::object dict, nb::handle keys, const nb::object* children) {
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(keys.ptr()); ++i)
    check((PyDict_CheckExact(dict.ptr()) ? PyDict_SetItem : PyObject_SetItem)(
        dict.ptr(), PyList_GET_ITEM(keys.ptr(), i), children[i].ptr()));
  return dict;
}
nb::object make_tuple_of(const nb::object* children, int n) {
  nb::object t = checked(PyTuple_New(n));
  for (int i = 0; i < n; ++i) PyTuple_SET_ITEM(t.ptr(), i, nb::object(children[i]).release().ptr());
  return t;
}
nb::object make_node(const TreeNode& node, const nb::object* children) {
  switch (node.kind) {
    case NodeKind::leaf: break;
    case NodeKind::none: return nb::none();
    case NodeKind::tuple: return make_tuple_of(children, node.arity);
    case NodeKind::list: {
      nb::object list = checked(PyList_New(node.arity));
      for (int i = 0; i < node.arity; ++i) PyList_SET_ITEM(list.ptr(), i, nb::object(children[i]).release().ptr());
      return list;
    }
    case NodeKind::named_tuple:
      return checked(PyObject_CallObject(node.data.ptr(), make_tuple_of(children, node.arity).ptr()));
    case NodeKind::dict: return make_dict(nb::dict(), node.data, children);
    case NodeKind::ordered_dict:
      return make_dict(checked(PyObject_CallNoArgs(reinterpret_cast<PyObject*>(ordered_dict_type()))), node.data,
                       children);
    case NodeKind::default_dict:
      return make_dict(checked(PyObject_CallOneArg(reinterpret_cast<PyObject*>(default_dict_type()),
                                                   PyTuple_GET_ITEM(node.data.ptr(), 0))),
                       PyTuple_GET_ITEM(node.data.ptr(), 1), children);
    case NodeKind::custom: return node.custom->unflatten(node.data, make_tuple_of(children, node.arity));
  }
  return {};
}

bool same_data(const TreeNode& a, const TreeNode& b) {
  if (a.data.ptr() == b.data.ptr()) return true;
  if (!a.data.is_valid() || !b.data.is_valid()) return false;
  const int same = PyObject_RichCompareBool(a.data.ptr(), b.data.ptr(), Py_EQ);
  check(same);
  return same == 1;
}

std::string class_name(nb::handle type) { return str_of(type.attr("__name__")); }

std::string node_text(const TreeNode& n, const std::vector<std::string>& children) {
  std::string inside;
  const auto join = [&](nb::handle keys) {
    for (std::size_t i = 0; i < children.size(); ++i)
      inside += (i ? ", " : "") +
                (keys.is_valid() ? repr_of(PyList_GET_ITEM(keys.ptr(), static_cast<Py_ssize_t>(i))) + ": " : "") +
                children[i];
    return inside;
  };
  switch (n.kind) {
    case NodeKind::leaf: return "*";
    case NodeKind::none: return "None";
    case NodeKind::tuple: return "(" + join({}) + (n.arity == 1 ? ",)" : ")");
    case NodeKind::list: return "[" + join({}) + "]";
    case NodeKind::dict: return "{" + join(n.data) + "}";
    case NodeKind::named_tuple: return "CustomNode(namedtuple[" + class_name(n.data) + "], [" + join({}) + "])";
    case NodeKind::ordered_dict:
      return "CustomNode(OrderedDict[" + repr_of(checked(PyList_AsTuple(n.data.ptr()))) + "], [" + join({}) + "])";
    case NodeKind::default_dict:
      return "CustomNode(defaultdict[" +
             repr_of(nb::make_tuple(n.data[0], checked(PyList_AsTuple(nb::object(n.data[1]).ptr())))) + "], [" +
             join({}) + "])";
    case NodeKind::custom:
      return "CustomNode(" + class_name(n.custom->type) + "[" + str_of(n.data) + "], [" + join({}) + "])";
  }
  return {};
}

const char* kind_name(NodeKind k) {
  static const char* const names[] = {"a leaf",     "None",        "tuple",       "list",       "dict",
                                      "namedtuple", "OrderedDict", "defaultdict", "custom node"};
  return names[static_cast<int>(k)];
}

}  // namespace

void close_node(std::vector<TreeNode>& nodes, NodeKind kind, int arity, nb::object data, const CustomType* custom,
                std::size_t data_hash) {
  TreeNode n{kind, arity, 0, 1, std::move(data), custom, data_hash};
  std::size_t at = nodes.size();
  for (int i = 0; i < arity; ++i) {
    const TreeNode& child = nodes[at - 1];
    n.leaves += child.leaves;
    n.nodes += child.nodes;
    at -= static_cast<std::size_t>(child.nodes);
  }
  nodes.push_back(std::move(n));
}

namespace {
template <class T> void make_room(std::vector<T>& v, std::size_t more) {
  if (v.capacity() - v.size() < more) v.reserve(std::max(v.size() + more, 2 * v.capacity()));
}
}  // namespace

void flatten(nb::handle tree, Leaves& leaves, std::vector<TreeNode>* nodes, nb::handle is_leaf) {
  const CustomType* custom = nullptr;
  NodeKind kind = kind_of(tree.ptr(), &custom);
  if (is_leaf.is_valid() && !is_leaf.is_none()) {
    const int stop = PyObject_IsTrue(nb::object(is_leaf(tree)).ptr());
    check(stop);
    if (stop) kind = NodeKind::leaf;
  }
  if (kind == NodeKind::leaf) {
    leaves.push_back(nb::borrow(tree));
    if (nodes) nodes->push_back({NodeKind::leaf, 0, 1, 1, {}, nullptr});
    return;
  }
  const Nesting nesting(" while flattening a pytree");
  nb::object data;
  std::size_t data_hash = 0;
  const Children children = children_of(tree.ptr(), kind, custom, &data, &data_hash);
  make_room(leaves, children.size());
  if (nodes) make_room(*nodes, children.size() + 1);
  for (const nb::object& c : children) flatten(c, leaves, nodes, is_leaf);
  if (nodes) close_node(*nodes, kind, static_cast<int>(children.size()), std::move(data), custom, data_hash);
}

nb::object TreeDef::unflatten(const nb::object* leaves, std::size_t n) const {
  if (std::cmp_not_equal(n, leaf_count()))
    throw ValueError("the tree structure has " + std::to_string(leaf_count()) + " leaves, got " + std::to_string(n) +
                     ": " + str());
  std::vector<nb::object> stack;
  stack.reserve(nodes.size());
  for (const TreeNode& node : nodes) {
    if (node.kind == NodeKind::leaf) {
      stack.push_back(*leaves++);
      continue;
    }
    const std::size_t first = stack.size() - static_cast<std::size_t>(node.arity);
    nb::object made = make_node(node, stack.data() + first);
    stack.resize(first);
    stack.push_back(std::move(made));
  }
  return stack.back();
}

std::size_t hash_nodes(const std::vector<TreeNode>& nodes) {
  std::size_t h = nodes.size();
  for (const TreeNode& n : nodes) {
    h = h * 1000003 ^ (static_cast<std::size_t>(n.kind) * 31 + static_cast<std::size_t>(n.arity));
    if (n.custom) h = h * 1000003 ^ reinterpret_cast<std::size_t>(n.custom);
    if (n.data.is_valid()) h = h * 1000003 ^ (n.data_hash ? n.data_hash : hash_of(n.data.ptr()));
  }
  return h;
}
bool equal_nodes(const std::vector<TreeNode>& a, const std::vector<TreeNode>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i].kind != b[i].kind || a[i].arity != b[i].arity || a[i].custom != b[i].custom) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!same_data(a[i], b[i])) return false;
  return true;
}
std::size_t TreeDef::hash() const { return hash_nodes(nodes); }
bool TreeDef::equal(const TreeDef& o) const { return equal_nodes(nodes, o.nodes); }

std::string TreeDef::str() const {
  std::vector<std::string> stack;
  for (const TreeNode& n : nodes) {
    const auto first = stack.end() - n.arity;
    std::string s = node_text(n, {first, stack.end()});
    stack.erase(first, stack.end());
    stack.push_back(std::move(s));
  }
  return "PyTreeDef(" + (stack.empty() ? "" : stack.back()) + ")";
}

TreeDef TreeDef::child(int i) const {
  const TreeNode& root = nodes.back();
  if (i < 0 || i >= root.arity)
    throw IndexError("a tree structure of " + std::to_string(root.arity) + " children has no child " +
                     std::to_string(i));
  std::size_t end = nodes.size() - 1;
  for (int k = root.arity - 1; k > i; --k) end -= static_cast<std::size_t>(nodes[end - 1].nodes);
  const auto last = nodes.begin() + static_cast<std::ptrdiff_t>(end);
  return {{last - last[-1].nodes, last}};
}

namespace {

// `end`: behind the subtree's root.
void up_to(const std::vector<TreeNode>& nodes, std::size_t end, nb::handle tree, std::vector<nb::object>& out) {
  const TreeNode& node = nodes[end - 1];
  if (node.kind == NodeKind::leaf) {
    out.push_back(nb::borrow(tree));
    return;
  }
  const Nesting nesting(" while flattening a pytree");
  const CustomType* custom = nullptr;
  const NodeKind kind = kind_of(tree.ptr(), &custom);
  TreeNode got{kind, 0, 0, 1, {}, custom};
  if (kind != node.kind || custom != node.custom)
    throw ValueError("Expected " + std::string(kind_name(node.kind)) + ", got " + repr_of(tree) + ".");
  const Children children = children_of(tree.ptr(), kind, custom, &got.data);
  if (std::cmp_not_equal(children.size(), node.arity))
    throw ValueError(std::string(kind_name(kind)) + " arity mismatch: " + std::to_string(children.size()) +
                     " != " + std::to_string(node.arity) + "; " + kind_name(kind) + ": " + repr_of(tree) + ".");
  if (!same_data(node, got))
    throw ValueError(std::string(kind_name(kind)) + " mismatch: expected " + repr_of(node.data) + ", got " +
                     repr_of(got.data) + ".");
  std::vector<std::size_t> ends(children.size());
  std::size_t at = end - 1;
  for (std::size_t i = children.size(); i-- > 0;) {
    ends[i] = at;
    at -= static_cast<std::size_t>(nodes[at - 1].nodes);
  }
  for (std::size_t i = 0; i < children.size(); ++i) up_to(nodes, ends[i], children[i], out);
}

}  // namespace

void TreeDef::flatten_up_to(nb::handle tree, std::vector<nb::object>& out) const {
  up_to(nodes, nodes.size(), tree, out);
}

void register_type(nb::handle type, nb::handle to, nb::handle from, nb::handle keys) {
  if (!PyType_Check(type.ptr())) throw TypeError("a class is needed, got " + repr_of(type));
  auto* t = reinterpret_cast<PyTypeObject*>(type.ptr());
  const bool builtin = t == &PyTuple_Type || t == &PyList_Type || t == &PyDict_Type || t == Py_TYPE(Py_None) ||
                       t == ordered_dict_type() || t == default_dict_type();
  if (builtin || registry().contains(t))
    throw ValueError("Duplicate custom PyTreeDef type registration for " + repr_of(type) + ".");
  CustomType c{nb::borrow(type), nb::borrow(to), nb::borrow(from), {}};
  if (!keys.is_none()) c.keys = nb::borrow(keys);
  registry()[t] = std::move(c);
}

bool is_registered(nb::handle type) { return registry().contains(reinterpret_cast<PyTypeObject*>(type.ptr())); }

nb::object one_level(nb::handle o) {
  const CustomType* custom = nullptr;
  const NodeKind kind = kind_of(o.ptr(), &custom);
  if (kind == NodeKind::leaf) return nb::none();
  nb::object data, keys = nb::none();
  nb::list children;
  if (custom && custom->keys.is_valid()) {
    const nb::object pair = custom->keys(o);
    nb::list names;
    for (nb::handle entry : nb::object(pair[0])) {
      names.append(entry[0]);
      children.append(entry[1]);
    }
    return nb::make_tuple(static_cast<int>(kind), children, names);
  }
  for (const nb::object& c : children_of(o.ptr(), kind, custom, &data)) children.append(c);
  if (kind == NodeKind::default_dict) data = nb::object(data[1]);
  if (kind == NodeKind::custom) data = nb::none();
  return nb::make_tuple(static_cast<int>(kind), children, data.is_valid() ? data : nb::object(nb::none()));
}

}  // namespace cotan::python
