// The check primitive, and error values.
#include <algorithm>
#include <set>

#include "base/host_scalar.h"
#include "base/user_location.h"
#include "control/callback.h"
#include "control/checkify.h"
#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/reduction.h"
#include "ops/structural.h"

namespace cotan {

static EnumNames enum_names(CheckKind) {
  static constexpr const char* const names[] = {"user", "nan", "index", "division"};
  return names;
}

namespace {

struct CheckParams {
  bool debug = false;
  CheckKind kind = CheckKind::user;
  CallableRef message;
  template <class S, class V> static void fields(S& s, V& v) {
    v("debug", s.debug), v("kind", s.kind), v("message", s.message);
  }
  void pretty(PrettyParams& p) const { p.field("debug", debug); }
};

CheckMessageRef message_of(const CheckParams& p) { return std::static_pointer_cast<const CheckMessage>(p.message); }

void check_avals(const AbstractIn& in, AvalVec&) {
  if (in.in.empty() || in.in[0].dtype != DType::bool_ || in.in[0].ndim() != 0)
    throw TypeError("check: the first operand must be a bool scalar, got " + (in.in.empty() ? "none" : in.in[0].str()));
}

void check_jvp(const JvpIn& in, ArrayVec& primals_out, TangentVec&) {
  in.primitive.bind(in.params_ref, in.primals, primals_out);
}

// The first lane that fails.
void check_batch(const BatchIn& in, ArrayVec& out, DimVec&) {
  constexpr DType i32 = DType::int32;
  const auto at_lane = [&](std::size_t i, const Array& lane) {
    const Array& x = in.args[i];
    if (in.dims[i] == not_mapped) return x;
    std::vector<Array> starts(static_cast<std::size_t>(x.ndim()), ops::scalar_int(i32, 0));
    starts[static_cast<std::size_t>(in.dims[i])] = lane;
    Shape sizes = x.shape();
    sizes[in.dims[i]] = 1;
    return ops::squeeze(ops::dynamic_slice(x, starts, sizes), {in.dims[i]});
  };
  ArrayVec operands;
  const bool per_lane = in.dims[0] != not_mapped;
  const Array lane =
      per_lane ? ops::argmax(ops::convert_element_type(in.args[0], i32), 0, i32) : ops::scalar_int(i32, 0);
  if (in.axis_size == 0) return;
  operands.push_back(per_lane ? ops::reduce_or(in.args[0], {0}) : in.args[0]);
  for (std::size_t i = 1; i < in.args.size(); ++i) operands.push_back(at_lane(i, lane));
  in.primitive.bind(in.params_ref, operands, out);
}

void check_run(const EqnContext& c, std::span<const Array> in, ArrayVec&) {
  const auto& p = c.params<CheckParams>();
  if (p.debug || !bool(in[0])) return;
  const CheckMessageRef m = message_of(p);
  const AtPosition at(m->position ? m->position(in.subspan(1)) : nullptr);
  throw CheckError(m->text(in.subspan(1)));
}

void check_emit(const EmitIn& in, kernel::Plan&) {
  if (in.params<CheckParams>().debug) return;
  throw ValueError(
      "Cannot abstractly evaluate a checkify.check which was not functionalized. This probably means you tried to "
      "stage "
      "(jit/scan/pmap/...) a `check` without functionalizing it through `checkify.checkify`.");
}

// --- error values -------------------------------------------------------------------------------------------------------------------
const std::int32_t* codes_of(const ErrorValue& e) {
  if (!e.code.has_value()) return nullptr;
  if (!is_concrete(e.code))
    throw TracerBoolConversionError("checkify: whether an error is one is asked while it is traced: " +
                                    e.code.aval().str());
  return static_cast<const std::int32_t*>(bytes_of(e.code));
}

// The values of a site, of one lane.
ArrayVec values_of(const ErrorValue& e, std::size_t site, std::int64_t lane) {
  std::size_t first = 0;
  for (std::size_t k = 0; k < site; ++k) first += (*e.sites)[k].values.size();
  ArrayVec out;
  const std::vector<Aval>& types = (*e.sites)[site].values;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const auto bytes = static_cast<std::size_t>(types[i].size()) * item_size(types[i].dtype);
    out.push_back(evaluation_hook().from_bytes(
        types[i], static_cast<const char*>(bytes_of(e.values[first + i])) + static_cast<std::size_t>(lane) * bytes));
  }
  return out;
}

std::string lane_name(const Shape& shape, std::int64_t lane) {
  std::string name;
  for (int i = shape.ndim() - 1; i >= 0; --i) {
    name = std::to_string(lane % shape[i]) + (name.empty() ? "" : ", ") + name;
    lane /= shape[i];
  }
  return name;
}

}  // namespace

