// The programs of jitted Python functions.
#pragma once
#include <memory>
#include <string>
#include <unordered_map>

#include "common.h"
#include "cotan/jaxpr.h"
#include "tree.h"

namespace cotan::python {

// What tells one program of a function from another.
struct CallKey {
  std::vector<TreeNode> nodes;                             // of (args, kwargs) without what is static
  std::vector<std::pair<nb::object, nb::object>> statics;  // place or name, and value
  std::vector<Aval> avals;
  std::string context;  // configuration and named axes
  std::size_t hash = 0;
};

struct Program {
  CallKey key;
  std::string name;
  ClosedJaxpr jaxpr;
  TreeDef result;
  bool runs_long;  // so that the GIL is given up
};
bool runs_long(const Jaxpr&);  // a program of many elements, or with a loop
using ProgramRef = std::shared_ptr<const Program>;

extern std::uint64_t cache_epoch;  // of clear_caches

// The programs of one function, shared by its wrappers. Guarded by the GIL. The oldest goes first.
struct Cache {
  static constexpr std::size_t limit = 4096;
  std::unordered_multimap<std::size_t, ProgramRef> programs;
  std::vector<std::size_t> order;
  std::uint64_t since = cache_epoch;

  ProgramRef find(const CallKey&, const std::vector<Array>& leaves);
  void insert(ProgramRef);
  void clear() {
    auto gone = std::move(programs);  // what their release runs finds an empty table
    programs.clear();
    order.clear();
  }
};

// What a program depends on beside its arguments: configuration and named axes.
std::string context_key();

}  // namespace cotan::python
