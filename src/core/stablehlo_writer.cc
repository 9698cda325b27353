#include "core/stablehlo_writer.h"

#include <cstring>

#include "cotan/errors.h"

namespace cotan {

// --- types and numbers --------------------------------------------------------------------------------------------------------
HloType::HloType(const Aval& a) : shape(a.shape), dtype(a.dtype) {
  if (dtype == DType::float0) dtype = DType::bool_;
  if (!is_key(dtype)) return;
  shape.push_back(static_cast<std::int64_t>(item_size(dtype)) / 4);
  dtype = DType::uint32;
}

std::string hlo_element(DType d) {
  static constexpr const char* names[] = {"i1",   "i8",   "i16", "i32", "i64", "ui8",          "ui16",        "ui32",
                                          "ui64", "bf16", "f16", "f32", "f64", "complex<f32>", "complex<f64>"};
  const auto i = static_cast<std::size_t>(d);
  if (i >= std::size(names)) throw TypeError(std::string("StableHLO has no element type ") + dtype_name(d));
  return names[i];
}

std::string hlo_text(const HloType& t) {
  std::string s = "tensor<";
  for (std::int64_t n : t.shape) s += std::to_string(n) + 'x';
  return s + hlo_element(t.dtype) + '>';
}

namespace {

std::string hex(const unsigned char* bytes, std::size_t size) {
  std::string s = "0x";
  for (std::size_t i = size; i-- > 0;) s += "0123456789ABCDEF"[bytes[i] >> 4], s += "0123456789ABCDEF"[bytes[i] & 15];
  return s;
}

// MLIR wants a point in every number that is not whole, and reads no nan and inf.
std::string float_text(const HostScalar& h) {
  std::string s = h.str();
  if (s.find('n') != std::string::npos) return hex(h.bytes, item_size(h.dtype));
  if (s.find('.') != std::string::npos) return s;
  const std::size_t e = s.find('e');
  return e == std::string::npos ? s + ".0" : s.insert(e, ".0");
}

std::string comma_separated(const IntList& l) {
  std::string s;
  for (int i = 0; i < l.length(); ++i) s += (i ? ", " : "") + std::to_string(l[i]);
  return s;
}

}  // namespace

std::string hlo_number(const HostScalar& h) {
  if (h.dtype == DType::bool_) return h.is_zero() ? "false" : "true";
  if (is_floating(h.dtype)) return float_text(h);
  if (!is_complex(h.dtype)) return h.str();
  const DType part = real_dtype(h.dtype);
  const HostScalar re = HostScalar::load(part, h.bytes), im = HostScalar::load(part, h.bytes + item_size(part));
  return '(' + float_text(re) + ", " + float_text(im) + ')';
}
std::string hlo_ints(const IntList& l) { return l.empty() ? "array<i64>" : "array<i64: " + comma_separated(l) + '>'; }
std::string hlo_list(const IntList& l) { return '[' + comma_separated(l) + ']'; }
std::string hlo_symbol(std::string_view name) {
  std::string s;
  for (char c : name) {
    const bool word = c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    s += word ? c : '_';
  }
  if (s.empty() || (s[0] >= '0' && s[0] <= '9')) s.insert(0, "_");
  return s;
}

// --- pieces of text -----------------------------------------------------------------------------------------------------------
void HloWriter::put(const HloValue& v) {
  text_ += '%';
  text_ += std::to_string(v.id);
  if (v.result >= 0) (text_ += '#') += std::to_string(v.result);
}
void HloWriter::put(const HloType& t) { text_ += hlo_text(t); }
void HloWriter::put_values(Operands values) {
  text_ += '(';
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i) text_ += ", ";
    put(values[i]);
  }
  text_ += ')';
}
void HloWriter::put_types(Operands values) {
  text_ += '(';
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i) text_ += ", ";
    put(values[i].type);
  }
  text_ += ')';
}

std::uint32_t HloWriter::begin_op(const char* name, Operands operands, std::size_t results) {
  const std::uint32_t id = results > 0 ? next_++ : next_;
  line();
  if (results > 0) {
    (text_ += '%') += std::to_string(id);
    if (results > 1) (text_ += ':') += std::to_string(results);
    text_ += " = ";
  }
  ((text_ += '"') += name) += '"';
  put_values(operands);
  return id;
}

