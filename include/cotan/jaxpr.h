// ClosedJaxpr as users see it: a traced program with its constants.
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "cotan/array.h"

namespace cotan {
struct Jaxpr;  // core/jaxpr.h
namespace detail {
[[noreturn]] void fail_empty_jaxpr();
}

class ClosedJaxpr {
 public:
  ClosedJaxpr() noexcept = default;                            // no value: ValueError from what needs one
  ClosedJaxpr(const Jaxpr* jaxpr, std::vector<Array> consts);  // takes over one reference
  ClosedJaxpr(const ClosedJaxpr&);
  ClosedJaxpr(ClosedJaxpr&&) noexcept;
  ClosedJaxpr& operator=(ClosedJaxpr) noexcept;
  ~ClosedJaxpr();

  const Jaxpr& jaxpr() const {
    if (!jaxpr_) detail::fail_empty_jaxpr();
    return *jaxpr_;
  }
  const std::vector<Array>& consts() const { return consts_; }
  bool has_value() const { return jaxpr_ != nullptr; }
  std::vector<Aval> in_avals() const;
  std::vector<Aval> out_avals() const;
  std::string str() const;      // as JAX prints it
  std::string to_text() const;  // exact: parse_jaxpr reads it back
  friend std::ostream& operator<<(std::ostream&, const ClosedJaxpr&);

 private:
  const Jaxpr* jaxpr_ = nullptr;
  std::vector<Array> consts_;
};

// Runs the program on arrays; ValueError or TypeError when they do not fit its inputs. Inside a transformation it is part
// of what is transformed.
std::vector<Array> eval_jaxpr(const ClosedJaxpr&, const std::vector<Array>& args);
// Reads the form that to_text writes. ValueError with line and column when it can't.
ClosedJaxpr parse_jaxpr(const std::string& text);

}  // namespace cotan
