#include "cotan/vmap.h"

#include "api/axes.h"

namespace cotan::api {
namespace {

struct Mapped {           // what in_axes says of the leaves of a call
  std::vector<int> axes;  // from the front, or no_axis
  std::int64_t size = -1;
};

class VmapFn final : public FnBase {
 public:
  VmapFn(const FnRef& f, const AxisSpec& in, bool per_parameter, const VmapOptions& o)
      : FnBase(&f->result(), f->params(), f->param_count()),
        f_(f),
        in_(in),
        per_parameter_(per_parameter),
        out_(o.out_axes),
        axis_size_(o.axis_size),
        axis_name_(o.axis_name ? o.axis_name : "") {}

  bool identity(Key& k) const override {
    k.put("vmap", 4);
    k.put(per_parameter_);
    put_key(in_, k);
    put_key(out_, k);
    k.put(axis_size_);
    detail::put_key(axis_name_, k);
    return f_->identity(k);
  }
  std::string name() const override { return f_->name(); }

  void call(Args args, void* out) override {
    FlatCall flat(*f_, args, all_dynamic(*f_));
    const Mapped m = map_arguments(flat, args);
    std::vector<BatchedOutput> got = flat_vmap(flat.fn(), flat.in(), m.axes, m.size, axis_name_);
    LeafAxes out_axes;
    append_leaf_axes(out_, result(), flat.result().get(), "vmap out_axes", out_axes);
    Arrays leaves;
    for (std::size_t i = 0; i < got.size(); ++i) leaves.push_back(place_output(got[i], out_axes[i], m.size));
    flat.result(leaves).copy_to(out);
  }

 private:
  LeafAxes argument_axes(Args args) const {
    LeafAxes out;
    const AxisSpec shared(none);  // for parameters that the call left out
    for (int i = 0; i < param_count(); ++i) {
      const bool given = !per_parameter_ || i < static_cast<int>(in_.children().size());
      const AxisSpec& spec = !per_parameter_ ? in_ : given ? in_.children()[static_cast<std::size_t>(i)] : shared;
      append_leaf_axes(spec, param(i), args[i], "vmap in_axes[" + std::to_string(i) + "]", out);
    }
    return out;
  }

  Mapped map_arguments(const FlatCall& flat, Args args) const {
    const LeafAxes written = argument_axes(args);
    if (written.empty() && axis_size_ < 0)
      throw ValueError(
          "vmap wrapped function must be passed at least one argument containing an array or axis_size must be "
          "specified");
    Mapped m;
    m.size = axis_size_;
    bool any = false, same = true;
    for (std::size_t i = 0; i < written.size(); ++i) {
      m.axes.push_back(written[i] ? front_axis(flat.in()[i].aval(), *written[i], flat, i) : no_axis);
      if (m.axes.back() == no_axis) continue;
      any = true;
      const std::int64_t n = flat.in()[i].shape()[m.axes.back()];
      if (m.size < 0) m.size = n;
      same &= n == m.size;
    }
    if (!any && axis_size_ < 0)
      throw ValueError("vmap must have at least one non-none value in in_axes or axis_size must be specified");
    if (!same) fail_sizes(flat, m);
    return m;
  }

  static int front_axis(const Aval& a, int axis, const FlatCall& flat, std::size_t leaf) {
    const int from_front = axis < 0 ? axis + a.ndim() : axis;
    if (from_front >= 0 && from_front < a.ndim()) return from_front;
    throw ValueError("vmap was requested to map its argument along axis " + std::to_string(axis) +
                     ", which implies that its rank should be at least " +
                     std::to_string(axis < 0 ? -std::int64_t{axis} : std::int64_t{axis} + 1) + ", but is only " +
                     std::to_string(a.ndim()) + " (its shape is " + a.shape.str() + "; " + flat.leaf_name(leaf) + ")");
  }

  [[noreturn]] void fail_sizes(const FlatCall& flat, const Mapped& m) const {
    std::string text = "vmap got inconsistent sizes for array axes to be mapped:";
    if (axis_size_ >= 0) text += "\n  * the axis_size option was " + std::to_string(axis_size_);
    std::vector<std::int64_t> seen;  // each size is told once, with the first argument that has it
    for (std::size_t i = 0; i < m.axes.size(); ++i) {
      if (m.axes[i] == no_axis) continue;
      const Aval& a = flat.in()[i].aval();
      const std::int64_t n = a.shape[m.axes[i]];
      bool again = false;
      for (std::int64_t s : seen) again |= s == n;
      if (again) continue;
      seen.push_back(n);
      text += "\n  * size " + std::to_string(n) + ": axis " + std::to_string(m.axes[i]) + " of " + flat.leaf_name(i) +
              " of type " + type_text(a);
    }
    throw ValueError(text);
  }

  static Array place_output(const BatchedOutput& got, std::optional<int> axis, std::int64_t size) {
    if (!axis) {
      if (got.axis == no_axis) return got.value;
      throw ValueError("at vmap out_axes, got axis spec none but output was batched on axis " +
                       std::to_string(got.axis));
    }
    const int rank = got.value.ndim() + (got.axis == no_axis ? 1 : 0);
    const int to = *axis < 0 ? *axis + rank : *axis;
    if (to < 0 || to >= rank)
      throw ValueError("vmap out_axes: axis " + std::to_string(*axis) + " is out of bounds for array of dimension " +
                       std::to_string(rank));
    return with_batch_axis(got, to, size);
  }

  FnRef f_;
  AxisSpec in_;
  bool per_parameter_;
  AxisSpec out_;
  std::int64_t axis_size_;
  std::string axis_name_;
};

}  // namespace
}  // namespace cotan::api

namespace cotan::detail {

FnRef make_vmap(const FnRef& f, const AxisSpec& in, bool per_parameter, const VmapOptions& o) {
  return FnRef(new api::VmapFn(f, in, per_parameter, o));
}

}  // namespace cotan::detail
