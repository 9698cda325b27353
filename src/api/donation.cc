#include "api/donation.h"

#include <algorithm>
#include <list>

#include "array/debug_values.h"
#include "array/executable.h"
#include "control/jit.h"
#include "control/programs.h"
#include "core/jaxpr_utils.h"
#include "core/trace.h"
#include "cotan/config.h"

namespace cotan::api {

namespace {

std::vector<std::size_t> operands_of(const ClosedJaxpr& c, std::span<const std::size_t> leaves) {
  std::vector<std::size_t> operands(leaves.begin(), leaves.end());
  for (std::size_t& i : operands) i += c.consts().size();
  return operands;
}

constexpr std::size_t shown = 12;

}  // namespace

SortedDonations sort_donations(const ClosedJaxpr& c, std::span<const std::size_t> donated) {
  SortedDonations sorted;
  if (donated.empty()) return sorted;
  const std::vector<Aval> leaves = c.in_avals(), results = c.out_avals();
  const DceResult needed = dce(share(c), std::vector<bool>(results.size(), true));
  std::list<const Aval*> free;
  for (const Aval& r : results) free.push_back(&r);
  for (const std::size_t i : donated) {
    const Aval& a = leaves[i];
    const auto it = std::find_if(free.begin(), free.end(),
                                 [&](const Aval* r) { return r->shape == a.shape && r->dtype == a.dtype; });
    if (!needed.used_inputs[i]) {
      sorted.unneeded.push_back(i);
    } else if (it == free.end()) {
      sorted.unusable.push_back(i);
    } else {
      free.erase(it);
      sorted.usable.push_back(i);
    }
  }
  return sorted;
}

Arrays run_jit(const std::string& name, const ClosedJaxpr& jaxpr, Arrays args, std::span<const std::size_t> donated,
               long holders) {
  // Values that are looked at when a program has run must still be there.
  if (donated.empty() || current_trace() || debugs_values() || config::get(config::Flag::disable_jit) ||
      !std::all_of(args.begin(), args.end(), [](const Array& a) { return is_concrete(a); }))
    return bind_jit(name, jaxpr, args);
  ArrayVec operands, out;
  for (const Array& c : jaxpr.consts()) operands.push_back(c);
  for (Array& a : args) operands.push_back(std::move(a));
  run_donating(without_constants(jaxpr), std::move(operands), operands_of(jaxpr, donated), holders, out);
  return Arrays(out.begin(), out.end());
}

std::string donations_text(const ClosedJaxpr& c, std::span<const DonatedLeaf> donated) {
  if (donated.empty()) return {};
  std::vector<std::size_t> leaves;
  for (const DonatedLeaf& d : donated) leaves.push_back(d.leaf);
  const SortedDonations sorted = sort_donations(c, leaves);
  const DonationReport report = donation_report(without_constants(c), operands_of(c, sorted.usable));
  const auto is_among = [](const std::vector<std::size_t>& v, std::size_t i) {
    return std::binary_search(v.begin(), v.end(), i);
  };
  std::size_t taken = 0;
  std::vector<std::string> lines;
  for (const DonatedLeaf& d : donated) {
    const std::size_t operand = d.leaf + c.consts().size();
    if (is_among(sorted.unneeded, d.leaf)) lines.push_back(d.name + ": is kept: no result depends on it");
    else if (is_among(sorted.unusable, d.leaf))
      lines.push_back(d.name + ": is kept: no result left has its shape and dtype");
    else if (report.result_of.contains(operand)) ++taken;
    else lines.push_back(d.name + ": is freed after the call: " + report.reason.at(operand));
    if (const std::int64_t n = report.copies[operand]; n > 0)
      lines.push_back(d.name + ": was copied before " + std::to_string(n) + (n == 1 ? " call" : " calls") +
                      ", since others held its elements");
  }
  std::string text =
      "  donated: " + std::to_string(taken) + " of " + std::to_string(donated.size()) + " become results\n";
  for (std::size_t i = 0; i < std::min(shown, lines.size()); ++i) text += "    " + lines[i] + '\n';
  if (lines.size() > shown) text += "    and " + std::to_string(lines.size() - shown) + " more\n";
  return text;
}

}  // namespace cotan::api
