// Exceptions of worker threads, thrown on in the thread that waits for them.
#include "taut/data/worker_exception.h"

#include <stdexcept>
#include <typeinfo>

#include "taut/core/error.h"

namespace taut::data {

namespace {

/// An E that is a WorkerException too.
template <class E>
struct Both final : E, WorkerException {
  explicit Both(const WorkerException& e) : E(e.message), WorkerException(e) {}
  const char* what() const noexcept override { return WorkerException::what(); }
};

template <class E>
void throw_if_exactly(const std::exception& original, const WorkerException& e) {
  if (typeid(original) == typeid(E)) throw Both<E>(e);
}

}  // namespace

WorkerException::WorkerException(std::exception_ptr original, const std::string& context)
    : original_exception(std::move(original)), message("Caught exception in DataLoader worker thread.") {
  try {
    std::rethrow_exception(original_exception);
  } catch (const std::exception& e) {
    message += std::string(" Original message: ") + e.what();
  } catch (...) {}
  message += context;
}

void throw_worker_exception(const std::exception_ptr& original, const std::string& context) {
  const WorkerException e(original, context);
  try {
    std::rethrow_exception(original);
  } catch (const std::exception& o) {
    throw_if_exactly<Error>(o, e);
    throw_if_exactly<IndexError>(o, e);
    throw_if_exactly<ValueError>(o, e);
    throw_if_exactly<TypeError>(o, e);
    throw_if_exactly<NotImplementedError>(o, e);
    throw_if_exactly<OutOfMemory>(o, e);
    throw_if_exactly<std::out_of_range>(o, e);
    throw_if_exactly<std::invalid_argument>(o, e);
    throw_if_exactly<std::logic_error>(o, e);
  } catch (...) {}
  throw Both<std::runtime_error>(e);
}

}  // namespace taut::data
