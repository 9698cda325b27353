#include "api_test.h"

namespace {

TEST(Tree, LeavesAndPaths) {
  Net net{{{1.0, 2.0}, {3.0, 4.0}}, 5.0, 2, "net"};
  std::vector<Array> l = ct::tree::leaves(net);
  ASSERT_EQ(l.size(), 5u);
  EXPECT_TRUE(close(l[2], 3.0) && close(l[4], 5.0));
  EXPECT_EQ(ct::tree::paths(net),
            (std::vector<std::string>{".layers[0].w", ".layers[0].b", ".layers[1].w", ".layers[1].b", ".scale"}));
  EXPECT_EQ(ct::tree::flatten_with_path(net)[3].path, ".layers[1].b");
  for (Array& a : l) a = a * 10.0;
  Net ten = ct::tree::with_leaves(net, l);
  EXPECT_TRUE(ten.name == "net" && close(*ten.scale, 50.0) && close(*net.scale, 5.0));
  l.pop_back();
  EXPECT_ERROR(ct::tree::with_leaves(net, l), ct::ValueError, "the tree has 5 leaves, got 4");
}

TEST(Tree, Map) {
  std::vector<Layer> p{{1.0, 2.0}}, g{{10.0, 20.0}};
  auto next = ct::tree::map([](const Array& a, const Array& b) { return a - 0.1 * b; }, p, g);
  EXPECT_TRUE(close(next[0].w, 0.0) && close(next[0].b, 0.0));
  auto sum = ct::tree::map([](const Array& a, const Array& b, const Array& c) { return a + b + c; }, p, g, next);
  EXPECT_TRUE(close(sum[0].b, 22.0));
  g.push_back({1.0, 1.0});
  EXPECT_ERROR(ct::tree::map([](const Array& a, const Array&) { return a; }, p, g), ct::ValueError,
               "different lengths of sequence at tree: 1 and 2");
  using M = std::map<std::string, std::vector<Array>>;
  EXPECT_ERROR(ct::tree::map([](const Array& a, const Array&) { return a; }, M{{"x", {1.0}}}, M{{"x", {1.0, 2.0}}}),
               ct::ValueError, "different lengths of sequence at tree['x']: 1 and 2");
  std::string seen;
  ct::tree::map_with_path(
      [&](const std::string& path, const Array& a) {
        seen += path;
        return a;
      },
      p);
  EXPECT_EQ(seen, "[0].w[0].b");
  EXPECT_THROW(ct::tree::map([](const Array&) -> Array { throw 3; }, p), int);
}

TEST(Tree, Structure) {
  Net a{{{1.0, 2.0}}, std::nullopt, 2, "net"}, b = a;
  EXPECT_TRUE(ct::tree::structure(a) == ct::tree::structure(b));
  EXPECT_EQ(ct::tree::structure(a).num_leaves(), 2);
  EXPECT_EQ(ct::tree::structure(a).str(), "{layers: [{w: *, b: *}], scale: none, depth: 2, name: 'net'}");
  b.depth = 3;
  EXPECT_FALSE(ct::tree::structure(a) == ct::tree::structure(b));
}

TEST(Tree, Ravel) {
  Layer l{jnp::reshape(jnp::arange(6.f), {2, 3}), jnp::arange(2)};
  auto [v, unravel] = ct::tree::ravel(l);
  EXPECT_TRUE(v.dtype() == ct::float32 && close(v, jnp::array({0.f, 1.f, 2.f, 3.f, 4.f, 5.f, 0.f, 1.f})));
  Layer back = unravel(2.0f * v);
  EXPECT_TRUE(equal(back.w, 2.0f * l.w) && equal(back.b, jnp::array({0, 2})));
  EXPECT_ERROR(unravel(jnp::ones({3})), ct::ValueError, "got an array of shape (3,), but expected (8,)");
  EXPECT_ERROR(unravel(jnp::arange(8)), ct::TypeError, "got an array of dtype int32, but expected float32");
  EXPECT_EQ(ct::tree::ravel(std::vector<Array>{}).first.shape(), ct::Shape{0});
  auto norm = [](const Layer& p) { return jnp::sum(jnp::square(ct::tree::ravel(p).first)); };
  EXPECT_TRUE(close(ct::grad(norm)({1.0, 2.0}).b, 4.0) && close(ct::jit(norm)({1.0, 2.0}), 5.0));
}

}  // namespace
