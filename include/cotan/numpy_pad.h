// numpy.pad.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "cotan/array.h"

namespace cotan::numpy {

using PadPair = std::pair<std::int64_t, std::int64_t>;

// Places added before and after each axis: pad(x, 2), pad(x, {1, 2}) (before and after, on every axis), pad(x, {{1, 2}, {0, 3}}).
class PadWidth {
 public:
  template <class T>
  requires(std::is_integral_v<T> && !std::is_same_v<T, bool>) PadWidth(T n) : PadWidth({PadPair(n, n)}) {}
  PadWidth(std::int64_t before, std::int64_t after) : PadWidth({PadPair(before, after)}) {}
  PadWidth(std::initializer_list<PadPair> pairs) : pairs_(pairs) {}
  PadWidth(std::vector<PadPair> pairs) : pairs_(std::move(pairs)) {}
  const std::vector<PadPair>& pairs() const { return pairs_; }

 private:
  std::vector<PadPair> pairs_;
};

// How the added places are filled: "constant", "edge", "linear_ramp", "maximum", "mean", "median", "minimum", "reflect",
// "symmetric", "wrap", "empty" (zeros); or a function that gets each vector along an axis with its places added (zeros), their
// numbers before and after, and the axis, and returns it filled.
class PadMode {
 public:
  struct Function {
    virtual ~Function() = default;
    virtual Array operator()(const Array& vector, const PadPair& width, int axis) const = 0;
  };
  PadMode(const char* name) : name_(name) {}
  PadMode(std::string_view name) : name_(name) {}
  template <class F>
  requires std::is_invocable_r_v<Array, const F&, const Array&, const PadPair&, int> PadMode(F f)
      : function_(std::make_shared<Holder<F>>(std::move(f))) {}
  const std::string& name() const { return name_; }
  const Function* function() const { return function_.get(); }  // null: by name

 private:
  template <class F> struct Holder : Function {
    explicit Holder(F f) : f_(std::move(f)) {}
    Array operator()(const Array& vector, const PadPair& width, int axis) const override {
      return f_(vector, width, axis);
    }
    F f_;
  };
  std::string name_;
  std::shared_ptr<const Function> function_;
};

struct PadOptions {
  using is_options = void;
  Array constant_values = {};                // "constant": a number, (before, after), or such a pair for each axis; 0
  Array end_values = {};                     // "linear_ramp": at the outer end, given likewise; 0
  std::optional<PadWidth> stat_length = {};  // "maximum", "mean", "median", "minimum": elements used at each end; all
  std::string_view reflect_type = "even";    // "reflect", "symmetric"; "odd": mirrored at the edge's value as well
};
Array pad(const Array&, const PadWidth& pad_width, const PadMode& mode = "constant", const PadOptions& = {});

}  // namespace cotan::numpy
