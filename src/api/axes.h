// An AxisSpec laid against a tree.
#pragma once
#include <optional>
#include <vector>

#include "api/values.h"
#include "cotan/vmap.h"

namespace cotan::api {

// One entry per leaf of the tree: its axis as written, or nullopt where it is shared. ValueError when the specification is
// not a prefix of the tree. `what`: "vmap in_axes[0]".
using LeafAxes = std::vector<std::optional<int>>;
void append_leaf_axes(const AxisSpec&, const TypeOps&, const void* tree, const std::string& what, LeafAxes& out);

void put_key(const AxisSpec&, Key&);

}  // namespace cotan::api
