// Checks one tile operation on one element type against a plain C++ function of single elements: special values in all
// combinations, splat and consecutive operands, every n up to 130, unaligned runs, a destination that is an operand, on every
// instruction set that this CPU has.
#pragma once
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <random>
#include <vector>

#include "kernel/tile.h"
#include "ops/tile_list.h"
#include "unit/tiles/tile_values.h"

namespace cotan::tile_test {

using kernel::Ins;
using kernel::Isa;
using kernel::TileFn;

inline std::vector<Isa> isas() {
  ops::install_tiles();
  std::vector<Isa> list;
  for (Isa isa : {Isa::avx2, Isa::avx512, Isa::neon}) {
    if (kernel::isa_available(isa)) list.push_back(isa);
  }
  return list;
}

// One instruction over operands of type A (the first of type P, for select) and a result of type O.
template <class O, class A, class P = A> struct Check {
  std::string name;
  TileFn fn;
  int arity;
  std::function<O(P, A, A)> expected;
  std::uint32_t aux = 0;
  std::function<bool(O, O)> equal = [](O x, O y) { return same(x, y); };
  std::vector<P> a;
  std::vector<A> b, c;

  // Operand values: all pairs of specials (unary: all specials), then random ones; a third operand is drawn from the specials.
  void fill(std::uint64_t seed) {
    std::mt19937_64 g(seed);
    const auto first = Specials<P>::get();
    const auto rest = Specials<A>::get();
    for (const P& x : first) {
      for (std::size_t j = 0; j < (arity > 1 ? rest.size() : 1); ++j) {
        a.push_back(x), b.push_back(rest[j]), c.push_back(rest[g() % rest.size()]);
      }
    }
    for (int i = 0; i < 600; ++i)
      a.push_back(random_value<P>(g)), b.push_back(random_value<A>(g)), c.push_back(random_value<A>(g));
  }

  // Runs n elements from position `at` on; `alias`: the operand that the destination is, or -1. False after a failure.
  bool run(std::size_t at, std::size_t n, int steps, int alias) {
    alignas(64) P splat_a[64];
    alignas(64) A splat_b[64], splat_c[64];
    auto value = [&](const auto& v, int j, std::size_t i) { return v[at + ((steps >> j & 1) != 0 ? i : 0)]; };
    std::fill_n(splat_a, 64, a[at]), std::fill_n(splat_b, 64, b[at]), std::fill_n(splat_c, 64, c[at]);
    std::vector<P> ra(a.begin() + static_cast<long>(at), a.begin() + static_cast<long>(at + n));
    std::vector<A> rb(b.begin() + static_cast<long>(at), b.begin() + static_cast<long>(at + n));
    std::vector<A> rc(c.begin() + static_cast<long>(at), c.begin() + static_cast<long>(at + n));
    ra.resize(n + 1), rb.resize(n + 1), rc.resize(n + 1);  // data() of an empty one need not be readable
    std::vector<O> out(n + 2);
    O guard;
    std::memset(&guard, 0x5a, sizeof guard);
    out[0] = out[n + 1] = guard;
    void* const targets[4] = {out.data() + 1, ra.data(), rb.data(), rc.data()};
    void* regs[4] = {targets[alias + 1], steps & 1 ? static_cast<void*>(ra.data()) : splat_a,
                     steps & 2 ? static_cast<void*>(rb.data()) : splat_b,
                     steps & 4 ? static_cast<void*>(rc.data()) : splat_c};
    Ins ins{fn, 0,  1, 2, 3, std::uint8_t(steps & 1), std::uint8_t(steps >> 1 & 1), std::uint8_t(steps >> 2 & 1),
            0,  aux};
    fn(regs, &ins, n);
    EXPECT_EQ(std::memcmp(&out[0], &guard, sizeof guard) | std::memcmp(&out[n + 1], &guard, sizeof guard), 0)
        << name << ": wrote outside, n " << n;
    for (std::size_t i = 0; i < n; ++i) {
      O got;
      std::memcpy(&got, static_cast<const char*>(regs[0]) + i * sizeof(O), sizeof got);
      const O want = expected(value(a, 0, i), value(b, 1, i), value(c, 2, i));
      if (equal(got, want)) continue;
      ADD_FAILURE() << name << "(" << show(value(a, 0, i)) << ", " << show(value(b, 1, i)) << ", "
                    << show(value(c, 2, i)) << ") = " << show(got) << ", not " << show(want) << "; element " << i
                    << " of " << n << ", steps " << steps << ", alias " << alias;
      return false;
    }
    return true;
  }

  void run_all() {
    const int most = (1 << arity) - 1;
    if (!run(0, a.size(), most, -1)) return;
    for (std::size_t n = 0; n <= 130; ++n) {
      for (int steps = 0; steps <= most; ++steps) {
        const std::size_t at = (n * 37 + static_cast<std::size_t>(steps) * 11) % (a.size() - 130);
        if (!run(at, n, steps, -1)) return;
        for (int alias = 0; alias < arity; ++alias) {
          const bool fits = (alias == 0 ? sizeof(P) : sizeof(A)) == sizeof(O) && (steps >> alias & 1) != 0;
          if (fits && !run(at, n, steps, alias)) return;
        }
      }
    }
  }
};

// Checks operation `name` on operands of type A. `f` takes `arity` elements. Says how many were checked by `checks`.
inline int checks = 0;
template <class O, class A, class F>
void check(
    const char* name, int arity, F f, std::uint32_t aux = 0, DType key = kernel::dtype_of<A>,
    std::function<bool(O, O)> equal = [](O x, O y) { return same(x, y); }) {
  for (Isa isa : isas()) {
    const kernel::TileOp* op = kernel::tiles_for(isa).find(name);
    ASSERT_NE(op, nullptr) << name;
    ASSERT_EQ(op->arity, arity) << name;
    TileFn fn = op->fn[static_cast<int>(key)];
    ASSERT_NE(fn, nullptr) << name << " of dtype " << static_cast<int>(key);
    Check<O, A> c{std::string(name) + " isa " + std::to_string(static_cast<int>(isa)) + " dtype " +
                      std::to_string(static_cast<int>(key)),
                  fn,
                  arity,
                  [f](A x, A y, A z) -> O {
                    if constexpr (std::is_invocable_v<F, A, A, A>) return f(x, y, z);
                    else if constexpr (std::is_invocable_v<F, A, A>) return f(x, y);
                    else return f(x);
                  },
                  aux,
                  equal,
                  {},
                  {},
                  {}};
    c.fill(static_cast<std::uint64_t>(key) + 1);
    c.run_all();
    ++checks;
  }
}

}  // namespace cotan::tile_test
