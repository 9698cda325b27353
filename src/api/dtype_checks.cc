#include "api/dtype_checks.h"

#include "cotan/errors.h"

namespace cotan::api {
namespace {

std::string but_got(const Aval& a, const std::string& where = "") {
  return std::string(", but got ") + dtype_name(a.dtype) + (where.empty() ? "." : " (" + where + ").");
}
std::string starts(const char* name, const char* rest) { return std::string(name) + rest; }

}  // namespace

void check_reverse_input(const char* name, const Aval& a, const std::string& where, bool holomorphic, bool allow_int) {
  if (holomorphic && !is_complex(a.dtype))
    throw TypeError(starts(name, " with holomorphic=True requires inputs with complex dtype") + but_got(a, where));
  if (is_inexact(a.dtype) || (allow_int && !is_key(a.dtype))) return;
  throw TypeError(starts(name, " requires real- or complex-valued inputs (an inexact dtype)") + but_got(a, where) +
                  "\nTo differentiate with respect to boolean or integer values, use vjp or set allow_int.");
}

void check_reverse_output(const char* name, const Aval& a, bool holomorphic) {
  if (holomorphic) {
    if (is_complex(a.dtype)) return;
    throw TypeError(starts(name, " with holomorphic=True requires outputs with complex dtype") + but_got(a));
  }
  if (is_floating(a.dtype)) return;
  const char* cure = is_complex(a.dtype) ? "\nFor holomorphic differentiation, set holomorphic; for functions with "
                                           "complex outputs that are not, use vjp."
                                         : "\nFor functions with integer outputs, use vjp.";
  throw TypeError(starts(name, " requires real-valued outputs (a floating dtype)") + but_got(a) + cure);
}

void check_forward_input(const char* name, const Aval& a, const std::string& where, bool holomorphic) {
  if (holomorphic) {
    if (is_complex(a.dtype)) return;
    throw TypeError(starts(name, " with holomorphic=True requires inputs with complex dtype") + but_got(a, where));
  }
  if (is_floating(a.dtype)) return;
  throw TypeError(
      starts(name, " requires real-valued inputs (a floating dtype)") + but_got(a, where) +
      "\nFor holomorphic differentiation, set holomorphic; for complex or integer inputs otherwise, use jvp.");
}

void check_forward_output(const char* name, const Aval& a, bool holomorphic) {
  if (!holomorphic || is_complex(a.dtype)) return;
  throw TypeError(starts(name, " with holomorphic=True requires outputs with complex dtype") + but_got(a));
}

}  // namespace cotan::api
