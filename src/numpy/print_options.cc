// How arrays are printed.
#include <cmath>
#include <limits>

#include "api/function_table.h"
#include "cotan/numpy_print.h"
#include "numpy/number_text.h"

namespace cotan::numpy {

PrintOptions get_printoptions() {
  const PrintSettings& s = print_settings();
  return {.precision = s.precision,
          .threshold = s.threshold,
          .edgeitems = s.edge,
          .linewidth = s.line_width,
          .suppress = s.suppress,
          .nanstr = s.nan,
          .infstr = s.inf,
          .sign = s.sign,
          .floatmode = s.mode};
}

void set_printoptions(const PrintOptions& o) {
  const auto at_least = [](const char* name, std::int64_t value, std::int64_t least) {
    if (value < least)
      throw ValueError(std::string("set_printoptions: ") + name + " must be at least " + std::to_string(least) +
                       ", got " + std::to_string(value));
  };
  if (o.precision) at_least("precision", *o.precision, 0);
  if (o.threshold) at_least("threshold", *o.threshold, 0);
  if (o.edgeitems) at_least("edgeitems", *o.edgeitems, 1);
  if (o.linewidth) at_least("linewidth", *o.linewidth, 1);
  if (o.sign && *o.sign != '-' && *o.sign != '+' && *o.sign != ' ')
    throw ValueError(std::string("set_printoptions: sign must be one of ' ', '+', '-', got '") + *o.sign + "'");
  if (o.floatmode && *o.floatmode != "fixed" && *o.floatmode != "unique" && *o.floatmode != "maxprec" &&
      *o.floatmode != "maxprec_equal")
    throw ValueError("set_printoptions: floatmode must be 'fixed', 'unique', 'maxprec' or 'maxprec_equal', got '" +
                     *o.floatmode + "'");
  PrintSettings& s = print_settings();
  s.precision = std::min(o.precision.value_or(s.precision), 300);
  s.threshold = o.threshold.value_or(s.threshold);
  s.edge = o.edgeitems.value_or(s.edge);
  s.line_width = o.linewidth.value_or(s.line_width);
  s.suppress = o.suppress.value_or(s.suppress);
  s.nan = o.nanstr.value_or(s.nan);
  s.inf = o.infstr.value_or(s.inf);
  s.sign = o.sign.value_or(s.sign);
  s.mode = o.floatmode.value_or(s.mode);
}

namespace {

using table::Call;
using table::Value;

// As NumPy names and orders them.
Value::Entries entries_of(const PrintOptions& o) {
  return {{"edgeitems", *o.edgeitems}, {"threshold", *o.threshold}, {"floatmode", *o.floatmode},
          {"precision", *o.precision}, {"suppress", *o.suppress},   {"linewidth", *o.linewidth},
          {"nanstr", *o.nanstr},       {"infstr", *o.infstr},       {"sign", std::string(1, *o.sign)},
          {"formatter", Value()},      {"legacy", false},           {"override_repr", Value()}};
}

PrintOptions options_of(const Call& c) {
  for (const char* name : {"formatter", "legacy", "override_repr"})
    if (!c[name].is_none() && !c[name].same(false)) throw NotImplementedError(std::string("set_printoptions: ") + name);
  PrintOptions o;
  const auto number = [&](const char* name, auto& field) {
    if (!c[name].is_none()) field = c.get<int>(name);
  };
  const auto text = [&](const char* name, std::optional<std::string>& field) {
    if (!c[name].is_none()) field = c.get<std::string>(name);
  };
  number("precision", o.precision), number("edgeitems", o.edgeitems), number("linewidth", o.linewidth);
  if (const double* threshold = c["threshold"].get<double>(); threshold && std::isinf(*threshold)) {
    o.threshold = std::numeric_limits<std::int64_t>::max();  // never summarised
  } else if (!c["threshold"].is_none()) o.threshold = c.get<std::int64_t>("threshold");
  if (!c["suppress"].is_none()) o.suppress = c.get<bool>("suppress");
  text("nanstr", o.nanstr), text("infstr", o.infstr), text("floatmode", o.floatmode);
  if (c["sign"].is_none()) return o;
  const std::string sign = c.get<std::string>("sign");
  if (sign.size() != 1) throw ValueError("set_printoptions: sign must be one of ' ', '+', '-', got '" + sign + "'");
  o.sign = sign[0];
  return o;
}

Value get_call(const Call&) { return Value::dict(entries_of(get_printoptions())); }
Value set_call(const Call& c) {
  set_printoptions(options_of(c));
  return {};
}
// A function that gives a function with these options set while it runs.
Value with_options(const Call& c) {
  return Value::Function{[o = options_of(c)](const Value::Items& given) -> Value {
    const Value::Function* f = given.size() == 1 ? given[0].get<Value::Function>() : nullptr;
    if (!f) throw TypeError("printoptions: a function was expected");
    return Value::Function{[o, f = *f](const Value::Items& arguments) {
      const printoptions set(o);
      return f(arguments);
    }};
  }};
}

}  // namespace

printoptions::printoptions(const PrintOptions& o) : before_(get_printoptions()) { set_printoptions(o); }
printoptions::~printoptions() { set_printoptions(before_); }

const FunctionTable print_table{
    "numpy",
    {
        function<array_str>("array_str(a, max_line_width=None, precision=None, suppress_small=None)",
                            "The elements as text, as NumPy prints them."),
        function<array_repr>("array_repr(arr, max_line_width=None, precision=None, suppress_small=None)",
                             "The array as text, with its dtype."),
        function<get_call>("get_printoptions()", "How arrays are printed, as a dict."),
        function<set_call>(
            "set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, suppress=None, "
            "nanstr=None, "
            "infstr=None, formatter=None, sign=None, floatmode=None, *, legacy=None, override_repr=None)",
            "Changes how arrays are printed in this thread."),
        function<with_options>(
            "printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, suppress=None, nanstr=None, "
            "infstr=None, formatter=None, sign=None, floatmode=None, *, legacy=None, override_repr=None)",
            "A decorator: the function prints with these options."),
    }};

}  // namespace cotan::numpy
