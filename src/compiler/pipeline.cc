#include "compiler/pipeline.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "compiler/passes/block.h"
#include "compiler/passes/cse.h"
#include "compiler/passes/dce.h"
#include "compiler/passes/fold.h"
#include "compiler/passes/fuse.h"
#include "compiler/passes/inline.h"
#include "compiler/passes/settle.h"
#include "compiler/passes/simplify.h"
#include "compiler/passes/wrap_indices.h"
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

// Fusion shows which indices a gather or scatter could wrap itself, and leaves the programs that hand arrays to each other. What
// is left to order is what no other step is to stand beside.
constexpr PlanPass all_plan_passes[] = {
    {"fuse", fuse}, {"wrap_indices", wrap_indices}, {"block", block_rows}, {"settle", settle_results}};

std::string names_of_passes() {
  std::string s;
  for (const Pass& p : all_passes) s += (s.empty() ? "" : ", ") + std::string(p.name);
  return s;
}
bool is_pass(std::string_view name) {
  return std::any_of(std::begin(all_passes), std::end(all_passes), [&](const Pass& p) { return p.name == name; });
}

std::string names_of_plan_passes() {
  std::string s = "plan";
  for (const PlanPass& p : all_plan_passes) s += std::string(", ") + p.name;
  return s;
}
bool is_plan_pass(std::string_view name) {
  return name == "plan" || std::any_of(std::begin(all_plan_passes), std::end(all_plan_passes),
                                       [&](const PlanPass& p) { return p.name == name; });
}

// The passes that COTAN_DUMP names, each between commas, or "all".
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
      if (word == "all") return std::string("all");
      else if (is_pass(word) || is_plan_pass(word)) list += word + ',';
      else
        throw ValueError("COTAN_DUMP: there is no pass '" + word + "', the passes are " + names_of_passes() + ", " +
                         names_of_plan_passes() + ", all");
      word.clear();
      if (!*p) break;
    }
    return list;
  }();
  return names;
}

bool dumps(const char* pass) {
  const std::string& names = dumped();
  return !names.empty() && (names == "all" || names.find(',' + std::string(pass) + ',') != std::string::npos);
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
      if (dumps(p.name)) dump(now, p);
    }
    if (o.to == p.name) break;
  }
  return now;
}

std::span<const PlanPass> plan_passes() { return all_plan_passes; }

ProgramPlan compile(const JaxprRef& j) { return plan_of_optimized(*optimized(j)); }

ProgramPlan plan_of_optimized(const Jaxpr& j) {
  ProgramPlan p = to_plan(j);
  const auto done = [&](const char* pass) {
    if (dumps(pass)) std::fprintf(stderr, "--- after %s\n%s\n", pass, kernel::to_text(p.plan).c_str());
    if (!config::get(config::Flag::debug_type_check)) return;
    if (const std::string why = kernel::verify(p.plan); !why.empty())
      throw TypeError(std::string("pass ") + pass + " broke the plan: " + why);
  };
  done("plan");
  if (config::get(config::Flag::disable_most_optimizations)) return p;
  for (const PlanPass& pass : all_plan_passes) {
    p.plan = pass.run(std::move(p.plan));
    done(pass.name);
  }
  kernel::drop_unused_buffers(&p.plan);
  return p;
}

}  // namespace cotan
