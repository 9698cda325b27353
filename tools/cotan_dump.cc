// cotan-dump: a program in its exact text form (ClosedJaxpr::to_text), and what the passes make of it.
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
    "  --to PASS  the last pass that runs; all of them without it\n"
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

void run(const Options& o) {
  const cotan::ClosedJaxpr program = cotan::parse_jaxpr(read(o.file));
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
