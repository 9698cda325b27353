// Errors as values: what checks in a function find, also in programs that are traced: under jit, vmap and grad, and in loops.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cotan/fn.h"

namespace cotan {

// Which checks a checkified function makes, joined by |.
struct CheckSet {
  unsigned bits = 0;
  friend constexpr CheckSet operator|(CheckSet a, CheckSet b) { return {a.bits | b.bits}; }
};
namespace checks {
inline constexpr CheckSet user{1};  // those of ct::check
inline constexpr CheckSet nan{2};   // that no operation makes a NaN
inline constexpr CheckSet index{
    4};  // that indices of gather, scatter, dynamic_slice and dynamic_update_slice are in bounds
inline constexpr CheckSet division{8};  // that no divisor is zero
inline constexpr CheckSet floats = nan | division;
inline constexpr CheckSet automatic = floats | index;
inline constexpr CheckSet all = automatic | user;
}  // namespace checks

namespace detail {
// What an error consists of beside its Arrays.
struct CheckSitesRef {
  std::shared_ptr<const void> sites;
  friend void tree_key(const CheckSitesRef& s, Key& k);
};
}  // namespace detail

// Whether a check failed, and which one did first. A pytree: batched by vmap, it has the error of each lane.
struct CheckReport {
  Array code;  // int32; 0: none failed
  std::vector<Array> values;
  detail::CheckSitesRef sites;

  // The message; none: no check failed. Of a batch: a line for each lane that has one. TracerBoolConversionError while it is traced.
  std::optional<std::string> get() const;
  // CheckError if a check failed. In a function that is checkified: a check that fails then.
  void throw_error() const;
};

namespace detail {
void run_checkify(FnBase&, const void* const* args, void* out, CheckReport& report, CheckSet);
void check_arrays(const Array& predicate, const std::string& format, const std::vector<Array>& args, bool debug);

struct CheckifyTransform {
  CheckSet set;
  template <class R, class... D> auto operator()(const Fn<R(D...)>& f) const {
    return Fn<std::pair<CheckReport, R>(D...)>([f, set = set](const D&... a) {
      const void* args[sizeof...(D) + 1] = {&a...};
      CheckReport report;
      Slot<R> out;
      run_checkify(*f.ref(), args, &out.value, report, set);
      return std::pair<CheckReport, R>(std::move(report), out.take());
    });
  }
};
}  // namespace detail

// f, returning std::pair(CheckReport, result): the first check of the set that fails.
template <class F> auto checkify(F f, CheckSet set = checks::user) {
  return detail::transform(std::move(f), detail::CheckifyTransform{set});
}

// CheckError unless the predicate, a bool scalar, is true, at once where its value is known. Elsewhere the function
// must be checkified: ValueError when a program that has the check is compiled. The message is `format` with each {}
// replaced by an argument; ValueError when their numbers differ, TypeError for another predicate. Inlined, so that the
// return address is in the user's function.
template <class... A>
[[gnu::always_inline]] inline void check(const Array& predicate, const std::string& format, const A&... args) {
  detail::check_arrays(predicate, format, {Array(args)...}, false);
}
// The same where it is checkified; elsewhere nothing.
template <class... A>
[[gnu::always_inline]] inline void debug_check(const Array& predicate, const std::string& format, const A&... args) {
  detail::check_arrays(predicate, format, {Array(args)...}, true);
}

}  // namespace cotan
