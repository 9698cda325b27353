#include "jit_programs.h"

#include <algorithm>

#include "core/primitive.h"

#include "array.h"
#include "cotan/config.h"

namespace cotan::python {

std::uint64_t cache_epoch = 0;

std::string context_key() {
  std::string key;
  const std::uint64_t flags = config::trace_key();
  key.append(reinterpret_cast<const char*>(&flags), sizeof flags);
  if (!current_trace()) return key;
  for (const AxisFrame& axis : axis_environment()) key += axis.name + '\0' + std::to_string(axis.size) + '\0';
  return key;
}

namespace {

bool same(nb::handle a, nb::handle b) {
  if (a.ptr() == b.ptr()) return true;
  if (Py_TYPE(a.ptr()) != Py_TYPE(b.ptr())) return false;
  const int r = PyObject_RichCompareBool(a.ptr(), b.ptr(), Py_EQ);
  check(r);
  return r == 1;
}

// Whether a program with key a is that of a call with key b and these leaves.
bool equal(const CallKey& a, const CallKey& b, const std::vector<Array>& leaves) {
  if (a.hash != b.hash || a.context != b.context || a.avals.size() != leaves.size() ||
      a.statics.size() != b.statics.size())
    return false;
  for (std::size_t i = 0; i < leaves.size(); ++i)
    if (!(a.avals[i] == leaves[i].aval())) return false;
  for (std::size_t i = 0; i < a.statics.size(); ++i)
    if (!same(a.statics[i].first, b.statics[i].first) || !same(a.statics[i].second, b.statics[i].second)) return false;
  return equal_nodes(a.nodes, b.nodes);
}

}  // namespace

Cache::Index::iterator Cache::place_of(const ProgramRef& p) {
  auto [it, last] = index_.equal_range(p->key.hash);
  while (it != last && *it->second != p) ++it;
  return it == last ? index_.end() : it;
}

ProgramRef Cache::find(const CallKey& k, const std::vector<Array>& leaves) {
  if (since_ != cache_epoch) {
    since_ = cache_epoch;
    clear();
  }
  SmallVec<ProgramRef, 4> candidates;  // comparing runs Python code, which may change the table
  const auto [first, last] = index_.equal_range(k.hash);
  for (auto it = first; it != last; ++it) candidates.push_back(*it->second);
  for (const ProgramRef& p : candidates) {
    if (!equal(p->key, k, leaves)) continue;
    if (const auto it = place_of(p); it != index_.end()) programs_.splice(programs_.begin(), programs_, it->second);
    return p;
  }
  return nullptr;
}

void Cache::insert(ProgramRef p) {
  ProgramRef gone;  // destroyed when the table is whole: what its release runs may come back here
  if (programs_.size() >= limit) {
    gone = programs_.back();
    index_.erase(place_of(gone));
    programs_.pop_back();
  }
  programs_.push_front(std::move(p));
  index_.emplace(programs_.front()->key.hash, programs_.begin());
}

void Cache::clear() {
  index_.clear();
  const Programs gone = std::exchange(programs_, {});  // what their release runs finds an empty table
}

std::vector<ProgramRef> Cache::in_order() const {
  std::vector<ProgramRef> all(programs_.begin(), programs_.end());
  std::sort(all.begin(), all.end(), [](const ProgramRef& a, const ProgramRef& b) { return a->serial < b->serial; });
  return all;
}

bool runs_long(const Jaxpr& top) {
  constexpr std::int64_t many_elements = 1 << 14;
  std::int64_t elements = 0;
  std::vector<const Jaxpr*> open{&top};
  while (!open.empty()) {
    const Jaxpr& j = *open.back();
    open.pop_back();
    for (const Aval& a : j.vars)
      if ((elements += a.size()) >= many_elements) return true;
    for (const JaxprEqn& e : j.eqns) {
      if (!e.primitive->regions) continue;
      const Regions r = e.primitive->regions({*e.primitive, e.params});
      if (r.kind == RegionKind::scan || r.kind == RegionKind::while_loop) return true;
      for (const ClosedJaxpr* p : r.programs) open.push_back(&p->jaxpr());
    }
  }
  return false;
}

}  // namespace cotan::python