void HloWriter::end_op(Operands operands, std::span<const HloType> results, std::string_view attributes) {
  if (!attributes.empty()) ((text_ += " {") += attributes) += '}';
  text_ += " : ";
  put_types(operands);
  text_ += " -> ";
  if (results.size() != 1) text_ += '(';
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (i) text_ += ", ";
    put(results[i]);
  }
  if (results.size() != 1) text_ += ')';
  text_ += '\n';
}

void HloWriter::put_return(const char* name, Operands results) {
  begin_op(name, results, 0);
  end_op(results, {}, {});
}

// --- functions ----------------------------------------------------------------------------------------------------------------
HloValues HloWriter::begin_function(std::string_view visibility, const std::string& name,
                                    std::span<const HloType> arguments, std::span<const HloType> results) {
  line();
  (((text_ += "func.func ") += visibility) += " @") += name;
  HloValues values;
  text_ += '(';
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (i) text_ += ", ";
    values.push_back({arguments[i], next_++, -1});
    put(values.back());
    text_ += ": ";
    put(arguments[i]);
  }
  text_ += ") -> (";
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (i) text_ += ", ";
    put(results[i]);
  }
  text_ += ") {\n";
  ++depth_;
  return values;
}
void HloWriter::end_function(Operands results) {
  put_return("func.return", results);
  --depth_;
  line();
  text_ += "}\n";
}

// --- operations ---------------------------------------------------------------------------------------------------------------
HloValue HloWriter::op(const char* name, Operands operands, const HloType& result, std::string_view attributes) {
  const std::uint32_t id = begin_op(name, operands, 1);
  end_op(operands, {&result, 1}, attributes);
  return {result, id, -1};
}

namespace {
HloValues results_of(std::uint32_t id, std::span<const HloType> types) {
  HloValues out;
  for (std::size_t i = 0; i < types.size(); ++i)
    out.push_back({types[i], id, types.size() == 1 ? -1 : static_cast<std::int32_t>(i)});
  return out;
}
}  // namespace

HloValues HloWriter::call(const std::string& function, Operands operands, std::span<const HloType> results) {
  const std::uint32_t id = begin_op("func.call", operands, results.size());
  end_op(operands, results, "callee = @" + function);
  return results_of(id, results);
}

void HloWriter::put_region(const Region& r) {
  text_ += "{\n";
  HloValues arguments;
  if (!r.arguments.empty()) {
    line();
    text_ += "^bb0(";
    for (std::size_t i = 0; i < r.arguments.size(); ++i) {
      if (i) text_ += ", ";
      arguments.push_back({r.arguments[i], next_++, -1});
      put(arguments.back());
      text_ += ": ";
      put(r.arguments[i]);
    }
    text_ += "):\n";
  }
  ++depth_;
  HloValues results;
  r.body(arguments, results);
  put_return("stablehlo.return", results);
  --depth_;
  line();
  text_ += '}';
}

HloValues HloWriter::op_with_regions(const char* name, Operands operands, std::span<const Region> regions,
                                     std::span<const HloType> results, std::string_view attributes) {
  const std::uint32_t id = begin_op(name, operands, results.size());
  for (std::size_t i = 0; i < regions.size(); ++i) {
    text_ += i ? ", " : " (";
    put_region(regions[i]);
  }
  if (!regions.empty()) text_ += ')';
  end_op(operands, results, attributes);
  return results_of(id, results);
}

// --- constants ----------------------------------------------------------------------------------------------------------------
HloValue HloWriter::constant_of(const HloType& t, std::string_view elements) {
  std::string value = "value = dense<";
  ((value += elements) += "> : ") += hlo_text(t);
  return op("stablehlo.constant", Operands(), t, value);
}
HloValue HloWriter::constant(const HloType& t, const HostScalar& h) {
  return constant_of(t, t.shape.size() == 0 ? "" : hlo_number(h));
}
HloValue HloWriter::constant(const HloType& t, double v) { return constant(t, HostScalar(v, t.dtype)); }

