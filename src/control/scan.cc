#include <algorithm>

#include "control/jit.h"
#include "control/loops.h"
#include "core/dependence.h"
#include "core/jaxpr_utils.h"
#include "ops/common.h"

namespace cotan {

namespace {

struct ScanParams {
  ClosedJaxpr jaxpr;
  std::int64_t length = 0;
  int num_carry = 0, num_consts = 0;
  bool reverse = false;
  std::int64_t unroll = 1;
  template <class S, class V> static void fields(S& s, V& v) {
    v("jaxpr", s.jaxpr), v("length", s.length), v("num_carry", s.num_carry), v("num_consts", s.num_consts);
    v("reverse", s.reverse), v("unroll", s.unroll);
  }
};

Aval row_of(Aval a) {
  a.shape.erase(0);
  return a;
}
Aval stacked(Aval a, std::int64_t length) {
  a.shape.insert(0, length);
  return a;
}
bool fits(const Aval& want, const Aval& got) { return want.shape == got.shape && want.dtype == got.dtype; }

void check_input(const Jaxpr& j, std::size_t i, const Aval& got, const char* what) {
  if (const Aval& want = j.aval(j.invars[i]); !fits(want, got))
    throw TypeError("scan: operand " + std::to_string(i) + ", " + what + ", is " + got.str() + ", the body takes " +
                    want.str());
}

void scan_avals(const AbstractIn& in, AvalVec& out) {
  const auto& p = in.params<ScanParams>();
  const Jaxpr& j = p.jaxpr.jaxpr();
  const auto consts = static_cast<std::size_t>(p.num_consts), carries = static_cast<std::size_t>(p.num_carry);
  if (p.num_consts < 0 || p.num_carry < 0 || p.length < 0 || in.in.size() < consts + carries ||
      j.outvars.size() < carries || j.invars.size() != in.in.size() || !j.constvars.empty())
    throw TypeError("scan: the body takes " + std::to_string(j.invars.size()) + " inputs and gives " +
                    std::to_string(j.outvars.size()) + " results; operands: " + std::to_string(in.in.size()) +
                    ", of which constants " + std::to_string(p.num_consts) + " and carries " +
                    std::to_string(p.num_carry));
  for (std::size_t i = 0; i < in.in.size(); ++i) {
    if (i < consts + carries) {
      check_input(j, i, in.in[i], i < consts ? "a constant" : "a carry");
      continue;
    }
    if (in.in[i].ndim() == 0 || in.in[i].shape[0] != p.length)
      throw ValueError("scan: operand " + std::to_string(i) + " must have a leading axis of size " +
                       std::to_string(p.length) + ", got " + in.in[i].str());
    check_input(j, i, row_of(in.in[i]), "a row");
  }
  for (std::size_t i = 0; i < j.outvars.size(); ++i) {
    const Aval a = j.aval(j.outvars[i]);
    if (i < carries) {
      if (const Aval& want = j.aval(j.invars[consts + i]); !fits(want, a))
        throw TypeError("scan: carry " + std::to_string(i) + " comes in as " + want.str() + " and goes out as " +
                        a.str());
    }
    out.push_back(i < carries ? a : stacked(a, p.length));
  }
}

// The operands of a scan by what they are; so are flags for them.
template <class T> struct Parts {
  std::vector<T> consts, carries, rows;
  std::vector<T> all() const {
    std::vector<T> v(consts);
    v.insert(v.end(), carries.begin(), carries.end());
    v.insert(v.end(), rows.begin(), rows.end());
    return v;
  }
};
template <class T, class Range> Parts<T> parts_of(const ScanParams& p, const Range& all) {
  const auto a = all.begin() + p.num_consts, b = a + p.num_carry;
  return {std::vector<T>(all.begin(), a), std::vector<T>(a, b), std::vector<T>(b, all.end())};
}

template <class T> void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

Arrays bind(const Hoisted& body, const ScanParams& like, bool reverse, const Parts<Array>& operands) {
  Arrays all = operands.consts;
  append(all, operands.carries);
  append(all, operands.rows);
  return bind_scan(body,
                   {static_cast<int>(operands.consts.size()), static_cast<int>(operands.carries.size()), like.length,
                    reverse, like.unroll},
                   all);
}

// The values of tangents that are not zero.
Arrays values_of(std::span<const Tangent> ts) {
  Arrays v;
  for (const Tangent& t : ts)
    if (!t.is_zero()) v.push_back(t.value());
  return v;
}
// Those of the carries, of which more may be needed than are there.
Arrays carried_tangents(std::span<const Tangent> ts, const Bits& needed) {
  Arrays v;
  for (std::size_t i = 0; i < ts.size(); ++i)
    if (needed[i]) v.push_back(ops::instantiate(ts[i]));
  return v;
}

// A program made for flags of the operands, of which those of the carries grow until the program gives no more than it takes.
template <class Make, class Given> auto grown(Parts<bool>& flags, Make make, Given given) {
  for (;;) {
    auto made = make(flags.all(), flags.carries);
    const Bits out = given(*made);
    bool grows = false;
    for (std::size_t i = 0; i < flags.carries.size(); ++i)
      if (out[i] && !flags.carries[i]) grows = flags.carries[i] = true;
    if (!grows) return made;
  }
}

// Of inputs (primals, tangents) by the flags of tangents: the order constants, carries, rows, each with primals first.
std::vector<int> joined_order(const ScanParams& p, std::size_t hoisted, std::size_t operands, const Bits& has) {
  std::vector<int> order[3];
  for (std::size_t i = 0; i < hoisted; ++i) order[0].push_back(static_cast<int>(i));
  const auto group = [&](std::size_t i) {
    return i < static_cast<std::size_t>(p.num_consts)                 ? 0
           : i < static_cast<std::size_t>(p.num_consts + p.num_carry) ? 1
                                                                      : 2;
  };
  for (std::size_t i = 0; i < operands; ++i) order[group(i)].push_back(static_cast<int>(hoisted + i));
  int next = static_cast<int>(hoisted + operands);
  for (std::size_t i = 0; i < operands; ++i)
    if (has[i]) order[group(i)].push_back(next++);
  append(order[0], order[1]);
  append(order[0], order[2]);
  return order[0];
}

// Results (carries, rows, tangents of carries, tangents of rows) with all carries first.
ClosedJaxpr carries_first(const ClosedJaxpr& c, std::size_t carries, std::size_t results, std::size_t carry_tangents) {
  const Ref<Jaxpr> j(new Jaxpr(c.jaxpr()));
  const auto at = [&](std::size_t i) { return j->outvars.begin() + static_cast<std::ptrdiff_t>(i); };
  std::rotate(at(carries), at(results), at(results + carry_tangents));
  return close_jaxpr(JaxprRef(j.get()));
}

void scan_jvp(const JvpIn& in, ArrayVec& primals_out, TangentVec& tangents_out) {
  const auto& p = in.params<ScanParams>();
  const Jaxpr& j = p.jaxpr.jaxpr();
  Parts<bool> has = parts_of<bool>(p, nonzero(in.tangents));
  const auto d = grown(
      has, [&](const Bits& all, const Bits& carries) { return jvp_program(j, all, carries); }, tangents_of_results);
  const std::size_t carries = has.carries.size(), carry_tangents = count(has.carries), results = j.outvars.size();
  ClosedJaxpr body = with_inputs(d->program.jaxpr(), joined_order(p, d->consts.size(), in.primals.size(), has.all()));
  const auto primals = parts_of<Array>(p, in.primals);
  const auto tangents = parts_of<Tangent>(p, in.tangents);
  Parts<Array> operands = primals;
  append(operands.consts, values_of(tangents.consts));
  append(operands.carries, carried_tangents(tangents.carries, has.carries));
  append(operands.rows, values_of(tangents.rows));
  const Arrays out = bind({carries_first(body, carries, results, carry_tangents), d->consts}, p, p.reverse, operands);
  std::size_t next_carry = carries, next_row = results + carry_tangents;
  for (std::size_t i = 0; i < results; ++i) {
    primals_out.push_back(out[i < carries ? i : i + carry_tangents]);
    const bool there = i < carries ? bool(has.carries[i]) : bool(d->out_tangent[i]);
    tangents_out.push_back(there ? Tangent(out[i < carries ? next_carry++ : next_row++])
                                 : Tangent::zero_of(primals_out.back().aval()));
  }
}

// --- linearize: a scan that also gives residuals, one row for each step, and a linear scan over them --------------------------

// Per variable of a program: whether constants of the loop alone determine it.
Bits invariant_variables(const Jaxpr& j, std::size_t consts) {
  Bits invariant(j.vars.size());
  for (std::size_t i = 0; i < consts; ++i) invariant[j.invars[i].id] = true;
  for (const JaxprEqn& e : j.eqns) {
    bool all = e.effects == no_effects;
    for (Atom a : j.inputs(e)) all = all && (a.is_literal() || invariant[a.var().id]);
    for (Atom a : j.outputs(e)) invariant[a.var().id] = all;
  }
  return invariant;
}

// The forward program with its residuals sorted by how they reach the linear scan.
struct SortedResiduals {
  enum class From { constant, carry, row, invariant, stacked };
  std::vector<From> from;
  std::vector<std::size_t> index;  // of a constant, carry or row operand; of an invariant; of a stacked result
  Hoisted forward;                 // results, then what is stacked
  Arrays invariants;               // computed once, outside the loop

