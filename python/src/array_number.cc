// Operators of Arrays, and their conversions to Python's numbers.
#include "array.h"
#include "cotan/numpy.h"

namespace cotan::python {
namespace {

using Binary = Array (*)(const Array&, const Array&);
template <Binary F> PyObject* binary(PyObject* a, PyObject* b) {
  return guarded([&]() -> PyObject* {
    Array x, y;
    if (!array_from(a, &x) || !array_from(b, &y)) Py_RETURN_NOTIMPLEMENTED;
    return wrap(F(x, y));
  });
}
template <Array (*F)(const Array&)> PyObject* unary(PyObject* a) {
  return guarded([&] { return wrap(F(array_of(a))); });
}

Array plus(const Array& a, const Array& b) { return a + b; }
Array minus(const Array& a, const Array& b) { return a - b; }
Array times(const Array& a, const Array& b) { return a * b; }
Array over(const Array& a, const Array& b) { return a / b; }
Array modulo(const Array& a, const Array& b) { return a % b; }
Array left(const Array& a, const Array& b) { return a << b; }
Array right(const Array& a, const Array& b) { return a >> b; }
Array both(const Array& a, const Array& b) { return a & b; }
Array either(const Array& a, const Array& b) { return a | b; }
Array one_of(const Array& a, const Array& b) { return a ^ b; }
Array product(const Array& a, const Array& b) { return numpy::matmul(a, b); }
Array minus1(const Array& a) { return -a; }
Array same(const Array& a) { return numpy::positive(a); }
Array complement(const Array& a) { return ~a; }

PyObject* power(PyObject* a, PyObject* b, PyObject* modulus) {
  if (modulus != Py_None) Py_RETURN_NOTIMPLEMENTED;
  return binary<numpy::power>(a, b);
}

PyObject* quotient_and_rest(PyObject* a, PyObject* b) {
  return guarded([&]() -> PyObject* {
    Array x, y;
    if (!array_from(a, &x) || !array_from(b, &y)) Py_RETURN_NOTIMPLEMENTED;
    const auto [q, r] = numpy::divmod(x, y);
    return nb::make_tuple(wrapped(q), wrapped(r)).release().ptr();
  });
}

int truth(PyObject* o) {
  return guarded_int([&] { return static_cast<int>(static_cast<bool>(array_of(o))); });
}

// The one element, for int(), float() and complex(). `what`: "int".
const Array& scalar(PyObject* o, const char* what) {
  const Array& a = array_of(o);
  if (!concrete_value(a))
    throw ConcretizationTypeError(
        std::string(what) + "() needs a value that is known, got " + a.repr() +
        "\nIn a traced function use x.astype() to change the dtype, or make the value a static argument.");
  if (a.ndim() != 0)
    throw TypeError("Only scalar arrays can be converted to Python scalars; got arr.ndim=" + std::to_string(a.ndim()));
  if (is_key(a.dtype())) throw TypeError(std::string(what) + "() of a key array");
  return a;
}

PyObject* as_integer(PyObject* o) {
  return guarded([&]() -> PyObject* {
    const Array& a = scalar(o, "int");
    if (is_complex(a.dtype())) throw TypeError("int() argument must not be complex");
    if (is_floating(a.dtype())) return PyLong_FromDouble(a.item<double>());
    if (a.dtype() == DType::uint64) return PyLong_FromUnsignedLongLong(a.item<std::uint64_t>());
    return PyLong_FromLongLong(a.item<std::int64_t>());
  });
}
PyObject* as_float(PyObject* o) {
  return guarded([&]() -> PyObject* {
    const Array& a = scalar(o, "float");
    if (is_complex(a.dtype())) throw TypeError("float() argument must not be complex");
    return PyFloat_FromDouble(a.item<double>());
  });
}
PyObject* as_index(PyObject* o) {
  return guarded([&]() -> PyObject* {
    const Array& a = array_of(o);
    if (!concrete_value(a))
      throw TracerIntegerConversionError(
          "an integer that is known is needed, got " + a.repr() +
          "\nIn a traced function make the value a static argument, or use array operations.");
    if (!is_integer(a.dtype()) || a.ndim() != 0)
      throw TypeError("only integer scalar arrays can be converted to a scalar index, got " +
                      std::string(dtype_name(a.dtype())) + a.shape().str());
    return as_integer(o);
  });
}

template <class F> PyType_Slot slot(int id, F f) { return {id, reinterpret_cast<void*>(f)}; }

}  // namespace

const std::vector<PyType_Slot> number_slots = {
    slot(Py_nb_add, binary<plus>),
    slot(Py_nb_subtract, binary<minus>),
    slot(Py_nb_multiply, binary<times>),
    slot(Py_nb_true_divide, binary<over>),
    slot(Py_nb_floor_divide, binary<numpy::floor_divide>),
    slot(Py_nb_remainder, binary<modulo>),
    slot(Py_nb_divmod, quotient_and_rest),
    slot(Py_nb_power, power),
    slot(Py_nb_matrix_multiply, binary<product>),
    slot(Py_nb_lshift, binary<left>),
    slot(Py_nb_rshift, binary<right>),
    slot(Py_nb_and, binary<both>),
    slot(Py_nb_or, binary<either>),
    slot(Py_nb_xor, binary<one_of>),
    slot(Py_nb_negative, unary<minus1>),
    slot(Py_nb_positive, unary<same>),
    slot(Py_nb_absolute, unary<numpy::abs>),
    slot(Py_nb_invert, unary<complement>),
    slot(Py_nb_bool, truth),
    slot(Py_nb_int, as_integer),
    slot(Py_nb_float, as_float),
    slot(Py_nb_index, as_index),
};

}  // namespace cotan::python
