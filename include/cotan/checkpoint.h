// checkpoint: less memory for a derivative, by computing values again.
#pragma once
#include <string>
#include <vector>

#include "cotan/fn.h"

namespace cotan {

// What a checkpointed function keeps for its derivative beside its arguments.
struct CheckpointPolicy {
  enum class Kind : std::uint8_t { nothing, everything, dots, dots_without_batch, these_names, any_names_but_these };
  Kind kind = Kind::nothing;
  std::vector<std::string> names = {};
};
namespace checkpoint_policies {
inline const CheckpointPolicy nothing_saveable{CheckpointPolicy::Kind::nothing, {}};
inline const CheckpointPolicy everything_saveable{CheckpointPolicy::Kind::everything, {}};
inline const CheckpointPolicy dots_saveable{CheckpointPolicy::Kind::dots, {}};
inline const CheckpointPolicy dots_with_no_batch_dims_saveable{CheckpointPolicy::Kind::dots_without_batch, {}};
inline CheckpointPolicy save_only_these_names(std::vector<std::string> names) {
  return {CheckpointPolicy::Kind::these_names, std::move(names)};
}
inline CheckpointPolicy save_any_names_but_these(std::vector<std::string> names) {
  return {CheckpointPolicy::Kind::any_names_but_these, std::move(names)};
}
}  // namespace checkpoint_policies

struct CheckpointOptions {
  CheckpointPolicy policy = {};
};

namespace detail {
FnRef make_checkpoint(const FnRef&, const CheckpointOptions&);
struct CheckpointTransform {
  CheckpointOptions options;
  template <class R, class... D> auto operator()(const Fn<R(D...)>& f) const {
    return Fn<R(D...)>(make_checkpoint(f.ref(), options));
  }
};
}  // namespace detail

// f, whose derivative keeps the arguments and what the policy says, and computes the rest again.
template <class F> auto checkpoint(F f, const CheckpointOptions& o = {}) {
  return detail::transform(std::move(f), detail::CheckpointTransform{o});
}

// x under a name that policies may ask for.
Array checkpoint_name(const Array& x, const std::string& name);

}  // namespace cotan