  SortedResiduals(const ScanParams& p, const LinearProgram& d, const Parts<Array>& primals, std::size_t results) {
    const Ref<Jaxpr> j(new Jaxpr(d.forward.program.jaxpr()));
    const std::size_t hoisted = d.forward.consts.size(), consts = hoisted + static_cast<std::size_t>(p.num_consts);
    const std::vector<Atom> outs(j->outvars);
    const Bits invariant = invariant_variables(*j, consts);
    std::vector<Atom> once;
    j->outvars.erase(j->outvars.begin() + static_cast<std::ptrdiff_t>(results), j->outvars.end());
    std::size_t next = results;
    for (int operand : d.residual_operand) {
      const auto k = static_cast<std::size_t>(operand);
      if (operand < 0 && (outs[next].is_literal() || invariant[outs[next].var().id]))
        add(From::invariant, once.size()), once.push_back(outs[next++]);
      else if (operand < 0) add(From::stacked, stack(*j, outs[next++], p.num_carry));
      else if (operand < p.num_consts) add(From::constant, k);
      else if (operand < p.num_consts + p.num_carry) add(From::stacked, stack(*j, j->invars[hoisted + k], p.num_carry));
      else add(From::row, k - static_cast<std::size_t>(p.num_consts + p.num_carry));
    }
    forward = {close_jaxpr(JaxprRef(j.get())), d.forward.consts};
    Arrays args = d.forward.consts;
    append(args, primals.consts);
    if (!once.empty()) invariants = computed_once(*j, std::move(once), consts, args);
  }

