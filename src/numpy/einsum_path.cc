// The order of einsum's contractions. A step costs the number of products of its loop over all labels that it sees, twice that
// where it also sums.
#include "numpy/einsum_path.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <set>
#include <span>

#include "numpy/products.h"

namespace cotan::numpy {

namespace {

using LabelSet = std::set<int>;

struct Work {
  double cost = 0;
  LabelSet result;
};
Work work_of(const LabelSet& a, const LabelSet& b, const LabelSet& kept, const std::map<int, std::int64_t>& sizes) {
  LabelSet both = a;
  both.insert(b.begin(), b.end());
  Work w;
  w.cost = 1;
  for (int l : both) {
    w.cost *= static_cast<double>(sizes.at(l));
    if (kept.count(l)) w.result.insert(l);
  }
  if (w.result.size() < both.size()) w.cost *= 2;
  return w;
}

// All orders of pairs, depth first: the first of the cheapest.
class Exhaustive {
 public:
  Exhaustive(const std::vector<LabelSet>& inputs, const LabelSet& output, const std::map<int, std::int64_t>& sizes)
      : output_(output), sizes_(sizes) {
    search(inputs, 0);
  }
  const std::vector<IntList>& path() const { return best_; }

 private:
  void search(const std::vector<LabelSet>& terms, double cost) {
    if (cost >= least_) return;
    if (terms.size() == 1) {
      least_ = cost, best_ = now_;
      return;
    }
    for (std::size_t i = 0; i < terms.size(); ++i)
      for (std::size_t j = i + 1; j < terms.size(); ++j) {
        std::vector<LabelSet> left;
        LabelSet kept = output_;
        for (std::size_t k = 0; k < terms.size(); ++k)
          if (k != i && k != j) left.push_back(terms[k]), kept.insert(terms[k].begin(), terms[k].end());
        const Work w = work_of(terms[i], terms[j], kept, sizes_);
        left.push_back(w.result);
        now_.push_back({i, j});
        search(left, cost + w.cost);
        now_.pop_back();
      }
  }
  const LabelSet& output_;
  const std::map<int, std::int64_t>& sizes_;
  std::vector<IntList> now_, best_;
  double least_ = std::numeric_limits<double>::infinity();
};

double size_of(const LabelSet& s, const std::map<int, std::int64_t>& sizes) {
  double n = 1;
  for (int l : s) n *= static_cast<double>(sizes.at(l));
  return n;
}

// Always the pair whose result is smallest beside its operands; among those that share no label only when no pair does.
std::vector<IntList> greedy_order(std::vector<LabelSet> terms, const LabelSet& output,
                                  const std::map<int, std::int64_t>& sizes) {
  std::vector<IntList> path;
  while (terms.size() > 1) {
    std::size_t best_i = 0, best_j = 1;
    std::pair<bool, double> best{true, std::numeric_limits<double>::infinity()};
    Work taken;
    std::map<int, int> counts;
    for (const LabelSet& t : terms)
      for (int l : t) ++counts[l];
    for (std::size_t i = 0; i < terms.size(); ++i)
      for (std::size_t j = i + 1; j < terms.size(); ++j) {
        LabelSet kept = output;
        for (const auto& [l, n] : counts)
          if (n > static_cast<int>(terms[i].count(l) + terms[j].count(l))) kept.insert(l);
        const Work w = work_of(terms[i], terms[j], kept, sizes);
        const bool apart = std::none_of(terms[i].begin(), terms[i].end(), [&](int l) { return terms[j].count(l); });
        const std::pair<bool, double> score{
            apart, size_of(w.result, sizes) - size_of(terms[i], sizes) - size_of(terms[j], sizes)};
        if (score < best) best = score, best_i = i, best_j = j, taken = w;
      }
    path.push_back({best_i, best_j});
    terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(best_j));
    terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(best_i));
    terms.push_back(taken.result);
  }
  return path;
}

void check_path(const std::vector<IntList>& path, std::size_t operands) {
  for (const IntList& step : path) {
    for (std::int64_t i : step)
      if (i < 0 || i >= static_cast<std::int64_t>(operands) || std::count(step.begin(), step.end(), i) > 1)
        throw ValueError("einsum: a step of the path must name different operands of the " + std::to_string(operands) +
                         " that are left, got " + step.str());
    if (step.length() > 2)
      throw NotImplementedError("einsum: contraction of " + std::to_string(step.length()) +
                                " operands in one step; each step of the path may name at most 2");
    if (step.empty()) throw ValueError("einsum: a step of the path names no operand");
    operands -= static_cast<std::size_t>(step.length() - 1);
  }
  if (operands != 1) throw ValueError("einsum: the path must leave one operand, it leaves " + std::to_string(operands));
}

