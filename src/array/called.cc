// Called programs: compiled at their first use, and run.
#include <cstring>

#include "array/executable.h"
#include "array/host_array.h"
#include "compiler/pipeline.h"
#include "compiler/step_text.h"
#include "cotan/config.h"

namespace cotan {

class CalledProgram final : public Executable {
 public:
  // `d.taker` names results.
  CalledProgram(const JaxprRef& source, Donations d) : CalledProgram(compile(source), std::move(d)) {}

  void run(std::span<const Array> in, ArrayVec& out) const {
    SmallVec<const void*, 8> inputs;
    for (const Array& a : in) inputs.push_back(bytes_of(a));
    ArrayVec made;
    SmallVec<void*, 4> outputs;
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      const int donor = plan_.donor()[i];
      HostArray* h =
          donor < 0 ? HostArray::make(outputs_[i]) : donated(in[static_cast<std::size_t>(donor)], outputs_[i]);
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
    const ProgramPlan::Result& r = results_[result];
    if (r.input >= 0) return r.input == static_cast<int>(input);
    return writes_[result] && plan_.donor()[static_cast<std::size_t>(r.output)] == static_cast<int>(input);
  }
  void count_copy(std::size_t input) const { copied_[input].fetch_add(1, std::memory_order_relaxed); }
  DonationReport report() const {
    DonationReport d;
    for (std::size_t i = 0; i < inputs_; ++i) d.copies.push_back(copied_[i].load(std::memory_order_relaxed));
    for (std::size_t i = 0; i < results_.size(); ++i) {
      const ProgramPlan::Result& r = results_[i];
      const int input = r.input >= 0 ? r.input : plan_.donor()[static_cast<std::size_t>(r.output)];
      if (input >= 0) d.result_of.emplace(static_cast<std::size_t>(input), i);
    }
    for (const Donated& x : plan_.donated()) {
      if (x.output >= 0) continue;
      std::string why = x.holds_temporaries ? "holds temporaries; " : "";
      if (x.early_output < 0) {
        why += "no result of its size takes its memory";
      } else {
        std::size_t result = 0;
        while (results_[result].output != x.early_output) ++result;
        const std::vector<kernel::Step>& steps = plan_.plan().steps;
        why += "result " + std::to_string(result) + " is written (by " + step_text(steps[x.written]) + ") ";
        why += x.written == x.read ? "while it is read" : "before it is read (by " + step_text(steps[x.read]) + ")";
      }
      d.reason.emplace(static_cast<std::size_t>(x.input), std::move(why));
    }
    return d;
  }

 private:
  struct Copy {  // of an input or another result to a result
    std::size_t to, from, bytes;
    bool from_input;
  };

  // The memory of a donated array, which is its own, as that of a result.
  static HostArray* donated(const Array& a, const Aval& result) {
    auto* h = static_cast<HostArray*>(a.node());
    detail::retain(h);
    h->aval = result;
    return h;
  }

  // What may be taken is said of results; an operand that is one itself may not.
  Donations of_outputs(Donations d) const {
    for (int& taker : d.taker)
      if (taker >= 0)
        taker = writes_[static_cast<std::size_t>(taker)] ? results_[static_cast<std::size_t>(taker)].output
                                                         : Donations::none;
    for (const ProgramPlan::Result& r : results_)
      if (static_cast<std::size_t>(r.input) < d.taker.size())
        d.taker[static_cast<std::size_t>(r.input)] = Donations::none;
    return d;
  }

  CalledProgram(ProgramPlan p, Donations d)
      : inputs_(static_cast<std::size_t>(p.plan.input_count())),
        outputs_(std::move(p.outputs)),
        results_(std::move(p.results)),
        writes_(find_copies()),
        plan_(std::move(p.plan), of_outputs(std::move(d))),
        copied_(std::make_unique<std::atomic<std::int64_t>[]>(inputs_)) {}

  std::vector<bool> find_copies() {
    std::vector<bool> writes;
    std::vector<std::size_t> first(outputs_.size(), results_.size());
    for (std::size_t i = 0; i < results_.size(); ++i) {
      const ProgramPlan::Result& r = results_[i];
      const bool from_input = r.input >= 0;
      const auto k = static_cast<std::size_t>(from_input ? r.input : r.output);
      writes.push_back(!from_input && first[k] == results_.size());
      if (writes.back()) first[k] = i;
      else
        copies_.push_back({i, from_input ? k : first[k], static_cast<std::size_t>(checked_bytes(r.aval)), from_input});
    }
    return writes;
  }

  std::size_t inputs_;
  std::vector<Aval> outputs_;
  std::vector<ProgramPlan::Result> results_;
  std::vector<Copy> copies_;
  std::vector<bool> writes_;  // per result: whether a step writes it
  ExecutablePlan plan_;
  std::unique_ptr<std::atomic<std::int64_t>[]> copied_;  // per input: calls in which others held a donated array
};

namespace {

// Kept on the jaxpr by the key.
std::shared_ptr<const CalledProgram> compiled(const ClosedJaxpr& c, std::string key, const Donations& d) {
  if (config::get(config::Flag::disable_most_optimizations)) key += " as traced";
  return *c.jaxpr().derived.get<std::shared_ptr<const CalledProgram>>(
      key, [&] { return std::make_shared<const CalledProgram>(share(c), d); });
}

}  // namespace

std::shared_ptr<const CalledProgram> compiled(const ClosedJaxpr& c) {
  const Jaxpr& j = c.jaxpr();
  if (config::get(config::Flag::disable_most_optimizations)) return compiled(c, "run", {});
  std::shared_ptr<Executable> e = j.executable.load(std::memory_order_acquire);
  if (!e) {
    e = std::make_shared<CalledProgram>(share(c), Donations{});
    j.executable.store(e, std::memory_order_release);
  }
  return std::static_pointer_cast<const CalledProgram>(std::move(e));
}

std::shared_ptr<const CalledProgram> compiled_body(const ClosedJaxpr& c, const std::vector<int>& taker) {
  std::string key = "run inside";
  for (int t : taker) key += ' ' + std::to_string(t);
  return compiled(c, std::move(key), {taker, false});
}

std::shared_ptr<const CalledProgram> compiled_donating(const ClosedJaxpr& c, std::span<const std::size_t> donated) {
  if (donated.empty()) return compiled(c);
  std::string key = "run, given";
  Donations d;
  d.taker.assign(c.jaxpr().invars.size(), Donations::none);
  for (std::size_t i : donated) {
    key += ' ' + std::to_string(i);
    d.taker[i] = Donations::any;
  }
  return compiled(c, std::move(key), d);
}

DonationReport donation_report(const ClosedJaxpr& c, std::span<const std::size_t> donated) {
  return compiled_donating(c, donated)->report();
}

std::size_t temporary_bytes(const CalledProgram& p) { return p.plan().temporary_bytes(); }

void run_called(const ClosedJaxpr& c, std::span<const Array> in, ArrayVec& out) { compiled(c)->run(in, out); }

void run_donating(const ClosedJaxpr& c, ArrayVec in, std::span<const std::size_t> donated, long holders,
                  ArrayVec& out) {
  const auto program = compiled_donating(c, donated);
  for (std::size_t i : donated) {
    bool copied = false;
    in[i] = HostArray::own(std::move(in[i]), holders, &copied);
    if (copied) program->count_copy(i);
  }
  program->run(in, out);
}

bool may_share(const CalledProgram& p, std::size_t result, std::size_t operand) { return p.may_share(result, operand); }

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