// Few elements, and bools, as nested lists; many as their bytes.
HloValue HloWriter::dense(const HloType& t, const void* elements) {
  const auto* p = static_cast<const unsigned char*>(elements);
  const std::int64_t n = t.shape.size();
  const std::size_t width = item_size(t.dtype);
  const auto element = [&](std::int64_t i) {
    return hlo_number(HostScalar::load(t.dtype, p + static_cast<std::size_t>(i) * width));
  };
  if (n == 0) return constant_of(t, "");
  if (n == 1) return constant_of(t, element(0));
  constexpr std::int64_t few = 64;
  std::string s;
  if (n > few && t.dtype != DType::bool_) {
    s = "\"0x";
    for (std::size_t i = 0; i < static_cast<std::size_t>(n) * width; ++i)
      s += "0123456789ABCDEF"[p[i] >> 4], s += "0123456789ABCDEF"[p[i] & 15];
    return constant_of(t, s + '"');
  }
  for (std::int64_t i = 0; i < n; ++i) {
    std::int64_t block = 1, opened = 0, closed = 0;  // of dimensions that begin, or end, here
    for (int d = t.shape.ndim() - 1; d >= 0; --d) {
      block *= t.shape[d];
      opened += i % block == 0, closed += (i + 1) % block == 0;
    }
    if (i) s += ", ";
    s.append(static_cast<std::size_t>(opened), '[') += element(i);
    s.append(static_cast<std::size_t>(closed), ']');
  }
  return constant_of(t, s);
}

// --- frequent operations --------------------------------------------------------------------------------------------------------
HloValue HloWriter::compare(const HloValue& x, const HloValue& y, const char* direction, bool total_order) {
  const DType d = x.type.dtype;
  const char* type = total_order            ? "TOTALORDER"
                     : is_inexact(d)        ? "FLOAT"
                     : is_signed_integer(d) ? "SIGNED"
                                            : "UNSIGNED";
  return op("stablehlo.compare", {x, y}, HloType(x.type.shape, DType::bool_),
            std::string("comparison_direction = #stablehlo<comparison_direction ") + direction +
                ">, compare_type = #stablehlo<comparison_type " + type + '>');
}
HloValue HloWriter::select(const HloValue& which, const HloValue& if_true, const HloValue& if_false) {
  return op("stablehlo.select", {which, if_true, if_false}, if_true.type);
}
HloValue HloWriter::convert(const HloValue& x, DType d) {
  if (x.type.dtype == d) return x;
  if (d == DType::bool_) return compare(x, constant(x.type, 0), "NE");
  if (is_complex(x.type.dtype) && !is_complex(d))
    return convert(op("stablehlo.real", {x}, HloType(x.type.shape, real_dtype(x.type.dtype))), d);
  return op("stablehlo.convert", {x}, HloType(x.type.shape, d));
}
HloValue HloWriter::broadcast(const HloValue& x, const Shape& shape, const IntList& dimensions) {
  if (x.type.shape == shape && dimensions == IntList::range(shape.ndim())) return x;
  return op("stablehlo.broadcast_in_dim", {x}, HloType(shape, x.type.dtype),
            "broadcast_dimensions = " + hlo_ints(dimensions));
}
HloValue HloWriter::broadcast_to(const HloValue& x, const Shape& shape) {
  return broadcast(x, shape, IntList::range(x.type.shape.ndim()));
}
HloValue HloWriter::reshape(const HloValue& x, const Shape& shape) {
  return x.type.shape == shape ? x : op("stablehlo.reshape", {x}, HloType(shape, x.type.dtype));
}
HloValue HloWriter::slice(const HloValue& x, const IntList& start, const IntList& limit, const IntList& strides) {
  HloType t = x.type;
  for (int i = 0; i < t.shape.ndim(); ++i) t.shape[i] = (limit[i] - start[i] + strides[i] - 1) / strides[i];
  return op("stablehlo.slice", {x}, t,
            "start_indices = " + hlo_ints(start) + ", limit_indices = " + hlo_ints(limit) +
                ", strides = " + hlo_ints(strides));
}
HloValue HloWriter::concatenate(Operands xs, int dimension) {
  HloType t = xs[0].type;
  t.shape[dimension] = 0;
  for (const HloValue& x : xs) t.shape[dimension] += x.type.shape[dimension];
  return op("stablehlo.concatenate", xs, t, "dimension = " + std::to_string(dimension) + " : i64");
}
HloValue HloWriter::iota(const HloType& t, int dimension) {
  return op("stablehlo.iota", Operands(), t, "iota_dimension = " + std::to_string(dimension) + " : i64");
}

}  // namespace cotan
