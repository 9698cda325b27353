#include "core/program_names.h"

#include "core/params_ops.h"

namespace cotan {
namespace {

class ProgramFinder final : public PrettyParams, FieldSink {
 public:
  explicit ProgramFinder(ShownPrograms& f) : found_(f) {}

 private:
  void text(const char*, std::string) override {}
  void call(const char*, const ClosedJaxpr& j) override {
    jaxpr(j);
    if (j.has_value()) found_.called = &j.jaxpr();
  }
  FieldSink& sink() override { return *this; }
  void name(const char* n) override { is_name_ = std::string_view(n) == "name"; }
  void string(const std::string& s) override {
    if (is_name_) found_.equation_name = s;
  }
  void jaxpr(const ClosedJaxpr& j) override {
    if (j.has_value()) found_.programs.push_back(&j.jaxpr());
  }
  void callable(const CallableRef&) override {}
  void none() override {}
  void boolean(bool) override {}
  void integer(std::int64_t) override {}
  void real(double) override {}
  void dtype(DType) override {}
  void ints(const IntList&) override {}
  void enumerator(std::size_t, EnumNames) override {}
  void begin_list(std::size_t) override {}
  void end_list() override {}
  void begin_struct(const char*) override {}
  void end_struct() override {}

  ShownPrograms& found_;
  bool is_name_ = false;
};

}  // namespace

ShownPrograms::ShownPrograms(const JaxprEqn& e) {
  ProgramFinder f(*this);
  if (e.params) e.params->ops->pretty(*e.params, f);
}

SharedPrograms::SharedPrograms(const Jaxpr& top) {
  constexpr std::size_t long_program = 10;
  std::deque<const Jaxpr*> queue{&top};
  while (!queue.empty()) {
    const Jaxpr* j = queue.front();
    queue.pop_front();
    Occurrences& o = seen_[j];
    if (o.visits == 0) by_first_visit_.push_back(j);
    if (++o.visits > 2) continue;  // whatever is inside is known to occur twice
    if (j != &top && j->eqns.size() > long_program) o.is_long = true;
    for (const JaxprEqn& e : j->eqns) add_programs(e, queue);
  }
  choose_names();
}

void SharedPrograms::add_programs(const JaxprEqn& e, std::deque<const Jaxpr*>& queue) {
  ShownPrograms shown(e);
  std::string name = shown.equation_name;  // "<lambda>" is not a name that `let` could bind
  while (!name.empty() && (name.front() == '<' || name.front() == '>')) name.erase(0, 1);
  while (!name.empty() && (name.back() == '<' || name.back() == '>')) name.pop_back();
  for (const Jaxpr* p : shown.programs) {
    queue.push_back(p);
    std::string& known = seen_[p].name;
    if (known.empty()) known = name;
  }
}

void SharedPrograms::choose_names() {
  std::unordered_map<std::string, int> uses;
  for (const Jaxpr* j : by_first_visit_) {
    const Occurrences& o = seen_[j];
    if (o.visits < 2 && !o.is_long) continue;
    std::string name = o.name.empty() ? "jaxpr" : o.name;
    if (const int before = uses[name]++; before > 0) {
      name += std::to_string(before);
      ++uses[name];
    }
    taken_.insert(name);
    name_of_[j] = name;
    shared_.emplace_back(name, j);
  }
}

const std::string* SharedPrograms::name_of(const Jaxpr& j) const {
  const auto it = name_of_.find(&j);
  return it == name_of_.end() ? nullptr : &it->second;
}

const std::string& VariableNames::of(const Jaxpr& j, Var v) {
  std::string& name = slot(j, v);
  if (name.empty()) name = fresh();
  return name;
}

void VariableNames::suggest(const Jaxpr& inner, const std::vector<Atom>& for_vars, const Jaxpr& outer,
                            std::span<const Atom> like) {
  if (for_vars.size() != like.size()) return;
  std::unordered_set<std::uint32_t> used;
  for (std::size_t i = 0; i < for_vars.size(); ++i) {
    const Atom f = for_vars[i], l = like[i];
    if (f.is_literal() || l.is_literal() || !slot(inner, f.var()).empty() || !used.insert(l.var().id).second) continue;
    std::string name = of(outer, l.var());
    slot(inner, f.var()) = std::move(name);
  }
}

std::string& VariableNames::slot(const Jaxpr& j, Var v) {
  std::vector<std::string>& names = names_[&j];
  if (names.empty()) names.resize(j.vars.size());
  return names[v.id];
}

std::string VariableNames::fresh() {  // a ... z, ba, bb, ...
  std::string s;
  do {
    s.clear();
    std::size_t n = next_++;
    do s.insert(s.begin(), static_cast<char>('a' + n % 26));
    while (n /= 26);
  } while (shared_.is_taken(s));
  return s;
}

}  // namespace cotan
