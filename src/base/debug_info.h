// The source lines that machine code of this process comes from, read from its debug information.
#pragma once
#include <functional>
#include <string>
#include <vector>

namespace cotan {

struct SourceFrame {
  std::string function, file;  // file: an absolute path
  int line = 0;
};

// Reads debug information when it is first asked for and keeps it. Not for several threads at once.
class DebugInfo {
 public:
  DebugInfo() = default;
  ~DebugInfo();
  DebugInfo(const DebugInfo&) = delete;
  DebugInfo& operator=(const DebugInfo&) = delete;

  // The function that the call before this return address stands in, then, where that function is inlined, the place of its
  // call, and so on. None where there is no debug information, or `want` refuses the path of the translation unit.
  std::vector<SourceFrame> frames_at(const void* return_address, const std::function<bool(const std::string&)>& want);

 private:
  struct Session;
  Session* session_ = nullptr;
};

// What the dynamic symbol table tells: "function" or "library+0x1234"; empty where that is nothing.
std::string symbol_at(const void* return_address);

}  // namespace cotan
