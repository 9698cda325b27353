// Evaluation, text and declarations.
#include <cstdlib>
#include <algorithm>
#include <cstring>
#include <string_view>

#include "array/executable.h"
#include "control/jit.h"
#include "core/jaxpr_utils.h"
#include "core/typecheck.h"
#include "derived/checks.h"
#include "derived/golden.h"

namespace cotan::derived {

namespace {

std::string compare(const Arrays& got, const Arrays& want, const char* what) {
  if (got.size() != want.size()) return std::string(what) + " gives another number of results";
  for (std::size_t i = 0; i < got.size(); ++i)
    if (!same_bits(got[i], want[i])) {
      std::string d = difference(got[i], want[i], 0, 0);
      return std::string(what) + ", result " + std::to_string(i) + ": " + (d.empty() ? "bits or weak types differ" : d);
    }
  return "";
}

// The plan of the equation over buffers that are full of NaN.
Arrays run_plan(const Case& c, const Arrays& x, const std::vector<Aval>& out) {
  const ExecutablePlan plan(plan_of_equation({*c.primitive, c.params}, c.in, out));
  std::vector<const void*> in;
  for (const Array& a : x) in.push_back(bytes_of(a));
  std::vector<std::vector<unsigned char>> results;
  std::vector<void*> to;
  for (const Aval& a : out) results.emplace_back(static_cast<std::size_t>(a.size()) * item_size(a.dtype) + 64, 0xff);
  for (auto& r : results) to.push_back(r.data());
  plan.run(in, to);
  Arrays v;
  for (std::size_t i = 0; i < out.size(); ++i) v.push_back(evaluation_hook().from_bytes(out[i], results[i].data()));
  return v;
}

// A dtype that the record accepts and no tile function computes: building its plan would abort.
std::string missing_tile(const Case& c) {
  if (!c.primitive->tile || c.primitive->emit) return "";
  const kernel::TileOp* op = kernel::tiles().find(c.primitive->tile);
  if (!op) return std::string("no tile operation ") + c.primitive->tile;
  const DType key = c.in[static_cast<std::size_t>(c.primitive->tile_key)].dtype;
  return op->fn[static_cast<int>(key)] ? "" : std::string("no tile function ") + op->name + " for " + dtype_name(key);
}

std::string evaluate_on(const Case& c, const Arrays& x) {
  if (std::string w = missing_tile(c); !w.empty()) return w;
  const std::vector<Aval> avals = c.out_avals();
  const Arrays eager = c.apply(x);
  if (eager.size() != avals.size()) return "abstract_eval gives another number of results";
  for (std::size_t i = 0; i < eager.size(); ++i)
    if (!(eager[i].aval() == avals[i]))
      return "result " + std::to_string(i) + " is " + eager[i].aval().str() + ", abstract_eval says " + avals[i].str();
  if (std::string w = compare(run_plan(c, x, avals), eager, "the plan"); !w.empty()) return w;
  const ClosedJaxpr program = flat_make_jaxpr(c.function(), c.in);
  if (std::string w = compare(bind_jit("f", program, x), eager, "jit"); !w.empty()) return w;
  return compare(c.apply(x), eager, "a second call");
}

bool any_inexact(const std::vector<Aval>& avals) {
  for (const Aval& a : avals)
    if (is_inexact(a.dtype) && a.size()) return true;
  return false;
}

}  // namespace

namespace {
// The case on vectors of special values, with its operands; false where it has none.
bool special_case(const Case& c, Case& special, Arrays& x) {
  if (c.primitive->kind != Kind::elementwise) return false;
  special = c;
  std::int64_t size = 0;
  for (std::size_t i = 0; i < c.in.size(); ++i) {
    if (is_key(c.in[i].dtype)) return false;
    x.push_back(special_values(c.in[i].dtype, static_cast<int>(i)));
    size = std::max(size, x.back().size());
  }
  for (std::size_t i = 0; i < x.size(); ++i) {  // dtypes have several numbers of special values
    Numbers v = numbers_of(x[i]), repeated;
    for (std::int64_t k = 0; k < size; ++k) repeated.push_back(v[static_cast<std::size_t>(k) % v.size()]);
    special.in[i] = {Shape(size), c.in[i].dtype, false};
    x[i] = array_of(special.in[i], repeated);
  }
  return true;
}
}  // namespace

std::string check_evaluation(const Case& c) {
  if (std::string w = evaluate_on(c, c.operands()); !w.empty()) return w;
  Case special;
  Arrays x;
  if (!special_case(c, special, x)) return "";
  std::string w = evaluate_on(special, x);
  return w.empty() ? w : "special values: " + w;
}

std::string golden_inputs() {
  std::string s;
  const char* only = std::getenv("COTAN_GOLDEN_ONLY");
  for (const Primitive* p : all_primitives()) {
    if (only && ("," + std::string(only) + ",").find("," + std::string(p->name) + ",") == std::string::npos) continue;
    std::vector<std::vector<DType>> seen;
    for (const Case& c : cases_of(*p)) {
      s += golden_input(flat_make_jaxpr(c.function(), c.in), c.operands());
      std::vector<DType> dtypes;
      for (const Aval& a : c.in) dtypes.push_back(a.dtype);
      Case special;
      Arrays x;
      if ((c.params || std::find(seen.begin(), seen.end(), dtypes) == seen.end()) && special_case(c, special, x))
        s += golden_input(flat_make_jaxpr(special.function(), special.in), x);
      seen.push_back(dtypes);
    }
  }
  return s;
}

std::string check_text(const Case& c) {
  const ClosedJaxpr program = flat_make_jaxpr(c.function(), c.in);
  check_jaxpr(program);
  if (program.str().empty()) return "no text";
  if (find_primitive(c.primitive->name) != c.primitive) return "";  // a mutant has no name of its own
  const std::string text = program.to_text();
  const ClosedJaxpr again = parse_jaxpr(text);
  if (!same_jaxpr(program, again)) return "parsed, it differs: " + text + " is now " + again.to_text();
  return "";
}

std::string check_declarations(const Case& c) {
  const Primitive& p = *c.primitive;
  const Arrays x = c.operands();
  const bool inexact_in = any_inexact(c.in), inexact_out = any_inexact(c.out_avals());
  Tangents t;
  for (const Array& a : x) t.push_back(is_inexact(a.dtype()) ? Tangent(a) : Tangent::zero_of(a.aval()));
  if (inexact_in && p.jvp.is_set() && !p.jvp) {
    const bool zero = p.jvp.reason() == std::string_view(zero_derivative.reason);
    try {
      for (const Tangent& d : flat_jvp(c.function(), x, t).tangents)
        if (!d.is_zero()) return "declared of zero derivative, the tangent is not a zero";
      if (!zero) return "declared not differentiable, but jvp gives a result";
    } catch (const NotImplementedError& e) {
      if (zero || e.message().find(p.name) == std::string::npos) return std::string("jvp: ") + e.what();
    }
  }
  if (inexact_in && inexact_out && !p.transpose) {
    try {
      const Linear l = flat_linear_jaxpr(c.function(), c.in);
      Tangents cts;
      for (const Aval& a : l.out_avals()) cts.push_back(Tangent(operand(a, {1, 2}, 5)));
      l.transpose(cts);
      return "declared not linear, but transposes";
    } catch (const NotImplementedError& e) {
      if (e.message().find(p.name) == std::string::npos) return std::string("transpose: ") + e.what();
    }
  }
  return "";
}

}  // namespace cotan::derived
