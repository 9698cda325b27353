// The axes of reductions.
#pragma once
#include "cotan/number.h"
#include "cotan/options.h"
#include "cotan/shape.h"

namespace cotan {

// The axes of a reduction: all (none), one, or several.
class Axes {
 public:
  using may_be_omitted = void;
  Axes() = default;
  Axes(none_t) {}
  template <class T>
  requires(std::is_integral_v<T> && !std::is_same_v<T, bool>) Axes(T axis) : list_{Dim(axis)}, all_(false) {}
  explicit Axes(int axis, detail::these_braces_name_an_option_but_sizes_or_axes_are_expected_here = {})
      : list_{Dim(axis)}, all_(false) {}
  Axes(std::initializer_list<Dim> axes) : list_(axes), all_(false) {}
  Axes(IntList axes) : list_(static_cast<IntList&&>(axes)), all_(false) {}
  bool all() const { return all_; }
  const IntList& list() const { return list_; }
  friend void tree_key(const Axes& a, auto& k) {
    k.put(a.all_);
    for (std::int64_t i : a.list_) k.put(i);
  }

 private:
  IntList list_;
  bool all_ = true;
};

}  // namespace cotan
