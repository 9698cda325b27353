// Execution of equations that run other programs or users' functions.
#include <algorithm>
#include <cstring>

#include "array/executable.h"
#include "array/host_array.h"
#include "base/host_scalar.h"

namespace cotan {

RegionStep::~RegionStep() = default;

namespace {

using In = std::span<const void* const>;
using Out = std::span<void* const>;

std::size_t bytes_of_aval(const Aval& a) { return static_cast<std::size_t>(checked_bytes(a)); }
void copy_bytes(void* to, const void* from, std::size_t n) {
  if (n && to != from) std::memcpy(to, from, n);
}
const void* offset(const void* p, std::size_t n) { return static_cast<const char*>(p) + n; }
void* offset(void* p, std::size_t n) { return static_cast<char*>(p) + n; }

// Result i may be written over the operand that a branch gives back as result i, or the first of its type.
std::vector<int> takers_of_branches(const Regions& r) {
  const Jaxpr& first = r.programs[0]->jaxpr();
  std::vector<int> taker(first.invars.size(), Donations::none);
  const auto is_like = [&](std::size_t operand, std::size_t result) {
    return taker[operand] == Donations::none && first.aval(first.invars[operand]) == first.aval(first.outvars[result]);
  };
  for (std::size_t i = 0; i < first.outvars.size(); ++i) {
    std::size_t operand = taker.size();
    for (const ClosedJaxpr* p : r.programs)
      for (std::size_t k = 0; k < taker.size() && operand == taker.size(); ++k) {
        const Atom out = p->jaxpr().outvars[i];
        if (!out.is_literal() && out.var() == p->jaxpr().invars[k] && is_like(k, i)) operand = k;
      }
    for (std::size_t k = 0; k < taker.size() && operand == taker.size(); ++k)
      if (is_like(k, i)) operand = k;
    if (operand < taker.size()) taker[operand] = static_cast<int>(i);
  }
  return taker;
}

class BranchStep final : public RegionStep {
 public:
  explicit BranchStep(const Regions& r) : taker_(takers_of_branches(r)) {
    for (const ClosedJaxpr* p : r.programs) branches_.push_back(compiled_body(*p, taker_));
  }
  bool may_share(std::size_t output, std::size_t operand) const override {
    if (operand == 0 || taker_[operand - 1] != static_cast<int>(output)) return false;
    return std::all_of(branches_.begin(), branches_.end(),
                       [&](const auto& b) { return cotan::may_share(*b, output, operand - 1); });
  }
  std::size_t temporary_bytes() const override {
    std::size_t most = 0;
    for (const auto& b : branches_) most = std::max(most, cotan::temporary_bytes(*b));
    return most;
  }
  void run(In in, Out out) const override {
    std::int32_t index;
    std::memcpy(&index, in[0], sizeof index);
    const auto last = static_cast<std::int32_t>(branches_.size()) - 1;
    CalledRun run(*branches_[static_cast<std::size_t>(std::clamp(index, 0, last))]);
    for (std::size_t i = 1; i < in.size(); ++i) run.set_input(i - 1, in[i]);
    for (std::size_t i = 0; i < out.size(); ++i) run.set_output(i, out[i]);
    run.run();
  }

 private:
  std::vector<int> taker_;
  std::vector<std::shared_ptr<const CalledProgram>> branches_;
};

std::vector<int> takers_of_carries(const Jaxpr& body, std::size_t consts, std::size_t count) {
  std::vector<int> taker(body.invars.size(), Donations::none);
  for (std::size_t i = 0; i < count; ++i) taker[consts + i] = static_cast<int>(i);
  return taker;
}

// The carries of a loop. One that the body gives back as it came keeps its memory; one that the body may write over has that of
// the result; each other has a place beside it, and the two are written in turn.
class Carries {
 public:
  Carries(const Jaxpr& body, const CalledProgram& compiled_body, std::size_t consts, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const Atom out = body.outvars[i];
      const Aval& a = body.aval(body.invars[consts + i]);
      kept_.push_back(!out.is_literal() && out.var() == body.invars[consts + i]);
      in_place_.push_back(!kept_.back() && may_share(compiled_body, i, consts + i));
      bytes_.push_back(bytes_of_aval(a));
      const std::size_t padded = (bytes_.back() + 63) / 64 * 64;
      at_.push_back(total_);
      if (!kept_.back() && !in_place_.back()) total_ += padded;
    }
  }
  std::size_t size() const { return bytes_.size(); }
  std::size_t bytes() const { return total_; }
  std::size_t bytes(std::size_t i) const { return bytes_[i]; }
  bool kept(std::size_t i) const { return kept_[i]; }
  bool in_place(std::size_t i) const { return in_place_[i]; }
  bool moves(std::size_t i) const { return !kept_[i] && !in_place_[i]; }
  void* place(void* block, std::size_t i) const { return offset(block, at_[i]); }

