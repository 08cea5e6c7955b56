// Bytes read one after the other: a part of an Input as it is, or what it inflates to.
#pragma once
#include <memory>
#include <string>

#include "io/input.h"

namespace taut::io {

class Stream {
 public:
  virtual ~Stream() = default;
  /// Exactly n bytes; throws FormatError when fewer are left.
  virtual void read(void* to, uint64_t n) = 0;
};

/// [at, at + n) of an Input.
class PlainStream : public Stream {
 public:
  PlainStream(const Input& in, uint64_t at, uint64_t n) : in_(in), at_(at), left_(n) {}
  void read(void* to, uint64_t n) override;

 private:
  const Input& in_;
  uint64_t at_, left_;
};

/// What [at, at + n) inflates to.
class InflateStream : public Stream {
 public:
  enum class Kind { Raw, Gzip };
  InflateStream(const Input& in, uint64_t at, uint64_t n, Kind kind, std::string what);
  ~InflateStream() override;
  void read(void* to, uint64_t n) override;
  /// As many as there are, up to n.
  uint64_t read_some(void* to, uint64_t n);
  /// True when everything was read; the compressed data must end here too.
  bool at_end();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// More than this many bytes cannot come out of one that is deflated.
constexpr uint64_t kMostInflation = 1032;

}  // namespace taut::io
