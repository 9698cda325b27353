// Parameters of primitives. A parameter struct lists its fields once, in alphabetical order; printing, parsing, hashing,
// equality and keywords follow from the list:
//
//   struct ReshapeParams {
//     std::optional<IntList> dimensions;
//     Shape new_sizes;
//     template <class S, class V> static void fields(S& s, V& v) { v("dimensions", s.dimensions); v("new_sizes", s.new_sizes); }
//   };
//
// Fields may be bool, int, std::int64_t, double, DType, IntList, Shape, std::string, enums with an `enum_names` overload,
// ClosedJaxpr, CallableRef, Absent, nested structs with fields, std::optional and std::vector of these.
#pragma once
#include <string>

#include "base/hash.h"
#include "base/intrusive.h"
#include "core/params_visit.h"
#include "cotan/jaxpr.h"

namespace cotan {

struct ParamsBase;

// A parameter that JAX has and Cotan does not use: printed as None, always equal.
struct Absent {};

// A function of the user's that a program holds, opaque to it: two are equal when they are one object. In the exact text it is
// a handle, which is read back while the function lives.
class Callable {
 public:
  explicit Callable(std::string name);
  Callable(const Callable&) = delete;
  virtual ~Callable();
  const std::string name;
  const std::uint64_t serial;  // never used again
};
std::string callable_handle(const CallableRef&);       // as the exact text has it; find_callable knows it from here on
CallableRef find_callable(const std::string& handle);  // null: there is none, or no longer

// What a kind of parameters can do, erased. `pretty` is for JAX's text, `parse` for the exact form; `send` shows every field
// to a visitor (core/params_ops.h), which is how the exact form is printed.
struct ParamsOps {
  void (*pretty)(const ParamsBase&, class PrettyParams&);
  void (*send)(const ParamsBase&, class FieldSink&);
  ParamsBase* (*parse)(class ParamsParser&);
  void (*hash)(const ParamsBase&, Hasher&);
  bool (*equal)(const ParamsBase&, const ParamsBase&);
  void (*jaxprs)(const ParamsBase&, void* context, void (*each)(void* context, const ClosedJaxpr&));
};

struct ParamsBase : RefCounted {
  const ParamsOps* ops;
  explicit ParamsBase(const ParamsOps* o) : ops(o) {}
};
using ParamsRef = Ref<const ParamsBase>;

template <class P> struct ParamsBox final : ParamsBase {
  P value;
  explicit ParamsBox(P v);
};

template <class P> ParamsRef make_params(P p) { return ParamsRef(new ParamsBox<P>(std::move(p))); }
template <class P> const P& params_as(const ParamsBase* p) { return static_cast<const ParamsBox<P>*>(p)->value; }

bool params_equal(const ParamsBase* a, const ParamsBase* b);  // null: no parameters
void params_hash(const ParamsBase* p, Hasher& h);

}  // namespace cotan

#include "core/params_ops.h"
