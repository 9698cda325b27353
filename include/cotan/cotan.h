// Cotan: function transformations over arrays. This header is everything.
#pragma once
#include "cotan/array.h"
#include "cotan/config.h"
#include "cotan/lax.h"
#include "cotan/lax_random.h"
#include "cotan/nn.h"
#include "cotan/numpy.h"
#include "cotan/numpy_dtype.h"
#include "cotan/numpy_files.h"
#include "cotan/random.h"
#include "cotan/segment.h"
#include "cotan/transforms.h"
#include "cotan/tree.h"
