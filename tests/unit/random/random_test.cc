// Random numbers against JAX's: keys, bits, uniform numbers and integers exactly, normal ones within a few units in the last place.
#include <gtest/gtest.h>

#include "unit/functions/golden_support.h"

namespace cotan {
namespace {

namespace jnp = numpy;
using golden::error_class;
using golden::split;
using Words = std::vector<std::string>;

DType dtype_of(const std::string& s) {
  DType d;
  EXPECT_TRUE(dtype_from_name(s.data(), s.size(), &d)) << s;
  return d;
}
Shape shape_of(const std::string& s) { return s == "-" ? Shape() : Shape(golden::integers(s, 'x')); }

Array result(const Words& w) {
  const Array key = random::key(std::stoll(w[1]));
  if (w[0] == "key") return random::key_data(key);
  if (w[0] == "split") return random::key_data(random::split(key, shape_of(w[2])));
  if (w[0] == "fold_in") return random::key_data(random::fold_in(key, std::stoi(w[2])));
  const Shape shape = shape_of(w[2]);
  if (w[0] == "bernoulli") return random::bernoulli(key, std::stod(w[3]), shape);
  const DType d = dtype_of(w[3]);
  if (w[0] == "bits") return random::bits(key, shape, d);
  if (w[0] == "uniform") return random::uniform(key, shape, d);
  if (w[0] == "uniform_range") return random::uniform(key, shape, d, -2, 3.5);
  if (w[0] == "normal") return random::normal(key, shape, d);
  if (w[0] == "randint") return random::randint(key, shape, std::stoi(w[4]), std::stoi(w[5]), d);
  throw ValueError("golden: " + w[0]);
}

TEST(Random, EqualsJax) {
  std::ifstream file(COTAN_SOURCE_DIR "/tests/golden/random_values.txt");
  ASSERT_TRUE(file.is_open());
  int lines = 0, failures = 0;
  for (std::string line; std::getline(file, line); ++lines) {
    const Words fields = split(line, '|');
    ASSERT_EQ(fields.size(), 3u) << line;
    const enable_x64 x64(fields[0] == "1");
    const Words w = split(fields[1], ' ');
    std::string problem;
    if (fields[2].starts_with("error")) {
      if (error_class([&] { result(w); }) == "none") problem = "no error";
    } else {
      try {
        // JAX contracts a product and a sum where minval and maxval are given; its float64 erf_inv errs by up to 20 units.
        const double ulps = w[0] == "normal" ? (w[3] == "float64" ? 32 : 4) : w[0] == "uniform_range" ? 1 : 0;
        problem = golden::difference(result(w), golden::parse_golden(fields[2]), {ulps});
      } catch (const std::exception& e) { problem = std::string("throws ") + e.what(); }
    }
    if (!problem.empty() && ++failures < 20) ADD_FAILURE() << line.substr(0, 300) << "\n" << problem;
  }
  EXPECT_GT(lines, 500);
  EXPECT_EQ(failures, 0);
}

TEST(Random, ProgramsOfDifferentShapesAreDifferent) {
  for (const Shape& shape : {Shape{1, 1000004}, Shape{2, 1}}) {
    auto f = [&](const Array& k) { return random::uniform(k, shape); };
    EXPECT_EQ(make_jaxpr(f)(random::key(0)).out_avals()[0].shape, shape);
  }
}

TEST(Random, SameBitsUnderJitAndVmap) {
  const Array key = random::key(3);
  const auto f = [](const Array& k) { return random::normal(k, {4}); };
  EXPECT_TRUE(bool(jnp::array_equal(jit(f)(key), f(key))));
  const Array keys = random::split(key, 3), each = vmap(f)(keys);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(bool(jnp::array_equal(each(i), f(keys(i)))));
}

TEST(Random, GradientOfASample) {
  const auto f = [](const Array& scale) { return jnp::sum(scale * random::normal(random::key(1), {5})); };
  EXPECT_FLOAT_EQ(grad(f)(2.0).item<float>(), jnp::sum(random::normal(random::key(1), {5})).item<float>());
}

TEST(Random, BadArguments) {
  const Array key = random::key(0), keys = random::split(key);
  EXPECT_EQ(error_class([&] { random::uniform(keys, {3}); }), "ValueError");
  EXPECT_EQ(error_class([&] { random::split(keys); }), "ValueError");
  EXPECT_EQ(error_class([&] { random::fold_in(keys, 1); }), "ValueError");
  EXPECT_EQ(error_class([&] { random::fold_in(key, jnp::ones({2}, int32)); }), "TypeError");
  EXPECT_EQ(error_class([&] { random::fold_in(key, -1); }), "OverflowError");
  EXPECT_EQ(error_class([&] { random::uniform(1.0, {3}); }), "TypeError");
  EXPECT_EQ(error_class([&] { random::uniform(key, {3}, int32); }), "ValueError");
  EXPECT_EQ(error_class([&] { random::uniform(key, {-3}); }), "ValueError");
  EXPECT_EQ(error_class([&] { random::uniform(key, {3}, float32, jnp::zeros({2})); }), "TypeError");
  EXPECT_EQ(error_class([&] { random::normal(key, {3}, int32); }), "ValueError");
  EXPECT_EQ(error_class([&] { random::bits(key, {3}, int8); }), "ValueError");
  EXPECT_EQ(error_class([&] { random::randint(key, {3}, 0, 3, float32); }), "TypeError");
  EXPECT_EQ(error_class([&] { random::bernoulli(key, 1); }), "TypeError");
  EXPECT_EQ(error_class([&] { random::wrap_key_data(jnp::zeros({3}, uint32)); }), "TypeError");
  EXPECT_EQ(error_class([&] { random::wrap_key_data(jnp::zeros({2})); }), "TypeError");
  EXPECT_EQ(error_class([&] { jnp::sin(key); }), "TypeError");
  EXPECT_EQ(error_class([&] { key + key; }), "TypeError");
}

TEST(Random, IntegersBetweenArrays) {
  const Array k = random::key(0), high = jnp::array({5, 15, 25});
  EXPECT_EQ(random::randint(k, {2, 3}, 0, high).str(), "[[ 4  0 12]\n [ 3 11 22]]");
  const Array low = jnp::reshape(jnp::array({1, 2}), {2, 1});
  EXPECT_EQ(random::randint(k, {2, 3}, low, high, int8).str(), "[[ 2  3  9]\n [ 3 11 12]]");
}

TEST(Random, KeysAreComparedWhole) {
  const Array k = random::split(random::key(0), 3);
  EXPECT_EQ((k == k).repr(), "Array([ True,  True,  True], dtype=bool)");
  EXPECT_EQ((k == k(0)).repr(), "Array([ True, False, False], dtype=bool)");
  EXPECT_EQ((k != k(0)).repr(), "Array([False,  True,  True], dtype=bool)");
  EXPECT_EQ((jnp::reshape(k, {3, 1}) == k).str(), "[[ True False False]\n [False  True False]\n [False False  True]]");
  EXPECT_EQ((random::key(1) == random::key(1)).str(), "True");
  EXPECT_EQ(error_class([&] { k == 1.0; }), "TypeError");
  EXPECT_EQ(error_class([&] { k < k; }), "TypeError");
}

std::string words(const Array& keys) { return random::key_data(keys).str(); }

// As JAX gives them on a CPU; a batch of keys shares the first one's sequence, so that vmap is no loop here.
TEST(Random, KeysOfPhilox) {
  const Array data = jnp::array({11, 22, 33, 44}).astype(uint32);
  const Array k = random::wrap_key_data(data, {.impl = "rbg"}), u = random::wrap_key_data(data, {.impl = "unsafe_rbg"});
  EXPECT_EQ(random::bits(k, 5, uint32).str(), "[3658403395 3111134084 2374753923 4076615984 2345695682]");
  EXPECT_EQ(random::bits(u, 5, uint16).str(), "[52803  9092 56963 14640 31170]");
  EXPECT_EQ(words(random::split(k, 3)(2)), "[2819340769 4163839588 2608553049 2965569741]");
  EXPECT_EQ(words(random::split(u, 3)(2)), "[  46065115  390385089  751214983 3958370437]");
  EXPECT_EQ(words(random::split(u, 100)(99)), "[2283325729 1479103568 1783421944  635996239]");
  EXPECT_EQ(words(random::fold_in(k, 7)), "[3642973985 2254068506 2164128913  703972527]");
  EXPECT_EQ(words(random::fold_in(u, 7)), "[2104303635  250182045 1106406559 1983638426]");
  const auto draw = [](const Array& key) { return random::bits(key, 3, uint32); };
  EXPECT_EQ(vmap(draw)(random::split(k, 2)).str(),
            "[[3672129531 3988635192  630502979]\n [ 505515310  668932819 2345941342]]");
  const auto halves = [](const Array& key) { return random::key_data(random::split(key, 2)); };
  EXPECT_EQ(vmap(halves)(random::split(u, 2))(1, 1).str(), "[ 472879469 2224730574 2926320696 2090491394]");
  EXPECT_EQ(words(random::key(-1, {.impl = "rbg"})), "[         0 4294967295          0 4294967295]");
  EXPECT_EQ(random::key_impl(u), "unsafe_rbg");
  EXPECT_EQ(random::key_dtype("rbg"), k.dtype());
}

TEST(Random, WordsAsKeys) {
  const Array raw = random::PRNGKey(0), key = random::key(0);
  EXPECT_EQ(random::split(raw, 2).str(), random::key_data(random::split(key, 2)).str());
  EXPECT_EQ(random::fold_in(raw, 3).str(), words(random::fold_in(key, 3)));
  EXPECT_EQ(random::normal(raw, 3).str(), random::normal(key, 3).str());
  EXPECT_EQ(error_class([&] { random::normal(random::split(raw, 2), 3); }), "ValueError");
  EXPECT_EQ(error_class([&] { random::poisson(random::key(0, {.impl = "rbg"}), 3.); }), "NotImplementedError");
  EXPECT_EQ(error_class([&] { random::key(0, {.impl = "philox4x32"}); }), "NotImplementedError");
  EXPECT_EQ(error_class([&] { random::key(0, {.impl = "none"}); }), "ValueError");
}

TEST(Random, GeneratorWithState) {
  const auto [state, bits] = lax::rng_bit_generator(jnp::array({1, 2, 3, 4}).astype(uint32), 9);
  EXPECT_EQ(state.str(), "[1 2 6 4]");
  EXPECT_EQ(bits(slice(0, 2)).str(), "[ 512747620 1298009047]");
  EXPECT_EQ(error_class([&] { lax::rng_bit_generator(state, 9, uint32, "none"); }), "ValueError");
  EXPECT_EQ(error_class([&] { lax::rng_bit_generator(jnp::ones({4}), 9); }), "TypeError");
}

TEST(Random, NumbersFromAStateOfTheProcess) {
  const Array x = lax::rng_uniform(-2., 3., 100'000), y = lax::rng_uniform(-2., 3., 100'000);
  EXPECT_FALSE(bool(jnp::array_equal(x, y)));
  EXPECT_TRUE(bool(jnp::all((x >= -2.) & (x < 3.))));
  EXPECT_NEAR(jnp::mean(x).item<float>(), 0.5, 0.02);
  EXPECT_NEAR(jnp::var(x).item<float>(), 25. / 12, 0.03);
  const Array n = lax::rng_uniform(jnp::array(-3), jnp::array(4), 7'000);
  for (int i = -3; i < 4; ++i) EXPECT_NEAR(jnp::sum(n == i).item<int>(), 1000, 150);
  EXPECT_TRUE(bool(jnp::all((n >= -3) & (n < 4))));
  const auto jitted = jit([] { return lax::rng_uniform(0., 1., 3); });
  EXPECT_FALSE(bool(jnp::array_equal(jitted(), jitted())));  // each run draws anew
  EXPECT_EQ(error_class([&] { lax::rng_uniform(jnp::array(0), 1., 3); }), "ValueError");
  EXPECT_EQ(error_class([&] { lax::rng_uniform(jnp::zeros({2}), jnp::ones({2}), 2); }), "ValueError");
  EXPECT_EQ(error_class([&] { lax::rng_uniform(false, true, 2); }), "TypeError");
  EXPECT_EQ(error_class([&] { grad([](const Array& a) { return lax::rng_uniform(a, 1., {}); })(0.); }),
            "NotImplementedError");
}

// As JAX gives them for key(0).
TEST(Random, OrderAndChoice) {
  const Array k = random::key(0), p = jnp::array({0.1, 0.2, 0.3, 0.2, 0.2});
  const Array table = jnp::arange(8).reshape({2, 4});
  const auto first = [](const Array& x, int n) { return x.reshape({-1})(slice(0, n)).str(); };
  EXPECT_EQ(first(random::permutation(k, jnp::arange(12).reshape({3, 4}), 0, {.independent = true}), 8),
            "[ 0  1  6  3  8  5 10  7]");
  EXPECT_EQ(first(random::permutation(k, jnp::arange(12).reshape({3, 4}), 1, {.independent = true}), 8),
            "[0 1 3 2 5 6 4 7]");
  EXPECT_EQ(random::choice(k, 5, 4, {.p = p}).str(), "[0 0 3 2]");
  EXPECT_EQ(random::choice(k, 5, 4, {.replace = false, .p = p}).str(), "[1 0 4 2]");
  EXPECT_EQ(first(random::choice(k, table, 3, {.replace = false, .axis = 1}), 6), "[0 1 3 4 5 7]");
  EXPECT_EQ(first(random::choice(k, jnp::arange(8).reshape({4, 2}), {1, 3}, {.replace = false}), 6), "[0 1 2 3 6 7]");
  EXPECT_EQ(first(random::choice(k, table, {3, 2}, {.axis = -1}), 8), "[1 0 0 1 3 3 5 4]");
  EXPECT_EQ(first(random::categorical(k, jnp::ones({3, 4}), -1, {2, 3}), 6), "[1 3 2 3 0 1]");
  EXPECT_EQ(first(random::categorical(k, jnp::ones({3, 4}), 0, {5, 4}), 8), "[0 0 2 1 1 2 0 0]");
  EXPECT_EQ(random::categorical(k, jnp::arange(5.), -1, 3, {.replace = false}).str(), "[1 4 3]");
  EXPECT_EQ(first(random::categorical(k, jnp::ones({5, 2}), 0, {3, 2}, {.replace = false}), 6), "[0 0 4 3 2 1]");
  EXPECT_EQ(random::permutation(k, 0).size(), 0);
  EXPECT_EQ(error_class([&] { random::permutation(k, 3.5); }), "TypeError");
  EXPECT_EQ(error_class([&] { random::choice(k, 3, 4, {.replace = false}); }), "ValueError");
  EXPECT_EQ(error_class([&] { random::choice(k, 3, 1, {.p = jnp::ones({2})}); }), "ValueError");
  EXPECT_EQ(error_class([&] { random::categorical(k, jnp::ones({3}), 1); }), "IndexError");
}

}  // namespace
}  // namespace cotan
