#include "array/debug_values.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/user_location.h"
#include "core/interpret.h"
#include "core/jaxpr_utils.h"
#include "cotan/config.h"

namespace cotan {

namespace {

using config::Flag;
using Arrays = std::vector<Array>;

struct Forbidden {
  bool nans = config::get(Flag::debug_nans), infs = config::get(Flag::debug_infs);
};

const char* said(const Forbidden& f, bool nan, bool inf) {
  return nan && f.nans ? "nan" : inf && f.infs ? "inf" : nullptr;
}

template <class T> const char* bad_among(const Forbidden& f, const Array& a, std::int64_t parts) {
  const T* x = static_cast<const T*>(bytes_of(a));
  bool nan = false, inf = false;
  for (std::int64_t i = 0; i < a.size() * parts; ++i) nan |= std::isnan(x[i]), inf |= std::isinf(x[i]);
  return said(f, nan, inf);
}

// Of 16-bit floats: all bits of the exponent, `exponent`, mean infinity or, with others below, NaN.
const char* bad_among_halves(const Forbidden& f, const Array& a, std::uint16_t exponent) {
  const auto* x = static_cast<const std::uint16_t*>(bytes_of(a));
  bool nan = false, inf = false;
  for (std::int64_t i = 0; i < a.size(); ++i) {
    const auto magnitude = static_cast<std::uint16_t>(x[i] & 0x7fff);
    nan |= magnitude > exponent, inf |= magnitude == exponent;
  }
  return said(f, nan, inf);
}

// "nan" or "inf"; null: it has none that is forbidden.
const char* bad_value(const Forbidden& f, const Array& a) {
  switch (a.dtype()) {
    case DType::float32: return bad_among<float>(f, a, 1);
    case DType::float64: return bad_among<double>(f, a, 1);
    case DType::complex64: return bad_among<float>(f, a, 2);
    case DType::complex128: return bad_among<double>(f, a, 2);
    case DType::float16: return bad_among_halves(f, a, 0x7c00);
    case DType::bfloat16: return bad_among_halves(f, a, 0x7f80);
    default: return nullptr;
  }
}
const char* bad_among_all(const Forbidden& f, std::span<const Array> all) {
  for (const Array& a : all)
    if (const char* bad = bad_value(f, a)) return bad;
  return nullptr;
}

[[noreturn]] void fail(const Primitive& p, const char* bad) {
  throw FloatingPointError(std::string("invalid value (") + bad + ") encountered in " + p.name);
}

Array row(const Array& x, std::int64_t i) {
  Aval a = x.aval();
  a.shape.erase(0);
  const auto bytes = static_cast<std::size_t>(a.size()) * item_size(a.dtype);
  return evaluation_hook().from_bytes(a, static_cast<const char*>(bytes_of(x)) + static_cast<std::size_t>(i) * bytes);
}

// Runs again what gave bad values, and fails for the equation that made them of others: it is found by going from a bad
// result from equation to equation, each time to one that gave a bad operand. What reaches no result is not looked at.
class Search {
 public:
  // Results of the program; nothing is thrown where none is bad, or the bad ones are inputs.
  Arrays program(const Jaxpr& j, std::span<const Array> args) {
    std::vector<Array> env(j.vars.size());
    std::vector<std::uint32_t> maker(j.vars.size(), never_used);
    const auto read = [&](Atom a) {
      return a.is_literal() ? literal_array(j.literals[a.literal_index()]) : env[a.var().id];
    };
    for (std::size_t i = 0; i < args.size(); ++i) env[j.invars[i].id] = args[i];
    ArrayVec in, out;
    for (std::uint32_t k = 0; k < j.eqns.size(); ++k) {
      in.clear(), out.clear();
      for (Atom a : j.inputs(j.eqns[k])) in.push_back(read(a));
      const AtPosition at(j.eqns[k].source);
      j.eqns[k].primitive->bind(j.eqns[k].params, in, out);
      for (std::size_t i = 0; i < out.size(); ++i) {
        const std::uint32_t v = j.outputs(j.eqns[k])[i].var().id;
        env[v] = out[i], maker[v] = k;
      }
    }
    Arrays results;
    for (Atom a : j.outvars) results.push_back(read(a));
    for (Atom a : j.outvars)
      if (!a.is_literal() && bad_value(forbidden_, env[a.var().id])) blame(j, env, maker, a.var().id);
    return results;
  }

