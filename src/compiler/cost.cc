#include "compiler/cost.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <numeric>

#include "compiler/equation_plan.h"
#include "compiler/pipeline.h"
#include "core/jaxpr_utils.h"
#include "core/print.h"

namespace cotan {

namespace {

double elements(std::span<const Aval> avals) {
  return std::accumulate(avals.begin(), avals.end(), 0.0,
                         [](double n, const Aval& a) { return n + static_cast<double>(a.size()); });
}

// What the kind says, where the record does not.
Cost arithmetic(const EmitIn& in) {
  if (in.primitive.cost) return in.primitive.cost(in);
  if (in.primitive.kind == Kind::elementwise) return {elements(in.out), 0};
  if (in.primitive.kind == Kind::reduction) return {std::max(elements(in.in) - elements(in.out), 0.0), 0};
  return {};
}

void add(CostAnalysis& to, const CostAnalysis& c, double times = 1) {
  to.flops += c.flops * times, to.transcendentals += c.transcendentals * times;
  to.bytes_accessed += c.bytes_accessed * times, to.bytes_accessed_by_results += c.bytes_accessed_by_results * times;
  auto& operands = to.bytes_accessed_by_operand;
  operands.resize(std::max(operands.size(), c.bytes_accessed_by_operand.size()));
  for (std::size_t i = 0; i < c.bytes_accessed_by_operand.size(); ++i)
    operands[i] += c.bytes_accessed_by_operand[i] * times;
}

double weight(const Cost& c) { return c.flops + 10 * c.transcendentals; }

CostAnalysis of_regions(const Regions& r) {
  CostAnalysis total;
  double most = -1;
  for (const ClosedJaxpr* p : r.programs) {
    const CostAnalysis c = cost_of(*p);
    if (r.kind != RegionKind::branch) add(total, c, r.kind == RegionKind::scan ? static_cast<double>(r.length) : 1);
    else if (const double w = weight({c.flops, c.transcendentals}) + c.bytes_accessed; w > most) total = c, most = w;
  }
  return total;
}

// --- memory traffic: what a step reads of a buffer counts once, however often ---

class Traffic {
 public:
  explicit Traffic(const kernel::Plan& plan) : plan_(plan) {}

  void add(const kernel::Program& p) {
    for (const kernel::Source& s : p.sources)
      if (s.kind == kernel::SourceKind::memory) read(s.buffer, touched(p, s.dtype, s.strides));
    for (const kernel::Store& s : p.stores) written(s.buffer, touched(p, p.dtype_of(s.value), s.strides));
    if (p.reduction) {
      kernel::Dims strides = p.reduction->strides;
      for (int l : p.reduction->loops) strides[l] = 0;
      written(p.reduction->buffer, touched(p, p.reduction->result, strides));
    }
  }
  void add(const kernel::LibraryCall& c) {
    for (const kernel::BufferRef& r : c.inputs) read(r.buffer, whole(r.buffer));
    for (const kernel::BufferRef& r : c.outputs)
      if (r.buffer >= 0) written(r.buffer, whole(r.buffer));
  }
  void add(const kernel::EquationCall& c) {
    for (int b : c.inputs) read(b, whole(b));
    for (int b : c.outputs) written(b, whole(b));
  }
  void add(const kernel::Blocks& c) {
    rows_ = static_cast<double>(c.rows) / static_cast<double>(c.block);
    for (const auto& part : c.steps) std::visit([&](const auto& s) { add(s); }, part);
    rows_ = 1;
    for (const kernel::Blocks::Row& r : c.buffers)
      if (r.local) std::erase_if(read_, [&](const auto& x) { return x.first == r.buffer; }), written_.erase(r.buffer);
    for (const kernel::Blocks::Row& r : c.buffers)  // what they hand to each other is still in cache
      if (written_.contains(r.buffer)) std::erase_if(read_, [&](const auto& x) { return x.first == r.buffer; });
  }

  StepTraffic result() const {
    StepTraffic t;
    for (const auto& [buffer, bytes] : read_) t.read.push_back(bytes);
    for (const auto& [buffer, bytes] : written_) t.written += bytes;
    return t;
  }

