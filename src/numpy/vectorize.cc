#include "numpy/vectorize.h"

#include <algorithm>
#include <map>

#include "api/function_table.h"
#include "api/values.h"
#include "cotan/numpy_callables.h"
#include "numpy/common.h"

namespace cotan::numpy {
namespace {

using Names = std::vector<std::string>;
using Sizes = std::map<std::string, std::int64_t>;

std::string names_text(const Names& names) {
  std::string s = "(";
  for (const std::string& n : names) s += (s.size() > 1 ? "," : "") + n;
  return s + ")";
}

// "(n,m),(m)": lists of names in parentheses, from `at` on.
bool read_lists(const std::string& s, std::size_t& at, std::vector<Names>* lists) {
  while (at < s.size() && s[at] == '(') {
    const std::size_t end = s.find(')', at);
    if (end == s.npos) return false;
    Names names;
    for (std::size_t from = at + 1; from < end;) {
      const std::size_t to = std::min(s.find(',', from), end);
      const std::string name = s.substr(from, to - from);
      if (name.empty() || name.find_first_of("()-> ") != name.npos) return false;
      names.push_back(name);
      from = to + 1;
    }
    lists->push_back(names);
    at = end + 1;
    if (at >= s.size() || s[at] != ',') return true;
    ++at;
  }
  return at > 0 && lists->empty() && (at == s.size() || s[at] == '-');
}

// Where a core axis was seen before, its size must be the same.
void match_sizes(const Array& x, const Names& core, Sizes& sizes, const std::string& what) {
  const int leading = x.ndim() - static_cast<int>(core.size());
  for (std::size_t i = 0; i < core.size(); ++i) {
    const std::int64_t n = x.shape()[leading + static_cast<std::int64_t>(i)];
    const auto [at, added] = sizes.emplace(core[i], n);
    if (!added && at->second != n)
      throw ValueError("vectorize: inconsistent size for core dimension '" + core[i] + "': " + std::to_string(n) +
                       " and " + std::to_string(at->second) + " (" + what + ")");
  }
}

class Vectorized {
 public:
  Vectorized(const FlatFn& f, const CoreAxes& core) : f_(f), core_(core) {}

  Arrays operator()(const Arrays& in) {
    std::vector<Shape> leading;
    for (std::size_t i = 0; i < in.size(); ++i) leading.push_back(leading_shape(in[i], i));
    const Shape shape = broadcast_shapes("vectorize", leading);
    Arrays args;
    IntList unmapped;
    mapped_.assign(static_cast<std::size_t>(shape.ndim()), std::vector<int>(in.size(), no_axis));
    for (std::size_t i = 0; i < in.size(); ++i) args.push_back(squeezed(in[i], leading[i], shape.ndim(), i));
    for (int k = 0; k < shape.ndim(); ++k) {
      if (std::ranges::all_of(mapped_[static_cast<std::size_t>(k)], [](int a) { return a == no_axis; }))
        unmapped.push_back(k);
      else axes_.push_back({static_cast<std::size_t>(k), shape[k]});
    }
    Arrays out = level(0, args);
    if (!unmapped.empty())
      for (Array& a : out) a = ops::expand_dims(a, unmapped);
    return out;
  }

