#include "kernel/lower.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <numeric>
#include <string_view>
#include <utility>

#include "kernel/combine.h"
#include "kernel/copy.h"
#include "kernel/lower_accesses.h"

namespace cotan::kernel {

namespace {

constexpr std::size_t slot_budget = 16384;  // bytes of L1 for slots; the rest is for tiles of arrays
constexpr std::int64_t longest_tile = 1024, panel_tile = 256;

std::size_t round_up(std::size_t n) { return (n + 63) & ~std::size_t{63}; }
class Lowering {
 public:
  explicit Lowering(const Program& p) : p_(p) {}

  Lowered run() {
    groups_ = choose_loops(p_);
    l_.scheme = groups_.scheme;
    l_.row = groups_.row;
    make_accesses(p_, &l_);
    if (p_.reduction) set_reduction();
    if (l_.scheme == Scheme::copy) set_copy();
    if (l_.scheme == Scheme::identity) set_identity();
    if (l_.scheme != Scheme::map && l_.scheme != Scheme::rows && l_.scheme != Scheme::columns) return std::move(l_);
    period_ = reach_accesses(groups_, &l_);
    number_registers();
    translate();
    lay_out_scratch();
    estimate_work();
    return std::move(l_);
  }

 private:
  void set_copy() {
    const Store& to = p_.stores[0];
    const auto from = static_cast<std::size_t>(to.value.index);
    l_.copy_extents = p_.extents, l_.copy_from = p_.sources[from].strides, l_.copy_to = to.strides;
    l_.copied_source = from;
  }

  void set_identity() {
    for (const LoopRow& row : groups_.outer) {
      l_.copy_extents.push_back(row.n);
      l_.copy_to.push_back(row.strides.back());
      l_.copy_from.push_back(0);
    }
  }

  void set_reduction() {
    const Reduction& r = *p_.reduction;
    l_.value_type = p_.dtype_of(r.value), l_.result = r.result;
    l_.arg = is_arg(r.combiner), l_.combiner = r.combiner;
    if (l_.arg) l_.reduce_arg = arg_reducer(r.combiner, l_.value_type);
    else l_.reduce = reducer(r.combiner, l_.value_type);
    if (r.result == l_.reduce.partial) l_.reduce.narrow = nullptr;
    l_.partial_item = l_.arg ? 8 : item_size(l_.reduce.partial);
  }

  // --- Registers: sources, constants, stores, then slots ---

  void number_registers() {
    const std::size_t total = p_.sources.size() + p_.constants.size() + l_.stores.size();
    if (total + p_.instructions.size() + p_.sources.size() + 1 > std::numeric_limits<std::uint16_t>::max()) {
      std::fprintf(stderr, "cotan: internal error: a tile program with more than 65535 registers\n");
      std::abort();
    }
    std::uint16_t reg = 0;
    for (Access& a : l_.sources) a.reg = reg++;
    l_.first_constant_reg = reg;
    l_.constant_count = static_cast<int>(p_.constants.size());
    reg = static_cast<std::uint16_t>(reg + p_.constants.size());
    for (StoreAccess& s : l_.stores) s.access.reg = reg++;
    l_.reg_count = reg;
    l_.constants.resize(64 * (p_.constants.size() + 1));
    const auto address = reinterpret_cast<std::uintptr_t>(l_.constants.data());
    l_.constants_offset = round_up(address) - address;
    for (std::size_t i = 0; i < p_.constants.size(); ++i)
      splat(l_.constants.data() + l_.constants_offset + 64 * i, p_.constants[i].value.data(),
            static_cast<int>(item_size(p_.constants[i].dtype)));
  }

  struct Place {
    std::uint16_t reg;
    std::uint8_t step;
    int slot;  // -1: not a slot
  };

  int take_slot(std::size_t item) {
    slot_item_ = std::max(slot_item_, item);
    if (!free_slots_.empty()) {
      const int s = free_slots_.back();
      free_slots_.pop_back();
      return s;
    }
    slot_regs_.push_back(static_cast<std::uint16_t>(l_.reg_count++));
    return static_cast<int>(slot_regs_.size()) - 1;
  }

