// Visitors of the fields of any parameter struct, their types erased.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "cotan/jaxpr.h"

namespace cotan {

class Callable;
using CallableRef = std::shared_ptr<const Callable>;

using EnumNames = std::span<const char* const>;

// Sees values one after the other: those of a list or struct stand between its begin and end.
class FieldSink {
 public:
  virtual void name(const char*) = 0;  // of the field whose value follows
  virtual void none() = 0;
  virtual void boolean(bool) = 0;
  virtual void integer(std::int64_t) = 0;
  virtual void real(double) = 0;
  virtual void dtype(DType) = 0;
  virtual void ints(const IntList&) = 0;
  virtual void string(const std::string&) = 0;
  virtual void enumerator(std::size_t value, EnumNames) = 0;
  virtual void jaxpr(const ClosedJaxpr&) = 0;
  virtual void callable(const CallableRef&) = 0;
  virtual void begin_list(std::size_t size) = 0;
  virtual void end_list() = 0;
  virtual void begin_struct(const char* name) = 0;  // null: none
  virtual void end_struct() = 0;

 protected:
  ~FieldSink() = default;
};

// Reads values of the exact form. Each throws ValueError where the text has something else.
class ParamsParser {
 public:
  virtual void name(const char*) = 0;  // `name=`
  virtual bool none() = 0;             // reads None if it is next
  virtual bool boolean() = 0;
  virtual std::int64_t integer(std::int64_t low, std::int64_t high) = 0;
  virtual double real() = 0;
  virtual DType dtype() = 0;
  virtual IntList ints() = 0;
  virtual std::string string() = 0;
  virtual std::size_t enumerator(EnumNames) = 0;
  virtual ClosedJaxpr jaxpr() = 0;
  virtual CallableRef callable() = 0;
  virtual void begin_list() = 0;
  virtual bool next_item() = 0;  // false: the list has been closed
  virtual void begin_struct(const char* name) = 0;
  virtual void end_struct() = 0;

 protected:
  ~ParamsParser() = default;
};

}  // namespace cotan
