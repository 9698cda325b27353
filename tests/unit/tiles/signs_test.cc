// Programs whose changes of sign are moved compute the same.
#include "kernel/signs.h"

#include "unit/tiles/tile_check.h"

namespace cotan::tile_test {
namespace {

using kernel::Program;
using kernel::Value;
using kernel::ValueKind;

Program parsed(const char* text) {
  Program p;
  std::string error;
  EXPECT_TRUE(kernel::parse_program(text, &p, &error)) << error;
  return p;
}
std::string moved(const char* text) {
  const auto m = kernel::signs_moved(parsed(text));
  return m ? kernel::to_text(*m) : "";
}

TEST(Signs, AreTakenUpBySums) {
  EXPECT_EQ(moved("program [9]\n  s0 = memory b0 f32 +0 [1]\n  s1 = memory b1 f32 +0 [1]\n  t0 = neg f32 (s1) -> f32\n"
                  "  t1 = add f32 (s0, t0) -> f32\n  t2 = mul f32 (t0, s0) -> f32\n  t3 = sub f32 (t1, t2) -> f32\n"
                  "  store t3 b2 +0 [1]\nend\n"),
            "program [9]\n  s0 = memory b0 f32 +0 [1]\n  s1 = memory b1 f32 +0 [1]\n  t0 = sub f32 (s0, s1) -> f32\n"
            "  t1 = neg f32 (s1) -> f32\n  t2 = mul f32 (t1, s0) -> f32\n  t3 = sub f32 (t0, t2) -> f32\n"
            "  store t3 b2 +0 [1]\nend\n");
  // One that only a product asks for goes through it.
  EXPECT_EQ(moved("program [9]\n  s0 = memory b0 f32 +0 [1]\n  s1 = memory b1 f32 +0 [1]\n  t0 = neg f32 (s1) -> f32\n"
                  "  t1 = mul f32 (t0, s0) -> f32\n  t2 = sub f32 (s0, t1) -> f32\n  store t2 b2 +0 [1]\nend\n"),
            "program [9]\n  s0 = memory b0 f32 +0 [1]\n  s1 = memory b1 f32 +0 [1]\n  t0 = mul f32 (s1, s0) -> f32\n"
            "  t1 = add f32 (s0, t0) -> f32\n  store t1 b2 +0 [1]\nend\n");
  EXPECT_EQ(moved("program [9]\n  s0 = memory b0 f32 +0 [1]\n  t0 = abs f32 (s0) -> f32\n  store t0 b1 +0 [1]\nend\n"),
            "");
}

// Values of all sources and instructions, each computed by itself.
std::vector<std::vector<float>> values(const Program& p, const std::vector<std::vector<float>>& sources) {
  std::vector<std::vector<float>> made;
  for (const kernel::Instruction& i : p.instructions) {
    std::vector<float> out(sources[0].size());
    const auto at = [&](Value v) {
      return !v.valid() ? nullptr
                        : const_cast<float*>(
                              (v.kind == ValueKind::source ? sources : made)[static_cast<std::size_t>(v.index)].data());
    };
    void* regs[4] = {out.data(), at(i.operands[0]), at(i.operands[1]), nullptr};
    const Ins ins{i.op->fn[static_cast<int>(i.type)], 0, 1, 2, 0, 1, 1, 1, 0, 0};
    ins.fn(regs, &ins, out.size());
    made.push_back(out);
  }
  return made;
}

TEST(Signs, LeaveTheBits) {
  const auto& tiles = kernel::tiles();
  for (unsigned seed = 0; seed < 500; ++seed) {
    std::mt19937 g(seed);
    Program p;
    p.extents = {64};
    p.sources.resize(3);
    for (int b = 0; b < 3; ++b)
      p.sources[static_cast<std::size_t>(b)] = {kernel::SourceKind::memory, b, DType::float32, 0, {1}};
    const int count = 2 + static_cast<int>(g() % 12);
    for (int i = 0; i < count; ++i) {
      const auto any = [&] {
        const int v = static_cast<int>(g() % static_cast<unsigned>(3 + i));
        return v < 3 ? Value{ValueKind::source, v} : Value{ValueKind::instruction, v - 3};
      };
      const char* const name = std::array{"neg", "neg", "neg", "add", "sub", "mul", "div", "abs"}[g() % 8];
      const kernel::TileOp* const op = tiles.find(name);
      p.instructions.push_back({op, DType::float32, DType::float32, {any(), op->arity > 1 ? any() : Value{}, {}}});
    }
    for (int i = 0; i < count; i += 1 + static_cast<int>(g() % 3))
      p.stores.push_back({{ValueKind::instruction, i}, 3 + i, 0, {1}});
    const auto m = kernel::signs_moved(p);
    if (!m) continue;
    std::vector<std::vector<float>> sources(3, std::vector<float>(64));
    const float list[] = {0.0f, -0.0f, 1.0f, -1.0f, 2.5f, INFINITY, -INFINITY, NAN};
    for (auto& s : sources)
      for (float& x : s) x = list[g() % 8];
    const auto before = values(p, sources), after = values(*m, sources);
    for (std::size_t k = 0; k < p.stores.size(); ++k) {
      const auto result = [&](const Program& q, const auto& made) {
        const Value v = q.stores[k].value;
        return (v.kind == ValueKind::source ? sources : made)[static_cast<std::size_t>(v.index)];
      };
      const auto x = result(p, before), y = result(*m, after);
      for (std::size_t i = 0; i < x.size(); ++i)
        EXPECT_TRUE((x[i] != x[i] && y[i] != y[i]) || std::memcmp(&x[i], &y[i], 4) == 0)
            << seed << ": " << x[i] << " became " << y[i] << "\n"
            << kernel::to_text(p) << kernel::to_text(*m);
    }
  }
}

}  // namespace
}  // namespace cotan::tile_test
