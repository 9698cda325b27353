#include "cotan/jit.h"

#include <algorithm>
#include <atomic>
#include <optional>

#include "api/jit_cache.h"
#include "base/user_location.h"
#include "control/jit.h"
#include "core/trace.h"
#include "cotan/config.h"

namespace cotan::api {
namespace {

using detail::JitCache;
using detail::TreeNode;

// One traversal gives the leaves and the key: structure, static values, and the type of each leaf.
class CallKey final : public tree::Visitor {
 public:
  explicit CallKey(Key& k) : Visitor(true), key_(k) {}
  bool all_given() const { return all_given_; }
  Arrays take_leaves() { return std::move(leaves_); }

  void leaf(Array& a) override {
    if (!a.has_value()) {
      all_given_ = false;
      return;
    }
    const Aval& t = a.aval();
    const char head[] = {'*', static_cast<char>(t.dtype), static_cast<char>(t.weak_type), static_cast<char>(t.ndim())};
    key_.put(head, sizeof head);
    key_.put(t.shape.data(), sizeof(std::int64_t) * static_cast<std::size_t>(t.ndim()));
    leaves_.push_back(a);
  }
  void open(TreeNode kind, std::size_t children, const char* const*) override {
    key_.put(kind);
    key_.put(children);
  }
  void fixed(const tree::Static& s) override { s.put(s.value, key_); }
  void map_key(const tree::Static& s) override { s.put(s.value, key_); }

 private:
  Key& key_;
  Arrays leaves_;
  bool all_given_ = true;
};

// What a trace depends on, by the names of explain().
class Facts final : public tree::PathVisitor {
 public:
  Facts(const FnBase& f, Args args, const std::vector<int>& donated_params) {
    for (int i = 0; i < f.param_count(); ++i) {
      argument_ = "argument " + std::to_string(i);
      donated_ = std::find(donated_params.begin(), donated_params.end(), i) != donated_params.end();
      const tree::LeafPointers leaves(f.param(i), args[i]);
      leaves_ = &leaves, leaf_ = 0;
      const std::string structure = tree::structure_text(f.param(i), args[i]);
      if (structure != "*") list.push_back({"the structure of " + argument_, structure});
      f.param(i).visit(const_cast<void*>(args[i]), *this);
    }
    for (TraceFact& t : context_facts(config::trace_key())) list.push_back(std::move(t));
    if (current_trace())
      for (const AxisFrame& axis : axis_environment())
        list.push_back({"the axis '" + axis.name + "'", std::to_string(axis.size)});
  }
  std::vector<TraceFact> list;
  std::vector<DonatedLeaf> donated;

 private:
  void on_leaf(const std::string& path) override {
    const Aval& a = (*leaves_)[leaf_++].aval();
    if (donated_) donated.push_back({count_, argument_ + path});
    ++count_;
    list.push_back({argument_ + path, a.str() + (a.weak_type ? " (weak)" : "")});
  }
  void on_node(const std::string&, detail::TreeNode, std::size_t) override {}
  void on_static(const std::string&, const detail::Static&) override {}

  std::string argument_;
  bool donated_ = false;
  const tree::LeafPointers* leaves_ = nullptr;
  std::size_t leaf_ = 0, count_ = 0;  // of the argument, of all
};

std::vector<void*> frames_here() {
  void* frames[48];
  const int n = capture_user_frames(frames, 48);
  return std::vector<void*>(frames, frames + n);  // braces would make a list of two
}

void put_context(Key& k) {
  k.put(config::trace_key());
  if (!current_trace() || axis_environment().empty()) return;
  k.put(axis_environment().size());
  for (const AxisFrame& axis : axis_environment()) {
    detail::put_key(axis.name, k);
    k.put(axis.size);
  }
}

class JitFn final : public FnBase {
 public:
  JitFn(const FnRef& f, const detail::JitCacheRef& own, const JitOptions& o)
      : FnBase(&f->result(), f->params(), f->param_count()),
        f_(f),
        own_(own),
        name_(o.name ? o.name : ""),
        num_threads_(o.num_threads),
        donated_(o.donate_argnums) {
    if (num_threads_ != 0) const ScopedNumThreads checked(num_threads_);
    for (int i : donated_)
      if (i < 0 || i >= param_count())
        throw ValueError("jit: donate_argnums has " + std::to_string(i) + ", the function takes " +
                         std::to_string(param_count()) + (param_count() == 1 ? " argument" : " arguments"));
    Key id;
    shared_ = f->identity(id);
    detail::put_key(name_, prefix_);
    prefix_.put(id.size());
    prefix_.put(id.data(), id.size());
    prefix_.put(donated_.size());
    for (int i : donated_) prefix_.put(i);
  }

