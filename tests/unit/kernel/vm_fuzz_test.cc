// Random programs over random layouts: the VM against the naive interpreter, to the bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <set>

#include "base/thread_pool.h"
#include "cotan/config.h"
#include "kernel/reduce.h"
#include "kernel/vm.h"
#include "stub_tiles.h"

namespace cotan::kernel::test {
namespace {

// Cuts however little there is to do.
class CutAlways {
 public:
  explicit CutAlways(int threads) : threads_(threads) { cotan::detail::least_parallel_ns = 0; }
  ~CutAlways() { cotan::detail::least_parallel_ns = before_; }
  CutAlways(const CutAlways&) = delete;
  CutAlways& operator=(const CutAlways&) = delete;

 private:
  double before_ = least_parallel_ns();
  ScopedNumThreads threads_;
};

class Fuzz {
 public:
  explicit Fuzz(unsigned seed) : random_(seed) { install_stub_tiles(); }

  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  bool chance(int percent) { return below(100) < percent; }

  Dims extents(int rank, std::int64_t most) {
    Dims e;
    std::int64_t total = 1;
    for (int l = 0; l < rank; ++l) {
      static constexpr int sizes[] = {1, 2, 3, 5, 7, 16, 33, 64, 130, 513, 1000, 2100};
      std::int64_t n = chance(2) ? 0 : sizes[below(12)];
      if (total * n > most) n = 1 + below(3);
      total *= std::max<std::int64_t>(n, 1);
      e.push_back(n);
    }
    return e;
  }

  // A layout of the loops: permuted, some broadcast, reversed or with gaps. *need: elements of the buffer.
  Dims layout(const Dims& e, bool may_broadcast, std::int64_t* offset, std::int64_t* need) {
    std::vector<int> order(static_cast<std::size_t>(e.length()));
    std::iota(order.begin(), order.end(), 0);
    if (chance(50)) std::shuffle(order.begin(), order.end(), random_);
    Dims strides = Dims::filled(e.length(), 0);
    std::int64_t next = chance(15) ? 2 : 1;
    *offset = chance(30) ? below(5) : 0;
    std::int64_t last = *offset;
    for (auto l = order.rbegin(); l != order.rend(); ++l) {
      if (may_broadcast && chance(20)) continue;
      const std::int64_t n = std::max<std::int64_t>(e[*l], 1);
      const bool reverse = chance(15);
      strides[*l] = reverse ? -next : next;
      if (reverse) *offset += next * (n - 1);
      last += next * (n - 1);
      next *= n + (chance(15) ? 1 + below(3) : 0);
    }
    *need = last + 1 + below(3);
    return strides;
  }

  // At most two, each with a buffer of its own; inside or outside of the limit. *offset, *need: grow by what they may add.
  Starts starts(std::int64_t* offset, std::int64_t* need) {
    Starts all;
    while (all.size() < 2 && chance(15)) {
      const std::int64_t limit = below(4), stride = below(7) - 2;
      all.push_back({new_buffer(1, DType::int32), DType::int32, limit, stride, below(2) * below(9)});
      *need += limit * std::abs(stride);
      if (stride < 0) *offset -= limit * stride;
    }
    return all;
  }

  int new_buffer(std::int64_t items, DType d) {
    TestBuffer b(items, item_size(d), static_cast<std::size_t>(below(7)));
    for (std::int64_t i = 0; i < items; ++i) put_random(d, b.data() + i * static_cast<std::int64_t>(item_size(d)));
    buffers_.push_back(std::move(b));
    return static_cast<int>(buffers_.size()) - 1;
  }

  void put_random(DType d, char* to) {
    const int v = below(41) - 20;
    const auto put = [&](auto x) { std::memcpy(to, &x, sizeof x); };
    switch (d) {
      case DType::bool_: return put(static_cast<std::uint8_t>(v & 1));
      case DType::int8: return put(static_cast<std::int8_t>(v));
      case DType::int32: return put(v);
      case DType::int64: return put(static_cast<std::int64_t>(v));
      case DType::float64: return put(chance(2) ? __builtin_nan("") : v * 0.125);
      case DType::bfloat16: return put(static_cast<std::uint16_t>(0x3f80 + below(64)));
      case DType::complex64: return put(static_cast<float>(v)), void(std::memcpy(to + 4, "\0\0\x80\x3f", 4));
      default: return put(chance(2) ? __builtin_nanf("") : static_cast<float>(v) * 0.125f);
    }
  }

  Value source(ProgramBuilder& b, const Dims& e, DType d) {
    if (chance(10) && d == DType::int32) {
      std::int64_t offset = 0, need = 0;
      Dims strides = layout(e, true, &offset, &need);
      return b.iota(d, strides, offset);
    }
    std::int64_t offset = 0, need = 0;
    Dims strides = layout(e, true, &offset, &need);
    Starts at = starts(&offset, &need);
    return b.memory(new_buffer(need, d), d, strides, offset, std::move(at));
  }

