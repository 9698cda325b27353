#include "api/explain.h"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <unordered_map>

#include "compiler/cost.h"
#include "compiler/pipeline.h"
#include "compiler/step_text.h"
#include "control/programs.h"
#include "cotan/config.h"

namespace cotan::api {

namespace {

constexpr std::size_t compared = 64;  // traces before, at most
constexpr std::size_t shown_differences = 8, shown_equations = 12, shown_steps = 12, step_width = 120;

std::vector<std::string> differences(const TraceRecord& before, const TraceRecord& now) {
  std::unordered_map<std::string_view, const std::string*> old;
  for (const TraceFact& f : before.facts) old[f.name] = &f.value;
  std::vector<std::string> d;
  for (const TraceFact& f : now.facts) {
    const auto it = old.find(f.name);
    if (it == old.end()) d.push_back(f.name + " is new: " + f.value);
    else if (*it->second != f.value) d.push_back(f.name + " was " + *it->second + ", now " + f.value);
    if (it != old.end()) old.erase(it);
  }
  for (const TraceFact& f : before.facts)
    if (old.contains(f.name)) d.push_back(f.name + " is gone, was " + f.value);
  return d;
}

std::string reason(std::span<const TraceRecord> traces, std::size_t k) {
  if (k == 0) return "  the first call\n";
  std::size_t closest = k - 1;
  std::vector<std::string> least = differences(traces[closest], traces[k]);
  for (std::size_t i = k - 1; i-- > (k > compared ? k - compared : 0);)
    if (std::vector<std::string> d = differences(traces[i], traces[k]); d.size() < least.size())
      least = std::move(d), closest = i;
  std::string text = "  again, unlike trace " + std::to_string(closest + 1) + ":\n";
  if (least.empty()) return "  again, with arguments of the same types\n";
  for (std::size_t i = 0; i < std::min(shown_differences, least.size()); ++i) text += "    " + least[i] + '\n';
  if (least.size() > shown_differences)
    text += "    and " + std::to_string(least.size() - shown_differences) + " other differences\n";
  return text;
}

std::string counted(std::size_t n, const char* what) { return std::to_string(n) + ' ' + what + (n == 1 ? "" : "s"); }

std::string indented(const std::string& lines) {
  std::string text;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = lines.find('\n', at);
    text += "    " + lines.substr(at, end - at) + '\n';
    at = end + 1;
  }
  return text;
}

// What was fused: each step is one. Bytes: what it reads and writes of memory.
std::string steps_text(const ClosedJaxpr& c) {
  const ProgramPlan p = compile(share(c.consts().empty() ? c : hoist_constants(c)));
  const std::vector<kernel::Step>& steps = p.plan.steps;
  std::string text = "  " + counted(steps.size(), "step") + "\n         bytes  step\n";
  for (std::size_t i = 0; i < std::min(shown_steps, steps.size()); ++i) {
    std::string s = step_text(steps[i]);
    if (s.size() > step_width) s = s.substr(0, step_width - 3) + "...";
    const StepTraffic t = traffic_of(p.plan, steps[i]);
    char bytes[32];
    const double n = std::accumulate(t.read.begin(), t.read.end(), t.written);
    std::snprintf(bytes, sizeof bytes, "    %10s  ", bytes_text(n).c_str());
    text += bytes + s + '\n';
  }
  if (steps.size() > shown_steps) text += "    and " + std::to_string(steps.size() - shown_steps) + " more\n";
  return text;
}

std::string program_text(const ClosedJaxpr& c) {
  std::vector<PassReport> report;
  const JaxprRef j = optimized(share(c), {.report = &report});
  std::string text = "  " + counted(c.jaxpr().eqns.size(), "equation") + " traced";
  std::size_t before = c.jaxpr().eqns.size();
  double seconds = 0;
  for (const PassReport& p : report) {
    if (p.equations != before) text += ", " + std::to_string(p.equations) + " after " + p.name;
    before = p.equations;
    seconds += p.seconds;
  }
  char passes[48];
  std::snprintf(passes, sizeof passes, "; the passes take %.3g ms\n", seconds * 1e3);
  return text + passes + indented(cost_table(*j, shown_equations)) + steps_text(c);
}

}  // namespace

std::string explain_traces(const std::string& name, std::span<const TraceRecord> traces) {
  std::string text = name + ": " + counted(traces.size(), "trace") + '\n';
  for (std::size_t k = 0; k < traces.size(); ++k) {
    const TraceRecord& t = traces[k];
    text += "trace " + std::to_string(k + 1) + (t.line.empty() ? "" : ", called at " + t.line) + '\n';
    text += reason(traces, k) + program_text(t.jaxpr) + donations_text(t.jaxpr, t.donated);
  }
  return text;
}

std::vector<TraceFact> context_facts(std::uint64_t trace_key) {
  std::vector<TraceFact> facts;
  for (int i = 0; i < static_cast<int>(config::Flag::count_); ++i)
    if (config::in_trace_key(static_cast<config::Flag>(i)))
      facts.push_back({"the setting " + std::string(config::name(static_cast<config::Flag>(i))),
                       trace_key >> i & 1 ? "on" : "off"});
  return facts;
}

}  // namespace cotan::api
