// DLPack, both ways: arrays of other libraries without NumPy. The structs are those of its documented C ABI, version 0.
#include <cstring>

#include "array.h"
#include "base/promotion.h"
#include "core/primitive.h"
#include "ops/elementwise.h"

namespace cotan::python {
namespace {

struct Device {
  std::int32_t type, id;
};
struct ElementType {
  std::uint8_t code, bits;
  std::uint16_t lanes;
};
struct Tensor {
  void* data;
  Device device;
  std::int32_t ndim;
  ElementType dtype;
  std::int64_t *shape, *strides;
  std::uint64_t byte_offset;
};
struct Managed {
  Tensor tensor;
  void* context;
  void (*deleter)(Managed*);
};
constexpr int cpu = 1;
enum Code : std::uint8_t {
  code_int = 0,
  code_uint = 1,
  code_float = 2,
  code_bfloat = 4,
  code_complex = 5,
  code_bool = 6
};

Code code_of(DType d) {
  if (d == DType::bool_) return code_bool;
  if (d == DType::bfloat16) return code_bfloat;
  if (is_signed_integer(d)) return code_int;
  if (is_unsigned_integer(d)) return code_uint;
  if (is_floating(d)) return code_float;
  if (is_complex(d)) return code_complex;
  throw TypeError(std::string("DLPack has no code for ") + dtype_name(d));
}

struct Exported {  // what a consumer holds on to
  Managed managed;
  Array array;
  std::vector<std::int64_t> shape;
};

void drop_capsule(PyObject* capsule) {  // nobody has taken the tensor
  if (!PyCapsule_IsValid(capsule, "dltensor")) return;
  auto* m = static_cast<Managed*>(PyCapsule_GetPointer(capsule, "dltensor"));
  m->deleter(m);
}

nb::object to_capsule(nb::handle x) {
  const Array& a = array_of(x.ptr());
  const Code code = code_of(a.dtype());
  auto e = std::make_unique<Exported>();
  e->array = a;
  for (const std::int64_t n : a.shape()) e->shape.push_back(n);
  const auto bits = static_cast<std::uint8_t>(8 * item_size(a.dtype()));
  e->managed.tensor = {const_cast<void*>(a.data()), {cpu, 0}, a.ndim(), {code, bits, 1}, e->shape.data(), nullptr, 0};
  e->managed.context = e.get();
  e->managed.deleter = [](Managed* m) { delete static_cast<Exported*>(m->context); };
  nb::object capsule = checked(PyCapsule_New(&e->managed, "dltensor", drop_capsule));
  e.release();
  return capsule;
}

DType dtype_of(const ElementType& t) {
  if (t.lanes == 1)
    for (int i = 0; i < dtype_count; ++i) {
      const auto d = static_cast<DType>(i);
      if (d != DType::float0 && !is_key(d) && t.bits == 8 * item_size(d) && code_of(d) == t.code) return d;
    }
  throw TypeError("from_dlpack: elements of code " + std::to_string(t.code) + " and " + std::to_string(t.bits) +
                  " bits are not supported");
}

void copy_rows(const Tensor& t, std::size_t size, const char* from, int axis, char*& to) {
  if (axis == t.ndim) {
    std::memcpy(to, from, size);
    to += size;
    return;
  }
  for (std::int64_t i = 0; i < t.shape[axis]; ++i)
    copy_rows(t, size, from + i * t.strides[axis] * static_cast<std::int64_t>(size), axis + 1, to);
}

// A copy of the elements, in the dtype that the configuration allows.
nb::object from_capsule(nb::handle capsule) {
  auto* m = static_cast<Managed*>(PyCapsule_GetPointer(capsule.ptr(), "dltensor"));
  if (!m) throw nb::python_error();
  const Tensor& t = m->tensor;
  if (t.device.type != cpu) throw ValueError("from_dlpack: the array is not in the memory of the CPU");
  Aval aval{{}, dtype_of(t.dtype), false};
  for (int i = 0; i < t.ndim; ++i) aval.shape.push_back(t.shape[i]);
  const char* data = static_cast<const char*>(t.data) + t.byte_offset;
  const std::size_t size = item_size(aval.dtype);
  std::vector<char> rows;
  if (t.strides && aval.size() > 0) {
    rows.resize(static_cast<std::size_t>(aval.size()) * size);
    char* to = rows.data();
    copy_rows(t, size, data, 0, to);
    data = rows.data();
  }
  const CurrentTrace evaluated(nullptr);
  const Array x = evaluation_hook().from_bytes(aval, data);
  return wrapped(ops::convert_element_type(x, canonical_dtype(aval.dtype)));
}

}  // namespace

void add_dlpack(nb::module_& m) {
  m.def("to_dlpack", &to_capsule);
  m.def("from_dlpack", &from_capsule);
}

}  // namespace cotan::python
