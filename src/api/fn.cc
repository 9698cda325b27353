#include <cxxabi.h>
#include <dlfcn.h>

#include <atomic>
#include <cstdlib>

#include "cotan/fn_erased.h"

namespace cotan::detail {

namespace {
std::atomic<std::uint64_t> next_serial{1};
}

FnBase::FnBase(const TypeOps* result, const TypeOps* const* params, int n)
    : n_(n), serial_(next_serial.fetch_add(1, std::memory_order_relaxed)), result_(result), params_(params) {}
FnBase::~FnBase() = default;

void FnRef::retain() const noexcept { __atomic_add_fetch(&p_->refs_, 1, __ATOMIC_RELAXED); }
void FnRef::release() const noexcept {
  if (__atomic_sub_fetch(&p_->refs_, 1, __ATOMIC_ACQ_REL) == 0) delete p_;
}

void fail_empty_function() { throw ValueError("a ct::Fn that was moved from was used"); }

void put_function_key(const FnBase& f, Key& k) {
  const bool shared = f.identity(k);
  k.put(shared ? std::uint64_t{0} : f.serial());
}

std::string name_of_address(const void* function) {
  Dl_info info;
  if (!dladdr(function, &info) || !info.dli_sname || info.dli_saddr != function) return "function";
  int status = 0;
  char* text = abi::__cxa_demangle(info.dli_sname, nullptr, nullptr, &status);
  std::string name = text ? text : info.dli_sname;
  std::free(text);
  name.resize(std::min(name.size(), name.find('(')));
  const std::size_t scope = name.rfind("::");
  return scope == name.npos ? name : name.substr(scope + 2);
}

// The text is "... [with F = TYPE; R = ...]" from g++, "... [F = TYPE, R = ...]" from clang.
std::string name_of_class(const char* pretty_function) {
  std::string s = pretty_function;
  const std::size_t from = s.find("F = ");
  if (from == s.npos) return "<lambda>";
  s = s.substr(from + 4);
  int depth = 0;
  std::size_t end = 0;
  for (; end < s.size(); ++end) {
    const char c = s[end];
    depth += (c == '<' || c == '(') - (c == '>' || c == ')');
    if (depth <= 0 && (c == ';' || c == ',' || c == ']')) break;
  }
  s.resize(end);
  if (s.find("lambda") != s.npos) return "<lambda>";
  s.resize(std::min(s.size(), s.find('<')));
  const std::size_t scope = s.rfind("::");
  return scope == s.npos ? s : s.substr(scope + 2);
}

}  // namespace cotan::detail