constexpr const char* exact_words[] = {"optimal", "auto", "auto-hq", "dp", "dynamic-programming", "branch-all"};
constexpr const char* greedy_words[] = {"greedy",        "opportunistic",    "eager", "branch-1", "branch-2",
                                        "random-greedy", "random-greedy-128"};

bool among(std::span<const char* const> words, const std::string& w) {
  return std::find(words.begin(), words.end(), w) != words.end();
}

}  // namespace

std::vector<IntList> contraction_order(const Subscripts& s, const EinsumOrder& order) {
  const std::size_t n = s.inputs.size();
  if (order.word() == "path") {
    check_path(order.path(), n);
    std::vector<IntList> sorted = order.path();
    for (IntList& step : sorted) std::sort(step.begin(), step.end());
    return sorted;
  }
  const bool exact = among(exact_words, order.word());
  if (!exact && order.word() != "false" && !among(greedy_words, order.word()))
    throw ValueError(
        "einsum: optimize must be a bool, a path, or one of \"auto\", \"optimal\", \"greedy\", \"dp\", got \"" +
        order.word() + "\"");
  if (n == 1) return {{0}};
  if (order.word() == "false" || n == 2) return std::vector<IntList>(n - 1, IntList{0, 1});
  std::vector<LabelSet> terms;
  for (const Labels& t : s.inputs) terms.emplace_back(t.begin(), t.end());
  const LabelSet output(s.output.begin(), s.output.end());
  constexpr std::size_t searched = 6;  // 6 operands have 2700 orders of pairs
  return exact && n <= searched ? Exhaustive(terms, output, s.sizes).path() : greedy_order(terms, output, s.sizes);
}

Step take_step(std::vector<Labels>& labels, const IntList& positions, const Labels& output) {
  Step step;
  for (int i = positions.length(); i-- > 0;) {
    const auto at = labels.begin() + positions[i];
    step.operands.push_back(*at);
    labels.erase(at);
  }
  if (labels.empty()) {
    step.result = output;
  } else {
    LabelSet kept(output.begin(), output.end());
    for (const Labels& t : labels) kept.insert(t.begin(), t.end());
    for (const Labels& t : step.operands)
      for (int l : t)
        if (kept.erase(l)) step.result.push_back(l);
  }
  labels.push_back(step.result);
  return step;
}

namespace {

std::string text_of(const Labels& labels) {
  std::string s;
  for (int l : labels) s += l < 0 ? "." : std::string(1, static_cast<char>(l));
  return s;
}
std::string joined(const std::vector<Labels>& terms) {
  std::string s;
  for (const Labels& t : terms) s += (s.empty() ? "" : ",") + text_of(t);
  return s;
}
std::string scientific(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3e", v);
  return text;
}
LabelSet labels_of(const std::vector<Labels>& terms) {
  LabelSet s;
  for (const Labels& t : terms) s.insert(t.begin(), t.end());
  return s;
}

std::string describe(const Subscripts& s, const std::vector<IntList>& path) {
  std::vector<Labels> left = s.inputs;
  std::string rows;
  double work = 0, largest = 0;
  std::size_t scaling = 0;
  for (const IntList& positions : path) {
    const Step step = take_step(left, positions, s.output);
    const LabelSet seen = labels_of(step.operands), kept(step.result.begin(), step.result.end());
    work += size_of(seen, s.sizes) * (kept.size() < seen.size() ? 2 : 1);
    largest = std::max(largest, size_of(kept, s.sizes)), scaling = std::max(scaling, seen.size());
    rows += "\n  " + std::to_string(seen.size()) + "  " + joined(step.operands) + "->" + text_of(step.result) +
            "   left: " + joined(left) + "->" + text_of(s.output);
  }
  const LabelSet all = labels_of(s.inputs);
  const double naive = size_of(all, s.sizes) * static_cast<double>(std::max<std::size_t>(s.inputs.size(), 2) - 1 +
                                                                   (s.output.size() < all.size()));
  return "contraction: " + joined(s.inputs) + "->" + text_of(s.output) + "\nscaling: " + std::to_string(all.size()) +
         ", in steps " + std::to_string(scaling) + "\noperations: " + scientific(naive) + ", in steps " +
         scientific(work) + "\nlargest intermediate: " + scientific(largest) +
         " elements\nsteps (scaling, labels, what is left):" + rows;
}

}  // namespace

EinsumPath einsum_path(std::string_view subscripts, const std::vector<Array>& operands, const EinsumPathOptions& o) {
  COTAN_API;
  std::vector<Shape> shapes;
  for (const Array& a : operands) shapes.push_back(a.shape());
  const Subscripts s = read_subscripts(subscripts, shapes);
  const std::vector<IntList> path = contraction_order(s, o.optimize);
  return {path, describe(s, path)};
}

}  // namespace cotan::numpy
