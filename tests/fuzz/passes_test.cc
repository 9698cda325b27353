// What the passes make of a program gives the same bits: identities at special values of every dtype. Random programs are in fuzz_test.cc.
#include <gtest/gtest.h>

#include "compiler/pipeline.h"
#include "control/jit.h"
#include "cotan/cotan.h"
#include "derived/values.h"

namespace cotan {
namespace {

struct Identity {
  const char* name;
  const char* kinds;      // of dtypes: f(loat), c(omplex), i(nteger), u(nsigned), b(ool)
  const char* equations;  // from %0 of dtype T to %9; NUM is a number's text, as in `1.0` or `1`
  std::size_t left = 0;   // equations afterwards
};

const Identity identities[] = {
    {"times_one", "fiu", "%9:T[12] = mul %0 1:T[];"},
    {"one_times", "fiu", "%9:T[12] = mul 1:T[] %0;"},
    {"plus_zero", "f", "%9:T[12] = add %0 -0:T[];"},
    {"zero_plus", "f", "%9:T[12] = add_any -0:T[] %0;"},
    {"integer_plus_zero", "iu", "%9:T[12] = add %0 0:T[];"},
    {"complex_plus_zero", "c", "%9:T[12] = add %0 (-0-0j):T[];"},
    {"minus_zero", "fiu", "%9:T[12] = sub %0 0:T[];"},
    {"divided_by_one", "fiu", "%9:T[12] = div %0 1:T[];"},
    {"divided_by_four", "f", "%9:T[12] = div %0 4:T[];", 1},
    {"divided_by_minus_small", "f", "%9:T[12] = div %0 -0.00006103515625:T[];", 1},
    {"divided_by_large", "f", "%9:T[12] = div %0 16384:T[];", 1},
    {"power_one", "fiu", "%9:T[12] = integer_pow[y=1] %0;"},
    {"pow_one", "f", "%9:T[12] = pow %0 1:T[];"},
    {"neg_neg", "fciu", "%1:T[12] = neg %0; %9:T[12] = neg %1;"},
    {"abs_neg", "fi", "%1:T[12] = neg %0; %9:T[12] = abs %1;", 1},
    {"abs_abs", "fi", "%1:T[12] = abs %0; %9:T[12] = abs %1;", 1},
    {"max_self", "fciub", "%9:T[12] = max %0 %0;"},
    {"min_self", "fciub", "%9:T[12] = min %0 %0;"},
    {"max_lowest", "f", "%9:T[12] = max -inf:T[] %0;"},
    {"min_highest", "f", "%9:T[12] = min %0 inf:T[];"},
    {"floor_ceil", "f", "%1:T[12] = ceil %0; %9:T[12] = floor %1;", 1},
    {"ceil_round", "f", "%1:T[12] = round[rounding_method=AWAY_FROM_ZERO] %0; %9:T[12] = ceil %1;", 1},
    {"round_floor", "f", "%1:T[12] = floor %0; %9:T[12] = round[rounding_method=TO_NEAREST_EVEN] %1;", 1},
    {"not_not", "iub", "%1:T[12] = not %0; %9:T[12] = not %1;"},
    {"and_self", "iub", "%9:T[12] = and %0 %0;"},
    {"or_self", "iub", "%9:T[12] = or %0 %0;"},
    {"xor_zero", "iu", "%9:T[12] = xor 0:T[] %0;"},
    {"shifted_by_zero", "iu", "%9:T[12] = shift_right_arithmetic %0 0:T[];"},
    {"conj_conj", "c", "%1:T[12] = conj[input_dtype=N] %0; %9:T[12] = conj[input_dtype=N] %1;"},
    {"sum_over_nothing", "fciu", "%9:T[12] = reduce_sum[axes=(), out_sharding=None] %0;"},
    {"max_over_nothing", "fciub", "%9:T[12] = reduce_max[axes=()] %0;"},
    {"prod_over_nothing", "fciu", "%9:T[12] = reduce_prod[axes=()] %0;"},
    {"same_cases", "fciub", "%9:T[12] = select_n False:bool[] %0 %0;"},
    {"stop_gradient", "fciub", "%9:T[12] = stop_gradient %0;"},
};

std::string replaced(std::string s, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = s.find(from, at)) != std::string::npos; at += to.size())
    s.replace(at, from.size(), to);
  return s;
}
std::string short_name(DType d) {
  const std::string s = Aval{{}, d, false}.str();
  return s.substr(0, s.find('['));
}
char kind_of(DType d) {
  if (d == DType::bool_) return 'b';
  if (is_complex(d)) return 'c';
  if (is_floating(d)) return 'f';
  return d == DType::uint8 || d == DType::uint16 || d == DType::uint32 || d == DType::uint64 ? 'u' : 'i';
}

