// What the array functions say of bad input: the class that JAX raises, the words of the first line, the user's line on the second.
#include "api/api_test.h"

namespace {

struct BadCall {
  const char* text;
  int line;
  std::string words;
  void (*call)();
  std::string (*judge)(const BadCall&);  // "" or what is wrong
};

template <class E> std::string judge(const BadCall& c) {
  try {
    c.call();
  } catch (const E& e) {
    const std::string what = e.what();
    const std::size_t end = what.find('\n');
    if (what.substr(0, end).find(c.words) == what.npos)
      return "the first line does not say \"" + c.words + "\": " + what;
    const std::string place = "functions_test.cc:" + std::to_string(c.line);
    const std::string second = end == what.npos ? "" : what.substr(end + 1, what.find('\n', end + 1) - end - 1);
    return second.find(place) == second.npos ? "the second line is not of " + place + ": " + what : "";
  } catch (const std::exception& e) { return std::string("of another class: ") + e.what(); }
  return "no error";
}

#define BAD(Class, words, ...)                                                                \
  {                                                                                           \
#__VA_ARGS__, __LINE__, words, [] { static_cast<void>(__VA_ARGS__); }, judge < ct::Class> \
  }

class BadInput : public testing::TestWithParam<BadCall> {};
TEST_P(BadInput, IsRefused) { EXPECT_EQ(GetParam().judge(GetParam()), "") << GetParam().text; }

Array f32(const ct::Shape& s) { return jnp::ones(s); }
Array i32(const ct::Shape& s) { return jnp::zeros(s, ct::int32); }
Array key() { return ct::random::key(0); }
constexpr std::int64_t huge = std::int64_t{1} << 62, large = std::int64_t{1} << 40;

const BadCall axes[] = {
    BAD(ValueError, "axis 2 is out of bounds for array of dimension 2", jnp::sort(f32({2, 3}), 2)),
    BAD(ValueError, "axis -3 is out of bounds for array of dimension 2", jnp::argsort(f32({2, 3}), -3)),
    BAD(ValueError, "axis 2 is out of bounds for array of dimension 2", jnp::cumsum(f32({2, 3}), 2)),
    BAD(ValueError, "axis 2 is out of bounds for array of dimension 2", jnp::cumprod(f32({2, 3}), 2)),
    BAD(ValueError, "axis 2 is out of bounds for array of dimension 2", jnp::partition(f32({2, 3}), 0, 2)),
    BAD(ValueError, "axis 2 is out of bounds for array of dimension 2", jnp::argpartition(f32({2, 3}), 0, 2)),
    BAD(ValueError, "axis 2 is out of bounds for array of dimension 2", jnp::median(f32({2, 3}), 2)),
    BAD(ValueError, "axis 2 is out of bounds for array of dimension 2", jnp::quantile(f32({2, 3}), 0.5, 2)),
    BAD(ValueError, "axis 2 is out of bounds for array of dimension 2", jnp::take(f32({2, 3}), 0, 2)),
    BAD(ValueError, "axis 2 is out of bounds for array of dimension 2",
        jnp::take_along_axis(f32({2, 3}), i32({2, 3}), 2)),
    BAD(ValueError, "axis 2 is out of bounds for array of dimension 2",
        jnp::put_along_axis(f32({2, 3}), i32({2, 3}), 1, 2, {.inplace = false})),
    BAD(ValueError, "axis 2 is out of bounds for array of dimension 2", jnp::repeat(f32({2, 3}), 2, 2)),
    BAD(ValueError, "axis 2 is out of bounds for array of dimension 2", jnp::roll(f32({2, 3}), 1, 2)),
    BAD(ValueError, "axis 2 is out of bounds for array of dimension 2", jnp::delete_(f32({2, 3}), 0, 2)),
    BAD(ValueError, "axis 2 is out of bounds for array of dimension 2", jnp::insert(f32({2, 3}), 0, 1.0f, 2)),
    BAD(ValueError, "axis 2 is out of bounds for array of dimension 2", jnp::split(f32({2, 3}), 1, 2)),
    BAD(ValueError, "axis 2 is out of bounds for array of dimension 2", jnp::unstack(f32({2, 3}), 2)),
    BAD(ValueError, "axis 2 is out of bounds for array of dimension 2", jnp::diff(f32({2, 3}), 1, 2)),
    BAD(IndexError, "axis 2 is out of bounds", jnp::unwrap(f32({2, 3}), {.axis = 2})),
    BAD(ValueError, "axis 2 is out of bounds for array of dimension 2",
        jnp::apply_along_axis([](const Array& x) { return x; }, 2, f32({2, 3}))),
    BAD(ValueError, "axis 2 is out of bounds for array of dimension 2", jnp::trapezoid(f32({2, 3}), {}, {.axis = 2})),
    BAD(ValueError, "axis 2 is out of bounds for array of dimension 2", ct::nn::softmax(f32({2, 3}), 2)),
    BAD(ValueError, "axis 2 is out of bounds for array of dimension 2", ct::nn::logsumexp(f32({2, 3}), 2)),
    BAD(IndexError, "axis 2", ct::nn::glu(f32({2, 4}), 2)),
    BAD(ValueError, "axis 3 is out of bounds for array of dimension 3", jnp::stack({f32({2, 3}), f32({2, 3})}, 3)),
    BAD(ValueError, "axis 2", jnp::concatenate({f32({2, 3}), f32({2, 3})}, 2)),
    BAD(ValueError, "axis", jnp::unique(f32({2, 3}), {.axis = 2})),
    BAD(ValueError, "axis", ct::random::permutation(key(), f32({2, 3}), 2)),
    BAD(ValueError, "axis", ct::random::choice(key(), f32({2, 3}), {}, {.axis = 2})),
    BAD(IndexError, "axis 2 is out of bounds", ct::random::categorical(key(), f32({2, 3}), 2)),
    BAD(ValueError, "axis 2", lax::cumsum(f32({2, 3}), 2)),
    BAD(ValueError, "2", lax::sort(f32({2, 3}), 2)),
    BAD(Error, "2", lax::reduce_max(f32({2, 3}), {2})),
    BAD(Error, "2", lax::concatenate({f32({2, 3}), f32({2, 3})}, 2)),
    BAD(Error, "2", lax::split(f32({2, 3}), {2}, 2)),
    BAD(Error, "rev", lax::rev(f32({2, 3}), {2})),
    BAD(Error, "rev", lax::rev(f32({2, 3}), {0, 0})),
    BAD(Error, "transpose", lax::transpose(f32({2, 3}), {0, 2})),
    BAD(Error, "broadcast_in_dim", lax::broadcast_in_dim(f32({3}), {2, 3}, {2})),
    BAD(Error, "broadcast_in_dim", lax::broadcast_in_dim(f32({3}), {2, 3}, {0})),
    BAD(Error, "2", lax::expand_dims(f32({3}), {3})),
    BAD(Error, "squeeze", lax::squeeze(f32({3, 1}), {0})),
    BAD(Error, "slice", lax::slice(f32({3}), {0}, {4})),
    BAD(Error, "dot_general", lax::dot_general(f32({2, 3}), f32({3, 2}), {{2}, {0}})),
    BAD(Error, "dot_general", lax::dot_general(f32({2, 3}), f32({3, 2}), {{1, 1}, {0, 0}})),
    BAD(Error, "gather", lax::gather(f32({2, 3}), i32({1, 1}), {{0}, {0}, {2}}, {1, 3})),
    BAD(Error, "gather", lax::gather(f32({2, 3}), i32({1, 1}), {{0}, {0}, {0}}, {3, 3})),
    BAD(Error, "scatter", lax::scatter_add(f32({2, 3}), i32({1, 1}), f32({1, 3}), {{1}, {2}, {0}})),
};
INSTANTIATE_TEST_SUITE_P(Axes, BadInput, testing::ValuesIn(axes));

const BadCall indices[] = {
    BAD(TypeError, "float32", f32({3})(f32({2}))),
    BAD(TypeError, "float32", f32({3}).at(f32({2})).set(1.0f)),
    BAD(Error, "must have an integer type, got f32[2]", jnp::take(f32({3}), f32({2}))),
    BAD(TypeError, "float32", jnp::take_along_axis(f32({3}), f32({2}), 0)),
    BAD(TypeError, "float32", jnp::put(f32({3}), f32({2}), 1.0f, {.inplace = false})),
    BAD(TypeError, "float32", jnp::put_along_axis(f32({3}), f32({2}), 1.0f, 0, {.inplace = false})),
    BAD(TypeError, "float32", jnp::bincount(f32({3}))),
    BAD(ValueError, "f32[2]", jnp::choose(f32({2}), {f32({2}), f32({2})})),
    BAD(ValueError, "f32[2]", jnp::delete_(f32({3}), f32({2}))),
    BAD(ValueError, "f32[2]", jnp::insert(f32({3}), f32({2}), 1.0f)),
    BAD(TypeError, "float32", lax::dynamic_slice(f32({3}), {Array(0.5f)}, {1})),
    BAD(TypeError, "float32", lax::dynamic_update_slice(f32({3}), f32({1}), {Array(0.5f)})),
    BAD(Error, "f32", lax::gather(f32({2, 3}), f32({1, 1}), {{0}, {0}, {0}}, {1, 3})),
    BAD(Error, "f32", lax::scatter(f32({2, 3}), f32({1, 1}), f32({1, 3}), {{1}, {0}, {0}})),
    BAD(TypeError, "f32[3]", ct::segment::segment_sum(f32({3}), f32({3}))),
    BAD(IndexError, "bool", f32({3})(jnp::ones({2}, ct::bool_))),
    BAD(IndexError, "out of bounds", jnp::delete_(f32({3}), jnp::array({0, 5}))),
};
INSTANTIATE_TEST_SUITE_P(Indices, BadInput, testing::ValuesIn(indices));

const BadCall overflows[] = {
    BAD(Error, "too large", jnp::zeros({large, large})),
    BAD(Error, "too large", jnp::full({large, large}, 1.5f)),
    BAD(Error, "too large", jnp::broadcast_to(f32({1}), {large, large})),
    BAD(MemoryError, "of memory", jnp::eye(large, large)),
    BAD(MemoryError, "of memory", jnp::tri(large, large)),
    BAD(MemoryError, "of memory", jnp::indices({large, large})),
    BAD(MemoryError, "of memory", jnp::tile(f32({2}), {large, large})),
    BAD(MemoryError, "of memory", jnp::repeat(f32({4}), Array(3), 0, {.total_repeat_length = huge})),
    BAD(Error, "too large", jnp::pad(f32({2}), huge)),
    BAD(Error, "too large", jnp::arange(0, huge)),
    BAD(MemoryError, "of memory", jnp::linspace(0.0, 1.0, huge)),
    BAD(MemoryError, "of memory", jnp::nonzero(f32({3}), {.size = huge})),
    BAD(MemoryError, "of memory", jnp::unique(f32({3}), {.size = huge})),
    BAD(MemoryError, "of memory", jnp::bincount(i32({3}), {}, 0, {.length = huge})),
    BAD(ValueError, "Maximum allowed size exceeded", jnp::resize(f32({3}), {large, large})),
    BAD(MemoryError, "of memory", jnp::hanning(huge)),
    BAD(MemoryError, "of memory", jnp::vander(f32({3}), huge)),
    BAD(MemoryError, "of memory", ct::nn::one_hot(i32({4}), huge)),
    BAD(MemoryError, "of memory", ct::random::bits(key(), {large, large})),
    BAD(Error, "too large", ct::random::uniform(key(), {large, large})),
    BAD(Error, "too large", ct::random::normal(key(), {large, large})),
    BAD(MemoryError, "of memory", ct::random::split(key(), {large, large})),
    BAD(Error, "too large", ct::random::gamma(key(), 1.0f, {large, large})),
    BAD(MemoryError, "of memory", ct::segment::segment_sum(f32({3}), i32({3}), huge)),
    BAD(MemoryError, "of memory", lax::iota(ct::int32, huge)),
    BAD(Error, "too large", lax::broadcast(f32({4}), {huge})),
    BAD(Error, "too large", lax::pad(f32({4}), 0.0f, {{huge, 0, 0}})),
    BAD(Error, "too large", lax::pad(f32({4}), 0.0f, {{0, 0, huge}})),
};
INSTANTIATE_TEST_SUITE_P(Overflows, BadInput, testing::ValuesIn(overflows));

const BadCall negative[] = {
    BAD(Error, "-1", jnp::zeros({2, -1})),
    BAD(Error, "-1", jnp::full({-1}, 2.0f)),
    BAD(Error, "-1", jnp::broadcast_to(f32({1}), {-1})),
    BAD(Error, "-1", jnp::eye(-1)),
    BAD(Error, "-1", jnp::tri(-1)),
    BAD(Error, "-1", jnp::linspace(0.0, 1.0, -1)),
    BAD(Error, "-1", jnp::repeat(f32({3}), -1)),
    BAD(Error, "-1", jnp::pad(f32({3}), -1)),
    BAD(Error, "-1", jnp::nonzero(f32({3}), {.size = -1})),
    BAD(Error, "-1", jnp::argwhere(f32({3}), {.size = -1})),
    BAD(Error, "-1", jnp::unique(f32({3}), {.size = -1})),
    BAD(Error, "-1", jnp::union1d(f32({3}), f32({3}), {.size = -1})),
    BAD(Error, "-1", jnp::intersect1d(f32({3}), f32({3}), false, {.size = -1})),
    BAD(Error, "-1", jnp::setdiff1d(f32({3}), f32({3}), false, {.size = -1})),
    BAD(Error, "-1", jnp::bincount(i32({3}), {}, 0, {.length = -1})),
    BAD(Error, "-1", jnp::indices({-1})),
    BAD(Error, "-2", jnp::resize(f32({3}), {-2})),
    BAD(Error, "-1", jnp::diff(f32({3}), -1)),
    BAD(Error, "-1", ct::nn::one_hot(i32({3}), -1)),
    BAD(Error, "-1", ct::random::uniform(key(), {-1})),
    BAD(Error, "-1", ct::random::normal(key(), {-1})),
    BAD(Error, "-1", ct::random::bits(key(), {-1})),
    BAD(Error, "-1", ct::random::gamma(key(), 1.0f, {-1})),
    BAD(Error, "-1", ct::random::choice(key(), f32({3}), {-1})),
    BAD(Error, "-1", ct::random::split(key(), {-1})),
    BAD(Error, "-1", ct::segment::segment_sum(f32({3}), i32({3}), -1)),
    BAD(Error, "-1", lax::iota(ct::int32, -1)),
    BAD(Error, "-1", lax::broadcast(f32({3}), {-1})),
    BAD(Error, "-1", lax::split(f32({3}), {4, -1})),
    BAD(Error, "-1", lax::top_k(f32({3}), -1)),
    BAD(Error, "4", lax::top_k(f32({3}), 4)),
    BAD(Error, "-1", lax::dynamic_slice(f32({3}), {Array(0)}, {-1})),
    BAD(Error, "number sections must be larger than 0", jnp::split(f32({3}), 0)),
    BAD(Error, "number sections must be larger than 0", jnp::array_split(f32({3}), -1)),
};
INSTANTIATE_TEST_SUITE_P(NegativeSizes, BadInput, testing::ValuesIn(negative));

// Shapes that depend on values: the message names what to give.
template <class F> Array traced(F f) {
  return ct::jit([f](const Array& x) { return f(x); })(jnp::arange(3));
}
const BadCall shapes[] = {
    BAD(ConcretizationTypeError, "size", traced([](const Array& x) { return jnp::nonzero(x)[0]; })),
    BAD(ConcretizationTypeError, "size", traced([](const Array& x) { return jnp::flatnonzero(x); })),
    BAD(ConcretizationTypeError, "size", traced([](const Array& x) { return jnp::argwhere(x); })),
    BAD(ConcretizationTypeError, "size", traced([](const Array& x) { return jnp::unique(x); })),
    BAD(ConcretizationTypeError, "size", traced([](const Array& x) { return jnp::unique_counts(x).counts; })),
    BAD(ConcretizationTypeError, "size", traced([](const Array& x) { return jnp::union1d(x, x); })),
    BAD(ConcretizationTypeError, "size", traced([](const Array& x) { return jnp::intersect1d(x, x); })),
    BAD(ConcretizationTypeError, "size", traced([](const Array& x) { return jnp::setdiff1d(x, x); })),
    BAD(ConcretizationTypeError, "size", traced([](const Array& x) { return jnp::setxor1d(x, x); })),
    BAD(ConcretizationTypeError, "size", traced([](const Array& x) { return jnp::extract(x > 0, x); })),
    BAD(ConcretizationTypeError, "size", traced([](const Array& x) { return jnp::compress(x > 0, x); })),
    BAD(ConcretizationTypeError, "total_repeat_length", traced([](const Array& x) { return jnp::repeat(x, x); })),
    BAD(ConcretizationTypeError, "length", traced([](const Array& x) { return jnp::bincount(x); })),
    BAD(ConcretizationTypeError, "num_segments", traced([](const Array& x) { return ct::segment::segment_sum(x, x); })),
    BAD(ConcretizationTypeError, "obj", traced([](const Array& x) { return jnp::delete_(x, x); })),
    BAD(NonConcreteBooleanIndexError, "bool", traced([](const Array& x) { return x(x > 0); })),
    BAD(ConcretizationTypeError, "mode", traced([](const Array& x) {
          return jnp::choose(x, {x, x, x});
        })),
    BAD(ConcretizationTypeError, "mode", traced([](const Array& x) { return jnp::ravel_multi_index({x}, {3}); })),
};
INSTANTIATE_TEST_SUITE_P(ShapesOfValues, BadInput, testing::ValuesIn(shapes));

}  // namespace
