// What the samplers share: keys, shapes, dtypes, and the samplers that others are made of.
#pragma once
#include <limits>
#include <span>

#include "control/jit.h"
#include "cotan/numpy.h"
#include "cotan/random.h"
#include "lax/operands.h"
#include "numpy/common.h"
#include "ops/common.h"
#include "ops/elementwise.h"
#include "ops/random.h"
#include "ops/reduction.h"
#include "ops/structural.h"

namespace cotan::random {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

// --- checks -----------------------------------------------------------------------------------------------------------------------
// A single key, of words or of a key dtype, as the latter. TypeError for what is no key, ValueError for several.
Array single_key(const char* function, const Array& key);
Array any_keys(const Array& keys);                           // of any shape
void check_shape(const char* function, const Shape& shape);  // ValueError for negative sizes
void check_sizes(const char* function, const Shape& shape);  // TypeError
bool fits(const Array& parameter, const Shape& shape);       // whether it broadcasts to the shape
void check_fits(const char* function, const Array& parameter,
                const Shape& shape);  // ValueError unless so
// The shape as given, which the parameters must fit, or the one that they broadcast to.
Shape sample_shape(const char* function, const ShapeOrNone& shape, std::initializer_list<const Array*> parameters);
DType float_dtype(const char* function, OptionalDType);
DType int_dtype(OptionalDType);
[[noreturn]] void fail_dtype(const char* function, const char* wanted, DType got);
// A real parameter as a number of type d. TypePromotionError for a complex one.
Array real_parameter(const char* function, const Array& x, DType d);
void check_real(const char* function, const Array& x, DType d);
bool high_mode(const char* function, std::string_view mode);  // ValueError unless "high", "low" or empty

// What a call of a sampler of floats asks for, checked.
struct Request {
  Array key;
  DType dtype;
  Shape shape;
};
Request request(const char* function, const Array& key, const Shape&, OptionalDType);
// The parameters must be real, and fit the shape or give it.
Request request(const char* function, const Array& key, const ShapeOrNone&, OptionalDType,
                std::initializer_list<const Array*> parameters);

// --- values -----------------------------------------------------------------------------------------------------------------------
std::uint64_t static_key(DType d, const Shape& shape);
Array with_rank(const Array& x, int ndim);  // leading sizes of 1
inline Array aligned(const Array& x, int ndim) { return x.ndim() == 0 ? x : with_rank(x, ndim); }
Array fitted(const Array& x, const Shape& shape);  // broadcast
struct TwoKeys {
  Array first, second;
};
TwoKeys split_in_two(const Array& key);
Array key_at(const Array& keys, std::int64_t i);

// A function that JAX defines under jit, with the shape and dtype of its result as static arguments.
template <class F> Array sampler(const char* name, DType d, const Shape& shape, const Arrays& args, F body) {
  return named_jit(
      name, [&](const Arrays& a) { return Arrays{body(a)}; }, args, static_key(d, shape))[0];
}

// --- samplers, their arguments checked -----------------------------------------------------------------------------------------------
enum class Bounds : bool { positional, by_name };  // by name, JAX stages maxval before minval
Array uniform_call(const Array& key, const Shape&, DType, const Array& minval, const Array& maxval,
                   Bounds = Bounds::positional);
inline Array unit_uniform(const Array& key, const Shape& s, DType d) { return uniform_call(key, s, d, 0.0, 1.0); }
double below_one(DType d);  // 1 less the largest number of the type below 1
inline double machine_epsilon(DType d) { return 2 * below_one(d); }
double smallest_normal(DType d);
Array normal_call(const Array& key, const Shape&, DType);
Array bernoulli_call(const Array& key, const Array& p, const Shape&, bool high);
Array randint_call(const Array& key, const Shape&, const Array& low, const Array& high, DType);
Array rademacher_call(const Array& key, const Shape&, DType);
Array exponential_call(const Array& key, const Shape&, DType);
Array gumbel_call(const Array& key, const Shape&, DType, bool high);
Array gamma_call(const Array& key, const Array& a, const Shape&, DType, bool log_space);
Array binomial_call(const Array& key, const Array& n, const Array& p, const Shape&, DType);

}  // namespace cotan::random
