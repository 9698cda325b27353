// scipy.cluster.vq and scipy.integrate.
#include "api/function_table.h"
#include "cotan/scipy_signal.h"
#include "numpy/common.h"

namespace cotan::scipy::cluster::vq {

VqResult vq(const Array& obs, const Array& code_book, bool) {
  COTAN_API;
  if (obs.ndim() != code_book.ndim())
    throw ValueError("vq: obs and code_book must have one rank, got shapes " + obs.shape().str() + " and " +
                     code_book.shape().str());
  if (obs.ndim() != 1 && obs.ndim() != 2)
    throw ValueError("vq: obs must have one or two dimensions, got " + obs.aval().str());
  if (obs.ndim() == 2 && obs.shape()[1] != code_book.shape()[1] && obs.shape()[1] != 1 && code_book.shape()[1] != 1)
    throw TypeError("vq: rows must have one length, got shapes " + obs.shape().str() + " and " +
                    code_book.shape().str());
  const Array x = obs.ndim() == 1 ? ops::expand_dims(obs, {1}) : obs,
              y = code_book.ndim() == 1 ? ops::expand_dims(code_book, {1}) : code_book;
  const numpy::Pair p = numpy::promote_inexact_types("vq", x, y);
  const Array d = numpy::subtract(ops::expand_dims(p.x, {1}), ops::expand_dims(p.y, {0}));
  const Array squares = is_complex(d.dtype()) ? ops::real(ops::mul(d, ops::conj(d, d.dtype()))) : ops::mul(d, d);
  const Array distance = ops::sqrt(numpy::sum(squares, 2));
  const Array code = numpy::argmin(distance, 1);
  const Array at = ops::iota(code.dtype(), distance.shape(), 1), nearest = ops::expand_dims(code, {1});
  return {code, numpy::sum(numpy::where(numpy::equal(at, nearest), distance, ops::scalar(distance.dtype(), 0)), 1)};
}

const FunctionTable vq_table{"scipy.cluster.vq",
                             {
                                 function<vq>("vq(obs, code_book, check_finite=True)",
                                              "The nearest row of a code book for each row of observations."),
                             }};

}  // namespace cotan::scipy::cluster::vq

namespace cotan::scipy::integrate {

Array trapezoid(const Array& y, const Array& x, const TrapezoidOptions& o) {
  COTAN_API;
  return numpy::trapezoid(y, x, {.dx = o.dx, .axis = o.axis});
}

const FunctionTable integrate_table{
    "scipy.integrate",
    {
        function<trapezoid>("trapezoid(y, x=None, dx=1.0, axis=-1)", "Integral along an axis by the trapezoidal rule."),
    }};

}  // namespace cotan::scipy::integrate
