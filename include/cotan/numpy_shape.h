// numpy's functions of the shape: they move elements.
#pragma once
#include <optional>
#include <string_view>

#include "cotan/array.h"
#include "cotan/axes.h"

namespace cotan::numpy {

int ndim(const Array&);
Shape shape(const Array&);
std::int64_t size(const Array&, const Axes& axis = none);

// order "C": the last axis runs fastest, "F": the first. One size may be -1. ValueError for another word, "A" and "K" raise
// NotImplementedError.
struct ReshapeOptions {
  using is_options = void;
  std::string_view order = "C";
  std::optional<bool> copy = std::nullopt;  // a value is immutable: nothing differs
};
struct RavelOptions {
  using is_options = void;
  std::string_view order = "C";
};
Array reshape(const Array&, const Shape&, const ReshapeOptions& = {});
Array ravel(const Array&, const RavelOptions& = {});
Array resize(const Array&, const Shape& new_shape);  // the elements in order, repeated or cut
Array broadcast_to(const Array&, const Shape&);
std::vector<Array> broadcast_arrays(const std::vector<Array>&);
Shape broadcast_shapes(const std::vector<Shape>&);
Array atleast_1d(const Array&);
Array atleast_2d(const Array&);
Array atleast_3d(const Array&);  // of a vector: (1, n, 1)

Array transpose(const Array&, const Axes& axes = none);  // none: reversed
Array permute_dims(const Array&, const Axes& axes);
Array matrix_transpose(const Array&);  // the last two axes
Array swapaxes(const Array&, int axis1, int axis2);
Array moveaxis(const Array&, const Axes& source, const Axes& destination);
Array rollaxis(const Array&, int axis, int start = 0);  // `axis` is put before `start`
Array expand_dims(const Array&, const Axes& axis);
Array squeeze(const Array&, const Axes& axis = none);  // ValueError for an axis whose size is not 1

Array flip(const Array&, const Axes& axis = none);
Array fliplr(const Array&);  // axis 1
Array flipud(const Array&);  // axis 0
Array rot90(const Array&, int k = 1, const Axes& axes = {0, 1});
// Elements that leave at one end enter at the other; of the flattened array without axes. `shift` is a number, or an Array of
// one number for each axis (integers, which may be traced).
Array roll(const Array&, const Array& shift, const Axes& axis = none);
Array tile(const Array&, const Shape& reps);
// repeats: one number, or one for each position of the axis. total_repeat_length: the size of the result, needed where repeats are
// traced (ConcretizationTypeError); the last element fills what is missing.
struct RepeatOptions {
  using is_options = void;
  std::optional<std::int64_t> total_repeat_length = std::nullopt;
};
Array repeat(const Array&, const Array& repeats, const Axes& axis = none, const RepeatOptions& = {});
// Without zeros at the front ("f") and back ("b"). Of a known value: its shape is the result's.
Array trim_zeros(const Array&, std::string_view trim = "fb", const Axes& axis = none);

struct DtypeOptions {
  using is_options = void;
  std::optional<DType> dtype = std::nullopt;  // by default that to which all promote
};
Array concatenate(const std::vector<Array>&, const Axes& axis = 0, const DtypeOptions& = {});  // none: flattened
Array concat(const std::vector<Array>&, const Axes& axis = 0);
Array stack(const std::vector<Array>&, int axis = 0, const DtypeOptions& = {});
Array vstack(const std::vector<Array>&, const DtypeOptions& = {});
Array hstack(const std::vector<Array>&, const DtypeOptions& = {});
Array dstack(const std::vector<Array>&, const DtypeOptions& = {});
Array column_stack(const std::vector<Array>&);  // vectors as columns
Array append(const Array&, const Array& values, const Axes& axis = none);

// block({{a, b}, {c, d}}): the innermost lists along the last axis, each level along the one before.
class Nested {
 public:
  template <class T>
  requires std::is_convertible_v<const T&, Array> Nested(const T& x) : leaf_(x) {}
  Nested(std::initializer_list<Nested> parts) : parts_(parts) {}
  Nested(std::vector<Nested> parts) : parts_(std::move(parts)) {}
  bool is_leaf() const { return leaf_.has_value(); }
  const Array& leaf() const { return leaf_; }
  const std::vector<Nested>& parts() const { return parts_; }

 private:
  Array leaf_;
  std::vector<Nested> parts_;
};
Array block(const Nested& arrays);

// A number of equal parts, or the places where parts begin: split(x, 3), split(x, {2, 5}).
class Sections {
 public:
  template <class T>
  requires(std::is_integral_v<T> && !std::is_same_v<T, bool>) Sections(T count) : places_{Dim(count)}, counted_(true) {}
  Sections(std::initializer_list<Dim> places) : places_(places) {}
  Sections(IntList places) : places_(static_cast<IntList&&>(places)) {}
  bool counted() const { return counted_; }
  std::int64_t count() const { return places_[0]; }
  const IntList& places() const { return places_; }

 private:
  IntList places_;
  bool counted_ = false;
};
std::vector<Array> split(const Array&, const Sections&, int axis = 0);        // ValueError where parts would differ
std::vector<Array> array_split(const Array&, const Sections&, int axis = 0);  // the first parts may be larger by 1
std::vector<Array> vsplit(const Array&, const Sections&);
std::vector<Array> hsplit(const Array&, const Sections&);
std::vector<Array> dsplit(const Array&, const Sections&);
std::vector<Array> unstack(const Array&, int axis = 0);

}  // namespace cotan::numpy

#include "cotan/numpy_pad.h"
