// Traversal, structure, paths and keys, over leaves that nothing looks into.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "cotan/array.h"
#include "tree/flatten.h"

namespace cotan::detail {  // this program links no layer that has Arrays with a value
void destroy(Node*) noexcept {}
void fail_empty_array() { throw 0; }
int initialise() { return 0; }
}  // namespace cotan::detail

namespace {

using cotan::Array;
using cotan::detail::field_count;
using cotan::detail::holds_array;
using cotan::detail::is_static;
using cotan::detail::Key;
using cotan::detail::put_key;
using cotan::detail::tree_ok;
using cotan::detail::type_ops;

enum class Mode { train, eval };
struct Layer {
  Array w, b;
};
struct Node {
  std::vector<Node> kids;
  Array value;
};
struct WithArrays {
  int n[3];
  Array x[2][2];
  Array y;
  const int k = 3;
};
struct Net {
  std::vector<Layer> layers;
  std::optional<Array> scale;
  int depth = 0;
  std::string name;
};
struct Empty {};
struct One {
  Array x;
};
struct Nested {
  One a;
  std::array<One, 2> b;
  Empty c;
  std::pair<int, Array> d;
};
struct Wide {
  int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w;
  Array x;
};
class Listed {
  Array w_;
  int n_;

 public:
  explicit Listed(int n) : n_(n) {}
  friend auto tree_fields(auto& s) { return cotan::tree::fields(s.w_, s.n_); }
};
class Keyed {
  int n_;

 public:
  explicit Keyed(int n) : n_(n) {}
  friend void tree_key(const Keyed& t, auto& key) { key.put(t.n_); }
};

static_assert(field_count<Layer> == 2 && field_count<Node> == 2 && field_count<WithArrays> == 4 &&
              field_count<Net> == 4);
static_assert(field_count<Nested> == 4 && field_count<Wide> == 24 && field_count<One> == 1);
static_assert(holds_array<Node> && holds_array<WithArrays> && holds_array<Nested> && holds_array<Listed> &&
              holds_array<std::optional<Array>>);
static_assert(!holds_array<std::string> && !holds_array<Empty> && !holds_array<Keyed> &&
              !holds_array<std::vector<int>>);
static_assert(tree_ok<Node> && tree_ok<WithArrays> && tree_ok<Net> && tree_ok<Nested> && tree_ok<Wide> &&
              tree_ok<Listed>);
static_assert(is_static<std::map<std::string, std::vector<std::pair<int, double>>>> && is_static<std::set<int>> &&
              is_static<Keyed>);
static_assert(is_static<std::optional<Mode>> && is_static<const char*> && is_static<int (*)(int)> &&
              is_static<cotan::Shape>);
static_assert(is_static<cotan::Aval> && is_static<std::vector<bool>> && !is_static<int*> && !is_static<Array> &&
              !is_static<std::vector<Array>>);

template <class T> std::string text(const T& t) { return cotan::tree::structure_text(type_ops<T>, &t); }
template <class T> bool same(const T& a, const T& b) { return cotan::tree::same_structure(type_ops<T>, &a, &b); }
template <class T> std::string difference(const T& a, const T& b) {
  return cotan::tree::describe_difference(type_ops<T>, &a, &b, "tree");
}
template <class T> Key key(const T& t) {
  Key k;
  put_key(t, k);
  return k;
}
class Paths final : public cotan::tree::PathVisitor {
 public:
  std::string list;

