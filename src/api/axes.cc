#include "api/axes.h"

namespace cotan {

AxisSpec::AxisSpec(none_t) : kind_(Kind::shared) {}
AxisSpec::AxisSpec(int axis) : axis_(axis) {}
AxisSpec::AxisSpec(std::initializer_list<AxisSpec> children) : kind_(Kind::nested), children_(children) {}
AxisSpec::AxisSpec(const AxisSpec&) = default;
AxisSpec::AxisSpec(AxisSpec&&) noexcept = default;
AxisSpec& AxisSpec::operator=(const AxisSpec&) = default;
AxisSpec::~AxisSpec() = default;

std::string AxisSpec::str() const {
  if (kind_ == Kind::axis) return std::to_string(axis_);
  if (kind_ == Kind::shared) return "none";
  std::string s = "{";
  for (const AxisSpec& c : children_) s += (s.size() > 1 ? ", " : "") + c.str();
  return s + "}";
}

namespace api {
namespace {

using tree::Static;
using tree::TreeNode;

class AxisWalk final : public tree::Visitor {
 public:
  AxisWalk(const AxisSpec& top, LeafAxes& out) : Visitor(true), top_(top), out_(out) {}
  bool fits() const { return fits_; }

  void leaf(Array&) override {
    const AxisSpec& s = next();
    fits_ &= s.kind() != AxisSpec::Kind::nested;
    if (s.kind() == AxisSpec::Kind::axis) out_.push_back(s.axis());
    else out_.push_back(std::nullopt);
  }
  void fixed(const Static&) override { next(); }
  void open(TreeNode kind, std::size_t children, const char* const*) override {
    const AxisSpec& s = next();
    if (s.kind() == AxisSpec::Kind::nested && kind != TreeNode::optional) fits_ &= s.children().size() == children;
    frames_.push_back({&s, 0, kind == TreeNode::optional});
  }
  void close() override { frames_.pop_back(); }

 private:
  struct Frame {
    const AxisSpec* spec;
    std::size_t next;
    bool transparent;  // an optional: its value stands for it
  };
  const AxisSpec& next() {
    if (frames_.empty()) return top_;
    Frame& f = frames_.back();
    if (f.transparent || f.spec->kind() != AxisSpec::Kind::nested) return *f.spec;
    if (f.next < f.spec->children().size()) return f.spec->children()[f.next++];
    fits_ = false;
    return *f.spec;
  }
  const AxisSpec& top_;
  LeafAxes& out_;
  std::vector<Frame> frames_;
  bool fits_ = true;
};

}  // namespace

void append_leaf_axes(const AxisSpec& spec, const TypeOps& ops, const void* t, const std::string& what, LeafAxes& out) {
  if (!ops.dynamic) return;
  AxisWalk walk(spec, out);
  ops.visit(const_cast<void*>(t), walk);
  if (!walk.fits())
    throw ValueError(what + " specification must be a tree prefix of the corresponding value, got " + spec.str() +
                     " for a value of structure " + tree::structure_text(ops, t));
}

void put_key(const AxisSpec& s, Key& k) {
  k.put(s.kind());
  k.put(s.axis());
  k.put(s.children().size());
  for (const AxisSpec& c : s.children()) put_key(c, k);
}

}  // namespace api
}  // namespace cotan
