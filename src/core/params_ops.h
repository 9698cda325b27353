// What follows from the fields of a parameter struct: the ParamsOps of its type. The work is done by four visitors that see
// values with their types erased; only the walk over the fields is compiled per struct.
//
// A struct may say how it prints in JAX's text, where JAX leaves parameters out or orders them its own way:
//   void pretty(PrettyParams& p) const { if (!axes.empty()) p.field("axes", axes); }
// A nested struct may have a name to be printed before its fields, `static constexpr const char* struct_name`; without it
// JAX's text shows a tuple. An enum E has `EnumNames enum_names(E)`, the names by value from 0.
#pragma once
#include <bit>
#include <cstddef>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

#include "core/params.h"
#include "core/params_visit.h"

namespace cotan {

bool same_jaxpr(const ClosedJaxpr&, const ClosedJaxpr&);  // core/jaxpr_utils.h

namespace detail {

template <class T> inline constexpr bool is_optional = false;
template <class T> inline constexpr bool is_optional<std::optional<T>> = true;
template <class T> inline constexpr bool is_vector = false;
template <class T> inline constexpr bool is_vector<std::vector<T>> = true;
template <class T>
concept HasPretty = requires(const T& t, PrettyParams& p) {
  t.pretty(p);
};

template <class P> constexpr const char* struct_name() {
  if constexpr (requires { P::struct_name; }) return P::struct_name;
  else return nullptr;
}

template <class T> void send(FieldSink& s, const T& v);

struct SendFields {
  FieldSink& sink;
  template <class T> void operator()(const char* name, const T& v) {
    sink.name(name);
    send(sink, v);
  }
};

template <class T> void send(FieldSink& s, const T& v) {
  if constexpr (std::is_same_v<T, bool>) s.boolean(v);
  else if constexpr (std::is_same_v<T, DType>) s.dtype(v);
  else if constexpr (std::is_integral_v<T>) s.integer(v);
  else if constexpr (std::is_floating_point_v<T>) s.real(v);
  else if constexpr (std::is_enum_v<T>) s.enumerator(static_cast<std::size_t>(v), enum_names(v));
  else if constexpr (std::is_base_of_v<IntList, T>) s.ints(v);
  else if constexpr (std::is_same_v<T, std::string>) s.string(v);
  else if constexpr (std::is_same_v<T, ClosedJaxpr>) s.jaxpr(v);
  else if constexpr (std::is_same_v<T, CallableRef>) {
    if (v) s.callable(v);
    else s.none();
  } else if constexpr (std::is_same_v<T, Absent>) s.none();
  else if constexpr (is_optional<T>) {
    if (v) send(s, *v);
    else s.none();
  } else if constexpr (is_vector<T>) {
    s.begin_list(v.size());
    for (const typename T::value_type& e : v) send(s, e);
    s.end_list();
  } else {
    s.begin_struct(struct_name<T>());
    SendFields f{s};
    T::fields(v, f);
    s.end_struct();
  }
}

template <class T> void receive(ParamsParser& p, T& v);

struct ReceiveFields {
  ParamsParser& parser;
  template <class T> void operator()(const char* name, T& v) {
    parser.name(name);
    receive(parser, v);
  }
};

template <class T> void receive(ParamsParser& p, T& v) {
  if constexpr (std::is_same_v<T, bool>) v = p.boolean();
  else if constexpr (std::is_same_v<T, DType>) v = p.dtype();
  else if constexpr (std::is_integral_v<T>)
    v = static_cast<T>(p.integer(std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
  else if constexpr (std::is_floating_point_v<T>) v = static_cast<T>(p.real());
  else if constexpr (std::is_enum_v<T>) v = static_cast<T>(p.enumerator(enum_names(T{})));
  else if constexpr (std::is_base_of_v<IntList, T>) v = T(p.ints());
  else if constexpr (std::is_same_v<T, std::string>) v = p.string();
  else if constexpr (std::is_same_v<T, ClosedJaxpr>) v = p.jaxpr();
  else if constexpr (std::is_same_v<T, CallableRef>) {
    if (!p.none()) v = p.callable();
  } else if constexpr (std::is_same_v<T, Absent>) p.none();
  else if constexpr (is_optional<T>) {
    if (!p.none()) receive(p, v.emplace());
  } else if constexpr (is_vector<T>) {
    for (p.begin_list(); p.next_item();) {
      typename T::value_type e{};
      receive(p, e);
      v.push_back(std::move(e));
    }
  } else {
    p.begin_struct(struct_name<T>());
    ReceiveFields f{p};
    T::fields(v, f);
    p.end_struct();
  }
}

template <class T> bool same(const T& a, const T& b);

// The other struct is visited by the fields' offsets, which are the same in both.
struct CompareFields {
  std::ptrdiff_t to_other;
  bool equal = true;
  template <class T> void operator()(const char*, const T& v) {
    equal = equal && same(v, *reinterpret_cast<const T*>(reinterpret_cast<const char*>(&v) + to_other));
  }
};

template <class T> bool same(const T& a, const T& b) {
  if constexpr (std::is_same_v<T, double>) return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
  else if constexpr (std::is_scalar_v<T> || std::is_base_of_v<IntList, T> || std::is_same_v<T, std::string>)
    return a == b;
  else if constexpr (std::is_same_v<T, ClosedJaxpr>) return same_jaxpr(a, b);
  else if constexpr (std::is_same_v<T, CallableRef>) return a == b;
  else if constexpr (std::is_same_v<T, Absent>) return true;
  else if constexpr (is_optional<T>) return a.has_value() == b.has_value() && (!a || same(*a, *b));
  else if constexpr (is_vector<T>) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
      if (!same<typename T::value_type>(a[i], b[i])) return false;
    return true;
  } else {
    CompareFields c{reinterpret_cast<const char*>(&b) - reinterpret_cast<const char*>(&a)};
    T::fields(a, c);
    return c.equal;
  }
}

void pretty_fields(PrettyParams&, const void* value, void (*send)(FieldSink&, const void* value));
void hash_fields(Hasher&, const void* value, void (*send)(FieldSink&, const void* value));
void jaxprs_of_fields(const void* value, void (*send)(FieldSink&, const void* value), void* context,
                      void (*each)(void* context, const ClosedJaxpr&));

template <class P> void send_fields(FieldSink& s, const void* value) {
  SendFields f{s};
  P::fields(*static_cast<const P*>(value), f);
}
template <class P> ParamsBase* parse_params(ParamsParser& p) {
  P v{};
  ReceiveFields f{p};
  P::fields(v, f);
  return new ParamsBox<P>(std::move(v));
}
template <class P> void pretty_params(const P& value, PrettyParams& p) {
  if constexpr (HasPretty<P>) value.pretty(p);
  else pretty_fields(p, &value, send_fields<P>);
}

}  // namespace detail

template <class P>
inline constexpr ParamsOps params_ops = {
    .pretty = [](const ParamsBase& b, PrettyParams& p) { detail::pretty_params(params_as<P>(&b), p); },
    .send = [](const ParamsBase& b, FieldSink& s) { detail::send_fields<P>(s, &params_as<P>(&b)); },
    .parse = detail::parse_params<P>,
    .hash = [](const ParamsBase& b, Hasher& h) { detail::hash_fields(h, &params_as<P>(&b), detail::send_fields<P>); },
    .equal = [](const ParamsBase& a, const ParamsBase& b) { return detail::same(params_as<P>(&a), params_as<P>(&b)); },
    .jaxprs =
        [](const ParamsBase& b, void* context, void (*each)(void*, const ClosedJaxpr&)) {
          detail::jaxprs_of_fields(&params_as<P>(&b), detail::send_fields<P>, context, each);
        },
};

template <class P> ParamsBox<P>::ParamsBox(P v) : ParamsBase(&params_ops<P>), value(std::move(v)) {}

// Chooses what JAX's text shows of an equation's parameters, and in what order.
class PrettyParams {
 public:
  virtual void text(const char* name, std::string value) = 0;
  // A program that the equation calls with its operands: its inputs and outputs are named as the equation's.
  virtual void call(const char* name, const ClosedJaxpr&) = 0;
  template <class T> void field(const char* name, const T& v) { detail::SendFields{sink()}(name, v); }

 protected:
  virtual FieldSink& sink() = 0;
  ~PrettyParams() = default;
  friend void detail::pretty_fields(PrettyParams&, const void*, void (*)(FieldSink&, const void*));
};

}  // namespace cotan
