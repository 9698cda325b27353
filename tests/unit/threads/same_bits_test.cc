// Results are the same, to the bit, for any number of threads: every way in which work is cut.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "core/primitive.h"
#include "cotan/cotan.h"

namespace cotan {
namespace {

namespace jnp = numpy;
using Function = std::function<Array()>;

std::string bits_of(const Array& a) {
  if (a.size() == 0) return {};
  return {static_cast<const char*>(bytes_of(a)), static_cast<std::size_t>(a.size()) * item_size(a.dtype())};
}

void expect_same(const std::string& what, const Function& f) {
  const auto with = [&](int threads, double least) {
    const ScopedNumThreads scope(threads);
    const double before = detail::least_parallel_ns.exchange(least);
    std::string r = bits_of(f());
    detail::least_parallel_ns = before;
    return r;
  };
  const std::string one = with(1, 1e30);
  for (int threads : {1, 2, 7})
    for (double least : {0.0, least_parallel_ns()})
      EXPECT_TRUE(with(threads, least) == one) << what << ", " << threads << " threads, least " << least;
}

Array drawn(const Shape& shape, DType d, int seed = 0) {
  const Array key = random::key(seed);
  if (is_complex(d))
    return lax::complex(drawn(shape, DType::float32, seed), drawn(shape, DType::float32, seed + 1)).astype(d);
  const Array x = random::normal(key, shape);
  if (is_floating(d)) return x.astype(d);
  return jnp::round(x * 50).astype(DType::int32).astype(d);
}

const std::vector<DType> types = {DType::float32,    DType::bfloat16, DType::float16, DType::float64, DType::complex64,
                                  DType::complex128, DType::int32,    DType::int8,    DType::uint16};
std::string text(const Shape& s, DType d) { return s.str() + " " + dtype_name(d); }

TEST(SameBits, Elementwise) {
  const enable_x64 x64;
  for (std::int64_t n : {0, 1, 7, 4099, 100'003})
    for (DType d : types) {
      const Array x = drawn({n}, d), y = drawn({n}, d, 3);
      const std::string what = text({n}, d);
      expect_same("add " + what, [&] { return x + y; });
      expect_same("less " + what, [&] { return jnp::less(jnp::real(x), jnp::real(y)); });
      expect_same("scalar " + what, [&] { return x * lax::full({}, 3, d); });
      if (!is_inexact(d)) continue;
      expect_same("sin " + what, [&] { return jnp::sin(x); });
      expect_same("exp " + what, [&] { return jnp::exp(x); });
    }
}

TEST(SameBits, FusedWithBroadcastsAndTransposes) {
  const enable_x64 x64;
  const auto f = jit([](const Array& x, const Array& row, const Array& t) {
    return jnp::sin(x) * row + jnp::transpose(t) * jnp::reshape(jnp::sum(row), {1, 1}) - x;
  });
  for (DType d : {DType::float32, DType::bfloat16, DType::complex64})
    for (const Shape& s : {Shape{1, 1}, Shape{3, 5003}, Shape{5003, 3}, Shape{257, 311}, Shape{0, 4}}) {
      const Array x = drawn(s, d), row = drawn({s[1]}, d, 3), t = drawn({s[1], s[0]}, d, 5);
      expect_same(text(s, d), [&] { return f(x, row, t); });
    }
}

TEST(SameBits, Reductions) {
  const enable_x64 x64;
  for (const Shape& s : {Shape{1, 1, 1}, Shape{0, 3, 2}, Shape{2, 1, 70'001}, Shape{1, 70'003, 1}, Shape{3, 7001, 5},
                         Shape{7, 1031, 33}, Shape{5, 11, 2003}, Shape{2003, 17, 3}})
    for (DType d : types) {
      const Array x = drawn(s, d);
      for (const Axes& axes : {Axes{0}, Axes{1}, Axes{2}, Axes{0, 1}, Axes{1, 2}, Axes{0, 2}, Axes{0, 1, 2}}) {
        expect_same("sum " + text(s, d), [&] { return jnp::sum(x, axes); });
        if (x.size() != 0) expect_same("max " + text(s, d), [&] { return jnp::max(x, axes); });
        if (is_complex(d)) continue;
        expect_same("prod " + text(s, d), [&] { return jnp::prod(x, axes); });
      }
      if (x.size() == 0 || is_complex(d)) continue;
      for (int axis : {0, 1, 2}) expect_same("argmax " + text(s, d), [&] { return jnp::argmax(x, axis); });
      expect_same("argmin of all " + text(s, d), [&] { return jnp::argmin(x); });
    }
}

TEST(SameBits, ReductionsOfMoreThanIsRead) {
  for (const Shape& s : {Shape{70'001}, Shape{300, 301}, Shape{3, 50'021}, Shape{50'021, 3}}) {
    const Array x = drawn(s, DType::float32);
    const std::int64_t n = s[s.ndim() - 1];
    const auto norm = jit([](const Array& v) { return jnp::sum(jnp::sin(v) * v, 0); });
    expect_same(s.str(), [&] { return norm(x); });
    const Array turned = jnp::transpose(drawn({n, 4}, DType::float32));
    expect_same("transposed " + s.str(), [&] { return jnp::sum(turned, 1) + jnp::sum(jnp::sum(turned, 0)); });
  }
}

TEST(SameBits, Copies) {
  for (DType d : {DType::int8, DType::bfloat16, DType::float32, DType::complex64})
    for (const Shape& s :
         {Shape{3, 5, 7}, Shape{1, 70'001, 1}, Shape{61, 67, 71}, Shape{2, 3, 30'011}, Shape{700, 701, 1}}) {
      const Array x = drawn(s, d);
      for (const IntList& order : {IntList{0, 2, 1}, IntList{1, 0, 2}, IntList{2, 1, 0}, IntList{2, 0, 1}})
        expect_same("transpose " + text(s, d), [&] { return jnp::transpose(x, order); });
      expect_same("concatenate", [&] { return jnp::concatenate({x, x, x}, 1); });
      expect_same("flip", [&] { return jnp::flip(x); });
      expect_same("broadcast", [&] { return jnp::broadcast_to(jnp::expand_dims(x, 1), {s[0], 3, s[1], s[2]}); });
      expect_same("pad", [&] { return jnp::pad(x, 2); });
    }
}

struct Product {
  Shape x, y;
};
TEST(SameBits, Products) {
  const enable_x64 x64;
  const std::vector<Product> products = {
      {{1, 1}, {1, 1}},         {{0, 3}, {3, 5}},         {{4, 0}, {0, 5}},          {{37, 41}, {41, 43}},
      {{130, 129}, {129, 131}}, {{300, 170}, {170, 290}}, {{257, 100}, {100, 1031}}, {{7, 2003}, {2003, 700}},
      {{1009, 601}, {601}},     {{601}, {601, 1009}},     {{40, 8, 9}, {40, 9, 7}},  {{3, 130, 97}, {3, 97, 140}}};
  for (DType d : {DType::float32, DType::float64, DType::bfloat16, DType::float16, DType::complex64, DType::complex128,
                  DType::int32, DType::int8, DType::int64, DType::bool_})
    for (const Product& p : products) {
      const Array x = drawn(p.x, d == DType::bool_ ? DType::int32 : d), y = drawn(p.y, x.dtype(), 7);
      const Array a = x.astype(d), b = y.astype(d);
      expect_same(text(p.x, d) + p.y.str(), [&] { return jnp::matmul(a, b); });
      if (p.x.ndim() != 2 || p.y.ndim() != 2) continue;
      const Array at = jnp::transpose(a), bt = jnp::transpose(b);
      expect_same("transposed " + text(p.x, d) + p.y.str(), [&] { return jnp::einsum("ki,jk->ij", {at, bt}); });
    }
}

TEST(SameBits, RowsOfTheLibrary) {
  const enable_x64 x64;
  for (DType d : {DType::float32, DType::bfloat16, DType::int32, DType::float64})
    for (const Shape& s : {Shape{1, 1}, Shape{0, 3}, Shape{1, 20'011}, Shape{20'011, 1}, Shape{131, 137}}) {
      const Array x = drawn(s, d), places = jnp::abs(drawn({s.size() == 0 ? 0 : 211 + s[0] % 9973}, DType::int32, 4));
      for (int axis : {0, 1}) {
        expect_same("sort " + text(s, d), [&] { return jnp::sort(x, axis); });
        expect_same("argsort " + text(s, d), [&] { return jnp::argsort(x, axis); });
        expect_same("cumsum " + text(s, d), [&] { return lax::cumsum(x, axis); });
        expect_same("cummax " + text(s, d), [&] { return lax::cummax(x, axis, true); });
        if (is_floating(d)) expect_same("cumlogsumexp " + text(s, d), [&] { return lax::cumlogsumexp(x, axis); });
        if (s[axis] != 0) expect_same("take " + text(s, d), [&] { return jnp::take(x, places % s[axis], axis); });
      }
      if (s[1] != 0) expect_same("top_k " + text(s, d), [&] { return lax::top_k(x, 1).indices; });
      if (x.size() != 0)
        expect_same("slice", [&] {
          return lax::dynamic_slice(x, {lax::full({}, 0, DType::int32), lax::full({}, 0, DType::int32)}, {s[0], 1});
        });
    }
}

TEST(SameBits, ScansOfLongRows) {
  const enable_x64 x64;
  for (const Shape& s : {Shape{100'003}, Shape{1, 65'536}, Shape{2, 66'000}})
    for (DType d : types) {
      const Array x = drawn(s, d), near_one = 1 + x * lax::full({}, is_inexact(d) ? 1e-3 : 1, d);
      const int axis = s.ndim() - 1;
      for (bool reverse : {false, true}) {
        expect_same("cumsum " + text(s, d), [&] { return lax::cumsum(x, axis, reverse); });
        expect_same("cumprod " + text(s, d), [&] { return lax::cumprod(near_one, axis, reverse); });
        expect_same("cummin " + text(s, d), [&] { return lax::cummin(x, axis, reverse); });
      }
    }
}

TEST(SameBits, RandomNumbers) {
  for (std::int64_t n : {0, 1, 1009, 100'003}) {
    expect_same("bits", [&] { return random::bits(random::key(3), {n}); });
    expect_same("normal", [&] { return random::normal(random::key(3), {n}); });
    expect_same("gamma", [&] { return random::gamma(random::key(3), 2.5, {n}); });
  }
}

}  // namespace
}  // namespace cotan
