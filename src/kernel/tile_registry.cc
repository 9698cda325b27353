#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>

#include "kernel/tile.h"

namespace cotan::kernel {
namespace {

constexpr int isa_count = 3;
constexpr const char* isa_names[isa_count] = {"avx2", "avx512", "neon"};

std::atomic<void (*)(TileRegistry&)> families{nullptr};
std::atomic<const TileRegistry*> chosen{nullptr};

[[noreturn]] void die(const char* what, const char* detail) {
  std::fprintf(stderr, "cotan: %s%s\n", what, detail);
  std::abort();
}

Isa widest_isa() {
  for (Isa isa : {Isa::avx512, Isa::avx2, Isa::neon}) {
    if (isa_available(isa)) return isa;
  }
  die("this CPU lacks AVX2 with FMA (x86-64-v3), which Cotan needs", "");
}

Isa default_isa() {
  const char* name = std::getenv("COTAN_ISA");
  if (name == nullptr || *name == '\0') return widest_isa();
  for (int i = 0; i < isa_count; ++i) {
    if (std::strcmp(name, isa_names[i]) != 0) continue;
    if (!isa_available(static_cast<Isa>(i)))
      die("this machine or this build lacks the instruction set that COTAN_ISA names: ", name);
    return static_cast<Isa>(i);
  }
  die("COTAN_ISA is to be avx2, avx512 or neon, not ", name);
}

}  // namespace

void TileRegistry::add(const char* name, int arity, DType operand, TileFn fn, bool predicate) {
  TileOp*& op = by_name_[name];
  if (op == nullptr) {
    op = &ops_.emplace_back();
    op->name = name;
    op->arity = arity;
    op->predicate = predicate;
    op->weight = weight_;
  }
  TileFn& slot = op->fn[static_cast<int>(operand)];
  if (slot != nullptr) die("a tile function is registered twice: ", name);
  if (op->arity != arity || op->predicate != predicate)
    die("tile functions of one name disagree on arity or result: ", name);
  slot = fn;
}

void TileRegistry::add_rows(const char* name, DType d, RowsFns fns) { rows_[name][static_cast<std::size_t>(d)] = fns; }

RowsFns TileRegistry::rows_fns(const char* name, DType d) const {
  const auto it = rows_.find(name);
  return it == rows_.end() ? RowsFns{} : it->second[static_cast<std::size_t>(d)];
}

void TileRegistry::add_convert(DType from, DType to, TileFn fn) {
  TileFn& slot = convert_[static_cast<int>(from)][static_cast<int>(to)];
  if (slot != nullptr) die("a conversion is registered twice", "");
  slot = fn;
}

const TileOp* TileRegistry::find(const char* name) const {
  auto it = by_name_.find(name);
  return it == by_name_.end() ? nullptr : it->second;
}

TileFn TileRegistry::convert_fn(DType from, DType to) const {
  return convert_[static_cast<int>(from)][static_cast<int>(to)];
}

void set_tile_families(void (*register_all)(TileRegistry&)) { families.store(register_all); }

bool isa_available(Isa isa) {
#if defined(__x86_64__)
  static const bool avx2 =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
  if (isa == Isa::avx2) return avx2;
#if !defined(COTAN_TILES_BASELINE_ONLY)
  static const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                             __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
  if (isa == Isa::avx512) return avx512;
#endif
  return false;
#else
  return isa == Isa::neon;
#endif
}

const TileRegistry& tiles_for(Isa isa) {
  static std::mutex mutex;
  static std::unique_ptr<TileRegistry> registries[isa_count];
  std::lock_guard lock(mutex);
  auto& registry = registries[static_cast<int>(isa)];
  if (registry == nullptr) {
    if (!isa_available(isa)) die("instruction set not available: ", isa_names[static_cast<int>(isa)]);
    auto register_all = families.load();
    if (register_all == nullptr) die("no tile families are installed", "");
    auto made = std::make_unique<TileRegistry>(isa);
    register_all(*made);
    registry = std::move(made);
  }
  return *registry;
}

const TileRegistry& tiles() {
  const TileRegistry* registry = chosen.load(std::memory_order_acquire);
  if (registry == nullptr) {
    registry = &tiles_for(default_isa());
    chosen.store(registry, std::memory_order_release);
  }
  return *registry;
}

void choose_isa_for_test(Isa isa) { chosen.store(&tiles_for(isa)); }

}  // namespace cotan::kernel
