// The function transformations.
#pragma once
#include "cotan/grad.h"
#include "cotan/jacobian.h"
#include "cotan/jit.h"
#include "cotan/jvp.h"
#include "cotan/ravel.h"
#include "cotan/vmap.h"
