#include "control/branch.h"

#include <algorithm>

#include "control/callback.h"
#include "control/checkify.h"
#include "control/jit.h"
#include "core/jaxpr_utils.h"
#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/random.h"
#include "ops/structural.h"

namespace cotan {

namespace {

struct CondParams {
  std::vector<ClosedJaxpr> branches;
  template <class S, class V> static void fields(S& s, V& v) { v("branches", s.branches); }
};

const std::vector<ClosedJaxpr>& branches_of(const EqnContext& c) { return c.params<CondParams>().branches; }

ArrayVec bind_branches(std::vector<ClosedJaxpr> branches, const Array& index, const Arrays& consts,
                       std::span<const Array> operands) {
  ArrayVec in, out;
  in.push_back(index);
  for (const Array& a : consts) in.push_back(a);
  for (const Array& a : operands) in.push_back(a);
  cond_p.bind(make_params(CondParams{std::move(branches)}), in, out);
  return out;
}

void check_branch(const Jaxpr& j, std::span<const Aval> operands, const Jaxpr& first, std::size_t k) {
  const std::string name = "cond: branch " + std::to_string(k);
  if (!j.constvars.empty()) throw TypeError(name + " has constants, which must be operands");
  if (j.invars.size() != operands.size())
    throw TypeError(name + " takes " + std::to_string(j.invars.size()) + " operands, got " +
                    std::to_string(operands.size()));
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Aval& want = j.aval(j.invars[i]);
    if (want.shape != operands[i].shape || want.dtype != operands[i].dtype)
      throw TypeError(name + " takes " + want.str() + " as operand " + std::to_string(i) + ", got " +
                      operands[i].str());
  }
  if (j.outvars.size() != first.outvars.size())
    throw TypeError("cond: branches must give the same number of results, got " + std::to_string(first.outvars.size()) +
                    " and " + std::to_string(j.outvars.size()));
  for (std::size_t i = 0; i < j.outvars.size(); ++i)
    if (const Aval a = first.aval(first.outvars[i]), b = j.aval(j.outvars[i]); a.shape != b.shape || a.dtype != b.dtype)
      throw TypeError("cond: branches must give results of the same types, result " + std::to_string(i) + " is " +
                      a.str() + " of branch 0 and " + b.str() + " of branch " + std::to_string(k));
}

void cond_avals(const AbstractIn& in, AvalVec& out) {
  const auto& branches = branches_of(in);
  if (branches.empty()) throw ValueError("cond: there must be at least one branch");
  if (in.in.empty() || in.in[0].ndim() != 0 || in.in[0].dtype != DType::int32)
    throw TypeError("cond: the index must be an int32 scalar, got " + (in.in.empty() ? "nothing" : in.in[0].str()));
  const Jaxpr& first = branches[0].jaxpr();
  for (std::size_t k = 0; k < branches.size(); ++k) check_branch(branches[k].jaxpr(), in.in.subspan(1), first, k);
  for (const Aval& a : out_avals(first)) out.push_back(a);
  for (const ClosedJaxpr& b : branches)
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i].weak_type = out[i].weak_type && b.jaxpr().aval(b.jaxpr().outvars[i]).weak_type;
}

// Of each branch what `make` gives for it, `instantiate` saying which results must be there; then again with those that are
// there in any of them, so that all branches have the same ones.
template <class Made, class Make>
std::vector<Made> made_alike(const EqnContext& c, Bits Made::element_type::*have, Make make) {
  std::vector<Made> all;
  Bits any;
  for (const ClosedJaxpr& b : branches_of(c)) {
    all.push_back(make(b.jaxpr(), Bits()));
    const Bits& h = (*all.back()).*have;
    any.resize(h.size());
    for (std::size_t i = 0; i < h.size(); ++i) any[i] = any[i] || h[i];
  }
  for (std::size_t k = 0; k < all.size(); ++k)
    if ((*all[k]).*have != any) all[k] = make(branches_of(c)[k].jaxpr(), any);
  return all;
}

template <class Made> Merged merged(const std::vector<Made>& all) {
  std::vector<Hoisted> parts;
  for (const auto& made : all) parts.push_back(*made);
  return merge_constants(parts);
}

void cond_jvp(const JvpIn& in, ArrayVec& primals_out, TangentVec& tangents_out) {
  const Bits has = nonzero(in.tangents.subspan(1));
  using Made = std::shared_ptr<const JvpProgram>;
  const auto all = made_alike<Made>(in, &JvpProgram::out_tangent, [&](const Jaxpr& j, const Bits& instantiate) {
    return jvp_program(j, has, instantiate);
  });
  ArrayVec operands(in.primals.subspan(1));
  append_values(in.tangents.subspan(1), operands);
  const Merged m = merged(all);
  const ArrayVec out = bind_branches(m.programs, in.primals[0], m.consts, operands);
  const Bits& there = all[0]->out_tangent;
  put_results(out, std::span(out).subspan(there.size()), there, primals_out, tangents_out);
}

