#include "dict_order.h"

#include <array>

#include "tree.h"

namespace cotan::python {

nb::object sorted_keys(PyObject* dict) {
  nb::object keys = checked(PyDict_Keys(dict));
  if (PyList_Sort(keys.ptr()) < 0) {
    PyErr_Clear();
    throw ValueError("the keys of a dict in a pytree must be comparable, got " + repr_of(keys));
  }
  return keys;
}

std::size_t hash_of(PyObject* o) {
  if (PyList_Check(o)) {
    std::size_t h = 17;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(o); ++i) h = h * 1000003 ^ hash_of(PyList_GET_ITEM(o, i));
    return h;
  }
  if (PyTuple_Check(o)) {
    std::size_t h = 19;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(o); ++i) h = h * 1000003 ^ hash_of(PyTuple_GET_ITEM(o, i));
    return h;
  }
  const Py_hash_t h = PyObject_Hash(o);
  if (h == -1) throw nb::python_error();
  return static_cast<std::size_t>(h);
}

namespace {

struct Items {  // of a dict, borrowed: valid until Python code runs
  std::vector<PyObject*> keys, values;
  explicit Items(PyObject* dict) {
    keys.reserve(static_cast<std::size_t>(PyDict_GET_SIZE(dict)));
    values.reserve(keys.capacity());
    Py_ssize_t position = 0;
    PyObject *key = nullptr, *value = nullptr;
    while (PyDict_Next(dict, &position, &key, &value)) {
      keys.push_back(key);
      values.push_back(value);
    }
  }
};

std::shared_ptr<const DictOrder> new_order(PyObject* dict) {
  auto made = std::make_shared<DictOrder>();
  for (PyObject* key : Items(dict).keys) made->keys.push_back(nb::borrow(key));
  made->sorted = sorted_keys(dict);
  made->hash = hash_of(made->sorted.ptr());
  const nb::dict places;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(made->sorted.ptr()); ++i)
    check(PyDict_SetItem(places.ptr(), PyList_GET_ITEM(made->sorted.ptr(), i), checked(PyLong_FromSsize_t(i)).ptr()));
  for (const nb::object& k : made->keys) {
    PyObject* place = PyDict_GetItemWithError(places.ptr(), k.ptr());
    if (!place) throw ValueError("a dict changed while it was flattened");
    made->place.push_back(PyLong_AsSize_t(place));
  }
  return made;
}

bool has_keys(const DictOrder& order, const std::vector<PyObject*>& keys) {
  if (order.keys.size() != keys.size()) return false;
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (order.keys[i].ptr() != keys[i]) return false;
  return true;
}

}  // namespace

std::shared_ptr<const DictOrder> append_sorted(PyObject* dict, std::vector<nb::object>& out) {
  static auto* const table = new std::array<std::shared_ptr<const DictOrder>, 256>;  // lives as long as the process
  constexpr std::size_t most_keys = 4096;
  Items items(dict);
  std::size_t h = 0;
  for (PyObject* key : items.keys) h = h * 31 + (reinterpret_cast<std::size_t>(key) >> 4);
  std::shared_ptr<const DictOrder>& slot = (*table)[(h ^ h >> 8) % table->size()];
  std::shared_ptr<const DictOrder> order = slot;
  if (!order || !has_keys(*order, items.keys)) {
    order = new_order(dict);
    items = Items(dict);
    if (!has_keys(*order, items.keys)) throw ValueError("a dict changed while it was flattened");
    if (items.keys.size() <= most_keys) slot = order;
  }
  out.resize(items.keys.size());
  for (std::size_t i = 0; i < items.keys.size(); ++i) out[order->place[i]] = nb::borrow(items.values[i]);
  return order;
}

}  // namespace cotan::python
