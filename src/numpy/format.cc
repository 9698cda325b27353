// NumPy's array printing.
#include "cotan/numpy_print.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <functional>
#include <vector>

#include "api/function_table.h"
#include "base/host_scalar.h"
#include "core/primitive.h"
#include "numpy/number_text.h"
#include "ops/random.h"
#include "transforms/batching.h"
#include "transforms/jvp.h"
#include "transforms/linearize.h"

namespace cotan::numpy {

namespace {

using ElementText = std::function<std::string(const HostScalar&)>;

// --- the elements ---------------------------------------------------------------------------------------------------------
// The elements that are printed: all, or those near the edges.
void collect(const Array& a, int axis, std::int64_t offset, bool summary, std::vector<HostScalar>* out) {
  const Shape& shape = a.shape();
  if (axis == shape.ndim()) {
    out->push_back(HostScalar::load(
        a.dtype(), static_cast<const char*>(bytes_of(a)) + static_cast<std::size_t>(offset) * item_size(a.dtype())));
    return;
  }
  const std::int64_t n = shape[axis], edge = print_settings().edge;
  for (std::int64_t i = 0; i < n; ++i) {
    if (summary && n > 2 * edge && i == edge) i = n - edge;
    collect(a, axis + 1, offset * n + i, summary, out);
  }
}

ElementText integer_text(const std::vector<HostScalar>& values) {
  std::size_t width = 0;
  for (const HostScalar& v : values) width = std::max(width, v.str().size());
  return [width](const HostScalar& v) {
    const std::string s = v.str();
    return std::string(width - s.size(), ' ') + s;
  };
}

ElementText complex_text(DType d, const std::vector<HostScalar>& values) {
  std::vector<double> re, im;
  for (const HostScalar& v : values) re.push_back(v.as_complex().real()), im.push_back(v.as_complex().imag());
  const FloatColumn real(real_dtype(d), re, false), imaginary(real_dtype(d), im, true);
  return [real, imaginary](const HostScalar& v) {
    std::string i = imaginary.text(v.as_complex().imag());
    i.insert(i.find_last_not_of(' ') + 1, "j");
    return real.text(v.as_complex().real()) + i;
  };
}

ElementText element_text(DType d, const std::vector<HostScalar>& values) {
  if (d == DType::bool_) return [](const HostScalar& v) { return std::string(v.is_zero() ? "False" : " True"); };
  if (d == DType::float0) return [](const HostScalar&) { return std::string("(b'',)"); };
  if (d == DType::bfloat16) return [](const HostScalar& v) { return bfloat16_text(v.as_double()); };
  if (is_complex(d)) return complex_text(d, values);
  if (!is_floating(d)) return integer_text(values);
  std::vector<double> numbers;
  for (const HostScalar& v : values) numbers.push_back(v.as_double());
  const FloatColumn column(d, numbers, false);
  return [column](const HostScalar& v) { return column.text(v.as_double()); };
}

// --- brackets and lines -----------------------------------------------------------------------------------------------------
class Layout {
 public:
  Layout(const Array& a, std::string separator, std::string prefix, std::size_t width)
      : shape_(a.shape()),
        separator_(std::move(separator)),
        prefix_(std::move(prefix)),
        width_(width),
        edge_(print_settings().edge),
        summary_(a.size() > print_settings().threshold) {
    collect(a, 0, 0, summary_, &values_);
    text_ = element_text(a.dtype(), values_);
  }
  std::string str() { return level(0, prefix_, width_); }

 private:
  // The part at the next positions; `hang`: the indent of its lines.
  std::string level(int axis, const std::string& hang, std::size_t width) {
    if (axis == shape_.ndim()) return text_(values_[next_++]);
    const std::int64_t n = shape_[axis];
    const bool shortened = summary_ && n > 2 * edge_;
    const std::int64_t count = shortened ? 2 * edge_ : n;
    std::string body = axis + 1 == shape_.ndim() ? row(axis, count, shortened, hang, width)
                                                 : rows(axis, count, shortened, hang, width);
    return "[" + body.substr(std::min(hang.size(), body.size())) + "]";
  }

  std::string row(int axis, std::int64_t count, bool shortened, const std::string& hang, std::size_t width) {
    std::string done, line = hang;
    const std::size_t room = width - 1;  // a separator or a bracket follows
    const auto put = [&](const std::string& word) {
      if (line.size() + word.size() > room && line.size() > hang.size()) {
        done += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
        line = hang;
      }
      line += word;
    };
    for (std::int64_t i = 0; i < count; ++i) {
      if (shortened && i == edge_) put("..."), line += separator_;
      put(level(axis + 1, hang + " ", width - 1));
      if (i + 1 < count) line += separator_;
    }
    return done + line;
  }

