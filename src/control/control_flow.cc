#include "control/control_flow.h"

#include <algorithm>

#include "base/promotion.h"
#include "control/branch.h"
#include "core/interpret.h"
#include "cotan/config.h"
#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/structural.h"

namespace cotan {

namespace {

bool without_jit() { return config::get(config::Flag::disable_jit); }

std::string type_text(const Aval& a) {
  return (a.weak_type ? "~" : "") + std::string(dtype_name(a.dtype)) + a.shape.str();
}

// --- branches ----------------------------------------------------------------------------------------------------------------
// The same program, with results that are of no weak type.
ClosedJaxpr strongly_typed(const ClosedJaxpr& c, const Bits& which) {
  return flat_make_jaxpr(
      [&](const Arrays& x) {
        Arrays out = eval_jaxpr(c, x);
        for (std::size_t i = 0; i < out.size(); ++i)
          if (which[i] && out[i].weak_type()) out[i] = ops::convert_element_type(out[i], out[i].dtype(), false);
        return out;
      },
      c.in_avals());
}

std::string difference(const Aval& a, const Aval& b) {
  if (a.dtype != b.dtype)
    return a.shape == b.shape ? "so the dtypes do not match" : "so the dtypes and the shapes do not match";
  return "so the shapes do not match";
}

// Results of the same types, but for weak ones, which are made strong where branches differ.
void unify_types(std::vector<ClosedJaxpr>& programs, const ControlNames& names) {
  const std::vector<Aval> first = programs[0].out_avals();
  Bits differ(first.size());
  for (std::size_t k = 1; k < programs.size(); ++k) {
    const std::vector<Aval> mine = programs[k].out_avals();
    for (std::size_t i = 0; i < first.size(); ++i) {
      if (mine[i].shape != first[i].shape || mine[i].dtype != first[i].dtype)
        throw TypeError("cond branches must have equal output types but they differ.\n\nThe output of branch 0" +
                        (names.result ? names.result(i) : "") + " has type " + type_text(first[i]) +
                        " but the corresponding output of branch " + std::to_string(k) + " has type " +
                        type_text(mine[i]) + ", " + difference(first[i], mine[i]) +
                        ".\n\nRevise the functions so that all output types match.");
      differ[i] = differ[i] || mine[i].weak_type != first[i].weak_type;
    }
  }
  if (count(differ) == 0) return;
  for (ClosedJaxpr& c : programs) c = strongly_typed(c, differ);
}

Arrays bind_traced(const Array& index, const std::vector<FlatFn>& branches, const Arrays& operands,
                   const ControlNames& names, bool reversed) {
  std::vector<ClosedJaxpr> programs;
  const std::vector<Aval> avals = avals_of(operands);
  for (const FlatFn& f : branches) programs.push_back(flat_make_jaxpr(f, avals));
  if (names.check_branches) names.check_branches();
  unify_types(programs, names);
  std::vector<Hoisted> parts;
  for (const ClosedJaxpr& c : programs) parts.push_back(hoist(c));
  Merged m = merge_constants(parts);
  if (reversed) std::reverse(m.programs.begin(), m.programs.end());
  return bind_cond(index, m, operands);
}

const Array* known(const Array& a) {
  const Array* v = concrete_value(a);
  return v && is_concrete(*v) ? v : nullptr;
}
std::int64_t integer_of(const Array& a) { return HostScalar::load(a.dtype(), bytes_of(a)).as_int64(); }

}  // namespace

Arrays flat_cond(const Array& predicate, const FlatFn& on_true, const FlatFn& on_false, const Arrays& operands,
                 const ControlNames& names) {
  if (predicate.ndim() != 0)
    throw TypeError("Pred must be a scalar, got " + type_text(predicate.aval()) + " of shape " +
                    predicate.shape().str() + ".");
  const DType d = predicate.dtype();
  if (d != DType::bool_ && !is_integer(d) && !is_floating(d))
    throw TypeError(std::string("Pred type must be either boolean or number, got ") + dtype_name(d) + ".");
  if (without_jit() && known(predicate)) return (bool(*known(predicate)) ? on_true : on_false)(operands);
  Array chosen = predicate;
  if (d != DType::bool_) chosen = ops::ne(chosen, ops::number_like(chosen, 0));
  return bind_traced(ops::convert_element_type(chosen, DType::int32), {on_true, on_false}, operands, names, true);
}

Arrays flat_switch(const Array& index, const std::vector<FlatFn>& branches, const Arrays& operands,
                   const ControlNames& names) {
  if (branches.empty()) throw ValueError("Empty branch sequence");
  if (index.ndim() != 0)
    throw TypeError("Branch index must be scalar, got " + type_text(index.aval()) + " of shape " + index.shape().str() +
                    ".");
  if (!is_integer(index.dtype()))
    throw TypeError(std::string("Index type must be an integer, got ") + dtype_name(index.dtype()));
  if (branches.size() == 1) return branches[0](operands);
  const auto last = static_cast<std::int64_t>(branches.size()) - 1;
  if (without_jit() && known(index))
    return branches[static_cast<std::size_t>(std::clamp<std::int64_t>(integer_of(*known(index)), 0, last))](operands);
  const DType d = DType::int32;
  // An index that int32 does not hold is clamped before it is converted.
  Array i = index;
  if (item_size(i.dtype()) > item_size(d) || i.dtype() == DType::uint32)
    i = ops::clamp(ops::scalar_int(i.dtype(), 0), i, ops::scalar_int(i.dtype(), last));
  i = ops::convert_element_type(i, d);
  i = ops::clamp(ops::scalar_int(d, 0), i, ops::scalar_int(d, last));
  return bind_traced(i, branches, operands, names, false);
}

// --- loops --------------------------------------------------------------------------------------------------------------------
namespace {

bool same_type(const Aval& a, const Aval& b) { return a.shape == b.shape && a.dtype == b.dtype; }

// The carry's type after the body gave `out` for it: a weak type gives way to another dtype. False when nothing changes.
bool promoted(Array& carry, const Aval& out) {
  const Aval in = carry.aval();
  if (!in.weak_type || in.shape != out.shape || in.dtype == out.dtype) return false;
  const LatticeType to = promote_types(LatticeType{in.dtype, true}, LatticeType{out.dtype, out.weak_type});
  if (to.dtype != out.dtype) return false;
  carry = ops::convert_element_type(carry, out.dtype);
  return true;
}

[[noreturn]] void fail_carry(const char* what, const Aval& in, const Aval& out, std::size_t i,
                             const ControlNames& names) {
  throw TypeError(std::string(what) +
                  " function carry input and carry output must have equal types, but they differ:\n\nThe input carry" +
                  (names.carry ? names.carry(i) : "") + " has type " + type_text(in) +
                  " but the corresponding output carry component has type " + type_text(out) + ", " +
                  difference(in, out) +
                  ".\n\nRevise the function so that all output types match the corresponding input types.");
}

// The body traced at the carries, once their weak types have settled. `rest`: avals of what it takes beside them.
ClosedJaxpr traced_body(const char* what, const FlatFn& body, Arrays& carries, const std::vector<Aval>& rest,
                        const ControlNames& names) {
  for (;;) {
    std::vector<Aval> in = avals_of(carries);
    in.insert(in.end(), rest.begin(), rest.end());
    ClosedJaxpr traced = flat_make_jaxpr(body, in);
    const std::vector<Aval> out = traced.out_avals();
    bool again = false;
    for (std::size_t i = 0; i < carries.size(); ++i) again |= promoted(carries[i], out[i]);
    if (again) continue;
    for (std::size_t i = 0; i < carries.size(); ++i)
      if (!same_type(in[i], out[i])) fail_carry(what, in[i], out[i], i, names);
    return traced;
  }
}

bool truth(const Array& a) {
  const Array* v = known(a);
  if (!v)
    throw TracerBoolConversionError("while_loop: with jit disabled the condition must be known, got " + a.aval().str());
  return bool(*v);
}

void check_condition(const std::vector<Aval>& out) {
  if (out.size() == 1 && out[0].ndim() == 0 && out[0].dtype == DType::bool_) return;
  std::string got;
  for (const Aval& a : out) got += (got.empty() ? "" : ", ") + type_text(a);
  throw TypeError("cond_fun must return a boolean scalar, but got output type(s) [" + got + "].");
}

}  // namespace

Arrays promoted_carries(const char* what, const FlatFn& body, Arrays carries, const ControlNames& names) {
  traced_body(what, body, carries, {}, names);
  return carries;
}

Arrays flat_while(const FlatFn& condition, const FlatFn& body, Arrays init, const ControlNames& names) {
  if (without_jit()) {
    for (;;) {
      const Arrays c = condition(init);
      check_condition(avals_of(c));
      if (!truth(c[0])) return init;
      init = body(init);
    }
  }
  check_condition(flat_make_jaxpr(condition, avals_of(init)).out_avals());
  const ClosedJaxpr traced = traced_body("while_loop body", body, init, {}, names);
  const ClosedJaxpr c = flat_make_jaxpr(condition, avals_of(init));
  check_condition(c.out_avals());
  return bind_while(hoist(c), hoist(traced), init);
}

namespace {

std::int64_t scan_length(const Arrays& xs, std::optional<std::int64_t> length) {
  std::string sizes;
  std::optional<std::int64_t> n;
  bool same = true;
  for (const Array& x : xs) {
    if (x.ndim() == 0) throw ValueError("scan got a value without a leading axis to scan over: " + type_text(x.aval()));
    same &= !n || *n == x.shape()[0];
    if (!n) n = x.shape()[0];
    sizes += (sizes.empty() ? "" : ", ") + std::to_string(x.shape()[0]);
  }
  if (length && *length < 0) throw ValueError("scan: length must not be negative, got " + std::to_string(*length));
  if (length && n && (!same || *length != *n))
    throw ValueError("scan got `length` argument of " + std::to_string(*length) +
                     " which disagrees with leading axis sizes [" + sizes + "].");
  if (!same) throw ValueError("scan got values with different leading axis sizes: " + sizes + ".");
  if (!length && !n) throw ValueError("scan got no values to scan over and `length` not provided.");
  return length ? *length : *n;
}

Arrays scan_without_jit(const FlatFn& body, Arrays carries, const Arrays& xs, std::int64_t length, bool reverse) {
  std::vector<Arrays> rows;
  const std::size_t n = carries.size();
  for (std::int64_t step = 0; step < length; ++step) {
    const std::int64_t row = reverse ? length - 1 - step : step;
    Arrays in = carries;
    for (const Array& x : xs) in.push_back(ops::squeeze(ops::slice_in_dim(x, row, row + 1, 1, 0), {0}));
    const Arrays out = body(in);
    carries.assign(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(n));
    rows.resize(out.size() - n);
    for (std::size_t i = n; i < out.size(); ++i) rows[i - n].push_back(ops::expand_dims(out[i], {0}));
  }
  for (Arrays& r : rows) {
    if (reverse) std::reverse(r.begin(), r.end());
    carries.push_back(ops::concatenate(r, 0));
  }
  return carries;
}

}  // namespace

Arrays flat_scan(const FlatFn& body, Arrays init, const Arrays& xs, const ScanOptionsFlat& o,
                 const ControlNames& names) {
  const std::int64_t length = scan_length(xs, o.length);
  if (o.unroll < 0) throw ValueError("`unroll` must be a `bool` or a non-negative `int`.");
  if (without_jit() && length > 0) return scan_without_jit(body, std::move(init), xs, length, o.reverse);
  std::vector<Aval> rows;
  for (const Array& x : xs) {
    rows.push_back(x.aval());
    rows.back().shape.erase(0);
  }
  const ClosedJaxpr traced = traced_body("scan body", body, init, rows, names);
  Arrays operands = init;
  operands.insert(operands.end(), xs.begin(), xs.end());
  return bind_scan(hoist(traced),
                   {0, static_cast<int>(init.size()), length, o.reverse, std::max<std::int64_t>(o.unroll, 1)},
                   operands);
}

namespace {

LatticeType counter_type(const Array& lower, const Array& upper) {
  if (lower.ndim() != 0 || upper.ndim() != 0)
    throw TypeError("fori_loop: lower and upper must be scalars, got " + type_text(lower.aval()) + " and " +
                    type_text(upper.aval()));
  const LatticeType a{lower.dtype(), lower.weak_type()}, b{upper.dtype(), upper.weak_type()};
  const LatticeType t = a.dtype == b.dtype ? LatticeType{a.dtype, a.weak && b.weak} : promote_types(a, b);
  if (!is_integer(a.dtype) || !is_integer(b.dtype) || (a.dtype != b.dtype && !a.weak && !b.weak))
    throw TypeError(std::string("lower and upper arguments to fori_loop must have equal types, got ") +
                    dtype_name(a.dtype) + " and " + dtype_name(b.dtype));
  return t;
}

}  // namespace

Arrays flat_fori(const Array& lower, const Array& upper, const FlatFn& body, Arrays init, std::int64_t unroll,
                 const ControlNames& names) {
  const LatticeType t = counter_type(lower, upper);
  const Array first = ops::convert_element_type(lower, t.dtype, t.weak),
              end = ops::convert_element_type(upper, t.dtype, t.weak);
  const auto next = [](const Array& i) { return ops::add(i, ops::number_like(i, 1)); };
  ControlNames shifted = names;
  if (names.carry) shifted.carry = [&](std::size_t i) { return names.carry(i - 1); };
  const auto step = [&](const Arrays& x) {
    Arrays out{next(x[0])};
    const Arrays after = body(x);
    out.insert(out.end(), after.begin(), after.end());
    return out;
  };
  init.insert(init.begin(), first);
  if (known(lower) && known(upper)) {
    const std::int64_t from = integer_of(*known(lower)), to = integer_of(*known(upper));
    const std::int64_t length = to <= from ? 0 : to - from;
    Arrays out = flat_scan(step, std::move(init), {}, {length, false, unroll}, shifted);
    out.erase(out.begin());
    return out;
  }
  if (unroll > 1) throw ValueError("Can only use `unroll` in `fori_loop` if the loop bounds are statically known.");
  init.insert(init.begin() + 1, end);
  if (names.carry) shifted.carry = [&](std::size_t i) { return names.carry(i - 2); };
  Arrays out = flat_while([](const Arrays& x) { return Arrays{ops::lt(x[0], x[1])}; },
                          [&](const Arrays& x) {
                            Arrays in{x[0]};
                            in.insert(in.end(), x.begin() + 2, x.end());
                            Arrays r = step(in);
                            r.insert(r.begin() + 1, x[1]);
                            return r;
                          },
                          std::move(init), shifted);
  out.erase(out.begin(), out.begin() + 2);
  return out;
}

}  // namespace cotan
