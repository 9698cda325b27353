#include "control/checkify.h"

#include "base/user_location.h"
#include "control/branch.h"
#include "control/callback.h"
#include "control/jit.h"
#include "control/loops.h"
#include "core/interpret.h"
#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/reduction.h"
#include "ops/structural.h"

namespace cotan {

namespace {

constexpr DType i32 = DType::int32;
constexpr CheckKinds every_kind = ~0u;
// Of what is tested: kinds, and whether only by checks that stand in the program as equations.
struct Asked {
  CheckKinds kinds = 0;
  bool equations_only = false;
};

std::shared_ptr<const CheckedProgram> checked_program(const Jaxpr&, const Asked&);

Array scalar_code(std::size_t k) { return ops::scalar_int(i32, static_cast<std::int64_t>(k)); }

// The error so far: values stand for all sites, those of sites that are not reached are zeros.
struct Running {
  Array code;
  Arrays values;
  explicit Running(const CheckSites& sites) : code(scalar_code(0)) {
    for (const CheckSite& s : sites)
      for (const Aval& a : s.values) values.push_back(ops::zeros_of(a));
  }
  Running(const Array& c, Arrays v) : code(c), values(std::move(v)) {}
  // The error of a part of the program that is run again and again, which counts if there was none before. `offset`: of
  // its sites; `first`: of its values.
  void merge(const Array& inner, std::span<const Array> its, std::size_t offset, std::size_t first) {
    const Array before = ops::ne(code, scalar_code(0));
    for (std::size_t i = 0; i < its.size(); ++i) values[first + i] = ops::select(before, values[first + i], its[i]);
    const Array shifted =
        ops::select(ops::ne(inner, scalar_code(0)), ops::add(inner, scalar_code(offset)), scalar_code(0));
    code = ops::select(before, code, shifted);
  }
};

Arrays slice_of(std::span<const Array> all, std::size_t first, std::size_t n) {
  return {all.begin() + static_cast<std::ptrdiff_t>(first), all.begin() + static_cast<std::ptrdiff_t>(first + n)};
}
void append(Arrays& to, const Arrays& more) { to.insert(to.end(), more.begin(), more.end()); }
std::size_t value_count(const CheckSites& sites) {
  std::size_t n = 0;
  for (const CheckSite& s : sites) n += s.values.size();
  return n;
}

// Runs a program in the current trace, and its checks with it.
class Checker {
 public:
  explicit Checker(const Asked& asked) : asked_(asked) {}
  CheckSites sites;

  // The results, then the error where there are sites.
  Arrays run(const Jaxpr& j, const Arrays& args) {
    env_.resize(j.vars.size());
    for (std::size_t i = 0; i < args.size(); ++i) env_[j.invars[i].id] = args[i];
    const auto read = [&](Atom a) {
      return a.is_literal() ? literal_array(j.literals[a.literal_index()]) : env_[a.var().id];
    };
    ArrayVec in, out;
    for (const JaxprEqn& e : j.eqns) {
      in.clear(), out.clear();
      for (Atom a : j.inputs(e)) in.push_back(read(a));
      const AtPosition at(e.source);
      equation(e, in, out);
      const auto vars = j.outputs(e);
      for (std::size_t i = 0; i < vars.size(); ++i) env_[vars[i].var().id] = out[i];
    }
    Arrays results;
    for (Atom a : j.outvars) results.push_back(read(a));
    if (sites.empty()) return results;
    results.push_back(code_);
    append(results, values_);
    return results;
  }

 private:
  void equation(const JaxprEqn& e, std::span<const Array> in, ArrayVec& out) {
    const EqnContext c{*e.primitive, e.params};
    if (e.primitive->regions) {
      const Regions r = e.primitive->regions(c);
      std::vector<std::shared_ptr<const CheckedProgram>> all;
      bool differ = false;
      for (const ClosedJaxpr* p : r.programs) {
        all.push_back(checked_program(p->jaxpr(), asked_));
        differ = differ || !all.back()->sites->empty() || (p->jaxpr().effects & check_effect);
      }
      if (differ) return regions(c, r, all, e.source, in, out);
    }
    if (!(e.effects & check_effect)) e.primitive->bind(e.params, in, out);
    std::vector<Check> checks;
    const bool equation = e.effects & check_effect;
    if (e.primitive->checks && (equation || !asked_.equations_only)) e.primitive->checks({c, in, out}, checks);
    if (!asked_.equations_only && (asked_.kinds & kinds_of(CheckKind::nan))) nans(*e.primitive, out, checks);
    for (Check& k : checks)
      if (asked_.kinds & kinds_of(k.kind)) add(std::move(k), e.source);
  }

