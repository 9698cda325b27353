// Transformations nested two and three deep, in every order. Each is written as an operator on functions from a vector to a
// number: with D the derivative along a fixed direction, a transformation gives f, Df, f + Df or D(Df). What a nest must give
// is then a sum of D^k f, and those are known from nested jvp, which is held against differences.
#include <cotan/cotan.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace ct = cotan;
namespace jnp = cotan::numpy;
namespace lax = cotan::lax;
using ct::Array;

namespace {

using Scalar = ct::Fn<Array(Array)>;

Array point() { return jnp::array({0.4, -0.7, 1.1}); }
Array direction() { return jnp::array({1.0, 0.5, -0.25}); }
Array along(const Array& gradient) { return jnp::sum(gradient * direction()); }

struct Transformation {
  const char* name;
  Scalar (*apply)(Scalar);
  std::vector<int> powers;  // the sum of D^k for these k
};

const std::vector<Transformation>& transformations() {
  static const std::vector<Transformation> all{
      {"jit", [](Scalar f) -> Scalar { return ct::jit(f); }, {0}},
      {"vmap",
       [](Scalar f) -> Scalar { return [f](const Array& x) {
                                  return ct::vmap(f)(jnp::stack({x * 0.5, x}))(1);
                                }; },
       {0}},
      {"eval(make_jaxpr)",
       [](Scalar f) -> Scalar {
         return [f](const Array& x) {
           return ct::eval_jaxpr(ct::make_jaxpr(f)(ct::abstract_array({3}, ct::float64)), {x})[0];
         };
       },
       {0}},
      {"grad", [](Scalar f) -> Scalar { return [f](const Array& x) { return along(ct::grad(f)(x)); }; }, {1}},
      {"value_and_grad",
       [](Scalar f) -> Scalar {
         return [f](const Array& x) {
           auto [value, gradient] = ct::value_and_grad(f)(x);
           return value + along(gradient);
         };
       },
       {0, 1}},
      {"jvp",
       [](Scalar f) -> Scalar { return [f](const Array& x) { return ct::jvp(f, x, direction()).second; }; },
       {1}},
      {"vjp",
       [](Scalar f) -> Scalar {
         return [f](const Array& x) {
           auto [value, pullback] = ct::vjp(f, x);
           return along(pullback(jnp::ones_like(value)));
         };
       },
       {1}},
      {"linearize",
       [](Scalar f) -> Scalar {
         return [f](const Array& x) {
           auto [value, pushforward] = ct::linearize(f, x);
           return value + pushforward(direction());
         };
       },
       {0, 1}},
      {"jacfwd", [](Scalar f) -> Scalar { return [f](const Array& x) { return along(ct::jacfwd(f)(x)); }; }, {1}},
      {"jacrev", [](Scalar f) -> Scalar { return [f](const Array& x) { return along(ct::jacrev(f)(x)); }; }, {1}},
      {"hessian",
       [](Scalar f) -> Scalar {
         return [f](const Array& x) { return along(jnp::dot(ct::hessian(f)(x), direction())); };
       },
       {2}},
  };
  return all;
}

struct Layer {
  Array w, b;
};
struct Named {
  const char* name;
  Scalar f;
};

Array mlp(const Array& x) {
  const Array w = jnp::reshape(jnp::arange(12) * 0.1 - 0.5, {4, 3}), v = jnp::array({0.3, -0.2, 0.7, 0.4});
  return jnp::dot(v, jnp::tanh(jnp::dot(w, x) + 0.1));
}
Array with_struct(const Array& x) {
  const Layer layer{jnp::outer(x, x), x * 2.0};
  const Layer scaled = ct::tree::map([](const Array& a) { return jnp::sin(a); }, layer);
  return jnp::sum(jnp::dot(scaled.w, x) + scaled.b);
}
Array indexing(const Array& x) {
  const Array y = x.at(1).set(x(0) * x(2));
  return jnp::sum(y(ct::slice(0, 2)) * x(ct::slice(1, 3))) + y(-1) * x(0);
}
Array complex_inside(const Array& x) {
  const Array z = lax::complex(x, x * 0.5);
  return jnp::sum(jnp::real(jnp::exp(z) * z));
}
Array random_inside(const Array& x) {
  const Array key = ct::random::fold_in(ct::random::key(3), 5u);
  return jnp::sum(jnp::sin(x * ct::random::uniform(key, {3}, ct::float64)));
}
Array integers_inside(const Array& x) {
  const Array n = jnp::arange(3), picked = jnp::where(n > 0, n, 2);
  return jnp::sum(x * x * picked + jnp::cos(x) * n.astype(ct::float64));
}

Array branches(const Array& x) {
  const Array first = lax::cond(
      x(0) > x(1), [](const Array& y) { return jnp::sin(y) * y; }, [](const Array& y) { return jnp::exp(-y); }, x);
  const std::vector<ct::Fn<Array(Array)>> three{[](const Array& y) { return y; },
                                                [](const Array& y) { return y * y * y; },
                                                [x](const Array& y) { return y * x(2); }};
  return jnp::sum(first) + jnp::sum(lax::switch_(jnp::array(1), three, x)) +
         jnp::sum(lax::switch_(jnp::array(2), three, first));
}
Array scans(const Array& x) {
  struct State {
    Array h, n;
  };
  const auto [last, rows] = lax::scan(
      [x](const State& s, const Array& row) {
        const Array h = jnp::tanh(s.h * x + row) + jnp::cos(x(1)) * s.n.astype(ct::float64);
        return std::pair(State{h, s.n + 1}, jnp::sum(h * row));
      },
      State{x * 0.5, 1}, jnp::outer(jnp::array({0.2, -0.5, 0.9, 0.1}), x), {.reverse = true});
  return jnp::sum(last.h * x) + jnp::sum(rows * rows);
}
Array loops(const Array& x) {
  const Array power = lax::fori_loop(
      0, 3, [x](const Array& i, const Array& c) { return jnp::sin(c) * x + i.astype(ct::float64) * 0.1; }, x);
  return jnp::sum(power) +
         jnp::sum(lax::map([x](const Array& y) { return y * x(0) * jnp::cos(y); }, x, {.batch_size = 2}));
}
Array loop_of_branches(const Array& x) {
  return lax::fori_loop(
      0, 4,
      [x](const Array& i, const Array& c) {
        return lax::cond(
            i % 2 == 0, [](const Array& a, const Array& b) { return jnp::sin(a) + jnp::sum(b) * 0.1; },
            [](const Array& a, const Array& b) {
              return lax::scan([](const Array& u, const Array& v) { return std::pair(u * 0.5 + v * v, u); }, a, b)
                  .first;
            },
            c, x);
      },
      x(0));
}
Array checkpoints(const Array& x) {
  const auto f =
      ct::checkpoint([x](const Array& y) { return jnp::sin(ct::checkpoint_name(jnp::sin(y * x), "inner")) * y; });
  const auto g = ct::checkpoint(
      [](const Array& y) {
        return lax::scan([](const Array& c, const Array& r) { return std::pair(jnp::sin(c) * r, c); }, jnp::sum(y), y)
                   .first +
               jnp::dot(y, jnp::exp(y));
      },
      {.policy = ct::checkpoint_policies::dots_saveable});
  return jnp::sum(f(x)) + g(x);
}
Array custom_rule(const Array& x) {
  static const auto cube =
      ct::custom_jvp([](const Array& y) { return y * y * y; },
                     [](const Array& y, const Array& t) { return std::pair(y * y * y, 3.0 * y * y * t); });
  return jnp::sum(cube(jnp::sin(x))) + jnp::sum(ct::vmap(cube)(x));
}

const std::vector<Named>& functions() {
  static const std::vector<Named> all{
      {"polynomial", [](const Array& x) { return x(0) * x(1) * x(2) + 2.0 * x(0) * x(0) - x(1) * x(1) * x(1); }},
      {"mlp", mlp},
      {"softmax",
       [](const Array& x) {
         const Array e = jnp::exp(x - jnp::max(x));
         return jnp::sum(e / jnp::sum(e) * jnp::array({1.0, -2.0, 0.5}));
       }},
      {"logsumexp", [](const Array& x) { return jnp::log(jnp::sum(jnp::exp(x))); }},
      {"struct", with_struct},
      {"reductions", [](const Array& x) { return jnp::prod(x) + jnp::mean(x * x * x) + jnp::var(x); }},
      {"indexing", indexing},
      {"dot_general",
       [](const Array& x) {
         const Array m = jnp::outer(x, jnp::sin(x));
         return jnp::sum(jnp::matmul(m, m));
       }},
      {"where", [](const Array& x) { return jnp::sum(jnp::where(x > 0.5, jnp::sin(x), jnp::exp(x))); }},
      {"integers", integers_inside},
      {"random", random_inside},
      {"complex", complex_inside},
      {"branches", branches},
      {"scans", scans},
      {"loops", loops},
      {"loop of branches", loop_of_branches},
      {"checkpoints", checkpoints},
      {"custom rule", custom_rule},
      {"jit inside",
       [](const Array& x) {
         return jnp::sum(ct::jit([](const Array& y) { return jnp::clip(y * y * y, -5.0, 5.0); })(x));
       }},
      {"vmap inside",
       [](const Array& x) { return jnp::sum(ct::vmap([x](const Array& y) { return jnp::sum(jnp::sin(x * y)); })(x)); }},
      {"grad inside",
       [](const Array& x) {
         return jnp::sum(ct::grad([](const Array& y) { return jnp::sum(jnp::exp(y) * y * y); })(x));
       }},
  };
  return all;
}

Scalar derivative(Scalar f, int order) {
  for (int i = 0; i < order; ++i) f = [f](const Array& x) { return ct::jvp(f, x, direction()).second; };
  return f;
}

double number(const Array& x) { return x.item<double>(); }

std::vector<int> product(const std::vector<int>& a, const std::vector<int>& b) {
  std::vector<int> out;
  for (int i : a)
    for (int j : b) out.push_back(i + j);
  return out;
}

class Nesting : public testing::TestWithParam<std::size_t> {
 protected:
  const Named& named() const { return functions()[GetParam()]; }
  double expected(const std::vector<int>& powers) {
    double sum = 0;
    for (int k : powers) {
      while (static_cast<int>(known_.size()) <= k)
        known_.push_back(number(derivative(named().f, static_cast<int>(known_.size()))(point())));
      sum += known_[static_cast<std::size_t>(k)];
    }
    return sum;
  }
  void expect(const Scalar& nested, const std::vector<int>& powers, const std::string& what) {
    double got = 0;
    try {
      got = number(nested(point()));
    } catch (const std::exception& e) {
      ADD_FAILURE() << what << " of " << named().name << ": " << e.what();
      return;
    }
    const double want = expected(powers);
    EXPECT_NEAR(got, want, 1e-9 * (1 + std::abs(want))) << what << " of " << named().name;
  }
  ct::enable_x64 x64_;
  std::vector<double> known_;
};

TEST_P(Nesting, DerivativesAreThoseOfDifferences) {
  const double h = 1e-4;
  const auto at = [&](double t) { return number(named().f(point() + direction() * t)); };
  const double first = (at(h) - at(-h)) / (2 * h), second = (at(h) - 2 * at(0) + at(-h)) / (h * h);
  EXPECT_NEAR(expected({1}), first, 1e-6 * (1 + std::abs(first)));
  EXPECT_NEAR(expected({2}), second, 1e-5 * (1 + std::abs(second)));
}

TEST_P(Nesting, TwoDeep) {
  for (const Transformation& outer : transformations())
    for (const Transformation& inner : transformations())
      expect(outer.apply(inner.apply(named().f)), product(outer.powers, inner.powers),
             std::string(outer.name) + " of " + inner.name);
}

TEST_P(Nesting, ThreeDeep) {
  for (const Transformation& a : transformations())
    for (const char* middle : {"jit", "vmap", "grad", "jvp", "eval(make_jaxpr)"})
      for (const char* last : {"jit", "vmap", "grad", "linearize"}) {
        const Transformation *b = nullptr, *c = nullptr;
        for (const Transformation& t : transformations()) {
          if (t.name == std::string(middle)) b = &t;
          if (t.name == std::string(last)) c = &t;
        }
        expect(a.apply(b->apply(c->apply(named().f))), product(a.powers, product(b->powers, c->powers)),
               std::string(a.name) + " of " + middle + " of " + last);
      }
}

INSTANTIATE_TEST_SUITE_P(All, Nesting, testing::Range(std::size_t{0}, functions().size()),
                         [](const testing::TestParamInfo<std::size_t>& i) {
                           std::string name = functions()[i.param].name;
                           for (char& c : name)
                             if (c == ' ') c = '_';
                           return name;
                         });

}  // namespace
