#include "core/params_ops.h"

#include <map>
#include <mutex>

#include "core/jaxpr.h"
#include "core/primitive.h"

namespace cotan {
namespace {

// Only parameters of one kind are compared, so that values need no tags; sizes of lists are added, lest neighbours run together.
class HashSink final : public FieldSink {
 public:
  explicit HashSink(Hasher& h) : h_(h) {}
  void name(const char*) override {}
  void none() override { h_.add(1); }
  void boolean(bool v) override { h_.add(v ? 3 : 2); }
  void integer(std::int64_t v) override { h_.add(static_cast<std::uint64_t>(v)); }
  void real(double v) override { h_.add(std::bit_cast<std::uint64_t>(v)); }
  void dtype(DType v) override { h_.add(static_cast<std::uint64_t>(v)); }
  void ints(const IntList& v) override {
    h_.add_bytes(v.data(), static_cast<std::size_t>(v.length()) * sizeof(std::int64_t));
  }
  void string(const std::string& v) override { h_.add_bytes(v.data(), v.size()); }
  void enumerator(std::size_t v, EnumNames) override { h_.add(v); }
  // The outline of a program is enough: programs that differ below it are told apart by equality.
  void jaxpr(const ClosedJaxpr& c) override {
    if (!c.has_value()) return h_.add(4);
    const Jaxpr& j = c.jaxpr();
    h_.add(j.eqns.size());
    h_.add(j.invars.size());
    h_.add(j.outvars.size());
    for (std::size_t i = 0; i < j.eqns.size() && i < 16; ++i) {
      const std::string_view name = j.eqns[i].primitive->name;
      h_.add_bytes(name.data(), name.size());
    }
  }
  void callable(const CallableRef& c) override { h_.add(c->serial); }
  void begin_list(std::size_t n) override { h_.add(n); }
  void end_list() override {}
  void begin_struct(const char*) override {}
  void end_struct() override {}

 private:
  Hasher& h_;
};

class JaxprSink final : public FieldSink {
 public:
  JaxprSink(void* context, void (*each)(void*, const ClosedJaxpr&)) : context_(context), each_(each) {}
  void name(const char*) override {}
  void none() override {}
  void boolean(bool) override {}
  void integer(std::int64_t) override {}
  void real(double) override {}
  void dtype(DType) override {}
  void ints(const IntList&) override {}
  void string(const std::string&) override {}
  void enumerator(std::size_t, EnumNames) override {}
  void jaxpr(const ClosedJaxpr& j) override {
    if (j.has_value()) each_(context_, j);
  }
  void callable(const CallableRef&) override {}
  void begin_list(std::size_t) override {}
  void end_list() override {}
  void begin_struct(const char*) override {}
  void end_struct() override {}

 private:
  void* context_;
  void (*each_)(void*, const ClosedJaxpr&);
};

}  // namespace

namespace {
struct CallableTable {  // of those that a text shows
  std::mutex mutex;
  std::map<std::string, std::weak_ptr<const Callable>> shown;
};
CallableTable& callables() {
  static auto* const t = new CallableTable;  // never destroyed: programs in static variables may hold functions
  return *t;
}
std::atomic<std::uint64_t> last_callable = 0;
}  // namespace

Callable::Callable(std::string n) : name(std::move(n)), serial(++last_callable) {}
Callable::~Callable() = default;

std::string callable_handle(const CallableRef& c) {
  std::string handle = "function" + std::to_string(c->serial);
  CallableTable& t = callables();
  std::lock_guard lock(t.mutex);
  std::erase_if(t.shown, [](const auto& entry) { return entry.second.expired(); });
  t.shown.emplace(handle, c);
  return handle;
}

CallableRef find_callable(const std::string& handle) {
  CallableTable& t = callables();
  std::lock_guard lock(t.mutex);
  const auto it = t.shown.find(handle);
  return it == t.shown.end() ? nullptr : it->second.lock();
}

namespace detail {

void pretty_fields(PrettyParams& p, const void* value, void (*send)(FieldSink&, const void*)) { send(p.sink(), value); }

void hash_fields(Hasher& h, const void* value, void (*send)(FieldSink&, const void*)) {
  HashSink s(h);
  send(s, value);
}

void jaxprs_of_fields(const void* value, void (*send)(FieldSink&, const void*), void* context,
                      void (*each)(void*, const ClosedJaxpr&)) {
  JaxprSink s(context, each);
  send(s, value);
}

}  // namespace detail

bool params_equal(const ParamsBase* a, const ParamsBase* b) {
  if (a == b) return true;
  return a && b && a->ops == b->ops && a->ops->equal(*a, *b);
}

void params_hash(const ParamsBase* p, Hasher& h) {
  if (p) p->ops->hash(*p, h);
  else h.add(0);
}

}  // namespace cotan
