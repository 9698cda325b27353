// Exceptions. Each class has the meaning of the Python or JAX exception of the same name. what() is the problem and what
// was got on the first line, the user's file and line (where known) on the second, and then, where there is one, the cure.
#pragma once
#include <exception>
#include <string>

namespace cotan {

class Error : public std::exception {
 public:
  explicit Error(std::string message);  // adds the user's line after the message's first line
  ~Error() override;
  const char* what() const noexcept override;
  // The message without the location line.
  const std::string& message() const noexcept { return message_; }

 private:
  std::string message_, what_;
};

struct TypeError : Error {
  using Error::Error;
};
struct ValueError : Error {
  using Error::Error;
};
struct CheckError : ValueError {  // a check failed, see checkify.h
  using ValueError::ValueError;
};
struct IndexError : Error {
  using Error::Error;
};
struct OverflowError : Error {
  using Error::Error;
};
struct NotImplementedError : Error {
  using Error::Error;
};
struct RuntimeError : Error {
  using Error::Error;
};
struct MemoryError : Error {
  using Error::Error;
};
struct FloatingPointError : Error {
  using Error::Error;
};
struct OSError : Error {
  using Error::Error;
};
struct FileNotFoundError : OSError {
  using OSError::OSError;
};
struct NameError : Error {
  using Error::Error;
};  // an axis name that no transformation binds

// A value is needed where only its type is known.
struct ConcretizationTypeError : TypeError {
  using TypeError::TypeError;
};
struct TracerBoolConversionError : ConcretizationTypeError {
  using ConcretizationTypeError::ConcretizationTypeError;
};
struct TracerArrayConversionError : TypeError {
  using TypeError::TypeError;
};
struct TracerIntegerConversionError : TypeError {
  using TypeError::TypeError;
};
struct NonConcreteBooleanIndexError : IndexError {
  using IndexError::IndexError;
};
// A traced value outlived the function that it belongs to.
struct UnexpectedTracerError : Error {
  using Error::Error;
};
struct KeyReuseError : Error {
  using Error::Error;
};

}  // namespace cotan
