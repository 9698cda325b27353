// custom_vjp: a linear equation stands for the derivative, which only the backward rule knows.
#include "control/checkify.h"
#include "control/custom_call.h"
#include "ops/common.h"
#include "ops/reduction.h"

namespace cotan {

using namespace custom;

namespace {

struct ForwardFn final : Callable {
  std::function<ForwardResult(const Arrays&, const Bits&)> f;
  ForwardFn(std::string n, decltype(f) g) : Callable(std::move(n)), f(std::move(g)) {}
};
struct BackwardFn final : Callable {
  BackwardRule f;
  BackwardFn(std::string n, decltype(f) g) : Callable(std::move(n)), f(std::move(g)) {}
};

struct CustomVjpParams {
  Called called;
  CallableRef fwd, bwd;  // bwd: a name; which function it is, the forward rule says
  std::string name;
  bool symbolic_zeros = false;
  template <class S, class V> static void fields(S& s, V& v) {
    v("bwd", s.bwd), v("call_jaxpr", s.called.call_jaxpr), v("function", s.called.function), v("fwd", s.fwd),
        v("name", s.name);
    v("num_consts", s.called.num_consts), v("symbolic_zeros", s.symbolic_zeros);
  }
  void pretty(PrettyParams& p) const {
    p.field("name", name), p.field("bwd", bwd), p.field("call_jaxpr", called.call_jaxpr), p.field("fwd", fwd);
    p.field("symbolic_zeros", symbolic_zeros);
  }
};

struct CustomLinParams {
  CallableRef bwd;
  int num_res = 0;
  bool symbolic_zeros = false;
  Bits perturbed;                  // per argument of the function: whether its tangent is an operand
  std::vector<ArrayType> results;  // the tangents of all results
  template <class S, class V> static void fields(S& s, V& v) {
    v("bwd", s.bwd), v("num_res", s.num_res), v("perturbed", s.perturbed), v("results", s.results),
        v("symbolic_zeros", s.symbolic_zeros);
  }
};

void custom_lin_avals(const AbstractIn& in, AvalVec& out) {
  for (const ArrayType& t : in.params<CustomLinParams>().results)
    if (t.dtype != DType::float0) out.push_back({t.shape, t.dtype, false});
}

[[noreturn]] void fail_forward() {
  throw TypeError("can't apply forward-mode differentiation (jvp) to a custom_vjp function.");
}

void custom_lin_transpose(const TransposeIn& in, TangentVec& out) {
  const auto& p = in.params<CustomLinParams>();
  Arrays residuals;
  for (int i = 0; i < p.num_res; ++i) {
    if (in.args[static_cast<std::size_t>(i)].is_linear()) throw TypeError("custom_lin: a residual is linear");
    residuals.push_back(in.args[static_cast<std::size_t>(i)].value);
    out.push_back(Tangent::zero_of(residuals.back().aval()));
  }
  Tangents cts;
  std::size_t next = 0;
  for (const ArrayType& t : p.results)
    cts.push_back(t.dtype == DType::float0 ? Tangent::zero({t.shape, t.dtype, false}) : in.cts[next++]);
  if (!p.symbolic_zeros) cts = with_arrays(std::move(cts));
  const Tangents r = as<BackwardFn>(p.bwd).f(residuals, cts);
  for (std::size_t i = 0; i < p.perturbed.size(); ++i)
    if (p.perturbed[i]) out.push_back(r.at(i));
}

// The backward rule over a batch: residuals and cotangents have their axes where the results of the call have theirs; cotangents of
// arguments that the batch shares are summed over it, the others have their axes where the arguments have them.
BackwardRule batched_backward(const Batch& b, const BackwardRule& g, const std::vector<int>& axes) {
  return [b, g, axes](const Arrays& residuals, const Tangents& cotangents) {
    const int axis = b.result_axis();
    Arrays args = residuals;
    std::vector<Aval> types;
    for (const Tangent& t : cotangents) {
      Aval a = t.aval();
      if (axis != no_axis) a.shape.erase(axis);
      types.push_back(a);
      if (!t.is_zero()) args.push_back(t.value());
    }
    Bits there;
    std::vector<Aval> out_types;
    const Arrays out = b.run(
        [&](const Arrays& x) {
          const auto split = x.begin() + static_cast<std::ptrdiff_t>(residuals.size());
          Tangents cts;
          std::size_t next = residuals.size();
          for (std::size_t i = 0; i < cotangents.size(); ++i)
            cts.push_back(cotangents[i].is_zero() ? Tangent::zero(types[i]) : Tangent(x[next++]));
          Arrays all;
          for (const Tangent& t : g(Arrays(x.begin(), split), cts)) {
            there.push_back(!t.is_zero());
            out_types.push_back(t.aval());
            if (!t.is_zero()) all.push_back(t.value());
          }
          return all;
        },
        args, std::vector<int>(args.size(), axis));
    Tangents r;
    std::size_t next = 0;
    for (std::size_t i = 0; i < there.size(); ++i) {
      if (!there[i]) {
        Aval a = out_types[i];
        if (axes[i] != no_axis) a.shape.insert(axes[i], b.size);
        r.push_back(Tangent::zero(a));
      } else if (axis == no_axis) {
        r.push_back(Tangent(out[next++]));
      } else if (axes[i] == no_axis) {
        r.push_back(Tangent(ops::reduce_sum(out[next++], {0})));
      } else {
        r.push_back(Tangent(ops::move_axis(out[next++], 0, axes[i])));
      }
    }
    return r;
  };
}

void custom_lin_batch(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  CustomLinParams p = in.params<CustomLinParams>();
  ArrayVec operands;
  for (std::size_t i = 0; i < in.args.size(); ++i)
    operands.push_back(ops::with_batch_front(in.args[i], in.dims[i], in.axis_size));
  p.bwd = std::make_shared<BackwardFn>(
      p.bwd->name, batched_backward(Batch(in, true), as<BackwardFn>(p.bwd).f, std::vector<int>(p.perturbed.size(), 0)));
  for (ArrayType& t : p.results) t.shape.insert(0, in.axis_size);
  in.primitive.bind(make_params(std::move(p)), operands, out);
  for (std::size_t i = 0; i < out.size(); ++i) out_dims.push_back(0);
}

void custom_vjp_jvp(const JvpIn& in, ArrayVec& primals_out, TangentVec& tangents_out) {
  const auto& p = in.params<CustomVjpParams>();
  const auto tangents = own_tangents(in, p.called.num_consts);
  const auto xs = in.primals.subspan(static_cast<std::size_t>(p.called.num_consts));
  CustomLinParams lin;
  lin.symbolic_zeros = p.symbolic_zeros;
  lin.perturbed = nonzero(tangents);
  const ForwardResult r = as<ForwardFn>(p.fwd).f(Arrays(xs.begin(), xs.end()), lin.perturbed);
  lin.bwd = std::make_shared<BackwardFn>(p.bwd->name, r.backward);
  lin.num_res = static_cast<int>(r.residuals.size());
  for (const Array& a : r.results) {
    const Aval t = tangent_aval(a.aval());
    lin.results.push_back({t.dtype, t.shape});
  }
  ArrayVec operands, out;
  for (const Array& a : r.residuals) operands.push_back(a);
  for (const Tangent& t : tangents)
    if (!t.is_zero()) operands.push_back(t.value());
  custom_lin_p.bind(make_params(std::move(lin)), operands, out);
  std::size_t next = 0;
  for (std::size_t i = 0; i < r.results.size(); ++i) {
    primals_out.push_back(r.results[i]);
    const Aval t = tangent_aval(r.results[i].aval());
    tangents_out.push_back(t.dtype == DType::float0 ? Tangent::zero(t) : Tangent(out[next++]));
  }
}

// The forward rule with its results and residuals computed by run(function, primals), and its backward rule made over.
template <class Run, class Made> CallableRef forward_through(const CallableRef& fwd, Run run, Made backward_of) {
  const auto& rule = as<ForwardFn>(fwd);
  return std::make_shared<ForwardFn>(
      rule.name, [f = rule.f, run, backward_of](const Arrays& primals, const Bits& perturbed) {
        std::size_t results = 0;
        BackwardRule backward;
        const Arrays all = run(
            [&](const Arrays& x) {
              const ForwardResult r = f(x, perturbed);
              Arrays both = r.results;
              results = both.size();
              backward = r.backward;
              both.insert(both.end(), r.residuals.begin(), r.residuals.end());
              return both;
            },
            primals);
        const auto split = all.begin() + static_cast<std::ptrdiff_t>(results);
        return ForwardResult{Arrays(all.begin(), split), Arrays(split, all.end()), backward_of(backward)};
      });
}

void custom_vjp_batch(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  CustomVjpParams p = in.params<CustomVjpParams>();
  const Batch b(in, !p.called.function);
  const std::vector<int> axes = b.axes_without(p.called.num_consts);
  p.fwd = forward_through(
      p.fwd, [b, axes](const auto& f, const Arrays& primals) { return b.run(f, primals, axes); },
      [b, axes](const BackwardRule& backward) { return batched_backward(b, backward, axes); });
  ArrayVec operands;
  p.called = batched(in, b, p.called, &operands);
  bind_batched(b, in, make_params(std::move(p)), operands, out, out_dims);
}

BackwardRule backward_without_checks(const BackwardRule& f) {
  return [f](const Arrays& residuals, const Tangents& cotangents) {
    Arrays args = residuals;
    for (const Tangent& t : cotangents)
      if (!t.is_zero()) args.push_back(t.value());
    Tangents made;
    const Arrays all = run_without_checks(
        [&](const Arrays& x) {
          std::size_t next = residuals.size();
          Tangents cts;
          for (const Tangent& t : cotangents) cts.push_back(t.is_zero() ? t : Tangent(x[next++]));
          made = f(Arrays(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(residuals.size())), cts);
          Arrays out;
          for (const Tangent& t : made)
            if (!t.is_zero()) out.push_back(t.value());
          return out;
        },
        args);
    std::size_t next = 0;
    for (Tangent& t : made)
      if (!t.is_zero()) t = Tangent(all[next++]);
    return made;
  };
}

void vjp_without_checks(CustomVjpParams& p) {
  p.fwd = forward_through(
      p.fwd, [](const auto& f, const Arrays& primals) { return run_without_checks(f, primals); },
      backward_without_checks);
}

}  // namespace

constinit const Primitive custom_vjp_call_p{.name = "custom_vjp_call",
                                            .doc =
                                                "A function whose reverse-mode derivative is two rules of the user's: "
                                                "forward gives results and residuals, backward cotangents.",
                                            .kind = Kind::call,
                                            .operands = -1,
                                            .results = -1,
                                            .params = &params_ops<CustomVjpParams>,
                                            .abstract_eval = call_avals<CustomVjpParams>,
                                            .jvp = custom_vjp_jvp,
                                            .transpose = not_linear,
                                            .batching = custom_vjp_batch,
                                            .effects = call_effects<CustomVjpParams>,
                                            .regions = call_regions<CustomVjpParams>,
                                            .run = call_run<CustomVjpParams>,
                                            .stage = call_stage<CustomVjpParams>,
                                            .recall = call_recall<CustomVjpParams, vjp_without_checks>,
                                            .names_axis = call_names_axis<CustomVjpParams>,
                                            .samples = [] { return std::vector<Sample>(); }};

constinit const Primitive custom_lin_p{
    .name = "custom_lin",
    .doc =
        "The derivative of a function with a backward rule, of residuals and tangents. It can only be transposed: by "
        "that rule.",
    .kind = Kind::opaque,
    .operands = -1,
    .results = -1,
    .params = &params_ops<CustomLinParams>,
    .abstract_eval = custom_lin_avals,
    .jvp = not_differentiable("a custom_vjp function has no forward-mode derivative"),
    .transpose = custom_lin_transpose,
    .batching = custom_lin_batch,
    .run = [](const EqnContext&, std::span<const Array>, ArrayVec&) { fail_forward(); },
    .stablehlo = NoRule{"a custom_vjp function has no forward-mode derivative"},
    .samples = [] { return std::vector<Sample>(); }};

Arrays bind_custom_vjp(const std::string& name, const FlatFn& f, CustomVjpRule rule, const Arrays& args) {
  if (!current_trace()) return f(args);
  CustomVjpParams p;
  p.called.function = flat_function(name, f);
  p.fwd = std::make_shared<ForwardFn>(rule.forward_name, std::move(rule.forward));
  p.bwd = std::make_shared<const Callable>(rule.backward_name);
  p.name = name;
  p.symbolic_zeros = rule.symbolic_zeros;
  ArrayVec in, out;
  for (const Array& a : args) in.push_back(a);
  custom_vjp_call_p.bind(make_params(std::move(p)), in, out);
  return list(out);
}

}  // namespace cotan