  std::string check(const Program& p, const std::set<int>& outputs) {
    std::vector<std::int64_t> bytes;
    for (const TestBuffer& b : buffers_) bytes.push_back(b.size());
    if (const std::string why = verify(p, bytes); !why.empty()) return why;
    std::vector<TestBuffer> expected = buffers_;
    std::vector<void*> got_pointers, want_pointers;
    for (std::size_t i = 0; i < buffers_.size(); ++i)
      got_pointers.push_back(buffers_[i].data()), want_pointers.push_back(expected[i].data());
    for (const Alias& a : p.aliases) {
      got_pointers[static_cast<std::size_t>(a.output)] = got_pointers[static_cast<std::size_t>(a.input)];
    }
    PreparedProgram prepared(p);
    const std::vector<TestBuffer> before = buffers_;
    naive_run(p, want_pointers.data());
    for (int threads : {1, chance(50) ? 2 : 7}) {
      const CutAlways scope(threads);
      for (std::size_t i = 0; i < buffers_.size(); ++i)
        std::memcpy(buffers_[i].data(), before[i].data(), static_cast<std::size_t>(before[i].size()));
      prepared.run(got_pointers.data());
      for (int o : outputs) {
        const auto i = static_cast<std::size_t>(o);
        if (std::memcmp(got_pointers[i], want_pointers[i], static_cast<std::size_t>(buffers_[i].size())) != 0)
          return "b" + std::to_string(o) + " differs, " + std::to_string(threads) + " threads";
      }
      for (const TestBuffer& b : buffers_)
        if (!b.guards_intact()) return "wrote outside a buffer";
      if (!p.aliases.empty()) continue;
      for (std::size_t i = 0; i < buffers_.size(); ++i)
        if (!outputs.contains(static_cast<int>(i)) &&
            std::memcmp(before[i].data(), buffers_[i].data(), static_cast<std::size_t>(before[i].size())) != 0)
          return "an input changed";
    }
    return {};
  }

  std::vector<TestBuffer>& buffers() { return buffers_; }

  // Values by type, so that operands can be drawn.
  struct Pool {
    std::vector<Value> f32, f64, i32, bools;
  };

  void grow(ProgramBuilder& b, Pool& v) {
    const auto pick = [&](const std::vector<Value>& list) {
      return list[static_cast<std::size_t>(below(static_cast<int>(list.size())))];
    };
    switch (below(8)) {
      case 0: return v.f32.push_back(b.apply("add", DType::float32, {pick(v.f32), pick(v.f32)}));
      case 1: return v.f32.push_back(b.apply("neg", DType::float32, {pick(v.f32)}));
      case 2: return v.bools.push_back(b.apply("lt", DType::float32, {pick(v.f32), pick(v.f32)}));
      case 3: return v.i32.push_back(b.apply("mul", DType::int32, {pick(v.i32), pick(v.i32)}));
      case 4: return v.f64.push_back(b.convert(pick(v.f32), DType::float64));
      case 5:
        return v.f64.push_back(b.apply("add", DType::float64, {pick(v.f64), b.convert(pick(v.i32), DType::float64)}));
      case 6: return v.f32.push_back(b.apply("select", DType::float32, {pick(v.bools), pick(v.f32), pick(v.f32)}));
      default: return v.i32.push_back(b.convert(pick(v.bools), DType::int32));
    }
  }

