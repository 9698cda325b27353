// How arrays are printed.
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

printoptions::printoptions(const PrintOptions& o) : before_(get_printoptions()) { set_printoptions(o); }
printoptions::~printoptions() { set_printoptions(before_); }

const FunctionTable print_table{
    "numpy",
    {
        function<array_str>("array_str(a, max_line_width=None, precision=None, suppress_small=None)",
                            "The elements as text, as NumPy prints them."),
        function<array_repr>("array_repr(arr, max_line_width=None, precision=None, suppress_small=None)",
                             "The array as text, with its dtype."),
    }};

}  // namespace cotan::numpy
