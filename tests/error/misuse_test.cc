// Public functions with random arguments, most of them wrong: a result or a cotan::Error, never anything else. The arguments
// are tried at once and under transformations.
// COTAN_FUZZ_SEED, COTAN_FUZZ_ROUND and
// COTAN_FUZZ_SECONDS choose where and how long.
#include <sys/resource.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <random>

#include "api/api_test.h"
#include "core/trace.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
// Sanitizers can't live with a limit of the address space; theirs is of a block.
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1:max_allocation_size_mb=2048"; }
extern "C" const char* __tsan_default_options() { return "allocator_may_return_null=1:max_allocation_size_mb=2048"; }
#endif

namespace {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine_() % n); }
  std::int64_t number() {
    static const std::int64_t all[] = {0, 1, 2, 3, -1, -2, 5, -7, 1LL << 33, -(1LL << 33), INT64_MAX, INT64_MIN};
    return all[below(below(4) ? 6 : std::size(all))];
  }
  int axis() { return static_cast<int>(below(7)) - 3; }
  ct::IntList list() {
    ct::IntList l;
    for (std::size_t n = below(4); n > 0; --n) l.push_back(number());
    return l;
  }
  ct::IntList axes() {
    ct::IntList l;
    for (std::size_t n = below(3); n > 0; --n) l.push_back(axis());
    return l;
  }
  ct::DType dtype() { return static_cast<ct::DType>(below(cotan::dtype_count)); }
  Array array() {
    if (below(40) == 0) return Array();
    if (below(20) == 0) return ct::random::split(ct::random::key(1), static_cast<int>(below(3)) + 1);
    if (below(8) == 0) return Array(static_cast<int>(below(5)) - 2);
    ct::Shape s;
    for (std::size_t n = below(4); n > 0; --n) s.push_back(static_cast<std::int64_t>(below(4)));
    static const ct::DType all[] = {ct::float32,   ct::float32,  ct::int32,   ct::bool_, ct::uint8,
                                    ct::complex64, ct::bfloat16, ct::float16, ct::int8};
    return jnp::full(s, static_cast<int>(below(5)) - 2, all[below(std::size(all))]);
  }
  std::vector<Array> arrays() {
    std::vector<Array> v;
    for (std::size_t n = below(4); n > 0; --n) v.push_back(array());
    return v;
  }

 private:
  std::mt19937_64 engine_;
};

using Call = std::function<Array(const Array&, const Array&, Random&)>;

