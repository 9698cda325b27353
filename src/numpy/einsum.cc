// einsum: each step reduces its operands and multiplies two of them by one dot_general.
#include <algorithm>

#include "api/function_table.h"
#include "numpy/einsum_path.h"
#include "numpy/products.h"

namespace cotan::numpy {

namespace {

struct Term {
  Array value;
  Labels labels;  // of its axes
};

bool has(const Labels& labels, int l) { return std::find(labels.begin(), labels.end(), l) != labels.end(); }

Array sum_over(const Array& x, const IntList& axes) {
  if (axes.empty()) return x;
  return (is_bool(x) ? ops::reduce_or : ops::reduce_sum)(x, axes);
}

void drop_axes(Labels& labels, const IntList& axes) {
  for (int i = axes.length(); i-- > 0;) labels.erase(labels.begin() + axes[i]);
}

IntList axes_of(const Labels& labels, int label) {
  IntList r;
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (labels[i] == label) r.push_back(i);
  return r;
}

// Axes of size 1 whose label has another size in `other` repeat along it: they are left out.
void drop_ones(Term& t, const Term& other) {
  IntList axes;
  for (std::size_t i = 0; i < t.labels.size(); ++i) {
    const IntList theirs = axes_of(other.labels, t.labels[i]);
    if (t.value.shape()[static_cast<std::int64_t>(i)] == 1 && !theirs.empty() && other.value.shape()[theirs[0]] != 1)
      axes.push_back(i);
  }
  t.value = ops::squeeze(t.value, axes);
  drop_axes(t.labels, axes);
}

// 0 where the indices along `axes` differ.
Array on_diagonal(const Array& x, const IntList& axes) {
  Shape sizes;
  for (std::int64_t a : axes) sizes.push_back(x.shape()[a]);
  Arrays indices;
  for (int i = 0; i < axes.length(); ++i) indices.push_back(ops::iota(DType::uint32, sizes, i));
  Arrays equal_pairs;
  for (int i = 0; i + 1 < axes.length(); ++i)
    equal_pairs.push_back(ops::eq(indices[static_cast<std::size_t>(i)], indices[static_cast<std::size_t>(i) + 1]));
  Array mask = equal_pairs[0];
  for (std::size_t i = 1; i < equal_pairs.size(); ++i) mask = ops::bit_and(mask, equal_pairs[i]);
  if (!(sizes == x.shape())) mask = ops::broadcast_in_dim(mask, x.shape(), axes);
  const Array zeros = ops::full({x.shape(), x.dtype(), false}, 0);
  return ops::select(mask, x, zeros);
}

// Sums over labels that nothing else has, and takes diagonals of those that occur more than once.
void reduce_alone(Term& t, const Labels& result, const Labels& other) {
  IntList alone;
  for (std::size_t i = 0; i < t.labels.size(); ++i) {
    const int l = t.labels[i];
    if (!has(result, l) && !has(other, l) && axes_of(t.labels, l).length() == 1) alone.push_back(i);
  }
  t.value = sum_over(t.value, alone);
  drop_axes(t.labels, alone);
  for (std::size_t i = 0; i < t.labels.size();) {
    const int l = t.labels[i];
    IntList axes = axes_of(t.labels, l);
    if (axes.length() == 1) {
      ++i;
      continue;
    }
    const Array diagonal = on_diagonal(t.value, axes);
    if (has(result, l) || has(other, l)) axes.erase(axes.length() - 1);
    t.value = sum_over(diagonal, axes);
    drop_axes(t.labels, axes);
    i = 0;
  }
}

// `from`'s axes in the order of `to`.
Array arranged(const Array& x, const Labels& from, const Labels& to) {
  IntList permutation;
  for (int l : to) permutation.push_back(std::find(from.begin(), from.end(), l) - from.begin());
  return ops::transpose(x, permutation);
}

Labels joined(std::initializer_list<const Labels*> parts) {
  Labels r;
  for (const Labels* p : parts) r.insert(r.end(), p->begin(), p->end());
  return r;
}

Labels others(const Labels& labels, const Labels& without) {
  Labels r;
  for (int l : labels)
    if (!has(without, l)) r.push_back(l);
  return r;
}

IntList positions(const Labels& of, const Labels& in) {
  IntList r;
  for (int l : of) r.push_back(std::find(in.begin(), in.end(), l) - in.begin());
  return r;
}

Term multiply_terms(const Term& x, const Term& y, const Labels& result, DType d, const Precision& precision) {
  Labels batch, contract;
  for (int l : x.labels)
    if (has(y.labels, l)) (has(result, l) ? batch : contract).push_back(l);
  std::sort(batch.begin(), batch.end());
  std::sort(contract.begin(), contract.end());
  const Labels shared = joined({&batch, &contract}), x_rest = others(x.labels, shared),
               y_rest = others(y.labels, shared);
  const auto product = [&](const Term& a, const Term& b) {
    const ops::DotDimensionNumbers numbers{positions(contract, a.labels), positions(contract, b.labels),
                                           positions(batch, a.labels), positions(batch, b.labels)};
    return ops::dot_general(a.value, b.value, numbers, d, precision);
  };
  if (joined({&batch, &y_rest, &x_rest}) == result) return {product(y, x), result};
  return {arranged(product(x, y), joined({&batch, &x_rest, &y_rest}), result), result};
}

Term contract(std::vector<Term> terms, const Labels& result, DType d, const Precision& precision) {
  if (terms.size() == 1) {
    Term t = terms[0];
    t.value = to_dtype(t.value, d, false);
    reduce_alone(t, result, {});
    return {arranged(t.value, t.labels, result), result};
  }
  Term &x = terms[0], &y = terms[1];
  drop_ones(x, y);
  drop_ones(y, x);
  reduce_alone(x, result, y.labels);
  reduce_alone(y, result, x.labels);
  return multiply_terms(x, y, result, d, precision);
}

}  // namespace

Array einsum(std::string_view subscripts, const std::vector<Array>& operands, const EinsumOptions& o) {
  COTAN_API;
  std::vector<Shape> shapes;
  for (const Array& a : operands) shapes.push_back(a.shape());
  const Subscripts s = read_subscripts(subscripts, shapes);
  const ProductType type = product_type("einsum", operands, o.preferred_element_type);
  std::vector<Term> terms;
  for (std::size_t i = 0; i < operands.size(); ++i) terms.push_back({operands[i], s.inputs[i]});
  std::vector<Labels> labels = s.inputs;
  for (const IntList& step : contraction_order(s, o.optimize)) {
    const Step plan = take_step(labels, step, s.output);
    std::vector<Term> taken;
    for (int i = step.length(); i-- > 0;) {
      const auto at = terms.begin() + step[i];
      taken.push_back(*at);
      terms.erase(at);
    }
    terms.push_back(contract(std::move(taken), plan.result, type.dtype, o.precision));
  }
  return to_dtype(terms[0].value, type.dtype, type.weak);
}

}  // namespace cotan::numpy

