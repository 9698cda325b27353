#include "numpy_arrays.h"

#include <cstring>
#include <memory>

#include "array.h"
#include "base/promotion.h"
#include "core/primitive.h"
#include "dtype.h"
#include "ops/elementwise.h"

namespace cotan::python {
namespace {

// What __array_struct__ points to: NumPy's documented array interface, version 3.
struct ArrayInterface {
  int two, ndim;
  char kind;
  int item_size, flags;
  Py_intptr_t *shape, *strides;
  void* data;
  PyObject* description;
};
constexpr int c_contiguous = 1, native_order = 0x200;

// NumPy's classes, once somebody has imported it.
struct Classes {
  PyObject *array = nullptr, *scalar = nullptr;
};
const Classes& numpy_classes() {
  static Classes c;
  if (c.array) return c;
  PyObject* numpy = PyDict_GetItemString(PyImport_GetModuleDict(), "numpy");
  if (!numpy) return c;
  PyObject* scalar = PyObject_GetAttrString(numpy, "generic");
  PyObject* array = scalar ? PyObject_GetAttrString(numpy, "ndarray") : nullptr;
  if (!array) {  // while NumPy is being imported
    PyErr_Clear();
    Py_XDECREF(scalar);
    return c;
  }
  c.scalar = scalar;
  c.array = array;
  return c;
}
bool is_instance(PyObject* o, PyObject* type) {
  return type && (Py_TYPE(o) == reinterpret_cast<PyTypeObject*>(type) ||
                  PyType_IsSubtype(Py_TYPE(o), reinterpret_cast<PyTypeObject*>(type)));
}

bool simple_dtype(char kind, int size, DType* out) {
  switch (kind) {
    case 'b': *out = DType::bool_; return size == 1;
    case 'i':
      *out = size == 1 ? DType::int8 : size == 2 ? DType::int16 : size == 4 ? DType::int32 : DType::int64;
      return size <= 8;
    case 'u':
      *out = size == 1 ? DType::uint8 : size == 2 ? DType::uint16 : size == 4 ? DType::uint32 : DType::uint64;
      return size <= 8;
    case 'f': *out = size == 2 ? DType::float16 : size == 4 ? DType::float32 : DType::float64; return size <= 8;
    case 'c': *out = size == 8 ? DType::complex64 : DType::complex128; return size <= 16;
    default: return false;
  }
}

// Row-major elements from strided ones.
void gather_rows(const ArrayInterface& a, const char* from, int axis, char*& to) {
  if (axis == a.ndim) {
    std::memcpy(to, from, static_cast<std::size_t>(a.item_size));
    to += a.item_size;
    return;
  }
  for (Py_intptr_t i = 0; i < a.shape[axis]; ++i) gather_rows(a, from + i * a.strides[axis], axis + 1, to);
}

Array from_bytes(const Aval& a, const void* bytes) {
  const CurrentTrace evaluated(nullptr);
  const Array x = evaluation_hook().from_bytes(a, bytes);
  const DType canonical = canonical_dtype(a.dtype);
  return canonical == a.dtype ? x : ops::convert_element_type(x, canonical);
}

const char* buffer_format(DType d) {
  switch (d) {
    case DType::bool_: return "?";
    case DType::int8: return "b";
    case DType::int16: return "h";
    case DType::int32: return "i";
    case DType::int64: return "q";
    case DType::uint8: return "B";
    case DType::uint16: return "H";
    case DType::uint32: return "I";
    case DType::uint64: return "Q";
    case DType::float16: return "e";
    case DType::float32: return "f";
    case DType::float64: return "d";
    case DType::complex64: return "Zf";
    case DType::complex128: return "Zd";
    default: return nullptr;
  }
}

}  // namespace

bool is_numpy_array(PyObject* o) { return is_instance(o, numpy_classes().array); }
bool is_numpy(PyObject* o) {
  const Classes& c = numpy_classes();
  return is_instance(o, c.array) || is_instance(o, c.scalar);
}

Array array_from_numpy(PyObject* o) {
  if (PyObject_HasAttrString(o, "filled") && PyObject_HasAttrString(o, "mask"))
    throw ValueError("NumPy masked arrays are not supported: x.filled() is a plain array");
  const nb::object capsule = checked(PyObject_GetAttrString(o, "__array_struct__"));
  const auto* a = static_cast<const ArrayInterface*>(PyCapsule_GetPointer(capsule.ptr(), nullptr));
  if (!a) throw nb::python_error();
  if (!(a->flags & native_order) && std::string_view("iufc").find(a->kind) != std::string_view::npos) {
    const nb::object dtype = nb::handle(o).attr("dtype").attr("newbyteorder")("=");
    return array_from_numpy(nb::object(nb::handle(o).attr("astype")(dtype)).ptr());
  }
  Aval aval;
  if (!simple_dtype(a->kind, a->item_size, &aval.dtype)) {
    const nb::object dtype = nb::handle(o).attr("dtype");
    const bool other = a->kind == 'V' || a->kind == 'f';  // ml_dtypes, float0
    if (!other || !dtype_from(dtype.ptr(), &aval.dtype))
      throw TypeError("a NumPy array of dtype " + str_of(dtype) +
                      " is no valid array: only numbers and bools are supported");
  }
  for (int i = 0; i < a->ndim; ++i) aval.shape.push_back(a->shape[i]);
  if (a->flags & c_contiguous || aval.size() == 0) return from_bytes(aval, a->data);
  std::vector<char> rows(static_cast<std::size_t>(aval.size()) * static_cast<std::size_t>(a->item_size));
  char* to = rows.data();
  gather_rows(*a, static_cast<const char*>(a->data), 0, to);
  return from_bytes(aval, rows.data());
}

PyObject* float0_array(const Shape& s) {
  return imported("cotan.dtypes", "_float0_zeros")(tuple_of(s)).release().ptr();
}

namespace {
struct Exported {  // what a view needs as long as it lives, should the array be deleted
  Array array;
  std::vector<Py_ssize_t> sizes;  // then strides
};
}  // namespace

int export_buffer(PyObject* owner, const Array& a, Py_buffer* view, int flags) {
  const char* format = buffer_format(a.dtype());
  if (!format) {
    PyErr_Format(PyExc_BufferError, "the buffer protocol has no code for %s", dtype_name(a.dtype()));
    return -1;
  }
  if (flags & PyBUF_WRITABLE) {
    PyErr_SetString(PyExc_BufferError, "an Array is read-only");
    return -1;
  }
  const int n = a.ndim();
  auto exported = std::make_unique<Exported>(Exported{a, std::vector<Py_ssize_t>(static_cast<std::size_t>(2 * n))});
  Py_ssize_t *sizes = exported->sizes.data(), *strides = sizes + n;
  Py_ssize_t stride = static_cast<Py_ssize_t>(item_size(a.dtype()));
  for (int i = n - 1; i >= 0; --i) {
    sizes[i] = a.shape()[i];
    strides[i] = stride;
    stride *= a.shape()[i];
  }
  *view = {};
  view->buf = const_cast<void*>(a.data());
  view->len = static_cast<Py_ssize_t>(a.size()) * static_cast<Py_ssize_t>(item_size(a.dtype()));
  view->readonly = 1;
  view->itemsize = static_cast<Py_ssize_t>(item_size(a.dtype()));
  view->format = flags & PyBUF_FORMAT ? const_cast<char*>(format) : nullptr;
  view->ndim = n;
  view->shape = flags & PyBUF_ND ? sizes : nullptr;
  view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? strides : nullptr;
  view->internal = exported.release();
  Py_INCREF(owner);
  view->obj = owner;
  return 0;
}
void release_buffer(PyObject*, Py_buffer* view) { delete static_cast<Exported*>(view->internal); }

void add_numpy_arrays(nb::module_& m) {
  // The elements as bytes, for dtypes that the buffer protocol lacks.
  m.def("to_bytes", [](nb::handle o) {
    const Array a = to_array(o.ptr(), "tobytes");
    return nb::bytes(a.data(), static_cast<std::size_t>(a.size()) * item_size(a.dtype()));
  });
  m.def("from_bytes", [](nb::handle dtype, nb::handle shape, nb::bytes bytes, bool weak_type) {
    const Aval aval{shape_from(shape), to_dtype(dtype, "from_bytes"), weak_type};
    if (bytes.size() != static_cast<std::size_t>(aval.size()) * item_size(aval.dtype))
      throw ValueError("from_bytes: " + std::to_string(bytes.size()) + " bytes are not those of " + aval.str());
    return wrapped(evaluation_hook().from_bytes(aval, bytes.data()));
  });
}

}  // namespace cotan::python
