// Execution of called programs: calls are inlined, dead equations dropped, and what remains runs equation by equation, each
// as the program that an eager operation would run, over buffers that are reused as their lifetimes allow.
#include <cstring>
#include <map>
#include <set>
#include <utility>

#include "array/cluster.h"
#include "array/executable.h"
#include "array/host_array.h"
#include "array/plan_cache.h"
#include "array/wrapped_indices.h"
#include "base/interrupt.h"
#include "compiler/pipeline.h"
#include "core/jaxpr_utils.h"
#include "cotan/config.h"

namespace cotan {

namespace {

constexpr std::int64_t alignment = 64;
constexpr std::int64_t most_bytes = std::int64_t{1} << 62;
std::int64_t padded_bytes(const Aval& a) {
  const std::int64_t n = checked_bytes(a);
  return (n + alignment - 1) / alignment * alignment;
}

// Where a variable or literal lives: an entry of the table of base addresses, and an offset.
struct Place {
  std::uint32_t base = 0;
  std::int64_t offset = 0;
};

struct EqnStep {
  kernel::TileFn direct = nullptr;  // else plan
  std::uint32_t aux = 0;
  std::uint32_t first = 0;  // into places: operands, then results
  std::uint32_t operands = 0, results = 0;
  std::uint8_t scalar_mask = 0, item = 0, result_item = 0;
  std::int64_t count = 0;  // elements, of a direct step
  std::shared_ptr<const ExecutablePlan> plan;
  std::shared_ptr<const RegionStep> region;
};

// Offsets in one block for values that live for a while: the smallest gap that is large enough, gaps merged when freed.
class BlockLayout {
 public:
  std::int64_t allocate(std::int64_t bytes) {
    if (bytes == 0) return 0;
    if (const auto fit = by_size_.lower_bound({bytes, 0}); fit != by_size_.end()) {
      const auto [size, at] = *fit;
      remove(gaps_.find(at));
      if (size > bytes) add(at + bytes, size - bytes);
      return at;
    }
    if (end_ > most_bytes - bytes)
      throw MemoryError("Out of memory: the values of a program have more bytes than can be addressed");
    return std::exchange(end_, end_ + bytes);
  }
  void free(std::int64_t at, std::int64_t bytes) {
    if (bytes == 0) return;
    auto next = gaps_.lower_bound(at);
    if (next != gaps_.begin()) {
      const auto before = std::prev(next);
      if (before->first + before->second == at) {
        at = before->first;
        bytes += before->second;
        remove(before);
      }
    }
    if (next != gaps_.end() && next->first == at + bytes) {
      bytes += next->second;
      remove(next);
    }
    add(at, bytes);
  }
  std::int64_t size() const { return end_; }

 private:
  using Gaps = std::map<std::int64_t, std::int64_t>;
  void add(std::int64_t at, std::int64_t bytes) {
    gaps_[at] = bytes;
    by_size_.insert({bytes, at});
  }
  void remove(Gaps::iterator gap) {
    by_size_.erase({gap->second, gap->first});
    gaps_.erase(gap);
  }
  Gaps gaps_;                                                // sizes by offset
  std::set<std::pair<std::int64_t, std::int64_t>> by_size_;  // the same as (size, offset): a search takes no scan
  std::int64_t end_ = 0;
};

}  // namespace

class CalledProgram final : public Executable {
 public:
  explicit CalledProgram(const JaxprRef& source) : inputs_(source->invars.size()), jaxpr_(simplified(source)) {
    place_fixed();
    count_uses();
    find_copies();
    const std::vector<std::uint32_t> last = last_uses(*jaxpr_);
    for (std::uint32_t k = 0; k < jaxpr_->eqns.size();) k += schedule(k, last);
    drop_folded_steps();
    block_bytes_ = layout_.size();
    layout_ = BlockLayout();
    uses_.clear(), wraps_.clear(), wrap_of_var_.clear(), where_.clear(), owner_.clear(), shares_.clear();
    jaxpr_ = JaxprRef();  // it may own this executable
  }

