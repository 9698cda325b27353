#include "control/custom.h"

#include <algorithm>

#include "control/jit.h"
#include "core/jaxpr_utils.h"
#include "ops/common.h"
#include "ops/reduction.h"
#include "transforms/batching.h"

namespace cotan {

namespace {

struct Function final : Callable {
  FlatFn f;
  Function(std::string n, FlatFn g) : Callable(std::move(n)), f(std::move(g)) {}
};
struct JvpRuleFn final : Callable {
  CustomJvpRule rule;
  explicit JvpRuleFn(CustomJvpRule r) : Callable(r.name), rule(std::move(r)) {}
};
struct ForwardFn final : Callable {
  std::function<ForwardResult(const Arrays&, const Bits&)> f;
  ForwardFn(std::string n, decltype(f) g) : Callable(std::move(n)), f(std::move(g)) {}
};
struct BackwardFn final : Callable {
  std::function<Tangents(const Arrays&, const Tangents&)> f;
  BackwardFn(std::string n, decltype(f) g) : Callable(std::move(n)), f(std::move(g)) {}
};
template <class T> const T& as(const CallableRef& c) { return static_cast<const T&>(*c); }

// The function itself until a trace records it, then its program, whose constants are the first operands.
struct Called {
  CallableRef function;
  ClosedJaxpr call_jaxpr;
  int num_consts = 0;
};

struct CustomJvpParams {
  Called called;
  CallableRef jvp;
  std::string name;
  bool symbolic_zeros = false;
  template <class S, class V> static void fields(S& s, V& v) {
    v("call_jaxpr", s.called.call_jaxpr), v("function", s.called.function), v("jvp", s.jvp), v("name", s.name);
    v("num_consts", s.called.num_consts), v("symbolic_zeros", s.symbolic_zeros);
  }
  void pretty(PrettyParams& p) const {
    p.field("name", name), p.field("call_jaxpr", called.call_jaxpr), p.field("jvp", jvp),
        p.field("symbolic_zeros", symbolic_zeros);
  }
};

struct CustomVjpParams {
  Called called;
  CallableRef fwd, bwd;
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

// --- what both have in common: P is the struct of parameters ---------------------------------------------------------------------
template <class P> void call_avals(const AbstractIn& in, AvalVec& out) {
  const Called& c = in.params<P>().called;
  if (c.function) {
    const std::vector<Aval> avals(in.in.begin(), in.in.end());
    for (const Aval& a : flat_make_jaxpr(as<Function>(c.function).f, avals).out_avals()) out.push_back(a);
    return;
  }
  const Jaxpr& j = c.call_jaxpr.jaxpr();
  if (j.invars.size() != in.in.size())
    throw TypeError(std::string(in.primitive.name) + ": the program takes " + std::to_string(j.invars.size()) +
                    " operands, got " + std::to_string(in.in.size()));
  for (const Aval& a : out_avals(j)) out.push_back(a);
}

template <class P> Regions call_regions(const EqnContext& c) {
  const Called& called = c.params<P>().called;
  Regions r;
  if (called.call_jaxpr.has_value()) r.programs.push_back(&called.call_jaxpr);
  return r;
}

template <class P> void call_run(const EqnContext& c, std::span<const Array> in, ArrayVec& out) {
  for (const Array& a : as<Function>(c.params<P>().called.function).f(Arrays(in.begin(), in.end()))) out.push_back(a);
}

template <class P> Staged call_stage(const EqnContext& c, std::span<const Array> in) {
  P p = c.params<P>();
  Staged s{c.params_ref, ArrayVec(in)};
  if (!p.called.function) return s;
  const Hoisted h = hoist(flat_make_jaxpr(as<Function>(p.called.function).f, avals_of(in)));
  p.called = {nullptr, h.program, static_cast<int>(h.consts.size())};
  s.params = make_params(std::move(p));
  s.operands.clear();
  for (const Array& a : h.consts) s.operands.push_back(a);
  for (const Array& a : in) s.operands.push_back(a);
  return s;
}

template <class P> Effects call_effects(const EqnContext& c) {
  const Called& called = c.params<P>().called;
  return called.call_jaxpr.has_value() ? called.call_jaxpr.jaxpr().effects : no_effects;
}

template <class P> bool call_names_axis(const EqnContext& c, const std::string& axis) {
  return c.params<P>().called.function || regions_name_axis(c, axis);
}

// The arguments proper, behind the constants, which have no derivative.
std::span<const Tangent> own_tangents(const JvpIn& in, int consts) {
  for (const Tangent& t : in.tangents.first(static_cast<std::size_t>(consts)))
    if (!t.is_zero())
      throw UnexpectedTracerError(
          std::string(in.primitive.name) +
          ": detected differentiation of a function with a custom rule with respect to a value that it captures; "
          "make that value an argument of the function");
  return in.tangents.subspan(static_cast<std::size_t>(consts));
}

// Functions over a batch. Whatever they give has its batch axis at the front.
struct Batch {
  std::vector<int> axes;  // of the arguments
  std::int64_t size;
  std::string name;

