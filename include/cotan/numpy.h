// NumPy's functions with JAX's types and rules. Every name is one plain function, so that grad(jnp::sin) and
// vmap(jnp::dot, ...) work: leading parameters are positional as in NumPy, the rest stand in a trailing struct:
// jnp::sum(x, 0, {.keepdims = true}).
//
// Operands broadcast: sizes must be equal or 1, from the last axis on (ValueError). Types promote by JAX's lattice: plain
// numbers are weak and take the other operand's type. Axes may be negative; an axis out of range raises ValueError.
#pragma once
#include "cotan/numpy_callables.h"
#include "cotan/numpy_create.h"
#include "cotan/numpy_elementwise.h"
#include "cotan/numpy_index.h"
#include "cotan/numpy_numerics.h"
#include "cotan/numpy_print.h"
#include "cotan/numpy_products.h"
#include "cotan/numpy_reduce.h"
#include "cotan/numpy_sets.h"
#include "cotan/numpy_shape.h"
#include "cotan/numpy_sort.h"
#include "cotan/numpy_ufunc.h"