  // Of an equation whose operands are good and whose results are not.
  void regions(const EqnContext& c, std::span<const Array> in) {
    const Regions r = c.primitive.regions(c);
    if (r.programs.empty()) return;
    switch (r.kind) {
      case RegionKind::call: program(r.programs[0]->jaxpr(), in); break;
      case RegionKind::branch: {
        std::int32_t index;
        std::memcpy(&index, bytes_of(in[0]), sizeof index);
        const auto last = static_cast<std::int32_t>(r.programs.size()) - 1;
        program(r.programs[static_cast<std::size_t>(std::clamp(index, 0, last))]->jaxpr(), in.subspan(1));
        break;
      }
      case RegionKind::scan: scan(r, in); break;
      case RegionKind::while_loop: while_loop(r, in); break;
    }
  }

 private:
  void blame(const Jaxpr& j, const std::vector<Array>& env, const std::vector<std::uint32_t>& maker, std::uint32_t v) {
    std::uint32_t k = maker[v];
    if (k == never_used) return;
    for (;;) {
      const auto inputs = j.inputs(j.eqns[k]);
      const auto worse = std::find_if(inputs.begin(), inputs.end(), [&](Atom a) {
        return !a.is_literal() && bad_value(forbidden_, env[a.var().id]);
      });
      if (worse == inputs.end() || maker[worse->var().id] == never_used) break;
      v = worse->var().id;
      k = maker[v];
    }
    const JaxprEqn& e = j.eqns[k];
    const AtPosition at(e.source);
    if (e.primitive->regions) {
      Arrays in;
      for (Atom a : j.inputs(e))
        in.push_back(a.is_literal() ? literal_array(j.literals[a.literal_index()]) : env[a.var().id]);
      regions({*e.primitive, e.params}, in);
    }
    fail(*e.primitive, bad_value(forbidden_, env[v]));
  }

  void scan(const Regions& r, std::span<const Array> in) {
    const auto consts = in.begin() + r.consts, rows = consts + r.carries;
    Arrays carries(consts, rows);
    for (std::int64_t step = 0; step < r.length; ++step) {
      Arrays args(in.begin(), consts);
      args.insert(args.end(), carries.begin(), carries.end());
      for (auto x = rows; x != in.end(); ++x) args.push_back(row(*x, r.reverse ? r.length - 1 - step : step));
      const Arrays out = program(r.programs[0]->jaxpr(), args);
      carries.assign(out.begin(), out.begin() + r.carries);
    }
  }

  void while_loop(const Regions& r, std::span<const Array> in) {
    const auto consts = in.begin() + r.condition_consts, first = consts + r.consts;
    Arrays carries(first, in.end());
    for (;;) {
      Arrays args(in.begin(), consts);
      args.insert(args.end(), carries.begin(), carries.end());
      if (!bool(program(r.programs[0]->jaxpr(), args)[0])) return;
      args.assign(consts, first);
      args.insert(args.end(), carries.begin(), carries.end());
      carries = program(r.programs[1]->jaxpr(), args);
    }
  }

  const Forbidden forbidden_;
  const config::Scoped no_nans_{Flag::debug_nans, false}, no_infs_{Flag::debug_infs, false};
};

}  // namespace

bool debugs_values() { return config::get(Flag::debug_nans) || config::get(Flag::debug_infs); }

void check_values(const EqnContext& c, std::span<const Array> in, std::span<const Array> results) {
  const char* bad = bad_among_all({}, results);
  if (!bad) return;
  if (c.primitive.regions) Search().regions(c, in);
  fail(c.primitive, bad);
}

}  // namespace cotan
