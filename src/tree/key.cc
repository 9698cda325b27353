#include <charconv>

#include "base/hash.h"
#include "cotan/tree_visit.h"

namespace cotan::detail {

std::uint64_t Key::hash() const {
  Hasher h;
  h.add_bytes(p_, n_);
  return h.value();
}

void Key::grow(std::size_t more) {
  std::size_t cap = cap_ * 2;
  if (cap < n_ + more) cap = n_ + more;
  char* p = new char[cap];
  std::memcpy(p, p_, n_);
  if (p_ != inline_) delete[] p_;
  p_ = p;
  cap_ = cap;
}

void print_text(std::string& out, const char* text, std::size_t n) {
  out += '\'';
  out.append(text, n);
  out += '\'';
}
void print_number(std::string& out, long long v) { out += std::to_string(v); }
void print_number(std::string& out, double v) {
  char buf[32];
  out.append(buf, std::to_chars(buf, buf + sizeof buf, v).ptr);
}

Visitor::~Visitor() = default;
void Visitor::open(TreeNode, std::size_t, const char* const*) {}
void Visitor::close() {}
void Visitor::fixed(const Static&) {}
void Visitor::map_key(const Static&) {}

}  // namespace cotan::detail
