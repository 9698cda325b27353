// cotan-dump: a program in its exact text form (ClosedJaxpr::to_text), and what the passes make of it.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>

#include "compiler/pipeline.h"
#include "cotan/cotan.h"

namespace {

constexpr const char* usage =
    "cotan-dump FILE [--to PASS] [--times]\n"
    "  FILE       a program as ClosedJaxpr::to_text writes it; - for the standard input\n"
    "  --to PASS  the last pass that runs; all those over jaxprs without it\n"
    "  --times    what each pass took, and how many equations it left, to the standard error\n"
    "Passes, in their order:";

struct Options {
  std::string file, to;
  bool times = false;
};

// False: the arguments are not understood.
bool read_options(int argc, char** argv, Options* o) {
  for (int i = 1; i < argc; ++i) {
    const std::string a = argv[i];
    if (a == "--times") o->times = true;
    else if (a == "--to" && i + 1 < argc) o->to = argv[++i];
    else if (a.starts_with("--") || !o->file.empty()) return false;
    else o->file = a;
  }
  return !o->file.empty();
}

std::string read(const std::string& path) {
  std::ostringstream text;
  if (path == "-") {
    text << std::cin.rdbuf();
    return text.str();
  }
  std::ifstream file(path);
  if (!file) throw cotan::ValueError("cannot read " + path);
  text << file.rdbuf();
  return text.str();
}

bool is_plan_pass(const std::string& name) {
  const auto passes = cotan::plan_passes();
  return name == "plan" || std::any_of(passes.begin(), passes.end(), [&](const auto& p) { return p.name == name; });
}

void print_plan(const cotan::ClosedJaxpr& program, const std::string& to) {
  if (!program.consts().empty()) throw cotan::ValueError("a program with constants has no plan: make them arguments");
  cotan::kernel::Plan plan = cotan::to_plan(*cotan::optimized(cotan::share(program))).plan;
  if (to != "plan")
    for (const cotan::PlanPass& p : cotan::plan_passes()) {
      plan = p.run(std::move(plan));
      if (p.name == to) break;
    }
  std::printf("%s", cotan::kernel::to_text(plan).c_str());
}

void run(const Options& o) {
  const cotan::ClosedJaxpr program = cotan::parse_jaxpr(read(o.file));
  if (is_plan_pass(o.to)) return print_plan(program, o.to);
  std::vector<cotan::PassReport> report;
  const cotan::JaxprRef result = cotan::optimized(cotan::share(program), {.to = o.to, .report = &report});
  if (o.times)
    for (const cotan::PassReport& p : report)
      std::fprintf(stderr, "%-10s %10.3f ms %8zu equations\n", p.name, p.seconds * 1e3, p.equations);
  std::printf("%s\n", cotan::close_jaxpr(result, program.consts()).to_text().c_str());
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  if (!read_options(argc, argv, &o)) {
    std::fprintf(stderr, "%s", usage);
    for (const cotan::Pass& p : cotan::passes()) std::fprintf(stderr, " %s", p.name);
    std::fprintf(stderr, "; of the plan: plan");
    for (const cotan::PlanPass& p : cotan::plan_passes()) std::fprintf(stderr, " %s", p.name);
    std::fprintf(stderr, "\n");
    return 2;
  }
  try {
    run(o);
  } catch (const cotan::Error& e) {
    std::fprintf(stderr, "cotan-dump: %s\n", e.what());
    return 1;
  }
  return 0;
}
