// HostArray: a concrete value in the memory of this machine. The header and small payloads share one block, so that an
// eager operation on a few elements allocates once.
#pragma once
#include "compiler/equation_plan.h"

namespace cotan {

class HostArray final : public ConcreteNode {
 public:
  // Uninitialised elements. MemoryError when there is no memory for them.
  static HostArray* make(const Aval&);
  // The same elements under another shape or a dtype of the same width: shares memory with `base`.
  static HostArray* view(const Aval&, const Array& base);
  ~HostArray() override;
  void* elements() { return const_cast<void*>(data); }
  std::size_t bytes() const { return static_cast<std::size_t>(aval.size()) * item_size(aval.dtype); }

  static void operator delete(HostArray*, std::destroying_delete_t);

 private:
  HostArray() = default;
  Array base_;  // of a view: what owns the memory
  std::size_t block_bytes_ = 0;
};

// Installs the evaluation of primitives: see evaluate.cc. Called once by init().
void install_host_evaluation();

}  // namespace cotan
