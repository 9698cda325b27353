// The order of a dict's keys in a pytree.
#pragma once
#include <memory>

#include "common.h"

namespace cotan::python {

// The sorted keys of dicts with the same keys in the same order. Dicts of one shape, which programs use again and again, share the
// list: it is sorted, hashed and compared once.
struct DictOrder {
  std::vector<nb::object> keys;    // as the dict has them
  std::vector<std::size_t> place;  // of each in `sorted`
  nb::object sorted;               // a list, which nobody changes
  std::size_t hash = 0;
};

// Puts the values of a dict, by the order of its sorted keys, into `out`, and says that order. ValueError for keys that can't be
// compared.
std::shared_ptr<const DictOrder> append_sorted(PyObject* dict, std::vector<nb::object>& out);

nb::object sorted_keys(PyObject* dict);  // a list
std::size_t hash_of(PyObject*);          // of lists too; TypeError for what has no hash

}  // namespace cotan::python
