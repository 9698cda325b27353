#include "core/layout.h"

namespace cotan {

void Layout::add(Kind k, std::string_view s) {
  tokens_.push_back({k, static_cast<std::uint32_t>(s.size()), texts_.size()});
  texts_ += s;
}

void Layout::text(std::string_view s) { add(Kind::text, s); }
void Layout::brk(std::string_view when_flat) { add(Kind::brk, when_flat); }
void Layout::begin_group() { add(Kind::begin_group, {}); }
void Layout::end_group() { add(Kind::end_group, {}); }
void Layout::begin_nest(int indent) { tokens_.push_back({Kind::begin_nest, static_cast<std::uint32_t>(indent), 0}); }
void Layout::end_nest() { add(Kind::end_nest, {}); }

bool Layout::fits(std::size_t group, std::int64_t room) const {
  int depth = 0;
  for (std::size_t i = group; room >= 0; ++i) {
    const Token& t = tokens_[i];
    if (t.kind == Kind::begin_group) ++depth;
    else if (t.kind == Kind::end_group && --depth == 0) return true;
    else if (t.kind == Kind::text || t.kind == Kind::brk) room -= t.size;
  }
  return false;
}

std::string Layout::str(int width) const {
  std::string out;
  std::size_t line = 0;  // where the current line starts
  std::size_t indent = 0;
  std::vector<std::uint32_t> nests;
  std::vector<bool> flat;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const Token& t = tokens_[i];
    switch (t.kind) {
      case Kind::begin_group:
        flat.push_back((!flat.empty() && flat.back()) || fits(i, width - static_cast<std::int64_t>(out.size() - line)));
        break;
      case Kind::end_group: flat.pop_back(); break;
      case Kind::begin_nest:
        nests.push_back(t.size);
        indent += t.size;
        break;
      case Kind::end_nest:
        indent -= nests.back();
        nests.pop_back();
        break;
      case Kind::brk:
        if (flat.empty() || !flat.back()) {
          out += '\n';
          line = out.size();
          out.append(indent, ' ');
          break;
        }
        [[fallthrough]];
      case Kind::text: out.append(texts_, t.start, t.size);
    }
  }
  return out;
}

}  // namespace cotan
