// jax.random: counter-based random numbers. A key gives the same numbers on every machine, equal to JAX's bit for bit where JAX
// computes them from bits by formulas; samplers by rejection (gamma and what is made of it, poisson, binomial) agree in distribution.
//
// Where a single key is expected, its words will do as well: uint32[2], as PRNGKey makes them.
// TypeError for what is no key; ValueError for several keys (use vmap), and for shapes with negative sizes.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "cotan/array.h"
#include "cotan/options.h"

namespace cotan {

// A shape that a sampler takes from its parameters where none is given.
class ShapeOrNone {
 public:
  using may_be_omitted = void;
  ShapeOrNone() = default;
  ShapeOrNone(none_t) {}
  ShapeOrNone(Shape shape) : shape_(static_cast<Shape&&>(shape)), given_(true) {}
  ShapeOrNone(std::initializer_list<Dim> d) : shape_(d), given_(true) {}
  template <class T>
  requires(std::is_integral_v<T> && !std::is_same_v<T, bool>) ShapeOrNone(T n) : shape_{Dim(n)}, given_(true) {}
  explicit ShapeOrNone(int n, detail::these_braces_name_an_option_but_sizes_or_axes_are_expected_here = {})
      : shape_{Dim(n)}, given_(true) {}
  bool given() const { return given_; }
  const Shape& shape() const { return shape_; }
  friend void tree_key(const ShapeOrNone& s, auto& k) {
    k.put(s.given_);
    for (std::int64_t n : s.shape_) k.put(n);
  }

 private:
  Shape shape_;
  bool given_ = false;
};

namespace random {

// A number of 64 bits (of which the low 32 count without enable_x64), or a 0-d integer Array.
class Seed {
 public:
  template <class T>
  requires(std::is_integral_v<T>) Seed(T n) : number_(static_cast<std::int64_t>(n)) {}
  Seed(const Array& a) : array_(a) {}
  const Array& array() const { return array_; }  // empty: a number
  std::int64_t number() const { return number_; }

 private:
  Array array_;
  std::int64_t number_ = 0;
};

// impl: "threefry2x32" (also when empty), "rbg" or "unsafe_rbg"; or as a dtype of keys.
struct KeyOptions {
  using is_options = void;
  std::string_view impl = {};
  std::optional<DType> dtype = std::nullopt;
};
struct ImplOptions {
  using is_options = void;
  std::string_view impl = {};
};

Array key(const Seed& seed, KeyOptions o = {});                       // a key, 0-d
Array PRNGKey(const Seed& seed, ImplOptions o = {});                  // its words, uint32[2] (rbg: uint32[4])
Array key_data(const Array& keys);                                    // uint32, shape keys.shape + (2,)
std::string key_impl(const Array& keys);                              // "threefry2x32"
DType key_dtype(std::string_view impl_spec = {});                     // key<fry>
Array wrap_key_data(const Array& key_bits_array, KeyOptions o = {});  // of uint32 with a last axis of 2 (rbg: 4)
Array clone(const Array& key);                                        // the same key, to be used once more
Array split(const Array& key, const Shape& num = 2);                  // new keys, of the shape
Array fold_in(const Array& key, const Array& data);                   // a key for a number (uint32)

// uint8, uint16, uint32 or uint64, uniform in all bits; none: the widest enabled.
Array bits(const Array& key, const Shape& shape = {}, std::optional<DType> dtype = std::nullopt);

}  // namespace random
}  // namespace cotan

#include "cotan/random_distributions.h"
