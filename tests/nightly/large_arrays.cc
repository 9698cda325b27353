// Arrays of more than 2^31 elements, of one byte each: large_arrays [CASE], or --list. About 7 GiB of memory.
#include <cstdio>
#include <cstring>
#include <string>

#include "cotan/cotan.h"
#include "runtime/allocator.h"

namespace {

namespace ct = cotan;
namespace jnp = cotan::numpy;
namespace lax = cotan::lax;
using ct::Array;

constexpr std::int64_t n = (std::int64_t{1} << 31) + 1000, place = n - 7;

bool good = true;
void expect(const char* what, std::int64_t got, std::int64_t want) {
  if (got == want) return;
  std::printf("%s: got %lld, expected %lld\n", what, static_cast<long long>(got), static_cast<long long>(want));
  good = false;
}
std::int64_t value(const Array& x) { return x.astype(ct::int64).item<std::int64_t>(); }

Array marked() {  // zeros, and 5 at `place`
  return ct::jit([] { return jnp::zeros({n}, ct::uint8).at(jnp::array(place)).set(5); })();
}

void elements() {
  const Array x = marked();
  expect("x[place]", value(x(place)), 5);
  expect("x[place - 1]", value(x(place - 1)), 0);
  expect("sum", value(ct::jit([](const Array& a) { return jnp::sum(a.astype(ct::int64)); })(x)), 5);
  expect("argmax", value(jnp::argmax(x)), place);
  expect("max", value(jnp::max(x)), 5);
  expect("gather", value(jnp::take(x, jnp::array(place))), 5);
  expect("dynamic_slice", value(lax::dynamic_slice(x, {jnp::array(place)}, {3})(0)), 5);
}

void maps() {
  const Array x = marked();
  const Array y = ct::jit([](const Array& a) { return jnp::flip(a) * 3 + 1; })(x);
  expect("flipped", value(y(n - 1 - place)), 16);
  expect("beside", value(y(n - place)), 1);
  expect("the last", value(y(n - 1)), 1);
}

void donated() {
  const auto f = ct::jit([](const Array& a, const Array& i) { return a.at(i).add(1); }, {.donate_argnums = {0}});
  Array x = marked();
  const void* at = x.data();
  x = f(x, jnp::array(place));
  expect("in place", x.data() == at, 1);
  expect("x[place]", value(x(place)), 6);
}

void sums_of_broadcasts() {
  constexpr std::int64_t m = 50'000;  // m * m > 2^31 elements, which are never there
  const auto f = ct::jit([](const Array& a, const Array& b) { return jnp::sum(jnp::expand_dims(a, 1) * b); });
  expect("sum", value(f(jnp::arange(m), jnp::arange(m))), (m * (m - 1) / 2) * (m * (m - 1) / 2));
  const auto g = ct::jit([] { return jnp::argmax(lax::iota(ct::int64, n) == place); });
  expect("argmax", value(g()), place);
}

struct Case {
  const char* name;
  void (*run)();
};
constexpr Case cases[] = {
    {"elements", elements}, {"maps", maps}, {"donated", donated}, {"sums_of_broadcasts", sums_of_broadcasts}};

}  // namespace

int main(int argc, char** argv) {
  const std::string only = argc > 1 ? argv[1] : "";
  const ct::enable_x64 x64;
  ct::runtime::set_poison(true);
  for (const Case& c : cases) {
    if (only == "--list") std::printf("%s\n", c.name);
    else if (only.empty() || only == c.name) c.run();
  }
  return good ? 0 : 1;
}
