// checkify: a program as one that also gives an error value, which says which check failed first.
#pragma once
#include "control/programs.h"
#include "core/check.h"

namespace cotan {

extern const Primitive check_p;

using CheckKinds = unsigned;  // a set of CheckKind
constexpr CheckKinds kinds_of(CheckKind k) { return 1u << static_cast<int>(k); }

// One check of a program, and the types of the values that it keeps for its message.
struct CheckSite {
  CheckKind kind;
  CheckMessageRef message;
  const void* source;  // where it stands
  std::vector<Aval> values;
};
using CheckSites = std::vector<CheckSite>;

// `code`: int32; 0: no check failed, k + 1: that of site k did, before any other. A batch of errors has more
// dimensions, in front, and so have the values, which stand in the order of the sites. Without sites there is no code.
struct ErrorValue {
  Array code;
  Arrays values;
  std::shared_ptr<const CheckSites> sites;
};

// The function of no arguments, with what its checks of these kinds find; checks of other kinds are left out. Lanes of a batch that do not
// take a branch of a cond, or have left a while loop, have no failed user's checks, but may have others.
struct CheckedResults {
  Arrays results;
  ErrorValue error;
};
CheckedResults flat_checkify(const FlatFn& f, CheckKinds kinds);

// The check, which checkify takes out of programs; elsewhere it is evaluated at once (CheckError), and a compiled program cannot have it
// (ValueError), unless it is for debugging: then it does nothing there.
void bind_check(CheckKind, const Array& failed, CheckMessageRef, bool debug, const Arrays& values);
void bind_check_error(const ErrorValue&);  // checks that fail where the error is one

// Of concrete errors. `text`: a line for each lane that has one; empty: there is none. TracerBoolConversionError for a traced one.
std::string error_text(const ErrorValue&);
const CheckSite* first_failed(const ErrorValue&);  // null: none

// f of the arguments, traced, without its checks.
Arrays run_without_checks(const FlatFn& f, const Arrays& args);

// --- for rules of batches in which some lanes do not count ---
// The program with an error value behind its results: of what is checked by check_p alone. Null where nothing is.
struct CheckedProgram : Hoisted {
  std::shared_ptr<const CheckSites> sites;
};
std::shared_ptr<const CheckedProgram> with_user_checks_out(const Jaxpr&);
// Checks again: those of the lanes that count. `error`: the code and the values, with the batch in front.
void bind_lane_checks(const CheckedProgram&, std::span<const Array> error, const Array& counts);

}  // namespace cotan
