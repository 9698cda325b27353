#include "tree/flatten.h"

namespace cotan::tree {

// The compiler's text of a pointer to the field: "... (& object.Type::name)]".
std::string_view field_name(const char* text) {
  std::string_view s(text);
  const std::size_t from = s.rfind("::");
  if (from == s.npos) return s;
  s.remove_prefix(from + 2);
  return s.substr(0, s.find_first_of(")]; "));
}

void PathVisitor::enter_child() {
  if (frames_.empty()) return;
  Frame& f = frames_.back();
  switch (f.kind) {
    case TreeNode::optional: break;  // the value stands for the optional
    case TreeNode::sequence:
    case TreeNode::tuple: path_ += "[" + std::to_string(f.next) + "]"; break;
    case TreeNode::map: path_ += "[" + key_ + "]"; break;
    case TreeNode::fields:
      path_ += '.';
      if (f.names) path_ += field_name(f.names[f.next]);
      else path_ += std::to_string(f.next);
  }
  ++f.next;
}
void PathVisitor::leave_child() { path_.resize(frames_.empty() ? 0 : frames_.back().path_length); }

void PathVisitor::leaf(Array&) {
  enter_child();
  on_leaf(path_);
  leave_child();
}
void PathVisitor::fixed(const Static& s) {
  enter_child();
  on_static(path_, s);
  leave_child();
}
void PathVisitor::open(TreeNode kind, std::size_t children, const char* const* names) {
  enter_child();
  on_node(path_, kind, children);
  frames_.push_back({kind, 0, names, path_.size()});
}
void PathVisitor::close() {
  frames_.pop_back();
  leave_child();
}
void PathVisitor::map_key(const Static& s) {
  key_.clear();
  s.print(s.value, key_);
}

void StructureKey::leaf(Array&) { key_.put('*'); }
void StructureKey::open(TreeNode kind, std::size_t children, const char* const*) {
  key_.put(kind);
  key_.put(children);
}

bool same_structure(const TypeOps& ops, const void* a, const void* b) {
  Key ka, kb;
  StructureKey va(ka), vb(kb);
  ops.visit(const_cast<void*>(a), va);
  ops.visit(const_cast<void*>(b), vb);
  return ka == kb;
}

namespace {

const char* kind_name(TreeNode k) {
  switch (k) {
    case TreeNode::sequence: return "sequence";
    case TreeNode::map: return "map";
    case TreeNode::tuple: return "tuple";
    case TreeNode::fields: return "struct";
    case TreeNode::optional: return "optional";
  }
  return "";
}

// The traversal as a list of places, to find where two of them part.
class Places final : public PathVisitor {
 public:
  struct Place {
    std::string path;
    char kind;  // of the node, '*' a leaf, '=' a static value
    std::size_t children;
    std::string bytes, text;  // of a static value
  };
  std::vector<Place> list;

 private:
  void on_leaf(const std::string& path) override { list.push_back({path, '*', 0, {}, {}}); }
  void on_node(const std::string& path, TreeNode k, std::size_t n) override {
    list.push_back({path, static_cast<char>(k), n, {}, {}});
  }
  void on_static(const std::string& path, const Static& s) override {
    Key k;
    s.put(s.value, k);
    list.push_back({path, '=', 0, std::string(k.data(), k.size()), {}});
    s.print(s.value, list.back().text);
  }
};

class Text final : public Visitor {
 public:
  Text() : Visitor(true) {}
  std::string out;
  void leaf(Array&) override {
    child();
    out += '*';
  }
  void fixed(const Static& s) override {
    child();
    s.print(s.value, out);
  }
  void open(TreeNode kind, std::size_t n, const char* const* names) override {
    child();
    frames_.push_back({kind, n, 0, names});
    if (kind == TreeNode::optional) out += n ? "" : "none";
    else out += kind == TreeNode::sequence ? '[' : kind == TreeNode::tuple ? '(' : '{';
  }
  void close() override {
    const Frame f = frames_.back();
    frames_.pop_back();
    if (f.kind == TreeNode::optional) return;
    if (f.kind == TreeNode::tuple && f.children == 1) out += ',';
    out += f.kind == TreeNode::sequence ? ']' : f.kind == TreeNode::tuple ? ')' : '}';
  }
  void map_key(const Static& s) override {
    key_.clear();
    s.print(s.value, key_);
  }

 private:
  struct Frame {
    TreeNode kind;
    std::size_t children, next;
    const char* const* names;
  };
  void child() {
    if (frames_.empty() || frames_.back().kind == TreeNode::optional) return;
    Frame& f = frames_.back();
    if (f.next) out += ", ";
    if (f.kind == TreeNode::map) out += key_ + ": ";
    else if (f.kind == TreeNode::fields && f.names) out += std::string(field_name(f.names[f.next])) + ": ";
    ++f.next;
  }
  std::vector<Frame> frames_;
  std::string key_;
};

std::string difference(const Places::Place& a, const Places::Place& b, const std::string& root) {
  const std::string at = " at " + root + a.path + ": ";
  if (a.path != b.path) return "different keys of map: " + root + a.path + " and " + root + b.path;
  if (a.kind == '=') return "different static values" + at + a.text + " and " + b.text;
  if (a.kind == static_cast<char>(TreeNode::optional))
    return "a value and none" + at + (a.children ? "only the first has a value" : "only the second has a value");
  return "different lengths of " + std::string(kind_name(static_cast<TreeNode>(a.kind))) + at +
         std::to_string(a.children) + " and " + std::to_string(b.children);
}

}  // namespace

std::string describe_difference(const TypeOps& ops, const void* a, const void* b, const std::string& root) {
  Places pa, pb;
  ops.visit(const_cast<void*>(a), pa);
  ops.visit(const_cast<void*>(b), pb);
  for (std::size_t i = 0; i < pa.list.size() && i < pb.list.size(); ++i) {
    const auto &x = pa.list[i], &y = pb.list[i];
    if (x.path != y.path || x.kind != y.kind || x.children != y.children || x.bytes != y.bytes)
      return difference(x, y, root);
  }
  return "different numbers of leaves in " + root;
}

std::string structure_text(const TypeOps& ops, const void* tree) {
  Text t;
  ops.visit(const_cast<void*>(tree), t);
  return t.out;
}

}  // namespace cotan::tree