const std::vector<Call>& calls() {
  static const std::vector<Call> all{
#define UNARY(f) [](const Array& x, const Array&, Random&) { return f(x); }
      UNARY(jnp::sin),
      UNARY(jnp::log1p),
      UNARY(jnp::abs),
      UNARY(jnp::sign),
      UNARY(jnp::rint),
      UNARY(jnp::conj),
      UNARY(jnp::angle),
      UNARY(jnp::signbit),
      UNARY(jnp::invert),
      UNARY(jnp::ravel),
      UNARY(jnp::zeros_like),
      UNARY(lax::neg),
      UNARY(lax::erf_inv),
      UNARY(lax::is_finite),
      UNARY(lax::sqrt),
      UNARY(lax::real),
      UNARY(lax::round),
      UNARY(ct::random::key_data),
#define BINARY(f) [](const Array& x, const Array& y, Random&) { return f(x, y); }
      BINARY(jnp::add),
      BINARY(jnp::divide),
      BINARY(jnp::floor_divide),
      BINARY(jnp::remainder),
      BINARY(jnp::power),
      BINARY(jnp::maximum),
      BINARY(jnp::logaddexp),
      BINARY(jnp::hypot),
      BINARY(jnp::left_shift),
      BINARY(jnp::bitwise_xor),
      BINARY(jnp::equal),
      BINARY(jnp::less),
      BINARY(jnp::dot),
      BINARY(jnp::matmul),
      BINARY(jnp::vdot),
      BINARY(jnp::inner),
      BINARY(jnp::outer),
      BINARY(lax::add),
      BINARY(lax::pow),
      BINARY(lax::atan2),
      BINARY(lax::shift_left),
      BINARY(lax::complex),
      BINARY(ct::random::fold_in),
      BINARY(jnp::allclose),
      [](const Array& x, const Array& y, Random& r) { return jnp::where(x, y, r.array()); },
      [](const Array& x, const Array& y, Random& r) { return jnp::clip(x, y, r.array()); },
      [](const Array& x, const Array& y, Random& r) { return lax::clamp(x, y, r.array()); },
      [](const Array& x, const Array& y, Random& r) {
        return lax::select_n(x, {y, r.array()});
      },
      [](const Array& x, const Array&, Random& r) { return lax::integer_pow(x, r.axis()); },
      [](const Array& x, const Array&, Random& r) { return lax::convert_element_type(x, r.dtype()); },
      [](const Array& x, const Array&, Random& r) { return lax::bitcast_convert_type(x, r.dtype()); },
      [](const Array& x, const Array&, Random& r) { return x.astype(r.dtype()); },
      [](const Array& x, const Array&, Random& r) { return jnp::sum(x, ct::Axes(r.axes())); },
      [](const Array& x, const Array&, Random& r) {
        return jnp::prod(x, r.axis(), {.dtype = r.dtype(), .keepdims = true});
      },
      [](const Array& x, const Array&, Random& r) { return jnp::max(x, ct::Axes(r.axes())); },
      [](const Array& x, const Array&, Random& r) { return jnp::var(x, r.axis(), {.ddof = r.axis()}); },
      [](const Array& x, const Array&, Random& r) { return jnp::argmin(x, r.axis()); },
      [](const Array& x, const Array&, Random& r) { return jnp::all(x, r.axis()); },
      [](const Array& x, const Array&, Random& r) { return lax::reduce_sum(x, r.list()); },
      [](const Array& x, const Array&, Random& r) { return lax::reduce_max(x, r.axes()); },
      [](const Array& x, const Array&, Random& r) { return lax::reduce_xor(x, r.axes()); },
      [](const Array& x, const Array&, Random& r) { return lax::argmax(x, r.axis(), r.dtype()); },
      [](const Array& x, const Array&, Random& r) { return jnp::reshape(x, ct::Shape(r.list())); },
      [](const Array& x, const Array&, Random& r) { return lax::reshape(x, ct::Shape(r.list())); },
      [](const Array& x, const Array&, Random& r) { return jnp::broadcast_to(x, ct::Shape(r.list())); },
      [](const Array& x, const Array&, Random& r) { return lax::broadcast_in_dim(x, ct::Shape(r.list()), r.axes()); },
      [](const Array& x, const Array&, Random& r) { return lax::broadcast(x, ct::Shape(r.list())); },
      [](const Array& x, const Array&, Random& r) { return jnp::transpose(x, ct::Axes(r.axes())); },
      [](const Array& x, const Array&, Random& r) { return lax::transpose(x, r.list()); },
      [](const Array& x, const Array&, Random& r) { return lax::squeeze(x, r.list()); },
      [](const Array& x, const Array&, Random& r) { return lax::expand_dims(x, r.list()); },
      [](const Array& x, const Array&, Random& r) { return jnp::expand_dims(x, ct::Axes(r.axes())); },
      [](const Array& x, const Array&, Random& r) { return lax::rev(x, r.list()); },
      [](const Array& x, const Array&, Random& r) { return jnp::roll(x, r.number(), r.axis()); },
      [](const Array& x, const Array&, Random& r) { return jnp::tile(x, ct::Shape(r.axes())); },
      [](const Array& x, const Array&, Random& r) { return jnp::repeat(x, r.axis(), r.axis()); },
      [](const Array& x, const Array&, Random& r) { return jnp::moveaxis(x, r.axis(), r.axis()); },
      [](const Array& x, const Array&, Random& r) { return lax::slice(x, r.list(), r.list(), r.list()); },
      [](const Array& x, const Array&, Random& r) {
        return lax::slice_in_dim(x, r.number(), r.number(), r.number(), r.axis());
      },
      [](const Array& x, const Array&, Random& r) { return lax::dynamic_slice(x, r.arrays(), r.list()); },
      [](const Array& x, const Array& y, Random& r) { return lax::dynamic_update_slice(x, y, r.arrays()); },
      [](const Array& x, const Array& y, Random& r) {
        return lax::pad(x, y, {{r.number(), r.number(), r.number()}});
      },
      [](const Array& x, const Array& y, Random& r) {
        return jnp::pad(x, {{r.axis(), r.axis()}}, "constant", {.constant_values = y});
      },
      [](const Array& x, const Array& y, Random& r) {
        return lax::concatenate({x, y}, r.axis());
      },
      [](const Array& x, const Array& y, Random& r) {
        return jnp::concatenate({x, y}, r.axis());
      },
      [](const Array& x, const Array& y, Random& r) {
        return jnp::stack({x, y}, r.axis());
      },
      [](const Array& x, const Array&, Random& r) { return jnp::split(x, r.axis(), r.axis())[0]; },
      [](const Array& x, const Array& y, Random& r) {
        return lax::dot_general(x, y, {r.axes(), r.axes(), r.axes(), r.axes()}, {.preferred_element_type = r.dtype()});
      },
      [](const Array& x, const Array& y, Random& r) { return jnp::tensordot(x, y, r.axis()); },
      [](const Array& x, const Array& y, Random&) { return x(y); },
      [](const Array& x, const Array&, Random& r) { return x(r.number()); },
      [](const Array& x, const Array&, Random& r) {
        return x(ct::slice(r.number(), r.number(), r.number()), r.axis());
      },
      [](const Array& x, const Array& y, Random& r) { return x.at(r.axis(), ct::ellipsis).set(y); },
      [](const Array& x, const Array& y, Random& r) { return x.at(ct::slice(r.axis(), r.axis())).add(y); },
      [](const Array&, const Array&, Random& r) { return jnp::zeros(ct::Shape(r.list()), r.dtype()); },
      [](const Array& x, const Array&, Random& r) { return jnp::full(ct::Shape(r.list()), x, r.dtype()); },
      [](const Array&, const Array&, Random& r) { return jnp::eye(r.axis(), r.axis(), r.number(), r.dtype()); },
      [](const Array& x, const Array&, Random& r) { return jnp::tril(x, r.number()); },
      [](const Array&, const Array&, Random& r) { return jnp::linspace(1, 2, r.axis()); },
      [](const Array&, const Array&, Random& r) {
        return lax::broadcasted_iota(r.dtype(), ct::Shape(r.list()), r.axis());
      },
      [](const Array& x, const Array&, Random& r) { return ct::random::split(x, ct::Shape(r.list())); },
      [](const Array& x, const Array&, Random& r) { return ct::random::bits(x, ct::Shape(r.axes()), r.dtype()); },
      [](const Array& x, const Array& y, Random& r) {
        return ct::random::uniform(x, ct::Shape(r.axes()), r.dtype(), y);
      },
      [](const Array& x, const Array& y, Random& r) {
        return ct::random::randint(x, ct::Shape(r.axes()), y, r.array(), r.dtype());
      },
      [](const Array& x, const Array&, Random&) { return lax::psum(x, "i"); },
#undef UNARY
#undef BINARY
  };
  return all;
}