 private:
  std::vector<bool> kept_, in_place_;
  std::vector<std::size_t> bytes_, at_;
  std::size_t total_ = 0;
};

class ScanStep final : public RegionStep {
 public:
  ScanStep(const Regions& r, std::span<const Aval> in, std::span<const Aval> out)
      : consts_(static_cast<std::size_t>(r.consts)),
        body_(compiled_body(*r.programs[0],
                            takers_of_carries(r.programs[0]->jaxpr(), consts_, static_cast<std::size_t>(r.carries)))),
        length_(r.length),
        reverse_(r.reverse),
        carries_(r.programs[0]->jaxpr(), *body_, consts_, static_cast<std::size_t>(r.carries)) {
    for (std::size_t i = consts_ + carries_.size(); i < in.size(); ++i) rows_in_.push_back(row_bytes(in[i]));
    for (std::size_t i = carries_.size(); i < out.size(); ++i) rows_out_.push_back(row_bytes(out[i]));
  }

  bool may_share(std::size_t output, std::size_t operand) const override {
    return output < carries_.size() && operand == consts_ + output && !carries_.moves(output);
  }
  std::size_t temporary_bytes() const override { return carries_.bytes() + cotan::temporary_bytes(*body_); }

  void run(In in, Out out) const override {
    CalledRun body(*body_);
    const runtime::ScopedBlock block(carries_.bytes());
    for (std::size_t i = 0; i < consts_ + carries_.size(); ++i) body.set_input(i, in[i]);
    for (std::size_t i = 0; i < carries_.size(); ++i)
      if (carries_.in_place(i) && length_ > 0) {
        copy_bytes(out[i], in[consts_ + i], carries_.bytes(i));
        body.set_input(consts_ + i, out[i]);
        body.set_output(i, out[i]);
      }
    for (std::int64_t step = 0; step < length_; ++step) {
      const auto row = static_cast<std::size_t>(reverse_ ? length_ - 1 - step : step);
      for (std::size_t i = 0; i < rows_in_.size(); ++i) {
        const std::size_t operand = consts_ + carries_.size() + i;
        body.set_input(operand, offset(in[operand], row * rows_in_[i]));
      }
      for (std::size_t i = 0; i < rows_out_.size(); ++i)
        body.set_output(carries_.size() + i, offset(out[carries_.size() + i], row * rows_out_[i]));
      const bool to_result = (length_ - 1 - step) % 2 == 0;
      const auto place = [&](std::size_t i) { return to_result ? out[i] : carries_.place(block.data(), i); };
      for (std::size_t i = 0; i < carries_.size(); ++i)
        if (carries_.moves(i)) body.set_output(i, place(i));
      body.run();
      for (std::size_t i = 0; i < carries_.size(); ++i)
        if (carries_.moves(i)) body.set_input(consts_ + i, place(i));
    }
    for (std::size_t i = 0; i < carries_.size(); ++i)
      if (carries_.kept(i) || length_ == 0) copy_bytes(out[i], in[consts_ + i], carries_.bytes(i));
  }

 private:
  std::size_t row_bytes(Aval a) const {
    a.shape.erase(0);
    return bytes_of_aval(a);
  }

  std::size_t consts_;
  std::shared_ptr<const CalledProgram> body_;
  std::int64_t length_;
  bool reverse_;
  Carries carries_;
  std::vector<std::size_t> rows_in_, rows_out_;  // bytes of a row
};

class WhileStep final : public RegionStep {
 public:
  WhileStep(const Regions& r, std::size_t operands)
      : condition_consts_(static_cast<std::size_t>(r.condition_consts)),
        consts_(static_cast<std::size_t>(r.consts)),
        condition_(compiled_body(*r.programs[0], {})),
        body_(compiled_body(*r.programs[1], takers_of_carries(r.programs[1]->jaxpr(), consts_,
                                                              operands - condition_consts_ - consts_))),
        carries_(r.programs[1]->jaxpr(), *body_, consts_, operands - condition_consts_ - consts_) {}

