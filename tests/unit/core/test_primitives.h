// Primitives for the tests of core/, which has none of its own: named as JAX's where texts are compared with JAX's.
#pragma once
#include <string>
#include <vector>

#include "core/jaxpr.h"
#include "core/params_ops.h"
#include "core/primitive.h"

namespace cotan::test {

enum class Mode { clip, fill_or_drop, zero };
inline EnumNames enum_names(Mode) {
  static constexpr const char* names[] = {"Mode.CLIP", "Mode.FILL_OR_DROP", "0"};
  return names;
}

struct Numbers {
  static constexpr const char* struct_name = "Numbers";
  IntList first, second;
  template <class S, class V> static void fields(S& s, V& v) {
    v("first", s.first);
    v("second", s.second);
  }
};
struct Pair {
  IntList a;
  std::optional<Numbers> b;
  template <class S, class V> static void fields(S& s, V& v) {
    v("a", s.a);
    v("b", s.b);
  }
};

struct EveryParams {  // every type of field
  Absent absent;
  bool boolean = false;
  DType dtype = DType::float32;
  std::vector<bool> flags;
  int integer = 0;
  std::int64_t large = 0;
  std::vector<IntList> lists;
  std::optional<Mode> maybe;
  Mode mode = Mode::clip;
  Numbers numbers;
  std::vector<Pair> pairs;
  std::optional<ClosedJaxpr> program;
  double real = 0;
  Shape shape;
  std::string text;
  template <class S, class V> static void fields(S& s, V& v) {
    v("absent", s.absent);
    v("boolean", s.boolean);
    v("dtype", s.dtype);
    v("flags", s.flags);
    v("integer", s.integer);
    v("large", s.large);
    v("lists", s.lists);
    v("maybe", s.maybe);
    v("mode", s.mode);
    v("numbers", s.numbers);
    v("pairs", s.pairs);
    v("program", s.program);
    v("real", s.real);
    v("shape", s.shape);
    v("text", s.text);
  }
};

struct CallParams {
  ClosedJaxpr jaxpr;
  std::string name;
  template <class S, class V> static void fields(S& s, V& v) {
    v("jaxpr", s.jaxpr);
    v("name", s.name);
  }
  void pretty(PrettyParams& p) const {
    p.field("name", name);
    p.call("jaxpr", jaxpr);
  }
};
struct CondParams {
  std::vector<ClosedJaxpr> branches;
  template <class S, class V> static void fields(S& s, V& v) { v("branches", s.branches); }
};
struct AxisParams {
  int dimension = 0;
  template <class S, class V> static void fields(S& s, V& v) { v("dimension", s.dimension); }
};
struct BroadcastParams {
  IntList broadcast_dimensions;
  Shape shape;
  template <class S, class V> static void fields(S& s, V& v) {
    v("broadcast_dimensions", s.broadcast_dimensions);
    v("shape", s.shape);
  }
  void pretty(PrettyParams& p) const {
    if (!broadcast_dimensions.empty()) p.field("broadcast_dimensions", broadcast_dimensions);
  }
};
struct IotaParams {
  int dimension = 0;
  DType dtype = DType::int32;
  Shape shape;
  Absent sharding;
  template <class S, class V> static void fields(S& s, V& v) {
    v("dimension", s.dimension);
    v("dtype", s.dtype);
    v("shape", s.shape);
    v("sharding", s.sharding);
  }
};

extern const Primitive add, sin, cos, every, jit, cond, concatenate, broadcast_in_dim, iota, top, shout;

// Registers them and a way to make constants. Does so once.
void set_up();

// A float32 array of the values.
Array floats(const Shape&, const std::vector<float>&);

}  // namespace cotan::test
