// Visitors over a tree of opaque leaves.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/small_vec.h"
#include "cotan/tree_visit.h"

namespace cotan::tree {

using detail::Key;
using detail::Static;
using detail::TreeNode;
using detail::TypeOps;
using detail::Visitor;

// The field's name in an entry of detail::field_names.
std::string_view field_name(const char* compiler_text);

// Where the leaves are.
class LeafPointers final : public Visitor {
 public:
  LeafPointers() = default;
  LeafPointers(const TypeOps& ops, const void* tree) { add(ops, tree); }
  void add(const TypeOps& ops, const void* tree) {
    if (ops.dynamic) ops.visit(const_cast<void*>(tree), *this);
  }
  void leaf(Array& a) override { at_.push_back(&a); }
  std::size_t size() const { return at_.size(); }
  Array& operator[](std::size_t i) const { return *at_[i]; }
  Array* const* begin() const { return at_.begin(); }
  Array* const* end() const { return at_.end(); }

 private:
  SmallVec<Array*, 16> at_;
};

// Follows a traversal and knows the path of the child that comes: "[1].w", "['key']".
class PathVisitor : public Visitor {
 public:
  void leaf(Array&) final;
  void open(TreeNode, std::size_t children, const char* const* names) final;
  void close() final;
  void fixed(const Static&) final;
  void map_key(const Static&) final;

 protected:
  PathVisitor() : Visitor(true) {}
  virtual void on_leaf(const std::string& path) = 0;
  virtual void on_node(const std::string& path, TreeNode, std::size_t children) = 0;
  virtual void on_static(const std::string& path, const Static&) = 0;

 private:
  struct Frame {
    TreeNode kind;
    std::size_t next;
    const char* const* names;
    std::size_t path_length;
  };
  void enter_child();
  void leave_child();
  std::vector<Frame> frames_;
  std::string path_, key_;
};

// Adds the kinds of nodes, the numbers of their children, map keys and static values to a key; `*` for a leaf.
class StructureKey final : public Visitor {
 public:
  explicit StructureKey(Key& k) : Visitor(true), key_(k) {}
  void leaf(Array&) override;
  void open(TreeNode, std::size_t children, const char* const* names) override;
  void fixed(const Static& s) override { s.put(s.value, key_); }
  void map_key(const Static& s) override { s.put(s.value, key_); }

 private:
  Key& key_;
};

bool same_structure(const TypeOps&, const void* a, const void* b);
// "different lengths of sequence at root[1]: 2 and 3": the first path where two trees of one type differ.
std::string describe_difference(const TypeOps&, const void* a, const void* b, const std::string& root);
std::string structure_text(const TypeOps&, const void* tree);  // "[{w: *, b: *}, 'name']"

}  // namespace cotan::tree
