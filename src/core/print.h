// The two texts of a program: ClosedJaxpr::str (print.cc) is JAX's, ClosedJaxpr::to_text (print_exact.cc) says everything and
// is read back by parse_jaxpr:
//
//   program   { lambda %0:f32[2]=[1.0 2.0] ; %1:f32[2] %2:i32[]~ . let EQUATION... in (%3, 1.0:f32[]) }
//   equation  %3:f32[2] = name[axes=(0, 1), flag=True, mode=None] %0 1.0:f32[]~;
//
// Constants stand before the first ';', each with its elements. Variables are numbered by definition, from 0 in each program;
// `~` marks a weak type. `!3` after the operands or outputs are effects. A program that occurs several times among the
// parameters is written once, as @0{ ... }, and then as @0. Lists are in [], integer lists in (), structs Name(a=1, b=2).
#pragma once
#include <string>

#include "core/jaxpr.h"

namespace cotan {

// One equation, with its variables numbered as in Jaxpr::vars, and programs in its parameters as {...}. For messages.
std::string equation_text(const Jaxpr&, const JaxprEqn&);
// One equation as JAX prints it alone: its variables named anew.
std::string pretty_equation(const Jaxpr&, const JaxprEqn&);

}  // namespace cotan