// --- linearize: a cond that also gives residuals, and a linear cond that takes them -------------------------------------------

// Where the residuals of the branches go: a result of the forward cond is shared by branches, as only one of them runs.
struct ResidualSlots {
  std::vector<Aval> slots;
  std::vector<std::vector<int>> slot_of;  // per branch, per residual: its slot; -1: it is an operand
  std::vector<int> operands;              // those that are residuals of some branch

  explicit ResidualSlots(const std::vector<std::shared_ptr<const LinearProgram>>& all) {
    for (const auto& d : all) add(*d);
    std::sort(operands.begin(), operands.end());
  }
  std::size_t place(int operand) const {
    return static_cast<std::size_t>(std::find(operands.begin(), operands.end(), operand) - operands.begin());
  }

 private:
  void add(const LinearProgram& d) {
    const Jaxpr& linear = d.linear.program.jaxpr();
    Bits taken(slots.size());
    std::vector<int>& mine = slot_of.emplace_back();
    for (std::size_t r = 0; r < d.residual_operand.size(); ++r) {
      mine.push_back(-1);
      if (const int operand = d.residual_operand[r]; operand >= 0) {
        if (std::find(operands.begin(), operands.end(), operand) == operands.end()) operands.push_back(operand);
        continue;
      }
      const Aval& type = linear.aval(linear.invars[r]);
      std::size_t s = 0;
      while (s < slots.size() && (taken[s] || !(slots[s] == type))) ++s;
      if (s == slots.size()) slots.push_back(type), taken.push_back(false);
      taken[s] = true;
      mine.back() = static_cast<int>(s);
    }
  }
};

Array placeholder(const Aval& a) {
  if (!is_key(a.dtype)) return ops::zeros_of(a);
  Shape words = a.shape;
  words.push_back(static_cast<std::int64_t>(item_size(a.dtype) / item_size(DType::uint32)));
  return ops::random_wrap(ops::zeros_of({words, DType::uint32, false}), a.dtype);
}

// The branch's results, then its residuals, each in its slot.
Hoisted forward_branch(const LinearProgram& d, const ResidualSlots& slots, std::size_t k, std::size_t results) {
  const Jaxpr& j = d.forward.program.jaxpr();
  return {hoist_constants(flat_make_jaxpr(
              [&](const Arrays& x) {
                const Arrays all = run(j, x);
                Arrays out(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(results));
                Arrays in_slots(slots.slots.size());
                std::size_t next = results;
                for (int s : slots.slot_of[k])
                  if (s >= 0) in_slots[static_cast<std::size_t>(s)] = all[next++];
                for (std::size_t s = 0; s < in_slots.size(); ++s)
                  out.push_back(in_slots[s].has_value() ? in_slots[s] : placeholder(slots.slots[s]));
                return out;
              },
              in_avals(j))),
          d.forward.consts};
}

// Slots, operands that are residuals, tangents -> tangents of the results.
Hoisted linear_branch(const LinearProgram& d, const ResidualSlots& slots, std::size_t k, const std::vector<Aval>& in) {
  const Jaxpr& j = d.linear.program.jaxpr();
  return hoist(flat_make_jaxpr(
      [&](const Arrays& x) {
        Arrays args;
        for (std::size_t r = 0; r < d.residual_operand.size(); ++r) {
          const int s = slots.slot_of[k][r];
          args.push_back(s >= 0 ? x[static_cast<std::size_t>(s)]
                                : x[slots.slots.size() + slots.place(d.residual_operand[r])]);
        }
        args.insert(args.end(), x.begin() + static_cast<std::ptrdiff_t>(slots.slots.size() + slots.operands.size()),
                    x.end());
        return run(j, args);
      },
      in));
}

