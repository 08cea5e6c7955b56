// Errors and warnings: c10::Error and its kin, TORCH_CHECK and its kin, WarningHandler.
#pragma once
#include <string>
#include <utility>

#include "taut-torch/names.h"

namespace c10 {

using Error = taut::Error;
using taut::str;
inline std::string str() { return {}; }
using OutOfMemoryError = taut::OutOfMemory;
using ::taut::LinAlgError;
struct EnforceFiniteError : Error {
  using Error::Error;
};
struct OutOfRange : Error {
  using Error::Error;
};
struct DistError : Error {
  using Error::Error;
};

struct SourceLocation {
  const char* function = "";
  const char* file = "";
  uint32_t line = 0;
};
inline std::ostream& operator<<(std::ostream& out, const SourceLocation& at) {
  return out << at.function << " at " << at.file << ':' << at.line;
}

struct UserWarning {};
struct DeprecationWarning {};

class Warning {
 public:
  Warning(SourceLocation where, std::string message, bool deprecation = false)
      : where_(where), message_(std::move(message)), deprecation_(deprecation) {}
  const std::string& msg() const { return message_; }
  const SourceLocation& source_location() const { return where_; }
  bool verbatim() const { return false; }
  bool is_deprecation() const { return deprecation_; }

 private:
  SourceLocation where_;
  std::string message_;
  bool deprecation_;
};

/// Gets every warning of its thread, TORCH_WARN's and the library's, while it is set.
class WarningHandler {
 public:
  virtual ~WarningHandler() = default;
  virtual void process(const Warning& warning) { std::fprintf(stderr, "Warning: %s\n", warning.msg().c_str()); }
};

namespace WarningUtils {
namespace detail {
inline thread_local WarningHandler* handler = nullptr;
inline thread_local bool always = false;
inline WarningHandler& base() {
  static WarningHandler h;
  return h;
}
}  // namespace detail
inline WarningHandler* get_warning_handler() noexcept { return detail::handler ? detail::handler : &detail::base(); }
inline void set_warning_handler(WarningHandler* handler) noexcept {
  detail::handler = handler;
  static const bool installed = [] {
    taut::set_warning_handler([](const std::string& message) { get_warning_handler()->process({{}, message}); });
    return true;
  }();
  (void)installed;
}
inline void set_warnAlways(bool on) noexcept { detail::always = on; }
inline bool get_warnAlways() noexcept { return detail::always; }

class WarningHandlerGuard {
 public:
  explicit WarningHandlerGuard(WarningHandler* handler) : before_(detail::handler) { set_warning_handler(handler); }
  ~WarningHandlerGuard() { set_warning_handler(before_); }
  WarningHandlerGuard(const WarningHandlerGuard&) = delete;

 private:
  WarningHandler* before_;
};
class WarnAlways {
 public:
  explicit WarnAlways(bool on = true) : before_(get_warnAlways()) { set_warnAlways(on); }
  ~WarnAlways() { set_warnAlways(before_); }
  WarnAlways(const WarnAlways&) = delete;

 private:
  bool before_;
};
}  // namespace WarningUtils

inline void warn(const Warning& warning) { WarningUtils::get_warning_handler()->process(warning); }

namespace detail {
template <class E>
[[noreturn]] void fail(const std::string& text) {
  throw E(text);
}
/// The message of a check, or what is said when it has none.
template <class... Args>
std::string check_text(const char* condition, const Args&... message) {
  if constexpr (sizeof...(Args) > 0) return taut::str(message...);
  else
    return taut::str("Expected ", condition,
                     " to be true, but got false.  (Could this error message be improved?  If so, please report an "
                     "enhancement request to PyTorch.)");
}
/// `TORCH_CHECK_EQ(a, b) << "more"`: throws when the whole text is there.
class CheckFailed {
 public:
  CheckFailed() = default;
  CheckFailed(const CheckFailed&) = delete;
  [[noreturn]] ~CheckFailed() noexcept(false) { throw Error(text_); }
  template <class T>
  CheckFailed& operator<<(const T& part) {
    text_ += taut::str(part);
    return *this;
  }

 private:
  std::string text_;
};
}  // namespace detail
}  // namespace c10

