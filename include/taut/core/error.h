// Typed exceptions. A failed call throws one of these, and leaves everything as it was.
#pragma once
#include <initializer_list>
#include <ostream>
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

namespace detail {
/// An argument of a message: where it is, and how it is written. So one function joins them all, whatever their types.
struct Piece {
  const void* value;
  void (*write)(std::ostream& out, const void* value);
};
std::string join(std::initializer_list<Piece> pieces);

template <class T>
[[gnu::visibility("hidden")]] void write_piece(std::ostream& out, const void* value) {
  out << *static_cast<const T*>(value);
}
template <class T>
inline Piece piece(const T& value) {
  return {&value, &write_piece<T>};
}
void write_text(std::ostream& out, const void* text);
template <size_t N>
inline Piece piece(const char (&text)[N]) {
  return {text, &write_text};
}
template <class Result, class Stream>
inline Piece piece(Result (&manipulator)(Stream)) {  // std::hex and its like
  return {reinterpret_cast<const void*>(&manipulator), [](std::ostream& out, const void* value) {
            out << reinterpret_cast<Result (*)(Stream)>(const_cast<void*>(value));
          }};
}

template <class E>
[[noreturn, gnu::cold, gnu::noinline, gnu::visibility("hidden")]] void fail(std::initializer_list<Piece> message) {
  throw E(join(message));
}
}  // namespace detail

/// All arguments written one after the other: `str("got ", 3, " rows")`.
template <class... Args>
[[gnu::always_inline, gnu::visibility("hidden")]] inline std::string str(const Args&... args) {
  return detail::join({detail::piece(args)...});
}

/// `check(n > 0, "arange: step must not be 0, got ", n)`; formats only when it fails.
template <class E = Error, class... Args>
[[gnu::always_inline, gnu::visibility("hidden")]] inline void check(bool ok, const Args&... message) {
  if (!ok) [[unlikely]]
    detail::fail<E>({detail::piece(message)...});
}

}  // namespace taut
