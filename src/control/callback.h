// Calls of the user's functions on values, while programs run: pure, with input and output, and for looking.
#pragma once
#include "control/programs.h"
#include "cotan/callback.h"

namespace cotan {

extern const Primitive pure_callback_p, io_callback_p, debug_callback_p;

// Bits of Effects. Equations with effects keep their order; none is left out.
inline constexpr Effects debug_effect = 1, io_effect = 2, ordered_effect = 4, check_effect = 8;

using HostFn = std::function<Arrays(const Arrays&)>;  // of concrete arrays
struct CallbackOptions {
  std::string name = "callback";  // as printed
  VmapMethod vmap_method = VmapMethod::unsupported;
};

// f has no effect: it is called as often as its results are needed. RuntimeError when results do not have the types that were promised.
Arrays bind_pure_callback(HostFn f, const std::vector<Aval>& results, const CallbackOptions&, const Arrays& args);
Arrays bind_io_callback(HostFn f, const std::vector<Aval>& results, bool ordered, const std::string& name,
                        const Arrays& args);
void bind_debug_callback(std::function<void(const Arrays&)> f, bool ordered, const std::string& name,
                         const Arrays& args);

}  // namespace cotan