 private:
  std::mt19937 random_;
  std::vector<TestBuffer> buffers_;
};

TEST(VmFuzz, Elementwise) {
  for (unsigned seed = 0; seed < 1000; ++seed) {
    Fuzz f(seed);
    const Dims e = f.extents(f.below(7), seed % 10 == 0 ? 40000 : 3000);
    ProgramBuilder b(e);
    Fuzz::Pool v;
    for (int i = 0; i < 2; ++i) v.f32.push_back(f.source(b, e, DType::float32));
    v.f64.push_back(f.source(b, e, DType::float64));
    v.i32.push_back(f.source(b, e, DType::int32));
    v.bools.push_back(f.source(b, e, DType::bool_));
    v.f32.push_back(b.constant_of(DType::float32, 1.5f));
    for (int n = f.below(10); n > 0; --n) f.grow(b, v);
    std::set<int> outputs;
    for (int n = 1 + f.below(3); n > 0; --n) {
      const std::vector<Value>& list = f.chance(50) ? v.f32 : f.chance(50) ? v.f64 : f.chance(50) ? v.i32 : v.bools;
      const Value value =
          list[list.size() - 1 - static_cast<std::size_t>(f.below(std::min<int>(2, static_cast<int>(list.size()))))];
      std::int64_t offset = 0, need = 0;
      const Dims strides = f.layout(e, false, &offset, &need);
      Starts at = f.starts(&offset, &need);
      const int buffer = f.new_buffer(need, b.dtype_of(value));
      b.store(value, buffer, strides, offset, std::move(at));
      outputs.insert(buffer);
    }
    const Program p = b.finish();
    ASSERT_EQ(f.check(p, outputs), "") << "seed " << seed << "\n" << to_text(p);
  }
}

// Each output takes the memory of one input.
TEST(VmFuzz, InPlace) {
  for (unsigned seed = 0; seed < 600; ++seed) {
    Fuzz f(seed);
    const Dims e = f.extents(1 + f.below(3), 5000);
    ProgramBuilder b(e);
    Fuzz::Pool v;
    std::int64_t offset = 0, need = 0;
    const Dims strides = f.layout(e, false, &offset, &need);
    std::vector<int> inputs;
    for (int i = 0; i < 2; ++i)
      inputs.push_back(f.new_buffer(need, DType::float32)),
          v.f32.push_back(b.memory(inputs.back(), DType::float32, strides, offset));
    v.f64.push_back(f.source(b, e, DType::float64));
    v.i32.push_back(f.source(b, e, DType::int32));
    v.bools.push_back(f.source(b, e, DType::bool_));
    for (int n = f.below(8); n > 0; --n) f.grow(b, v);
    std::set<int> outputs;
    std::vector<int> made;
    for (int i = 0; i < 2; ++i) {
      made.push_back(f.new_buffer(need, DType::float32));
      b.store(v.f32[static_cast<std::size_t>(f.below(static_cast<int>(v.f32.size())))], made.back(), strides, offset);
      outputs.insert(made.back());
    }
    Program p = b.finish();
    const int turn = f.below(2);
    for (int i = 0; i < 2; ++i) {
      const int from = inputs[static_cast<std::size_t>(i ^ turn)], to = made[static_cast<std::size_t>(i)];
      p.aliases.push_back({to, from});
      auto& bs = f.buffers();  // what the store leaves untouched is the same in both
      std::memcpy(bs[static_cast<std::size_t>(to)].data(), bs[static_cast<std::size_t>(from)].data(),
                  static_cast<std::size_t>(bs[static_cast<std::size_t>(from)].size()));
    }
    ASSERT_EQ(f.check(p, outputs), "") << "seed " << seed << "\n" << to_text(p);
  }
}

TEST(VmFuzz, Copies) {
  constexpr DType types[] = {DType::bool_, DType::bfloat16, DType::float32, DType::float64, DType::complex128};
  for (unsigned seed = 0; seed < 2000; ++seed) {
    Fuzz f(seed);
    const Dims e = f.extents(f.below(6), 20000);
    ProgramBuilder b(e);
    const DType d = types[f.below(5)];
    std::int64_t offset = 0, need = 0;
    const Value v = f.source(b, e, d);
    const Dims strides = f.layout(e, false, &offset, &need);
    Starts at = f.starts(&offset, &need);
    const int buffer = f.new_buffer(need, d);
    b.store(v, buffer, strides, offset, std::move(at));
    const Program p = b.finish();
    ASSERT_EQ(f.check(p, {buffer}), "") << "seed " << seed << "\n" << to_text(p);
  }
}

// Integers and order-free combiners, to the bit.
TEST(VmFuzz, Reductions) {
  constexpr Combiner combiners[] = {Combiner::sum,     Combiner::prod,    Combiner::max,
                                    Combiner::min,     Combiner::bit_and, Combiner::bit_or,
                                    Combiner::bit_xor, Combiner::argmax,  Combiner::argmin};
  constexpr DType types[] = {DType::int32, DType::int8, DType::bool_, DType::float32, DType::int64, DType::float64};
  for (unsigned seed = 0; seed < 2000; ++seed) {
    Fuzz f(seed);
    const Dims e = f.extents(f.below(6), seed % 20 == 0 ? 60000 : 4000);
    ProgramBuilder b(e);
    const DType d = types[f.below(6)];
    Combiner c = combiners[f.below(9)];
    if (is_floating(d) && !is_arg(c)) c = f.chance(50) ? Combiner::max : Combiner::min;
    Value v = f.source(b, e, d);
    if (d != DType::bool_ && f.chance(50)) v = b.apply("add", d, {v, f.source(b, e, d)});
    std::vector<int> loops;
    for (int l = 0; l < e.length(); ++l)
      if (f.chance(50)) loops.push_back(l);
    std::int64_t offset = 0, need = 0;
    const Dims strides = f.layout(e, false, &offset, &need);
    const DType result = is_arg(c) ? (f.chance(50) ? DType::int32 : DType::int64) : d;
    const int buffer = f.new_buffer(need, result);
    b.reduce(c, v, loops, buffer, result);
    Program p = b.finish();
    if (f.chance(50)) p.reduction->strides = strides, p.reduction->offset = offset;
    ASSERT_EQ(f.check(p, {buffer}), "") << "seed " << seed << "\n" << to_text(p);
  }
}

}  // namespace
}  // namespace cotan::kernel::test