  bool identity(Key& k) const override {
    k.put("jit", 3);
    k.put(prefix_.data(), prefix_.size());
    return shared_;
  }
  std::string name() const override { return name_.empty() ? f_->name() : name_; }
  int cache_size() const { return cache().count(prefix_); }
  void clear_cache() const { cache().erase(prefix_); }
  std::string explain() const {
    std::vector<JitEntryRef> entries = cache().entries(prefix_);
    std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a->serial < b->serial; });
    std::vector<TraceRecord> traces;
    for (const JitEntryRef& e : entries)
      traces.push_back(
          {find_user_line(e->frames.data(), static_cast<int>(e->frames.size())), e->facts, e->jaxpr, e->donated});
    return explain_traces(name(), traces);
  }

  void call(Args args, void* out) override {
    std::optional<ScopedNumThreads> threads;
    if (num_threads_ != 0) threads.emplace(num_threads_);
    if (config::get(config::Flag::disable_jit)) return f_->call(args, out);
    Key key(prefix_);
    put_context(key);
    CallKey leaves(key);
    for (int i = 0; i < param_count(); ++i) param(i).visit(const_cast<void*>(args[i]), leaves);
    if (!leaves.all_given()) check_args_given(*this, args);
    const JitEntryRef e = cache().find_or_trace(
        key, [&] { return trace(args); }, &is_reusable);
    constexpr long holders = 2;  // the caller, and the list of leaves
    const Arrays results = run_jit(e->name, e->jaxpr, leaves.take_leaves(), e->usable, holders);
    e->result.copy_to(out);
    fill(out, results);
  }

 private:
  JitCache& cache() const { return shared_ ? detail::shared_jit_cache() : *own_; }

  void fill(void* out, const Arrays& leaves) const {
    std::size_t i = 0;
    try {
      for (Array* a : LeafPointers(result(), out)) *a = leaves[i++];
    } catch (...) {  // no memory for the pointers
      result().destroy(out);
      throw;
    }
  }

  JitEntryRef trace(Args args) const {
    FlatCall flat(*f_, args, all_dynamic(*f_));
    ClosedJaxpr jaxpr = flat_make_jaxpr(flat.fn(), flat.in_avals());
    Value& result = flat.result();
    result.set_leaves(Arrays(result.leaves().size()));
    static std::atomic<std::uint64_t> serial{0};
    Facts facts(*f_, args, donated_);
    JitEntry e{name(), std::move(jaxpr), std::move(result), std::move(facts.list), frames_here(), ++serial};
    std::vector<std::size_t> donated;
    for (const DonatedLeaf& d : facts.donated) donated.push_back(d.leaf);
    e.usable = sort_donations(e.jaxpr, donated).usable;
    e.donated = std::move(facts.donated);
    return std::make_shared<JitEntry>(std::move(e));
  }
  // A captured tracer is of this call only.
  static bool is_reusable(const JitEntryRef& e) {
    for (const Array& c : e->jaxpr.consts())
      if (!is_concrete(c)) return false;
    return true;
  }

  FnRef f_;
  detail::JitCacheRef own_;  // used when the function has no identity
  std::string name_;
  int num_threads_;
  std::vector<int> donated_;  // parameters
  bool shared_;
  Key prefix_;  // of every key: the function
};

}  // namespace
}  // namespace cotan::api

namespace cotan {

void clear_caches() {
  detail::JitCache::erase_everywhere();
  clear_named_jit();
}

namespace detail {

FnRef make_jit(const FnRef& f, const JitCacheRef& own, const JitOptions& o) { return FnRef(new api::JitFn(f, own, o)); }
int jit_cache_size(const FnBase& f) { return static_cast<const api::JitFn&>(f).cache_size(); }
std::string jit_explain(const FnBase& f) { return static_cast<const api::JitFn&>(f).explain(); }
void jit_clear_cache(FnBase& f) { static_cast<api::JitFn&>(f).clear_cache(); }

}  // namespace detail
}  // namespace cotan
