#include "control/implicit.h"

#include "control/custom.h"
#include "control/linear_call.h"
#include "ops/common.h"
#include "ops/elementwise.h"

namespace cotan {

namespace {

std::string text(const Aval& a) { return std::string(dtype_name(a.dtype)) + a.shape.str(); }

// The first `want.size()` of the values must have these types.
void check_alike(const char* what, const std::vector<Aval>& got, const std::vector<Aval>& want) {
  if (got.size() < want.size())
    throw TypeError(std::string(what) + " must have the same structure, got " + std::to_string(got.size()) +
                    " arrays and " + std::to_string(want.size()));
  for (std::size_t i = 0; i < want.size(); ++i)
    if (got[i].shape != want[i].shape || got[i].dtype != want[i].dtype)
      throw ValueError(std::string(what) + " must have equal shapes and dtypes, got " + text(got[i]) + " and " +
                       text(want[i]));
}

Arrays part(const Arrays& x, std::size_t first, std::size_t n) {
  return {x.begin() + static_cast<std::ptrdiff_t>(first), x.begin() + static_cast<std::ptrdiff_t>(first + n)};
}
template <class T> std::vector<T> joined(std::vector<T> a, const std::vector<T>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}
Arrays run_with(const Hoisted& h, const Arrays& consts, const Arrays& args) {
  return run(h.program.jaxpr(), joined(consts, args));
}
// What the derivative of a solution needs: of the program of f, the change of f(x) with what f captures.
Arrays change_with_captured(const Hoisted& f, const Arrays& captured, const Tangents& dcaptured, const Arrays& x) {
  const JvpResult r = flat_jvp([&](const Arrays& c) { return run_with(f, c, x); }, captured, dcaptured);
  Arrays out;
  for (const Tangent& t : r.tangents) out.push_back(ops::instantiate(t));
  return out;
}

// The solution's tangent, where f is the program whose derivative in x is inverted; results beside the solution have none.
Tangents with_zero_rest(const Arrays& solution_tangent, const Arrays& results) {
  Tangents ts;
  for (std::size_t i = 0; i < results.size(); ++i)
    ts.push_back(i < solution_tangent.size() ? Tangent(solution_tangent[i]) : Tangent::zero_of(results[i].aval()));
  return ts;
}

// --- roots ----------------------------------------------------------------------------------------------------------------------
struct Root {
  Hoisted f, solver;
  Solver tangent_solve;
};

// Arguments: what f captures, what the solver captures, the guess.
Arrays bind_root(const std::shared_ptr<const Root>& root, const Arrays& args) {
  const std::size_t of_f = root->f.consts.size();
  const FlatFn value = [root, of_f](const Arrays& x) {
    return run(root->solver.program.jaxpr(), part(x, of_f, x.size() - of_f));
  };
  CustomJvpRule rule;
  rule.name = "root_jvp";
  rule.symbolic_zeros = true;
  rule.jvp = [root, of_f](const Arrays& primals, const Tangents& tangents) {
    JvpResult r;
    r.primals = bind_root(root, primals);
    const std::size_t n = root->f.program.out_avals().size();
    const Arrays x = part(r.primals, 0, n), captured = part(primals, 0, of_f);
    const Tangents dcaptured(tangents.begin(), tangents.begin() + static_cast<std::ptrdiff_t>(of_f));
    const Arrays residual = change_with_captured(root->f, captured, dcaptured, x);
    const LinearizeResult at = flat_linearize([&](const Arrays& v) { return run_with(root->f, captured, v); }, x);
    const FlatFn linear = [derivative = at.linear](const Arrays& v) {
      Arrays out;
      for (const Tangent& t : derivative.apply(Tangents(v.begin(), v.end()))) out.push_back(ops::instantiate(t));
      return out;
    };
    Arrays t = root->tangent_solve(linear, residual);
    check_alike("custom_root: the result of tangent_solve and the solution", avals_of(t), avals_of(x));
    for (Array& a : t) a = ops::neg(a);
    r.tangents = with_zero_rest(t, r.primals);
    return r;
  };
  return bind_custom_jvp("custom_root", value, std::move(rule), args);
}

// --- linear systems -------------------------------------------------------------------------------------------------------------
struct LinearSystem {
  Hoisted matvec, solver, back;  // back: of the transposed system; no program: there is none
  bool transposes() const { return back.program.has_value(); }
};

// Arguments: what matvec, the solver and the transposed solver capture, the right side.
Arrays bind_solve(const std::shared_ptr<const LinearSystem>& s, const Arrays& args) {
  const std::size_t of_matvec = s->matvec.consts.size(), of_solver = s->solver.consts.size(),
                    of_back = s->back.consts.size(), first = of_matvec + of_solver + of_back;
  const FlatFn value = [=](const Arrays& x) {
    const FlatFn forward = [=](const Arrays& y) {
      return run_with(s->solver, part(y, 0, of_solver), part(y, of_solver + of_back, y.size() - of_solver - of_back));
    };
    const Arrays residuals = part(x, of_matvec, of_solver + of_back), b = part(x, first, x.size() - first);
    if (!s->transposes()) return forward(joined(residuals, b));
    const FlatFn backward = [=, n = b.size()](const Arrays& y) {
      return run_with(s->back, part(y, of_solver, of_back), part(y, of_solver + of_back, n));
    };
    return bind_linear_call(forward, backward, residuals, b);
  };
  CustomJvpRule rule;
  rule.name = "linear_solve_jvp";
  rule.symbolic_zeros = true;
  rule.jvp = [=](const Arrays& primals, const Tangents& tangents) {
    JvpResult r;
    r.primals = bind_solve(s, primals);
    const std::size_t n = primals.size() - first;
    const Arrays x = part(r.primals, 0, n);
    const Tangents dcaptured(tangents.begin(), tangents.begin() + static_cast<std::ptrdiff_t>(of_matvec));
    const Arrays change = change_with_captured(s->matvec, part(primals, 0, of_matvec), dcaptured, x);
    Arrays args2 = part(primals, 0, first);
    for (std::size_t i = 0; i < n; ++i) args2.push_back(ops::sub(ops::instantiate(tangents[first + i]), change[i]));
    r.tangents = with_zero_rest(part(bind_solve(s, args2), 0, n), r.primals);
    return r;
  };
  return bind_custom_jvp("custom_linear_solve", value, std::move(rule), args);
}

}  // namespace

Arrays flat_custom_root(const FlatFn& f, const Arrays& guess, const Solver& solve, const Solver& tangent_solve) {
  const std::vector<Aval> types = avals_of(guess);
  Root r{hoist(flat_make_jaxpr(f, types)), {}, tangent_solve};
  check_alike("custom_root: the result of f and initial_guess", r.f.program.out_avals(), types);
  r.solver = hoist(flat_make_jaxpr([&](const Arrays& x) { return solve(f, x); }, types));
  check_alike("custom_root: the solution and initial_guess", r.solver.program.out_avals(), types);
  const Arrays args = joined(joined(r.f.consts, r.solver.consts), guess);
  return bind_root(std::make_shared<const Root>(std::move(r)), args);
}

Arrays flat_custom_linear_solve(const FlatFn& matvec, const Arrays& b, const Solver& solve,
                                const Solver& transpose_solve, bool symmetric) {
  const std::vector<Aval> types = avals_of(b);
  LinearSystem s{hoist(flat_make_jaxpr(matvec, types)), {}, {}};
  check_alike("custom_linear_solve: the result of matvec and b", s.matvec.program.out_avals(), types);
  s.solver = hoist(flat_make_jaxpr([&](const Arrays& x) { return solve(matvec, x); }, types));
  check_alike("custom_linear_solve: the solution and b", s.solver.program.out_avals(), types);
  if (const Solver& back = transpose_solve ? transpose_solve : symmetric ? solve : transpose_solve) {
    const FlatFn vecmat = symmetric ? matvec : FlatFn([&](const Arrays& v) {
      Arrays out;
      for (const Tangent& t : flat_linear_jaxpr(matvec, types).transpose(Tangents(v.begin(), v.end())))
        out.push_back(ops::instantiate(t));
      return out;
    });
    s.back = hoist(flat_make_jaxpr(
        [&](const Arrays& ct) {
          const Arrays x = back(vecmat, ct);
          check_alike("custom_linear_solve: the solution of the transposed system and b", avals_of(x), types);
          return part(x, 0, types.size());
        },
        types));
  }
  const Arrays args = joined(joined(joined(s.matvec.consts, s.solver.consts), s.back.consts), b);
  return bind_solve(std::make_shared<const LinearSystem>(std::move(s)), args);
}

}  // namespace cotan