  bool may_share(std::size_t output, std::size_t operand) const override {
    return operand == condition_consts_ + consts_ + output && !carries_.moves(output);
  }
  std::size_t temporary_bytes() const override {
    return carries_.bytes() + cotan::temporary_bytes(*condition_) + cotan::temporary_bytes(*body_);
  }

  void run(In in, Out out) const override {
    CalledRun condition(*condition_), body(*body_);
    const runtime::ScopedBlock block(carries_.bytes());
    const std::size_t first = condition_consts_ + consts_;
    std::uint8_t goes_on = 0;
    condition.set_output(0, &goes_on);
    for (std::size_t i = 0; i < condition_consts_; ++i) condition.set_input(i, in[i]);
    for (std::size_t i = 0; i < consts_; ++i) body.set_input(i, in[condition_consts_ + i]);
    std::vector<const void*> now(in.begin() + static_cast<std::ptrdiff_t>(first), in.end());
    for (std::size_t i = 0; i < carries_.size(); ++i)
      if (carries_.in_place(i)) {
        copy_bytes(out[i], now[i], carries_.bytes(i));
        now[i] = out[i];
        body.set_output(i, out[i]);
      }
    for (bool to_result = false;; to_result = !to_result) {
      const auto place = [&](std::size_t i) { return to_result ? out[i] : carries_.place(block.data(), i); };
      for (std::size_t i = 0; i < carries_.size(); ++i) condition.set_input(condition_consts_ + i, now[i]);
      condition.run();
      if (!goes_on) break;
      for (std::size_t i = 0; i < carries_.size(); ++i) {
        body.set_input(consts_ + i, now[i]);
        if (carries_.moves(i)) body.set_output(i, place(i));
      }
      body.run();
      for (std::size_t i = 0; i < carries_.size(); ++i)
        if (carries_.moves(i)) now[i] = place(i);
    }
    for (std::size_t i = 0; i < carries_.size(); ++i)
      if (!carries_.in_place(i)) copy_bytes(out[i], now[i], carries_.bytes(i));
  }

 private:
  std::size_t condition_consts_, consts_;
  std::shared_ptr<const CalledProgram> condition_, body_;
  Carries carries_;
};

// A rule that evaluates on arrays: users' functions.
class RunStep final : public RegionStep {
 public:
  RunStep(const EqnContext& c, std::span<const Aval> in, std::span<const Aval> out)
      : primitive_(c.primitive), params_(c.params_ref), in_(in.begin(), in.end()), out_(out.begin(), out.end()) {}

  bool may_share(std::size_t, std::size_t) const override { return true; }  // operands and results are copied
  std::size_t temporary_bytes() const override {
    std::size_t n = 0;
    for (const Aval& a : in_) n += bytes_of_aval(a);
    for (const Aval& a : out_) n += bytes_of_aval(a);
    return n;
  }

  void run(In in, Out out) const override {
    ArrayVec operands, results;
    for (std::size_t i = 0; i < in.size(); ++i) operands.push_back(evaluation_hook().from_bytes(in_[i], in[i]));
    primitive_.run({primitive_, params_}, operands, results);
    for (std::size_t i = 0; i < out.size(); ++i) copy_bytes(out[i], bytes_of(results[i]), bytes_of_aval(out_[i]));
  }

 private:
  const Primitive& primitive_;
  ParamsRef params_;
  std::vector<Aval> in_, out_;
};

}  // namespace

std::shared_ptr<const RegionStep> region_step(const EqnContext& c, std::span<const Aval> in,
                                              std::span<const Aval> out) {
  if (!c.primitive.regions) return std::make_shared<RunStep>(c, in, out);
  const Regions r = c.primitive.regions(c);
  if (r.kind == RegionKind::branch) return std::make_shared<BranchStep>(r);
  if (r.kind == RegionKind::scan) return std::make_shared<ScanStep>(r, in, out);
  return std::make_shared<WhileStep>(r, in.size());
}

void run_regions(const EqnContext& c, std::span<const Array> in, ArrayVec& out) {
  SmallVec<Aval, 4> in_avals;
  SmallVec<const void*, 8> inputs;
  for (const Array& a : in) in_avals.push_back(a.aval()), inputs.push_back(bytes_of(a));
  AvalVec out_avals;
  infer(c.primitive, c.params_ref, in_avals, out_avals);
  SmallVec<void*, 4> outputs;
  for (const Aval& a : out_avals) {
    HostArray* h = HostArray::make(a);
    out.push_back(Array(h));
    outputs.push_back(h->elements());
  }
  region_step(c, in_avals, out_avals)->run(inputs, outputs);
}

}  // namespace cotan
