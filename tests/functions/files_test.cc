// Files of arrays: those that NumPy writes (tests/golden/npy_files.py), and those that we write. The state of printing.
#include "cotan/numpy_files.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "api/function_table.h"
#include "cotan/numpy_print.h"
#include "unit/functions/golden_support.h"

namespace cotan::golden {
namespace {

namespace fs = std::filesystem;
namespace jnp = cotan::numpy;
using table::Value;

class Files : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("cotan_files_" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  fs::path folder_;
};

std::string from_hex(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return bytes;
}
Value call(const char* name, const Value::Items& positional, const Value::Entries& keywords = {}) {
  return (*table::find_function(name))({positional, keywords});
}

TEST_F(Files, OfNumPy) {
  std::ifstream golden(COTAN_SOURCE_DIR "/tests/golden/npy_files.txt");
  ASSERT_TRUE(golden);
  int count = 0;
  for (std::string line; std::getline(golden, line); ++count) {
    const std::vector<std::string> fields = split(line, '\t');
    ASSERT_EQ(fields.size(), 3u) << line;
    SCOPED_TRACE(fields[0]);
    const std::string file = path("x");
    std::ofstream(file, std::ios::binary) << from_hex(fields[1]);
    if (fields[2][0] == '!') {
      EXPECT_EQ(error_class([&] { call("numpy.load", {file}); }), fields[2].substr(1));
      continue;
    }
    const Value got = call("numpy.load", {file}), want = table::parse_value(fields[2]);
    EXPECT_EQ(got.str(), want.str());
  }
  EXPECT_GE(count, 50);
}

TEST_F(Files, WrittenAndRead) {
  for (DType d : {bool_, int8, int16, int32, uint8, uint16, uint32, bfloat16, float16, float32, complex64})
    for (const Shape& s : {Shape{}, Shape{3}, Shape{2, 3}, Shape{0, 2}, Shape{1, 1, 2}}) {
      const Array x = (jnp::arange(s.size()) - 1).astype(d).reshape(s);
      jnp::save(path("x.npy"), x);
      const Array y = jnp::load(path("x.npy"));
      EXPECT_EQ(y.aval(), x.aval());
      EXPECT_EQ(y.repr(), x.repr());
      EXPECT_EQ(fs::file_size(path("x.npy")) % 64, static_cast<std::uintmax_t>(s.size()) * item_size(d) % 64);
    }
  const enable_x64 wide(true);
  for (DType d : {int64, uint64, float64, complex128}) {
    const Array x = jnp::arange(5).astype(d);
    jnp::save(path("y"), x);  // the suffix is added
    EXPECT_EQ(jnp::load(path("y.npy")).repr(), x.repr());
  }
}

TEST_F(Files, Narrowed) {
  {
    const enable_x64 wide(true);
    jnp::save(path("x"), jnp::array({1.5, 2.5}));
    jnp::save(path("i"), jnp::array({std::int64_t{1} << 40}));
  }
  EXPECT_EQ(jnp::load(path("x.npy")).dtype(), float32);
  EXPECT_THROW(jnp::load(path("i.npy")), OverflowError);
}

TEST_F(Files, OfSeveralArrays) {
  jnp::savez(path("x"), {{"weights", jnp::ones({2, 3})}, {"step", Array(3)}});
  const jnp::NamedArrays r = jnp::load_npz(path("x.npz"));
  ASSERT_EQ(r.size(), 2u);
  EXPECT_EQ(r[0].first, "weights");
  EXPECT_EQ(r[0].second.repr(), jnp::ones({2, 3}).repr());
  EXPECT_EQ(r[1].first, "step");
  EXPECT_THROW(jnp::load(path("x.npz")), ValueError);
  EXPECT_THROW(jnp::savez(path("y"), {{"a", Array(1)}, {"a", Array(2)}}), ValueError);
  call("numpy.savez", {path("z"), Array(1.5f), jnp::arange(3)}, {{"b", jnp::arange(2)}});
  const Value z = call("numpy.load", {path("z.npz")});
  ASSERT_TRUE(z.is_dict());
  EXPECT_EQ(z.entries()[0].first, "arr_0");
  EXPECT_EQ(z.entries()[2].first, "b");
}

TEST_F(Files, ThatAreNotThere) {
  EXPECT_THROW(jnp::load(path("none.npy")), FileNotFoundError);
  EXPECT_THROW(jnp::save(path("none/x.npy"), 1.0f), FileNotFoundError);
  EXPECT_THROW(jnp::load(folder_.string()), OSError);
  try {
    jnp::load(path("none.npy"));
  } catch (const FileNotFoundError& e) { EXPECT_NE(std::string(e.what()).find("none.npy"), std::string::npos); }
}

TEST_F(Files, OfWhatIsNoNumber) {
  EXPECT_THROW(jnp::save(path("x"), random::key(0)), TypeError);
  EXPECT_THROW(jit([&](const Array& x) {
                 jnp::save(path("x"), x);
                 return x;
               })(1.0f),
               TracerArrayConversionError);
  EXPECT_FALSE(fs::exists(path("x.npy")));
}

TEST(Bytes, BecomeArrays) {
  const float v[] = {1.5f, -2.0f};
  const std::string_view bytes(reinterpret_cast<const char*>(v), sizeof v);
  EXPECT_EQ(jnp::frombuffer(bytes, float32).repr(), jnp::array({1.5f, -2.0f}).repr());
  EXPECT_EQ(jnp::frombuffer(bytes, float32, 1, 4).item<float>(), -2.0f);
  EXPECT_THROW(jnp::frombuffer(bytes, float64, 2), ValueError);
  EXPECT_EQ(jnp::fromstring("1, 2, 3", int32, -1, {.sep = ","}).repr(), jnp::arange(1, 4).repr());
}

TEST(Numbers, UnsignedOnes) {
  EXPECT_EQ(jnp::array(4000000000u, uint32).item<std::uint32_t>(), 4000000000u);
  EXPECT_EQ((jnp::array(4000000000u, uint32) + 5u).item<std::uint32_t>(), 4000000005u);
  EXPECT_THROW(Array(4000000000u), OverflowError);
  EXPECT_THROW(jnp::array(300u, uint8), OverflowError);
  try {
    jnp::ones({2}) + 4000000000u;
  } catch (const OverflowError& e) {
    EXPECT_NE(std::string(e.what()).find("numpy::array(4000000000u, uint32)"), std::string::npos);
  }
}

TEST(PrintOptions, AsValues) {
  const Value before = call("numpy.get_printoptions", {});
  ASSERT_TRUE(before.is_dict());
  EXPECT_EQ(before.str(),
            "{'edgeitems': 3, 'threshold': 1000, 'floatmode': 'maxprec', 'precision': 8, 'suppress': False, "
            "'linewidth': 75, 'nanstr': 'nan', "
            "'infstr': 'inf', 'sign': '-', 'formatter': None, 'legacy': False, 'override_repr': None}");
  const Array x = jnp::array({1.23456f, 2.0f});
  const Value text = table::parse_value("@numpy.array_str", [](std::string_view name) -> Value {
    const table::Function* f = table::find_function(name.substr(1));
    return Value::Function{[f](const Value::Items& a) { return (*f)({a, {}}); }, f->full_name()};
  });
  const Value with = call("numpy.printoptions", {}, {{"precision", 2}});
  const Value inside = with.get<Value::Function>()->call({text});
  EXPECT_EQ(inside.get<Value::Function>()->call({x}).str(), "'[1.23 2.  ]'");
  EXPECT_EQ(call("numpy.array_str", {x}).str(), "'[1.23456 2.     ]'");
  call("numpy.set_printoptions", {}, {{"precision", 3}, {"sign", "+"}});
  EXPECT_EQ(jnp::get_printoptions().precision, 3);
  call("numpy.set_printoptions", {}, {{"precision", 8}, {"sign", "-"}});
  EXPECT_EQ(call("numpy.get_printoptions", {}).str(), before.str());
}

}  // namespace
}  // namespace cotan::golden
