// Parts of one program put into another.
#pragma once
#include <functional>
#include <vector>

#include "kernel/plan.h"

namespace cotan {

// What computes one value of a program, by index and ascending. A cut is an instruction whose value is taken as it is.
struct Cone {
  std::vector<std::int32_t> instructions, sources, cuts;
  int weight = 0;  // in additions; what is the same for all iterations does not count
};
Cone cone_of(const kernel::Program&, kernel::Value, const std::function<bool(std::int32_t)>& is_cut);

// Adds to a program; sources and constants that it has are not added again.
class ProgramParts {
 public:
  explicit ProgramParts(kernel::Program* p) : p_(*p) {}
  kernel::Value source(kernel::Source);
  kernel::Value constant(const kernel::Constant&);

  using Renaming = std::function<kernel::Value(kernel::Value)>;
  // All instructions of another program over the same loops, its sources being `sources`. Returns what its values have become.
  Renaming append(const kernel::Program& from, const std::vector<kernel::Value>& sources);
  // The cone of a value, before all that is there. `source` and `cut` say what its sources and cuts become.
  kernel::Value prepend(const kernel::Program& from, const Cone&, kernel::Value,
                        const std::function<kernel::Value(const kernel::Source&)>& source,
                        const std::function<kernel::Value(std::int32_t)>& cut);
  // Source i goes; `v` is read in its place.
  void replace_source(std::size_t i, kernel::Value v);
  // Sources that are the same become one.
  void merge_sources();
  // Instructions that are the same become one; the others have no use any longer.
  void merge_instructions();

 private:
  template <class F> void each_value(F f);
  kernel::Program& p_;
};

// Sources that are constants of the plan become constants of the program.
void take_constants(const kernel::Plan&, kernel::Program*);

}  // namespace cotan
