// Pytrees of Python objects: containers that are registered, and leaves, which is all else.
#pragma once
#include <memory>

#include "common.h"

namespace cotan::python {

enum class NodeKind : std::uint8_t { leaf, none, tuple, list, dict, named_tuple, ordered_dict, default_dict, custom };

struct CustomType {  // registered by a user; lives as long as the process
  nb::object type;
  nb::object flatten;    // object -> (children, auxiliary data)
  nb::object unflatten;  // (auxiliary data, children) -> object
  nb::object keys;       // object -> ((key, child), ...), auxiliary data; null: none
};

struct TreeNode {
  NodeKind kind;
  int arity = 0, leaves = 1, nodes = 1;  // of the subtree, itself included
  nb::object data;                       // keys of a dict, type of a named tuple, (factory, keys), auxiliary data
  const CustomType* custom = nullptr;
  std::size_t data_hash = 0;  // of `data`, where it is known; 0: it is not
};

// The containers of a tree: every node after its children.
class TreeDef {
 public:
  std::vector<TreeNode> nodes;
  int leaf_count() const { return nodes.empty() ? 0 : nodes.back().leaves; }
  nb::object unflatten(const nb::object* leaves, std::size_t n) const;
  std::size_t hash() const;  // TypeError when auxiliary data is not hashable
  bool equal(const TreeDef&) const;
  std::string str() const;
  TreeDef child(int i) const;
  // The parts of a tree at this tree's leaves; ValueError when this is no prefix of it.
  void flatten_up_to(nb::handle tree, std::vector<nb::object>& out) const;
};

using Leaves = std::vector<nb::object>;
// Appends the leaves, and the nodes where they are wanted. Where is_leaf(x) is true, x is a leaf. RecursionError for a
// container that contains itself.
void flatten(nb::handle tree, Leaves& leaves, std::vector<TreeNode>* nodes, nb::handle is_leaf = {});
// The node over the last `arity` subtrees.
void close_node(std::vector<TreeNode>& nodes, NodeKind kind, int arity, nb::object data = {},
                const CustomType* custom = nullptr, std::size_t data_hash = 0);

// Makes a class a container. ValueError when it is one; TypeError for what is no class.
void register_type(nb::handle type, nb::handle flatten, nb::handle unflatten, nb::handle keys);
bool is_registered(nb::handle type);
// One level of a tree: (kind, children, data), or None for a leaf; a custom node's children come with their keys if it has some.
nb::object one_level(nb::handle);

std::size_t hash_nodes(const std::vector<TreeNode>&);
bool equal_nodes(const std::vector<TreeNode>&, const std::vector<TreeNode>&);

}  // namespace cotan::python