// A special value of each kind, and others: 12 in all, of which eight lanes go together and four by themselves.
Array special_array(DType d) {
  const Array all = derived::special_values(d, 0);
  const auto n = static_cast<std::size_t>(all.size()), item = item_size(d);
  std::vector<unsigned char> bytes(12 * item);
  for (std::size_t i = 0; i < 12; ++i)
    std::memcpy(bytes.data() + i * item, static_cast<const unsigned char*>(bytes_of(all)) + i % n * item, item);
  return evaluation_hook().from_bytes({{12}, d, false}, bytes.data());
}

constexpr DType dtypes[] = {DType::bool_,    DType::int8,    DType::int16,   DType::int32,     DType::int64,
                            DType::uint8,    DType::uint16,  DType::uint32,  DType::uint64,    DType::float16,
                            DType::bfloat16, DType::float32, DType::float64, DType::complex64, DType::complex128};

std::vector<Array> run(const ClosedJaxpr& c, const Array& x, bool plain) {
  const config::Scoped scope(config::Flag::disable_most_optimizations, plain);
  return bind_jit("f", c, {x});
}

TEST(Passes, IdentitiesKeepTheBits) {
  const enable_x64 x64;
  for (const Identity& id : identities)
    for (DType d : dtypes) {
      if (std::string(id.kinds).find(kind_of(d)) == std::string::npos) continue;
      const std::string body =
          replaced(replaced(id.equations, "T[", short_name(d) + '['), "=N]", "=" + std::string(dtype_name(d)) + "]");
      const ClosedJaxpr c = parse_jaxpr("{ lambda ; %0:" + short_name(d) + "[12] . let " + body + " in (%9) }");
      SCOPED_TRACE(std::string(id.name) + ' ' + dtype_name(d));
      EXPECT_EQ(optimized(share(c))->eqns.size(), id.left);
      const Array x = special_array(d);
      const Array plain = run(c, x, true)[0], fused = run(c, x, false)[0];
      EXPECT_TRUE(derived::same_bits(plain, fused)) << plain << '\n' << fused;
    }
}

// From each dtype to each other one and on to a third.
TEST(Passes, ConversionsKeepTheBits) {
  const enable_x64 x64;
  for (DType a : dtypes)
    for (DType b : dtypes)
      for (DType c : dtypes) {
        const auto convert = [](const char* to, DType d, const char* from) {
          return std::string(to) + ':' + short_name(d) + "[12] = convert_element_type[new_dtype=" + dtype_name(d) +
                 ", weak_type=False] " + from + "; ";
        };
        const ClosedJaxpr program = parse_jaxpr("{ lambda ; %0:" + short_name(a) + "[12] . let " +
                                                convert("%1", b, "%0") + convert("%2", c, "%1") + "in (%2) }");
        const Array x = special_array(a);
        const Array plain = run(program, x, true)[0], fused = run(program, x, false)[0];
        EXPECT_TRUE(derived::same_bits(plain, fused)) << program << '\n' << plain << '\n' << fused;
      }
}

// Both forms of one program are there in one process.
TEST(Passes, TheSwitchChoosesTheForm) {
  const ClosedJaxpr c = parse_jaxpr("{ lambda ; %0:f32[] . let %1:f32[] = sin %0; %2:f32[] = cos %1; in (%2) }");
  const Array x = numpy::array(0.5f);
  const Array fused = run(c, x, false)[0], plain = run(c, x, true)[0], again = run(c, x, false)[0];
  EXPECT_TRUE(derived::same_bits(fused, plain));
  EXPECT_TRUE(derived::same_bits(fused, again));
  const config::Scoped scope(config::Flag::disable_most_optimizations, true);
  EXPECT_EQ(optimized(share(c)).get(), &c.jaxpr());
}

}  // namespace
}  // namespace cotan