 private:
  const Names& core_of(std::size_t i) const {
    static const Names none_of_it;
    return core_.text.empty() ? none_of_it : core_.in[i];
  }
  Shape leading_shape(const Array& x, std::size_t i) {
    const Names& core = core_of(i);
    const int n = x.ndim() - static_cast<int>(core.size());
    if (n < 0)
      throw ValueError("vectorize: the input with shape " + x.shape().str() +
                       " does not have enough dimensions for the core " + "dimensions " + names_text(core) +
                       " of the signature " + core_.text);
    match_sizes(x, core, sizes_, core_.text);
    return IntList(x.shape().data(), static_cast<std::size_t>(n));
  }
  // Without the leading axes of size 1; notes along which axes of the whole the argument is mapped.
  Array squeezed(const Array& x, const Shape& leading, int rank, std::size_t i) {
    IntList ones;
    for (int k = 0; k < leading.ndim(); ++k) {
      if (leading[k] == 1) ones.push_back(k);
      else mapped_[static_cast<std::size_t>(rank - leading.ndim() + k)][i] = 0;
    }
    return ones.empty() ? x : ops::squeeze(x, ones);
  }
  Arrays level(std::size_t k, const Arrays& args) {
    if (k == axes_.size()) return checked(f_(args));
    const auto [axis, size] = axes_[k];
    Arrays out;
    for (const BatchedOutput& o :
         flat_vmap([&](const Arrays& x) { return level(k + 1, x); }, args, mapped_[axis], size, ""))
      out.push_back(with_batch_axis(o, 0, size));
    return out;
  }
  Arrays checked(Arrays out) {
    if (core_.text.empty()) return out;
    if (out.size() != core_.out.size())
      throw TypeError("vectorize: the function gives " + std::to_string(out.size()) + " results, the signature " +
                      core_.text + " says " + std::to_string(core_.out.size()));
    Sizes sizes = sizes_;
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (out[i].ndim() != static_cast<int>(core_.out[i].size()))
        throw ValueError("vectorize: a result's shape " + out[i].shape().str() +
                         " does not match the core dimensions " + names_text(core_.out[i]) + " of the signature " +
                         core_.text);
      match_sizes(out[i], core_.out[i], sizes, core_.text);
    }
    return out;
  }

  const FlatFn& f_;
  const CoreAxes& core_;
  Sizes sizes_;
  std::vector<std::vector<int>> mapped_;  // for each axis of the whole and each argument: 0 or no_axis
  std::vector<std::pair<std::size_t, std::int64_t>> axes_;
};

class VectorizeFn final : public cotan::detail::FnBase {
 public:
  VectorizeFn(const cotan::detail::FnRef& f, const VectorizeOptions& o)
      : FnBase(&f->result(), f->params(), f->param_count()),
        f_(f),
        core_(CoreAxes::parse(o.signature)),
        argnums_(api::all_dynamic(*f)) {
    for (std::int64_t i : o.excluded)
      if (i >= 0 && i < 64) argnums_ &= ~(std::uint64_t{1} << i);
  }
  bool identity(cotan::detail::Key& k) const override {
    k.put("vectorize", 9);
    cotan::detail::put_key(core_.text, k);
    k.put(argnums_);
    return f_->identity(k);
  }
  std::string name() const override { return f_->name(); }
  void call(api::Args args, void* out) override {
    api::FlatCall flat(*f_, args, argnums_);
    const Arrays leaves = vectorized(flat.fn(), flat.in(), core_);
    flat.result(leaves).copy_to(out);
  }

 private:
  cotan::detail::FnRef f_;
  CoreAxes core_;
  std::uint64_t argnums_;
};

}  // namespace

CoreAxes CoreAxes::parse(const std::string& given) {
  CoreAxes c;
  for (char ch : given)
    if (ch != ' ') c.text += ch;
  if (c.text.empty()) return c;
  std::size_t at = 0;
  const bool left = read_lists(c.text, at, &c.in) && c.text.compare(at, 2, "->") == 0;
  at += 2;
  if (!left || !read_lists(c.text, at, &c.out) || at != c.text.size() || c.out.empty())
    throw ValueError("vectorize: not a valid signature: " + given + "\nIt is to look as \"(n,m),(m)->(n)\".");
  return c;
}

Arrays vectorized(const FlatFn& f, const Arrays& in, const CoreAxes& core) {
  if (!core.text.empty() && core.in.size() != in.size())
    throw TypeError("vectorize: wrong number of arguments: the signature " + core.text + " has " +
                    std::to_string(core.in.size()) + ", got " + std::to_string(in.size()));
  return Vectorized(f, core)(in);
}

namespace detail {
cotan::detail::FnRef make_vectorize(const cotan::detail::FnRef& f, const VectorizeOptions& o) {
  return cotan::detail::FnRef(new VectorizeFn(f, o));
}
}  // namespace detail

}  // namespace cotan::numpy
