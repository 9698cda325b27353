// Products within groups of equal numbers, each without one factor.
#pragma once
#include "core/primitive.h"

namespace cotan::ops {

// For each of the factors, [n], the product of all others that have its place; places: [n], integers of at least 0. By products alone,
// so that zeros and infinities count as they do in any product, in derivatives of every order; O(log n) equations.
Array products_of_others(const Array& factors, const Array& places);

}  // namespace cotan::ops
