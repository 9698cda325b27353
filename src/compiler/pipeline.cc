#include "compiler/pipeline.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "compiler/passes/cse.h"
#include "compiler/passes/dce.h"
#include "compiler/passes/fold.h"
#include "compiler/passes/inline.h"
#include "compiler/passes/simplify.h"
#include "core/typecheck.h"
#include "cotan/config.h"

namespace cotan {

namespace {

// First calls disappear, since the others see one program only. What is dead goes next: the work on it would be in vain, and
// constants that nobody needs would be computed. Folding gives simplify the literals that identities ask for. Equations are
// compared last, when they have taken their simplest form; the last dce removes what the three have left without use.
constexpr Pass all_passes[] = {
    {"inline", inline_calls, true}, {"prune", drop_dead, false},  {"fold", fold_constants, false},
    {"simplify", simplify, false},  {"cse", merge_common, false}, {"dce", drop_dead, false},
};

std::string names_of_passes() {
  std::string s;
  for (const Pass& p : all_passes) s += (s.empty() ? "" : ", ") + std::string(p.name);
  return s;
}
bool is_pass(std::string_view name) {
  return std::any_of(std::begin(all_passes), std::end(all_passes), [&](const Pass& p) { return p.name == name; });
}

// The passes that COTAN_DUMP names, each between commas.
const std::string& dumped() {
  static const std::string names = [] {
    const char* text = std::getenv("COTAN_DUMP");
    if (!text || !*text) return std::string();
    std::string word, list = ",";
    for (const char* p = text;; ++p) {
      if (*p && *p != ',') {
        if (*p != ' ') word += *p;
        continue;
      }
      if (word == "all") list += names_of_passes() + ',';
      else if (is_pass(word)) list += word + ',';
      else
        throw ValueError("COTAN_DUMP: there is no pass '" + word + "', the passes are " + names_of_passes() + ", all");
      word.clear();
      if (!*p) break;
    }
    return list;
  }();
  return names;
}

void check(const Jaxpr& j, const Pass& p) {
  try {
    check_jaxpr(j);
  } catch (const Error& e) { throw TypeError(std::string("pass ") + p.name + " broke the program: " + e.message()); }
}

void dump(const JaxprRef& j, const Pass& p) {
  if (!j->constvars.empty()) return;
  std::fprintf(stderr, "--- after %s\n%s\n", p.name, close_jaxpr(j).to_text().c_str());
}

}  // namespace

std::span<const Pass> passes() { return all_passes; }

JaxprRef optimized(const JaxprRef& j, const PipelineOptions& o) {
  if (!o.to.empty() && !is_pass(o.to))
    throw ValueError("there is no pass '" + o.to + "', the passes are " + names_of_passes());
  const bool few = config::get(config::Flag::disable_most_optimizations);
  const bool checked = config::get(config::Flag::debug_type_check);
  const std::string& dumps = dumped();
  JaxprRef now = j;
  for (const Pass& p : all_passes) {
    if (p.always || !few) {
      const auto start = std::chrono::steady_clock::now();
      now = p.run(now);
      if (o.report) {
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
        o.report->push_back({p.name, time.count(), now->eqns.size()});
      }
      if (checked) check(*now, p);
      if (!dumps.empty() && dumps.find(',' + std::string(p.name) + ',') != std::string::npos) dump(now, p);
    }
    if (o.to == p.name) break;
  }
  return now;
}

}  // namespace cotan
