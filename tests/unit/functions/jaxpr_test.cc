// The programs that numpy, indexing, random and nn stage, against JAX's text (tests/golden/numpy_jaxprs.py).
#include <gtest/gtest.h>

#include <map>

#include "unit/functions/golden_support.h"

namespace cotan {
namespace {

namespace jnp = numpy;

using One = Array (*)(const Array&);
using Two = Array (*)(const Array&, const Array&);

std::string trace(One f, const Array& x) { return make_jaxpr(f)(x).str(); }
std::string trace2(Two f, const Array& x, const Array& y) { return make_jaxpr(f)(x, y).str(); }
std::string trace0(Array (*f)()) {
  return make_jaxpr([f](const std::vector<Array>&) { return f(); })(std::vector<Array>{}).str();
}

// C++ leaves the order of operands open: the left one first, as Python does.
Array product(const Array& left, const Array& x) { return jnp::matmul(left, x(slice(1))); }
Array product4(const Array& left, const Array& x) { return jnp::matmul(left, x(newaxis)); }

struct Inputs {
  Array V = jnp::ones({4}), X = jnp::ones({2, 3}), T = jnp::ones({2, 3, 3}), B = X.astype(bfloat16), I = X.astype(int8);
  Array C = X.astype(complex64), K = random::key(0), J = Array(1).astype(int32), N = jnp::arange(3), W = X > 0;
};
using Programs = std::map<std::string, std::string>;

#define ONE(NAME, INPUT, ...) p[NAME] = trace([](const Array& x) -> Array { return __VA_ARGS__; }, in.INPUT)
#define TWO(NAME, INPUT, SECOND, ...) \
  p[NAME] = trace2([](const Array& x, const Array& i) -> Array { return __VA_ARGS__; }, in.INPUT, in.SECOND)
#define NUMBER(NAME, VALUE, ...) p[NAME] = trace([](const Array& x) -> Array { return __VA_ARGS__; }, VALUE)
#define LIST(NAME, INPUT, ...) \
  p[NAME] = make_jaxpr([](const Array& x) -> std::vector<Array> { return __VA_ARGS__; })(in.INPUT).str()
#define NONE(NAME, ...) p[NAME] = trace0([]() -> Array { return __VA_ARGS__; })

void add_reductions(const Inputs& in, Programs& p) {
  ONE("sum", X, jnp::sum(x));
  ONE("sum -1 keep", X, jnp::sum(x, -1, {.keepdims = true}));
  ONE("sum empty", X, jnp::sum(x, IntList{}));
  ONE("sum bf16", B, jnp::sum(x));
  ONE("sum bf16 0 keep", B, jnp::sum(x, 0, {.keepdims = true}));
  ONE("sum f16", X, jnp::sum(x, none, {.dtype = float16}));
  ONE("sum i8", I, jnp::sum(x));
  NUMBER("sum bool", in.X > 0, jnp::sum(x));
  ONE("prod bf16", B, jnp::prod(x));
  ONE("mean bf16", B, jnp::mean(x, 0));
  ONE("mean i8", I, jnp::mean(x, 0));
  ONE("mean keep", X, jnp::mean(x, 0, {.keepdims = true}));
  ONE("mean i32", X, jnp::mean(x, 0, {.dtype = int32}));
  ONE("var", X, jnp::var(x, 0));
  ONE("var bf16 keep", B, jnp::var(x, 0, {.keepdims = true}));
  ONE("var i8", I, jnp::var(x, 0, {.ddof = 1}));
  ONE("var c64", C, jnp::var(x, 0, {.ddof = 1}));
  ONE("std c64", C, jnp::std(x, 0, {.ddof = 1}));
  ONE("std", X, jnp::std(x));
  ONE("max keep", X, jnp::max(x, 0, {.keepdims = true}));
  NUMBER("max bool", in.X > 0, jnp::max(x));
  ONE("all", X, jnp::all(x));
  ONE("any i8", I, jnp::any(x, 1));
  ONE("argmax", X, jnp::argmax(x));
  ONE("argmax 1 keep", X, jnp::argmax(x, 1, {.keepdims = true}));
  ONE("argmin keep", X, jnp::argmin(x, none, {.keepdims = true}));
  ONE("array_equal", X, jnp::array_equal(x, x));
  ONE("array_equal shape", X, jnp::array_equal(x, x(0)));
  ONE("array_equal int", X, jnp::array_equal(x, x.astype(int32)));
  NUMBER("sum weak", 2.0, jnp::sum(x));
  NUMBER("mean weak", 2, jnp::mean(x));
  NUMBER("var weak", 2.0, jnp::var(x));
  NUMBER("max weak", 2.0, jnp::max(x));
  NUMBER("argmax scalar", Array(3.0).astype(float32), jnp::argmax(x));
}

// Names of inputs are JAX's: the mask is the second operand.
void add_masked_reductions(const Inputs& in, Programs& p) {
  TWO("sum where", X, W, jnp::sum(x, 0, {.initial = 2, .where = i}));
  TWO("sum where keep", X, W, jnp::sum(x, 0, {.keepdims = true, .where = i}));
  TWO("max where", X, W, jnp::max(x, 0, {.initial = 2, .where = i}));
  ONE("sum initial", I, jnp::sum(x, 0, {.initial = 2.5}));
  ONE("sum narrow", I, jnp::sum(x, none, {.promote_integers = false}));
  TWO("mean where", X, W, jnp::mean(x, 0, {.where = i}));
  TWO("var where", X, W, jnp::var(x, 0, {.ddof = 1, .where = i}));
  TWO("std where keep", X, W, jnp::std(x, 0, {.keepdims = true, .where = i}));
  ONE("var correction", X, jnp::var(x, 0, {.mean = x(slice(none, 1)), .correction = 0.5}));
  ONE("var f16", X, jnp::var(x, 0, {.dtype = float16}));
  TWO("all where", X, W, jnp::all(x, 0, {.where = i}));
  ONE("ptp", X, jnp::ptp(x, 0));
  ONE("average", X, jnp::average(x, 0));
  ONE("average weights", X, jnp::average(x, 0, {.weights = x}));
  ONE("count_nonzero", X, jnp::count_nonzero(x, 0, {.keepdims = true}));
  ONE("trace", X, jnp::trace(x));
  ONE("cov", X, jnp::cov(x));
  ONE("cov c64", C, jnp::cov(x));
  ONE("nansum", X, jnp::nansum(x, 0));
  ONE("nanmax", X, jnp::nanmax(x, 0));
  TWO("nanmean", X, W, jnp::nanmean(x, 0, {.where = i}));
  ONE("nanvar", X, jnp::nanvar(x, 0, {.ddof = 1}));
  ONE("nanstd keep", X, jnp::nanstd(x, 0, {.ddof = 1, .keepdims = true}));
  ONE("nanargmax", X, jnp::nanargmax(x, 0, {.keepdims = true}));
  ONE("nanargmin all", X, jnp::nanargmin(x));
}

void add_sums_of_products(const Inputs& in, Programs& p) {
  ONE("tensordot lists", T, jnp::tensordot(x, x, {{2, 0}, {1, 0}}));
  ONE("vecdot", T, jnp::vecdot(x, x));
  ONE("vecdot c64", C, jnp::vecdot(x, x, {.axis = 0}));
  ONE("matvec", T, jnp::matvec(x, x(0, 0)));
  ONE("kron", X, jnp::kron(x, x));
  ONE("cross", X, jnp::cross(x, x));
  ONE("einsum product", X, jnp::einsum("ij,kj->ki", {x, x}));
  ONE("einsum chain", T, jnp::einsum("bij,bjk,kl->bil", {x, x, x(0)}));
  ONE("einsum trace", T, jnp::einsum("bii->b", {x}));
  ONE("einsum diagonal", T, jnp::einsum("bii->bi", {x}));
  ONE("einsum sums", X, jnp::einsum("ij,k->j", {x, x(0)}));
  ONE("einsum ellipsis", T, jnp::einsum("...ij,...jk->...ik", {x, x(0)}));
  ONE("einsum outer", V, jnp::einsum("i,j,k->ijk", {x, x, x}));
  ONE("einsum ones", X, jnp::einsum("ij,ij->ij", {x, x(slice(none, 1))}));
  ONE("diff", T, jnp::diff(x, 2, 0, {.prepend = 1.0}));
  ONE("ediff1d", X, jnp::ediff1d(x, {.to_end = 2}));
  ONE("trapezoid", X, jnp::trapezoid(x));
  ONE("trapezoid x", X, jnp::trapezoid(x, x));
  ONE("polyder", V, jnp::polyder(x, 2));
}

void add_products(const Inputs& in, Programs& p) {
  ONE("dot", X, jnp::dot(x, x.T()));
  ONE("dot scalar", X, jnp::dot(x, 2));
  ONE("dot vector", X, jnp::dot(x, x(0)));
  ONE("dot int", X, jnp::dot(x, x.astype(int32).T()));
  ONE("dot 3d", T, jnp::dot(x, x));
  ONE("matmul", T, jnp::matmul(x, x));
  ONE("matmul vector", T, jnp::matmul(x(0, 0), x));
  ONE("matmul 2d", T, jnp::matmul(x(0), x));
  ONE("matmul right vector", T, jnp::matmul(x, x(0, 0)));
  ONE("matmul one", T, jnp::matmul(x, x(slice(1))));
  ONE("matmul new", T, jnp::matmul(x, x(all, newaxis)));
  ONE("matmul ones", T, product(x(slice(1)), x));
  ONE("matmul one left", T, jnp::matmul(x(slice(1)), x));
  ONE("matmul ones 4d", T, product4(x(slice(1), newaxis), x));
  NUMBER("matmul bool", in.X > 0, jnp::matmul(x, x.T()));
  ONE("vdot", C, jnp::vdot(x, x));
  ONE("inner", X, jnp::inner(x, x));
  ONE("inner scalar", X, jnp::inner(x, 2));
  ONE("outer", X, jnp::outer(x, x));
  ONE("tensordot", X, jnp::tensordot(x, x));
  ONE("tensordot 0", X, jnp::tensordot(x, x, 0));
}

void add_shapes(const Inputs& in, Programs& p) {
  ONE("reshape", X, x.reshape({3, -1}));
  ONE("ravel", X, jnp::ravel(x));
  ONE("broadcast_to", X, jnp::broadcast_to(x(slice(1)), {4, 2, 3}));
  ONE("transpose", X, jnp::transpose(x));
  ONE("transpose same", X, jnp::transpose(x, {0, -1}));
  ONE("T 1d", V, x.T());
  ONE("swapaxes", X, jnp::swapaxes(x, 0, -1));
  ONE("moveaxis", T, jnp::moveaxis(x, 0, -1));
  ONE("expand_dims", X, jnp::expand_dims(x, {0, -1}));
  NUMBER("squeeze", in.X(slice(1)), jnp::squeeze(x, -2));
  ONE("flip", X, jnp::flip(x));
  ONE("flip -1", X, jnp::flip(x, -1));
  ONE("roll", X, jnp::roll(x, 1));
  ONE("roll -1 0", X, jnp::roll(x, -1, 0));
  ONE("roll 2 01", X, jnp::roll(x, 2, {0, 1}));
  ONE("repeat", X, jnp::repeat(x, 2));
  ONE("repeat 0", X, jnp::repeat(x, 2, 0));
  NUMBER("repeat scalar", jnp::asarray(1.0), jnp::repeat(x, 2, 0));
  ONE("concatenate", X, jnp::concatenate({x, x.astype(int32)}, -1));
  ONE("concatenate one", X, jnp::concatenate({x}));
  ONE("stack", X, jnp::stack({x, 2 * x.astype(int32)}, 1));
  ONE("vstack", X, jnp::vstack({x, x(0)}));
  ONE("hstack", X, jnp::hstack({x, x}));
  ONE("hstack 0d", X, jnp::hstack({x(0, 0), x(0, 0)}));
}

void add_creation(const Inputs& in, Programs& p) {
  NONE("zeros", jnp::zeros({2, 3}));
  NONE("ones i32", jnp::ones({2, 3}, int32));
  NONE("full", jnp::full({2, 3}, 1));
  NONE("full i32", jnp::full({2, 3}, 1.5, int32));
  NONE("full 0d", jnp::full({}, 1.5));
  ONE("full traced", V, jnp::full({2, 4}, x));
  ONE("zeros_like", X, jnp::zeros_like(x));
  NUMBER("zeros_like weak", 2.0, jnp::zeros_like(x));
  ONE("full_like", X, jnp::full_like(x, 3));
  ONE("full_like traced", X, jnp::full_like(x, x(0)));
  NONE("eye", jnp::eye(3, 4, 1));
  NONE("tri", jnp::tri(3));
  ONE("tril", X, jnp::tril(x));
  ONE("triu", X, jnp::triu(x, 1));
  ONE("tril 3d", T, jnp::tril(x));
  NONE("arange 5", jnp::arange(5));
  NONE("arange 1 5", jnp::arange(1, 5));
  NONE("arange 1 5 2", jnp::arange(1, 5, 2));
  NONE("arange 0 5 2", jnp::arange(0, 5, 2));
  NONE("arange f", jnp::arange(1, 5, 0.5));
  NONE("arange 0 f", jnp::arange(0, 5, 0.5));
  ONE("astype", X, x.astype(bool_));
  NUMBER("array list", 2.0, jnp::array({x, 1.0, 2}));
  ONE("array arrays", X, jnp::array({x, x}));
}

void add_indexing(const Inputs& in, Programs& p) {
  ONE("x[1]", X, x(1));
  ONE("x[-1]", X, x(-1));
  ONE("x[5]", X, x(5));
  ONE("x[-5]", X, x(-5));
  ONE("x[1,2]", X, x(1, 2));
  ONE("x[:,2]", X, x(all, 2));
  ONE("x[:,None,2]", X, x(all, newaxis, 2));
  ONE("x[...,None]", X, x(ellipsis, newaxis));
  ONE("x[:]", X, x(all));
  ONE("x[1,...,1:2]", X, x(1, ellipsis, slice(1, 2)));
  ONE("x[::-1,::2]", X, x(slice(none, none, -1), slice(none, none, 2)));
  ONE("x[::-2]", V, x(slice(none, none, -2)));
  ONE("x[3:0:-2]", V, x(slice(3, 0, -2)));
  ONE("x[3:1]", V, x(slice(3, 1)));
  ONE("x[1:3:-1]", V, x(slice(1, 3, -1)));
  ONE("x[1:30]", V, x(slice(1, 30)));
  ONE("x[None,1,None,::-1]", X, x(newaxis, 1, newaxis, slice(none, none, -1)));
  TWO("x[i]", X, J, x(i));
  TWO("x[i,1]", X, J, x(i, 1));
  TWO("x[i,1:]", X, J, x(i, slice(1, none)));
  TWO("x[:,i]", X, J, x(all, i));
  TWO("x[i,::-1]", X, J, x(i, slice(none, none, -1)));
  TWO("x[i,i]", X, J, x(i, i));
  p["x[u8]"] = trace2([](const Array& x, const Array& i) -> Array { return x(i); }, in.X, in.J.astype(uint8));
  p["x[weak]"] = trace2([](const Array& x, const Array& i) -> Array { return x(i); }, in.X, 1);
  TWO("x[2:3,i]", X, J, x(slice(2, 3), i));
  ONE("at get", X, x.at(1).get());
}

void add_random_and_nn(const Inputs& in, Programs& p) {
  ONE("uniform", K, random::uniform(x, {3}));
  ONE("uniform bf16", K, random::uniform(x, {3}, bfloat16));
  ONE("uniform ints", K, random::uniform(x, {3}, float32, 1, 2));
  ONE("normal", K, random::normal(x, {3}));
  ONE("normal f16", K, random::normal(x, {3}, float16));
  ONE("normal c64", K, random::normal(x, {3}, complex64));
  ONE("bernoulli", K, random::bernoulli(x, 0.5, {3}));
  p["bernoulli p"] = trace2(
      [](const Array& x, const Array& i) -> Array {
        return random::bernoulli(x, i, {2, 3});
      },
      in.K, jnp::ones({3}));
  ONE("randint", K, random::randint(x, {3}, 0, 10));
  ONE("randint u32", K, random::randint(x, {3}, 0, 10, uint32));
  ONE("randint a", K, random::randint(x, {3}, jnp::arange(3), 10));
  ONE("bits", K, random::bits(x, {3}));
  ONE("split", K, random::split(x, {2, 3}));
  ONE("key_data", K, random::key_data(x));
  TWO("fold_in", K, J, random::fold_in(x, i));
  NONE("key", random::key(3));
  ONE("sigmoid", V, nn::sigmoid(x));
  ONE("silu", V, nn::silu(x));
  ONE("softmax", X, nn::softmax(x));
  ONE("log_softmax", X, nn::log_softmax(x));
  ONE("one_hot", N, nn::one_hot(x, 4));
}

void add_places(const Inputs& in, Programs& p) {
  LIST("split 3", X, jnp::split(x, 3, 1));
  LIST("split places", V, jnp::split(x, {1, 3}));
  LIST("array_split", X, jnp::array_split(x, 2, 1));
  NUMBER("glu", in.T(all, all, slice(2)), nn::glu(x));
  LIST("nonzero", X, jnp::nonzero(x, {.size = 2}));
  LIST("nonzero vector", V, jnp::nonzero(x, {.size = 2}));
  LIST("nonzero mask", W, jnp::nonzero(x, {.size = 2}));
  ONE("flatnonzero", V, jnp::flatnonzero(x, {.size = 2}));
  ONE("argwhere", X, jnp::argwhere(x, {.size = 2}));
  ONE("bincount", N, jnp::bincount(x, {}, 0, {.length = 4}));
  ONE("bincount weights", N, jnp::bincount(x, x.astype(float32), 0, {.length = 4}));
}

Programs programs() {
  Programs p;
  const Inputs in;
  add_reductions(in, p);
  add_masked_reductions(in, p);
  add_sums_of_products(in, p);
  add_products(in, p);
  add_shapes(in, p);
  add_creation(in, p);
  add_indexing(in, p);
  add_random_and_nn(in, p);
  add_places(in, p);
  return p;
}

std::string without_trailing_blanks(const std::string& s) {
  std::string r;
  for (const std::string& line : golden::split(s, '\n'))
    r += (r.empty() ? "" : "\n") + line.substr(0, line.find_last_not_of(' ') + 1);
  return r;
}

TEST(NumpyJaxprs, EqualJax) {
  std::ifstream file(COTAN_SOURCE_DIR "/tests/golden/numpy_jaxprs.txt");
  ASSERT_TRUE(file.is_open());
  const std::map<std::string, std::string> got = programs();
  std::map<std::string, std::string> want;
  std::string name;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("# ")) name = line.substr(2);
    else want[name] += (want[name].empty() ? "" : "\n") + line;
  }
  EXPECT_EQ(got.size(), want.size());
  for (const auto& [key, text] : want) {
    ASSERT_TRUE(got.contains(key)) << key;
    EXPECT_EQ(without_trailing_blanks(got.at(key)), text) << key;
  }
}

}  // namespace
}  // namespace cotan