 private:
  double whole(int buffer) const { return static_cast<double>(plan_.buffers[static_cast<std::size_t>(buffer)].bytes); }
  double touched(const kernel::Program& p, DType d, const kernel::Dims& strides) const {
    double n = static_cast<double>(item_size(d));
    for (int l = 0; l < strides.length(); ++l)
      if (strides[l] != 0) n *= static_cast<double>(p.extents[l]) * (l == 0 ? rows_ : 1);
    return p.iterations() == 0 ? 0 : n;
  }
  void read(int buffer, double bytes) {
    if (plan_.buffers[static_cast<std::size_t>(buffer)].kind == kernel::BufferKind::constant) return;
    auto it = std::find_if(read_.begin(), read_.end(), [&](const auto& x) { return x.first == buffer; });
    if (it == read_.end()) it = read_.insert(it, {buffer, 0});
    it->second = std::min(it->second + bytes, whole(buffer));
  }
  void written(int buffer, double bytes) {
    double& n = written_[buffer];
    n = std::min(n + bytes, whole(buffer));
  }

  const kernel::Plan& plan_;
  double rows_ = 1;  // by which the outermost loop is longer than it says
  std::vector<std::pair<int, double>> read_;
  std::map<int, double> written_;
};

std::string number(double n) {
  char text[32];
  if (n < 1e6) std::snprintf(text, sizeof text, "%.0f", n);
  else std::snprintf(text, sizeof text, "%.3g", n);
  return text;
}

std::string shortened(std::string s) {
  constexpr std::size_t width = 90;
  std::replace(s.begin(), s.end(), '\n', ' ');
  if (s.size() > width) s = s.substr(0, width - 3) + "...";
  return s;
}

}  // namespace

Cost arithmetic_of(const Jaxpr& j, const JaxprEqn& e) {
  if (e.primitive->regions) {
    const CostAnalysis c = of_regions(e.primitive->regions({*e.primitive, e.params}));
    return {c.flops, c.transcendentals};
  }
  SmallVec<Aval, 4> in;
  AvalVec out;
  for (Atom a : j.inputs(e)) in.push_back(j.aval(a));
  for (Atom a : j.outputs(e)) out.push_back(j.aval(a));
  return arithmetic({{*e.primitive, e.params}, in, out});
}

StepTraffic traffic_of(const kernel::Plan& plan, const kernel::Step& step) {
  Traffic t(plan);
  std::visit([&](const auto& s) { t.add(s); }, step);
  return t.result();
}

CostAnalysis cost_of(const ClosedJaxpr& c) {
  CostAnalysis total;
  const JaxprRef j = optimized(share(c));
  for (const JaxprEqn& e : j->eqns) {
    if (e.primitive->regions) {
      add(total, of_regions(e.primitive->regions({*e.primitive, e.params})));
      continue;
    }
    const Cost own = arithmetic_of(*j, e);
    total.flops += own.flops, total.transcendentals += own.transcendentals;
  }
  const kernel::Plan plan = plan_of_optimized(*j).plan;
  for (const kernel::Step& s : plan.steps) {
    if (const auto* call = std::get_if<kernel::EquationCall>(&s); call && equation_of(*call).primitive.regions)
      continue;
    const StepTraffic t = traffic_of(plan, s);
    CostAnalysis step;
    step.bytes_accessed_by_operand = t.read;
    step.bytes_accessed_by_results = t.written;
    step.bytes_accessed = std::accumulate(t.read.begin(), t.read.end(), t.written);
    add(total, step);
  }
  return total;
}

std::string bytes_text(double n) { return number(n); }

std::string cost_table(const Jaxpr& j, std::size_t lines) {
  struct Line {
    std::uint32_t equation;
    Cost cost;
  };
  std::vector<Line> table;
  for (std::uint32_t k = 0; k < j.eqns.size(); ++k) table.push_back({k, arithmetic_of(j, j.eqns[k])});
  std::stable_sort(table.begin(), table.end(),
                   [](const Line& a, const Line& b) { return weight(a.cost) > weight(b.cost); });
  std::string text = table.empty() ? "" : "     flops  transcend.  equation\n";
  for (std::size_t i = 0; i < std::min(lines, table.size()); ++i) {
    char figures[64];
    const Cost& c = table[i].cost;
    std::snprintf(figures, sizeof figures, "%10s  %10s  ", number(c.flops).c_str(), number(c.transcendentals).c_str());
    text += figures + shortened(equation_text(j, j.eqns[table[i].equation])) + '\n';
  }
  if (table.size() > lines) text += "and " + std::to_string(table.size() - lines) + " more\n";
  return text;
}

}  // namespace cotan
