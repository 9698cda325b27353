// Expansions of the special functions of special_incomplete_rules.h and special_integrals_rules.h.
#include "ops/expand.h"
#include "ops/expand_lanes.h"
#include "ops/special_integrals_rules.h"

namespace cotan::ops::expand {

#define COTAN_EXPAND(arity, name, ...)                                                       \
  Array name(const EqnContext&, std::span<const Array> in) {                                 \
    return by_lanes<arity>(in, [](const auto&... x) { return special::name<Lanes>(x...); }); \
  }
// clang-format off
COTAN_EXPAND(2, igamma) COTAN_EXPAND(2, igammac) COTAN_EXPAND(2, igamma_grad_a) COTAN_EXPAND(2, random_gamma_grad)
COTAN_EXPAND(2, gamma_density) COTAN_EXPAND(2, log_gamma_density) COTAN_EXPAND(3, betainc) COTAN_EXPAND(3, beta_density)
COTAN_EXPAND(3, log_beta_density) COTAN_EXPAND(2, betaln) COTAN_EXPAND(1, erfcx) COTAN_EXPAND(1, dawsn)
COTAN_EXPAND(2, expn) COTAN_EXPAND(1, expi) COTAN_EXPAND(1, sine_integral) COTAN_EXPAND(1, cosine_integral)
COTAN_EXPAND(1, fresnel_sine) COTAN_EXPAND(1, fresnel_cosine) COTAN_EXPAND(1, spence) COTAN_EXPAND(2, owens_t)
COTAN_EXPAND(1, log_ndtr) COTAN_EXPAND(1, ndtri)
// clang-format on
#undef COTAN_EXPAND

}  // namespace cotan::ops::expand
