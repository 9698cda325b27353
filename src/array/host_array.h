// HostArray: a concrete value in the memory of this machine. The header and small payloads share one block, so that an
// eager operation on a few elements allocates once; large payloads can pass from one array to another.
#pragma once
#include "compiler/equation_plan.h"

namespace cotan {

class HostArray final : public ConcreteNode {
 public:
  // Uninitialised elements. MemoryError when there is no memory for them.
  static HostArray* make(const Aval&);
  // The same elements under another shape or a dtype of the same width: shares memory with `base`.
  static HostArray* view(const Aval&, const Array& base);
  // The elements of `a` in memory that may be written over: its own, where it has exactly so many holders (`a` is one) and is no
  // other array's view or base; it is deleted then. Else a copy, and *copied is set.
  static Array own(Array a, long holders, bool* copied);
  ~HostArray() override;
  void* elements() { return const_cast<void*>(data); }
  std::size_t bytes() const { return static_cast<std::size_t>(aval.size()) * item_size(aval.dtype); }

  static void operator delete(HostArray*, std::destroying_delete_t);

 private:
  HostArray() = default;
  static HostArray* header(const Aval&, std::size_t more_bytes = 0);
  bool is_inline() const;
  Array base_;                    // of a view: what owns the memory
  std::size_t block_bytes_ = 0;   // of the header, and what follows it
  std::size_t memory_bytes_ = 0;  // of elements in a block of their own; else 0
};

// Installs the evaluation of primitives: see evaluate.cc. Called once by init().
void install_host_evaluation();

}  // namespace cotan
