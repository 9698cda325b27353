#include "array/plan_cache.h"

#include <mutex>

#include "base/hash.h"
#include "base/lru.h"

namespace cotan {

namespace {

struct PlanKey {
  const Primitive* primitive;
  ParamsRef params;
  SmallVec<Aval, 3> in;
  std::uint64_t hash;
};
struct PlanKeyHash {
  std::size_t operator()(const PlanKey& k) const { return k.hash; }
};
struct PlanKeyEqual {
  bool operator()(const PlanKey& a, const PlanKey& b) const {
    if (a.primitive != b.primitive || a.in.size() != b.in.size()) return false;
    for (std::size_t i = 0; i < a.in.size(); ++i)
      if (a.in[i].dtype != b.in[i].dtype || !(a.in[i].shape == b.in[i].shape)) return false;
    return params_equal(a.params.get(), b.params.get());
  }
};
struct PlanCache {
  std::mutex mutex;
  LruTable<PlanKey, std::shared_ptr<const ExecutablePlan>, PlanKeyHash, PlanKeyEqual> plans{4096};
};
PlanCache& cache() {
  static auto* const c = new PlanCache;  // never destroyed: static destructors may still compute
  return *c;
}

PlanKey make_key(const Primitive& p, const ParamsRef& params, std::span<const Aval> in) {
  Hasher h;
  h.add(reinterpret_cast<std::uintptr_t>(&p));
  params_hash(params.get(), h);
  for (const Aval& a : in) {
    h.add(static_cast<std::uint64_t>(a.dtype));
    h.add(static_cast<std::uint64_t>(a.ndim()));
    for (std::int64_t d : a.shape) h.add(static_cast<std::uint64_t>(d));
  }
  return {&p, params, SmallVec<Aval, 3>(in), h.value()};
}

}  // namespace

std::shared_ptr<const ExecutablePlan> cached_plan(const Primitive& p, const ParamsRef& params, std::span<const Aval> in,
                                                  const AvalVec& out) {
  PlanKey key = make_key(p, params, in);
  PlanCache& c = cache();
  {
    std::lock_guard lock(c.mutex);
    if (const auto* plan = c.plans.find(key)) return *plan;
  }
  auto made = std::make_shared<const ExecutablePlan>(plan_of_equation({p, params}, in, out));
  decltype(c.plans)::Entries gone;  // destroyed outside of the lock
  std::lock_guard lock(c.mutex);
  gone = c.plans.insert(std::move(key), made);
  return made;
}

kernel::TileFn direct_tile(const Primitive& p, std::span<const Aval> in, const Aval& out) {
  if (!p.tile || in.size() > max_direct_operands) return nullptr;
  const DType key = in[static_cast<std::size_t>(p.tile_key)].dtype;
  for (const Aval& a : in)
    if (a.dtype != key || (a.ndim() != 0 && !(a.shape == out.shape))) return nullptr;
  return tile_op(p)->fn[static_cast<int>(key)];
}

}  // namespace cotan
