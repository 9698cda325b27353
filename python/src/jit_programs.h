// The programs of jitted Python functions.
#pragma once
#include <list>
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
  bool runs_long;                                      // so that the GIL is given up
  std::string line;                                    // of the call that it was traced for
  Py_ssize_t serial = 0;                               // later ones have larger ones
  std::vector<std::size_t> donated = {}, usable = {};  // leaves, and those that serve a result
};
bool runs_long(const Jaxpr&);  // a program of many elements, or with a loop
using ProgramRef = std::shared_ptr<const Program>;

extern std::uint64_t cache_epoch;  // of clear_caches

// The programs of one function, shared by its wrappers. Guarded by the GIL. The least recently used goes first.
class Cache {
 public:
  ProgramRef find(const CallKey&, const std::vector<Array>& leaves);
  void insert(ProgramRef);
  void clear();
  std::size_t size() const { return programs_.size(); }
  std::vector<ProgramRef> in_order() const;  // of their traces

 private:
  static constexpr std::size_t limit = 4096;
  using Programs = std::list<ProgramRef>;
  using Index = std::unordered_multimap<std::size_t, Programs::iterator>;
  Index::iterator place_of(const ProgramRef&);
  Programs programs_;  // most recently used first
  Index index_;        // by hash
  std::uint64_t since_ = cache_epoch;
};

const Cache& cache_of(nb::handle jitted);  // TypeError for anything else

// What a program depends on beside its arguments: configuration and named axes.
std::string context_key();

}  // namespace cotan::python