  void nans(const Primitive& p, std::span<const Array> out, std::vector<Check>& checks) {
    const bool by_kind = p.kind == Kind::elementwise || p.kind == Kind::reduction || p.kind == Kind::contraction ||
                         (p.kind == Kind::call && !p.regions);
    if (p.nans == Nans::kept || (p.nans == Nans::by_kind && !by_kind)) return;
    Array failed;
    for (const Array& a : out) {
      if (!is_inexact(a.dtype())) continue;
      Array nan = ops::ne(a, a);
      if (nan.ndim() > 0) nan = ops::reduce_or(nan, IntList::range(nan.ndim()));
      failed = failed.has_value() ? ops::bit_or(failed, nan) : nan;
    }
    if (!failed.has_value()) return;
    checks.push_back({CheckKind::nan,
                      failed,
                      {},
                      std::make_shared<const CheckMessage>("nan", [name = p.name](std::span<const Array>) {
                        return "nan generated by primitive: " + std::string(name) + ".";
                      })});
  }

  void add(Check check, const void* source) {
    const Array mine = ops::select(check.failed, scalar_code(sites.size() + 1), scalar_code(0));
    code_ = code_.has_value() ? ops::select(ops::ne(code_, scalar_code(0)), code_, mine) : mine;
    append(values_, list(check.values));
    sites.push_back({check.kind, std::move(check.message), source, avals_of(check.values)});
  }

  // What programs inside found: their sites come after those there are.
  void add_inner(const CheckSites& inner, const void* source, const Array& code, const Arrays& values) {
    if (inner.empty()) return;
    const Array shifted = sites.empty() ? code
                                        : ops::select(ops::ne(code, scalar_code(0)),
                                                      ops::add(code, scalar_code(sites.size())), scalar_code(0));
    code_ = code_.has_value() ? ops::select(ops::ne(code_, scalar_code(0)), code_, shifted) : shifted;
    append(values_, values);
    for (const CheckSite& s : inner) {
      sites.push_back(s);
      if (!s.source) sites.back().source = source;
    }
  }

  using Programs = std::vector<std::shared_ptr<const CheckedProgram>>;
  void regions(const EqnContext& c, const Regions& r, const Programs& all, const void* source,
               std::span<const Array> in, ArrayVec& out) {
    CheckSites inner;
    for (const auto& p : all) inner.insert(inner.end(), p->sites->begin(), p->sites->end());
    Arrays got;
    switch (r.kind) {
      case RegionKind::call: got = call(c, r, *all[0], in); break;
      case RegionKind::branch: got = branch(all, inner, in); break;
      case RegionKind::scan: got = scan(r, *all[0], in); break;
      case RegionKind::while_loop: got = while_loop(r, all, inner, in); break;
    }
    const std::size_t errors = inner.empty() ? 0 : 1 + value_count(inner), results = got.size() - errors;
    for (std::size_t i = 0; i < results; ++i) out.push_back(got[i]);
    if (errors) add_inner(inner, source, got[results], slice_of(got, results + 1, errors - 1));
  }

  static Arrays run_with(const CheckedProgram& p, const Arrays& args) {
    Arrays all = p.consts;
    append(all, args);
    return cotan::run(p.program.jaxpr(), all);
  }

  static Arrays call(const EqnContext& c, const Regions& r, const CheckedProgram& p, std::span<const Array> in) {
    ArrayVec out;
    if (!r.has_rules) {
      c.primitive.recall(c, p.program, p.consts, in, out);
      return list(out);
    }
    // The results come from the call, the error from the program beside it.
    const auto plain = checked_program(r.programs[0]->jaxpr(), {});
    c.primitive.recall(c, plain->program, plain->consts, in, out);
    Arrays all = p.consts;
    for (const Array& x : in) all.push_back(ops::stop_gradient(x));
    const Arrays beside = bind_jit(c.primitive.name, p.program, all);
    Arrays results = list(out);
    results.insert(results.end(), beside.begin() + static_cast<std::ptrdiff_t>(results.size()), beside.end());
    return results;
  }