  void count_uses() {
    const auto end = static_cast<int>(p_.instructions.size());
    last_source_use_.assign(p_.sources.size(), -1);
    last_use_.assign(p_.instructions.size(), -1);
    const auto use = [&](Value v, int when) {
      if (v.kind == ValueKind::source) last_source_use_[static_cast<std::size_t>(v.index)] = when;
      if (v.kind == ValueKind::instruction) last_use_[static_cast<std::size_t>(v.index)] = when;
    };
    for (int i = 0; i < end; ++i)
      for (const Value& v : p_.instructions[static_cast<std::size_t>(i)].operands)
        if (v.valid()) use(v, i);
    for (const Store& s : p_.stores) use(s.value, end);
    if (p_.reduction) use(p_.reduction->value, end);
  }

  bool needs_slot(const Access& a) const { return a.reach == Reach::strided || a.reach == Reach::nested; }

  void place_sources() {
    for (std::size_t i = 0; i < l_.sources.size(); ++i) {
      Access& a = l_.sources[i];
      // In a program that works in place a source that is also stored as it is must be read before anything is written.
      const bool stored = std::any_of(p_.stores.begin(), p_.stores.end(), [&](const Store& s) {
        return s.value.kind == ValueKind::source && s.value.index == static_cast<std::int32_t>(i);
      });
      if (!p_.aliases.empty() && stored && a.reach == Reach::direct) a.reach = Reach::strided;
      if (needs_slot(a)) {
        const int slot = take_slot(static_cast<std::size_t>(a.item));
        a.reg = slot_regs_[static_cast<std::size_t>(slot)];
        source_places_.push_back({a.reg, 1, slot});
      } else if (a.reach == Reach::repeated) {  // in a slot of its own, which holds it from tile to tile
        source_places_.push_back(
            {slot_regs_[static_cast<std::size_t>(take_slot(static_cast<std::size_t>(a.item)))], 1, -1});
        a.reg = source_places_.back().reg;
      } else {
        const bool still = a.reach == Reach::splat || a.reach == Reach::fixed;
        if (still) splat_regs_.push_back(a.reg);
        source_places_.push_back({a.reg, static_cast<std::uint8_t>(still ? 0 : 1), -1});
      }
    }
  }

  Place place_of(Value v) const {
    const auto i = static_cast<std::size_t>(v.index);
    if (v.kind == ValueKind::source) return source_places_[i];
    if (v.kind == ValueKind::constant) return {static_cast<std::uint16_t>(l_.first_constant_reg + i), 0, -1};
    return places_[i];
  }

  // The store that instruction i, when it runs in the place of `when`, may write itself, or -1.
  int direct_store(int i, int when) const {
    for (std::size_t k = 0; k < p_.stores.size(); ++k) {
      const Store& s = p_.stores[k];
      if (s.value.kind != ValueKind::instruction || s.value.index != i || l_.stores[k].access.reach != Reach::direct)
        continue;
      if (overwritten_too_early(s.buffer, when)) return -1;
      return static_cast<int>(k);
    }
    return -1;
  }

  bool overwritten_too_early(int output, int i) const {
    for (const Alias& alias : p_.aliases) {
      if (alias.output != output) continue;
      for (std::size_t k = 0; k < p_.sources.size(); ++k)
        if (p_.sources[k].kind == SourceKind::memory && p_.sources[k].buffer == alias.input && last_source_use_[k] > i)
          return true;
    }
    return false;
  }

  void translate() {
    count_uses();
    place_sources();
    for (StoreAccess& s : l_.stores) s.copied = true;
    places_.resize(p_.instructions.size());
    find_partners();
    l_.pair = reduced_pair();
    const int count = static_cast<int>(p_.instructions.size()) - (l_.pair != nullptr ? 1 : 0);
    for (int i = 0; i < count; ++i)
      if (partner_[static_cast<std::size_t>(i)] < 0) translate_one(i);
      else translate_both(i);
    for (std::size_t k = 0; k < p_.stores.size(); ++k) {
      const Place from = place_of(p_.stores[k].value);
      l_.stores[k].from = from.reg, l_.stores[k].from_step = from.step;
    }
    if (l_.pair != nullptr) {
      const Instruction& last = p_.instructions.back();
      Place x = place_of(last.operands[0]), y = place_of(last.operands[last.op->arity == 1 ? 0 : 1]);
      if (x.step == 0) std::swap(x, y);
      if (x.step != 0) {
        l_.reduced_reg = x.reg, l_.other_reg = y.reg, l_.other_splat = y.step == 0;
        return;
      }
      l_.pair = nullptr;
      translate_one(count);
    }
    if (p_.reduction) {
      const Place value = place_of(p_.reduction->value);
      l_.reduced_reg = value.reg;
      l_.reduced_splat = value.step == 0;
      if (l_.reduced_splat) l_.expanded_reg = slot_regs_[static_cast<std::size_t>(take_slot(item_size(l_.value_type)))];
    }
  }

