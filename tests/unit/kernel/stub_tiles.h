// Plain scalar tile functions, so that the VM is tested apart from the real ones; and a naive interpreter of programs.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernel/program.h"

namespace cotan::kernel::test {

void install_stub_tiles();  // once; called by every test that needs tiles()

// Runs a program one iteration at a time, a tile of one element each. Reductions combine in row-major order.
void naive_run(const Program&, void* const* buffers);

// Memory whose elements start at an odd multiple of the item, so that nothing relies on alignment; with guards around it.
class TestBuffer {
 public:
  TestBuffer(std::int64_t items, std::size_t item, std::size_t shift = 1);
  char* data() { return bytes_.data() + start_; }
  const char* data() const { return bytes_.data() + start_; }
  std::int64_t size() const { return size_; }  // bytes
  bool guards_intact() const;

 private:
  std::vector<char> bytes_;
  std::size_t start_;
  std::int64_t size_;
};

}  // namespace cotan::kernel::test