#define TORCH_CHECK_WITH_MSG(Type, condition, ignored, ...) TORCH_CHECK_WITH(Type, condition, __VA_ARGS__)
#define TORCH_CHECK_WITH(Type, condition, ...)                                                            \
  do {                                                                                                    \
    if (!(condition)) [[unlikely]]                                                                        \
      ::c10::detail::fail<::c10::Type>(::c10::detail::check_text(#condition __VA_OPT__(, ) __VA_ARGS__)); \
  } while (false)
#define TORCH_CHECK(condition, ...) TORCH_CHECK_WITH(Error, condition __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_CHECK_INDEX(condition, ...) TORCH_CHECK_WITH(IndexError, condition __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_CHECK_VALUE(condition, ...) TORCH_CHECK_WITH(ValueError, condition __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_CHECK_TYPE(condition, ...) TORCH_CHECK_WITH(TypeError, condition __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_CHECK_LINALG(condition, ...) TORCH_CHECK_WITH(LinAlgError, condition __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_CHECK_NOT_IMPLEMENTED(condition, ...) \
  TORCH_CHECK_WITH(NotImplementedError, condition __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_CHECK_ARG(condition, number, ...) \
  TORCH_CHECK(condition, "invalid argument " #number ": " __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_CHECK_IF_NOT_ON_CUDA(condition, ...) TORCH_CHECK(condition __VA_OPT__(, ) __VA_ARGS__)
#define TORCH_INTERNAL_ASSERT(condition, ...)                                                 \
  TORCH_CHECK(condition, #condition " INTERNAL ASSERT FAILED at \"" __FILE__ "\":", __LINE__, \
              ", please report a bug to PyTorch. " __VA_OPT__(, ) __VA_ARGS__)
#ifdef NDEBUG
#define TORCH_INTERNAL_ASSERT_DEBUG_ONLY(condition, ...) \
  do {                                                   \
    if (false) (void)(condition);                        \
  } while (false)
#else
#define TORCH_INTERNAL_ASSERT_DEBUG_ONLY(condition, ...) TORCH_INTERNAL_ASSERT(condition __VA_OPT__(, ) __VA_ARGS__)
#endif
#define AT_ASSERT(condition, ...) TORCH_INTERNAL_ASSERT(condition __VA_OPT__(, ) __VA_ARGS__)
#define AT_ASSERTM(condition, ...) TORCH_CHECK(condition __VA_OPT__(, ) __VA_ARGS__)
#define AT_ERROR(...) ::c10::detail::fail<::c10::Error>(::c10::str(__VA_ARGS__))
#define AT_INDEX_ERROR(...) ::c10::detail::fail<::c10::IndexError>(::c10::str(__VA_ARGS__))
#define C10_THROW_ERROR(Type, message) ::c10::detail::fail<::c10::Type>(message)

#define TAUT_TORCH_CHECK_OP(a, op, b) \
  switch (0)                          \
  case 0:                             \
  default:                            \
    if ((a)op(b)) [[likely]];         \
    else ::c10::detail::CheckFailed() << "Check failed: " #a " " #op " " #b " (" << (a) << " vs. " << (b) << "). "
#define TORCH_CHECK_EQ(a, b) TAUT_TORCH_CHECK_OP(a, ==, b)
#define TORCH_CHECK_NE(a, b) TAUT_TORCH_CHECK_OP(a, !=, b)
#define TORCH_CHECK_LE(a, b) TAUT_TORCH_CHECK_OP(a, <=, b)
#define TORCH_CHECK_LT(a, b) TAUT_TORCH_CHECK_OP(a, <, b)
#define TORCH_CHECK_GE(a, b) TAUT_TORCH_CHECK_OP(a, >=, b)
#define TORCH_CHECK_GT(a, b) TAUT_TORCH_CHECK_OP(a, >, b)

#define TORCH_WARN(...) \
  ::c10::warn(::c10::Warning({__func__, __FILE__, static_cast<uint32_t>(__LINE__)}, ::c10::str(__VA_ARGS__)))
#define TORCH_WARN_DEPRECATION(...) \
  ::c10::warn(::c10::Warning({__func__, __FILE__, static_cast<uint32_t>(__LINE__)}, ::c10::str(__VA_ARGS__), true))
#define TORCH_WARN_ONCE(...)                                                                                      \
  do {                                                                                                            \
    static const bool taut_torch_warned = [&] { return TORCH_WARN(__VA_ARGS__), true; }();                        \
    static bool taut_torch_first = true;                                                                          \
    if (::c10::WarningUtils::get_warnAlways() && taut_torch_warned && !taut_torch_first) TORCH_WARN(__VA_ARGS__); \
    taut_torch_first = false;                                                                                     \
  } while (false)
#define AT_WARN(...) TORCH_WARN(__VA_ARGS__)