  // Reduces the last instruction's value without its being kept; null: there is no such function, or the value is used elsewhere.
  PairRowsFn reduced_pair() const {
    if (l_.scheme != Scheme::rows || l_.arg || p_.instructions.empty()) return nullptr;
    const Value v = p_.reduction->value;
    const auto last = static_cast<std::int32_t>(p_.instructions.size()) - 1;
    const Instruction& i = p_.instructions.back();
    if (v.kind != ValueKind::instruction || v.index != last || i.op == nullptr) return nullptr;
    const std::string_view name = i.op->name;
    if (name == "mul" || is_square(i)) return l_.reduce.rows.each_product;
    return name == "sub_square" ? l_.reduce.rows.each_squared_difference : nullptr;
  }

  // Instructions of one operand that one tile function computes together.
  void find_partners() {
    partner_.assign(p_.instructions.size(), -1);
    both_.assign(p_.instructions.size(), nullptr);
    for (const TileRegistry::Both& b : tiles().both()) {
      std::map<std::pair<ValueKind, std::int32_t>, std::size_t> waiting;
      for (std::size_t i = 0; i < p_.instructions.size(); ++i) {
        const Instruction& in = p_.instructions[i];
        if (!in.op || in.type != b.dtype || (in.op->name != b.first && in.op->name != b.second) ||
            place_step(in.operands[0]) == 0)
          continue;
        const auto [it, first] = waiting.try_emplace({in.operands[0].kind, in.operands[0].index}, i);
        if (first || p_.instructions[it->second].op == in.op) continue;
        partner_[i] = static_cast<int>(it->second), partner_[it->second] = static_cast<int>(i);
        both_[it->second] = b.fn;
        waiting.erase(it);
      }
    }
  }
  // 0 where a value is sure to be the same for all of a tile; values of instructions are taken to vary.
  int place_step(Value v) const {
    if (v.kind == ValueKind::source) return source_places_[static_cast<std::size_t>(v.index)].step;
    return v.kind == ValueKind::constant ? 0 : 1;
  }

  void translate_both(int i) {
    const int other = partner_[static_cast<std::size_t>(i)];
    const Instruction& in = p_.instructions[static_cast<std::size_t>(i)];
    const Value operand = in.operands[0];
    if (other > i && place_of(operand).step == 0) {  // computed once a tile, apart
      partner_[static_cast<std::size_t>(i)] = partner_[static_cast<std::size_t>(other)] = -1;
      return translate_one(i);
    }
    if (other > i) {
      TileInstruction t;
      t.ins.fn = both_[static_cast<std::size_t>(i)];
      t.ins.a = place_of(operand).reg, t.ins.step_a = 1;
      const bool i_first = in.op->name == first_of_both(t.ins.fn);
      const Place mine = destination(i, i, in.result, 1), its = destination(other, i, in.result, 1);
      t.ins.dst = (i_first ? mine : its).reg, t.ins.b = (i_first ? its : mine).reg;
      places_[static_cast<std::size_t>(i)] = mine, places_[static_cast<std::size_t>(other)] = its;
      l_.code.push_back(t);
    } else if (const Place from = place_of(operand); from.slot >= 0 && last_use_of(operand) == i) {
      free_slots_.push_back(from.slot);
    }
    free_if_unused(i);
  }
  static std::string_view first_of_both(TileFn fn) {
    for (const TileRegistry::Both& b : tiles().both())
      if (b.fn == fn) return b.first;
    return {};
  }

