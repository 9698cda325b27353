// From any callable to one erased function, which is all that the library's side of a transformation sees.
#pragma once
#include "cotan/options.h"
#include "cotan/tree.h"

namespace cotan::detail {

// What follows a mistake that was reported: can be called with anything, converts to anything, and says nothing more.
struct Invalid {
  template <class... A> Invalid operator()(const A&...) const;
  template <class T> operator T() const;
};
template <class T> inline constexpr bool is_invalid = std::is_same_v<std::remove_cvref_t<T>, Invalid>;

// --- signatures: known for functions, members, lambdas and Fn; unknown for generic lambdas
template <class R, class... A> struct Known {
  static constexpr bool known = true;
  using result = R;
  using params = List<A...>;
};
struct Unknown {
  static constexpr bool known = false;
};
template <class F> struct SigOf : Unknown {};
template <class R, class... A> struct SigOf<R (*)(A...)> : Known<R, A...> {};
template <class R, class... A> struct SigOf<R (*)(A...) noexcept> : Known<R, A...> {};
template <class R, class C, class... A> struct SigOf<R (C::*)(A...) const> : Known<R, const C&, A...> {};
template <class R, class C, class... A> struct SigOf<R (C::*)(A...) const noexcept> : Known<R, const C&, A...> {};
template <class M> struct CallSig : Unknown {};
template <class C, class R, class... A> struct CallSig<R (C::*)(A...)> : Known<R, A...> {};
template <class C, class R, class... A> struct CallSig<R (C::*)(A...) const> : Known<R, A...> {};
template <class C, class R, class... A> struct CallSig<R (C::*)(A...) noexcept> : Known<R, A...> {};
template <class C, class R, class... A> struct CallSig<R (C::*)(A...) const noexcept> : Known<R, A...> {};
template <class C, class R, class... A> struct CallSig<R (C::*)(A...)&> : Known<R, A...> {};
template <class C, class R, class... A> struct CallSig<R (C::*)(A...) const&> : Known<R, A...> {};
template <class C, class R, class... A> struct CallSig<R (C::*)(A...)& noexcept> : Known<R, A...> {};
template <class C, class R, class... A> struct CallSig<R (C::*)(A...) const& noexcept> : Known<R, A...> {};
template <class F>
requires requires { &F::operator(); }
struct SigOf<F> : CallSig<decltype(&F::operator())> {};
template <class F>
concept HasSignature = SigOf<std::decay_t<F>>::known;

// What an argument or result of a traced function is: a number is an Array.
template <class T> struct ValueOf { using type = T; };
template <Number T> struct ValueOf<T> { using type = Array; };
template <ComplexNumber T> struct ValueOf<T> { using type = Array; };
template <std::size_t N> struct ValueOf<char[N]> { using type = std::string; };
template <> struct ValueOf<const char*> { using type = std::string; };
template <class T> using value_of = typename ValueOf<std::remove_cvref_t<T>>::type;

// --- the erased function
class FnBase {
 public:
  FnBase(const TypeOps* result, const TypeOps* const* params, int param_count);
  FnBase(const FnBase&) = delete;
  FnBase& operator=(const FnBase&) = delete;
  virtual ~FnBase();
  virtual void call(const void* const* args, void* out) = 0;  // constructs *out
  // Adds what the function is, beside what its callable captures. True when it captures nothing: then every function with
  // these bytes is the same one, and they can share what is traced.
  virtual bool identity(Key&) const = 0;
  virtual std::string name() const = 0;  // as in the jaxpr of a jit
  const TypeOps& result() const { return *result_; }
  const TypeOps& param(int i) const { return *params_[i]; }
  const TypeOps* const* params() const { return params_; }
  int param_count() const { return n_; }
  std::uint64_t serial() const { return serial_; }  // never used again, unlike the address

 private:
  friend class FnRef;
  long refs_ = 0;
  int n_;
  std::uint64_t serial_;
  const TypeOps* result_;
  const TypeOps* const* params_;  // lives as long as the program
};
[[noreturn]] void fail_empty_function();
void put_function_key(const FnBase&, Key&);  // tells functions apart that are alike but for what they capture

class FnRef {
 public:
  explicit FnRef(FnBase* p) noexcept : p_(p) {
    if (p_) retain();
  }
  FnRef(const FnRef& o) noexcept : FnRef(o.p_) {}
  FnRef(FnRef&& o) noexcept : p_(std::exchange(o.p_, nullptr)) {}
  FnRef& operator=(FnRef o) noexcept {
    std::swap(p_, o.p_);
    return *this;
  }
  ~FnRef() {
    if (p_) release();
  }
  FnBase* operator->() const { return get(); }
  FnBase& operator*() const { return *get(); }
  FnBase* get() const {
    if (!p_) fail_empty_function();
    return p_;
  }

 private:
  void retain() const noexcept;
  void release() const noexcept;
  FnBase* p_;
};

template <class T> union Slot {  // room for a T that someone else constructs
  T value;
  char nothing;
  Slot() : nothing() {}
  ~Slot() {}
  T take() {
    T t(std::move(value));
    value.~T();
    return t;
  }
};
template <class... D> inline constexpr const TypeOps* ops_of[sizeof...(D) + 1] = {&type_ops<D>..., nullptr};

template <class F, class... A> decltype(auto) invoke(F& f, A&&... a) { return f(std::forward<A>(a)...); }
template <class M, class C, class S, class... A> decltype(auto) invoke(M C::*f, S&& s, A&&... a) {
  return (s.*f)(std::forward<A>(a)...);
}

std::string name_of_address(const void* function);
std::string name_of_class(const char* pretty_function);  // "<lambda>" for a lambda
template <class F> inline constexpr char class_tag = 0;

// Extra: an options struct that the callable takes after the parameters D; it gets the default one.
template <class F, class R, class Params, class... Extra> class FnImpl;
template <class F, class R, class... D, class... Extra> class FnImpl<F, R, List<D...>, Extra...> final : public FnBase {
 public:
  explicit FnImpl(F f) : FnBase(&type_ops<R>, ops_of<D...>, static_cast<int>(sizeof...(D))), f_(std::move(f)) {}
  void call(const void* const* args, void* out) override { call_with(args, out, std::index_sequence_for<D...>()); }
  bool identity(Key& k) const override {
    const char* tag = &class_tag<FnImpl>;
    k.put(&tag, sizeof tag);
    if constexpr (std::is_scalar_v<F>) k.put(&f_, sizeof f_);
    return std::is_scalar_v<F> || Stateless<F>;
  }
  std::string name() const override {
    if constexpr (FunctionPointer<F>) return name_of_address(reinterpret_cast<const void*>(f_));
    else return name_of_class(__PRETTY_FUNCTION__);
  }

 private:
  template <std::size_t... I>
  void call_with([[maybe_unused]] const void* const* args, void* out, std::index_sequence<I...>) {
    new (out) R(invoke(f_, *static_cast<const D*>(args[I])..., Extra{}...));
  }
  F f_;
};

}  // namespace cotan::detail
