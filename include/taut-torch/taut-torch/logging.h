// c10/util/Logging.h: LOG(WARNING) << ..., CHECK(x) << .... Only with this header: LOG and CHECK are names of others,
// too.
#pragma once
#include <iostream>
#include <sstream>

#include "torch/torch.h"

namespace c10::detail {

/// Written to stderr when it is whole, from WARNING on; FATAL throws.
class LogMessage {
 public:
  LogMessage(const char* file, int line, int severity) : severity_(severity) {
    out_ << '[' << "IWEF"[severity] << ' ' << file << ':' << line << "] ";
  }
  LogMessage(const LogMessage&) = delete;
  ~LogMessage() noexcept(false) {
    if (severity_ == 3) throw Error(out_.str());
    if (severity_ > 0) std::cerr << out_.str() << '\n';
  }
  std::ostream& stream() { return out_; }

 private:
  std::ostringstream out_;
  int severity_;
};

inline constexpr int kINFO = 0, kWARNING = 1, kERROR = 2, kFATAL = 3;

}  // namespace c10::detail

#ifndef LOG
#define LOG(severity) ::c10::detail::LogMessage(__FILE__, __LINE__, ::c10::detail::k##severity).stream()
#define LOG_IF(severity, condition) \
  if (!(condition)) {               \
  } else LOG(severity)
#define VLOG(level) LOG_IF(INFO, false)
#endif
#ifndef CHECK
#define CHECK(condition) LOG_IF(FATAL, !(condition)) << "Check failed: " #condition " "
#define CHECK_EQ(a, b) CHECK((a) == (b))
#define CHECK_NE(a, b) CHECK((a) != (b))
#define CHECK_LT(a, b) CHECK((a) < (b))
#define CHECK_LE(a, b) CHECK((a) <= (b))
#define CHECK_GT(a, b) CHECK((a) > (b))
#define CHECK_GE(a, b) CHECK((a) >= (b))
#endif