  static Arrays branch(const Programs& all, const CheckSites& inner, std::span<const Array> in) {
    const Arrays operands(in.begin() + 1, in.end());
    const std::vector<Aval> types = avals_of(operands);
    std::vector<Hoisted> parts;
    std::size_t offset = 0, first = 0;
    for (const auto& p : all) {
      parts.push_back(hoist(flat_make_jaxpr(
          [&](const Arrays& x) {
            Arrays results = run_with(*p, x);
            if (inner.empty()) return results;
            Running error(inner);
            if (const std::size_t n = value_count(*p->sites); !p->sites->empty()) {
              const std::size_t at = results.size() - n - 1;
              error.merge(results[at], slice_of(results, at + 1, n), offset, first);
              results.resize(at);
            }
            results.push_back(error.code);
            append(results, error.values);
            return results;
          },
          types)));
      offset += p->sites->size(), first += value_count(*p->sites);
    }
    return bind_cond(in[0], merge_constants(parts), operands);
  }

  // The error is carried, in front of the carries, and given behind the results.
  static Arrays scan(const Regions& r, const CheckedProgram& p, std::span<const Array> in) {
    const auto consts = static_cast<std::size_t>(r.consts), carries = static_cast<std::size_t>(r.carries);
    const std::size_t n = p.sites->empty() ? 0 : 1 + value_count(*p.sites);
    const Running start(*p.sites);
    Arrays operands;
    if (n) operands.push_back(start.code), append(operands, start.values);
    append(operands, Arrays(in.begin() + r.consts, in.end()));
    std::vector<Aval> types = avals_of(operands);
    for (std::size_t i = n + carries; i < types.size(); ++i) types[i].shape.erase(0);
    const Hoisted body = hoist(flat_make_jaxpr(
        [&](const Arrays& x) {
          Arrays args = slice_of(in, 0, consts);
          append(args, slice_of(x, n, x.size() - n));
          const Arrays results = run_with(p, args);
          if (!n) return results;
          Running error(x[0], slice_of(x, 1, n - 1));
          const std::size_t at = results.size() - n;
          error.merge(results[at], slice_of(results, at + 1, n - 1), 0, 0);
          Arrays out{error.code};
          append(out, error.values);
          append(out, slice_of(results, 0, at));
          return out;
        },
        types));
    const Arrays out = bind_scan(body, {0, static_cast<int>(n) + r.carries, r.length, r.reverse, 1}, operands);
    return rotated(out, n);
  }
  static Arrays rotated(const Arrays& x, std::size_t n) {
    Arrays out = slice_of(x, n, x.size() - n);
    append(out, slice_of(x, 0, n));
    return out;
  }

  // As of scan. A condition with checks is run once for each step: what it said is carried too.
  static Arrays while_loop(const Regions& r, const Programs& all, const CheckSites& inner, std::span<const Array> in) {
    const CheckedProgram &condition = *all[0], &body = *all[1];
    const auto condition_consts = static_cast<std::size_t>(r.condition_consts),
               consts = static_cast<std::size_t>(r.consts);
    const bool asks_once = !condition.sites->empty();
    const std::size_t n = inner.empty() ? 0 : 1 + value_count(inner), of_condition = value_count(*condition.sites);
    const auto goes_on = [&](const Arrays& carries, Running& error) {
      Arrays args = slice_of(in, 0, condition_consts);
      append(args, carries);
      const Arrays got = run_with(condition, args);
      if (asks_once) error.merge(got[1], slice_of(got, 2, of_condition), 0, 0);
      return got[0];
    };
    Running start(inner);
    const Arrays init = slice_of(in, condition_consts + consts, in.size() - condition_consts - consts);
    Arrays operands;
    if (asks_once) operands.push_back(goes_on(init, start));
    if (n) operands.push_back(start.code), append(operands, start.values);
    append(operands, init);
    const std::size_t first = n + (asks_once ? 1 : 0);
    const std::vector<Aval> types = avals_of(operands);
    const ClosedJaxpr test = flat_make_jaxpr(
        [&](const Arrays& x) {
          Running none(inner);
          return Arrays{asks_once ? x[0] : goes_on(slice_of(x, first, x.size() - first), none)};
        },
        types);
    const ClosedJaxpr step = flat_make_jaxpr(
        [&](const Arrays& x) {
          Arrays args = slice_of(in, condition_consts, consts);
          append(args, slice_of(x, first, x.size() - first));
          Arrays carries = run_with(body, args);
          Running error(n ? x[first - n] : scalar_code(0), n ? slice_of(x, first - n + 1, n - 1) : Arrays());
          if (const std::size_t own = value_count(*body.sites); !body.sites->empty()) {
            const std::size_t at = carries.size() - own - 1;
            error.merge(carries[at], slice_of(carries, at + 1, own), condition.sites->size(), of_condition);
            carries.resize(at);
          }
          Arrays out;
          if (asks_once) out.push_back(goes_on(carries, error));
          if (n) out.push_back(error.code), append(out, error.values);
          append(out, carries);
          return out;
        },
        types);
    Arrays out = bind_while(hoist(test), hoist(step), operands);
    if (asks_once) out.erase(out.begin());
    return rotated(out, n);
  }