namespace cotan::table {
template <> struct FromValue<numpy::EinsumOrder> {
  static numpy::EinsumOrder get(const Value& v, const Place& p) {
    if (const bool* on = v.get<bool>()) return *on;
    if (v.is_sequence()) return FromValue<std::vector<IntList>>::get(v, p);
    return std::string_view(to_string(v, p));
  }
};
}  // namespace cotan::table

namespace cotan::numpy {

namespace {

// einsum(x, [0, 1], y, [1, 2], [0, 2]): labels as integers.
struct Request {
  std::string subscripts;
  std::vector<Array> operands;
};

std::string labels_text(const table::Value& labels, const table::Place& p) {
  std::string s;
  for (const table::Value& l : table::to_items(labels, p)) {
    if (l.get<ellipsis_t>()) {
      s += "...";
      continue;
    }
    const std::int64_t i = table::to_integer(l, p);
    if (i < 0 || i >= 52) throw ValueError("einsum: labels must be from 0 to 51, got " + std::to_string(i));
    s += static_cast<char>(i < 26 ? 'A' + i : 'a' + (i - 26));
  }
  return s;
}

Request request_of(const table::Call& c) {
  const table::Value& first = c["subscripts"];
  const table::Value::Items& rest = c["operands"].items();
  const table::Place p = c.place("operands");
  Request r;
  if (first.get<std::string>()) {
    r.subscripts = *first.get<std::string>();
    for (const table::Value& v : rest) r.operands.push_back(table::to_array(v, p));
    return r;
  }
  r.operands.push_back(table::to_array(first, p));
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (i % 2 == 1 && i + 1 < rest.size()) {
      r.operands.push_back(table::to_array(rest[i], p));
      r.subscripts += ",";
    } else {
      r.subscripts += (i % 2 ? "->" : "") + labels_text(rest[i], p);
    }
  }
  return r;
}

}  // namespace

const FunctionTable einsum_table{
    "numpy",
    {
        function<[](const table::Call& c) -> table::Value {
          const Request r = request_of(c);
          return einsum(r.subscripts, r.operands,
                        {.optimize = c.get<EinsumOrder>("optimize"),
                         .precision = c.get<Precision>("precision"),
                         .preferred_element_type = c.get<std::optional<DType>>("preferred_element_type")});
        }>("einsum(subscripts, /, *operands, out=None, optimize='auto', precision=None, preferred_element_type=None, "
           "_dot_general=<function dot_general>, out_sharding=None)",
           "Sums of products by Einstein's notation."),
        function<[](const table::Call& c) -> table::Value {
          const Request r = request_of(c);
          const EinsumPath p = einsum_path(r.subscripts, r.operands, {.optimize = c.get<EinsumOrder>("optimize")});
          table::Value::Items path;
          for (const IntList& step : p.path) path.push_back(table::to_value(step));
          return table::Value::tuple({table::Value::list(path), p.text});
        }>("einsum_path(subscripts, /, *operands, optimize='auto')",
           "The order of einsum's contractions, and a text with their work."),
    }};

}  // namespace cotan::numpy
