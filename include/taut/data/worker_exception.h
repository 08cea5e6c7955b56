// What comes out of a loader when one of its worker threads throws.
#pragma once
#include <exception>
#include <string>

namespace taut::data {

/// The exception that is thrown is this, and of the type that the worker threw as well if that is one of Taut's or of
/// the standard library's; so it can be caught as either.
struct WorkerException {
  explicit WorkerException(std::exception_ptr original, const std::string& context = {});
  virtual ~WorkerException() = default;
  virtual const char* what() const noexcept { return message.c_str(); }
  std::exception_ptr original_exception;
  std::string message;
};
/// `context` is added to the message.
[[noreturn]] void throw_worker_exception(const std::exception_ptr& original, const std::string& context = {});

}  // namespace taut::data
