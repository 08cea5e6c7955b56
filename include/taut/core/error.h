// Typed exceptions. A failed call throws one of these, and leaves everything as it was.
#pragma once
#include <sstream>
#include <stdexcept>
#include <string>

namespace taut {

/// The base of every exception Taut throws (RuntimeError in Python).
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  // As c10::Error has them; no backtrace is ever part of a message.
  const char* what_without_backtrace() const noexcept { return what(); }
  std::string msg() const { return what(); }
};
/// An index or a dimension out of range.
class IndexError : public Error {
 public:
  using Error::Error;
};
/// An argument of the right type with a value that makes no sense.
class ValueError : public Error {
 public:
  using Error::Error;
};
/// An argument of the wrong type, or a dtype an op does not take.
class TypeError : public Error {
 public:
  using Error::Error;
};
/// Legal in PyTorch, not supported here yet.
class NotImplementedError : public Error {
 public:
  using Error::Error;
};
/// The memory for a result could not be had.
class OutOfMemory : public Error {
 public:
  using Error::Error;
};

/// All arguments written one after the other: `str("got ", 3, " rows")`.
template <class... Args>
[[gnu::visibility("hidden")]] std::string str(const Args&... args) {
  std::ostringstream out;
  (out << ... << args);
  return out.str();
}

/// `check(n > 0, "arange: step must not be 0, got ", n)`; formats only when it fails.
template <class E = Error, class... Args>
[[gnu::visibility("hidden")]] inline void check(bool ok, const Args&... message) {
  if (!ok) [[unlikely]]
    throw E(str(message...));
}

}  // namespace taut
