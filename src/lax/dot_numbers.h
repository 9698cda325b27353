// Dimension numbers of products as values of the table.
#pragma once
#include "api/convert_value.h"
#include "cotan/lax.h"

namespace cotan::table {
// ((lhs_contract, rhs_contract), (lhs_batch, rhs_batch)).
template <> struct FromValue<lax::DotDimensionNumbers> {
  static lax::DotDimensionNumbers get(const Value& v, const Place& p) {
    using Lists = std::pair<IntList, IntList>;
    const auto [contract, batch] = FromValue<std::pair<Lists, Lists>>::get(v, p);
    return {contract.first, contract.second, batch.first, batch.second};
  }
};
}  // namespace cotan::table
