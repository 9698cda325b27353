// vmap: a function of one example becomes a function of a batch.
#pragma once
#include "cotan/fn.h"

namespace cotan {

// Where the batch is in a tree of Arrays: an axis for every leaf, `none` for leaves that are shared, or one entry per child.
class AxisSpec {
 public:
  AxisSpec(none_t);
  AxisSpec(int axis);                                  // negative: from the end
  AxisSpec(std::initializer_list<AxisSpec> children);  // static fields have entries too, which are not read
  AxisSpec(const AxisSpec&);
  AxisSpec(AxisSpec&&) noexcept;
  AxisSpec& operator=(const AxisSpec&);
  ~AxisSpec();

  enum class Kind : char { axis, shared, nested };
  Kind kind() const { return kind_; }
  int axis() const { return axis_; }
  const std::vector<AxisSpec>& children() const { return children_; }
  std::string str() const;  // "(0, None)"

 private:
  Kind kind_ = Kind::axis;
  int axis_ = 0;
  std::vector<AxisSpec> children_;
};

template <int N> class InAxes : public AxisSpec {  // one entry for each of N parameters
 public:
  using AxisSpec::AxisSpec;
};
inline InAxes<1> in_axes(const AxisSpec& a) { return {a}; }
inline InAxes<2> in_axes(const AxisSpec& a, const AxisSpec& b) { return {a, b}; }
inline InAxes<3> in_axes(const AxisSpec& a, const AxisSpec& b, const AxisSpec& c) { return {a, b, c}; }
inline InAxes<4> in_axes(const AxisSpec& a, const AxisSpec& b, const AxisSpec& c, const AxisSpec& d) {
  return {a, b, c, d};
}
inline InAxes<5> in_axes(const AxisSpec& a, const AxisSpec& b, const AxisSpec& c, const AxisSpec& d,
                         const AxisSpec& e) {
  return {a, b, c, d, e};
}
inline InAxes<6> in_axes(const AxisSpec& a, const AxisSpec& b, const AxisSpec& c, const AxisSpec& d, const AxisSpec& e,
                         const AxisSpec& f) {
  return {a, b, c, d, e, f};
}
inline InAxes<7> in_axes(const AxisSpec& a, const AxisSpec& b, const AxisSpec& c, const AxisSpec& d, const AxisSpec& e,
                         const AxisSpec& f, const AxisSpec& g) {
  return {a, b, c, d, e, f, g};
}
inline InAxes<8> in_axes(const AxisSpec& a, const AxisSpec& b, const AxisSpec& c, const AxisSpec& d, const AxisSpec& e,
                         const AxisSpec& f, const AxisSpec& g, const AxisSpec& h) {
  return {a, b, c, d, e, f, g, h};
}

struct VmapOptions {
  AxisSpec out_axes = 0;        // where the batch is in the result; none: it does not vary
  std::int64_t axis_size = -1;  // needed when no argument is mapped
  const char* axis_name = "";   // for collectives: lax::psum(x, "i")
};

namespace detail {
FnRef make_vmap(const FnRef&, const AxisSpec& in, bool per_parameter, const VmapOptions&);

template <int N> struct VmapTransform {  // N: number of entries of in_axes; -1: one for all
  AxisSpec in;
  VmapOptions options;

  template <class R, class... D> auto operator()(const Fn<R(D...)>& f) const {
    constexpr bool count =
        N < 0 || (N <= static_cast<int>(sizeof...(D)) && N >= static_cast<int>(required_count(List<D...>{})));
    static_assert(count, "cotan: vmap: in_axes needs one entry per parameter of the function");
    if constexpr (count) return Fn<R(D...)>(make_vmap(f.ref(), in, N >= 0, options));
    else return Invalid{};
  }
};
}  // namespace detail

// f over a batch: every leaf of the arguments has the batch as axis 0, the result as out_axes says; results that do not
// vary are repeated. At the call: ValueError when sizes differ, an axis is out of bounds, or nothing is mapped and axis_size
// is not given. Static arguments are passed on.
template <class F> auto vmap(F f, const VmapOptions& o = {}) {
  return detail::transform(std::move(f), detail::VmapTransform<-1>{AxisSpec(0), o});
}
// The batch as in_axes(entry, ...) says, one entry per parameter: vmap(f, in_axes({0, none}, 1)).
template <class F, int N> auto vmap(F f, const InAxes<N>& in, const VmapOptions& o = {}) {
  return detail::transform(std::move(f), detail::VmapTransform<N>{in, o});
}
// One axis, or none, for all parameters.
template <class F, class A>
requires(std::is_integral_v<A> || std::is_same_v<A, none_t>) auto vmap(F f, const A& every, const VmapOptions& o = {}) {
  return detail::transform(std::move(f), detail::VmapTransform<-1>{AxisSpec(every), o});
}

}  // namespace cotan