  std::string rows(int axis, std::int64_t count, bool shortened, const std::string& hang, std::size_t width) {
    const std::string end = separator_.substr(0, separator_.find_last_not_of(' ') + 1) +
                            std::string(static_cast<std::size_t>(shape_.ndim() - axis - 1), '\n');
    std::string s;
    for (std::int64_t i = 0; i < count; ++i) {
      if (shortened && i == edge_) s += hang + "..." + end;
      s += hang + level(axis + 1, hang + " ", width - 1);
      if (i + 1 < count) s += end;
    }
    return s;
  }

  const Shape shape_;
  std::string separator_, prefix_;
  std::size_t width_;
  std::int64_t edge_;
  bool summary_;
  std::vector<HostScalar> values_;
  std::size_t next_ = 0;
  ElementText text_;
};

// --- what is no plain array ---------------------------------------------------------------------------------------------------
std::string type_name(const Aval& a) {
  std::string s = std::string(a.weak_type ? "~" : "") + dtype_name(a.dtype) + "[";
  for (int i = 0; i < a.ndim(); ++i) s += (i ? "," : "") + std::to_string(a.shape[i]);
  return s + "]";
}

std::string tracer_text(const Array& a) {
  const Tracer* t = as_tracer(a);
  switch (t->kind) {
    case detail::NodeKind::jvp: {
      const auto* j = static_cast<const JvpTracer*>(t);
      return "JVPTracer(primal=" + array_str(j->primal) + ", tangent=" + array_str(j->tangent) + ")";
    }
    case detail::NodeKind::linearize: {
      const auto* l = static_cast<const LinearizeTracer*>(t);
      return "GradTracer(primal=" + array_str(l->primal) + ", typeof(tangent)=" + l->tangent.aval().str() + ")";
    }
    case detail::NodeKind::batch: {
      const auto* b = static_cast<const BatchTracer*>(t);
      return "VmapTracer(aval=" + type_name(a.aval()) + ", batched=" + type_name(b->value.aval()) + ")";
    }
    default: return "JitTracer(" + type_name(a.aval()) + ")";
  }
}

std::string key_text(const Array& keys) {
  CurrentTrace evaluation(nullptr);
  return "Array(" + keys.shape().str() + ", dtype=" + dtype_name(keys.dtype()) + ") overlaying:\n" +
         array_str(ops::random_unwrap(keys));
}

}  // namespace

namespace {

// Settings for one call.
class Scope {
 public:
  explicit Scope(const ArrayTextOptions& o) : before_(print_settings()) {
    PrintOptions p;
    p.linewidth = o.max_line_width;
    p.precision = o.precision;
    p.suppress = o.suppress_small;
    set_printoptions(p);
  }
  ~Scope() { print_settings() = before_; }

 private:
  PrintSettings before_;
};
std::size_t line_width() { return static_cast<std::size_t>(print_settings().line_width); }

}  // namespace

std::string array_str(const Array& a, const ArrayTextOptions& o) {
  if (!a.has_value()) return "Array()";
  if (!is_concrete(a)) return tracer_text(a);
  if (is_key(a.dtype())) return key_text(a);
  if (a.ndim() == 0 && a.dtype() != DType::float0) return number_text(HostScalar::load(a.dtype(), bytes_of(a)));
  if (a.size() == 0) return "[]";
  const Scope scope(o);
  return Layout(a, " ", " ", line_width()).str();
}

std::string array_repr(const Array& a, const ArrayTextOptions& o) {
  if (!a.has_value() || !is_concrete(a) || is_key(a.dtype())) return array_str(a);
  const std::string type = std::string("dtype=") + dtype_name(a.dtype()) + (a.weak_type() ? ", weak_type=True)" : ")");
  const std::string prefix = "Array(";
  if (a.size() == 0) return prefix + "[], shape=" + a.shape().str() + ", " + type;
  const Scope scope(o);
  std::string body;
  if (a.ndim() == 0 && a.dtype() == DType::bool_) body = number_text(HostScalar::load(a.dtype(), bytes_of(a)));
  else body = Layout(a, ", ", std::string(prefix.size() + 1, ' '), line_width() - 1).str();
  const std::size_t last_line =
      body.size() - (body.rfind('\n') + 1) + 1 + (body.find('\n') == body.npos ? prefix.size() : 0);
  const bool wraps = last_line + type.size() + 1 > line_width();
  return prefix + body + "," + std::string(wraps ? prefix.size() : 1, ' ') + type;  // JAX starts no new line
}

}  // namespace cotan::numpy