  void run(std::span<const Array> in, ArrayVec& out) const {
    std::vector<char*> base;
    base.reserve(2 + in.size() + outputs_.size());
    base.push_back(nullptr);
    base.push_back(const_cast<char*>(constants_.data()));
    for (const Array& a : in) base.push_back(static_cast<char*>(const_cast<void*>(bytes_of(a))));
    ArrayVec results;
    for (const Aval& a : outputs_) {
      HostArray* h = HostArray::make(a);
      results.push_back(Array(h));
      base.push_back(static_cast<char*>(h->elements()));
    }
    TemporaryBlock block(static_cast<std::size_t>(block_bytes_));
    base[0] = static_cast<char*>(block.data);
    for (const EqnStep& s : steps_) {
      poll_interrupt();
      run_step(s, base);
    }
    for (const Result& r : results_)
      out.push_back(r.input >= 0 ? with_type(in[static_cast<std::size_t>(r.input)], r.aval)
                                 : results[static_cast<std::size_t>(r.output)]);
  }

  // --- for CalledRun: bases are the block, constants, inputs, and a place for each different output
  std::vector<char*> fresh_bases() const {
    std::vector<char*> base(2 + inputs_ + outputs_.size(), nullptr);
    base[1] = const_cast<char*>(constants_.data());
    return base;
  }
  std::size_t block_bytes() const { return static_cast<std::size_t>(block_bytes_); }
  std::size_t result_count() const { return results_.size(); }
  // The base where result i is written; 0: it is a copy of another, or of an input.
  std::size_t base_of_result(std::size_t i) const {
    return writes_[i] ? first_output_ + static_cast<std::size_t>(results_[i].output) : 0;
  }
  void run(const std::vector<char*>& base, const std::vector<char*>& results) const {
    for (const EqnStep& s : steps_) {
      poll_interrupt();
      run_step(s, base);
    }
    for (const Copy& c : copies_)
      if (results[c.to] && c.bytes)
        std::memcpy(results[c.to], c.from_input ? base[2 + c.from] : results[c.from], c.bytes);
  }

 private:
  struct Result {
    int input = -1, output = -1;
    Aval aval;
  };
  struct Copy {  // of an input or another result to a result
    std::size_t to, from, bytes;
    bool from_input;
  };
  // What the passes make of it; positions of the inputs are noted.
  JaxprRef simplified(const JaxprRef& j) {
    for (std::size_t i = 0; i < j->invars.size(); ++i) positions_.push_back(static_cast<int>(i));
    first_output_ = static_cast<std::uint32_t>(2 + j->invars.size());
    return optimized(j);
  }
  static Array with_type(const Array& a, const Aval& aval) {
    return a.aval() == aval ? a : Array(HostArray::view(aval, a));
  }

  // Inputs, and the outputs that equations compute; literals that are outputs are copied from the constants.
  void place_fixed() {
    const std::size_t vars = jaxpr_->vars.size();
    where_.assign(vars, {released, 0}), owner_.resize(vars), shares_.resize(vars);
    for (std::size_t i = 0; i < jaxpr_->invars.size(); ++i)
      where_[jaxpr_->invars[i].id] = {static_cast<std::uint32_t>(2 + positions_[i]), 0};
    std::map<std::uint32_t, int> output_of;
    for (std::size_t i = 0; i < jaxpr_->invars.size(); ++i) output_of[jaxpr_->invars[i].id] = -1 - positions_[i];
    for (Atom a : jaxpr_->outvars) {
      Result r;
      r.aval = jaxpr_->aval(a);
      const int fresh = static_cast<int>(outputs_.size());
      auto it = a.is_literal() ? output_of.end() : output_of.find(a.var().id);
      if (it != output_of.end()) {
        if (it->second < 0) r.input = -1 - it->second;
        else r.output = it->second;
      } else {
        r.output = fresh;
        outputs_.push_back(r.aval);
        const Place at{first_output_ + static_cast<std::uint32_t>(fresh), 0};
        if (a.is_literal()) copy_literal(a, at);
        else {
          output_of[a.var().id] = fresh;
          where_[a.var().id] = at;
          fixed_.insert(a.var().id);
        }
      }
      results_.push_back(std::move(r));
    }
  }