void cond_linearize(const JvpIn& in, ArrayVec& primals_out, TangentVec& tangents_out) {
  const Bits has = nonzero(in.tangents.subspan(1));
  using Made = std::shared_ptr<const LinearProgram>;
  const auto all = made_alike<Made>(in, &LinearProgram::out_tangent, [&](const Jaxpr& j, const Bits& instantiate) {
    return linear_program(j, has, instantiate);
  });
  const ResidualSlots slots(all);
  const Bits& there = all[0]->out_tangent;
  std::vector<Hoisted> forward, linear;
  std::vector<Aval> linear_in(slots.slots);
  for (int i : slots.operands) linear_in.push_back(in.primals[static_cast<std::size_t>(i) + 1].aval());
  for (const Tangent& t : in.tangents.subspan(1))
    if (!t.is_zero()) linear_in.push_back(t.aval());
  for (std::size_t k = 0; k < all.size(); ++k) {
    forward.push_back(forward_branch(*all[k], slots, k, there.size()));
    linear.push_back(linear_branch(*all[k], slots, k, linear_in));
  }
  const Merged f = merge_constants(forward), l = merge_constants(linear);
  const ArrayVec values = bind_branches(f.programs, in.primals[0], f.consts, in.primals.subspan(1));
  ArrayVec operands;
  for (std::size_t i = there.size(); i < values.size(); ++i) operands.push_back(values[i]);
  for (int i : slots.operands) operands.push_back(in.primals[static_cast<std::size_t>(i) + 1]);
  append_values(in.tangents.subspan(1), operands);
  put_results(values, bind_branches(l.programs, in.primals[0], l.consts, operands), there, primals_out, tangents_out);
}

void cond_transpose(const TransposeIn& in, TangentVec& out) {
  if (in.args[0].is_linear()) throw TypeError("cond: the index cannot be linear");
  const auto args = in.args.subspan(1);
  const TransposeOperands t = transpose_operands(args, in.cts);
  using Made = std::shared_ptr<const TransposeProgram>;
  const auto all = made_alike<Made>(in, &TransposeProgram::out_ct, [&](const Jaxpr& j, const Bits& instantiate) {
    return transpose_program(j, t.linear, t.has_ct, instantiate);
  });
  const Merged m = merged(all);
  out.push_back(Tangent::zero_of(in.args[0].aval));
  put_cotangents(args, bind_branches(m.programs, in.args[0].value, m.consts, t.values), all[0]->out_ct, out);
}

// --- batching -----------------------------------------------------------------------------------------------------------------
Array spread(const Array& per_lane, const Shape& shape) { return ops::broadcast_in_dim(per_lane, shape, {0}); }

// Every lane runs every branch, on its operands where it takes the branch, on values without a derivative where it does not:
// so no NaN of a branch that is not taken reaches a gradient.
void batch_as_select(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  const auto& branches = branches_of(in);
  const DType d = DType::int32;
  const auto last = static_cast<std::int64_t>(branches.size()) - 1;
  const Array index = ops::clamp(ops::scalar_int(d, 0), in.args[0], ops::scalar_int(d, last));
  std::vector<Arrays> cases;
  for (std::size_t k = 0; k < branches.size(); ++k) {
    const Array taken = ops::eq(index, ops::scalar_int(d, static_cast<std::int64_t>(k)));
    ArrayVec operands;
    std::vector<int> dims;
    for (std::size_t i = 1; i < in.args.size(); ++i) {
      Array x = in.args[i];
      int dim = in.dims[i];
      if (is_inexact(x.dtype()) && !is_concrete(x)) {  // a concrete array has no derivative
        x = ops::with_batch_front(x, dim, in.axis_size);
        dim = 0;
        const Array both[] = {ops::stop_gradient(x), x};
        x = ops::select_n(spread(taken, x.shape()), both);
      }
      operands.push_back(x);
      dims.push_back(dim);
    }
    const auto checks =
        with_user_checks_out(branches[k].jaxpr());  // a lane that does not take the branch does not fail
    const Jaxpr& j = checks ? checks->program.jaxpr() : branches[k].jaxpr();
    const Arrays found = checks ? checks->consts : Arrays();
    dims.insert(dims.begin(), found.size(), not_mapped);
    const auto b = batch_program(j, dims, in.axis_size, in.axis_name, Bits(j.outvars.size(), true));
    Arrays args = b->consts;
    args.insert(args.end(), found.begin(), found.end());
    args.insert(args.end(), operands.begin(), operands.end());
    cases.push_back(run(b->program.jaxpr(), args));
    const std::size_t results = branches[k].jaxpr().outvars.size();
    if (checks) bind_lane_checks(*checks, std::span(cases.back()).subspan(results), taken);
    cases.back().resize(results);
  }
  for (std::size_t i = 0; i < cases[0].size(); ++i) {
    Array chosen = cases[0][i];
    for (std::size_t k = 1; k < cases.size(); ++k) {
      const Array taken = ops::eq(index, ops::scalar_int(d, static_cast<std::int64_t>(k)));
      const Array both[] = {chosen, cases[k][i]};
      chosen = ops::select_n(spread(taken, chosen.shape()), both);
    }
    out.push_back(chosen);
    out_dims.push_back(0);
  }
}

