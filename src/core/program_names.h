// The names that JAX's text of a program gives to variables and to the programs inside it.
#pragma once
#include <deque>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/jaxpr.h"

namespace cotan {

// What naming needs to know of an equation: the programs that its text shows.
struct ShownPrograms {
  std::vector<const Jaxpr*> programs;
  const Jaxpr* called = nullptr;  // by PrettyParams::call
  std::string equation_name;      // the parameter `name`
  explicit ShownPrograms(const JaxprEqn&);
};

// Programs that are shown before all others, each by a name: those that occur more than once, or are long.
class SharedPrograms {
 public:
  explicit SharedPrograms(const Jaxpr& top);
  const std::vector<std::pair<std::string, const Jaxpr*>>& in_order() const { return shared_; }
  const std::string* name_of(const Jaxpr&) const;  // null: it is not shared
  bool is_taken(const std::string& name) const { return taken_.count(name) != 0; }

 private:
  struct Occurrences {
    int visits = 0;
    bool is_long = false;
    std::string name;
  };
  void add_programs(const JaxprEqn&, std::deque<const Jaxpr*>& queue);
  void choose_names();
  std::unordered_map<const Jaxpr*, Occurrences> seen_;
  std::vector<const Jaxpr*> by_first_visit_;
  std::vector<std::pair<std::string, const Jaxpr*>> shared_;
  std::unordered_map<const Jaxpr*, std::string> name_of_;
  std::unordered_set<std::string> taken_;
};

// The names of all variables of all programs; a variable gets the next free one when it is first shown.
class VariableNames {
 public:
  explicit VariableNames(const SharedPrograms& shared) : shared_(shared) {}
  const std::string& of(const Jaxpr& j, Var v);
  void set(const Jaxpr& j, Var v, std::string name) { slot(j, v) = std::move(name); }
  // Names inner variables as the outer ones, each outer one serving once, where the inner ones have no name yet.
  void suggest(const Jaxpr& inner, const std::vector<Atom>& for_vars, const Jaxpr& outer, std::span<const Atom> like);

 private:
  std::string& slot(const Jaxpr& j, Var v);
  std::string fresh();
  const SharedPrograms& shared_;
  std::unordered_map<const Jaxpr*, std::vector<std::string>> names_;
  std::size_t next_ = 0;
};

}  // namespace cotan