  void find_copies() {
    std::vector<std::size_t> first(outputs_.size(), results_.size());
    for (std::size_t i = 0; i < results_.size(); ++i) {
      const Result& r = results_[i];
      const auto bytes = static_cast<std::size_t>(checked_bytes(r.aval));
      const bool from_input = r.input >= 0;
      const auto k = static_cast<std::size_t>(from_input ? r.input : r.output);
      writes_.push_back(!from_input && first[k] == results_.size());
      if (writes_.back()) first[k] = i;
      else copies_.push_back({i, from_input ? k : first[k], bytes, from_input});
    }
  }

  void copy_literal(Atom a, Place to) {
    EqnStep s;
    s.direct = kernel::tiles().find("copy")->fn[static_cast<int>(jaxpr_->aval(a).dtype)];
    s.item = s.result_item = static_cast<std::uint8_t>(item_size(jaxpr_->aval(a).dtype));
    s.count = 1;
    s.operands = s.results = 1;
    s.first = static_cast<std::uint32_t>(places_.size());
    places_.push_back(constant(jaxpr_->literals[a.literal_index()]));
    places_.push_back(to);
    steps_.push_back(std::move(s));
  }

  Place constant(const Literal& l) {
    const auto at = static_cast<std::int64_t>(constants_.size());
    constants_.resize(constants_.size() + 16);
    std::memcpy(constants_.data() + at, l.value.bytes, 16);
    return {1, at};
  }

  // Schedules what starts at equation k; returns how many equations that are.
  std::uint32_t schedule(std::uint32_t k, const std::vector<std::uint32_t>& last) {
    const JaxprEqn& e = jaxpr_->eqns[k];
    std::uint32_t count = 1;
    if (Cluster c = fuses_ ? cluster_at(*jaxpr_, k, last) : Cluster(); c.equations > 0) {
      count = c.equations;
      add_cluster(std::move(c));
    } else if (!add_view(e)) {
      add_equation(e);
    }
    for (std::uint32_t i = k; i < k + count; ++i) {
      for (Atom a : jaxpr_->inputs(jaxpr_->eqns[i]))
        if (!a.is_literal() && last[a.var().id] < k + count) release(a.var().id);
      for (Atom a : jaxpr_->outputs(jaxpr_->eqns[i]))
        if (last[a.var().id] == never_used) release(a.var().id);
    }
    return count;
  }

  EqnStep start_step(std::span<const Atom> in, std::size_t results) {
    EqnStep s;
    s.first = static_cast<std::uint32_t>(places_.size());
    s.operands = static_cast<std::uint32_t>(in.size());
    s.results = static_cast<std::uint32_t>(results);
    for (Atom a : in)
      places_.push_back(a.is_literal() ? constant(jaxpr_->literals[a.literal_index()]) : where_[a.var().id]);
    return s;
  }
  void place_result(std::uint32_t v) {
    if (!fixed_.contains(v)) {
      where_[v] = {0, layout_.allocate(padded_bytes(jaxpr_->vars[v]))};
      owner_[v] = v, shares_[v] = 1;
    }
    places_.push_back(where_[v]);
  }

