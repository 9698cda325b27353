// How the table of functions converts the parameter types of this folder.
#pragma once
#include "api/function_table.h"
#include "cotan/random.h"

namespace cotan::table {

template <> struct FromValue<ShapeOrNone> {
  static ShapeOrNone get(const Value& v, const Place& p) {
    if (v.is_none()) return none;
    return Shape(to_integers(v, p));
  }
};
template <> struct FromValue<random::Seed> {
  static random::Seed get(const Value& v, const Place& p) {
    if (v.get<Array>()) return FromValue<Array>::get(v, p);
    return to_integer(v, p);
  }
};

}  // namespace cotan::table
