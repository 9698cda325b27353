// Random bits, splits, folds and seeds are JAX's, bit by bit: tests/golden/random_bits.txt, made by random_bits.py.
#include "ops/random.h"

#include <fstream>
#include <sstream>

#include "base/host_scalar.h"
#include "cotan/config.h"
#include "ops/elementwise.h"
#include "ops/structural.h"
#include "transforms/flat.h"
#include "unit/primitives/primitive_support.h"

namespace cotan::primitive_test {
namespace {

const std::vector<std::uint32_t> key_words = {0, 0, 0, 42, 0xFFFFFFFF, 0xFFFFFFFF, 0x13198A2E, 0x03707344};

Array key_of(std::uint32_t a, std::uint32_t b) {
  return ops::random_wrap(vector<std::uint32_t>({a, b}), DType::key_fry);
}
Array all_keys() { return ops::random_wrap(array<std::uint32_t>({4, 2}, key_words), DType::key_fry); }

Shape shape_of(std::string text) {
  Shape s;
  if (text == "-") return s;
  for (char& c : text) c = c == 'x' ? ' ' : c;
  std::istringstream in(text);
  for (std::int64_t n; in >> n;) s.push_back(n);
  return s;
}

// As random_bits.py has it: the number of values, a sum that depends on their places, the first four.
std::string digest(const Array& a) {
  const Array wide = ops::convert_element_type(is_key(a.dtype()) ? ops::random_unwrap(a) : a, uint64);
  const auto v = elements<std::uint64_t>(wide);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < v.size(); ++i) sum += v[i] * (i + 1);
  std::string s = std::to_string(v.size()) + " " + std::to_string(sum);
  for (std::size_t i = 0; i < v.size() && i < 4; ++i) s += " " + std::to_string(v[i]);
  return s;
}

Array computed(std::istringstream& in, const std::string& what) {
  std::uint32_t a = 0, b = 0;
  std::string shape;
  if (what == "fold") {
    std::uint32_t data = 0;
    in >> data >> a >> b;
    return ops::random_fold_in(key_of(a, b), array<std::uint32_t>({}, {data}));
  }
  if (what == "seed") {
    std::string type, value;
    in >> type >> value;
    DType d = int32;
    EXPECT_TRUE(dtype_from_name(type.data(), type.size(), &d));
    const HostScalar seed = HostScalar::parse(value, d);
    return ops::random_seed(evaluation_hook().from_bytes({{}, d, false}, seed.bytes), DType::key_fry);
  }
  int partitionable = 0, width = 0;
  in >> partitionable;
  config::Scoped scoped(config::Flag::threefry_partitionable, partitionable == 1);
  if (what == "split") {
    in >> shape >> a >> b;
    return ops::random_split(key_of(a, b), shape_of(shape));
  }
  in >> width >> shape;
  if (what == "batch") return ops::random_bits(all_keys(), width, shape_of(shape));
  in >> a >> b;
  return ops::random_bits(key_of(a, b), width, shape_of(shape));
}

TEST(Random, BitsAreJax) {
  std::ifstream golden(COTAN_SOURCE_DIR "/tests/golden/random_bits.txt");
  ASSERT_TRUE(golden.is_open());
  int lines = 0;
  for (std::string line; std::getline(golden, line); ++lines) {
    const std::size_t colon = line.find(" : ");
    ASSERT_NE(colon, std::string::npos);
    std::istringstream in(line.substr(0, colon));
    std::string what;
    in >> what;
    EXPECT_EQ(digest(computed(in, what)), line.substr(colon + 3)) << line;
  }
  EXPECT_GT(lines, 600);
}

TEST(Random, BatchesAreLoops) {
  const Array keys = all_keys();
  for (bool partitionable : {true, false}) {
    config::Scoped scoped(config::Flag::threefry_partitionable, partitionable);
    const auto bits =
        flat_vmap([](const Arrays& k) { return Arrays{ops::random_bits(k[0], 16, {5})}; }, {keys}, {0}, 4, "");
    const Array batched = with_batch_axis(bits[0], 0, 4);
    for (std::int64_t i = 0; i < 4; ++i) {
      const Array one = ops::random_bits(ops::squeeze(ops::slice(keys, {i}, {i + 1}), {0}), 16, {5});
      for (std::int64_t j = 0; j < 5; ++j) EXPECT_EQ(element(batched, {i, j}), element(one, {j}));
    }
  }
  // Words of keys batched along the last dimension, where the words themselves stand in the unbatched array.
  const Array words = ops::transpose(array<std::uint32_t>({4, 2}, key_words), {1, 0});
  const auto wrapped =
      flat_vmap([](const Arrays& w) { return Arrays{ops::random_wrap(w[0], DType::key_fry)}; }, {words}, {1}, 4, "");
  EXPECT_EQ(digest(wrapped[0].value), digest(keys));
}

TEST(Random, KeysKeepTheirWords) {
  for (DType d : {DType::key_fry, DType::key_rbg, DType::key_unsafe_rbg}) {
    const std::int64_t words = static_cast<std::int64_t>(item_size(d)) / 4;
    const Array data = arbitrary({{3, words}, uint32});
    const Array keys = ops::random_wrap(data, d), again = ops::random_unwrap(ops::random_clone(keys));
    EXPECT_EQ(keys.shape().str(), "(3,)");
    EXPECT_EQ(elements<std::uint32_t>(again), elements<std::uint32_t>(data));
  }
}

// As jax.random gives them, of a key of philox with the words 1 2 3 4, a split into 2, a fold with 7, and of the seed 42.
TEST(Random, OtherImplementationsAreJax) {
  using Words = std::vector<std::uint32_t>;
  struct Case {
    DType key;
    Words split, folded;
  };
  const Case cases[] = {{DType::key_rbg,
                         {629071667, 2343584484, 1144503774, 142997786, 629003988, 1317161160, 1441834994, 695621559},
                         {3427225942, 3095793599, 3360624042, 2998217454}},
                        {DType::key_unsafe_rbg,
                         {512747620, 1298009047, 1267190206, 761827841, 2117349439, 2738932741, 2107557141, 1903717071},
                         {2104303641, 250182025, 1106406589, 1983638450}}};
  const auto words = [](const Array& keys) { return elements<std::uint32_t>(ops::random_unwrap(keys)); };
  for (const Case& c : cases) {
    const Array key = ops::random_wrap(vector<std::uint32_t>({1, 2, 3, 4}), c.key);
    EXPECT_EQ(elements<std::uint32_t>(ops::random_bits(key, 32, {3})), (Words{512747620, 1298009047, 1267190206}));
    EXPECT_EQ(elements<std::uint8_t>(ops::random_bits(key, 8, {3})), (std::vector<std::uint8_t>{100, 215, 190}));
    EXPECT_EQ(words(ops::random_split(key, {2})), c.split);
    EXPECT_EQ(words(ops::random_fold_in(key, array<std::uint32_t>({}, {7}))), c.folded);
    EXPECT_EQ(words(ops::random_seed(array<std::int32_t>({}, {42}), c.key)), (Words{0, 42, 0, 42}));
  }
}

}  // namespace
}  // namespace cotan::primitive_test