// The call at once, or inside a transformation. It returns its result in a vector, since shapes are not known.
void attempt(const Call& call, Random& r) {
  const Array x = r.array(), y = r.array();
  const auto f = [&](const Array& a) { return call(a, y, r); };
  const auto g = [&](const Array& b) { return call(x, b, r); };
  const auto total = [&](const Array& a) { return jnp::sum(call(a, y, r)); };
  switch (r.below(8)) {
    case 0: ct::jit(f)(x); break;
    case 1: ct::vmap(f)(x); break;
    case 2: ct::grad(total)(x); break;
    case 3: ct::make_jaxpr(g)(y).str(); break;
    case 4: ct::vmap(g, ct::in_axes(r.axis()), ct::VmapOptions{.out_axes = r.axis()})(y); break;
    case 5: ct::jvp(f, x, y); break;
    default: call(x, y, r).str(); break;
  }
}

double option(const char* name, double otherwise) {
  const char* v = std::getenv(name);
  return v ? std::atof(v) : otherwise;
}

TEST(Misuse, NeverCrashes) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const rlimit limit{rlim_t{8} << 30, RLIM_INFINITY};  // so that huge arrays fail at once
  setrlimit(RLIMIT_AS, &limit);
#endif
  const auto seed = static_cast<std::uint64_t>(option("COTAN_FUZZ_SEED", 1));
  const double seconds = option("COTAN_FUZZ_SECONDS", 3);
  std::printf("COTAN_FUZZ_SEED=%llu\n", static_cast<unsigned long long>(seed));
  const auto start = std::chrono::steady_clock::now();
  std::uint64_t round = 0, errors = 0;
  if (const double only = option("COTAN_FUZZ_ROUND", -1); only >= 0) round = static_cast<std::uint64_t>(only);
  while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < seconds) {
    const std::uint64_t s = seed * 1'000'003 + round++;
    Random r(s);
    const std::size_t which = r.below(calls().size());
    if (std::getenv("COTAN_FUZZ_TRACE"))
      std::fprintf(stderr, "round %llu call %zu\n", static_cast<unsigned long long>(round - 1), which);
    try {
      attempt(calls()[which], r);
    } catch (const ct::Error& e) {
      ++errors;
      ASSERT_FALSE(e.message().empty()) << "round " << round - 1;
    } catch (const std::exception& e) { FAIL() << "round " << round - 1 << ", call " << which << ": " << e.what(); }
    ASSERT_EQ(cotan::current_trace(), nullptr) << "round " << round - 1;
  }
  std::printf("%llu calls, %llu errors\n", static_cast<unsigned long long>(round),
              static_cast<unsigned long long>(errors));
}

}  // namespace
