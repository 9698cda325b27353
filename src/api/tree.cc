#include "cotan/tree.h"

#include "tree/flatten.h"

namespace cotan {
namespace {

class Paths final : public tree::PathVisitor {
 public:
  std::vector<std::string> list;

 private:
  void on_leaf(const std::string& path) override { list.push_back(path); }
  void on_node(const std::string&, detail::TreeNode, std::size_t) override {}
  void on_static(const std::string&, const detail::Static&) override {}
};

}  // namespace

namespace detail {

std::vector<std::string> paths_of(const TypeOps& ops, const void* t) {
  Paths p;
  ops.visit(const_cast<void*>(t), p);
  return std::move(p.list);
}

std::vector<Array> leaves_of(const TypeOps& ops, const void* t) {
  std::vector<Array> out;
  for (Array* a : tree::LeafPointers(ops, t)) out.push_back(*a);
  return out;
}

void assign_leaves(const TypeOps& ops, void* t, const std::vector<Array>& leaves) {
  tree::LeafPointers at(ops, t);
  if (at.size() != leaves.size())
    throw ValueError("tree::with_leaves: the tree has " + std::to_string(at.size()) + " leaves, got " +
                     std::to_string(leaves.size()));
  for (std::size_t i = 0; i < leaves.size(); ++i) at[i] = leaves[i];
}

void map_trees(const TypeOps& ops, const void* const* trees, int n, void* out, LeafFn f, void* context) {
  for (int i = 1; i < n; ++i)
    if (!tree::same_structure(ops, trees[0], trees[i]))
      throw ValueError("tree::map: the trees have different structures, " +
                       tree::describe_difference(ops, trees[0], trees[i], "tree") + " (trees 0 and " +
                       std::to_string(i) + ")");
  std::vector<tree::LeafPointers> in;
  for (int i = 0; i < n; ++i) in.emplace_back(ops, trees[i]);
  std::vector<const Array*> row(static_cast<std::size_t>(n));
  std::size_t leaf = 0;
  for (Array* to : tree::LeafPointers(ops, out)) {
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = &in[i][leaf];
    *to = f(context, row.data());
    ++leaf;
  }
}

void map_tree_with_path(const TypeOps& ops, void* t, PathFn f, void* context) {
  const std::vector<std::string> paths = paths_of(ops, t);
  std::size_t i = 0;
  for (Array* a : tree::LeafPointers(ops, t)) *a = f(context, paths[i++], *a);
}

}  // namespace detail

namespace tree {
Structure::Structure(const detail::TypeOps& ops, const void* t) {
  Key k;
  StructureKey v(k);
  ops.visit(const_cast<void*>(t), v);
  bytes_.assign(k.data(), k.size());
  text_ = structure_text(ops, t);
  leaves_ = static_cast<int>(LeafPointers(ops, t).size());
}
}  // namespace tree

}  // namespace cotan
