// numpy's products. TypeError when contracted sizes differ, ValueError when others do not broadcast. Common options:
//   precision               see cotan/precision.h
//   preferred_element_type  of the result, and of the sums where it is wider; TypeError for a narrower integer type
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cotan/array.h"
#include "cotan/axes.h"
#include "cotan/precision.h"

namespace cotan::numpy {

struct ProductOptions {
  using is_options = void;
  Precision precision = {};
  std::optional<DType> preferred_element_type = std::nullopt;
};
struct VecdotOptions {
  using is_options = void;
  std::int64_t axis = -1;
  Precision precision = {};
  std::optional<DType> preferred_element_type = std::nullopt;
};

Array dot(const Array&, const Array&, const ProductOptions& = {});  // last axis by last but one
Array matmul(const Array&, const Array&, const ProductOptions& = {});
Array vdot(const Array&, const Array&, const ProductOptions& = {});   // of flattened arrays; conjugates the first
Array inner(const Array&, const Array&, const ProductOptions& = {});  // last axis by last axis
Array outer(const Array&, const Array&);                              // of flattened arrays
Array vecdot(const Array&, const Array&, const VecdotOptions& = {});  // of vectors along an axis; conjugates the first
Array matvec(const Array&, const Array&);                             // (..., n, m) by (..., m)
Array vecmat(const Array&, const Array&);                             // (..., n) by (..., n, m); conjugates the first
Array kron(const Array&, const Array&);

// The axes that tensordot sums over: the last n of the first operand with the first n of the second; or one of each; or
// lists of each: tensordot(x, y, {{2, 0}, {1, 0}}).
class ContractedAxes {
 public:
  template <std::integral T>
  requires(!std::is_same_v<T, bool>) ContractedAxes(T n) : count_(static_cast<std::int64_t>(n)) {}
  template <std::integral T> ContractedAxes(T a, T b) : ContractedAxes(IntList{a}, IntList{b}) {}
  ContractedAxes(IntList a, IntList b) : a_(static_cast<IntList&&>(a)), b_(static_cast<IntList&&>(b)), listed_(true) {}
  bool listed() const { return listed_; }
  std::int64_t count() const { return count_; }
  const IntList& a() const { return a_; }
  const IntList& b() const { return b_; }

 private:
  std::int64_t count_ = 0;
  IntList a_, b_;
  bool listed_ = false;
};
Array tensordot(const Array&, const Array&, const ContractedAxes& axes = 2, const ProductOptions& = {});

// Of vectors of 2 or 3 elements along axisa and axisb (ValueError for other sizes): vectors along axisc, or numbers where both
// have 2. `axis` stands for all three.
Array cross(const Array&, const Array&, std::int64_t axisa = -1, std::int64_t axisb = -1, std::int64_t axisc = -1,
            std::optional<std::int64_t> axis = std::nullopt);

// In which order einsum contracts: by a word ("auto", "optimal", "greedy", "dp", ...), true for "optimal", false for the order
// given, or a list of the positions of the operands of each step, whose result is appended.
class EinsumOrder {
 public:
  EinsumOrder() = default;
  EinsumOrder(const char* word) : word_(word) {}
  EinsumOrder(std::string_view word) : word_(word) {}
  EinsumOrder(std::same_as<bool> auto on) : word_(on ? "optimal" : "false") {}
  EinsumOrder(std::vector<IntList> path) : word_("path"), path_(static_cast<std::vector<IntList>&&>(path)) {}
  const std::string& word() const { return word_; }
  const std::vector<IntList>& path() const { return path_; }

 private:
  std::string word_ = "auto";
  std::vector<IntList> path_;
};
struct EinsumOptions {
  using is_options = void;
  EinsumOrder optimize = {};
  Precision precision = {};
  std::optional<DType> preferred_element_type = std::nullopt;
};
struct EinsumPathOptions {
  using is_options = void;
  EinsumOrder optimize = {};
};
struct EinsumPath {
  std::vector<IntList> path;  // the operands of each step; its result is appended to the others
  std::string text;           // with the work of each step
};
// Einstein's summation: einsum("ij,jk->ik", {x, y}). Labels are single characters; "..." stands for axes that broadcast; without
// "->" the result has the labels that occur once, sorted. A label twice in one operand is its diagonal. ValueError for
// subscripts that do not fit the operands.
Array einsum(std::string_view subscripts, const std::vector<Array>& operands, const EinsumOptions& = {});
EinsumPath einsum_path(std::string_view subscripts, const std::vector<Array>& operands, const EinsumPathOptions& = {});

}  // namespace cotan::numpy
