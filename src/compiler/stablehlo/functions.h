// The functions of a module while it is written.
#pragma once
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/primitive.h"
#include "core/stablehlo_writer.h"

namespace cotan::stablehlo {

using Operands = HloWriter::Operands;

class Functions {
 public:
  // A function of the program's inputs; its constants are written into it. What it calls is among the private ones.
  std::string function(std::string_view visibility, const std::string& name, const ClosedJaxpr&);
  const std::string& private_ones() const { return private_ones_; }

 private:
  // The equations of the program, in the function or region that w is in. `values`: of its constants and inputs.
  void write_program(HloWriter& w, const Jaxpr&, Operands values, HloValues& results);
  void write_equation(HloWriter& w, const Jaxpr&, const JaxprEqn&, Operands operands, HloValues& results);
  void write_regions(HloWriter& w, const JaxprEqn&, Operands operands, HloValues& results);
  void write_call(HloWriter& w, const JaxprEqn&, const ClosedJaxpr&, Operands operands, HloValues& results);
  void write_branch(HloWriter& w, const Regions&, Operands operands, HloValues& results);
  void write_while(HloWriter& w, const Regions&, Operands operands, HloValues& results);
  void write_scan(HloWriter& w, const Regions&, Operands operands, HloValues& results);
  void call_expansion(HloWriter& w, const HloIn&, HloValues& results);
  void add_private(const std::string& name, const ClosedJaxpr&);
  std::string fresh_name(std::string_view like);

  struct Expansion {
    const Primitive* primitive;
    ParamsRef params;
    std::vector<Aval> in;
    std::string name;
    std::vector<HloType> results;
    DimVec word_dims;
  };
  const Expansion& expansion_of(const HloIn&);
  std::string private_ones_;
  std::unordered_map<const Jaxpr*, std::string> called_;
  std::unordered_multimap<std::uint64_t, Expansion> expansions_;  // by hash
  std::unordered_set<std::string> taken_{"main"};
  std::unordered_map<std::string, int> copies_;
  int depth_ = 0;
};

std::vector<HloType> types_of(std::span<const Aval>);
HloValues elementwise(HloWriter&, const char* operation, Operands, const Aval& result);

// The program of a primitive that writes itself by simpler ones: its rule `expand`; or, where keys are moved as other elements
// are, the same done to their words.
struct ExpandedProgram {
  ClosedJaxpr program;
  DimVec word_dims;  // where keys are moved: per result, the dimension of the words, which belongs at the end
};
bool moves_keys(const Primitive&, std::span<const Aval> in);
ExpandedProgram expanded_program(const Primitive&, const ParamsRef&, std::span<const Aval> in);

}  // namespace cotan::stablehlo
