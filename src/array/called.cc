// Called programs: compiled at their first use, and run.
#include <cstring>

#include "array/executable.h"
#include "array/host_array.h"
#include "compiler/pipeline.h"
#include "cotan/config.h"

namespace cotan {

class CalledProgram final : public Executable {
 public:
  explicit CalledProgram(const JaxprRef& source) : CalledProgram(compile(source)) {}

  void run(std::span<const Array> in, ArrayVec& out) const {
    SmallVec<const void*, 8> inputs;
    for (const Array& a : in) inputs.push_back(bytes_of(a));
    ArrayVec made;
    SmallVec<void*, 4> outputs;
    for (const Aval& a : outputs_) {
      HostArray* h = HostArray::make(a);
      made.push_back(Array(h));
      outputs.push_back(h->elements());
    }
    plan_.run(inputs, outputs);
    for (const ProgramPlan::Result& r : results_) {
      const Array& a = r.input >= 0 ? in[static_cast<std::size_t>(r.input)] : made[static_cast<std::size_t>(r.output)];
      out.push_back(a.aval() == r.aval ? a : Array(HostArray::view(r.aval, a)));
    }
  }

  // --- for CalledRun
  const ExecutablePlan& plan() const { return plan_; }
  std::size_t input_count() const { return inputs_; }
  std::size_t result_count() const { return results_.size(); }
  // The output of the plan that is written straight to result i; -1: it is a copy of another, or of an input.
  int written_output(std::size_t i) const { return writes_[i] ? results_[i].output : -1; }
  void copy_rest(const std::vector<const void*>& inputs, const std::vector<void*>& results) const {
    for (const Copy& c : copies_)
      if (results[c.to] && c.bytes)
        std::memcpy(results[c.to], c.from_input ? inputs[c.from] : results[c.from], c.bytes);
  }
  bool may_share(std::size_t result, std::size_t input) const {
    for (const ProgramPlan::Result& r : results_)
      if (r.input == static_cast<int>(input)) return false;
    return writes_[result] && plan_.may_share(results_[result].output, static_cast<int>(input));
  }

 private:
  struct Copy {  // of an input or another result to a result
    std::size_t to, from, bytes;
    bool from_input;
  };

  explicit CalledProgram(ProgramPlan p)
      : inputs_(static_cast<std::size_t>(p.plan.input_count())),
        outputs_(std::move(p.outputs)),
        results_(std::move(p.results)),
        plan_(std::move(p.plan)) {
    std::vector<std::size_t> first(outputs_.size(), results_.size());
    for (std::size_t i = 0; i < results_.size(); ++i) {
      const ProgramPlan::Result& r = results_[i];
      const bool from_input = r.input >= 0;
      const auto k = static_cast<std::size_t>(from_input ? r.input : r.output);
      writes_.push_back(!from_input && first[k] == results_.size());
      if (writes_.back()) first[k] = i;
      else
        copies_.push_back({i, from_input ? k : first[k], static_cast<std::size_t>(checked_bytes(r.aval)), from_input});
    }
  }

  std::size_t inputs_;
  std::vector<Aval> outputs_;
  std::vector<ProgramPlan::Result> results_;
  std::vector<bool> writes_;  // per result: whether a step writes it
  std::vector<Copy> copies_;
  ExecutablePlan plan_;
};

std::shared_ptr<const CalledProgram> compiled(const ClosedJaxpr& c) {
  const Jaxpr& j = c.jaxpr();
  if (config::get(config::Flag::disable_most_optimizations))
    return *j.derived.get<std::shared_ptr<const CalledProgram>>(
        "as traced", [&] { return std::make_shared<const CalledProgram>(share(c)); });
  std::shared_ptr<Executable> e = j.executable.load(std::memory_order_acquire);
  if (!e) {
    e = std::make_shared<CalledProgram>(share(c));
    j.executable.store(e, std::memory_order_release);
  }
  return std::static_pointer_cast<const CalledProgram>(std::move(e));
}

std::size_t temporary_bytes(const CalledProgram& p) { return p.plan().block_bytes(); }

void run_called(const ClosedJaxpr& c, std::span<const Array> in, ArrayVec& out) { compiled(c)->run(in, out); }

bool may_share(const CalledProgram& p, std::size_t output, std::size_t input) { return p.may_share(output, input); }

CalledRun::CalledRun(const CalledProgram& p)
    : program_(p),
      block_(p.plan().block_bytes()),
      table_(p.plan().table(block_.data())),
      inputs_(p.input_count()),
      outputs_(p.result_count()) {}
CalledRun::~CalledRun() = default;
void CalledRun::set_input(std::size_t i, const void* elements) {
  inputs_[i] = elements;
  for (int b : program_.plan().buffers_of_input(i)) table_[static_cast<std::size_t>(b)] = const_cast<void*>(elements);
}
void CalledRun::set_output(std::size_t i, void* elements) {
  outputs_[i] = elements;
  const int output = program_.written_output(i);
  if (output < 0) return;
  for (int b : program_.plan().buffers_of_output(static_cast<std::size_t>(output)))
    table_[static_cast<std::size_t>(b)] = elements;
}
void CalledRun::run() {
  program_.plan().run(table_.data());
  program_.copy_rest(inputs_, outputs_);
}

}  // namespace cotan
