// The table of functions itself: reading signatures, binding, converting.
#include <gtest/gtest.h>

#include "api/function_table.h"
#include "cotan/cotan.h"

namespace cotan::table {
namespace {

Value call(const char* name, Value::Items positional, Value::Entries keywords = {}) {
  const Function* f = find_function(name);
  if (!f) throw ValueError(std::string("no function ") + name);
  return (*f)({std::move(positional), std::move(keywords)});
}
std::string text(const Value& v) { return v.str(); }

template <class E> std::string message(const std::function<void()>& f) {
  try {
    f();
  } catch (const E& e) { return e.message(); } catch (const Error& e) {
    return "another class: " + e.message();
  }
  return "no error";
}

TEST(Values, TextRoundTrip) {
  for (const char* s : {"None", "True", "3", "-2.5", "inf", "(1+2j)", "'a b'", "[1, 2]", "(1,)", "()",
                        "{'a': 1, 'b': [2]}", "slice(1, None, -2)", "Ellipsis", "float32"})
    EXPECT_EQ(parse_value(s).str(), s);
  EXPECT_EQ(parse_value("...").str(), "Ellipsis");
  EXPECT_EQ(parse_value("<class 'numpy.uint32'>").str(), "uint32");
  EXPECT_EQ(parse_value("<class 'float'>").str(), "float64");
  EXPECT_EQ(parse_value("<function f at 0x12>").str(), "None");
  EXPECT_EQ(parse_value("f32[2,2]{1 2 3 nan}").str(), "Array([[ 1.,  2.],\n       [ 3., nan]], dtype=float32)");
  EXPECT_TRUE(parse_value("f32*[]{1}").get<Array>()->weak_type());
  EXPECT_EQ(parse_value("i8[3]{7}").str(), "Array([7, 7, 7], dtype=int8)");
  EXPECT_EQ(parse_value("[$1, 2]", [](std::string_view s) { return Value("<" + std::string(s) + ">"); }).str(),
            "['<1>', 2]");
  for (const char* s : {"", "[1", "1 2", "foo", "f32[2]{1 2 3", "f32[3]{1 2}", "slice('a')", "{1: 2}"})
    EXPECT_THROW(parse_value(s), ValueError) << s;
}

TEST(Signatures, Kinds) {
  const Signature s = Signature::parse("f(a, b=(1, 2), /, c=None, *args, d, e='x, y', **rest)");
  using Kind = Parameter::Kind;
  ASSERT_EQ(s.parameters.size(), 7u);
  EXPECT_EQ(s.name, "f");
  EXPECT_EQ(s.parameters[1].kind, Kind::positional_only);
  EXPECT_EQ(s.parameters[1].otherwise->str(), "(1, 2)");
  EXPECT_EQ(s.parameters[2].kind, Kind::either);
  EXPECT_EQ(s.parameters[3].kind, Kind::many);
  EXPECT_EQ(s.parameters[4].kind, Kind::keyword_only);
  EXPECT_EQ(s.parameters[5].otherwise->str(), "'x, y'");
  EXPECT_EQ(s.parameters[6].kind, Kind::keywords);
}

TEST(Signatures, BindingErrorsArePythons) {
  const Signature s = Signature::parse("f(a, /, b, *, c=1)");
  const auto bind = [&](Value::Items p, Value::Entries k) {
    return message<TypeError>([&] { bind_arguments(s, {p, k}); });
  };
  EXPECT_EQ(bind({1, 2}, {{"c", 3}}), "no error");
  EXPECT_EQ(bind({1}, {{"b", 3}}), "no error");
  EXPECT_EQ(bind({}, {}), "f() missing 2 required arguments: 'a' and 'b'");
  EXPECT_EQ(bind({1, 2, 3}, {}), "f() takes 2 positional arguments but 3 were given");
  EXPECT_EQ(bind({1, 2}, {{"b", 3}}), "f() got multiple values for argument 'b'");
  EXPECT_EQ(bind({1, 2}, {{"x", 3}}), "f() got an unexpected keyword argument 'x'");
  EXPECT_EQ(bind({1}, {{"a", 1}, {"b", 2}}), "f() got an unexpected keyword argument 'a'");
}

TEST(FunctionTable, CallsByPositionAndByName) {
  const Array x = numpy::array({{1.0, 2.0}, {3.0, 4.0}});
  EXPECT_EQ(text(call("numpy.sum", {x})), "Array(10., dtype=float32)");
  EXPECT_EQ(text(call("numpy.sum", {x, 0})), "Array([4., 6.], dtype=float32)");
  EXPECT_EQ(text(call("numpy.sum", {x}, {{"axis", Value::tuple({0, 1})}, {"keepdims", true}})),
            "Array([[10.]], dtype=float32)");
  EXPECT_EQ(text(call("numpy.sum", {}, {{"a", x}, {"dtype", "int32"}})), "Array(10, dtype=int32)");
}

TEST(FunctionTable, RecordsAreTuplesNamedTuplesOrDicts) {
  const Array x = numpy::array({{1.0, 2.0}, {3.0, 4.0}}), i = numpy::array({1}).reshape({1, 1});
  const Value::Items lists{Value::tuple({1}), Value::tuple({0}), Value::tuple({0})};
  const Value named = Value::tuple({lists[2], lists[1], lists[0]},
                                   {"start_index_map", "collapsed_slice_dims", "offset_dims"}),
              dict = Value::dict(
                  {{"collapsed_slice_dims", lists[1]}, {"start_index_map", lists[2]}, {"offset_dims", lists[0]}});
  for (const Value& d : {Value::tuple(lists), named, dict})
    EXPECT_EQ(text(call("lax.gather", {x, i, d, Value::tuple({1, 2})})), "Array([[3., 4.]], dtype=float32)");
  for (const Value& d :
       {Value::tuple({1, 2, 3, 4, 5, 6}), Value::dict({{"offset", 1}}), Value::tuple({1}, {"offset"}), Value(1)})
    EXPECT_THROW(call("lax.gather", {x, i, d, Value::tuple({1, 2})}), TypeError) << d.str();
}

TEST(FunctionTable, RefusesWhatIsWrong) {
  const Array x = numpy::ones({2});
  EXPECT_EQ(message<TypeError>([&] {
              call("numpy.sum", {Value::list({1, 2})});
            }),
            "sum: a must be an Array or a number, got [1, 2] (list)");
  EXPECT_EQ(message<TypeError>([&] { call("numpy.sum", {x, 0.5}); }), "sum: axis must be an integer, got 0.5 (float)");
  EXPECT_EQ(message<TypeError>([&] { call("numpy.sum", {Value()}); }),
            "sum: a must be an Array or a number, got None (NoneType)");
  EXPECT_EQ(message<NotImplementedError>([&] {
              call("numpy.sum", {x}, {{"out", x}});
            }),
            "numpy.sum: the parameter out is not there, got Array([1., 1.], dtype=float32)");
  EXPECT_EQ(message<TypeError>([&] {
              call("numpy.sum", {x}, {{"dtype", "flat32"}});
            }),
            "sum: dtype must be a dtype, got 'flat32' (str)");
}

TEST(FunctionTable, EveryLineCanBeRead) {
  std::string before;
  for (const Function& f : all_functions()) {
    EXPECT_NE(f.full_name(), before) << "twice";
    before = f.full_name();
    EXPECT_GT(std::string(f.record->doc).size(), 2u) << before;
    for (const std::string& name : f.positional) EXPECT_GE(f.signature.index(name), 0) << before << " has no " << name;
    if (f.record->positional >= 0) {
      EXPECT_EQ(static_cast<int>(f.positional.size()), f.record->positional)
          << before << ": more C++ parameters than the signature has";
    }
    for (const std::string& name : f.options) EXPECT_GE(f.signature.index(name), 0) << before << " has no " << name;
  }
}

}  // namespace
}  // namespace cotan::table
