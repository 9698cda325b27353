#include "compiler/passes/cse.h"

#include "base/hash.h"
#include "core/jaxpr_utils.h"
#include "core/primitive.h"

namespace cotan {

namespace {

// Equations by hash, in a table with open addresses.
class Table {
 public:
  explicit Table(std::size_t equations) {
    std::size_t size = 16;
    while (size < 2 * equations) size *= 2;
    slots_.resize(size);
  }
  static constexpr std::uint32_t empty = ~0u;
  // The equation that `same` accepts among those of the hash; k itself, which is added, if there is none.
  template <class F> std::uint32_t find_or_add(std::uint64_t hash, std::uint32_t k, F same) {
    for (std::size_t i = hash & (slots_.size() - 1);; i = (i + 1) & (slots_.size() - 1)) {
      Slot& s = slots_[i];
      if (s.equation == empty) {
        s = {hash, k};
        return k;
      }
      if (s.hash == hash && same(s.equation)) return s.equation;
    }
  }

 private:
  struct Slot {
    std::uint64_t hash = 0;
    std::uint32_t equation = empty;
  };
  std::vector<Slot> slots_;
};

class Merger {
 public:
  explicit Merger(const Jaxpr& j) : j_(j), with_(identity_substitution(j)), table_(j.eqns.size()) {}

  bool run() {
    bool merged = false;
    for (std::uint32_t k = 0; k < j_.eqns.size(); ++k) {
      const JaxprEqn& e = j_.eqns[k];
      if (e.effects != no_effects || e.primitive->run || e.outputs == 0) continue;
      const std::uint32_t first = table_.find_or_add(hash(e), k, [&](std::uint32_t o) { return same(j_.eqns[o], e); });
      if (first == k) continue;
      merged = true;
      for (std::uint32_t i = 0; i < e.outputs; ++i)
        with_[j_.outputs(e)[i].var().id] = j_.outputs(j_.eqns[first])[i].var();
    }
    return merged;
  }
  const std::vector<Atom>& replacement() const { return with_; }

 private:
  std::uint64_t hash(const JaxprEqn& e) const {
    Hasher h(reinterpret_cast<std::uintptr_t>(e.primitive));
    params_hash(e.params.get(), h);
    for (Atom a : j_.inputs(e)) {
      if (!a.is_literal()) {
        h.add(with_[a.var().id].var().id);
        continue;
      }
      const Literal& l = j_.literals[a.literal_index()];
      h.add_bytes(l.value.bytes, sizeof l.value.bytes);
      h.add(static_cast<std::uint64_t>(l.value.dtype) * 2 + l.weak_type);
    }
    return h.value();
  }
  bool same(Atom a, Atom b) const {
    if (a.is_literal() != b.is_literal()) return false;
    if (!a.is_literal()) return with_[a.var().id] == with_[b.var().id];
    const Literal &x = j_.literals[a.literal_index()], &y = j_.literals[b.literal_index()];
    return x.value == y.value && x.weak_type == y.weak_type;
  }
  bool same(const JaxprEqn& a, const JaxprEqn& b) const {
    if (a.primitive != b.primitive || a.inputs != b.inputs || a.outputs != b.outputs) return false;
    for (std::uint32_t i = 0; i < a.inputs; ++i)
      if (!same(j_.inputs(a)[i], j_.inputs(b)[i])) return false;
    return params_equal(a.params.get(), b.params.get());
  }

  const Jaxpr& j_;
  std::vector<Atom> with_;  // by variable: the first that has its value
  Table table_;
};

}  // namespace

JaxprRef merge_common(const JaxprRef& j) {
  Merger m(*j);
  if (!m.run()) return j;
  const Ref<Jaxpr> out = make_ref<Jaxpr>(*j);
  substitute(*out, m.replacement());
  return JaxprRef(out.get());
}

}  // namespace cotan
