#include "control/callback.h"

#include "control/control_flow.h"
#include "core/jaxpr_utils.h"
#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/structural.h"

namespace cotan {

static EnumNames enum_names(VmapMethod) {
  static constexpr const char* const names[] = {"None", "sequential", "expand_dims", "broadcast_all",
                                                "legacy_vectorized"};
  return names;
}

namespace {

struct HostFunction final : Callable {
  HostFn f;
  HostFunction(std::string n, HostFn g) : Callable(std::move(n)), f(std::move(g)) {}
};

struct CallbackParams {
  CallableRef callback;
  bool ordered = false;
  std::vector<ArrayType> result_avals;
  VmapMethod vmap_method = VmapMethod::unsupported;
  template <class S, class V> static void fields(S& s, V& v) {
    v("callback", s.callback), v("ordered", s.ordered), v("result_avals", s.result_avals),
        v("vmap_method", s.vmap_method);
  }
};

void callback_avals(const AbstractIn& in, AvalVec& out) {
  for (const ArrayType& r : in.params<CallbackParams>().result_avals) out.push_back({r.shape, r.dtype, false});
}

void callback_run(const EqnContext& c, std::span<const Array> in, ArrayVec& out) {
  const auto& p = c.params<CallbackParams>();
  const CurrentTrace outside(nullptr);
  const Arrays results = static_cast<const HostFunction&>(*p.callback).f(Arrays(in.begin(), in.end()));
  const std::string name = c.primitive.name;
  if (results.size() != p.result_avals.size())
    throw RuntimeError(name + ": the callback returned " + std::to_string(results.size()) + " arrays, expected " +
                       std::to_string(p.result_avals.size()));
  for (std::size_t i = 0; i < results.size(); ++i) {
    const ArrayType& want = p.result_avals[i];
    if (!is_concrete(results[i])) throw RuntimeError(name + ": the callback returned a traced value");
    Array a = results[i];
    if (a.shape() != want.shape)
      throw RuntimeError(name + ": the callback returned an array of shape " + a.shape().str() + " as result " +
                         std::to_string(i) + ", expected " + want.shape.str());
    if (a.dtype() != want.dtype)
      throw RuntimeError(name + ": the callback returned an array of dtype " + dtype_name(a.dtype()) + " as result " +
                         std::to_string(i) + ", expected " + dtype_name(want.dtype));
    out.push_back(a);
  }
}

Effects callback_effects(const EqnContext& c, Effects kind) {
  return kind | (c.params<CallbackParams>().ordered ? ordered_effect : no_effects);
}

// --- batching -----------------------------------------------------------------------------------------------------------------------

// One lane after the other, in order.
void batch_in_turn(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  Arrays rows;
  for (std::size_t i = 0; i < in.args.size(); ++i)
    if (in.dims[i] != not_mapped) rows.push_back(ops::move_axis(in.args[i], in.dims[i], 0));
  const FlatFn lane = [&](const Arrays& x) {
    ArrayVec args, results;
    std::size_t next = 0;
    for (std::size_t i = 0; i < in.args.size(); ++i) args.push_back(in.dims[i] == not_mapped ? in.args[i] : x[next++]);
    in.primitive.bind(in.params_ref, args, results);
    return list(results);
  };
  for (const Array& a : flat_scan(lane, {}, rows, {in.axis_size, false, 1}, {})) {
    out.push_back(a);
    out_dims.push_back(0);
  }
}

void pure_batch(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  CallbackParams p = in.params<CallbackParams>();
  const VmapMethod m = p.vmap_method;
  if (m == VmapMethod::unsupported)
    throw NotImplementedError(
        "vmap is only supported for the pure_callback primitive when vmap_method is one of 'sequential', "
        "'sequential_unrolled', 'expand_dims', "
        "'broadcast_all', or 'legacy_vectorized'. Got vmap_method=None.");
  if (m == VmapMethod::sequential) return batch_in_turn(in, out, out_dims);
  ArrayVec args;
  for (std::size_t i = 0; i < in.args.size(); ++i) {
    const Array& x = in.args[i];
    if (in.dims[i] != not_mapped || m == VmapMethod::broadcast_all)
      args.push_back(ops::with_batch_front(x, in.dims[i], in.axis_size));
    else if (m == VmapMethod::expand_dims) args.push_back(ops::expand_dims(x, {0}));
    else args.push_back(x);
  }
  for (ArrayType& r : p.result_avals) r.shape.insert(0, in.axis_size);
  in.primitive.bind(make_params(std::move(p)), args, out);
  for (std::size_t i = 0; i < out.size(); ++i) out_dims.push_back(0);
}

void io_batch(const BatchIn& in, ArrayVec& out, DimVec& out_dims) {
  if (in.params<CallbackParams>().ordered) throw ValueError("Cannot `vmap` ordered IO callback.");
  batch_in_turn(in, out, out_dims);
}

void debug_jvp(const JvpIn& in, ArrayVec& primals_out, TangentVec&) {
  in.primitive.bind(in.params_ref, in.primals, primals_out);
}

Arrays bind_callback(const Primitive& primitive, CallbackParams p, const Arrays& args) {
  ArrayVec in, out;
  for (const Array& a : args) in.push_back(a);
  primitive.bind(make_params(std::move(p)), in, out);
  return list(out);
}

std::vector<ArrayType> types_of(const std::vector<Aval>& avals) {
  std::vector<ArrayType> r;
  for (const Aval& a : avals) r.push_back({a.dtype, a.shape});
  return r;
}

}  // namespace

constinit const Primitive pure_callback_p{
    .name = "pure_callback",
    .doc = "Calls a function of the user's, which has no effect, on arrays. `vmap_method` says how a batch calls it.",
    .kind = Kind::opaque,
    .operands = -1,
    .results = -1,
    .params = &params_ops<CallbackParams>,
    .abstract_eval = callback_avals,
    .jvp =
        [](const JvpIn&, ArrayVec&, TangentVec&) {
          throw ValueError(
              "Pure callbacks do not support JVP. Please use `jax.custom_jvp` to use callbacks while taking "
              "gradients.");
        },
    .transpose =
        [](const TransposeIn&, TangentVec&) {
          throw ValueError(
              "Pure callbacks do not support transpose. Please use `jax.custom_vjp` to use callbacks while taking "
              "gradients.");
        },
    .batching = pure_batch,
    .run = callback_run,
    .stablehlo = NoRule{"it calls a function of this process"},
    .samples = [] { return std::vector<Sample>(); }};

constinit const Primitive io_callback_p{
    .name = "io_callback",
    .doc =
        "Calls a function of the user's, which may have effects, on arrays: each time it is reached; in order, if "
        "`ordered`.",
    .kind = Kind::opaque,
    .operands = -1,
    .results = -1,
    .params = &params_ops<CallbackParams>,
    .abstract_eval = callback_avals,
    .jvp = [](const JvpIn&, ArrayVec&, TangentVec&) { throw ValueError("IO callbacks do not support JVP."); },
    .transpose = [](const TransposeIn&, TangentVec&) { throw ValueError("IO callbacks do not support transpose."); },
    .batching = io_batch,
    .effects = [](const EqnContext& c) { return callback_effects(c, io_effect); },
    .run = callback_run,
    .stablehlo = NoRule{"it calls a function of this process"},
    .samples = [] { return std::vector<Sample>(); }};

constinit const Primitive debug_callback_p{
    .name = "debug_callback",
    .doc =
        "Calls a function of the user's that looks at arrays; derivatives go by it, and a batch calls it for each "
        "lane.",
    .kind = Kind::opaque,
    .operands = -1,
    .results = -1,
    .params = &params_ops<CallbackParams>,
    .abstract_eval = callback_avals,
    .jvp = debug_jvp,
    .transpose = [](const TransposeIn&,
                    TangentVec&) { throw ValueError("Transpose doesn't support debugging callbacks."); },
    .batching = batch_in_turn,
    .effects = [](const EqnContext& c) { return callback_effects(c, debug_effect); },
    .run = callback_run,
    .stablehlo = NoRule{"it calls a function of this process"},
    .samples = [] { return std::vector<Sample>(); }};

Arrays bind_pure_callback(HostFn f, const std::vector<Aval>& results, const CallbackOptions& o, const Arrays& args) {
  return bind_callback(pure_callback_p,
                       {std::make_shared<HostFunction>(o.name, std::move(f)), false, types_of(results), o.vmap_method},
                       args);
}
Arrays bind_io_callback(HostFn f, const std::vector<Aval>& results, bool ordered, const std::string& name,
                        const Arrays& args) {
  return bind_callback(
      io_callback_p,
      {std::make_shared<HostFunction>(name, std::move(f)), ordered, types_of(results), VmapMethod::unsupported}, args);
}
void bind_debug_callback(std::function<void(const Arrays&)> f, bool ordered, const std::string& name,
                         const Arrays& args) {
  HostFn g = [f = std::move(f)](const Arrays& x) {
    f(x);
    return Arrays();
  };
  bind_callback(debug_callback_p,
                {std::make_shared<HostFunction>(name, std::move(g)), ordered, {}, VmapMethod::unsupported}, args);
}

}  // namespace cotan