 private:
  void add(From f, std::size_t i) { from.push_back(f), index.push_back(i); }
  static std::size_t stack(Jaxpr& j, Atom a, int carries) {  // a value may be a stacked result already
    const auto at = std::find(j.outvars.begin() + carries, j.outvars.end(), a);
    if (at != j.outvars.end()) return static_cast<std::size_t>(at - j.outvars.begin());
    j.outvars.push_back(a);
    return j.outvars.size() - 1;
  }
  static Arrays computed_once(const Jaxpr& forward, std::vector<Atom> outs, std::size_t consts, const Arrays& args) {
    const Ref<Jaxpr> j(new Jaxpr(forward));
    j->outvars = std::move(outs);
    const DceResult d = dce(JaxprRef(j.get()), Bits(j->outvars.size(), true), DeadEffects::drop);
    Arrays used;
    for (std::size_t i = 0; i < consts; ++i)
      if (d.used_inputs[i]) used.push_back(args[i]);
    return run(*d.jaxpr, used);
  }
};

void scan_linearize(const JvpIn& in, ArrayVec& primals_out, TangentVec& tangents_out) {
  const auto& p = in.params<ScanParams>();
  const Jaxpr& j = p.jaxpr.jaxpr();
  Parts<bool> has = parts_of<bool>(p, nonzero(in.tangents));
  const auto d = grown(
      has, [&](const Bits& all, const Bits& carries) { return linear_program(j, all, carries); }, tangents_of_results);
  const std::size_t carries = has.carries.size(), results = j.outvars.size();
  const auto primals = parts_of<Array>(p, in.primals);
  const auto tangents = parts_of<Tangent>(p, in.tangents);
  const SortedResiduals r(p, *d, primals, results);
  const Arrays values = bind(r.forward, p, p.reverse, primals);

  // Inputs of the linear program: residuals, tangents of constants, carries, rows.
  const int residuals = static_cast<int>(r.from.size()), hoisted = static_cast<int>(d->linear.consts.size());
  const int of_consts = static_cast<int>(count(has.consts)), of_carries = static_cast<int>(count(has.carries)),
            of_rows = static_cast<int>(count(has.rows));
  Parts<Array> operands;
  std::vector<int> order, rows;
  using From = SortedResiduals::From;
  for (int i = 0; i < hoisted; ++i) order.push_back(i);
  for (int i = 0; i < residuals; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const bool once = r.from[k] == From::constant || r.from[k] == From::invariant;
    (once ? order : rows).push_back(hoisted + i);
    if (r.from[k] == From::constant) operands.consts.push_back(primals.consts[r.index[k]]);
    else if (r.from[k] == From::invariant) operands.consts.push_back(r.invariants[r.index[k]]);
    else operands.rows.push_back(r.from[k] == From::row ? primals.rows[r.index[k]] : values[r.index[k]]);
  }
  const int first = hoisted + residuals;
  for (int i = 0; i < of_consts + of_carries; ++i) order.push_back(first + i);
  append(order, rows);
  for (int i = 0; i < of_rows; ++i) order.push_back(first + of_consts + of_carries + i);
  append(operands.consts, values_of(tangents.consts));
  operands.carries = carried_tangents(tangents.carries, has.carries);
  append(operands.rows, values_of(tangents.rows));
  const Arrays linear = bind({with_inputs(d->linear.program.jaxpr(), order), d->linear.consts}, p, p.reverse, operands);
  std::size_t next = 0;
  for (std::size_t i = 0; i < results; ++i) {
    const bool there = i < carries ? bool(has.carries[i]) : bool(d->out_tangent[i]);
    primals_out.push_back(values[i]);
    tangents_out.push_back(there ? Tangent(linear[next++]) : Tangent::zero_of(values[i].aval()));
  }
}

// --- transpose: a scan the other way, that carries the cotangents of constants and carries ------------------------------------

// A linear scan all of whose carries are linear. A carry that depends on nothing linear (a counter) has become a scanned array.
struct LinearScan {
  ScanParams params;
  Parts<LinearOperand> args;
  Parts<int> place;  // among the operands of the scan that it was
  Tangents cts;
};

// Which carries are linear: those that start so, and those that the body makes so.
Bits linear_carries(const Jaxpr& j, Parts<bool> linear) {
  for (bool grows = true; grows;) {
    grows = false;
    const Bits depends = dependent_variables(j, linear.all());
    for (std::size_t i = 0; i < linear.carries.size(); ++i) {
      const Atom out = j.outvars[i];
      if (!linear.carries[i] && !out.is_literal() && depends[out.var().id]) grows = linear.carries[i] = true;
    }
  }
  return linear.carries;
}

// The values of those carries before each step, stacked.
Arrays carried_values(const TransposeIn& in, const ScanParams& p, const Bits& which) {
  const Ref<Jaxpr> j(new Jaxpr(p.jaxpr.jaxpr()));
  std::vector<Atom> outs;
  const auto first = static_cast<std::size_t>(p.num_consts);
  for (std::size_t i = 0; i < which.size(); ++i)
    if (which[i]) outs.push_back(j->outvars[i]);
  for (std::size_t i = 0; i < which.size(); ++i)
    if (which[i]) outs.push_back(j->invars[first + i]);
  j->outvars = outs;
  const DceResult d = dce(JaxprRef(j.get()), Bits(outs.size(), true), DeadEffects::drop);
  Parts<Array> operands;
  for (std::size_t i = 0; i < in.args.size(); ++i) {
    if (!d.used_inputs[i]) continue;
    auto& group = i < first ? operands.consts : i < first + which.size() ? operands.carries : operands.rows;
    group.push_back(in.args[i].value);
  }
  const Arrays r = bind({close_jaxpr(d.jaxpr), {}}, p, p.reverse, operands);
  return Arrays(r.begin() + static_cast<std::ptrdiff_t>(count(which)), r.end());
}

LinearScan as_linear_scan(const TransposeIn& in) {
  LinearScan s{in.params<ScanParams>(), parts_of<LinearOperand>(in.params<ScanParams>(), in.args), {}, {}};
  const ScanParams p = s.params;
  const Jaxpr& j = p.jaxpr.jaxpr();
  std::vector<int> numbers;
  Bits is_linear;
  for (const LinearOperand& a : in.args)
    numbers.push_back(static_cast<int>(numbers.size())), is_linear.push_back(a.is_linear());
  s.place = parts_of<int>(p, numbers);
  const Bits linear = linear_carries(j, parts_of<bool>(p, is_linear));
  Bits known = linear;
  known.flip();
  for (std::size_t i = 0; i < in.cts.size(); ++i)
    if (i >= known.size() || !known[i]) s.cts.push_back(in.cts[i]);
  const auto carries = s.args.carries;
  s.args.carries.clear(), s.place.carries.clear();
  std::vector<int> order(numbers.begin(), numbers.begin() + p.num_consts), rows;
  const Arrays values = count(known) ? carried_values(in, p, known) : Arrays();
  std::size_t next = 0;
  for (std::size_t i = 0; i < known.size(); ++i) {
    const int at = p.num_consts + static_cast<int>(i);
    (known[i] ? rows : order).push_back(at);
    (known[i] ? s.place.rows : s.place.carries).push_back(known[i] ? -1 : at);
    if (known[i]) s.args.rows.push_back({values[next].aval(), values[next]}), ++next;
    else s.args.carries.push_back({carries[i].aval, Array()});  // one that starts as a zero is linear too
  }
  order.insert(order.end(), numbers.begin() + p.num_consts + p.num_carry, numbers.end());
  append(order, rows);
  const Ref<Jaxpr> body(new Jaxpr(with_inputs(j, order).jaxpr()));
  std::vector<Atom> outs;
  for (std::size_t i = 0; i < j.outvars.size(); ++i)
    if (i >= known.size() || !known[i]) outs.push_back(j.outvars[i]);
  body->outvars = outs;
  s.params.jaxpr = close_jaxpr(JaxprRef(body.get()));
  s.params.num_carry = static_cast<int>(s.args.carries.size());
  return s;
}

void scan_transpose(const TransposeIn& in, TangentVec& out) {
  const LinearScan s = as_linear_scan(in);
  const ScanParams& p = s.params;
  const Jaxpr& j = p.jaxpr.jaxpr();
  const auto carries = static_cast<std::size_t>(p.num_carry);
  Bits linear, wanted, has_ct(j.outvars.size(), true);
  for (const LinearOperand& a : s.args.all()) {
    linear.push_back(a.is_linear());
    wanted.push_back(a.is_linear() && wanted.size() < static_cast<std::size_t>(p.num_consts) + carries);
  }
  for (std::size_t i = carries; i < has_ct.size(); ++i) has_ct[i] = !s.cts[i].is_zero();
  const auto d = transpose_program(j, linear, has_ct, wanted);

  Parts<Array> operands;
  std::vector<Aval> types;  // of the new body: constants, sums for constants, cotangents of carries, of rows, rows
  for (const Array& a : d->consts) types.push_back(a.aval());
  for (const LinearOperand& a : s.args.consts)
    if (!a.is_linear()) operands.consts.push_back(a.value), types.push_back(a.aval);
  for (const LinearOperand& a : s.args.consts)
    if (a.is_linear()) operands.carries.push_back(ops::zeros_of(a.aval)), types.push_back(a.aval);
  const std::size_t linear_consts = operands.carries.size();
  for (std::size_t i = 0; i < carries; ++i)
    operands.carries.push_back(ops::instantiate(s.cts[i])), types.push_back(s.cts[i].aval());
  for (std::size_t i = carries; i < has_ct.size(); ++i)
    if (has_ct[i]) operands.rows.push_back(s.cts[i].value()), types.push_back(row_of(s.cts[i].aval()));
  const std::size_t row_cts = operands.rows.size();
  for (const LinearOperand& a : s.args.rows)
    if (!a.is_linear()) operands.rows.push_back(a.value), types.push_back(row_of(a.aval));
  const std::size_t consts = d->consts.size() + operands.consts.size();

  const ClosedJaxpr body = hoist_constants(flat_make_jaxpr(
      [&](const Arrays& x) {
        // The transposed program takes constants, rows, cotangents of carries, of rows.
        const auto at = [&](std::size_t i) { return x.begin() + static_cast<std::ptrdiff_t>(i); };
        const std::size_t first_ct = consts + linear_consts, first_row = first_ct + carries + row_cts;
        Arrays values(at(0), at(consts));
        values.insert(values.end(), at(first_row), x.end());
        values.insert(values.end(), at(first_ct), at(first_row));
        Arrays cts = run(d->program.jaxpr(), values);
        for (std::size_t i = 0; i < linear_consts; ++i) cts[i] = ops::add_tangents(x[consts + i], cts[i]).value();
        return cts;
      },
      types));
  const Arrays cts = bind({body, d->consts}, p, !p.reverse, operands);
  for (const LinearOperand& a : in.args) out.push_back(Tangent::zero(a.aval));
  const std::vector<int> place = s.place.all();
  std::size_t next = 0;
  for (std::size_t i = 0; i < linear.size(); ++i)
    if (d->out_ct[i]) out[static_cast<std::size_t>(place[i])] = Tangent(cts[next++]);
}

// --- batching: batch axes at the front of constants, carries and rows, so behind the axis of a scanned array -----------------------
void scan_batch(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  const auto& p = in.params<ScanParams>();
  const Jaxpr& j = p.jaxpr.jaxpr();
  Bits mapped;
  for (int d : in.dims) mapped.push_back(d != not_mapped);
  Parts<bool> batched = parts_of<bool>(p, mapped);
  const auto d = grown(
      batched,
      [&](const Bits& all, const Bits& carries) {
        DimVec dims;
        for (bool b : all) dims.push_back(b ? 0 : not_mapped);
        return batch_program(j, dims, in.axis_size, in.axis_name, carries);
      },
      batched_results);
  const Bits is_batched = batched.all();
  const auto first_row = static_cast<std::size_t>(p.num_consts + p.num_carry);
  Arrays operands;
  for (std::size_t i = 0; i < in.args.size(); ++i) {
    const bool row = i >= first_row;
    if (!is_batched[i]) operands.push_back(in.args[i]);
    else if (row) operands.push_back(ops::move_axis(in.args[i], in.dims[i], 1));
    else operands.push_back(ops::with_batch_front(in.args[i], in.dims[i], in.axis_size));
  }
  const Arrays results = bind(*d, p, p.reverse, parts_of<Array>(p, operands));
  for (std::size_t i = 0; i < results.size(); ++i) {
    const int dim = d->out_dims[i];
    out.push_back(results[i]);
    out_dims.push_back(dim == not_mapped || i < static_cast<std::size_t>(p.num_carry) ? dim : dim + 1);
  }
}

// Carries that neither a used result nor a used carry needs are left out.
Reduced scan_dce(const EqnContext& c, const std::vector<bool>& used_results) {
  const auto& p = c.params<ScanParams>();
  const auto carries = static_cast<std::size_t>(p.num_carry), consts = static_cast<std::size_t>(p.num_consts);
  Bits used = used_results;
  DceResult d;
  for (bool grows = true; grows;) {
    grows = false;
    d = dce(share(p.jaxpr), used);
    for (std::size_t i = 0; i < carries; ++i)
      if (d.used_inputs[consts + i] && !used[i]) grows = used[i] = true;
  }
  Bits operands = d.used_inputs;  // a carry stays although the body may not look at it
  for (std::size_t i = 0; i < carries; ++i) operands[consts + i] = used[i];
  const ClosedJaxpr body =
      with_inputs(*d.jaxpr, places(d.used_inputs, operands), chosen(in_avals(p.jaxpr.jaxpr()), operands));
  ScanParams q = p;
  q.jaxpr = body;
  q.num_consts = static_cast<int>(count(Bits(operands.begin(), operands.begin() + p.num_consts)));
  q.num_carry = static_cast<int>(count(Bits(used.begin(), used.begin() + p.num_carry)));
  return {make_params(std::move(q)), operands, used};
}

}  // namespace

constinit const Primitive scan_p{
    .name = "scan",
    .doc =
        "Runs the body once for each row of the scanned arrays, which have `length` rows, in order or the last one "
        "first. Operands: "
        "`num_consts` constants, `num_carry` carries, scanned arrays. The body takes constants, carries and a row of "
        "each array, and "
        "gives carries and rows. Results: the last carries, then the rows stacked. `unroll` does not change what is "
        "computed.",
    .kind = Kind::call,
    .operands = -1,
    .results = -1,
    .params = &params_ops<ScanParams>,
    .abstract_eval = scan_avals,
    .jvp = scan_jvp,
    .linearize = scan_linearize,
    .transpose = scan_transpose,
    .batching = scan_batch,
    .effects = [](const EqnContext& c) { return c.params<ScanParams>().jaxpr.jaxpr().effects; },
    .regions =
        [](const EqnContext& c) {
          const auto& p = c.params<ScanParams>();
          return Regions{.kind = RegionKind::scan,
                         .programs = {&p.jaxpr},
                         .consts = p.num_consts,
                         .carries = p.num_carry,
                         .length = p.length,
                         .reverse = p.reverse};
        },
    .dce = scan_dce,
    .names_axis = regions_name_axis,
    .samples = [] { return std::vector<Sample>(); }};

Arrays bind_scan(const Hoisted& body, const ScanShape& shape, const Arrays& operands) {
  ArrayVec in, out;
  for (const Array& a : body.consts) in.push_back(a);
  for (const Array& a : operands) in.push_back(a);
  const int consts = shape.consts + static_cast<int>(body.consts.size());
  scan_p.bind(make_params(ScanParams{body.program, shape.length, shape.carries, consts, shape.reverse, shape.unroll}),
              in, out);
  return list(out);
}

}  // namespace cotan
