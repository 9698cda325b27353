#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/jaxpr_utils.h"
#include "unit/core/test_primitives.h"

namespace cotan::test {
namespace {

ClosedJaxpr small_program() { return parse_jaxpr("{ lambda ; %0:f32[3] . let %1:f32[3] = sin %0; in (%1) }"); }

EveryParams full() {
  EveryParams p;
  p.boolean = true;
  p.dtype = DType::bfloat16;
  p.flags = {true, false};
  p.integer = std::numeric_limits<int>::min();
  p.large = std::numeric_limits<std::int64_t>::min();
  p.lists = {{1, 2}, {}, {-3}};
  p.maybe = Mode::zero;
  p.mode = Mode::fill_or_drop;
  p.numbers = {{1}, {2, 3}};
  p.pairs = {{{7}, {}}, {{}, Numbers{{}, {5}}}};
  p.program = small_program();
  p.real = -0.0;
  p.shape = {2, 3};
  p.text = "a \"quoted\\ text\"\n\x01, ]";
  return p;
}

struct Params : testing::Test {
  void SetUp() override { set_up(); }
};

std::uint64_t hash_of(const ParamsRef& p) {
  Hasher h;
  params_hash(p.get(), h);
  return h.value();
}

TEST_F(Params, AreEqualByValue) {
  const ParamsRef a = make_params(full()), b = make_params(full());
  EXPECT_TRUE(params_equal(a.get(), b.get()));
  EXPECT_EQ(hash_of(a), hash_of(b));
  EXPECT_TRUE(params_equal(nullptr, nullptr));
  EXPECT_FALSE(params_equal(a.get(), nullptr));
  EXPECT_FALSE(params_equal(a.get(), make_params(AxisParams{}).get()));
}

TEST_F(Params, EveryFieldCounts) {
  const std::vector<void (*)(EveryParams&)> changes = {
      [](EveryParams& p) { p.boolean = false; },
      [](EveryParams& p) { p.dtype = DType::float16; },
      [](EveryParams& p) { p.flags[1] = true; },
      [](EveryParams& p) { p.integer = 0; },
      [](EveryParams& p) { p.large = 0; },
      [](EveryParams& p) { p.lists[1] = {0}; },
      [](EveryParams& p) { p.maybe.reset(); },
      [](EveryParams& p) { p.mode = Mode::clip; },
      [](EveryParams& p) { p.numbers.second = {2}; },
      [](EveryParams& p) { p.pairs[1].b->first = {1}; },
      [](EveryParams& p) { p.program = parse_jaxpr("{ lambda ; %0:f32[3] . let %1:f32[3] = cos %0; in (%1) }"); },
      [](EveryParams& p) { p.program.reset(); },
      [](EveryParams& p) { p.real = 0.0; },
      [](EveryParams& p) {
        p.shape = {3, 2};
      },
      [](EveryParams& p) { p.text += ' '; },
  };
  const ParamsRef a = make_params(full());
  for (std::size_t i = 0; i < changes.size(); ++i) {
    EveryParams changed = full();
    changes[i](changed);
    const ParamsRef b = make_params(changed);
    EXPECT_FALSE(params_equal(a.get(), b.get())) << i;
    EXPECT_NE(hash_of(a), hash_of(b)) << i;
  }
}

TEST_F(Params, NanIsEqualToItself) {
  EveryParams p = full();
  p.real = std::nan("");
  EXPECT_TRUE(params_equal(make_params(p).get(), make_params(p).get()));
}

struct HandleParams {
  CallableRef function;
  template <class S, class V> static void fields(S& s, V& v) { v("function", s.function); }
};
const Primitive handle{.name = "handle",
                       .doc = "for tests",
                       .params = &params_ops<HandleParams>,
                       .abstract_eval = [](const AbstractIn& a, AvalVec& out) { out.push_back(a.in[0]); },
                       .jvp = zero_derivative,
                       .transpose = not_linear,
                       .batching = not_linear,
                       .run = [](const EqnContext&, std::span<const Array>, ArrayVec&) {},
                       .stablehlo = NoRule{"for tests"},
                       .samples = [] { return std::vector<Sample>(); }};

TEST_F(Params, FunctionsAreHandlesThatAreReadWhileTheyLive) {
  static const bool registered = (register_primitive(handle), true);
  ASSERT_TRUE(registered);
  auto f = std::make_shared<const Callable>("f"), g = std::make_shared<const Callable>("f");
  EXPECT_FALSE(params_equal(make_params(HandleParams{f}).get(), make_params(HandleParams{g}).get()));
  EXPECT_TRUE(params_equal(make_params(HandleParams{f}).get(), make_params(HandleParams{f}).get()));
  EXPECT_NE(hash_of(make_params(HandleParams{f})), hash_of(make_params(HandleParams{g})));
  std::string text;
  {
    auto j = make_ref<Jaxpr>();
    const Var in = j->add_var({{}, DType::float32, false}), out = j->add_var({{}, DType::float32, false});
    j->invars = {in};
    const Atom operands[] = {in};
    j->add_eqn(handle, make_params(HandleParams{f}), operands, {&out, 1});
    j->outvars = {out};
    const ClosedJaxpr c = close_jaxpr(j);
    text = c.to_text();
    EXPECT_TRUE(same_jaxpr(c, parse_jaxpr(text)));
    EXPECT_NE(c.str().find("function=f"), std::string::npos) << c.str();
  }
  f.reset();
  EXPECT_THROW(parse_jaxpr(text), ValueError);
}

TEST_F(Params, AreReadAsTheyAreWritten) {
  auto j = make_ref<Jaxpr>();
  const Var in = j->add_var({{3}, DType::float32, false}), out = j->add_var({{3}, DType::float32, false});
  j->invars = {in};
  const Atom operands[] = {in};
  const ParamsRef params = make_params(full());
  j->add_eqn(every, params, operands, {&out, 1});
  j->outvars = {out};
  const ClosedJaxpr c = close_jaxpr(j);
  const ClosedJaxpr back = parse_jaxpr(c.to_text());
  EXPECT_TRUE(params_equal(params.get(), back.jaxpr().eqns[0].params.get()));
  EXPECT_TRUE(same_jaxpr(c, back));
  EXPECT_EQ(c.to_text(), back.to_text());
  EXPECT_EQ(c.to_text(),
            R"({ lambda ; %0:f32[3] . let
    %1:f32[3] = every[absent=None, boolean=True, dtype=bfloat16, flags=[True, False], integer=-2147483648, )"
            R"(large=-9223372036854775808, lists=[(1, 2), (), (-3,)], maybe="0", mode=Mode.FILL_OR_DROP, )"
            R"(numbers=Numbers(first=(1,), second=(2, 3)), pairs=[(a=(7,), b=None), (a=(), b=Numbers(first=(), )"
            R"(second=(5,)))], program={ lambda ; %0:f32[3] . let
        %1:f32[3] = sin %0;
      in (%1) }, real=-0.0, shape=(2, 3), text="a \"quoted\\ text\"\x0a\x01, ]"] %0;
  in (%1) })");
}

TEST_F(Params, ProgramsAreFound) {
  auto j = make_ref<Jaxpr>();
  j->add_eqn(every, make_params(full()), {}, {});
  int n = 0;
  each_jaxpr(j->eqns[0], [&](const ClosedJaxpr& c) { n += static_cast<int>(c.jaxpr().eqns.size()); });
  EXPECT_EQ(n, 1);
}

}  // namespace
}  // namespace cotan::test
