// Fusing, the part that takes: a program computes a value of a group itself, in the place of a source.
#pragma once
#include <optional>

#include "compiler/passes/fuse_groups.h"
#include "compiler/passes/program_parts.h"

namespace cotan {

class FuseTaking : protected FuseGroups {
 protected:
  using FuseGroups::FuseGroups;

  static constexpr std::size_t most_instructions = 128, most_sources = 40;  // of one program: its tiles share L1
  static constexpr int most_loops = 24;

  // Each says whether there was one to take. A source that only copies: what it copies is read instead.
  bool take_copy(kernel::Program*);
  // One value, of group `latest` if there is a choice.
  bool take_one(kernel::Program*, int latest);
  // Before joining group `at`: values of earlier groups that only this program reads.
  void take_single_uses(kernel::Program*, int at);
  // Whether it is to be computed where it is read, however often.
  bool is_cheap(const Part&);

 private:
  struct Taken {
    Part part;
    kernel::Dims loops;    // of the program, split where the map needs it
    kernel::IndexMap map;  // from its loops, and the starts of the source, to those of the maker
    Cone cone;
  };

  // How the program can compute what the source reads; none where it cannot.
  std::optional<Taken> taken(const kernel::Program&, const kernel::Source&);
  std::optional<Taken> taken(const kernel::Program&, const kernel::Source&, const Part&);
  bool kept_in_memory(Group&, std::int32_t instruction, int except);
  bool in_order(const Taken&, const kernel::Source& read, const kernel::Program& maker);
  bool is_read_once(const Part&);
  bool worth_taking(const kernel::Program&, const kernel::Source&, const Taken&);
  bool reads_what_is_handed_over(const kernel::Program&, const Taken&, const kernel::Program& maker);
  void take(kernel::Program*, std::size_t source, const Taken&);
};

}  // namespace cotan