  // Where the value of instruction i goes: a store of its own or a slot.
  Place destination(int i, int when, DType d, std::uint8_t step) {
    if (const int store = direct_store(i, when); store >= 0) {
      l_.stores[static_cast<std::size_t>(store)].copied = false;
      return {l_.stores[static_cast<std::size_t>(store)].access.reg, 1, -1};
    }
    const int slot = take_slot(item_size(d));
    return {slot_regs_[static_cast<std::size_t>(slot)], step, slot};
  }
  void free_if_unused(int i) {
    const Place& p = places_[static_cast<std::size_t>(i)];
    if (p.slot >= 0 && last_use_[static_cast<std::size_t>(i)] < 0) free_slots_.push_back(p.slot);
  }

  void translate_one(int i) {
    const Instruction& in = p_.instructions[static_cast<std::size_t>(i)];
    const int arity = in.op == nullptr ? 1 : in.op->arity;
    TileInstruction t;
    t.ins.fn = in.op == nullptr ? tiles().convert_fn(in.type, in.result) : in.op->fn[static_cast<int>(in.type)];
    t.ins.aux = in.aux;
    std::uint16_t* regs[3] = {&t.ins.a, &t.ins.b, &t.ins.c};
    std::uint8_t* steps[3] = {&t.ins.step_a, &t.ins.step_b, &t.ins.step_c};
    bool all_splat = true;
    std::vector<int>
        freed;  // slots that end here: before the result takes one if all elements are of its size, else after
    bool same_size = true;
    for (int k = 0; k < arity; ++k) {
      const Value v = in.operands[static_cast<std::size_t>(k)];
      const Place from = place_of(v);
      *regs[k] = from.reg, *steps[k] = from.step;
      all_splat &= from.step == 0;
      if (from.slot < 0 || last_use_of(v) != i) continue;
      if (std::find(freed.begin(), freed.end(), from.slot) == freed.end()) freed.push_back(from.slot);
      same_size &= item_size(p_.dtype_of(v)) == item_size(in.result) && from.step == 1;
    }
    if (same_size) release(freed);
    const Place to = destination(i, i, in.result, all_splat && arity > 0 ? 0 : 1);
    if (to.step == 0) t.uniform = static_cast<std::uint32_t>(64 / item_size(in.result));
    if (!same_size) release(freed);
    t.ins.dst = to.reg;
    places_[static_cast<std::size_t>(i)] = to;
    l_.code.push_back(t);
    free_if_unused(i);
  }

  int last_use_of(Value v) const {
    return v.kind == ValueKind::source ? last_source_use_[static_cast<std::size_t>(v.index)]
                                       : last_use_[static_cast<std::size_t>(v.index)];
  }
  void release(const std::vector<int>& slots) { free_slots_.insert(free_slots_.end(), slots.begin(), slots.end()); }

  // --- Tile length and scratch memory ---

  void choose_tile_length() {
    const std::size_t strips = l_.scheme == Scheme::columns ? 2 : 0;
    const std::size_t item = std::max(slot_item_, strips > 0 ? l_.partial_item : std::size_t{1});
    std::int64_t t = longest_tile;
    while (t > shortest_tile && (slot_regs_.size() + strips) * static_cast<std::size_t>(t) * item > slot_budget) t /= 2;
    if (l_.panel_rows > 1) t = std::min(t, panel_tile);
    if (l_.scheme == Scheme::rows) t = l_.row > 0 ? longest_tile / l_.row * l_.row : leaf_length;
    if (l_.scheme == Scheme::map && slot_regs_.empty() && l_.code.size() <= 1 && l_.panel_rows == 1) t = l_.tile_size;
    if (period_ > 1 && t < l_.tile_size) t = whole_periods(t);
    l_.tile_length = std::max<std::int64_t>(1, std::min(t, l_.tile_size));
  }

  // Where no tile has whole periods, nothing is read once.
  std::int64_t whole_periods(std::int64_t t) {
    if (t >= period_) return t / period_ * period_;
    for (Access& a : l_.sources)
      if (a.reach == Reach::repeated) a.reach = Reach::nested;
    return t;
  }

