// Breaks the rules of primitives one by one and asserts that a derived check notices.
#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "cotan/cotan.h"
#include "derived/checks.h"
#include "kernel/plan.h"
#include "ops/common.h"
#include "ops/elementwise.h"
#include "runtime/allocator.h"

namespace cotan {
namespace {

// A copy of a record that may be changed. It stays for good: plans and traces remember its address.
Primitive& copy_of(const Primitive& p) {
  static std::vector<std::unique_ptr<Primitive>> kept;
  kept.emplace_back(new Primitive{.name = p.name,
                                  .doc = p.doc,
                                  .kind = p.kind,
                                  .operands = p.operands,
                                  .results = p.results,
                                  .dtypes = p.dtypes,
                                  .domain = p.domain,
                                  .params = p.params,
                                  .abstract_eval = p.abstract_eval,
                                  .jvp = p.jvp,
                                  .jvp_terms = {p.jvp_terms[0], p.jvp_terms[1], p.jvp_terms[2], p.jvp_terms[3]},
                                  .linearize = p.linearize,
                                  .transpose = p.transpose,
                                  .batching = p.batching,
                                  .effects = p.effects,
                                  .regions = p.regions,
                                  .run = p.run,
                                  .stage = p.stage,
                                  .dce = p.dce,
                                  .names_axis = p.names_axis,
                                  .tile = p.tile,
                                  .tile_aux = p.tile_aux,
                                  .tile_key = p.tile_key,
                                  .emit = p.emit,
                                  .inplace_operand = p.inplace_operand,
                                  .samples = p.samples});
  return *kept.back();
}

// The record that a broken rule calls: rules are plain functions, so it has to be found by a variable.
const Primitive* whole = nullptr;

Array scaled(const Array& x) { return ops::mul(x, ops::scalar(x.dtype(), 1.01)); }
Tangent scaled(const Tangent& t) { return t.is_zero() || !is_inexact(t.aval().dtype) ? t : Tangent(scaled(t.value())); }

template <int I> Array scaled_term(const JvpTermIn& a) { return scaled(whole->jvp_terms[I](a)); }
constexpr JvpTerm* scaled_terms[] = {scaled_term<0>, scaled_term<1>, scaled_term<2>, scaled_term<3>};

void scaled_jvp(const JvpIn& in, ArrayVec& primals, TangentVec& tangents) {
  TangentVec t;
  whole->jvp.function()(in, primals, t);
  for (const Tangent& x : t) tangents.push_back(scaled(x));
}
void scaled_transpose(const TransposeIn& in, TangentVec& out) {
  TangentVec t;
  whole->transpose.function()(in, t);
  for (std::size_t i = 0; i < t.size(); ++i) out.push_back(in.args[i].is_linear() ? scaled(t[i]) : t[i]);
}
void whole_batching(const BatchIn& in, ArrayVec& out, DimVec& dims) {
  if (whole->batching) whole->batching.function()(in, out, dims);
  else ops::batch_elementwise(in, out, dims);
}
// The batch is said to be at another axis than it is.
void misplaced_batching(const BatchIn& in, ArrayVec& out, DimVec& dims) {
  whole_batching(in, out, dims);
  for (std::size_t i = 0; i < out.size(); ++i)
    if (dims[i] != not_mapped && out[i].ndim() > 1) dims[i] = dims[i] == 0 ? out[i].ndim() - 1 : 0;
}
// The examples come in another order.
void reversed_batching(const BatchIn& in, ArrayVec& out, DimVec& dims) {
  whole_batching(in, out, dims);
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (dims[i] == not_mapped) continue;
    const std::string rev = "{ lambda ; %0:" + out[i].aval().str() + " . let %1:" + out[i].aval().str() +
                            " = rev[dimensions=(" + std::to_string(dims[i]) + ",)] %0; in (%1) }";
    out[i] = eval_jaxpr(parse_jaxpr(rev), {out[i]})[0];
  }
}
void emit_without_last_step(const EmitIn& in, kernel::Plan& plan) {
  whole->emit(in, plan);
  if (!plan.steps.empty()) plan.steps.pop_back();
}
std::uint32_t other_aux(const EqnContext& c) { return whole->tile_aux(c) ^ 1u; }

struct Mutant {
  std::string what;
  const Primitive* record;
};

// Another tile operation of as many operands, that is never the same function.
const char* other_tile(const Primitive& p) {
  const std::string t = p.tile;
  static const std::map<std::string, const char*> others{{"add", "sub"},
                                                         {"sub", "add"},
                                                         {"mul", "add"},
                                                         {"div", "mul"},
                                                         {"max", "min"},
                                                         {"min", "max"},
                                                         {"and", "or"},
                                                         {"or", "xor"},
                                                         {"xor", "and"},
                                                         {"eq", "ne"},
                                                         {"ne", "eq"},
                                                         {"lt", "le"},
                                                         {"le", "lt"},
                                                         {"gt", "ge"},
                                                         {"ge", "gt"},
                                                         {"floor", "ceil"},
                                                         {"ceil", "floor"},
                                                         {"sin", "cos"},
                                                         {"cos", "sin"},
                                                         {"tan", "sin"},
                                                         {"exp", "expm1"},
                                                         {"expm1", "exp"},
                                                         {"log", "log1p"},
                                                         {"log1p", "log"},
                                                         {"sqrt", "cbrt"},
                                                         {"cbrt", "sqrt"},
                                                         {"rsqrt", "sqrt"},
                                                         {"sinh", "tanh"},
                                                         {"cosh", "sinh"},
                                                         {"tanh", "sinh"},
                                                         {"asin", "atan"},
                                                         {"acos", "asin"},
                                                         {"atan", "asinh"},
                                                         {"asinh", "atan"},
                                                         {"acosh", "sqrt"},
                                                         {"atanh", "asin"},
                                                         {"neg", "sign"},
                                                         {"sign", "neg"},
                                                         {"abs", "neg"},
                                                         {"square", "neg"},
                                                         {"logistic", "tanh"},
                                                         {"exp2", "exp"},
                                                         {"pow", "atan2"},
                                                         {"atan2", "pow"},
                                                         {"rem", "sub"},
                                                         {"round", "floor"},
                                                         {"erf", "erfc"},
                                                         {"erfc", "erf"},
                                                         {"zeta", "igamma"},
                                                         {"lgamma", "digamma"},
                                                         {"digamma", "lgamma"},
                                                         {"igamma", "igammac"},
                                                         {"igammac", "igamma"},
                                                         {"polygamma", "zeta"},
                                                         {"bessel_i0e", "bessel_i1e"},
                                                         {"bessel_i1e", "bessel_i0e"},
                                                         {"igamma_grad_a", "igamma"},
                                                         {"random_gamma_grad", "igamma"},
                                                         {"gamma_density", "igamma"},
                                                         {"beta_density", "regularized_incomplete_beta"},
                                                         {"regularized_incomplete_beta", "beta_density"}};
  if (auto it = others.find(t); it != others.end()) return it->second;
  return nullptr;
}

// Whether any sample has a derivative that is not zero: else a broken derivative is no mistake.
bool has_derivative(const Primitive& p, int term) try {
  for (const derived::Case& c : derived::cases_of(p)) {
    const Arrays x = c.operands();
    for (std::size_t i = 0; i < x.size(); ++i) {
      if ((term >= 0 && static_cast<int>(i) != term) || !is_inexact(x[i].dtype())) continue;
      Tangents t;
      for (std::size_t k = 0; k < x.size(); ++k)
        t.push_back(k == i ? Tangent(derived::operand(x[k].aval(), {1, 2}, 3)) : Tangent::zero_of(x[k].aval()));
      for (const Tangent& d : flat_jvp(c.function(), x, t).tangents)
        if (!d.is_zero())
          for (const auto& z : derived::numbers_of(d.value()))
            if (z != 0.0) return true;
    }
  }
  return false;
} catch (const Error&) {  // the term refuses: there is none
  return false;
}

std::vector<Mutant> mutants_of(const Primitive& p) {
  std::vector<Mutant> v;
  const auto add = [&](const char* what, auto change) {
    Primitive& m = copy_of(p);
    change(m);
    v.push_back({std::string(p.name) + ": " + what, &m});
  };
  if (p.jvp && has_derivative(p, -1)) {
    add("jvp scaled", [](Primitive& m) { m.jvp = scaled_jvp; });
    add("jvp declared zero", [](Primitive& m) { m.jvp = zero_derivative; });
  }
  for (int i = 0; i < 4; ++i) {
    if (!p.jvp_terms[i] || !has_derivative(p, i)) continue;
    add("jvp term scaled", [&](Primitive& m) { m.jvp_terms[i] = scaled_terms[i]; });
    add("jvp term dropped", [&](Primitive& m) {
      m.jvp_terms[i] = nullptr;
      if (!m.jvp_terms[0] && !m.jvp_terms[1] && !m.jvp_terms[2]) m.jvp = zero_derivative;
    });
  }
  if (p.transpose) {
    add("transpose scaled", [](Primitive& m) { m.transpose = scaled_transpose; });
    add("transpose dropped", [](Primitive& m) { m.transpose = not_linear; });
  }
  const std::vector<derived::Case> cases = derived::cases_of(p);
  if (!cases.empty() && !cases[0].in.empty()) {
    add("batch axis misplaced", [](Primitive& m) { m.batching = misplaced_batching; });
    if (cases[0].domain.low < cases[0].domain.high)  // else all elements are equal: an order, a whole number
      add("batch reversed", [](Primitive& m) { m.batching = reversed_batching; });
    add("batching dropped", [](Primitive& m) { m.batching = NoRule{"broken"}; });
  }
  if (p.emit) add("last step dropped", [](Primitive& m) { m.emit = emit_without_last_step; });
  if (p.tile_aux) add("another immediate", [](Primitive& m) { m.tile_aux = other_aux; });
  if (p.tile && !cases.empty())
    if (const char* t = other_tile(p)) add("another tile operation", [&](Primitive& m) { m.tile = t; });
  return v;
}

class Mutation : public testing::TestWithParam<const Primitive*> {};

TEST_P(Mutation, IsNoticed) {
  enable_x64 x64;
  runtime::set_poison(true);
  whole = GetParam();
  if (derived::cases_of(*whole).empty()) GTEST_SKIP() << "no samples";
  ASSERT_EQ(derived::check_primitive(copy_of(*whole)), "") << "an exact copy fails";
  for (const Mutant& m : mutants_of(*whole)) {
    const std::string noticed = derived::check_primitive(*m.record);
    EXPECT_NE(noticed, "") << m.what << " goes unnoticed";
  }
  runtime::set_poison(false);
}

TEST(Mutants, AreMany) {
  enable_x64 x64;
  std::size_t n = 0;
  for (const Primitive* p : all_primitives()) {
    whole = p;
    n += mutants_of(*p).size();
  }
  std::printf("%zu broken records\n", n);
  EXPECT_GT(n, 500u);
}

INSTANTIATE_TEST_SUITE_P(All, Mutation, testing::ValuesIn(all_primitives()),
                         [](const testing::TestParamInfo<const Primitive*>& i) {
                           return derived::test_name(*i.param);
                         });

}  // namespace
}  // namespace cotan
