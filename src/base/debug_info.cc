#include "base/debug_info.h"

#include <cxxabi.h>
#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>

#ifdef COTAN_HAVE_LIBDW
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <unistd.h>
#endif

namespace cotan {
namespace {

struct Free {
  void operator()(void* p) const { std::free(p); }
};

std::string demangle(const char* name) {
  int status = 0;
  const std::unique_ptr<char, Free> plain(abi::__cxa_demangle(name, nullptr, nullptr, &status));
  return status == 0 && plain ? plain.get() : name;
}

}  // namespace

std::string symbol_at(const void* return_address) {
  Dl_info info;
  const auto at = reinterpret_cast<std::uintptr_t>(return_address) - 1;
  if (!dladdr(reinterpret_cast<const void*>(at), &info)) return {};
  if (info.dli_sname) return demangle(info.dli_sname);
  if (!info.dli_fname) return {};
  char offset[32];
  std::snprintf(offset, sizeof offset, "+0x%zx",
                static_cast<std::size_t>(at - reinterpret_cast<std::uintptr_t>(info.dli_fbase)));
  return std::string(info.dli_fname) + offset;
}

#ifdef COTAN_HAVE_LIBDW

namespace {

// Debug information is read from the loaded files themselves; libdwfl's own search may ask servers on the network.
int find_no_separate_file(Dwfl_Module*, void**, const char*, Dwarf_Addr, const char*, const char*, GElf_Word, char**) {
  return -1;
}

const Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_linux_proc_find_elf,
    .find_debuginfo = find_no_separate_file,
    .section_address = nullptr,
    .debuginfo_path = nullptr,
};

std::string absolute(const char* path, Dwarf_Die* unit) {
  if (!path || !*path) return {};
  std::string s = path;
  if (s[0] != '/') {
    Dwarf_Attribute attribute;
    const char* folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
    if (folder) s = std::string(folder) + "/" + s;
  }
  for (std::size_t up; (up = s.find("/../")) != std::string::npos && up > 0;) {
    const std::size_t before = s.rfind('/', up - 1);
    if (before == std::string::npos) break;
    s.erase(before, up + 3 - before);
  }
  for (std::size_t dot; (dot = s.find("/./")) != std::string::npos;) s.erase(dot, 2);
  return s;
}

std::string function_name(Dwarf_Die* die) {
  Dwarf_Attribute attribute;
  const char* linkage = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute));
  if (linkage) return demangle(linkage);
  const char* name = dwarf_diename(die);
  return name ? name : "";
}

SourceFrame innermost(Dwarf_Die* unit, Dwarf_Addr pc) {
  SourceFrame f;
  Dwarf_Line* line = dwarf_getsrc_die(unit, pc);
  if (!line) return f;
  f.file = absolute(dwarf_linesrc(line, nullptr, nullptr), unit);
  dwarf_lineno(line, &f.line);
  return f;
}

SourceFrame call_of(Dwarf_Die* inlined, Dwarf_Die* unit) {
  SourceFrame f;
  Dwarf_Attribute attribute;
  Dwarf_Word file = 0, line = 0;
  Dwarf_Files* files = nullptr;
  std::size_t n = 0;
  if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &file) == 0 &&
      dwarf_getsrcfiles(unit, &files, &n) == 0 && file < n) {
    f.file = absolute(dwarf_filesrc(files, file, nullptr, nullptr), unit);
  }
  if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &line) == 0) f.line = static_cast<int>(line);
  return f;
}

bool holds_code(int tag) {
  return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block;
}

// Looks among the children of `parent` for the function or block whose code holds pc. (libdw's dwarf_getscopes also searches every
// type and declaration, which takes milliseconds in a large unit.)
bool find_child(Dwarf_Die* parent, Dwarf_Addr pc, bool inside_namespaces, Dwarf_Die* out) {
  Dwarf_Die child;
  if (dwarf_child(parent, &child) != 0) return false;
  do {
    const int tag = dwarf_tag(&child);
    if (holds_code(tag) && dwarf_haspc(&child, pc) > 0) {
      *out = child;
      return true;
    }
    if (inside_namespaces && tag == DW_TAG_namespace && find_child(&child, pc, true, out)) return true;
  } while (dwarf_siblingof(&child, &child) == 0);
  return false;
}

std::vector<SourceFrame> read_frames(Dwarf_Die* unit, Dwarf_Addr pc) {
  Dwarf_Die die;
  if (!find_child(unit, pc, false, &die) && !find_child(unit, pc, true, &die)) return {innermost(unit, pc)};
  std::vector<SourceFrame> outermost_first{{function_name(&die), {}, 0}};
  while (find_child(&die, pc, false, &die)) {
    if (dwarf_tag(&die) != DW_TAG_inlined_subroutine) continue;
    const SourceFrame call = call_of(&die, unit);
    outermost_first.back().file = call.file;
    outermost_first.back().line = call.line;
    outermost_first.push_back({function_name(&die), {}, 0});
  }
  const SourceFrame last = innermost(unit, pc);
  outermost_first.back().file = last.file;
  outermost_first.back().line = last.line;
  return {outermost_first.rbegin(), outermost_first.rend()};
}

}  // namespace

struct DebugInfo::Session {
  Dwfl* dwfl = dwfl_begin(&callbacks);
  Session() {
    if (!dwfl) return;
    dwfl_report_begin(dwfl);
    if (dwfl_linux_proc_report(dwfl, getpid()) != 0 || dwfl_report_end(dwfl, nullptr, nullptr) != 0) {
      dwfl_end(dwfl);
      dwfl = nullptr;
    }
  }
  ~Session() { dwfl_end(dwfl); }
};

DebugInfo::~DebugInfo() { delete session_; }

std::vector<SourceFrame> DebugInfo::frames_at(const void* return_address,
                                              const std::function<bool(const std::string&)>& want) {
  const auto at = reinterpret_cast<std::uintptr_t>(return_address) - 1;
  Dl_info info;
  if (!dladdr(reinterpret_cast<const void*>(at), &info)) return {};  // code made at run time
  if (!session_) session_ = new Session;
  Dwfl_Module* module = session_->dwfl ? dwfl_addrmodule(session_->dwfl, at) : nullptr;
  if (!module) {  // loaded since: look at the process again
    delete std::exchange(session_, nullptr);
    session_ = new Session;
    module = session_->dwfl ? dwfl_addrmodule(session_->dwfl, at) : nullptr;
  }
  Dwarf_Addr bias = 0;
  Dwarf_Die* unit = module ? dwfl_module_addrdie(module, at, &bias) : nullptr;
  if (!unit || !want(absolute(dwarf_diename(unit), unit))) return {};
  return read_frames(unit, at - bias);
}

#else

struct DebugInfo::Session {};

DebugInfo::~DebugInfo() = default;

std::vector<SourceFrame> DebugInfo::frames_at(const void*, const std::function<bool(const std::string&)>&) {
  return {};
}

#endif

}  // namespace cotan