  std::size_t reserve(std::size_t bytes) {
    const std::size_t at = l_.scratch_bytes;
    l_.scratch_bytes += round_up(bytes);
    return at;
  }

  void lay_out_scratch() {
    choose_tile_length();
    const auto length = static_cast<std::size_t>(l_.tile_length);
    l_.scratch_bytes =
        round_up((static_cast<std::size_t>(l_.reg_count) + static_cast<std::size_t>(l_.access_count())) * 8);
    for (std::uint16_t reg : splat_regs_) l_.places.emplace_back(reg, reserve(64));
    // Slots of a page or so stand off each other by more than what is being written: the processor takes a read for one of what it
    // has yet to write where the lower 12 bits of the addresses say so.
    const std::size_t apart = length * slot_item_ >= 2048 ? 1024 + 64 : 64;
    for (std::uint16_t reg : slot_regs_)
      l_.places.emplace_back(reg, reserve(std::max<std::size_t>(64, length * slot_item_) + apart));
    for (Access& a : l_.sources)
      if (a.reach == Reach::panel)
        a.scratch = reserve(static_cast<std::size_t>(l_.panel_rows) * length * static_cast<std::size_t>(a.item));
    if (l_.scheme == Scheme::columns) {
      l_.strip_bytes = round_up(length * std::max<std::size_t>(l_.partial_item, 16));
      l_.strips = reserve(4 * l_.strip_bytes);
    } else if (l_.scheme == Scheme::rows && !l_.arg) {
      l_.strip_bytes = round_up(static_cast<std::size_t>(partials_length + 1) * l_.partial_item);
      std::size_t levels = 1;
      for (std::int64_t n = l_.tile_size / leaf_length + 1; n > partials_length; n = n / partials_length + 1) ++levels;
      l_.strips = reserve((levels + 1) * l_.strip_bytes);
      l_.widened = reserve(static_cast<std::size_t>(leaf_length) * l_.partial_item);
    }
  }

  // Per element: bytes from L2, a call of copy_run for each element in the middle, and instructions on vectors of 32 bytes.
  void estimate_work() {
    double ns = 0;
    for (std::size_t a = 0; a < l_.sources.size() + l_.stores.size(); ++a) {
      const Access& access = l_.access(a);
      if (access.reach == Reach::splat || access.reach == Reach::fixed || access.reach == Reach::repeated) continue;
      ns += 0.01 * access.item + (access.reach == Reach::direct ? 0.0 : 0.3);
    }
    for (const Instruction& i : p_.instructions) ns += 0.01 * static_cast<double>(item_size(i.result));
    l_.ns = ns * static_cast<double>(p_.iterations());
  }

  const Program& p_;
  Lowered l_;
  LoopGroups groups_;
  std::vector<std::uint16_t> slot_regs_, splat_regs_;
  std::vector<int> free_slots_, last_source_use_, last_use_;
  std::vector<Place> source_places_, places_;
  std::vector<int> partner_;  // per instruction: the one that is computed with it; -1: none
  std::vector<TileFn> both_;  // of the earlier of two: what computes them
  std::size_t slot_item_ = 1;
  std::int64_t period_ = 1;  // of what repeats: tiles hold whole ones
};

// A reduction of values that are widened for it, as 16-bit floats are: it widens them itself, where it reads them.
std::optional<Program> without_widening(const Program& p) {
  if (!p.reduction || p.instructions.size() != 1 || p.sources.size() != 1 || is_arg(p.reduction->combiner))
    return std::nullopt;
  const Instruction& i = p.instructions[0];
  const Reducer r = reducer(p.reduction->combiner, i.type);
  if (i.op != nullptr || !r.widen || i.result != r.partial || !r.rows.each || i.operands[0].kind != ValueKind::source ||
      p.reduction->value.kind != ValueKind::instruction || p.sources[0].kind != SourceKind::memory)
    return std::nullopt;
  Program direct = p;
  direct.instructions.clear();
  direct.reduction->value = i.operands[0];
  return direct;
}

}  // namespace

Lowered lower(const Program& p) {
  if (const auto direct = without_widening(p)) return Lowering(*direct).run();
  const std::optional<Program> shorter = combined(p);
  return Lowering(shorter ? *shorter : p).run();
}

}  // namespace cotan::kernel