constinit const Primitive check_p{
    .name = "check",
    .doc =
        "Whether the first operand, a bool scalar, is false: if not, an error with a message of the other operands. "
        "checkify takes it out of a program. `debug`: without checkify it does nothing.",
    .kind = Kind::opaque,
    .operands = -1,
    .results = -1,
    .params = &params_ops<CheckParams>,
    .abstract_eval = check_avals,
    .jvp = check_jvp,
    .transpose = not_linear,
    .batching = check_batch,
    .effects = [](const EqnContext&) { return check_effect; },
    .run = check_run,
    .checks =
        [](const ChecksIn& in, std::vector<Check>& out) {
          const auto& p = in.params<CheckParams>();
          out.push_back({p.kind, in.in[0], ArrayVec(in.in.subspan(1)), message_of(p)});
        },
    .emit = check_emit,
    .stablehlo = NoRule{"checkify takes checks out of a program"},
    .samples = [] { return std::vector<Sample>(); }};

void bind_check(CheckKind kind, const Array& failed, CheckMessageRef message, bool debug, const Arrays& values) {
  ArrayVec in{failed}, out;
  for (const Array& a : values) in.push_back(a);
  check_p.bind(make_params(CheckParams{debug, kind, std::move(message)}), in, out);
}

void bind_check_error(const ErrorValue& e) {
  if (!e.code.has_value()) return;
  std::set<CheckKind> kinds;
  for (const CheckSite& s : *e.sites) kinds.insert(s.kind);
  const auto given = [sites = e.sites](std::span<const Array> v) {
    return ErrorValue{v[0], Arrays(v.begin() + 1, v.end()), sites};
  };
  const auto message = std::make_shared<const CheckMessage>(
      "error", [given](std::span<const Array> v) { return error_text(given(v)); },
      [given](std::span<const Array> v) -> const void* {
        const CheckSite* s = first_failed(given(v));
        return s ? s->source : nullptr;
      });
  Arrays values{e.code};
  values.insert(values.end(), e.values.begin(), e.values.end());
  for (CheckKind k : kinds) {
    Array failed = ops::scalar(DType::bool_, 0);
    for (std::size_t i = 0; i < e.sites->size(); ++i)
      if ((*e.sites)[i].kind == k)
        failed = ops::bit_or(failed, ops::eq(e.code, ops::scalar_int(DType::int32, static_cast<std::int64_t>(i) + 1)));
    if (failed.ndim() > 0) failed = ops::reduce_or(failed, IntList::range(failed.ndim()));
    bind_check(k, failed, message, false, values);
  }
}

const CheckSite* first_failed(const ErrorValue& e) {
  const std::int32_t* codes = codes_of(e);
  for (std::int64_t i = 0; codes && i < e.code.size(); ++i)
    if (codes[i]) return &(*e.sites)[static_cast<std::size_t>(codes[i] - 1)];
  return nullptr;
}

std::string error_text(const ErrorValue& e) {
  const std::int32_t* codes = codes_of(e);
  std::string text;
  for (std::int64_t i = 0; codes && i < e.code.size(); ++i) {
    if (!codes[i]) continue;
    const auto site = static_cast<std::size_t>(codes[i] - 1);
    const std::string line = (*e.sites)[site].message->text(values_of(e, site, i));
    if (e.code.ndim() == 0) return line;
    text += (text.empty() ? "" : "\n") + ("at mapped index " + lane_name(e.code.shape(), i) + ": " + line);
  }
  return text;
}

}  // namespace cotan
