#include "cotan/shape.h"

#include <ostream>
#include <algorithm>

#include "cotan/errors.h"

namespace cotan {

IntList::IntList(std::initializer_list<Dim> d) {
  grow(static_cast<int>(d.size()));
  std::int64_t* p = data();
  for (const Dim& x : d) p[n_++] = x.n;
}

IntList::IntList(const std::int64_t* first, std::size_t count) {
  grow(static_cast<int>(count));
  std::copy_n(first, count, data());
  n_ = static_cast<int>(count);
}

IntList& IntList::operator=(const IntList& o) {
  if (this == &o) return *this;
  if (o.n_ > cap_) {
    n_ = 0;  // nothing of the old contents is worth moving
    grow(o.n_);
  }
  std::copy_n(o.data(), o.n_, data());
  n_ = o.n_;
  return *this;
}

IntList& IntList::operator=(IntList&& o) noexcept {
  if (this == &o) return *this;
  if (cap_ > inline_capacity) delete[] heap_;
  steal(o);
  return *this;
}

IntList IntList::filled(std::int64_t count, std::int64_t value) {
  IntList out;
  out.grow(static_cast<int>(count));
  std::fill_n(out.data(), count, value);
  out.n_ = static_cast<int>(count);
  return out;
}

IntList IntList::range(std::int64_t count) {
  IntList out = filled(count, 0);
  for (std::int64_t i = 0; i < count; ++i) out[i] = i;
  return out;
}

void IntList::push_back(std::int64_t v) {
  if (n_ == cap_) grow(2 * cap_);
  data()[n_++] = v;
}

void IntList::insert(std::int64_t at, std::int64_t v) {
  push_back(v);
  std::rotate(begin() + at, end() - 1, end());
}

void IntList::erase(std::int64_t at) {
  std::copy(begin() + at + 1, end(), begin() + at);
  --n_;
}

bool IntList::contains(std::int64_t v) const { return std::find(begin(), end(), v) != end(); }

std::int64_t IntList::product() const {
  std::int64_t p = 1;
  bool overflow = false;
  for (std::int64_t v : *this) overflow |= __builtin_mul_overflow(p, v, &p);
  if (!overflow) [[likely]]
    return p;
  if (contains(0)) return 0;
  throw ValueError("the product of " + str() + " is too large for a 64-bit integer");
}

std::string IntList::str() const {
  std::string s = "(";
  for (int i = 0; i < n_; ++i) {
    if (i) s += ", ";
    s += std::to_string(data()[i]);
  }
  return s + (n_ == 1 ? ",)" : ")");
}

bool IntList::equal(const IntList& o) const { return n_ == o.n_ && std::equal(begin(), end(), o.begin()); }

// Takes what o holds; what this list holds must be gone.
void IntList::steal(IntList& o) noexcept {
  n_ = o.n_;
  cap_ = o.cap_;
  if (cap_ > inline_capacity) {
    heap_ = o.heap_;
  } else {
    std::copy_n(o.buf_, n_, buf_);
  }
  o.n_ = 0;
  o.cap_ = inline_capacity;
}

void IntList::grow(int capacity) {
  if (capacity <= cap_) return;
  auto* p = new std::int64_t[static_cast<std::size_t>(capacity)];
  std::copy_n(data(), n_, p);
  if (cap_ > inline_capacity) delete[] heap_;
  heap_ = p;
  cap_ = capacity;
}

std::ostream& operator<<(std::ostream& o, const IntList& l) { return o << l.str(); }

}  // namespace cotan
