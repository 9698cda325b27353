// vmap = loop.
#include "control/jit.h"
#include "derived/checks.h"
#include "derived/samplers.h"

namespace cotan::derived {

namespace {

struct Batch {
  Arrays args;
  std::vector<int> axes;  // no_axis: shared
  std::int64_t size;
};

Batch batch_for(const Case& c, unsigned mapped, bool last, std::int64_t size) {
  Batch b{{}, {}, size};
  for (std::size_t i = 0; i < c.in.size(); ++i) {
    Aval a = c.in[i];
    if (mapped >> i & 1) {
      const int axis = last ? a.ndim() : 0;
      a.shape.insert(axis, size);
      b.axes.push_back(axis);
    } else b.axes.push_back(no_axis);
    b.args.push_back(operand(a, c.domain_of(i), static_cast<int>(i)));
  }
  return b;
}

Arrays vmapped(const FlatFn& f, const Batch& b, const Arrays& args) {
  Arrays out;
  for (const BatchedOutput& o : flat_vmap(f, args, b.axes, b.size, "")) out.push_back(with_batch_axis(o, 0, b.size));
  return out;
}

Arrays looped(const FlatFn& f, const Batch& b, const std::vector<Aval>& out_avals) {
  std::vector<Arrays> results(out_avals.size());
  for (std::int64_t k = 0; k < b.size; ++k) {
    Arrays x;
    for (std::size_t i = 0; i < b.args.size(); ++i)
      x.push_back(b.axes[i] == no_axis ? b.args[i] : example_of(b.args[i], b.axes[i], k));
    const Arrays y = f(x);
    for (std::size_t i = 0; i < y.size(); ++i) results[i].push_back(y[i]);
  }
  Arrays out;
  for (std::size_t i = 0; i < results.size(); ++i) out.push_back(batch_of(results[i], out_avals[i], 0));
  return out;
}

// Sums may be taken in another order; all else has the same bits.
std::string compare(const Case& c, const Arrays& got, const Arrays& want) {
  const bool sums = c.primitive->kind == Kind::reduction || c.primitive->kind == Kind::contraction;
  if (got.size() != want.size()) return "another number of results";
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double tolerance = sums ? 8 * epsilon_of(want[i].dtype()) : 0;
    if (std::string d = difference(got[i], want[i], tolerance, tolerance); !d.empty()) return d;
    if (!sums && !same_bits(got[i], want[i])) return "bits or weak types differ";
  }
  return "";
}

bool indices_mapped(const Case& c, unsigned mapped) {
  for (std::size_t i = 0; i < c.in.size(); ++i)
    if (is_integer(c.in[i].dtype) && (mapped >> i & 1) && c.in[i].ndim() == 0) return true;
  return false;
}
// Batches of start indices need gather and scatter.
bool may_be_missing(const Case& c, unsigned mapped) {
  const std::string name = c.primitive->name;
  return (name == "dynamic_slice" || name == "dynamic_update_slice") && indices_mapped(c, mapped);
}

std::string check_batch(const Case& c, unsigned mapped, bool last, std::int64_t size) {
  const Batch b = batch_for(c, mapped, last, size);
  Arrays got;
  try {
    got = vmapped(c.function(), b, b.args);
  } catch (const NotImplementedError& e) {
    if (may_be_missing(c, mapped) && e.message().find(c.primitive->name) != std::string::npos) return "";
    throw;
  }
  if (std::string w = compare(c, got, looped(c.function(), b, c.out_avals())); !w.empty()) return w;
  if (size != 3) return "";
  std::vector<Aval> avals;
  for (const Array& a : b.args) avals.push_back(a.aval());
  const ClosedJaxpr program = flat_make_jaxpr([&](const Arrays& x) { return vmapped(c.function(), b, x); }, avals);
  const Arrays staged = bind_jit("f", program, b.args);
  for (std::size_t i = 0; i < got.size(); ++i)
    if (!same_bits(staged[i], got[i])) return "under jit: bits differ";
  return "";
}

// A batch of special values against the scalar operation.
std::string check_special(const Case& c) {
  if (c.primitive->kind != Kind::elementwise) return "";
  Batch b{{}, std::vector<int>(c.in.size(), 0), 0};
  for (const Aval& a : c.in) {
    if (a.ndim() || is_key(a.dtype)) return "";
    const Array x = special_values(a.dtype, static_cast<int>(b.args.size()));
    if (!b.args.empty() && x.size() != b.size) return "";
    b.args.push_back(x);
    b.size = x.size();
  }
  std::string w = compare(c, vmapped(c.function(), b, b.args), looped(c.function(), b, c.out_avals()));
  return w.empty() ? w : "vmap over special values: " + w;
}

std::string check_nested(const Case& c) {
  const auto all = (1u << c.in.size()) - 1;
  if (may_be_missing(c, all)) return "";
  const std::int64_t outer = 2, inner = 3;
  Batch b{{}, {}, outer};
  for (std::size_t i = 0; i < c.in.size(); ++i) {
    Aval a = c.in[i];
    a.shape.insert(0, inner);
    a.shape.insert(i % 2 ? a.ndim() : 0, outer);
    b.axes.push_back(i % 2 ? a.ndim() - 1 : 0);
    b.args.push_back(operand(a, c.domain_of(i), static_cast<int>(i)));
  }
  std::vector<Aval> once = c.out_avals();
  for (Aval& a : once) a.shape.insert(0, inner);
  const Batch in{{}, std::vector<int>(c.in.size(), 0), inner};
  const FlatFn f = [&](const Arrays& x) { return vmapped(c.function(), in, x); };
  const FlatFn loop = [&](const Arrays& x) { return looped(c.function(), {x, in.axes, inner}, c.out_avals()); };
  std::string w = compare(c, vmapped(f, b, b.args), looped(loop, b, once));
  return w.empty() ? w : "vmap of vmap: " + w;
}

}  // namespace

std::string check_batching(const Case& c) {
  if (c.in.empty()) return "";
  if (c.primitive->name == std::string_view("rng_bit_generator")) return check_generator_batching(c);
  const unsigned choices = c.in.size() <= 3 ? (1u << c.in.size()) : 0;
  std::vector<unsigned> masks;
  for (unsigned m = 1; m < choices; ++m) masks.push_back(m);
  if (!choices) {
    for (unsigned i = 0; i < c.in.size(); ++i) masks.push_back(1u << i);
    masks.push_back((1u << c.in.size()) - 1);
  }
  for (unsigned m : masks)
    for (std::int64_t size : {3, 1, 0})
      for (bool last : {false, true}) {
        std::string w = check_batch(c, m, last, size);
        if (!w.empty())
          return "vmap over operands " + std::to_string(m) + (last ? " at the last axis" : " at axis 0") + ", size " +
                 std::to_string(size) + ": " + w;
      }
  std::string w = check_special(c);
  return w.empty() ? check_nested(c) : w;
}

}  // namespace cotan::derived
