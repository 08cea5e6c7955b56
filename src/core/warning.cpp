// Warnings: to the handler the program has set, or once per text to stderr.
#include <cstdio>
#include <memory>
#include <set>

#include "core/fork.h"
#include "taut/core/runtime.h"

namespace taut {

namespace {
struct Warnings {
  ForkSafeMutex mutex;
  std::shared_ptr<std::function<void(const std::string&)>> handler;
  std::set<std::string> seen;
};
Warnings& warnings() {
  static auto* w = new Warnings;  // never destroyed: destructors of statics may warn
  return *w;
}
constexpr size_t kMost = 1000;  // texts; after that nothing is printed any more
}  // namespace

void set_warning_handler(std::function<void(const std::string&)> handler) {
  std::lock_guard lock(warnings().mutex);
  warnings().handler =
      handler ? std::make_shared<std::function<void(const std::string&)>>(std::move(handler)) : nullptr;
}

void warn(const std::string& message) {
  Warnings& w = warnings();
  std::unique_lock lock(w.mutex);
  if (auto handler = w.handler) {
    lock.unlock();  // it may warn itself, or throw
    return (*handler)(message);
  }
  if (w.seen.size() == kMost || !w.seen.insert(message).second) return;
  std::fprintf(stderr, "taut warning: %s\n", message.c_str());
}

}  // namespace taut