  // --- indices below 0 that the gather or scatter which reads them wraps itself ---
  struct Wrap {
    Place from;  // of the indices as they were: an argument's or a constant's, which stays
    std::int64_t wrap;
    std::size_t step;       // that wraps them
    std::uint32_t readers;  // of its result that are left
  };
  void count_uses() {
    uses_.assign(jaxpr_->vars.size(), 0);
    for (const JaxprEqn& e : jaxpr_->eqns)
      for (Atom a : jaxpr_->inputs(e))
        if (!a.is_literal()) ++uses_[a.var().id];
  }
  void note_wrap(const Cluster& c) {
    if (c.results.size() != 1 || c.operands.size() != 1 || c.operands[0].is_literal()) return;
    const std::uint32_t v = c.results[0].id;
    const Place from = where_[c.operands[0].var().id];
    if (fixed_.contains(v) || from.base == 0 || from.base >= first_output_) return;
    if (const auto wrap = wrap_of(c.program)) {
      wrap_of_var_[v] = wraps_.size();
      wraps_.push_back({from, *wrap, steps_.size(), uses_[v]});
    }
  }
  void view_of_wrap(std::uint32_t from, std::uint32_t to) {
    const auto it = wrap_of_var_.find(from);
    if (it == wrap_of_var_.end()) return;
    wraps_[it->second].readers += uses_[to] - 1;
    wrap_of_var_[to] = it->second;
  }
  // The plan of an equation that wraps an operand itself; none where no operand is such.
  std::shared_ptr<const ExecutablePlan> folded(const JaxprEqn& e, std::span<const Aval> in, const AvalVec& out,
                                               const EqnStep& s) {
    if (e.primitive->kind != Kind::indexing) return nullptr;
    for (std::uint32_t i = 0; i < e.inputs; ++i) {
      const Atom a = jaxpr_->inputs(e)[i];
      const auto it = a.is_literal() ? wrap_of_var_.end() : wrap_of_var_.find(a.var().id);
      if (it == wrap_of_var_.end()) continue;
      Wrap& w = wraps_[it->second];
      kernel::Plan plan = plan_of_equation({*e.primitive, e.params}, in, out);
      if (!take_wrap(&plan, static_cast<int>(i), w.wrap)) continue;
      places_[s.first + i] = w.from;
      --w.readers;
      return std::make_shared<const ExecutablePlan>(std::move(plan));
    }
    return nullptr;
  }
  void drop_folded_steps() {
    for (std::size_t i = wraps_.size(); i-- > 0;)
      if (wraps_[i].readers == 0) steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(wraps_[i].step));
  }

  void add_equation(const JaxprEqn& e) {
    EqnStep s = start_step(jaxpr_->inputs(e), e.outputs);
    SmallVec<Aval, 4> in;
    AvalVec out;
    for (Atom a : jaxpr_->inputs(e)) in.push_back(jaxpr_->aval(a));
    for (Atom a : jaxpr_->outputs(e)) {
      out.push_back(jaxpr_->vars[a.var().id]);
      place_result(a.var().id);
    }
    s.plan = folded(e, in, out, s);
    if (!s.plan) choose_kernel(e, in, out, s);
    steps_.push_back(std::move(s));
  }

  void add_cluster(Cluster c) {
    note_wrap(c);
    EqnStep s = start_step(c.operands, c.results.size());
    kernel::Plan plan;
    std::vector<int> buffers;
    for (Atom a : c.operands) buffers.push_back(plan.add_input(checked_bytes(jaxpr_->aval(a))));
    for (Var v : c.results) {
      buffers.push_back(plan.add_output(checked_bytes(jaxpr_->aval(v))));
      place_result(v.id);
    }
    kernel::append(&plan, std::move(c.program), buffers);
    s.plan = std::make_shared<const ExecutablePlan>(std::move(plan));
    steps_.push_back(std::move(s));
  }

  // No bytes move where the result is the operand's elements in order: it shares their memory.
  bool add_view(const JaxprEqn& e) {
    const auto rule = e.primitive->keeps_elements;
    if (!rule || !rule({*e.primitive, e.params}) || jaxpr_->inputs(e)[0].is_literal()) return false;
    const std::uint32_t from = jaxpr_->inputs(e)[0].var().id, to = jaxpr_->outputs(e)[0].var().id;
    if (fixed_.contains(to) || jaxpr_->vars[from].size() != jaxpr_->vars[to].size()) return false;
    where_[to] = where_[from];
    if (where_[from].base == 0) owner_[to] = owner_[from], ++shares_[owner_[from]];
    view_of_wrap(from, to);
    return true;
  }

  void release(std::uint32_t v) {
    if (where_[v].base != 0) return;  // an input, an output, or freed: an operand may stand twice
    where_[v].base = released;
    if (--shares_[owner_[v]] == 0) layout_.free(where_[v].offset, padded_bytes(jaxpr_->vars[owner_[v]]));
  }

  void choose_kernel(const JaxprEqn& e, std::span<const Aval> in, const AvalVec& out, EqnStep& s) {
    const Primitive& p = *e.primitive;
    if (p.regions || p.run) {
      s.region = region_step({p, e.params}, in, out);
      return;
    }
    if (out.size() == 1) s.direct = direct_tile(p, in, out[0]);
    if (!s.direct) {
      s.plan = cached_plan(p, e.params, in, out);
      return;
    }
    s.count = out[0].size();
    s.item = static_cast<std::uint8_t>(item_size(in[0].dtype));
    s.result_item = static_cast<std::uint8_t>(item_size(out[0].dtype));
    s.aux = p.tile_aux ? p.tile_aux({p, e.params}) : 0;
    for (std::size_t i = 0; i < in.size(); ++i)
      if (in[i].ndim() == 0 && out[0].ndim() != 0) s.scalar_mask |= static_cast<std::uint8_t>(1u << i);
  }

