// Calls that give up arguments: results are written over them.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/jaxpr.h"
#include "transforms/flat.h"

namespace cotan::api {

// What a program can do with donated leaves: each serves one result of its shape and dtype, if the program needs it at all.
struct SortedDonations {
  std::vector<std::size_t> usable, unusable, unneeded;
};
SortedDonations sort_donations(const ClosedJaxpr&, std::span<const std::size_t> donated);

// bind_jit, which writes results over the donated arguments where no trace is current. Each of these has so many holders, `args`
// included, or its elements are copied first; else it is deleted.
Arrays run_jit(const std::string& name, const ClosedJaxpr&, Arrays args, std::span<const std::size_t> donated,
               long holders);

struct DonatedLeaf {
  std::size_t leaf;
  std::string name;
};
// What becomes of donated arguments: which results take their memory, and why others do not. Empty when none is donated.
std::string donations_text(const ClosedJaxpr&, std::span<const DonatedLeaf> donated);

}  // namespace cotan::api
