// Which dtypes a derivative takes and gives. `name`: of the transformation; `where`: of the value, for the message.
#pragma once
#include <string>

#include "cotan/aval.h"

namespace cotan::api {

// TypeErrors, as JAX's.
void check_reverse_input(const char* name, const Aval&, const std::string& where, bool holomorphic, bool allow_int);
void check_reverse_output(const char* name, const Aval&, bool holomorphic);
void check_forward_input(const char* name, const Aval&, const std::string& where, bool holomorphic);
void check_forward_output(const char* name, const Aval&, bool holomorphic);

}  // namespace cotan::api