  explicit Batch(const BatchIn& in) : size(in.axis_size), name(in.axis_name) {
    for (int d : in.dims) axes.push_back(d == not_mapped ? no_axis : d);
  }
  Arrays run(const FlatFn& f, const Arrays& args, const std::vector<int>& at) const {
    Arrays out;
    for (const BatchedOutput& r : flat_vmap(f, args, at, size, name)) out.push_back(with_batch_axis(r, 0, size));
    return out;
  }
  std::vector<int> axes_without(int consts) const { return {axes.begin() + consts, axes.end()}; }
};

FlatFn batched(const Batch& b, const FlatFn& f) {
  return [b, f](const Arrays& x) { return b.run(f, x, b.axes); };
}

Called batched(const BatchIn& in, const Batch& b, const Called& c) {
  if (c.function) return {std::make_shared<Function>(c.function->name, batched(b, as<Function>(c.function).f)), {}, 0};
  const Jaxpr& j = c.call_jaxpr.jaxpr();
  const auto d = batch_program(j, in.dims, in.axis_size, in.axis_name, Bits(j.outvars.size(), true));
  if (!d->consts.empty()) {  // rules inside may capture more
    Hoisted h = *d;
    return {std::make_shared<Function>("",
                                       [h](const Arrays& x) {
                                         Arrays args = h.consts;
                                         args.insert(args.end(), x.begin(), x.end());
                                         return run(h.program.jaxpr(), args);
                                       }),
            {},
            0};
  }
  return {nullptr, d->program, c.num_consts};
}

void bind_batched(const Primitive& p, ParamsRef params, const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  p.bind(params, in.args, out);
  for (std::size_t i = 0; i < out.size(); ++i) out_dims.push_back(0);
}

// --- custom_jvp ---------------------------------------------------------------------------------------------------------------------
Tangents with_arrays(Tangents ts) {
  for (Tangent& t : ts)
    if (t.is_zero() && t.aval().dtype != DType::float0) t = Tangent(ops::instantiate(t));
  return ts;
}

void custom_jvp_jvp(const JvpIn& in, ArrayVec& primals_out, TangentVec& tangents_out) {
  const auto& p = in.params<CustomJvpParams>();
  const auto ts = own_tangents(in, p.called.num_consts);
  const auto xs = in.primals.subspan(static_cast<std::size_t>(p.called.num_consts));
  Tangents tangents(ts.begin(), ts.end());
  if (!p.symbolic_zeros) tangents = with_arrays(std::move(tangents));
  const JvpResult r = as<JvpRuleFn>(p.jvp).rule.jvp(Arrays(xs.begin(), xs.end()), tangents);
  for (std::size_t i = 0; i < r.primals.size(); ++i) {
    primals_out.push_back(r.primals[i]);
    tangents_out.push_back(r.tangents[i]);
  }
}

// The rule over a batch: tangents that are zero stay so, those of the results are arrays.
CustomJvpRule batched_rule(const Batch& b, const CustomJvpRule& rule, int consts) {
  CustomJvpRule r = rule;
  r.jvp = [b, rule, axes = b.axes_without(consts)](const Arrays& primals, const Tangents& tangents) {
    Arrays args = primals;
    std::vector<int> at = axes;
    std::vector<Aval> zero_avals;  // per argument: that of one lane
    for (std::size_t i = 0; i < tangents.size(); ++i) {
      Aval a = tangents[i].aval();
      if (axes[i] != no_axis) a.shape.erase(axes[i]);
      zero_avals.push_back(a);
      if (!tangents[i].is_zero()) args.push_back(tangents[i].value()), at.push_back(axes[i]);
    }
    std::size_t results = 0;
    Bits there;
    const Arrays out = b.run(
        [&](const Arrays& x) {
          const auto split = x.begin() + static_cast<std::ptrdiff_t>(primals.size());
          Tangents ts;
          std::size_t next = primals.size();
          for (std::size_t i = 0; i < tangents.size(); ++i)
            ts.push_back(tangents[i].is_zero() ? Tangent::zero(zero_avals[i]) : Tangent(x[next++]));
          const JvpResult r2 = rule.jvp(Arrays(x.begin(), split), ts);
          Arrays all = r2.primals;
          results = all.size();
          for (const Tangent& t : r2.tangents) {
            there.push_back(!t.is_zero());
            if (!t.is_zero()) all.push_back(t.value());
          }
          return all;
        },
        args, at);
    JvpResult r3;
    r3.primals.assign(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(results));
    std::size_t next = results;
    for (std::size_t i = 0; i < there.size(); ++i)
      r3.tangents.push_back(there[i] ? Tangent(out[next++]) : Tangent::zero_of(r3.primals[i].aval()));
    return r3;
  };
  return r;
}

// Where the function is linear, its program says what the transpose is.
void custom_jvp_transpose(const TransposeIn& in, TangentVec& out) {
  const Called& c = in.params<CustomJvpParams>().called;
  if (c.function) throw NotImplementedError("custom_jvp_call: transposition of a function that was not recorded");
  const TransposeOperands t = transpose_operands(in.args, in.cts);
  const auto d = transpose_program(c.call_jaxpr.jaxpr(), t.linear, t.has_ct);
  Arrays args = d->consts;
  args.insert(args.end(), t.values.begin(), t.values.end());
  put_cotangents(in.args, run(d->program.jaxpr(), args), d->out_ct, out);
}

void custom_jvp_batch(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  CustomJvpParams p = in.params<CustomJvpParams>();
  const Batch b(in);
  p.jvp = std::make_shared<JvpRuleFn>(batched_rule(b, as<JvpRuleFn>(p.jvp).rule, p.called.num_consts));
  p.called = batched(in, b, p.called);
  bind_batched(in.primitive, make_params(std::move(p)), in, out, out_dims);
}

// --- custom_vjp: a linear equation stands for the derivative, which only the backward rule knows -----------------------------
struct TangentType {
  DType dtype = DType::float0;
  Shape shape = {};
  template <class S, class V> static void fields(S& s, V& v) { v("dtype", s.dtype), v("shape", s.shape); }
};
struct CustomLinParams {
  CallableRef bwd;
  int num_res = 0;
  bool symbolic_zeros = false;
  Bits perturbed;                    // per argument of the function: whether its tangent is an operand
  std::vector<TangentType> results;  // the tangents of all results
  template <class S, class V> static void fields(S& s, V& v) {
    v("bwd", s.bwd), v("num_res", s.num_res), v("perturbed", s.perturbed), v("results", s.results),
        v("symbolic_zeros", s.symbolic_zeros);
  }
};

void custom_lin_avals(const AbstractIn& in, AvalVec& out) {
  for (const TangentType& t : in.params<CustomLinParams>().results)
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
  for (const TangentType& t : p.results)
    cts.push_back(t.dtype == DType::float0 ? Tangent::zero({t.shape, t.dtype, false}) : in.cts[next++]);
  if (!p.symbolic_zeros) cts = with_arrays(std::move(cts));
  const Tangents r = as<BackwardFn>(p.bwd).f(residuals, cts);
  for (std::size_t i = 0; i < p.perturbed.size(); ++i)
    if (p.perturbed[i]) out.push_back(r.at(i));
}

// The backward rule over a batch: residuals and cotangents have their axes at the front; cotangents of arguments that the batch
// shares are summed over it, the others have their axes where the arguments have them.
std::shared_ptr<const BackwardFn> batched_backward(const Batch& b, const BackwardFn& f, const std::vector<int>& axes) {
  return std::make_shared<BackwardFn>(f.name, [b, g = f.f, axes](const Arrays& residuals, const Tangents& cotangents) {
    Arrays args = residuals;
    std::vector<Aval> types;
    for (const Tangent& t : cotangents) {
      Aval a = t.aval();
      a.shape.erase(0);
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
        args, std::vector<int>(args.size(), 0));
    Tangents r;
    std::size_t next = 0;
    for (std::size_t i = 0; i < there.size(); ++i) {
      if (!there[i]) {
        Aval a = out_types[i];
        if (axes[i] != no_axis) a.shape.insert(axes[i], b.size);
        r.push_back(Tangent::zero(a));
      } else if (axes[i] == no_axis) {
        r.push_back(Tangent(ops::reduce_sum(out[next++], {0})));
      } else {
        r.push_back(Tangent(ops::move_axis(out[next++], 0, axes[i])));
      }
    }
    return r;
  });
}

void custom_lin_batch(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  CustomLinParams p = in.params<CustomLinParams>();
  ArrayVec operands;
  for (std::size_t i = 0; i < in.args.size(); ++i)
    operands.push_back(ops::with_batch_front(in.args[i], in.dims[i], in.axis_size));
  p.bwd = batched_backward(Batch(in), as<BackwardFn>(p.bwd), std::vector<int>(p.perturbed.size(), 0));
  for (TangentType& t : p.results) t.shape.insert(0, in.axis_size);
  in.primitive.bind(make_params(std::move(p)), operands, out);
  for (std::size_t i = 0; i < out.size(); ++i) out_dims.push_back(0);
}

void custom_vjp_jvp(const JvpIn& in, ArrayVec& primals_out, TangentVec& tangents_out) {
  const auto& p = in.params<CustomVjpParams>();
  const auto tangents = own_tangents(in, p.called.num_consts);
  const auto xs = in.primals.subspan(static_cast<std::size_t>(p.called.num_consts));
  CustomLinParams lin;
  lin.bwd = p.bwd;
  lin.symbolic_zeros = p.symbolic_zeros;
  lin.perturbed = nonzero(tangents);
  const ForwardResult r = as<ForwardFn>(p.fwd).f(Arrays(xs.begin(), xs.end()), lin.perturbed);
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

void custom_vjp_batch(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  CustomVjpParams p = in.params<CustomVjpParams>();
  const Batch b(in);
  const std::vector<int> axes = b.axes_without(p.called.num_consts);
  const auto& fwd = as<ForwardFn>(p.fwd);
  p.bwd = batched_backward(b, as<BackwardFn>(p.bwd), axes);
  p.fwd = std::make_shared<ForwardFn>(fwd.name, [b, axes, f = fwd.f](const Arrays& primals, const Bits& perturbed) {
    std::size_t results = 0;
    const Arrays all = b.run(
        [&](const Arrays& x) {
          const ForwardResult r = f(x, perturbed);
          Arrays both = r.results;
          results = both.size();
          both.insert(both.end(), r.residuals.begin(), r.residuals.end());
          return both;
        },
        primals, axes);
    const auto split = all.begin() + static_cast<std::ptrdiff_t>(results);
    return ForwardResult{Arrays(all.begin(), split), Arrays(split, all.end())};
  });
  p.called = batched(in, b, p.called);
  bind_batched(in.primitive, make_params(std::move(p)), in, out, out_dims);
}

}  // namespace

constinit const Primitive custom_jvp_call_p{
    .name = "custom_jvp_call",
    .doc =
        "A function whose derivative is a rule of the user's: the results and their tangents, of primals and tangents.",
    .kind = Kind::call,
    .operands = -1,
    .results = -1,
    .params = &params_ops<CustomJvpParams>,
    .abstract_eval = call_avals<CustomJvpParams>,
    .jvp = custom_jvp_jvp,
    .transpose = custom_jvp_transpose,
    .batching = custom_jvp_batch,
    .effects = call_effects<CustomJvpParams>,
    .regions = call_regions<CustomJvpParams>,
    .run = call_run<CustomJvpParams>,
    .stage = call_stage<CustomJvpParams>,
    .names_axis = call_names_axis<CustomJvpParams>,
    .samples = [] { return std::vector<Sample>(); }};

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

Arrays bind_custom_jvp(const std::string& name, const FlatFn& f, CustomJvpRule rule, const Arrays& args) {
  if (!current_trace()) return f(args);
  CustomJvpParams p;
  p.called.function = std::make_shared<Function>(name, f);
  p.symbolic_zeros = rule.symbolic_zeros;
  p.jvp = std::make_shared<JvpRuleFn>(std::move(rule));
  p.name = name;
  ArrayVec in, out;
  for (const Array& a : args) in.push_back(a);
  custom_jvp_call_p.bind(make_params(std::move(p)), in, out);
  return list(out);
}

Arrays bind_custom_vjp(const std::string& name, const FlatFn& f, CustomVjpRule rule, const Arrays& args) {
  if (!current_trace()) return f(args);
  CustomVjpParams p;
  p.called.function = std::make_shared<Function>(name, f);
  p.fwd = std::make_shared<ForwardFn>(rule.forward_name, std::move(rule.forward));
  p.bwd = std::make_shared<BackwardFn>(rule.backward_name, std::move(rule.backward));
  p.name = name;
  p.symbolic_zeros = rule.symbolic_zeros;
  ArrayVec in, out;
  for (const Array& a : args) in.push_back(a);
  custom_vjp_call_p.bind(make_params(std::move(p)), in, out);
  return list(out);
}

}  // namespace cotan