  void run_step(const EqnStep& s, const std::vector<char*>& base) const {
    const Place* at = places_.data() + s.first;
    if (s.direct) {
      kernel::ElementwiseOperand operands[max_direct_operands];
      for (std::uint32_t i = 0; i < s.operands; ++i)
        operands[i] = {base[at[i].base] + at[i].offset, (s.scalar_mask >> i & 1) != 0, s.item};
      char* dst = base[at[s.operands].base] + at[s.operands].offset;
      return kernel::run_elementwise(s.direct, static_cast<std::size_t>(s.count), dst, s.result_item, operands,
                                     static_cast<int>(s.operands), s.aux);
    }
    SmallVec<const void*, 8> in;
    SmallVec<void*, 4> out;
    for (std::uint32_t i = 0; i < s.operands; ++i) in.push_back(base[at[i].base] + at[i].offset);
    for (std::uint32_t i = s.operands; i < s.operands + s.results; ++i) out.push_back(base[at[i].base] + at[i].offset);
    if (s.region) s.region->run(in, out);
    else s.plan->run(in, out);
  }

  static constexpr std::uint32_t released = ~0u;

  std::size_t inputs_;
  bool fuses_ = !config::get(config::Flag::disable_most_optimizations);
  std::vector<Copy> copies_;
  std::vector<bool> writes_;        // per result: whether a step writes it
  std::vector<int> positions_;      // of the inputs that are used, among the operands
  std::uint32_t first_output_ = 0;  // in the table of base addresses
  JaxprRef jaxpr_;                  // while compiling
  std::vector<EqnStep> steps_;
  std::vector<Place> places_;
  std::vector<char> constants_;
  std::vector<Result> results_;
  std::vector<Aval> outputs_;
  std::int64_t block_bytes_ = 0;
  BlockLayout layout_;               // while compiling
  std::vector<std::uint32_t> uses_;  // of each variable, by equations
  std::vector<Wrap> wraps_;
  std::map<std::uint32_t, std::size_t> wrap_of_var_;
  std::vector<Place> where_;
  std::vector<std::uint32_t> owner_,
      shares_;                     // of a variable in the block: whose memory it has; how many have its memory
  std::set<std::uint32_t> fixed_;  // variables that are outputs
};

std::shared_ptr<const CalledProgram> compiled(const ClosedJaxpr& c) {
  const Jaxpr& j = c.jaxpr();
  if (config::get(config::Flag::disable_most_optimizations))
    return *j.derived.get<std::shared_ptr<const CalledProgram>>(
        "as traced", [&] { return std::make_shared<const CalledProgram>(share(c)); });
  std::shared_ptr<Executable> e = j.executable.load(std::memory_order_acquire);
  if (!e) {
    e = std::make_shared<CalledProgram>(share(c));
    j.executable.store(e, std::memory_order_release);
  }
  return std::static_pointer_cast<const CalledProgram>(std::move(e));
}

void run_called(const ClosedJaxpr& c, std::span<const Array> in, ArrayVec& out) { compiled(c)->run(in, out); }

CalledRun::CalledRun(const CalledProgram& p)
    : program_(p), base_(p.fresh_bases()), outputs_(p.result_count()), block_(p.block_bytes()) {
  base_[0] = static_cast<char*>(block_.data);
}
CalledRun::~CalledRun() = default;
void CalledRun::set_input(std::size_t i, const void* elements) {
  base_[2 + i] = static_cast<char*>(const_cast<void*>(elements));
}
void CalledRun::set_output(std::size_t i, void* elements) {
  outputs_[i] = static_cast<char*>(elements);
  if (const std::size_t b = program_.base_of_result(i)) base_[b] = outputs_[i];
}
void CalledRun::run() { program_.run(base_, outputs_); }

}  // namespace cotan
