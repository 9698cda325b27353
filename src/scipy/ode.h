// odeint over lists of arrays.
#pragma once
#include "cotan/ode.h"
#include "transforms/flat.h"

namespace cotan {

// f takes the leaves of y, then the time, and gives those of dy/dt.
Arrays flat_odeint(const FlatFn& f, const Arrays& y0, const Array& times, const experimental::OdeOptions&);

}  // namespace cotan
