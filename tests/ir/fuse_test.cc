// What becomes one kernel, and what works in place. A step is written as its kind, the number of its instructions, of the
// buffers it reads and of those it writes: "map 4 2>1", "sum 1 1>1", "copy 1>1", "dot 2>1", "scan 3>1".
#include <gtest/gtest.h>

#include <set>

#include "compiler/passes/buffers.h"
#include "compiler/passes/fuse.h"
#include "compiler/pipeline.h"
#include "core/jaxpr.h"
#include "core/primitive.h"
#include "cotan/cotan.h"

namespace {

using namespace cotan;
namespace ct = cotan;
namespace jnp = cotan::numpy;

std::string count(const std::vector<int>& buffers) {
  return std::to_string(std::set<int>(buffers.begin(), buffers.end()).size());
}

std::string kind_of(const kernel::Step& step) {
  if (const auto* c = std::get_if<kernel::LibraryCall>(&step)) return kernel::library_op_name(c->op);
  if (const auto* e = std::get_if<kernel::EquationCall>(&step)) return e->name;
  if (const auto* b = std::get_if<kernel::Blocks>(&step)) return "blocks " + std::to_string(b->steps.size());
  const auto& p = std::get<kernel::Program>(step);
  const std::string n = " " + std::to_string(p.instructions.size());
  if (p.reduction) return kernel::combiner_name(p.reduction->combiner) + n;
  return p.instructions.empty() ? "copy" : "map" + n;
}

kernel::Plan plan_of(const ct::ClosedJaxpr& c) { return compile(share(c)).plan; }

// Which outputs take an input's memory, where any may: "0<1" for output 0 and input 1.
std::string donors(const ct::ClosedJaxpr& c) {
  kernel::Plan plan = plan_of(c);
  Donations all;
  all.taker.assign(static_cast<std::size_t>(plan.input_count()), Donations::any);
  const Homes homes = assign_buffers(&plan, all);
  EXPECT_EQ(kernel::verify(plan), "");
  std::string s;
  for (std::size_t i = 0; i < homes.donor.size(); ++i)
    if (homes.donor[i] >= 0) s += (s.empty() ? "" : ", ") + std::to_string(i) + "<" + std::to_string(homes.donor[i]);
  return s;
}

std::string steps(const kernel::Plan& plan) {
  std::string s;
  for (const kernel::Step& step : plan.steps)
    s += (s.empty() ? "" : ", ") + kind_of(step) + " " + count(kernel::reads_of(step)) + ">" +
         count(kernel::writes_of(step));
  return s;
}

template <class F, class... A> std::string fused(F f, const A&... args) {
  const kernel::Plan plan = plan_of(ct::make_jaxpr(f)(args...));
  EXPECT_EQ(kernel::verify(plan), "");
  return steps(plan);
}

const Array m = jnp::ones({64, 32}), row = jnp::ones({32}), v = jnp::ones({1000});

TEST(Fuse, ChainsOfElementwiseOperations) {
  EXPECT_EQ(fused([](const Array& x, const Array& y) { return jnp::tanh(x * y + x) - y; }, v, v), "map 4 2>1");
  EXPECT_EQ(fused([](const Array& x) { return jnp::sin(x) * jnp::cos(x); }, v), "map 3 1>1");
  EXPECT_EQ(fused([](const Array& x, const Array& y) { return jnp::exp(x) + jnp::exp(y); }, v, v), "map 3 2>1");
}

TEST(Fuse, SeveralResults) {
  EXPECT_EQ(fused(
                [](const Array& x) {
                  const Array a = jnp::exp(x);
                  return std::vector<Array>{a + 1, a * 2, a};
                },
                v),
            "map 3 1>3");
}

TEST(Fuse, BroadcastsTransposesSlicesAndReversals) {
  EXPECT_EQ(fused([](const Array& x, const Array& r) { return x * r + 1; }, m, row), "map 2 2>1");
  EXPECT_EQ(fused([](const Array& x) { return x(ct::slice(1, ct::none)) - x(ct::slice(0, -1)); }, v), "map 1 1>1");
  EXPECT_EQ(fused([](const Array& x) { return jnp::transpose(x) * 2; }, m), "map 1 1>1");
  EXPECT_EQ(fused([](const Array& x) { return jnp::flip(x, 0) + jnp::exp(x); }, v), "map 2 1>1");
  EXPECT_EQ(fused([](const Array& x) { return jnp::reshape(jnp::exp(jnp::transpose(x)), {-1}) + 1; }, m), "map 2 1>1");
}

TEST(Fuse, ReductionsTakeWhatTheyReduce) {
  EXPECT_EQ(fused([](const Array& x, const Array& y) { return jnp::sum(x * y); }, v, v), "sum 1 2>1");
  EXPECT_EQ(fused([](const Array& x) { return jnp::sum(jnp::exp(x), 1); }, m), "sum 1 1>1");
  EXPECT_EQ(fused([](const Array& x) { return jnp::argmax(jnp::abs(x), 0); }, m), "argmax 1 1>1");
}

TEST(Fuse, WhatSeveralReadIsComputedOnce) {
  // exp is read by the sum and by the quotient.
  EXPECT_EQ(fused(
                [](const Array& x) {
                  const Array e = jnp::exp(x);
                  return e / jnp::sum(e, 1, {.keepdims = true});
                },
                m),
            "map 1 1>1, sum 0 1>1, map 1 2>1");
  // A product is cheaper than a trip through memory.
  EXPECT_EQ(fused(
                [](const Array& x) {
                  const Array e = x * x;
                  return e / jnp::sum(e, 1, {.keepdims = true});
                },
                m),
            "sum 1 1>1, map 2 2>1");
}

// --- arrays in parts: what fills a part writes into it, and who reads a part computes it ---

const Array large = jnp::ones({4096}), square = jnp::ones({64, 2048});
Array padded(const Array& x) { return jnp::pad(x, {1, 1}); }

TEST(Fuse, PiecesOfAConcatenation) {
  EXPECT_EQ(fused(
                [](const Array& x, const Array& y) {
                  return jnp::concatenate({jnp::sin(x), jnp::cos(y)});
                },
                v, v),
            "map 1 1>1, map 1 1>1");
  // Of the same operands: in one go.
  EXPECT_EQ(fused([](const Array& x) { return jnp::concatenate({jnp::sin(x), jnp::cos(x)}); }, v), "map 2 1>1");
  EXPECT_EQ(fused([](const Array& x) { return jnp::stack({jnp::sin(x), jnp::cos(x), x}, -1); }, m), "map 2 1>1");
  EXPECT_EQ(fused(
                [](const Array& x, const Array& c) {
                  const Array a = x(ct::ellipsis, ct::slice(0, 16)), b = x(ct::ellipsis, ct::slice(16, 32));
                  return jnp::concatenate({a * c - b, b * c + a}, -1);
                },
                m, jnp::ones({16})),
            "map 4 2>1");
}

TEST(Fuse, PaddingIsWrittenAround) {
  EXPECT_EQ(fused([](const Array& x) { return padded(jnp::exp(x)); }, v), "map 1 1>1, copy 0>1, copy 0>1");
  // Elements between are written over, in order.
  EXPECT_EQ(fused(
                [](const Array& x) {
                  return ct::lax::pad(jnp::exp(x), jnp::array(0.0f), {{0, 0, 1}});
                },
                v),
            "copy 0>1, map 1 1>1");
}

TEST(Fuse, ReadersOfPartsAreCut) {
  EXPECT_EQ(fused([](const Array& x, const Array& y) { return padded(jnp::exp(x)) * y; }, large, jnp::ones({4098})),
            "map 2 2>1, map 1 1>1, map 1 1>1");
  // Each of two arrays in parts has its own borders.
  EXPECT_EQ(fused([](const Array& x) { return jnp::roll(x, 1) - jnp::roll(x, -1); }, large),
            "map 1 1>1, map 1 1>1, map 1 1>1");
  EXPECT_EQ(fused(
                [](const Array& x) {
                  const Array p = padded(x);
                  return p(ct::slice(0, -2)) + p(ct::slice(1, -1)) + p(ct::slice(2, ct::none));
                },
                large),
            "map 2 1>1, map 2 1>1, map 2 1>1");
  // Along both axes: a middle, four sides and four corners.
  EXPECT_EQ(fused(
                [](const Array& x) {
                  const Array p = padded(x);
                  const auto all = ct::slice(1, -1);
                  return p(ct::slice(0, -2), all) + p(ct::slice(2, ct::none), all) + p(all, ct::slice(0, -2)) +
                         p(all, ct::slice(2, ct::none));
                },
                square),
            "map 3 1>1, map 3 1>1, map 3 1>1, map 3 1>1, map 3 1>1, map 3 1>1, map 3 1>1, map 3 1>1, map 3 1>1");
}

// A transposed reader is cut when it has taken what it reads: padded derivatives, added up, are never in memory.
TEST(Fuse, HessiansAreInPieces) {
  const auto rosenbrock = [](const Array& x) {
    const Array now = x(ct::slice(0, -1)), next = x(ct::slice(1, ct::none));
    return jnp::sum(100 * jnp::square(next - now * now) + jnp::square(1 - now));
  };
  const auto hessian = ct::hessian(rosenbrock);
  const Array x = jnp::sin(jnp::arange(100));
  const kernel::Plan plan = plan_of(ct::make_jaxpr(hessian)(x));
  EXPECT_EQ(plan.steps.size(), 4U) << steps(plan);  // what depends on x alone; the first row, the last, those between
  for (const kernel::BufferInfo& b : plan.buffers)
    EXPECT_TRUE(b.kind != kernel::BufferKind::temporary || b.bytes <= 400);
  EXPECT_TRUE(bool(jnp::array_equal(ct::jit(hessian)(x), hessian(x))));
}

TEST(Fuse, PiecesHaveTheSameBits) {
  const auto counted = [](const Array& x) {
    return padded((x * 100).astype(ct::int32)) * jnp::arange(x.size() + 2).astype(ct::int32);
  };
  const auto turned = [](const Array& x) { return jnp::flip(jnp::roll(x, 5)) + jnp::exp(x); };
  const auto around = [](const Array& x) {
    const Array p = padded(jnp::reshape(x, {3, -1}));
    const auto all = ct::slice(1, -1);
    return p(ct::slice(2, ct::none), all) - p(all, ct::slice(0, -2)) * p(all, ct::slice(2, ct::none));
  };
  const auto zipped = [](const Array& x) {
    return jnp::stack({x, -x}, -1) * jnp::arange(2 * x.size()).reshape({-1, 2});
  };
  for (std::int64_t n : {3, 600, 3000, 9999}) {
    const Array x = jnp::sin(jnp::arange(n) * 0.37);
    EXPECT_TRUE(bool(jnp::array_equal(ct::jit(counted)(x), counted(x)))) << n;
    EXPECT_TRUE(bool(jnp::array_equal(ct::jit(turned)(x), turned(x)))) << n;
    EXPECT_TRUE(bool(jnp::array_equal(ct::jit(around)(x), around(x)))) << n;
    EXPECT_TRUE(bool(jnp::array_equal(ct::jit(zipped)(x), zipped(x)))) << n;
  }
}

TEST(Fuse, SlicesOfPartsReadThem) {
  EXPECT_EQ(fused(
                [](const Array& x, const Array& y) {
                  const Array c = jnp::concatenate({jnp::exp(x), y});
                  return c(ct::slice(0, 1000)) * c(ct::slice(1000, 2000));
                },
                v, v),
            "map 2 2>1");
  EXPECT_EQ(fused([](const Array& x) { return padded(jnp::exp(x))(ct::slice(1, -1)) + 1; }, v), "map 2 1>1");
}

TEST(Fuse, WhatReadersOfPartsCannotCompute) {
  // Sums go over the whole, in an order of their own; rows that a cut leaves short are slower than the array is.
  EXPECT_EQ(fused([](const Array& x) { return jnp::sum(padded(x)); }, large),
            "copy 0>1, copy 0>1, copy 1>1, sum 0 1>1");
  EXPECT_EQ(fused(
                [](const Array& x) {
                  return jnp::pad(x, {{0, 0}, {1, 1}}) * 2;
                },
                jnp::ones({256, 32})),
            "copy 0>1, copy 0>1, copy 1>1, map 1 1>1");
}

TEST(Fuse, HalvesAreReadOnce) {
  EXPECT_EQ(fused(
                [](const Array& x) {
                  const Array e = jnp::exp(x);
                  return jnp::tanh(e(ct::slice(0, 500))) * e(ct::slice(500, 1000));
                },
                v),
            "map 4 1>1");
}

// --- places known at run time ---

const Array three = jnp::array(3).astype(ct::uint32), below_0 = jnp::array(-3);

TEST(Fuse, DynamicSlicesAreRead) {
  EXPECT_EQ(fused(
                [](const Array& x, const Array& i) {
                  return jnp::sin(ct::lax::dynamic_slice(x, {i}, {100})) + ct::lax::dynamic_slice(x, {i + 1}, {100});
                },
                v, three),
            "map 1 1>1, map 2 3>1");
  EXPECT_EQ(
      fused([](const Array& x, const Array& i) { return jnp::sum(ct::lax::dynamic_slice(x, {i}, {100})); }, v, three),
      "sum 0 2>1");
  // Those below 0 count from the end.
  EXPECT_EQ(
      fused([](const Array& x, const Array& i) { return jnp::sin(ct::lax::dynamic_slice(x, {i}, {100})); }, v, below_0),
      "map 1 2>1");
  // Only what is in the block is computed.
  const auto block_of_exp = [](const Array& x, const Array& i) {
    return ct::lax::dynamic_slice(jnp::exp(jnp::flip(x)), {i}, {100});
  };
  EXPECT_EQ(fused(block_of_exp, v, three), "map 1 2>1");
  EXPECT_EQ(std::get<kernel::Program>(plan_of(ct::make_jaxpr(block_of_exp)(v, three)).steps[0]).iterations(), 100);
  EXPECT_EQ(fused([](const Array& i) { return ct::lax::dynamic_slice(jnp::arange(1000), {i}, {100}) * 2; }, three),
            "map 1 1>1");
}

TEST(Fuse, UpdatesAreWrittenInPlace) {
  EXPECT_EQ(fused([](const Array& x, const Array& y,
                     const Array& i) { return ct::lax::dynamic_update_slice(x, jnp::sin(y) * 2, {i}); },
                  v, jnp::ones({100}), three),
            "copy 1>1, map 2 2>1");
  // What reads the array as it was comes first, so that its memory can be given up.
  const auto carry = [](const Array& x, const Array& i) {
    return ct::lax::dynamic_update_slice(x, jnp::sin(ct::lax::dynamic_slice(x, {i}, {100})), {i + 1});
  };
  EXPECT_EQ(fused(carry, v, three), "map 1 1>1, map 1 2>1, copy 1>1, copy 2>1");
  EXPECT_EQ(donors(ct::make_jaxpr(carry)(v, three)), "0<0");
}

TEST(Fuse, WhatTakesNoStep) {
  EXPECT_EQ(fused([](const Array& x) { return jnp::reshape(jnp::expand_dims(x, 0), {10, 100}); }, v), "");
  EXPECT_EQ(fused(
                [](const Array& x) {
                  return jnp::dot(jnp::reshape(x, {10, 100}), jnp::reshape(x, {100, 10}));
                },
                v),
            "dot 1>1");
}

TEST(Fuse, OrderIsKept) {
  // The second sum needs the first one's result: it cannot join what came before.
  EXPECT_EQ(fused([](const Array& x) { return jnp::sum(jnp::exp(x - jnp::sum(x))); }, v), "sum 0 1>1, sum 2 2>1");
}

TEST(Fuse, LongChainsAreCut) {
  const std::string s = fused(
      [](Array x) {
        for (int i = 0; i < 300; ++i) x = jnp::sin(x);
        return x;
      },
      v);
  EXPECT_EQ(s, "map 128 1>1, map 128 1>1, map 44 1>1");
}

// --- blocks of rows ---

Array softmax(const Array& x) { return ct::nn::softmax(x); }

TEST(Block, LargeRowsStayInCache) {
  EXPECT_EQ(fused(softmax, jnp::ones({1024, 512})), "blocks 4 1>1");
  EXPECT_EQ(fused(softmax, jnp::ones({4, 8, 128, 128})), "blocks 4 1>1");
  EXPECT_EQ(fused(softmax, m),
            "max 0 1>1, map 2 2>1, sum 0 1>1, map 1 2>1");  // all of it is in cache anyway
}

TEST(Block, GathersHandOverRows) {
  const auto normed = [](const Array& table, const Array& ids) { return softmax(table(ids)); };
  EXPECT_EQ(fused(normed, jnp::ones({100, 512}), jnp::zeros({1024}).astype(ct::int32)), "map 3 1>1, blocks 5 2>1");
  EXPECT_EQ(fused(normed, jnp::ones({100, 512}), jnp::zeros({16, 64}).astype(ct::int32)), "map 3 1>1, blocks 5 2>1");
  EXPECT_EQ(fused([](const Array& x, const Array& i) { return x(i) * 2; }, jnp::ones({100, 512}),
                  jnp::zeros({1024}).astype(ct::int32)),
            "map 3 1>1, blocks 2 2>1");
  // Numbers that are read once only go through memory.
  EXPECT_EQ(fused([](const Array& x, const Array& i) { return jnp::take(x, i) * 2; }, v, jnp::arange(100000)),
            "gather 2>1, map 1 1>1");
}

// Between rows, and not behind the last one, there is what is not read.
TEST(Block, RowsMayHaveGaps) {
  const auto thirds = [](const Array& x) {
    const Array t = x(ct::slice(0, ct::none, 3));
    return jnp::max(jnp::concatenate({t, -t}, 1), -1);
  };
  for (std::int64_t n : {999, 1000, 1001, 1002}) {
    const Array x = jnp::sin(jnp::reshape(jnp::arange(n * 100), {n, 100}));
    EXPECT_TRUE(bool(jnp::array_equal(ct::jit(thirds)(x), thirds(x)))) << n;
  }
}

TEST(Block, SameBitsAsOneByOne) {
  const auto layernorm = [](const Array& x) {
    const Array y = x - jnp::mean(x, -1, {.keepdims = true});
    return y / jnp::sqrt(jnp::mean(y * y, -1, {.keepdims = true}) + 1e-5);
  };
  const auto outer = [](const Array& x) {  // reduced along the middle axis, which is by columns
    const Array e = jnp::exp(x);
    return e / jnp::sum(e, 1, {.keepdims = true});
  };
  for (ct::DType d : {ct::float32, ct::float16}) {
    for (const Shape& shape : {Shape{1001, 300}, Shape{17, 4099}, Shape{70000, 7}, Shape{30, 60, 70}}) {
      const Array x = jnp::reshape(jnp::sin(jnp::arange(shape.size()) * 0.37), shape).astype(d);
      EXPECT_TRUE(bool(jnp::array_equal(ct::jit(softmax)(x), softmax(x)))) << shape.str();
      EXPECT_TRUE(bool(jnp::array_equal(ct::jit(layernorm)(x), layernorm(x)))) << shape.str();
      EXPECT_TRUE(bool(jnp::array_equal(ct::jit(outer)(x), outer(x)))) << shape.str();
      const Array ids = jnp::arange(20011) * 7919 % (shape[0] + 3) - 1;  // some outside
      const auto rows = [](const Array& table, const Array& i) { return softmax(table(i)); };
      const Array got = ct::jit(rows)(x, ids(ct::slice(0, 80000 / (shape.size() / shape[0]) + 301)));
      const Array want = rows(x, ids(ct::slice(0, 80000 / (shape.size() / shape[0]) + 301)));
      EXPECT_TRUE(bool(jnp::array_equal(got, want, {.equal_nan = true}))) << shape.str();
    }
  }
}

// --- text ---

TEST(PlanText, RoundTrip) {
  const auto f = [](const Array& x, const Array& i) {
    return std::vector<Array>{softmax(x)(i), jnp::array(2), x(0) * 3};
  };
  const kernel::Plan plan = plan_of(ct::make_jaxpr(f)(jnp::ones({1024, 512}), jnp::array(3)));
  kernel::Plan again;
  std::string error;
  ASSERT_TRUE(kernel::parse_plan(kernel::to_text(plan), &again, &error)) << error;
  EXPECT_EQ(kernel::to_text(again), kernel::to_text(plan));
  EXPECT_EQ(kernel::verify(again), "");
}

// --- order ---

TEST(Settle, ResultsFollowWhatTheyRead) {
  const auto f = [](const Array& x, const Array& y) {
    const Array a = jnp::cumsum(x), b = jnp::cumsum(y);
    return std::vector<Array>{a * 2, b * 2};
  };
  EXPECT_EQ(steps(plan_of(ct::make_jaxpr(f)(v, v))), "scan 1>1, map 1 1>1, scan 1>1, map 1 1>1");
}

TEST(Settle, AnArgumentThatIsReadLaterIsNotInTheWay) {
  const auto f = [](const Array& w, const Array& x) {
    const Array g = jnp::cumsum(x), h = jnp::cumsum(w);
    return std::vector<Array>{w - g * 2, h * 2};
  };
  const ct::ClosedJaxpr c = ct::make_jaxpr(f)(v, v);
  EXPECT_EQ(steps(plan_of(c)), "scan 1>1, scan 1>1, map 2 2>1, map 1 1>1");
}

// --- buffers ---

std::int64_t block_bytes(kernel::Plan plan) { return assign_buffers(&plan).block_bytes; }

TEST(Buffers, ChainsShareMemory) {
  const auto f = [](Array x) {
    for (int i = 0; i < 50; ++i) x = jnp::cumsum(x) + 1;  // of two buffers, in turn
    return x;
  };
  EXPECT_LE(block_bytes(plan_of(ct::make_jaxpr(f)(v))), 2 * 4032);
}

TEST(Buffers, UpdatesWorkInPlace) {
  const auto f = [](const Array& x, const Array& i) { return x.at(i).set(1); };
  EXPECT_EQ(donors(ct::make_jaxpr(f)(v, jnp::array(3))), "0<0");
}

TEST(Buffers, WhatIsReadLaterIsNotWrittenOver) {
  const auto f = [](const Array& x, const Array& i) { return jnp::cumsum(x.at(i).set(1)) + x; };
  EXPECT_EQ(donors(ct::make_jaxpr(f)(v, jnp::array(3))), "0<0");  // the sum, not the copy that is updated
  const auto reversed = [](const Array& x) { return jnp::flip(x) + 1; };
  EXPECT_EQ(donors(ct::make_jaxpr(reversed)(v)), "");
  const auto sorted = [](const Array& x) { return jnp::sort(x); };
  EXPECT_EQ(donors(ct::make_jaxpr(sorted)(v)), "");
}

TEST(Buffers, OutputsAreBornWhereInputsWereRead) {
  const auto f = [](const Array& x) { return jnp::sort(jnp::sort(x)); };
  EXPECT_EQ(donors(ct::make_jaxpr(f)(v)), "0<0");
}

TEST(Buffers, EachInputServesOneOutput) {
  const auto f = [](const Array& x, const Array& y) {
    const Array s = x + y;
    return std::vector<Array>{s, s * x, s * y};  // one step
  };
  EXPECT_EQ(donors(ct::make_jaxpr(f)(v, v)), "0<0, 1<1");
}

TEST(Buffers, RowsAreWrittenOver) {
  const auto f = [](const Array& x) { return nn::softmax(x); };
  const ct::ClosedJaxpr c = ct::make_jaxpr(f)(jnp::ones({4096, 256}));
  EXPECT_NE(steps(plan_of(c)).find("blocks"), std::string::npos);
  EXPECT_EQ(donors(c), "0<0");
}

TEST(Buffers, TheEndOfTheBlockGrows) {
  const auto f = [](const Array& x) {
    const Array kept = jnp::cumsum(x), some = jnp::sum(jnp::cumsum(jnp::tile(x, 3)));
    return jnp::sum(kept * (some + jnp::sum(jnp::cumsum(jnp::tile(x, 10)))));
  };
  EXPECT_LE(block_bytes(plan_of(ct::make_jaxpr(f)(jnp::ones({16000})))), 64000 + 2 * 640000 + 256);
}

TEST(Buffers, TemporariesLieInOutputs) {
  const auto f = [](const Array& x) { return jnp::sort(jnp::sort(jnp::sort(x))); };  // two temporaries
  EXPECT_LE(block_bytes(plan_of(ct::make_jaxpr(f)(jnp::ones({100000})))), 400064);
}

TEST(Buffers, TemporariesLieInDonatedInputs) {
  const auto f = [](const Array& x) { return jnp::sum(jnp::sort(jnp::sort(x))); };
  kernel::Plan plan = plan_of(ct::make_jaxpr(f)(jnp::ones({100000})));
  Donations all;
  all.taker = {Donations::any};
  const Homes homes = assign_buffers(&plan, all);
  EXPECT_LE(homes.block_bytes, 400064);
  ASSERT_EQ(homes.donated.size(), 1u);
  EXPECT_TRUE(homes.donated[0].holds_temporaries);
}

}  // namespace
