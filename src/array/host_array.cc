#include "array/host_array.h"

#include <cstring>
#include <new>
#include <utility>

#include "runtime/allocator.h"

namespace cotan {

namespace {
constexpr std::size_t alignment = 64;
constexpr std::size_t header_bytes = (sizeof(HostArray) + alignment - 1) / alignment * alignment;
constexpr std::size_t most_inline = 1024;
}  // namespace

HostArray* HostArray::header(const Aval& a, std::size_t more_bytes) {
  const std::size_t bytes = header_bytes + more_bytes;
  void* block = runtime::allocate(bytes);
  auto* h = new (block) HostArray;
  h->aval = a;
  h->block_bytes_ = bytes;
  h->data = static_cast<char*>(block) + header_bytes;
  return h;
}

HostArray* HostArray::make(const Aval& a) {
  const auto n = static_cast<std::size_t>(checked_bytes(a));
  if (n <= most_inline) return header(a, n);
  runtime::ScopedBlock memory(n);
  auto* h = header(a);
  h->data = memory.release();
  h->memory_bytes_ = n;
  return h;
}

HostArray* HostArray::view(const Aval& a, const Array& base) {
  const void* elements = bytes_of(base);
  auto* h = header(a);
  const auto* b = static_cast<const HostArray*>(base.node());
  h->base_ = b->base_.has_value() ? b->base_ : base;  // views of views own the memory itself: chains stay short
  h->data = elements;
  return h;
}

bool HostArray::is_inline() const { return !base_.has_value() && memory_bytes_ == 0; }

Array HostArray::own(Array a, long holders, bool* copied) {
  const auto held_by = [](const Array& x) { return __atomic_load_n(&x.node()->refs, __ATOMIC_ACQUIRE); };
  auto* from = static_cast<HostArray*>(a.node());
  const void* elements = bytes_of(a);
  const bool alone = held_by(a) == holders && (!from->base_.has_value() || held_by(from->base_) == 1);
  if (alone && holders == 1) {
    from->plain_number = false;
    return a;
  }
  if (!alone || from->is_inline()) {
    HostArray* h = make(a.aval());
    if (h->bytes()) std::memcpy(h->elements(), elements, h->bytes());
    if (alone) from->data = nullptr;
    else *copied = true;
    return Array(h);
  }
  HostArray* h = header(a.aval());
  h->base_ = std::move(from->base_);
  h->memory_bytes_ = std::exchange(from->memory_bytes_, 0);
  h->data = std::exchange(from->data, nullptr);
  return Array(h);
}

HostArray::~HostArray() {
  if (memory_bytes_ > 0) runtime::deallocate(elements(), memory_bytes_);
}

void HostArray::operator delete(HostArray* h, std::destroying_delete_t) {
  const std::size_t bytes = h->block_bytes_;
  h->~HostArray();
  runtime::deallocate(h, bytes);
}

}  // namespace cotan
