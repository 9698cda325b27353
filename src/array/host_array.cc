#include "array/host_array.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "runtime/allocator.h"

namespace cotan {

namespace {
constexpr std::size_t alignment = 64;
constexpr std::size_t header_bytes = (sizeof(HostArray) + alignment - 1) / alignment * alignment;
}  // namespace

HostArray* HostArray::make(const Aval& a) {
  const std::int64_t n = checked_bytes(a);
  const std::size_t bytes = header_bytes + static_cast<std::size_t>(n);
  void* block = runtime::allocate(bytes);
  auto* h = new (block) HostArray;
  h->aval = a;
  h->block_bytes_ = bytes;
  h->data = static_cast<char*>(block) + header_bytes;
  return h;
}

HostArray* HostArray::view(const Aval& a, const Array& base) {
  auto* h = new (runtime::allocate(header_bytes)) HostArray;
  h->aval = a;
  h->block_bytes_ = header_bytes;
  const auto* b = static_cast<const HostArray*>(base.node());
  h->base_ = b->base_.has_value() ? b->base_ : base;  // views of views own the memory itself: chains stay short
  h->data = bytes_of(base);
  return h;
}

HostArray::~HostArray() = default;

void HostArray::operator delete(HostArray* h, std::destroying_delete_t) {
  const std::size_t bytes = h->block_bytes_;
  h->~HostArray();
  runtime::deallocate(h, bytes);
}

}  // namespace cotan
