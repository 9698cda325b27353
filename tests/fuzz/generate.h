// Random programs over the elementwise, structural, indexing and reduction primitives.
#pragma once
#include <cstdint>
#include <random>
#include <vector>

#include "transforms/flat.h"

namespace cotan::fuzz {

// smooth: no operation whose result jumps where a float changes by a rounding error (comparisons, floor, argmax, ... of floats).
struct Program {
  std::uint64_t seed;
  bool smooth;
  DType dtype;  // of the float values: float32 or float64

  bool large() const { return !smooth && seed % 8 == 0; }  // arrays of thousands
  std::vector<Aval> in() const;
  Arrays operator()(const Arrays& in) const;  // the same operations at every call, in the current trace
  Arrays operands() const;
};

}  // namespace cotan::fuzz
