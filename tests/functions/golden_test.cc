// Every public function against JAX: value, dtype, weak type, shape or class of exception; then the same under jit, bit for
// bit, and under vmap, as a loop gives it. COTAN_FUNCTION=numpy.sum runs the calls of one function.
#include "functions/golden_file.h"

#include "same_bits.h"

namespace cotan::golden {
namespace {

using table::Arguments;
using table::Function;
using table::Value;

// The exceptions that say: this needs a value, or a size, that a traced program does not know.
template <class F> bool needs_values(F&& f) {
  try {
    f();
    return false;
  } catch (const ConcretizationTypeError&) {
  } catch (const TracerArrayConversionError&) {
  } catch (const TracerIntegerConversionError&) {
  } catch (const NonConcreteBooleanIndexError&) {}
  return true;
}

struct Bound {
  const Function* f;
  Value arguments;  // a list of the positional ones, a dict of the keywords, and what the result is called with
  Value operator()() const { return (*this)(arrays_of(arguments)); }
  Value operator()(const Arrays& arrays) const {
    const Value a = with_arrays(arguments, arrays);
    const Value r = (*f)({a.items()[0].items(), a.items()[1].is_dict() ? a.items()[1].entries() : Value::Entries()});
    if (a.items()[2].is_none()) return r;
    if (!r.get<Value::Function>()) throw ValueError("golden: the result is no function");
    return (*r.get<Value::Function>())(a.items()[2].items());
  }
};

std::string as_loop(const Array& got, const Array& lane, Tolerance t) { return difference(Value(got), Value(lane), t); }

std::string check_jit(const Bound& call, const Arrays& in, const Arrays& eager) {
  Arrays out;
  if (needs_values([&] { out = jit([&](const Arrays& x) { return arrays_of(call(x)); })(in); })) return "";
  if (out.size() != eager.size()) return "under jit another number of results";
  for (std::size_t i = 0; i < out.size(); ++i)
    if (!same_bits(out[i], eager[i])) return "under jit " + out[i].repr() + ", eager " + eager[i].repr();
  return "";
}

// The elements in reverse order: the second example of a batch.
Array reversed(const Array& x) { return numpy::reshape(numpy::flip(numpy::ravel(x)), x.shape()); }

std::string check_vmap(const Bound& call, const Arrays& in, const Arrays& eager, Tolerance t) {
  Arrays second = in, batch;
  std::vector<bool> batched;
  for (Array& x : second) {
    batched.push_back(!x.weak_type() && x.dtype() != DType::float0);
    if (batched.back()) x = reversed(x);
  }
  for (std::size_t i = 0; i < in.size(); ++i)
    if (batched[i]) batch.push_back(numpy::stack({in[i], second[i]}));
  if (batch.empty()) return "";
  Arrays other;
  try {
    other = arrays_of(call(second));
  } catch (const Error&) { return ""; }
  if (other.size() != eager.size()) return "";
  const auto lanes = [&](const Arrays& x) {
    Arrays all = in;
    for (std::size_t i = 0, next = 0; i < all.size(); ++i)
      if (batched[i]) all[i] = x[next++];
    return arrays_of(call(all));
  };
  Arrays out;
  if (needs_values([&] { out = vmap(lanes)(batch); })) return "";
  if (out.size() != eager.size()) return "under vmap another number of results";
  for (std::size_t i = 0; i < out.size(); ++i)
    for (int lane = 0; lane < 2; ++lane)
      if (const std::string d = as_loop(out[i](lane), lane ? other[i] : eager[i], t); !d.empty())
        return "under vmap, example " + std::to_string(lane) + ": " + d;
  return "";
}

Array weights(const Array& x) {
  const Array i = numpy::arange(x.size()) % 7;
  return numpy::reshape((i + 1).astype(float32) * 0.25, x.shape()).astype(x.dtype());
}

Arrays cotangents(const std::function<Arrays(const Arrays&)>& f, const Arrays& x, int order) {
  const std::function<Arrays(const Arrays&)> g =
      order == 1 ? f : [&](const Arrays& y) { return cotangents(f, y, order - 1); };
  auto [out, pullback] = vjp([&](const Arrays& y) { return g(y); }, x);
  Arrays w;
  for (const Array& leaf : out) w.push_back(weights(leaf));
  return pullback(w);
}

Value derivative(const Function& f, const GoldenCall& c, const Arguments& a) {
  const auto inexact = [&](const Arrays& x) {
    Arguments b = a;
    for (std::size_t i = 0; i < x.size(); ++i) b.positional[static_cast<std::size_t>(c.argnums[i])] = x[i];
    Arrays out;
    for (const Array& leaf : arrays_of(f(b)))
      if (is_inexact(leaf.dtype())) out.push_back(leaf);
    return out;
  };
  Arrays x;
  for (int i : c.argnums)
    x.push_back(numpy::asarray(table::to_array(a.positional.at(static_cast<std::size_t>(i)), {"vjp", "argument"})));
  return table::to_value(cotangents(inexact, x, c.order));
}

// "" or what is wrong.
std::string check(const GoldenFile& file, const GoldenCall& c) {
  const Function* f = table::find_function(c.name);
  if (!f) return "there is no such function";
  const enable_x64 x64(c.x64);
  const Value positional = file.value(c.positional), keywords = c.keywords.empty() ? Value() : file.value(c.keywords);
  const Arguments arguments{positional.items(), keywords.is_dict() ? keywords.entries() : Value::Entries()};
  const Bound call{f, Value::list({positional, keywords, c.then.empty() ? Value() : file.value(c.then)})};
  const Tolerance t = file.tolerance(c.name);
  Value got;
  if (c.result.starts_with('!')) {
    const std::string want = c.result.substr(1);
    const std::string is = error_class([&] { got = c.order ? derivative(*f, c, arguments) : call(); });
    if (is == want || (want.empty() && is != "none")) return "";
    return is == "none" ? "no error but " + got.str() + ", expected " + want : is + ", expected " + want;
  }
  if (c.order) return difference(derivative(*f, c, arguments), file.value(c.result), t);
  got = call();
  if (std::string d = difference(got, file.value(c.result), t); !d.empty()) return d;
  const Arrays in = arrays_of(call.arguments), eager = arrays_of(got);
  if (in.empty() || eager.empty() || file.eager.contains(c.name)) return "";
  if (std::string d = check_jit(call, in, eager); !d.empty()) return d;
  return check_vmap(call, in, eager, t);
}

std::string arguments_text(const GoldenFile& file, const GoldenCall& c) {
  try {
    return file.value(c.positional).str() + " " + c.keywords + " " + c.then;
  } catch (const Error&) { return c.positional + " " + c.keywords + " " + c.then; }
}

class GoldenFunctions : public testing::TestWithParam<std::string> {};

TEST_P(GoldenFunctions, EqualJax) {
  const char* only = std::getenv("COTAN_FUNCTION");
  const GoldenFile file(golden_path(GetParam()));
  const int limit = only ? 1000 : 40;
  int failures = 0, count = 0;
  for (const GoldenCall& c : file.calls) {
    if (only && c.name != only) continue;
    ++count;
    std::string wrong;
    try {
      wrong = check(file, c);
    } catch (const Error& e) { wrong = std::string("an error: ") + e.what(); }
    if (wrong.empty() || ++failures > limit) continue;
    ADD_FAILURE() << "functions_" << GetParam() << ".txt:" << c.line << ": " << (c.order ? "derivative of " : "")
                  << c.name << " " << arguments_text(file, c) << "\n  " << wrong;
  }
  EXPECT_EQ(failures, 0) << "of " << count;
}

INSTANTIATE_TEST_SUITE_P(Areas, GoldenFunctions, testing::ValuesIn(golden_areas()),
                         [](const auto& a) { return a.param; });

TEST(GoldenCoverage, EveryFunctionHasCases) {
  std::map<std::string, int> count;
  std::map<std::string, std::string> without;
  for (const std::string& area : golden_areas()) {
    const GoldenFile file(golden_path(area));
    for (const GoldenCall& c : file.calls) ++count[c.name];
    without.insert(file.without.begin(), file.without.end());
  }
  std::string few;
  for (const Function& f : table::all_functions())
    if (count[f.full_name()] < 20 && !without.contains(f.full_name()))
      few += f.full_name() + " " + std::to_string(count[f.full_name()]) + "\n";
  EXPECT_EQ(few, "") << "with fewer than 20 cases in tests/golden/functions_*.py";
}

}  // namespace
}  // namespace cotan::golden