void cond_batch(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  if (in.dims[0] != not_mapped) {
    for (const ClosedJaxpr& b : branches_of(in))
      if ((b.jaxpr().effects & ~(debug_effect | check_effect)) != no_effects)
        throw NotImplementedError(
            "vmap of a cond whose predicate is batched and whose branches have effects: each branch would run");
    return batch_as_select(in, out, out_dims);
  }
  std::vector<std::shared_ptr<const BatchProgram>> all;
  Bits any(branches_of(in)[0].jaxpr().outvars.size());
  for (const ClosedJaxpr& b : branches_of(in)) {
    all.push_back(batch_program(b.jaxpr(), in.dims.subspan(1), in.axis_size, in.axis_name));
    for (std::size_t i = 0; i < any.size(); ++i) any[i] = any[i] || all.back()->out_dims[i] != not_mapped;
  }
  for (std::size_t k = 0; k < all.size(); ++k)
    all[k] = batch_program(branches_of(in)[k].jaxpr(), in.dims.subspan(1), in.axis_size, in.axis_name, any);
  const Merged m = merged(all);
  out = bind_branches(m.programs, in.args[0], m.consts, in.args.subspan(1));
  for (bool b : any) out_dims.push_back(b ? 0 : not_mapped);
}

Reduced cond_dce(const EqnContext& c, const std::vector<bool>& used_results) {
  std::vector<DceResult> all;
  Bits used;
  for (const ClosedJaxpr& b : branches_of(c)) {
    all.push_back(dce(share(b), used_results));
    const Bits& mine = all.back().used_inputs;
    used.resize(mine.size());
    for (std::size_t i = 0; i < mine.size(); ++i) used[i] = used[i] || mine[i];
  }
  CondParams p;
  const std::vector<Aval> types = chosen(in_avals(branches_of(c)[0].jaxpr()), used);
  for (const DceResult& d : all) p.branches.push_back(with_inputs(*d.jaxpr, places(d.used_inputs, used), types));
  Bits operands{true};
  operands.insert(operands.end(), used.begin(), used.end());
  return {make_params(std::move(p)), operands, used_results};
}

}  // namespace

Merged merge_constants(std::span<const Hoisted> parts) {
  Merged m;
  std::vector<std::vector<std::size_t>> at;  // per program, per constant of it: which of all
  for (const Hoisted& h : parts) {
    auto& mine = at.emplace_back();
    for (const Array& c : h.consts) {
      const auto same =
          std::find_if(m.consts.begin(), m.consts.end(), [&](const Array& a) { return a.node() == c.node(); });
      mine.push_back(static_cast<std::size_t>(same - m.consts.begin()));
      if (same == m.consts.end()) m.consts.push_back(c);
    }
  }
  const std::vector<Aval> types = avals_of(m.consts);
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const Jaxpr& j = parts[k].program.jaxpr();
    std::vector<int> order(m.consts.size(), -1);
    for (std::size_t i = 0; i < at[k].size(); ++i) order[at[k][i]] = static_cast<int>(i);
    for (std::size_t i = at[k].size(); i < j.invars.size(); ++i) order.push_back(static_cast<int>(i));
    m.programs.push_back(with_inputs(j, order, types));
  }
  return m;
}

constinit const Primitive cond_p{
    .name = "cond",
    .doc =
        "Runs the branch that an int32 scalar chooses, clamped to those there are. All branches take the operands and "
        "give results "
        "of the same types. Under vmap with an index for each lane every branch runs, and results are selected.",
    .kind = Kind::call,
    .operands = -1,
    .results = -1,
    .params = &params_ops<CondParams>,
    .abstract_eval = cond_avals,
    .jvp = cond_jvp,
    .linearize = cond_linearize,
    .transpose = cond_transpose,
    .batching = cond_batch,
    .effects =
        [](const EqnContext& c) {
          Effects e = no_effects;
          for (const ClosedJaxpr& b : branches_of(c)) e |= b.jaxpr().effects;
          return e;
        },
    .regions =
        [](const EqnContext& c) {
          Regions r{.kind = RegionKind::branch};
          for (const ClosedJaxpr& b : branches_of(c)) r.programs.push_back(&b);
          return r;
        },
    .dce = cond_dce,
    .names_axis = regions_name_axis,
    .samples = [] { return std::vector<Sample>(); }};

Arrays bind_cond(const Array& index, const Merged& branches, const Arrays& operands) {
  return list(bind_branches(branches.programs, index, branches.consts, operands));
}

}  // namespace cotan
