// Reading einsum's subscripts.
#include <algorithm>

#include "cotan/errors.h"
#include "numpy/einsum_path.h"

namespace cotan::numpy {

namespace {

constexpr int ellipsis_label = 0;  // stands for "..." until the shapes are known

[[noreturn]] void fail(std::string_view text, const std::string& why) {
  throw ValueError("einsum: " + why + ", got subscripts '" + std::string(text) + "'");
}

Labels read_labels(std::string_view term, std::string_view text) {
  Labels r;
  for (std::size_t i = 0; i < term.size(); ++i) {
    const char c = term[i];
    if (c == ' ') continue;
    if (c == '.') {
      if (term.substr(i, 3) != "..." || std::count(r.begin(), r.end(), ellipsis_label)) fail(text, "invalid ellipsis");
      r.push_back(ellipsis_label);
      i += 2;
      continue;
    }
    if (c == '-' || c == '>') fail(text, "subscripts can only contain one '->'");
    r.push_back(static_cast<unsigned char>(c));
  }
  return r;
}

std::vector<std::string_view> terms_of(std::string_view s) {
  std::vector<std::string_view> r;
  for (std::size_t at = 0;;) {
    const std::size_t comma = s.find(',', at);
    r.push_back(s.substr(at, comma == s.npos ? s.npos : comma - at));
    if (comma == s.npos) return r;
    at = comma + 1;
  }
}

// "..." becomes axes, the last of which is -1.
Labels spread_ellipsis(const Labels& term, int axes) {
  Labels r;
  for (int l : term)
    if (l != ellipsis_label) r.push_back(l);
    else
      for (int i = axes; i > 0; --i) r.push_back(-i);
  return r;
}

Labels implicit_output(const std::vector<Labels>& inputs) {
  std::map<int, int> counts;
  for (const Labels& term : inputs)
    for (int l : term) ++counts[l];
  Labels r;
  for (const auto& [label, count] : counts)
    if (label < 0 || count == 1) r.push_back(label);
  return r;
}

void check_output(const Subscripts& s, std::string_view text) {
  for (int l : s.output) {
    if (std::count(s.output.begin(), s.output.end(), l) > 1)
      fail(text, std::string("output label '") + static_cast<char>(l) + "' appears more than once");
    if (!s.sizes.count(l))
      fail(text, l < 0 ? "the output has an ellipsis that no input has"
                       : std::string("output label '") + static_cast<char>(l) + "' does not appear in the inputs");
  }
}

void read_sizes(Subscripts& s, const std::vector<Shape>& shapes, std::string_view text) {
  for (std::size_t i = 0; i < shapes.size(); ++i)
    for (std::size_t axis = 0; axis < s.inputs[i].size(); ++axis) {
      const int label = s.inputs[i][axis];
      const std::int64_t n = shapes[i][static_cast<std::int64_t>(axis)];
      for (std::size_t before = 0; before < axis; ++before)
        if (s.inputs[i][before] == label && shapes[i][static_cast<std::int64_t>(before)] != n)
          fail(text,
               "a diagonal of operand " + std::to_string(i) + ", of shape " + shapes[i].str() + ", whose sizes differ");
      const auto [at, fresh] = s.sizes.emplace(label, n);
      if (fresh || at->second == n || n == 1) continue;
      if (at->second != 1) {
        const std::string name =
            label < 0 ? "an axis of '...'" : std::string("label '") + static_cast<char>(label) + "'";
        fail(text, "size of " + name + " for operand " + std::to_string(i) + " (" + std::to_string(n) +
                       ") does not match previous terms (" + std::to_string(at->second) + ")");
      }
      at->second = n;
    }
}

}  // namespace

Subscripts read_subscripts(std::string_view text, const std::vector<Shape>& shapes) {
  const std::size_t arrow = text.find("->");
  const std::vector<std::string_view> terms = terms_of(text.substr(0, arrow));
  if (terms.size() != shapes.size())
    fail(text, "the number of terms, " + std::to_string(terms.size()) + ", must be that of the operands, " +
                   std::to_string(shapes.size()));
  Subscripts s;
  int ellipsis_axes = 0;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const Labels term = read_labels(terms[i], text);
    const int ellipses = static_cast<int>(std::count(term.begin(), term.end(), ellipsis_label)),
              extra = shapes[i].ndim() - (static_cast<int>(term.size()) - ellipses);
    if (extra < 0 || (extra > 0 && !ellipses))
      fail(text, "term " + std::to_string(i) + " does not have the number of labels for an operand of shape " +
                     shapes[i].str());
    ellipsis_axes = std::max(ellipsis_axes, ellipses ? extra : 0);
    s.inputs.push_back(spread_ellipsis(term, extra));
  }
  s.output = arrow == text.npos ? implicit_output(s.inputs)
                                : spread_ellipsis(read_labels(text.substr(arrow + 2), text), ellipsis_axes);
  read_sizes(s, shapes, text);
  check_output(s, text);
  return s;
}

}  // namespace cotan::numpy
