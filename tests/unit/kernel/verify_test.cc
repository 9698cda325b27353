#include <gtest/gtest.h>

#include "kernel/plan.h"
#include "stub_tiles.h"

namespace cotan::kernel::test {
namespace {

class Verify : public ::testing::Test {
 protected:
  void SetUp() override {
    install_stub_tiles();
    ProgramBuilder b({4, 3});
    const Value x = b.contiguous(0, DType::float32);
    const Value y = b.apply("add", DType::float32, {x, b.constant_of(DType::float32, 1.0f)});
    b.store_contiguous(b.apply("lt", DType::float32, {y, x}), 1);
    good_ = b.finish();
    ASSERT_EQ(check(good_), "");
  }
  static std::string check(const Program& p) {
    const std::int64_t bytes[] = {48, 12};
    return verify(p, bytes);
  }
  template <class F> std::string broken(F change) {
    Program p = good_;
    change(p);
    return check(p);
  }
  Program good_;
};

TEST_F(Verify, Loops) {
  EXPECT_EQ(broken([](Program& p) { p.extents[0] = -1; }), "a negative extent");
  EXPECT_EQ(broken([](Program& p) { p.extents = Dims::filled(65, 1); }), "more than 64 loops");
  EXPECT_EQ(broken([](Program& p) { p.sources[0].strides = {1}; }), "s0: one stride per loop is needed");
}

TEST_F(Verify, Bounds) {
  EXPECT_EQ(broken([](Program& p) { p.sources[0].offset = 1; }), "s0: reaches outside b0");
  EXPECT_EQ(broken([](Program& p) { p.sources[0].strides = {-3, 1}; }), "s0: reaches outside b0");
  EXPECT_EQ(broken([](Program& p) { p.sources[0].strides = {-3, 1}, p.sources[0].offset = 9; }), "");
  EXPECT_EQ(broken([](Program& p) { p.sources[0].buffer = 2; }), "s0: no buffer b2");
  EXPECT_EQ(broken([](Program& p) { p.sources[0].strides = {std::int64_t{1} << 62, 1}; }), "s0: reaches outside b0");
  EXPECT_EQ(broken([](Program& p) { p.stores[0].offset = -1; }), "store to b1: reaches outside b1");
  EXPECT_EQ(broken([](Program& p) { p.extents = {0, 3}, p.sources[0].offset = 1000; }), "");
  EXPECT_EQ(broken([](Program& p) { p.stores[0].strides = {1, 0}; }), "store to b1: writes one element more than once");
}

TEST_F(Verify, Starts) {
  const auto started = [&](Start t) {
    return broken([&](Program& p) { p.extents = {3, 3}, p.sources[0].starts = {t}; });
  };
  EXPECT_EQ(started({1, DType::int32, 1, 3}), "");
  EXPECT_EQ(started({1, DType::int32, 1, 4}), "s0: reaches outside b0");
  EXPECT_EQ(started({1, DType::int32, 1, -1}), "s0: reaches outside b0");
  EXPECT_EQ(started({1, DType::float32, 1, 3}), "s0: a start is an integer, not float32");
  EXPECT_EQ(started({1, DType::int32, -1, 3}), "s0: a start with no place");
  EXPECT_EQ(started({2, DType::int32, 1, 3}), "s0: no buffer b2");
  const std::int64_t bytes[] = {48, 3};
  Program p = good_;
  p.extents = {1, 3}, p.stores[0].starts = {{1, DType::int32, 0, 1}};
  EXPECT_EQ(verify(p, bytes), "store to b1: no start in b1");
}

TEST_F(Verify, Values) {
  const Value later{ValueKind::instruction, 1};
  EXPECT_EQ(broken([&](Program& p) { p.instructions[0].operands[0] = later; }),
            "t0: operand 0 is not defined before it is used");
  EXPECT_EQ(broken([](Program& p) { p.instructions[1].operands[1] = {}; }),
            "t1: operand 1 is not defined before it is used");
  EXPECT_EQ(broken([](Program& p) { p.instructions[0].operands[2] = p.instructions[0].operands[0]; }),
            "t0: more operands than the operation takes");
  EXPECT_EQ(broken([](Program& p) {
              p.stores[0].value = {ValueKind::constant, 5};
            }),
            "store to b1: the value is not defined");
}

TEST_F(Verify, Types) {
  EXPECT_EQ(broken([](Program& p) { p.sources[0].dtype = DType::int32; }), "t0: operand 0 is int32, not float32");
  EXPECT_EQ(broken([](Program& p) { p.instructions[1].result = DType::float32; }), "t1: a predicate's result is bool");
  EXPECT_EQ(broken([](Program& p) { p.instructions[0].type = DType::bool_; }), "t0: add does not exist for bool");
  EXPECT_EQ(broken([](Program& p) { p.instructions[0].op = nullptr, p.instructions[0].result = DType::uint8; }),
            "t0: no such conversion");
  EXPECT_EQ(broken([](Program& p) { p.sources[0].dtype = DType::float0; }), "s0: float0 has no bits");
}

TEST_F(Verify, Reductions) {
  const auto reduced = [&](auto change) {
    Program p = reduce_program(Combiner::sum, DType::float32, DType::float32, {4, 3}, {0});
    change(p);
    return check(p);
  };
  EXPECT_EQ(reduced([](Program&) {}), "");
  EXPECT_EQ(reduced([](Program& p) { p.reduction->loops = {1, 0}; }), "reduce sum: loops must ascend and exist");
  EXPECT_EQ(reduced([](Program& p) { p.reduction->loops = {2}; }), "reduce sum: loops must ascend and exist");
  EXPECT_EQ(reduced([](Program& p) { p.reduction->result = DType::int32; }), "reduce sum: the result cannot be int32");
  EXPECT_EQ(reduced([](Program& p) { p.reduction->combiner = Combiner::argmax; }),
            "reduce argmax: the result cannot be float32");
  EXPECT_EQ(reduced([](Program& p) { p.reduction->combiner = Combiner::bit_and; }),
            "reduce and: does not exist for float32");
  EXPECT_EQ(reduced([](Program& p) {
              p.stores.push_back({p.reduction->value, 0, 0, {3, 1}});
            }),
            "both stores and a reduction");
  EXPECT_EQ(reduced([](Program& p) { p.reduction.reset(); }), "no store and no reduction");
}

TEST_F(Verify, Aliases) {
  ProgramBuilder b({4});
  b.store_contiguous(b.apply("neg", DType::float32, {b.contiguous(0, DType::float32)}), 1);
  Program p = b.finish();
  EXPECT_TRUE(may_alias(p, 1, 0));
  p.aliases = {{1, 0}};
  const std::int64_t bytes[] = {16, 16};
  EXPECT_EQ(verify(p, bytes), "");
  p.sources[0].strides = {-1}, p.sources[0].offset = 3;
  EXPECT_FALSE(may_alias(p, 1, 0));
  EXPECT_EQ(verify(p, bytes), "b1 cannot take the memory of b0");
  EXPECT_FALSE(may_alias(good_, 1, 0));  // float32 to bool
}

TEST_F(Verify, Plans) {
  Plan plan;
  const int in = plan.add_input(48), temporary = plan.add_temporary(12), out = plan.add_output(12);
  const int first[] = {in, temporary}, second[] = {temporary, out};
  append(&plan, good_, first);
  append(&plan, copy_program(DType::bool_, {12}, {1}), second);
  EXPECT_EQ(verify(plan), "");
  std::swap(plan.steps[0], plan.steps[1]);
  EXPECT_EQ(verify(plan), "step 0: b1 is read before it is written");
  std::swap(plan.steps[0], plan.steps[1]);
  plan.steps.pop_back();
  EXPECT_EQ(verify(plan), "output b2 is never written");
  const int backwards[] = {out, in};
  append(&plan, copy_program(DType::bool_, {12}, {1}), second);
  append(&plan, copy_program(DType::bool_, {12}, {1}), backwards);
  EXPECT_EQ(verify(plan), "step 2: input b0 is written");
  plan.steps.pop_back();
  plan.buffers[1].bytes = 11;
  EXPECT_EQ(verify(plan), "step 0: store to b1: reaches outside b1");
}

}  // namespace
}  // namespace cotan::kernel::test