  const Asked& asked_;
  std::vector<Array> env_;
  Array code_;
  Arrays values_;
};

std::shared_ptr<const CheckedProgram> checked_program(const Jaxpr& j, const Asked& asked) {
  const std::string key = "checkify " + std::to_string(asked.kinds) + (asked.equations_only ? " equations" : "");
  return j.derived.get<CheckedProgram>(key, [&] {
    Checker checker(asked);
    const ClosedJaxpr traced = flat_make_jaxpr([&](const Arrays& x) { return checker.run(j, x); }, in_avals(j));
    return CheckedProgram{hoist(traced), std::make_shared<const CheckSites>(std::move(checker.sites))};
  });
}

}  // namespace

CheckedResults flat_checkify(const FlatFn& f, CheckKinds kinds) {
  const Hoisted h = hoist(flat_make_jaxpr(f, {}));
  const auto p = checked_program(h.program.jaxpr(), {kinds, false});
  Arrays args = p->consts;
  append(args, h.consts);
  Arrays every = run(p->program.jaxpr(), args);
  CheckedResults r;
  r.error.sites = p->sites;
  const std::size_t results = h.program.jaxpr().outvars.size();
  if (!p->sites->empty()) {
    r.error.code = every[results];
    r.error.values = slice_of(every, results + 1, every.size() - results - 1);
  }
  every.resize(results);
  r.results = std::move(every);
  return r;
}

Arrays run_without_checks(const FlatFn& f, const Arrays& args) {
  const Hoisted h = hoist(flat_make_jaxpr(f, avals_of(args)));
  Arrays every = h.consts;
  append(every, args);
  if (!(h.program.jaxpr().effects & check_effect)) return run(h.program.jaxpr(), every);
  const auto p = checked_program(h.program.jaxpr(), {});
  every.insert(every.begin(), p->consts.begin(), p->consts.end());
  return run(p->program.jaxpr(), every);
}

std::shared_ptr<const CheckedProgram> with_user_checks_out(const Jaxpr& j) {
  return j.effects & check_effect ? checked_program(j, {every_kind, true}) : nullptr;
}

void bind_lane_checks(const CheckedProgram& p, std::span<const Array> error, const Array& counts) {
  if (p.sites->empty()) return;
  const Array failed = ops::bit_and(ops::ne(error[0], scalar_code(0)), counts);
  const Array lane = ops::argmax(ops::convert_element_type(failed, i32), 0, i32);
  const auto of_lane = [&](const Array& x) {
    std::vector<Array> starts{lane};
    Shape sizes = x.shape();
    sizes[0] = 1;
    for (int i = 1; i < x.ndim(); ++i) starts.push_back(scalar_code(0));
    return ops::squeeze(ops::dynamic_slice(x, starts, sizes), {0});
  };
  ErrorValue e{ops::select(ops::reduce_or(failed, {0}), of_lane(error[0]), scalar_code(0)), {}, p.sites};
  for (const Array& v : error.subspan(1)) e.values.push_back(of_lane(v));
  bind_check_error(e);
}

}  // namespace cotan