 private:
  void on_leaf(const std::string& path) override { list += path + ";"; }
  void on_node(const std::string&, cotan::detail::TreeNode, std::size_t) override {}
  void on_static(const std::string&, const cotan::detail::Static&) override {}
};
template <class T> std::string paths(const T& t) {
  Paths p;
  type_ops<T>.visit(const_cast<T*>(&t), p);
  return p.list;
}

TEST(Structure, Text) {
  EXPECT_EQ(text(Layer{}), "{w: *, b: *}");
  EXPECT_EQ(text(Net{{{}, {}}, std::nullopt, 2, "net"}),
            "{layers: [{w: *, b: *}, {w: *, b: *}], scale: none, depth: 2, name: 'net'}");
  EXPECT_EQ(text(Net{{}, Array(), 0, ""}), "{layers: [], scale: *, depth: 0, name: ''}");
  EXPECT_EQ(text(std::map<std::string, std::pair<Array, int>>{{"a", {}}, {"b", {}}}), "{'a': (*, 0), 'b': (*, 0)}");
  EXPECT_EQ(text(std::tuple<Array>()), "(*,)");
  EXPECT_EQ(text(Listed(3)), "{*, 3}");
}

TEST(Structure, Paths) {
  EXPECT_EQ(paths(Array()), ";");
  EXPECT_EQ(paths(std::vector<Layer>(2)), "[0].w;[0].b;[1].w;[1].b;");
  EXPECT_EQ(paths(std::map<std::string, Layer>{{"k", {}}}), "['k'].w;['k'].b;");
  EXPECT_EQ(paths(std::map<int, Array>{{-3, {}}}), "[-3];");
  EXPECT_EQ(paths(WithArrays{}), ".x[0][0];.x[0][1];.x[1][0];.x[1][1];.y;");
  EXPECT_EQ(paths(std::optional<std::tuple<int, Array>>(std::tuple<int, Array>())), "[1];");
  EXPECT_EQ(paths(std::optional<Array>()), "");
  EXPECT_EQ(paths(Listed(1)), ".0;");
  struct Local {
    Array first;
    struct Inner {
      Array second;
    } inner;
  };
  EXPECT_EQ(paths(Local{}), ".first;.inner.second;");
  Node deep{{{{}, {}}, {{{}}, {}}}, {}};
  EXPECT_EQ(paths(deep), ".kids[0].value;.kids[1].kids[0].value;.kids[1].value;.value;");
}

TEST(Structure, Equality) {
  EXPECT_TRUE(same(Net{{{}}, {}, 1, "a"}, Net{{{}}, {}, 1, "a"}));
  EXPECT_FALSE(same(Net{{{}}, {}, 1, "a"}, Net{{{}}, {}, 2, "a"}));
  EXPECT_FALSE(same(Net{{{}}, {}, 1, "a"}, Net{{{}}, {}, 1, "b"}));
  EXPECT_FALSE(same(Net{{{}}, {}, 1, "a"}, Net{{{}, {}}, {}, 1, "a"}));
  EXPECT_FALSE(same(Net{{{}}, {}, 1, "a"}, Net{{{}}, Array(), 1, "a"}));
}

TEST(Structure, FirstDifference) {
  using Tree = std::map<std::string, std::vector<std::optional<Array>>>;
  EXPECT_EQ(difference(Tree{{"a", {Array(), Array()}}}, Tree{{"a", {Array()}}}),
            "different lengths of sequence at tree['a']: 2 and 1");
  EXPECT_EQ(difference(Tree{{"a", {Array()}}}, Tree{{"b", {Array()}}}),
            "different keys of map: tree['a'] and tree['b']");
  EXPECT_EQ(difference(Tree{{"a", {Array(), {}}}}, Tree{{"a", {Array(), Array()}}}),
            "a value and none at tree['a'][1]: only the second has a value");
  EXPECT_EQ(difference(Tree{}, Tree{{"b", {}}}), "different lengths of map at tree: 0 and 1");
  EXPECT_EQ(difference(Net{{{}}, {}, 1, "a"}, Net{{{}}, {}, 1, "b"}),
            "different static values at tree.name: 'a' and 'b'");
}

TEST(StaticKey, TellsValuesApart) {
  EXPECT_TRUE(key(std::string("ab")) == key(std::string("ab")));
  EXPECT_FALSE(key(std::vector<std::string>{"a", "b"}) == key(std::vector<std::string>{"ab", ""}));
  EXPECT_FALSE(key(0.0) == key(-0.0));
  EXPECT_TRUE(key(__builtin_nan("")) == key(__builtin_nan("")));
  EXPECT_FALSE(key(std::optional<int>(0)) == key(std::optional<int>()));
  EXPECT_FALSE(key(Keyed(1)) == key(Keyed(2)));
  EXPECT_TRUE(key(1.0L) == key(1.0L));
  EXPECT_FALSE(key(1.0L) == key(1.0L + 1e-18L));
  char a[] = "text", b[] = "text";
  EXPECT_TRUE(key<const char*>(a) == key<const char*>(b));
  EXPECT_FALSE(key<const char*>(nullptr) == key<const char*>(""));
  struct Padded {
    char c;
    double d;
  };  // the bytes between are not part of the value
  Padded p, q;
  __builtin_memset(&p, 0, sizeof p);
  __builtin_memset(&q, 255, sizeof q);
  p.c = q.c = 1;
  p.d = q.d = 2;
  EXPECT_TRUE(key(p) == key(q));
  std::vector<int> big(1000, 7), other = big;
  other.back() = 8;
  EXPECT_TRUE(key(big) == key(big));
  EXPECT_FALSE(key(big) == key(other));
  EXPECT_NE(key(big).hash(), key(other).hash());
}

}  // namespace
